package tui

import (
	"testing"

	"ringlab/engine/view"
)

// TestPlacementOfLastStatement: where no key is selected, placement is about the key
// of the last statement; one that is selected stays.
func TestPlacementOfLastStatement(t *testing.T) {
	last := &view.Trace{Keyspace: "shop", Table: "likes", Key: "ann"}
	for _, c := range []struct {
		key   string
		trace *view.Trace
		want  string
	}{{"", last, "ann"}, {"bob", last, "bob"}, {"", nil, ""}, {"", &view.Trace{Keyspace: "shop", Table: "likes"}, ""}} {
		p := &ringPane{}
		need := view.Need{Key: c.key}
		a, ok := p.Do("ring.placement", &Scene{V: &view.View{Trace: c.trace}, Need: need})
		if a.Need != nil {
			a.Need(&need)
		}
		if !ok || p.mode != "placement" || need.Key != c.want {
			t.Errorf("with %q selected: mode %q, key %q, expected %q", c.key, p.mode, need.Key, c.want)
		}
	}
}
