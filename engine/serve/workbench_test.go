package serve_test

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"ringlab/engine/answer"
	"ringlab/engine/host"
	"ringlab/engine/serve"
)

// bench is a workbench without a screen.
type bench struct {
	t    *testing.T
	host *host.Host
}

// do runs an input and gives its last answer.
func (b bench) do(text string) (last answer.Answer) {
	b.t.Helper()
	for a := range b.host.Do(text) {
		last = a
	}
	return last
}

// must is do for what succeeds.
func (b bench) must(text string) answer.Answer {
	b.t.Helper()
	a := b.do(text)
	if a.Error != nil {
		b.t.Fatalf("%s: %s", text, a.Error.Message)
	}
	return a
}

func openBench(t *testing.T, path string) bench {
	store, err := host.Open(path, host.OpenOptions{Ring: "dc1=4", Epoch: time.Now().Unix() - 3600, Record: true})
	if err != nil {
		t.Fatal(err)
	}
	if store.Differs != "" {
		t.Errorf("the replay gave another answer at %s", store.Differs)
	}
	h := host.New(store)
	w := serve.NewWorkbench(h)
	t.Cleanup(func() { h.Close(); w.Close() })
	return bench{t, h}
}

// free is an address with a port that nobody listens at.
func free(t *testing.T, address string) string {
	l, err := net.Listen("tcp", address+":0")
	if err != nil {
		t.Skipf("%s is no address here: %v", address, err)
	}
	defer l.Close()
	return l.Addr().String()
}

// dial connects a driver.
func dial(t *testing.T, at string, policy gocql.HostSelectionPolicy) *gocql.Session {
	t.Helper()
	name, port, _ := strings.Cut(at, ":")
	c := gocql.NewCluster(name)
	fmt.Sscan(port, &c.Port)
	c.Timeout, c.Consistency = 20*time.Second, gocql.One
	c.PoolConfig.HostSelectionPolicy = policy
	session, err := c.CreateSession()
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// TestWorkbench serves a workbench: requests stand in its journal and on its
// screen, and nobody is let in while commands are undone.
func TestWorkbench(t *testing.T) {
	path, at := filepath.Join(t.TempDir(), "bench.ringlab"), free(t, "127.0.15.1")
	b := openBench(t, path)
	if a := b.do(":clients"); a.Error == nil || a.Error.Message != "drivers cannot connect: `:serve` lets them" {
		t.Errorf(":clients: %+v", a.Error)
	}
	told := b.must(":serve " + at).Message
	for _, want := range []string{"n1 to n4 listen on " + at, "The lab's clock went on", "Time flows from now on"} {
		if !strings.Contains(told, want) {
			t.Errorf(":serve says %q, not %q", told, want)
		}
	}
	s := dial(t, at, gocql.TokenAwareHostPolicy(gocql.RoundRobinHostPolicy()))
	for _, text := range []string{setUp, "CREATE TABLE shop.items (id int PRIMARY KEY, title text)"} {
		if err := s.Query(text).Exec(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 100 {
		if err := s.Query("INSERT INTO shop.items (id, title) VALUES (?, ?)", i, key(i)).Exec(); err != nil {
			t.Fatal(err)
		}
	}
	if a := b.must("SELECT count(*) FROM shop.items;"); a.Rows[0][0].Text != "100" {
		t.Errorf("%s rows", a.Rows[0][0].Text)
	}
	v := b.host.View()
	if v.Served == nil || v.Served.Total < 100 || len(v.Served.Recent) == 0 {
		t.Fatalf("the screen sees %+v", v.Served)
	}
	if last := v.Served.Recent[len(v.Served.Recent)-1]; last.Verb != "execute" || last.Level != "ONE" || last.Answer.Op == 0 ||
		last.Answer.Statement != "INSERT INTO shop.items (id, title) VALUES (?, ?)" {
		t.Errorf("the last request is %+v", last)
	}
	a := b.must(":clients")
	if len(a.Rows) != 1 || a.Rows[0][3].Text != "102" || !strings.HasPrefix(a.Rows[0][4].Text, "yes") || len(a.Warnings) != 0 {
		t.Errorf(":clients: %v %q", a.Rows, a.Warnings)
	}
	s.Close()

	b.must("INSERT INTO shop.items (id, title) VALUES (1000, 'typed');")
	b.must(":undo")
	if c, err := net.Dial("tcp", at); err == nil {
		c.Close()
		t.Error("a client is let in while a command is undone")
	}
	if v := b.host.View(); !v.Served.Waits || v.Undone != 1 {
		t.Errorf("undone %d, waits %v", v.Undone, v.Served.Waits)
	}
	b.must(":redo")
	s = dial(t, at, gocql.RoundRobinHostPolicy())
	title := ""
	if err := s.Query("SELECT title FROM shop.items WHERE id = 1000").Scan(&title); err != nil || title != "typed" {
		t.Errorf("%q, %v", title, err)
	}
	b.must(":down n3")
	b.must(":serve stop")
	if err := s.Query("SELECT title FROM shop.items WHERE id = 1000").Scan(&title); err == nil {
		t.Error("a client is served after :serve stop")
	}
	s.Close()
	if a := b.do(":serve stop"); a.Error == nil || a.Error.Message != "nothing is served" {
		t.Errorf("a second :serve stop: %+v", a)
	}
	if err := b.host.Close(); err != nil {
		t.Fatal(err)
	}
	again := openBench(t, path) // compares every answer of the replay
	if a := again.must("SELECT count(*) FROM shop.items;"); a.Rows[0][0].Text != "101" {
		t.Errorf("%s rows after opening", a.Rows[0][0].Text)
	}
}

// TestClients has a driver do what reviewers warn of.
func TestClients(t *testing.T) {
	b, at := openBench(t, filepath.Join(t.TempDir(), "bench.ringlab")), free(t, "127.0.16.1")
	b.must(":serve " + at)
	s := dial(t, at, gocql.RoundRobinHostPolicy())
	defer s.Close()
	run := func(text string, args ...any) {
		t.Helper()
		if err := s.Query(text, args...).Exec(); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	run(setUp)
	run("CREATE TABLE shop.items (id int PRIMARY KEY, title text)")
	for i := range 12 { // the driver prepares whatever it is given
		run(fmt.Sprintf("SELECT * FROM shop.items WHERE id = %d", i))
	}
	for i := range 200 {
		run("INSERT INTO shop.items (id, title) VALUES (?, ?)", i, key(i))
	}
	run("SELECT * FROM shop.items WHERE title = 'tea' ALLOW FILTERING")
	run("SELECT * FROM shop.items WHERE id IN (1, 2, 3, 4, 5, 6)")
	batch := s.Batch(gocql.LoggedBatch)
	for i := range 3 {
		batch.Query("INSERT INTO shop.items (id, title) VALUES (?, ?)", i, key(i))
	}
	if err := batch.Exec(); err != nil {
		t.Fatal(err)
	}
	a := b.must(":clients")
	said := strings.Join(a.Warnings, "\n")
	for _, want := range []string{
		"12 prepared statements differ in nothing but their constants: each takes two trips and a place among those that are kept. Bind the values of `SELECT * FROM shop.items WHERE id = ?`",
		"1 request with ALLOW FILTERING: all nodes read rows to throw them away. `SELECT * FROM shop.items WHERE title = 'tea' ALLOW FILTERING`",
		"IN on up to 6 partitions, 1 request: ",
		"1 batch over several partitions, up to 3: they are no faster than single writes, and one coordinator carries them all. They begin with `INSERT INTO shop.items (id, title) VALUES (?, ?)`",
		"of the executions for one partition went to a replica, no more than by chance (50%)",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("not said: %s", want)
		}
	}
	if len(a.Warnings) != 5 || !strings.HasPrefix(a.Rows[0][4].Text, "no ") {
		t.Errorf("%v\n%s", a.Rows, said)
	}
	b.must(":clients forget")
	if a := b.must(":clients"); a.Rows[0][3].Text != "0" || len(a.Warnings) != 0 {
		t.Errorf("after forgetting: %v %q", a.Rows, a.Warnings)
	}
}
