package storage_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"

	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// What one write and one slice of 100 rows cost in a partition of n rows: both
// may grow with log n only, whatever the order in which the rows came.

// widths are the sizes of the partition.
var widths = []int{1_000, 10_000, 100_000, 1_000_000, 10_000_000}

// series is CREATE TABLE ks.series (k text, at int, v int, w text, PRIMARY KEY (k, at)).
var series = func() *schema.Table {
	t := &schema.Table{ID: uuid.NameSpaceURL, Keyspace: "ks", Name: "series", NextID: 4, Options: schema.DefaultOptions()}
	t.Key = []*schema.Column{{ID: 0, Name: "k", Type: types.Text, Kind: schema.PartitionKey}}
	t.Clustering = []*schema.Column{{ID: 1, Name: "at", Type: types.Int, Kind: schema.Clustering}}
	t.Regular = []*schema.Column{{ID: 2, Name: "v", Type: types.Int, Kind: schema.Regular, Position: -1},
		{ID: 3, Name: "w", Type: types.Text, Kind: schema.Regular, Position: -1}}
	return t.Finish()
}()

// moment packs the clustering of row n; even numbers stand in the partition, odd
// ones between them.
func moment(n int) []byte { return schema.PackClustering([][]byte{types.EncodeInt32(int32(n))}) }

// seriesWrite is the write of one row.
func seriesWrite(n int, buf []byte) (*storage.Partition, []byte) {
	v := storage.View{Clustering: moment(n), Liveness: storage.Liveness{Timestamp: int64(n), Expiry: storage.NoDeletionTime}, Deletion: storage.Live,
		Cells: []storage.Cell{{Column: 2, Timestamp: int64(n), Local: storage.NoDeletionTime, Value: types.EncodeInt32(int32(n))},
			{Column: 3, Timestamp: int64(n), Local: storage.NoDeletionTime, Value: []byte("some words")}}}
	row, buf := v.Pack(buf)
	return &storage.Partition{Key: "k", Token: token("k"), Del: storage.Live, Rows: []storage.Row{row}}, buf
}

// wide is a store with one partition of n rows in the memtable.
func wide(n int, random bool) *storage.TableStore {
	s := storage.NewTableStore(series)
	order := rand.New(rand.NewPCG(1, 2)).Perm(n)
	var buf []byte
	for i := range n {
		if random {
			i = order[i]
		}
		var u *storage.Partition
		u, buf = seriesWrite(2*i, buf)
		s.Apply(u)
	}
	return s
}

func eachOrder(b *testing.B, run func(b *testing.B, n int, random bool)) {
	for _, order := range []string{"ascending", "random"} {
		for _, n := range widths {
			b.Run(fmt.Sprintf("%s/%d", order, n), func(b *testing.B) { run(b, n, order == "random") })
		}
	}
}

// BenchmarkPut adds rows behind the last one, or anywhere.
func BenchmarkPut(b *testing.B) {
	eachOrder(b, func(b *testing.B, n int, random bool) {
		s := wide(n, random)
		draw := rand.New(rand.NewPCG(3, 4))
		writes := make([]*storage.Partition, 1<<12)
		next, more := 2*n, 0
		b.ReportAllocs()
		for b.Loop() {
			if more == 0 {
				b.StopTimer()
				for i := range writes {
					if random {
						writes[i], _ = seriesWrite(2*draw.IntN(n)+1, nil)
					} else {
						writes[i], _ = seriesWrite(next, nil)
						next++
					}
				}
				more = len(writes)
				b.StartTimer()
			}
			s.Apply(writes[len(writes)-more])
			more--
		}
	})
}

// BenchmarkSlice reads 100 rows from somewhere in the partition: in the memtable
// and after a flush, forward and backward.
func BenchmarkSlice(b *testing.B) {
	eachOrder(b, func(b *testing.B, n int, random bool) {
		s := wide(n, random)
		draw := rand.New(rand.NewPCG(5, 6))
		run := func(b *testing.B, reversed bool) {
			b.ReportAllocs()
			for b.Loop() {
				q := storage.Query{Table: series, Key: "k", Token: token("k"), Limit: 100, Reversed: reversed}
				from := schema.Cut{Prefix: moment(2 * (100 + draw.IntN(n-200))), After: true}
				q.Slices = []schema.Slice{{From: from, To: schema.Cut{After: true}}}
				if reversed {
					q.Slices[0] = schema.Slice{To: from}
				}
				if f := s.Read(&q); f.Live != 100 {
					b.Fatal(f.Live)
				}
			}
		}
		b.Run("memtable", func(b *testing.B) { run(b, false) })
		b.Run("memtable/reversed", func(b *testing.B) { run(b, true) })
		s.Flush(0)
		b.Run("sstable", func(b *testing.B) { run(b, false) })
		b.Run("sstable/reversed", func(b *testing.B) { run(b, true) })
	})
}

// BenchmarkMerge compacts eight files of a thousand partitions each.
func BenchmarkMerge(b *testing.B) {
	s := storage.NewTableStore(series)
	for range 8 {
		for k := range 1000 {
			u, _ := seriesWrite(k, nil)
			u.Key = fmt.Sprint(k)
			u.Token = token(u.Key)
			s.Apply(u)
		}
		s.Flush(0)
	}
	b.ReportAllocs()
	for b.Loop() {
		if parts, _, _ := storage.Compact(series, s.SSTables, 0, 0, func(*storage.Partition, int64) bool { return true }); len(parts) != 1000 {
			b.Fatal(len(parts))
		}
	}
}
