package engine_test

import (
	"fmt"
	"testing"

	"ringlab/engine/classic"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/thrift/bind"
	"ringlab/model/types"
)

// BenchmarkWideSlice is 100 columns out of the middle of a row of a million, at
// QUORUM on the default ring: as get_slice, as the text of its command, and as the
// same rows are read in CQL, prepared and as text.
func BenchmarkWideSlice(b *testing.B) {
	lab := newLab(b, "")
	do(b, lab, ":cli create column family wide with comparator = Int32Type and key_validation_class = UTF8Type and default_validation_class = UTF8Type;")
	w := newWriter(lab, "wide", []byte("some value"))
	w.write.Liveness = false
	const width = 1000000
	for i := range width {
		w.put(b, []byte("row"), clustering(i))
	}
	c := lab.Core().Cluster
	client := classic.New(lab.Core())
	texts := func(statement string, lines int) func(*testing.B, int) {
		return func(b *testing.B, start int) {
			if a := do(b, lab, fmt.Sprintf(statement, start)); len(a.Rows) != lines {
				b.Fatal(len(a.Rows))
			}
		}
	}
	ways := []struct {
		name string
		read func(b *testing.B, start int)
	}{
		{"operation", func(b *testing.B, start int) {
			res, _, err := client.Operate(&classic.Operation{Name: "get_slice", Key: bind.Bytes("row"), Parent: bind.ColumnParent{Family: "wide"},
				Predicate: bind.SlicePredicate{Range: &bind.SliceRange{Start: types.EncodeInt32(int32(start)), Count: 100}}})
			if err != nil {
				b.Fatal(err)
			}
			cells, bytes := 0, 0
			for c := range res.Rows[0].Each() {
				cells, bytes = cells+1, bytes+len(c.Name)+len(c.Value)
			}
			if cells != 100 || bytes != 100*(4+len("some value")) {
				b.Fatal(cells, bytes)
			}
		}},
		{"command", texts(":get_slice cf=wide key=row start=%d", 100)},
		{"CQL prepared", func(b *testing.B, start int) {
			op := c.Begin("read", 0, plan.Quorum, false)
			c.Read(op, []*storage.Query{{Table: w.write.Table, Key: "row", Token: c.Partitioner().Token([]byte("row")), Now: c.Seconds(0),
				Slices: []schema.Slice{{From: schema.Cut{Prefix: clustering(start)}, To: schema.Cut{After: true}}}, Limit: 100}})
			if c.Run(op); op.Err != nil || len(op.Found[0].Rows) != 100 {
				b.Fatal(op.Err)
			}
		}},
		{"CQL text", texts("SELECT * FROM wide WHERE key = 'row' AND column1 >= %d LIMIT 100", 100)},
	}
	run := func(b *testing.B) {
		for _, way := range ways {
			b.Run(way.name, func(b *testing.B) {
				n := 0
				b.ReportAllocs()
				for b.Loop() {
					way.read(b, n*7919%(width-100))
					n++
				}
				perSecond(b, n, "slices")
			})
		}
	}
	b.Run("memtable", run)
	flushAll(c, w.write.Table)
	b.Run("sstable", run)
}
