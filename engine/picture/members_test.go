package picture_test

import (
	"testing"

	"ringlab/engine"
	"ringlab/engine/picture"
	"ringlab/engine/view"
)

// TestPicturesOfChangingRings: while nodes join, leave, die and are replaced, every
// number of a node in a picture is that of a node in it.
func TestPicturesOfChangingRings(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "dc1=4 racks=2 vnodes=4"})
	if err != nil {
		t.Fatal(err)
	}
	lab.Record()
	painter := picture.New(lab.Core())
	nodes := 4
	for _, step := range []struct {
		text  string
		nodes int
	}{
		{"CREATE KEYSPACE s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}", 4},
		{"CREATE TABLE s.t (k text PRIMARY KEY)", 4},
		{"INSERT INTO s.t (k) VALUES ('a')", 4},
		{":bootstrap background", 5},
		{"INSERT INTO s.t (k) VALUES ('b')", 5},
		{":advance 60s", 5},
		{"CONSISTENCY ALL", 5},
		{"SELECT * FROM s.t", 5},
		{":decommission n1 background", 5},
		{":advance 60s", 4},
		{"INSERT INTO s.t (k) VALUES ('c')", 4},
		{":down n3", 4},
		{":replace n3 n9 background", 5},
		{":advance 60s", 4},
		{":down n2", 4},
		{":removenode n2", 3},
		{"SELECT * FROM s.t", 3},
		{":repair", 3},
		{":cleanup", 3},
	} {
		for _, a := range lab.Do(step.text) {
			if a.Error != nil {
				t.Fatalf("%s: %s", step.text, a.Error.Message)
			}
		}
		nodes = step.nodes
		for n := -1; n < nodes+3; n++ {
			check(t, step.text, nodes, painter.View(view.Need{Keyspace: "s", Table: "t", Key: "a", Node: n}))
		}
	}
}

func check(t *testing.T, after string, nodes int, v *view.View) {
	t.Helper()
	in := func(what string, n int) {
		if n < 0 || n >= len(v.Nodes) {
			t.Fatalf("after %s: %s names node %d of %d", after, what, n, len(v.Nodes))
		}
	}
	if len(v.Nodes) != nodes {
		t.Fatalf("after %s the picture has %d nodes, not %d", after, len(v.Nodes), nodes)
	}
	for _, e := range v.Ring {
		in("a token", e.Node)
	}
	for _, p := range v.Partitions {
		for _, n := range p.Replicas {
			in("a partition", n)
		}
	}
	if v.Selection != nil {
		for _, r := range v.Selection.Replicas {
			in("the selection", r.Node)
		}
	}
	if v.Storage != nil {
		in("storage", v.Storage.Node)
	}
	if v.Trace != nil {
		for _, l := range v.Trace.Lanes {
			in("a lane", l.Node)
			for _, m := range l.Marks {
				if m.Peer != -1 {
					in("a mark", m.Peer)
				}
			}
		}
	}
}
