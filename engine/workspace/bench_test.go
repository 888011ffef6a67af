package workspace

import (
	"fmt"
	"testing"

	"go.etcd.io/bbolt"
)

// BenchmarkAppend is the durable commit of groups, one after the other.
func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{1, 256, 4096} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := mustCreate(b, newPath(b))
			entries := someEntries(1, n)
			b.ReportAllocs()
			for b.Loop() {
				mustAppend(b, f, entries)
			}
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}

// BenchmarkWriter is one caller that runs ahead.
func BenchmarkWriter(b *testing.B) {
	f := mustCreate(b, newPath(b))
	w := NewWriter(f, WriterOptions{})
	e := someEntries(5, 1)[0]
	var told uint64
	b.ReportAllocs()
	for b.Loop() {
		w.Add(e, func(n uint64, err error) { told = n })
	}
	must(b, w.Close())
	if told != f.Len() {
		b.Fatal(told, f.Len())
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}

// BenchmarkEach reads a million entries in groups of 256 and of 1; Open is the
// walk over the pages and keys of the same file, Salvage the scan of its bytes.
func BenchmarkEach(b *testing.B) {
	for _, size := range []int{256, 1} {
		const total = 1_000_000
		path := newPath(b)
		f := mustCreate(b, path)
		for at := 0; at < total; at += 1 << 12 {
			n := min(1<<12, total-at)
			entries := someEntries(uint64(at)+1, n)
			if size == groupEntries {
				mustAppend(b, f, entries)
				continue
			}
			appendSingly(b, f, entries)
		}
		b.Run(fmt.Sprint("groups of ", size), func(b *testing.B) {
			for b.Loop() {
				var n int
				must(b, f.Each(1, func(Entry) error { n++; return nil }))
				if n != total {
					b.Fatal(n)
				}
			}
			b.ReportMetric(float64(b.N*total)/b.Elapsed().Seconds(), "entries/s")
			b.ReportMetric(float64(f.size)/total, "B/entry")
		})
		must(b, f.Close())
		b.Run(fmt.Sprint("Open/groups of ", size), func(b *testing.B) {
			for b.Loop() {
				must(b, mustOpen(b, path).Close())
			}
		})
		b.Run(fmt.Sprint("Salvage/groups of ", size), func(b *testing.B) {
			for b.Loop() {
				_, entries, _, err := Salvage(path)
				must(b, err)
				if len(entries) != total {
					b.Fatal(len(entries))
				}
			}
		})
	}
}

// appendSingly stores entries as if each had been a commit of its own.
func appendSingly(b *testing.B, f *File, entries []Entry) {
	must(b, f.update(func(tx *bbolt.Tx) error {
		for i := range entries {
			groups, _, err := makeGroups(nil, f.head, entries[i:i+1], entries[i].N)
			if err != nil {
				return err
			}
			if err := putGroups(tx.Bucket(bucketJournal), groups); err != nil {
				return err
			}
		}
		return nil
	}))
	f.length += uint64(len(entries))
}
