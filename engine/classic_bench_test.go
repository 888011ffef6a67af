package engine_test

import (
	"testing"

	"ringlab/engine/classic"
	"ringlab/model/thrift/bind"
	"ringlab/model/types"
)

// BenchmarkClassicSlice is get_slice of 100 columns out of the middle of a row of
// a million, at QUORUM on the default ring: as an operation, and as the text of
// its command.
func BenchmarkClassicSlice(b *testing.B) {
	lab := newLab(b, "")
	do(b, lab, ":cli create column family wide with comparator = Int32Type and key_validation_class = UTF8Type and default_validation_class = UTF8Type;")
	w := newWriter(lab, "wide", []byte("some value"))
	w.write.Liveness = false
	const width = 1000000
	for i := range width {
		w.put(b, []byte("row"), clustering(i))
	}
	client := classic.New(lab.Core())
	run := func(b *testing.B) {
		b.Run("operation", func(b *testing.B) {
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				start := types.EncodeInt32(int32(n * 7919 % (width - 100)))
				res, _, err := client.Operate(&classic.Operation{Name: "get_slice", Key: bind.Bytes("row"), Parent: bind.ColumnParent{Family: "wide"},
					Predicate: bind.SlicePredicate{Range: &bind.SliceRange{Start: start, Count: 100}}})
				if err != nil || len(res.Rows[0].Cells) != 100 {
					b.Fatal(err)
				}
				n++
			}
			perSecond(b, n, "slices")
		})
		b.Run("command", func(b *testing.B) {
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				if a := do(b, lab, ":get_slice cf=wide key=row start=500000"); len(a.Rows) != 100 {
					b.Fatal(len(a.Rows))
				}
				n++
			}
			perSecond(b, n, "slices")
		})
	}
	b.Run("memtable", run)
	flushAll(lab.Core().Cluster, w.write.Table)
	b.Run("sstable", run)
}
