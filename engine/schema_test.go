package engine_test

import (
	"strings"
	"testing"

	"ringlab/engine"
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
