package session_test

import (
	"strings"
	"testing"

	"ringlab/engine/session"
)

// FuzzParseRing: whatever the words, a ring is refused with an error or printed
// so that it parses to the same ring, and building it never panics.
func FuzzParseRing(f *testing.F) {
	for _, s := range []string{"", "dc1=3 dc2=3 racks=3 vnodes=16 partitioner=Murmur3Partitioner seed=1", "dc1=2 names=A,B tokens=A:0,B:100 partitioner=SlideMD5",
		"dc1=4 partitioner=ByteOrderedPartitioner", "dc1=3 partitioner=OrderPreservingPartitioner", "dc1=3 vnodes=8 partitioner=RandomPartitioner racks=2", "seed=0", "dc1=2 tokens=n1:5,n1:7,n2:9 vnodes=2",
		"dc1=2 names=,", "names=a=b,c dc1=2", "dc1=2 tokens=n1:0,n2:0", "x", "=", "dc1=", "racks=99999999999999999999", "names=,0", "d:c=1", "dc1=2 dc2=1 racks=n1:a,n2:b,n3:a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := session.ParseRing(strings.Fields(text))
		if err != nil {
			return
		}
		again, err := session.ParseRing(strings.Fields(spec.String()))
		if err != nil || again.String() != spec.String() {
			t.Fatalf("%q is printed as %q, which parses to %q: %v", text, spec, again, err)
		}
		total := 0
		for _, d := range spec.DCs {
			total += d.Nodes
		}
		if total*spec.VNodes > 200 {
			return
		}
		_, nodes, err := spec.Build()
		if err != nil {
			return
		}
		if len(nodes) != total {
			t.Fatalf("%q has %d nodes, want %d", text, len(nodes), total)
		}
		names := map[string]bool{}
		for _, n := range nodes {
			if names[n.Name] || n.Name == "" || n.DC == "" || n.Rack == "" {
				t.Fatalf("%q has the node %+v", text, n)
			}
			names[n.Name] = true
			if len(n.Tokens) == 0 {
				t.Fatalf("%q gives %s no token", text, n.Name)
			}
		}
	})
}
