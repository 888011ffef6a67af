package picture

import (
	"fmt"
	"testing"

	"ringlab/engine/session"
	"ringlab/engine/view"
)

// benchCore is a lab with one table and a few hundred partitions.
func benchCore(b *testing.B, spec string) *session.Core {
	b.Helper()
	words := []string{}
	for w := ""; ; {
		n, _ := fmt.Sscan(spec, &w)
		if n == 0 {
			break
		}
		words, spec = append(words, w), spec[min(len(w)+1, len(spec)):]
	}
	ring, err := session.ParseRing(words)
	if err != nil {
		b.Fatal(err)
	}
	core, err := session.New(ring, 1767225600)
	if err != nil {
		b.Fatal(err)
	}
	core.Recorder = session.NewRecorder(core)
	core.Statement("CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}")
	core.Statement("CREATE TABLE k.t (p int, c int, v text, PRIMARY KEY (p, c))")
	for i := 0; i < 600; i++ {
		core.Statement(fmt.Sprintf("INSERT INTO k.t (p, c, v) VALUES (%d, %d, 'some text')", i%200, i))
	}
	return core
}

func benchmarkView(b *testing.B, spec string) {
	core := benchCore(b, spec)
	p := New(core)
	need := view.Need{Keyspace: "k", Table: "t", Key: "7"}
	b.ReportAllocs()
	for b.Loop() {
		core.Cluster.Store(0, core.Cluster.Schema.Table("k", "t")).Writes++ // everything is dirty
		p.View(need)
	}
}

func BenchmarkView6Nodes(b *testing.B)             { benchmarkView(b, "dc1=6") }
func BenchmarkView1000Nodes256VNodes(b *testing.B) { benchmarkView(b, "dc1=500 dc2=500 vnodes=256") }
