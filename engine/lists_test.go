package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"ringlab/engine"
)

// TestListOrder checks that the elements of long lists stay in the order in
// which they were appended and prepended, and that writes which read a list
// first do so at their own level.
func TestListOrder(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=3"})
	if err != nil {
		t.Fatal(err)
	}
	run := func(text string) string {
		a := lab.Do(text)[0]
		if a.Error != nil {
			return a.Error.Message
		}
		if len(a.Rows) > 0 {
			return a.Rows[0][0].Text
		}
		return ""
	}
	numbers := func(from, to int) string {
		var list []string
		for i := from; i < to; i++ {
			list = append(list, fmt.Sprint(i))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	run("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}")
	run("CREATE TABLE k.t (p int PRIMARY KEY, l list<int>)")
	run("UPDATE k.t SET l = l + " + numbers(0, 300) + " WHERE p = 1")
	run("UPDATE k.t SET l = " + numbers(-200, 0) + " + l WHERE p = 1")
	run("UPDATE k.t SET l = " + numbers(-500, -200) + " + l WHERE p = 1")
	if got, want := run("SELECT l FROM k.t"), numbers(-500, 300); got != want {
		t.Errorf("the list is %s", got)
	}
	run("CONSISTENCY ANY")
	if got := run("UPDATE k.t SET l[0] = 1 WHERE p = 1"); !strings.Contains(got, "ANY is not supported on reads") {
		t.Errorf("l[0] = 1 at ANY gave %q", got)
	}
	run("CONSISTENCY QUORUM")
	run(":down n2")
	run(":down n3")
	if got := run("DELETE l[0] FROM k.t WHERE p = 1"); got != "Cannot achieve consistency level QUORUM" {
		t.Errorf("without a quorum DELETE l[0] gave %q", got)
	}
}
