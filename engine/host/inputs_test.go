package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringlab/engine/answer"
)

func TestCancelKeepsWhatRan(t *testing.T) {
	h := fresh(t)
	well(t, h, tables)
	var b strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&b, "INSERT INTO ks.t (k, c, v) VALUES (1, %d, 'x');\n", i)
	}
	answers := h.Do(b.String())
	<-answers
	waiting := h.Do("SELECT * FROM ks.t")
	h.Cancel()
	later := h.Do("SELECT count(*) FROM ks.t WHERE k = 1")
	list := take(t, answers)
	last := list[len(list)-1]
	var ran, all int
	if _, err := fmt.Sscanf(last.Message, "Cancelled: %d of %d commands were run", &ran, &all); err != nil || all != 10000 || ran >= all || ran != len(list) {
		t.Errorf("%q after %d answers", last.Message, len(list))
	}
	if got := said(take(t, waiting)); !strings.Contains(got, "Cancelled before it began") {
		t.Errorf("what waited says %q", got)
	}
	if got := take(t, later); got[0].Rows[0][0].Text != fmt.Sprint(ran) {
		t.Errorf("%d commands ran, the table has %s rows", ran, got[0].Rows[0][0].Text)
	}
}

func TestInputsRunInTheOrderGiven(t *testing.T) {
	h := fresh(t)
	well(t, h, tables)
	var all []<-chan answer.Answer
	for i := range 200 {
		all = append(all, h.Do(fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (1, 1, '%d'); SELECT v FROM ks.t WHERE k = 1;", i)))
	}
	for i, answers := range all {
		if got := take(t, answers)[1].Rows[0][0].Text; got != fmt.Sprint(i) {
			t.Fatalf("input %d reads %s", i, got)
		}
	}
}

func TestSource(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	inner := file("sub/inner.cql", "INSERT INTO ks.t (k, c, v) VALUES (1, 2, 'inner');\n")
	outer := file("sub/outer.cql", tables+"SOURCE 'inner.cql'\nINSERT INTO ks.t (k, c, v) VALUES (1, 1, 'outer')")
	self := file("self.cql", "SOURCE 'self.cql'\nSOURCE '"+filepath.Join(dir, "self.cql")+"'\nSELECT v FROM ks.t;\n")
	ws := filepath.Join(dir, "lab.ringlab")
	h := open(t, ws)
	well(t, h, "SOURCE '"+outer+"'")
	got := do(t, h, "SELECT v FROM ks.t WHERE k = 1;\nSOURCE '"+self+"'\nSOURCE '/nowhere.cql'\nSOURCE '"+dir+"'\nSOURCE\nSOURCE '/dev/zero'")
	if want := []string{"(2 rows)", "would never end", "would never end", "(2 rows)", "Could not open '/nowhere.cql': no such file", "it is not a file", "Improper SOURCE", "it is not a file"}; len(got) != len(want) {
		t.Errorf("%d answers: %s", len(got), said(got))
	} else {
		for i := range want {
			if text := said(got[i : i+1]); !strings.Contains(text, want[i]) {
				t.Errorf("answer %d is %q, expected %q", i, text, want[i])
			}
		}
	}
	if a := got[3]; a.File != self || a.Line != 3 {
		t.Errorf("the answer of line 3 comes from %s:%d", a.File, a.Line)
	}
	before := said(do(t, h, "SELECT * FROM ks.t"))
	h.Close()
	for _, f := range []string{inner, outer, self} {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, ws)
	for _, e := range entries(t, again) {
		if strings.HasPrefix(e, "SOURCE") {
			t.Errorf("the journal needs a file: %s", e)
		}
	}
	if got := said(do(t, again, "SELECT * FROM ks.t")); got != before {
		t.Errorf("without its files the lab is\n%s\nit was\n%s", got, before)
	}
}

func TestExpectationsInAnInput(t *testing.T) {
	h := fresh(t)
	well(t, h, tables)
	table := "\n v\n---\n %s\n\n(1 rows)\n"
	list := do(t, h, "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\nSELECT v FROM ks.t WHERE k = 1;\n:expect rows 1\n"+
		"----\n----"+fmt.Sprintf(table, "a")+"----\n----\n"+
		"----\n----"+fmt.Sprintf(table, "b")+"----\n----\n"+
		"SELECT * FORM t;\n:expect error SyntaxException\n"+
		"----\nSyntaxException: line 1:9 mismatched input 'FORM' expecting K_FROM (SELECT * [FORM]...)\n\n"+
		":expect rows 3\n")
	var got []string
	for _, a := range list {
		word := "ok"
		if a.Error != nil {
			word = a.Error.Name
		}
		got = append(got, word)
	}
	want := "ok ok ok ok ExpectationFailed SyntaxException ok ok ExpectationFailed"
	if strings.Join(got, " ") != want {
		t.Errorf("%v, expected %s\n%s", got, want, said(list))
	}
}

// A pasted schema whose data centers the ring lacks stops at its keyspace, with
// the offer of a ring; on that ring it runs.
func TestPastedSchemaStopsAtItsKeyspace(t *testing.T) {
	h := fresh(t)
	schema := `CREATE KEYSPACE far WITH replication = {'class': 'NetworkTopologyStrategy', 'east': 3};
CREATE TABLE far.a (k int PRIMARY KEY);
CREATE TABLE far.b (k int PRIMARY KEY);`
	answers := do(t, h, schema)
	if len(answers) != 2 || len(answers[0].Fix) != 1 || !strings.Contains(answers[1].Message, "The other 2 statements were not run") {
		t.Fatalf("%d answers: %+v", len(answers), answers)
	}
	for _, a := range append(do(t, h, answers[0].Fix[0].Text), do(t, h, schema)...) {
		if a.Error != nil {
			t.Errorf("%s: %s", a.Statement, a.Error.Message)
		}
	}
}
