package picture_test

import (
	"testing"

	"ringlab/engine"
	"ringlab/engine/picture"
	"ringlab/engine/view"
)

// Every partition of the list can be selected by the text that it is listed under,
// also one whose key cannot be read back from it: control characters, backslashes,
// the sign between components.
func TestEveryListedPartitionIsFound(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=3"})
	if err != nil {
		t.Fatal(err)
	}
	lab.Record()
	run(lab, `CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};
CREATE TABLE k.one (k text PRIMARY KEY, v int);
CREATE TABLE k.two (a text, b text, v int, PRIMARY KEY ((a, b)));
INSERT INTO k.one JSON '{"k": "\u0013x\u0007", "v": 1}';
INSERT INTO k.one (k, v) VALUES ('back\slash', 1);
INSERT INTO k.one (k, v) VALUES ('plain', 1);
INSERT INTO k.two (a, b, v) VALUES ('a:b', 'c', 1);
`)
	painter := picture.New(lab.Core())
	for table, want := range map[string]int{"one": 3, "two": 1} {
		need := view.Need{Keyspace: "k", Table: table}
		list := painter.View(need).Partitions
		if len(list) != want {
			t.Fatalf("%s lists %d partitions, not %d", table, len(list), want)
		}
		for _, p := range list {
			need.Key = p.Key
			v := painter.View(need)
			if v.Selection == nil || v.Selection.Err != "" || len(v.Selection.Replicas) != 3 || v.Selection.Token != p.Token {
				t.Errorf("%s %q is not found: %+v", table, p.Key, v.Selection)
			}
		}
	}
}
