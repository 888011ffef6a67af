package storage_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// copyOf draws what one replica holds of partition "a" after some writes.
func copyOf(t *rapid.T, name string) *storage.Partition {
	s := storage.NewTableStore(table)
	for range rapid.IntRange(0, 6).Draw(t, name) {
		s.Apply(write(t, "a", clock{rapid.Int64Range(1, 5).Draw(t, "at"), rapid.Int64Range(1000, 1002).Draw(t, "second")}))
		if rapid.IntRange(0, 3).Draw(t, "flush") == 0 {
			s.Flush(0)
		}
	}
	if h := s.Holding("a", token("a")); h.Any {
		return settled(h.Part)
	}
	return nothing()
}

// settled is what a merge makes of a store's content: a memtable keeps the deletion of a
// collection beside one of its row of the same time.
func settled(p *storage.Partition) *storage.Partition { return merged(p, p) }

func nothing() *storage.Partition {
	return &storage.Partition{Key: "a", Token: token("a"), Del: storage.Live}
}

func same(t *rapid.T, what string, got, want *storage.Partition) {
	if g, w := dump(got), dump(want); g != w {
		t.Fatalf("%s:\n got %s\nwant %s", what, g, w)
	}
	if got.Digest() != want.Digest() {
		t.Fatalf("%s: equal content has two digests\n%s", what, dump(got))
	}
}

func merged(copies ...*storage.Partition) *storage.Partition {
	return storage.Merge(table, copies, false)
}

// TestMergeIsALattice: replicas agree whatever order their copies are merged in,
// and merging again changes nothing.
func TestMergeIsALattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := copyOf(t, "a"), copyOf(t, "b"), copyOf(t, "c")
		all := merged(a, b, c)
		same(t, "a with itself", merged(a, a), a)
		same(t, "b, a", merged(b, a), merged(a, b))
		same(t, "(a, b), c", merged(merged(a, b), c), all)
		same(t, "a, (b, c)", merged(a, merged(b, c)), all)
		same(t, "c, b, a", merged(c, b, a), all)
		same(t, "all with a", merged(all, a), all)
	})
}

// TestDiffRepairs: what Diff says is missing makes a copy equal to the merged
// partition, and a copy that has everything misses nothing.
func TestDiffRepairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		have, other := copyOf(t, "have"), copyOf(t, "other")
		all := merged(have, other)
		if d := storage.Diff(table, all, all, nil); d != nil {
			t.Fatalf("the merged partition lacks of itself\n%s\nof %s", dump(d), dump(all))
		}
		d := storage.Diff(table, all, have, nil)
		if d == nil {
			same(t, "a copy that lacks nothing", have, all)
			return
		}
		same(t, "the repaired copy", merged(have, d), all)
		s := storage.NewTableStore(table)
		s.Apply(have)
		s.Apply(d)
		same(t, "the repaired replica", settled(s.Holding("a", token("a")).Part), all)
	})
}

// TestRowsKeepTheirContent: a packed row unpacks to what it was made of, and
// equal content is an equal row.
func TestRowsKeepTheirContent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := write(t, "a", clock{rapid.Int64Range(math.MinInt64+2, math.MaxInt64).Draw(t, "at"), rapid.Int64Range(0, math.MaxInt32).Draw(t, "second")})
		for _, r := range append(u.Rows, u.Static) {
			if r.IsZero() {
				continue
			}
			var v storage.View
			r.Unpack(&v)
			again, _ := v.Pack(nil)
			if again != r {
				t.Fatalf("%+v was packed as another row", v)
			}
			alive := true
			for i := range v.Cells {
				alive = alive && v.Cells[i].Local == storage.NoDeletionTime && !v.Cells[i].Complex
			}
			if plain := alive && v.Deletion.IsLive() && v.Liveness.TTL == 0; r.IsPlain() != plain {
				t.Fatalf("IsPlain of %+v is %v", v, r.IsPlain())
			}
		}
	})
}

// TestRangesAreDisjoint: range tombstones of one partition never overlap, never
// lie side by side with the same deletion, and delete at every place what the
// strongest of all written ones deletes.
func TestRangesAreDisjoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := storage.NewTableStore(table)
		var all []storage.RangeTombstone
		for range rapid.IntRange(1, 8).Draw(t, "writes") {
			del := storage.Deletion{At: rapid.Int64Range(1, 4).Draw(t, "at"), Local: rapid.Int64Range(1000, 1001).Draw(t, "second")}
			u := nothing()
			for _, sl := range slicesOf(t, 3) {
				u.Ranges = append(u.Ranges, storage.RangeTombstone{Slice: sl, Del: del})
			}
			s.Apply(u)
			all = append(all, u.Ranges...)
		}
		list := s.Holding("a", token("a")).Part.Ranges
		for i, r := range list {
			if table.Empty(r.Slice) {
				t.Fatalf("range %d is empty: %+v", i, list)
			}
			if i == 0 {
				continue
			}
			switch order := table.CompareCuts(list[i-1].To, r.From); {
			case order > 0:
				t.Fatalf("range %d begins inside of the one before it: %+v", i, list)
			case order == 0 && list[i-1].Del == r.Del:
				t.Fatalf("ranges %d and %d are one: %+v", i-1, i, list)
			}
		}
		for c1 := -1; c1 <= 3; c1++ {
			for _, c2 := range []string{"", "a", "aa", "ab", "b", "c"} {
				p := place{c1, c2}
				got, want := at(list, p), storage.Live
				for _, r := range all {
					if p.in([]schema.Slice{r.Slice}) && r.Del.Supersedes(want) {
						want = r.Del
					}
				}
				if got != want {
					t.Fatalf("%v is deleted by %v, want %v\nlist %+v", p, got, want, list)
				}
			}
		}
	})
}

func at(list []storage.RangeTombstone, p place) storage.Deletion {
	for _, r := range list {
		if p.in([]schema.Slice{r.Slice}) {
			return r.Del
		}
	}
	return storage.Live
}

// TestReconciliation: of two versions of a cell, and of two liveness markers, the
// row keeps the one that the rule table says, whichever comes first.
func TestReconciliation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := func() storage.Cell {
			c := storage.Cell{Column: colW, Timestamp: rapid.Int64Range(1, 2).Draw(t, "at"), Local: storage.NoDeletionTime}
			kind := rapid.IntRange(0, 2).Draw(t, "live, dead or expiring")
			if kind > 0 {
				c.Local = rapid.Int64Range(1000, 1001).Draw(t, "second")
			}
			if kind == 2 {
				c.TTL = rapid.Int32Range(1, 2).Draw(t, "ttl")
			}
			if kind != 1 {
				c.Value = []byte(values.Draw(t, "value"))
			}
			return c
		}
		live := func() storage.Liveness {
			l := storage.Liveness{Timestamp: rapid.Int64Range(1, 2).Draw(t, "at"), Expiry: storage.NoDeletionTime}
			if rapid.Bool().Draw(t, "expires") {
				l.TTL, l.Expiry = rapid.Int32Range(1, 2).Draw(t, "ttl"), rapid.Int64Range(1000, 1001).Draw(t, "second")
			}
			return l
		}
		version := func(c storage.Cell, l storage.Liveness) *storage.Partition {
			v := storage.View{Clustering: place{1, "a"}.pack(), Liveness: l, Deletion: storage.Live, Cells: []storage.Cell{c}}
			p := nothing()
			r, _ := v.Pack(nil)
			p.Rows = []storage.Row{r}
			return p
		}
		c1, c2, l1, l2 := cell(), cell(), live(), live()
		wantCell, wantLive := c1, l1
		if better(&c2, &c1) {
			wantCell = c2
		}
		if betterLiveness(l2, l1) {
			wantLive = l2
		}
		a, b := version(c1, l1), version(c2, l2)
		same(t, "first, second", merged(a, b), version(wantCell, wantLive))
		same(t, "second, first", merged(b, a), version(wantCell, wantLive))
	})
}
