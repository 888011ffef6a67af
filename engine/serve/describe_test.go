package serve_test

import (
	"fmt"
	"strings"
	"testing"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

// TestDescribePages reads a DESCRIBE page by page, and goes on after the schema
// has changed.
func TestDescribePages(t *testing.T) {
	s := serving(t, "dc1=1", "127.0.17.1")
	do(t, s, setUp)
	for i := range 7 {
		do(t, s, fmt.Sprintf("CREATE TABLE shop.t%d (k int PRIMARY KEY)", i))
	}
	session := session2(t, s, "shop", nil)
	page := func(state []byte) (names []string, next []byte, err error) {
		iter := session.Query("DESCRIBE TABLES").PageSize(3).PageState(state).Iter()
		next = iter.PageState()
		for range iter.NumRows() {
			var keyspace, kind, name string
			iter.Scan(&keyspace, &kind, &name)
			names = append(names, name)
		}
		return names, next, iter.Close()
	}
	var all []string
	var state, second []byte
	for pages := 1; ; pages++ {
		names, next, err := page(state)
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, names...); len(next) == 0 {
			break
		}
		if state = next; second == nil {
			second = next
		}
		if pages > 3 {
			t.Fatal("it does not end")
		}
	}
	if got := strings.Join(all, " "); got != "t0 t1 t2 t3 t4 t5 t6" {
		t.Errorf("the pages hold %s", got)
	}
	do(t, s, "CREATE TABLE shop.more (k int PRIMARY KEY)")
	for state, want := range map[string]string{
		string(second):      "The schema has changed since the previous page of the DESCRIBE statement result. Please retry the DESCRIBE statement.",
		string(second[:20]): "Invalid value for the paging state",
		"x":                 "Invalid value for the paging state",
	} {
		_, _, err := page([]byte(state))
		var refused gocql.RequestError
		if r, ok := err.(gocql.RequestError); ok {
			refused = r
		}
		if refused == nil || refused.Message() != want {
			t.Errorf("state %x: %v", state, err)
		}
	}
}

// TestTracedPrepare traces a statement that the driver prepares: both of what it
// asks for are found.
func TestTracedPrepare(t *testing.T) {
	s := serving(t, "dc1=2", "127.0.18.1")
	do(t, s, setUp)
	do(t, s, smoke...)
	session := session2(t, s, "", func(c *gocql.ClusterConfig) { // a token-aware one prepares without a trace first, on whatever node
		c.PoolConfig.HostSelectionPolicy = gocql.RoundRobinHostPolicy()
	})
	ids := &traced{}
	if err := session.Query("INSERT INTO shop.stock (id, left) VALUES (?, ?)", 1, 1).Trace(ids).Exec(); err != nil {
		t.Fatal(err)
	}
	var requests []string
	for _, id := range ids.list {
		var request string
		var duration int
		var parameters map[string]string
		if err := session.Query("SELECT request, duration, parameters FROM system_traces.sessions WHERE session_id = ?", id).Scan(&request, &duration, &parameters); err != nil {
			t.Fatal(err)
		}
		if duration == 0 {
			t.Errorf("%s took no time, which drivers take for a trace that is not complete", request)
		}
		if parsed := strings.HasPrefix(activities(session, id), "Parsing"); parsed != (request == "Preparing CQL3 query") {
			t.Errorf("%s: that the statement was parsed is %t", request, parsed)
		}
		delete(parameters, "query")
		requests = append(requests, fmt.Sprint(request, " ", parameters))
	}
	want := "Preparing CQL3 query map[]\n" +
		"Execute CQL3 prepared query map[bound_var_0_id:1 bound_var_1_left:1 consistency_level:QUORUM page_size:5000 serial_consistency_level:SERIAL]"
	if got := strings.Join(requests, "\n"); got != want {
		t.Errorf("the traces are of\n%s\nnot of\n%s", got, want)
	}
}

// activities are the events of a trace, a line each.
func activities(session *gocql.Session, id []byte) string {
	var all []string
	var activity string
	for iter := session.Query("SELECT activity FROM system_traces.events WHERE session_id = ?", id).Iter(); iter.Scan(&activity); {
		all = append(all, activity)
	}
	return strings.Join(all, "\n")
}

// traced takes note of the sessions of a driver.
type traced struct{ list [][]byte }

func (s *traced) Trace(id []byte) { s.list = append(s.list, append([]byte{}, id...)) }
