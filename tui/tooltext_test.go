package tui

import (
	"testing"

	"ringlab/engine/answer"
)

// nodetool's tabs lead to the next eighth cell; those of other messages are text.
func TestTabsOfNodetool(t *testing.T) {
	a := &answer.Answer{Message: "Keyspace: s\n\tRead Count: 0\n\t\tTable: t\nab\tc", Tool: true}
	if got, want := messageText(a), "Keyspace: s\n        Read Count: 0\n                Table: t\nab      c"; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
	a.Tool = false
	if messageText(a) != a.Message {
		t.Error("a message that is not nodetool's has changed")
	}
}
