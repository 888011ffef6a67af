package storage_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// oldest is the smallest timestamp in what a partition holds.
func oldest(p *storage.Partition) int64 {
	least := int64(math.MaxInt64)
	note := func(at int64) {
		if at != storage.NoTimestamp {
			least = min(least, at)
		}
	}
	note(p.Del.At)
	for _, r := range p.Ranges {
		note(r.Del.At)
	}
	for _, r := range append([]storage.Row{p.Static}, p.Rows...) {
		if r.IsZero() {
			continue
		}
		var v storage.View
		r.Unpack(&v)
		note(v.Liveness.Timestamp)
		note(v.Deletion.At)
		for _, c := range v.Cells {
			note(c.Timestamp)
		}
	}
	return least
}

// TestPurgeable: a tombstone may go if it is older than everything in every file
// outside of the compaction that may have the key, and than the memtable if that
// has it. Source: Cassandra 5.0 CompactionController.getPurgeEvaluator.
func TestPurgeable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := storage.NewTableStore(table)
		keys := []string{"a", "b", "c", "d", "e"}
		mem := map[string]bool{}
		memOldest := int64(math.MaxInt64)
		at := int64(1000)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				s.Flush(0)
				mem, memOldest = map[string]bool{}, math.MaxInt64
			default:
				// Rows of their own, so that nothing is overwritten.
				at += rapid.Int64Range(-50, 100).Draw(t, "time passes")
				k := rapid.SampledFrom(keys).Draw(t, "key")
				v := storage.View{Clustering: place{int(at), k}.pack(), Liveness: storage.Liveness{Timestamp: at, Expiry: storage.NoDeletionTime}, Deletion: storage.Live}
				r, _ := v.Pack(nil)
				s.Apply(&storage.Partition{Key: k, Token: token(k), Del: storage.Live, Rows: []storage.Row{r}})
				mem[k], memOldest = true, min(memOldest, at)
			}
		}
		inputs := map[*storage.SSTable]bool{}
		for _, f := range s.SSTables {
			inputs[f] = rapid.Bool().Draw(t, "input")
		}
		key := rapid.SampledFrom(keys).Draw(t, "key of the tombstone")
		when := rapid.Int64Range(900, 1700).Draw(t, "timestamp of the tombstone")
		want := !mem[key] || when < memOldest
		for _, f := range s.SSTables {
			first, last := f.Parts[0].Token, f.Parts[len(f.Parts)-1].Token
			inRange := token(key).Compare(first) >= 0 && token(key).Compare(last) <= 0
			if inputs[f] || !inRange || !f.Filter.May([]byte(key)) {
				continue
			}
			for _, p := range f.Parts {
				want = want && when < oldest(p)
			}
		}
		if got := s.Purgeable(&storage.Partition{Key: key, Token: token(key)}, when, inputs); got != want {
			t.Fatalf("Purgeable(%s at %d) is %v, want %v", key, when, got, want)
		}
	})
}

// slice is the rows of one first component.
func slice(c1 int) schema.Slice {
	prefix := place{c1, ""}.pack()[:5]
	return schema.Slice{From: schema.Cut{Prefix: prefix}, To: schema.Cut{Prefix: prefix, After: true}}
}

// TestPurgeRule: each kind of deletion goes when its second is before gcBefore,
// not at it, and only if nothing older overlaps; without either it stays.
func TestPurgeRule(t *testing.T) {
	del := storage.Deletion{At: 10, Local: 1000}
	row := func(v storage.View) storage.Row {
		v.Clustering = place{1, "a"}.pack()
		if v.Liveness == (storage.Liveness{}) {
			v.Liveness = storage.NoLiveness
		}
		if v.Deletion == (storage.Deletion{}) {
			v.Deletion = storage.Live
		}
		r, _ := v.Pack(nil)
		return r
	}
	kinds := map[string]func(p *storage.Partition){
		"partition": func(p *storage.Partition) { p.Del = del },
		"range": func(p *storage.Partition) {
			p.Ranges = []storage.RangeTombstone{{Slice: slice(1), Del: del}}
		},
		"row": func(p *storage.Partition) { p.Rows = []storage.Row{row(storage.View{Deletion: del})} },
		"cell": func(p *storage.Partition) {
			p.Rows = []storage.Row{row(storage.View{Cells: []storage.Cell{{Column: colV, Timestamp: 10, Local: 1000}}})}
		},
		"collection": func(p *storage.Partition) {
			p.Rows = []storage.Row{row(storage.View{Cells: []storage.Cell{{Column: colM, Timestamp: 10, Local: 1000, Complex: true}}})}
		},
		"expired liveness": func(p *storage.Partition) {
			p.Rows = []storage.Row{row(storage.View{Liveness: storage.Liveness{Timestamp: 10, TTL: 5, Expiry: 1000}})}
		},
	}
	for kind, put := range kinds {
		for _, c := range []struct {
			gcBefore int64
			may      bool
			gone     bool
		}{{1000, true, false}, {1001, true, true}, {1001, false, false}} {
			p := nothing()
			put(p)
			stats := storage.NewStats()
			stats.Partition(table, p)
			in := storage.NewSSTable(table, storage.Making{Gen: 1, Origin: "flush"}, []*storage.Partition{p}, stats)
			parts, _, _ := storage.Compact(table, []*storage.SSTable{in}, 5000, c.gcBefore, func(_ *storage.Partition, at int64) bool { return c.may && at == 10 })
			if gone := len(parts) == 0; gone != c.gone {
				t.Errorf("%s of second 1000 with gcBefore %d (nothing older overlaps: %v): gone %v, want %v", kind, c.gcBefore, c.may, gone, c.gone)
			}
		}
	}
}

// TestExpiredCells: a cell that has expired becomes a tombstone of the second it
// was written, and that one is tested too: with a TTL of at least gc_grace it is
// gone in the first compaction after its expiry.
func TestExpiredCells(t *testing.T) {
	cell := storage.Cell{Column: colV, Timestamp: 10, TTL: 100, Local: 1100, Value: []byte{0, 0, 0, 1}}
	v := storage.View{Clustering: place{1, "a"}.pack(), Liveness: storage.NoLiveness, Deletion: storage.Live, Cells: []storage.Cell{cell}}
	p := nothing()
	r, _ := v.Pack(nil)
	p.Rows = []storage.Row{r}
	stats := storage.NewStats()
	stats.Partition(table, p)
	in := storage.NewSSTable(table, storage.Making{Gen: 1, Origin: "flush"}, []*storage.Partition{p}, stats)
	for _, c := range []struct {
		now, grace int64
		want       string
	}{
		{1099, 0, "live"}, {1100, 101, "tombstone of 1000"}, {1100, 100, "tombstone of 1000"}, {1100, 99, "gone"}, {1100, 0, "gone"}, {1300, 1000, "tombstone of 1000"},
	} {
		parts, _, _ := storage.Compact(table, []*storage.SSTable{in}, c.now, c.now-c.grace, func(*storage.Partition, int64) bool { return true })
		got := "gone"
		if len(parts) > 0 {
			parts[0].Rows[0].Unpack(&v)
			switch d := v.Cells[0]; {
			case d.IsLive(c.now):
				got = "live"
			case d.IsTombstone() && d.Local == 1000:
				got = "tombstone of 1000"
			default:
				t.Fatalf("%+v", d)
			}
		}
		if got != c.want {
			t.Errorf("at %d with gc_grace %d the cell is %s, want %s", c.now, c.grace, got, c.want)
		}
	}
}

// TestFilesAddUp: the partitions' sizes make up the file, filters know every
// key, and keys come in token order.
func TestFilesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := storage.NewTableStore(table)
		for range rapid.IntRange(1, 20).Draw(t, "writes") {
			s.Apply(write(t, rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "key"), clock{rapid.Int64Range(1, 300).Draw(t, "at"), 1000}))
		}
		ops := s.Mem.Ops
		f := s.Flush(0)
		if f == nil && ops == 0 {
			return
		}
		if f == nil {
			t.Fatalf("%d operations were flushed to nothing", ops)
		}
		sum := int64(0)
		for i, p := range f.Parts {
			n := f.Size(table, p.Token, p.Key)
			if sum += n; n < int64(2+len(p.Key)+12+1) {
				t.Fatalf("partition %s has %d bytes", p.Key, n)
			}
			if _, why := f.Lookup(p.Token, p.Key); why != "hit" {
				t.Fatalf("key %s of the file is not found: %s", p.Key, why)
			}
			if i > 0 && !f.Parts[i-1].Before(p) {
				t.Fatalf("%s stands before %s", f.Parts[i-1].Key, p.Key)
			}
			if f.Stats.MinTimestamp > oldest(p) {
				t.Fatalf("minimum timestamp is %d, but %s has %d", f.Stats.MinTimestamp, p.Key, oldest(p))
			}
		}
		if sum != f.DataBytes {
			t.Fatalf("partitions have %d bytes, the file %d", sum, f.DataBytes)
		}
	})
}

// TestFilterHitsAsPromised: a filter never denies a key it has, and lets through
// about as many others as it was built for.
func TestFilterHitsAsPromised(t *testing.T) {
	for _, chance := range []float64{0.1, 0.01, 0.001} {
		const n, probes = 2000, 20000
		f := storage.NewBloom(int64(n), chance)
		key := func(i int) []byte { return []byte{byte(i), byte(i >> 8), byte(i >> 16), 7} }
		for i := range n {
			f.Add(key(i))
		}
		wrong := 0
		for i := range probes {
			switch may := f.May(key(i)); {
			case i < n && !may:
				t.Fatalf("key %d was added and is denied", i)
			case i >= n && may:
				wrong++
			}
		}
		if rate := float64(wrong) / (probes - n); rate > 1.3*chance {
			t.Errorf("the filter for %v lets %v through", chance, rate)
		}
	}
	if f := storage.NewBloom(10, 1); !f.May([]byte("x")) || f.Bytes() != 0 {
		t.Errorf("a chance of 1 means no filter")
	}
}

// TestStatisticsAreOfTheContent: what a file says of itself is what it holds, not
// what its header counts from. Rows that were overwritten in the memtable or in a
// compaction block no purge and do not widen the deltas of the next compaction.
// Source: Cassandra 5.0 MetadataCollector, SerializationHeader.make.
func TestStatisticsAreOfTheContent(t *testing.T) {
	row := func(at int64) *storage.Partition {
		v := storage.View{Clustering: place{1, "a"}.pack(), Liveness: storage.Liveness{Timestamp: at, Expiry: storage.NoDeletionTime}, Deletion: storage.Live}
		p := nothing()
		r, _ := v.Pack(nil)
		p.Rows = []storage.Row{r}
		return p
	}
	compacted := func(s *storage.TableStore) *storage.SSTable {
		parts, stats, _ := storage.Compact(table, s.SSTables, 5000, 0, func(*storage.Partition, int64) bool { return false })
		out := storage.NewSSTable(table, s.Making("compaction", 0), parts, stats)
		s.Replace(s.SSTables, out)
		return out
	}
	s := storage.NewTableStore(table)
	s.Apply(row(1))
	s.Apply(row(1000)) // the header counts from 1, so this one takes two bytes
	wide := s.Flush(0)
	if !s.Purgeable(nothing(), 50, nil) {
		t.Errorf("a row overwritten in the memtable blocks a purge")
	}
	narrow := compacted(s)
	if wide.DataBytes-narrow.DataBytes != 1 {
		t.Errorf("the file has %d bytes, compacted %d, want one less", wide.DataBytes, narrow.DataBytes)
	}
	s.Apply(row(2000))
	s.Flush(0)
	compacted(s)
	if !s.Purgeable(nothing(), 1500, nil) {
		t.Errorf("a row overwritten in a compaction blocks a purge")
	}
	if s.Purgeable(nothing(), 2000, nil) {
		t.Errorf("a row as old as the tombstone does not block its purge")
	}
}
