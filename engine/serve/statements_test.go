package serve_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"ringlab/engine/native"
)

// TestPreparedStatements prepares what a node of 5.0.5 was given, and holds the names
// of the statements and the rows of system.prepared_statements to that node's. Those
// whose tables have changed are listed no more.
func TestPreparedStatements(t *testing.T) {
	text, err := os.ReadFile("testdata/prepared_statements.json")
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Setup []string
		Steps []struct {
			Prepare, ID, Run string
			Rows             [][]*string // name, keyspace, text
		}
	}
	if err := json.Unmarshal(text, &told); err != nil {
		t.Fatal(err)
	}
	s := serving(t, "dc1=1", "127.0.14.1")
	do(t, s, told.Setup...)
	c := raw(t, s)
	c.Write(frameOf(native.V4, startup))
	answers(t, c)
	ask := func(m native.Message) native.Message {
		t.Helper()
		c.Write(frameOf(native.V4, m))
		got := answers(t, c).Body
		if e, ok := got.(*native.Error); ok {
			t.Fatal(e.Message)
		}
		return got
	}
	query := func(text string) native.Message {
		return ask(&native.Query{Text: text, Parameters: native.Parameters{Consistency: 1}})
	}
	for _, step := range told.Steps {
		switch {
		case step.Prepare != "":
			if id := hex.EncodeToString(ask(&native.Prepare{Text: step.Prepare}).(*native.Prepared).ID); id != step.ID {
				t.Errorf("%s: %s, not %s", step.Prepare, id, step.ID)
			}
		case step.Run != "":
			query(step.Run)
		default:
			got, want := "", ""
			for _, row := range query("SELECT prepared_id, logged_keyspace, query_string FROM system.prepared_statements").(*native.Rows).Values {
				got += fmt.Sprintf("%x %s: %s\n", row[0], row[1], row[2])
			}
			for _, row := range step.Rows {
				keyspace := ""
				if row[1] != nil {
					keyspace = *row[1]
				}
				want += fmt.Sprintf("%s %s: %s\n", *row[0], keyspace, *row[2])
			}
			if got != want {
				t.Errorf("listed:\n%s\nnot:\n%s", got, want)
			}
		}
	}
}
