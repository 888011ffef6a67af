package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/model/cql"
)

// A data center that is cut off does not know the tables that were made on the
// other side, until it is joined again.
func TestSchemaDisagreement(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=2 dc2=2"})
	if err != nil {
		t.Fatal(err)
	}
	say := func(text, want string) {
		t.Helper()
		out := lab.Do(text)
		a := out[len(out)-1]
		got := a.Message
		if a.Error != nil {
			got = a.Error.Message
		}
		if !strings.Contains(got, want) || want == "" && a.Error != nil {
			t.Errorf("%s: %q, expected %q", text, got, want)
		}
	}
	say("CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2, 'dc2': 2}", "")
	say(":client far dc=dc2", "")
	say(":cut dc1 | dc2", "")
	say("CREATE TABLE k.t (a int PRIMARY KEY, b int)", "")
	say("INSERT INTO k.t (a, b) VALUES (1, 1)", "")
	say(":as far", "")
	say("SELECT * FROM k.t", "table t does not exist")
	say("CREATE TABLE k.u (a int PRIMARY KEY)", "")
	say("INSERT INTO k.u (a) VALUES (1)", "")
	say(":as", "")
	say("INSERT INTO k.u (a) VALUES (2)", "table u does not exist")
	say(":heal", "")
	say(":advance 1s", "")
	say("INSERT INTO k.u (a) VALUES (2)", "")
	say(":as far", "")
	say("SELECT * FROM k.t", "")
	say(":as", "")
	say(":down n4", "")
	say("ALTER TABLE k.t ADD c int", "")
	say(":up n4", "")
	say(":client there node=n4", "")
	say(":as there", "")
	say("SELECT c FROM k.t", "")
}

// TestMissingDataCenters: a schema that names data centers which the ring lacks
// is met with the offer of a ring on which it works.
func TestMissingDataCenters(t *testing.T) {
	lab, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"CREATE KEYSPACE a WITH replication = {'class': 'NetworkTopologyStrategy', 'us-east': '3', 'eu_west': 5}",
		"CREATE KEYSPACE b WITH replication = {'class': 'org.apache.cassandra.locator.NetworkTopologyStrategy', 'eu_west': 2, 'us-east': 1}  AND durable_writes = true",
	} {
		a := lab.Do(statement)[0]
		if a.Error != nil {
			if len(a.Fix) != 1 || !strings.HasPrefix(a.Fix[0].Text, ":ring new ") {
				t.Fatalf("%s: %s, offered %v", statement, a.Error.Message, a.Fix)
			}
			if made := lab.Do(a.Fix[0].Text)[0]; made.Error != nil {
				t.Fatalf("%s: %s", a.Fix[0].Text, made.Error.Message)
			}
			a = lab.Do(statement)[0]
		}
		if a.Error != nil {
			t.Errorf("%s on %s: %s", statement, lab.Ring(), a.Error.Message)
		}
	}
	// What no ring can mend is offered none.
	if a := lab.Do("CREATE KEYSPACE c WITH replication = {'class': 'NetworkTopologyStrategy', 'us-east': 'x'}")[0]; a.Error == nil || len(a.Fix) > 0 {
		t.Errorf("a factor that is no number: %v, offered %v", a.Error, a.Fix)
	}
}

// TestRealSchemaComesBack: what DESCRIBE KEYSPACE of a real node wrote of thirty
// tables with types, functions, aggregates, indexes, views and every kind of
// option runs here, and DESCRIBE KEYSPACE writes the same again.
func TestRealSchemaComesBack(t *testing.T) {
	files, _ := filepath.Glob("testdata/real/schema/*.cql")
	if len(files) == 0 {
		t.Fatal("there is no schema")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lab, err := engine.New(engine.Options{Ring: "datacenter1=3"})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range cql.Split(string(text)) {
			if a := lab.Do(p.Text)[0]; a.Error != nil {
				t.Errorf("%s: %s\n%s", file, a.Error.Message, p.Text)
			}
		}
		a := lab.Do("DESCRIBE KEYSPACE " + strings.TrimSuffix(filepath.Base(file), ".cql"))[0]
		var again []string
		for _, row := range a.Rows {
			again = append(again, row[3].Text)
		}
		if got, want := strings.Join(again, "\n\n"), strings.TrimSpace(string(text)); got != want {
			at := 0
			for at < len(got) && at < len(want) && got[at] == want[at] {
				at++
			}
			t.Errorf("%s comes back differently at %d: …%.300s\nexpected …%.300s", file, at, got[max(at-60, 0):], want[max(at-60, 0):])
		}
	}
}
