package storage_test

import (
	"fmt"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

var keys = []string{"a", "b", "c"}

// compactSome compacts a random part of a store's files.
func compactSome(t *rapid.T, s *storage.TableStore, now, gcBefore int64) {
	var inputs []*storage.SSTable
	chosen := map[*storage.SSTable]bool{}
	for _, f := range s.SSTables {
		if rapid.Bool().Draw(t, "input") {
			inputs = append(inputs, f)
			chosen[f] = true
		}
	}
	if len(inputs) == 0 {
		return
	}
	parts, stats, _ := storage.Compact(table, inputs, now, gcBefore, func(p *storage.Partition, at int64) bool { return s.Purgeable(p, at, chosen) })
	var out *storage.SSTable
	if len(parts) > 0 {
		out = storage.NewSSTable(table, s.Making("compaction", 0), parts, stats)
		s.NextGen++
	}
	s.Replace(inputs, out)
}

// query draws a read: the whole partition, slices or names, in either direction,
// with or without a limit.
func query(t *rapid.T, key string, now int64) (q *storage.Query, within []schema.Slice) {
	q = &storage.Query{Table: table, Key: key, Token: token(key), Now: now, Reversed: rapid.Bool().Draw(t, "reversed")}
	switch rapid.IntRange(0, 2).Draw(t, "form") {
	case 1:
		within = slicesOf(t, 3)
		q.Slices = within
	case 2:
		names := rapid.SliceOfNDistinct(places, 1, 4, rapid.ID[place]).Draw(t, "names")
		sort.Slice(names, func(i, j int) bool { return names[i].before(names[j]) })
		for _, p := range names {
			c := p.pack()
			q.Names = append(q.Names, c)
			within = append(within, schema.Slice{From: schema.Cut{Prefix: c}, To: schema.Cut{Prefix: c, After: true}})
		}
	}
	if rapid.Bool().Draw(t, "limited") {
		q.Limit = rapid.IntRange(1, 4).Draw(t, "limit")
	}
	if rapid.IntRange(0, 3).Draw(t, "per partition") == 0 {
		q.PerPartition = rapid.IntRange(1, 3).Draw(t, "rows")
	}
	return q, within
}

// sameRead compares one read of a store with the twin.
func sameRead(t *rapid.T, s *storage.TableStore, w *twin, q *storage.Query, within []schema.Slice) {
	want := w.rows(q.Key, within, q.Now)
	if q.Reversed {
		slices.Reverse(want)
	}
	limit := len(want)
	if q.Limit > 0 {
		limit = min(limit, q.Limit)
	}
	if q.PerPartition > 0 {
		limit = min(limit, q.PerPartition)
	}
	f := s.Read(q)
	got := visible(f.Rows, q.Now)
	if !slices.Equal(got, want[:limit]) {
		t.Fatalf("read of %s (%+v)\n got %q\nwant %q\nof   %q", q.Key, *q, got, want[:limit], want)
	}
	static := visible([]storage.Row{f.Static}, q.Now)
	wantStatic := []string{}
	if text := w.row(q.Key, nil, q.Now); text != "" {
		wantStatic = append(wantStatic, text)
	}
	if !slices.Equal(static, wantStatic) {
		t.Fatalf("static row of %s is %q, want %q", q.Key, static, wantStatic)
	}
	live := len(got)
	if live == 0 && len(static) > 0 {
		live = 1
	}
	if f.Live != live {
		t.Fatalf("read of %s counts %d live rows, but gave %d", q.Key, f.Live, live)
	}
	if !f.Cut && limit < len(want) {
		t.Fatalf("read of %s stopped at its limit of %d without saying so", q.Key, limit)
	}
}

// sameScan compares a range read with the twin: partitions in token order up to
// the limit.
func sameScan(t *rapid.T, s *storage.TableStore, w *twin, now int64) {
	order := slices.Clone(keys)
	sort.Slice(order, func(i, j int) bool { return token(order[i]).Compare(token(order[j])) < 0 })
	limit := rapid.IntRange(0, 6).Draw(t, "limit of the scan")
	want := []string{}
	for _, k := range order {
		rows := w.rows(k, nil, now)
		if static := w.row(k, nil, now); len(rows) == 0 && static != "" {
			rows = []string{static}
		}
		for _, r := range rows {
			if limit == 0 || len(want) < limit {
				want = append(want, k+" "+r)
			}
		}
	}
	got := []string{}
	for _, f := range s.Scan(&storage.Query{Table: table, Now: now, Limit: limit}, ring.Token{}, ring.Token{}, true, true) {
		rows := visible(f.Rows, now)
		if len(rows) == 0 {
			rows = visible([]storage.Row{f.Static}, now)
		}
		for _, r := range rows {
			got = append(got, f.Key+" "+r)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("scan with limit %d\n got %q\nwant %q", limit, got, want)
	}
}

// TestReadsEqualTheTwin: however writes are spread over memtable and files, and
// whichever files were compacted, a read gives what all writes together give.
// Timestamps come in any order and are often equal.
func TestReadsEqualTheTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, w := storage.NewTableStore(table), &twin{}
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				s.Flush(0)
			case 1:
				compactSome(t, s, 1000, 0) // nothing has expired yet and nothing may be purged
			default:
				u := write(t, rapid.SampledFrom(keys).Draw(t, "key"), clock{rapid.Int64Range(1, 6).Draw(t, "at"), rapid.Int64Range(1000, 1004).Draw(t, "second")})
				s.Apply(u)
				w.writes = append(w.writes, u)
			}
		}
		for range 3 {
			now := rapid.SampledFrom([]int64{1000, 1006, 1008, 1052, 1100}).Draw(t, "now")
			q, within := query(t, rapid.SampledFrom(keys).Draw(t, "key"), now)
			q.GCBefore = rapid.SampledFrom([]int64{0, 1002, now}).Draw(t, "gc before")
			sameRead(t, s, w, q, within)
			sameScan(t, s, w, now)
		}
	})
}

// TestPurgedDataStaysDeleted: time goes on, tombstones are purged as soon as
// gc_grace allows, whichever files are compacted together; nothing that was
// deleted or has expired is ever seen again.
func TestPurgedDataStaysDeleted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, w := storage.NewTableStore(table), &twin{}
		now, grace := int64(1000), rapid.SampledFrom([]int64{0, 10, 60}).Draw(t, "gc_grace")
		for i := range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0, 1:
				s.Flush(0)
			case 2, 3:
				compactSome(t, s, now, now-grace)
			case 4:
				now += rapid.SampledFrom([]int64{1, 7, 30, 100}).Draw(t, "seconds")
			default:
				u := write(t, rapid.SampledFrom(keys).Draw(t, "key"), clock{int64(10 * (i + 1)), now})
				s.Apply(u)
				w.writes = append(w.writes, u)
			}
		}
		for _, k := range keys {
			q, within := query(t, k, now)
			q.GCBefore = now - grace
			sameRead(t, s, w, q, within)
		}
		sameScan(t, s, w, now)
	})
}

// TestWidePartition: beyond 512 rows a memtable keeps them in a tree; slices
// forward and back are those of a sorted list, before and after.
func TestWidePartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const wide, deep = 40, 30
		n := rapid.SampledFrom([]int{511, 512, 513, 900}).Draw(t, "rows")
		step := rapid.SampledFrom([]int{1, 7, 11, 49, 1199}).Draw(t, "order") // coprime to 1200
		s := storage.NewTableStore(table)
		var all []place
		for i := range n {
			at := i * step % (wide * deep)
			p := place{at / deep, fmt.Sprintf("%02d", at%deep)}
			v := storage.View{Clustering: p.pack(), Liveness: storage.Liveness{Timestamp: 1, Expiry: storage.NoDeletionTime}, Deletion: storage.Live}
			r, _ := v.Pack(nil)
			s.Apply(&storage.Partition{Key: "a", Token: token("a"), Del: storage.Live, Rows: []storage.Row{r}})
			all = append(all, p)
		}
		sort.Slice(all, func(i, j int) bool { return all[i].before(all[j]) })
		if rapid.IntRange(0, 3).Draw(t, "flush") == 0 {
			s.Flush(0)
		}
		cut := func() schema.Cut {
			c := schema.Cut{After: rapid.Bool().Draw(t, "after")}
			switch rapid.IntRange(0, 3).Draw(t, "components") {
			case 1:
				c.Prefix = place{rapid.IntRange(-1, wide).Draw(t, "c1"), ""}.pack()[:5]
			case 2, 3:
				c.Prefix = place{rapid.IntRange(-1, wide).Draw(t, "c1"), fmt.Sprintf("%02d", rapid.IntRange(0, deep).Draw(t, "c2"))}.pack()
			}
			return c
		}
		for range 8 {
			sl := schema.Slice{From: cut(), To: cut()}
			if table.Empty(sl) {
				sl.From, sl.To = sl.To, sl.From
			}
			if table.Empty(sl) {
				continue
			}
			q := &storage.Query{Table: table, Key: "a", Token: token("a"), Slices: []schema.Slice{sl}, Reversed: rapid.Bool().Draw(t, "reversed"),
				Limit: rapid.SampledFrom([]int{0, 1, 10}).Draw(t, "limit")}
			var want []place
			for _, p := range all {
				if p.in(q.Slices) {
					want = append(want, p)
				}
			}
			if q.Reversed {
				slices.Reverse(want)
			}
			if q.Limit > 0 {
				want = want[:min(q.Limit, len(want))]
			}
			var got []place
			for _, r := range s.Read(q).Rows {
				got = append(got, placeOf(r.Clustering()))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d rows, slice %+v, reversed %v: got %d rows %v, want %d %v", n, sl, q.Reversed, len(got), got, len(want), want)
			}
		}
	})
}
