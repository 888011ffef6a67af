package materialize

import (
	"bytes"
	"slices"

	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// HasPath says whether entries are told apart by the path of their cell.
func (x *Index) HasPath() bool { return x.path }

// Lead is the query for the rows of a partition to which its entries lead, of
// those that the query asks for; the entries that lead to none of them are left
// out. One that stands for a whole partition leads to all of the query.
// Source: Cassandra 5.0 CompositesSearcher.
func (x *Index) Lead(q *storage.Query, value []byte, entries []storage.Row) (*storage.Query, []storage.Row) {
	dq := *q
	dq.After = nil
	live := make([]storage.Row, 0, len(entries))
	names := [][]byte{} // not nil, which would be all rows
	for _, e := range entries {
		if !e.HasLive(q.Now, false) {
			continue
		}
		if x.Whole() {
			live = append(live, e)
			continue
		}
		name := x.BaseClustering(value, e.Clustering())
		if !asks(q, name) {
			continue
		}
		live = append(live, e)
		if name == nil && len(x.Base.Clustering) > 0 {
			continue // a static row comes with any
		}
		if n := len(names); n == 0 || !bytes.Equal(names[n-1], name) {
			names = append(names, name)
		}
	}
	if !x.Whole() && len(x.Base.Clustering) > 0 {
		slices.SortFunc(names, x.Base.CompareClustering)
		dq.Names, dq.Slices = slices.CompactFunc(names, bytes.Equal), nil
	}
	return &dq, live
}

// asks says whether a query is for the row with that clustering; nil stands for
// what a partition has without rows.
func asks(q *storage.Query, clustering []byte) bool {
	t := q.Table
	switch {
	case len(t.Clustering) == 0:
		return true
	case q.Names != nil:
		_, ok := slices.BinarySearchFunc(q.Names, clustering, t.CompareClustering)
		return ok
	case q.Slices == nil:
		return true
	}
	return clustering != nil && slices.ContainsFunc(q.Slices, func(s schema.Slice) bool { return t.Contains(s, clustering) })
}

// holder is the row of a partition in which the indexed column of all of it
// stands, zero without one.
func (x *Index) holder(f *storage.Found) storage.Row {
	if x.name == nil {
		return f.Static
	}
	for _, r := range f.Rows {
		if bytes.Equal(r.Clustering(), x.name) {
			return r
		}
	}
	return storage.Row{}
}

// Sift leaves out the rows that entries of a value led to and that do not have it
// any more, at second now. What removes such entries comes with it, and those
// between two rows that led to nothing.
// Source: Cassandra 5.0 CompositesSearcher.filterStaleEntries.
func (x *Index) Sift(f *storage.Found, value []byte, entries []storage.Row, now int64) (*storage.Found, []Write) {
	stale := map[int]bool{}
	times := make([]int64, len(entries))
	var v storage.View
	for i, e := range entries {
		e.Unpack(&v)
		times[i] = v.Liveness.Timestamp
		if !f.Del.IsLive() && f.Del.Deletes(times[i]) {
			stale[i] = true
		}
	}
	kept, part := *f, *f.Partition
	kept.Partition = &part
	part.Rows = make([]storage.Row, 0, len(f.Rows))
	if x.Whole() {
		if part.Rows = f.Rows; x.IsStale(x.holder(f), value, now) {
			part.Rows, kept.Live = nil, 0
			for i := range entries {
				stale[i] = true
			}
		}
	} else {
		at := 0
		for _, r := range f.Rows {
			dead := x.IsStale(r, value, now)
			if !dead {
				part.Rows = append(part.Rows, r)
			} else if r.HasLive(now, x.Base.Strict()) {
				kept.Live--
			}
			for ; at < len(entries); at++ {
				order := x.Base.CompareClustering(x.BaseClustering(value, entries[at].Clustering()), r.Clustering())
				if order > 0 {
					break
				}
				if dead || order < 0 {
					stale[at] = true
				}
			}
		}
	}
	var out []Write
	for i, e := range entries {
		if stale[i] {
			out = append(out, Write{Value: value, Clustering: e.Clustering(), Liveness: storage.NoLiveness, Deletion: storage.Deletion{At: times[i], Local: now}})
		}
	}
	return &kept, out
}
