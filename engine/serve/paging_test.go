package serve_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

// TestPagingStates compares what stands between the pages with recordings of a
// real node; see testdata/paging_states.txt.
func TestPagingStates(t *testing.T) {
	s := serving(t, "dc1=1", "127.0.21.1")
	do(t, s, "CREATE KEYSPACE paged WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
		"CREATE TABLE paged.t (p int, c int, s text static, v text, PRIMARY KEY (p, c))",
		"CREATE TABLE paged.d (p int, c int, e text, v text, PRIMARY KEY (p, c, e)) WITH CLUSTERING ORDER BY (c DESC, e ASC)",
		"CREATE TABLE paged.k (p int PRIMARY KEY, v text)",
		"CREATE TABLE paged.cp (a int, b text, c int, v int, PRIMARY KEY ((a, b), c))", "CREATE INDEX iv ON paged.d (v)",
		"INSERT INTO paged.t (p, s) VALUES (9, 'only')")
	for p := range 3 {
		do(t, s, fmt.Sprintf("INSERT INTO paged.k (p, v) VALUES (%d, 'v')", p))
		for c := range 4 {
			do(t, s, fmt.Sprintf("INSERT INTO paged.t (p, c, s, v) VALUES (%d, %d, 'st', 'v')", p, c),
				fmt.Sprintf("INSERT INTO paged.d (p, c, e, v) VALUES (%d, %d, 'e%d', 'v')", p, c, c),
				fmt.Sprintf("INSERT INTO paged.cp (a, b, c, v) VALUES (%d, 'b%d', %d, 1)", p, p, c))
		}
	}
	session := session2(t, s, "", func(c *gocql.ClusterConfig) { c.ProtoVersion, c.Consistency = 4, gocql.One })
	text, err := os.ReadFile("testdata/paging_states.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		part := strings.Split(line, " | ")
		size, _ := strconv.Atoi(part[1])
		var pages []string
		for state := []byte(nil); ; {
			iter := session.Query(part[0]).PageSize(size).PageState(state).Iter()
			rows := iter.NumRows()
			state = iter.PageState()
			if err := iter.Close(); err != nil {
				t.Fatalf("%s: %v", part[0], err)
			}
			if len(state) == 0 {
				pages = append(pages, fmt.Sprintf("%d:None", rows))
				break
			}
			pages = append(pages, fmt.Sprintf("%d:%x", rows, state))
		}
		if got := strings.Join(pages, " "); got != part[2] {
			t.Errorf("%s by %d\n%s\nnot\n%s", part[0], size, got, part[2])
		}
	}
}
