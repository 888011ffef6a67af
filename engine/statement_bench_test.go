package engine_test

import (
	"testing"

	"ringlab/engine"
	"ringlab/engine/session"
	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/types"
)

// usual are the four statements that a budget of statements is about, as text
// and with a marker for each value.
var usual = []struct {
	name, text, prepared string
	values               [][]byte
}{
	{"insert", "INSERT INTO items (id, name, price) VALUES (77, 'some name', 42)", "INSERT INTO items (id, name, price) VALUES (?, ?, ?)",
		[][]byte{types.EncodeInt32(77), []byte("some name"), types.EncodeInt64(42)}},
	{"slice of 100", "SELECT at, name, price FROM series WHERE id = 7 AND at >= 0 AND at < 100", "SELECT at, name, price FROM series WHERE id = ? AND at >= ? AND at < ?",
		[][]byte{types.EncodeInt32(7), types.EncodeInt32(0), types.EncodeInt32(100)}},
	{"update", "UPDATE items SET name = 'other name', price = 43 WHERE id = 77", "UPDATE items SET name = ?, price = ? WHERE id = ?",
		[][]byte{[]byte("other name"), types.EncodeInt64(43), types.EncodeInt32(77)}},
	{"count", "SELECT count(*) FROM series WHERE id = 7", "SELECT count(*) FROM series WHERE id = ?", [][]byte{types.EncodeInt32(7)}},
}

// usualLab has the tables of the usual statements, with a partition of 100 rows.
func usualLab(b *testing.B) *engine.Lab {
	lab := newLab(b, "")
	w := newWriter(lab, "series", types.EncodeInt32(7), []byte("some name"), types.EncodeInt64(42))
	for i := range 100 {
		w.put(b, types.EncodeInt32(7), clustering(i))
	}
	return lab
}

// BenchmarkStatement is parsing, binding and the whole of each usual statement.
func BenchmarkStatement(b *testing.B) {
	lab := usualLab(b)
	core := lab.Core()
	env := &bind.Env{Schema: core.Cluster.Schema, Keyspace: "k", Topology: core, Partitioner: core.Cluster.Partitioner(), Now: func() int64 { return 1 }}
	for _, s := range usual {
		b.Run(s.name+"/parse", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := cql.Parse(s.text); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(s.name+"/bind", func(b *testing.B) {
			tree, err := cql.Parse(s.text)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bind.Bind(tree, env); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(s.name+"/whole", func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				do(b, lab, s.text)
				n++
			}
			perSecond(b, n, "statements")
		})
		b.Run(s.name+"/prepared", func(b *testing.B) {
			p, refused := lab.Prepare(s.prepared)
			if p == nil {
				b.Fatal(refused.Error)
			}
			v := session.Values{Args: s.values, Unset: make([]bool, len(s.values))}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if a := lab.Execute(p, v); a.Error != nil {
					b.Fatal(a.Error)
				}
				n++
			}
			perSecond(b, n, "statements")
		})
	}
}
