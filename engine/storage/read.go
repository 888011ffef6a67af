package storage

import (
	"math"
	"sort"

	"ringlab/model/schema"
	"ringlab/ring"
)

// Fetch is which columns are read that nobody asked for.
// Source: Cassandra 5.0 ColumnFilter.FetchingStrategy.
type Fetch uint8

const (
	FetchAll     Fetch = iota
	FetchRegular       // all but static ones
	FetchNone
)

// Query is what a replica is asked for.
type Query struct {
	Table    *schema.Table
	Key      string // one partition …
	Token    ring.Token
	Slices   []schema.Slice // nil: all rows; in table order and disjoint
	Names    [][]byte       // full clusterings in table order; then Slices is not used
	Reversed bool

	After   *After // a scan goes on behind that row, nil for most
	Resumed string // key of the partition in which the page before ended, "" for most: its static row is not counted again

	Limit        int  // live rows, 0 = none
	PerPartition int  // live rows a partition, 0 = none
	Distinct     bool // one row a partition is enough
	RowsOnly     bool // a partition without matching rows gives nothing, even with static data
	Ghosts       bool // a scan gives every partition that is held, empty ones too, and its limit counts partitions

	Columns map[uint16]bool // columns that the reader asked for, by ID; nil = all
	Parts   schema.Parts    // of those that it asked for in some elements only
	Fetch   Fetch           // which others are read beside them

	Tell bool // which files are read and why is to be told

	Now      int64 // seconds
	GCBefore int64 // seconds: tombstones older than this are left out of the answer
}

// After is where a scan goes on: in the middle of a partition, of which these
// rows are left.
type After struct {
	Key    string
	Names  [][]byte
	Slices []schema.Slice

	PerPartition int // live rows of it, 0 = none
}

// Of is the query as far as one partition is concerned. Of that in which the last
// page ended, only rows are left: its static columns were in the page.
// Source: Cassandra 5.0 CQLLimits.PagingAwareCounter.
func (q *Query) Of(key string) *Query {
	if q.After == nil || q.After.Key != key {
		return q
	}
	rest := *q
	rest.After, rest.RowsOnly = nil, true
	rest.Names, rest.Slices, rest.PerPartition = q.After.Names, q.After.Slices, q.After.PerPartition
	return &rest
}

// Found is a replica's answer for one partition.
type Found struct {
	*Partition
	Live       int        // rows a reader would see
	Tombstones int        // dead cells and markers passed
	SSTables   int        // files that were read
	RowCache   int        // what the row cache had of it
	Files      []FileRead // what was done with those that may hold the key, if Query.Tell
	InMemtable bool       // the memtable holds the partition, if Query.Tell
	ByNames    bool       // rows were read by name, if Query.Tell
	Cut        bool       // the limit stopped the read: more may follow
	full       bool       // the read went no further than its last row, whether or not more follows
}

// unit is what one memtable or file holds of the partition. Its rows stand in
// the set if there is one.
type unit struct {
	*Partition
	set     *rowSet
	marks   *marks // of its rows in a file, nil for few
	lasting bool   // all of its rows are plain
}

// reader merges units for one query.
type reader struct {
	merger
	q     *Query
	units []unit
	space []cursor  // what heads points into
	heads []*cursor // that have rows left
	next  []*cursor // heads that stand on the row whose turn it is
	same  []Row     // versions of that row
}

// open sets a cursor on each unit.
func (r *reader) open(s schema.Slice) {
	if len(r.space) < len(r.units) {
		r.space = make([]cursor, len(r.units))
	}
	r.heads = r.heads[:0]
	for i := range r.units {
		c := &r.space[i]
		*c = cursor{table: r.q.Table, slice: s, reversed: r.q.Reversed, lasting: r.units[i].lasting}
		if set := r.units[i].set; set != nil {
			c.startSet(set)
		} else {
			c.shared = true
			c.start(r.units[i].Rows, r.units[i].marks)
		}
		if !c.head.IsZero() {
			r.heads = append(r.heads, c)
		}
	}
}

// StaticAlone says whether static data alone make a row of a partition.
// Source: Cassandra 5.0 DataLimits.CQLPagingLimits.PagingAwareCounter.
func (q *Query) StaticAlone(key string) bool {
	return !q.RowsOnly && (q.Resumed == "" || key != q.Resumed)
}

// slices are the query's slices in the order of reading.
func (q *Query) slices() []schema.Slice {
	s := q.Slices
	if q.Names != nil {
		s = make([]schema.Slice, len(q.Names))
		for i, n := range q.Names {
			s[i] = schema.Slice{From: schema.Cut{Prefix: n}, To: schema.Cut{Prefix: n, After: true}}
		}
	} else if s == nil {
		s = allRows
	}
	if !q.Reversed || len(s) < 2 {
		return s
	}
	out := make([]schema.Slice, len(s))
	for i := range s {
		out[len(s)-1-i] = s[i]
	}
	return out
}

var allRows = []schema.Slice{schema.AllRows}

// read merges the units into an answer; limit is the number of live rows that
// are still wanted, 0 for no limit.
func (r *reader) read(key string, token ring.Token, limit int) *Found {
	q, t := r.q, r.q.Table
	answer := new(struct {
		Found
		Partition
	})
	f := &answer.Found
	f.Partition = &answer.Partition
	f.Key, f.Token, f.Del = key, token, Live
	if q.PerPartition > 0 && (limit == 0 || q.PerPartition < limit) {
		limit = q.PerPartition
	}
	var statics []Row
	var ranges []RangeTombstone
	for i := range r.units {
		u := &r.units[i]
		f.Del = maxDeletion(f.Del, u.Del)
		ranges = mergeRanges(t, ranges, u.Ranges)
		if !u.Static.IsZero() {
			statics = append(statics, u.Static)
		}
	}
	del := f.Del
	ranges = dropShadowed(ranges, del)
	staticLive := false
	if len(statics) > 0 {
		if s := r.merge(statics, del); !s.IsZero() {
			f.Static = r.purge(s, q.Now, q.GCBefore, nil)
			staticLive = !f.Static.IsZero() && f.Static.HasLive(q.Now, false)
		}
	}
	if !del.IsLive() && del.Local < q.GCBefore {
		f.Del = Live
	}
	slices := q.slices()
	for _, s := range slices {
		r.open(s)
		r.scan(f, del, ranges, limit)
		if f.Cut {
			break
		}
	}
	f.full = f.Cut || limit > 0 && f.Live >= limit || q.Distinct && f.Live > 0
	if f.Live == 0 && staticLive && q.StaticAlone(key) {
		f.Live = 1
	}
	for _, rt := range clipRanges(t, ranges, orderedSlices(q, slices)) {
		if rt.Del.Local < q.GCBefore || !rt.Del.Supersedes(f.Del) {
			continue
		}
		markers := 2
		if f.full {
			last := f.Rows[len(f.Rows)-1].Clustering()
			if behind(t, rt, last, q.Reversed) {
				markers = 1
			}
			if rt = clipAt(t, rt, last, q.Reversed); t.Empty(rt.Slice) {
				continue
			}
		}
		if n := len(f.Ranges); n > 0 && t.CompareCuts(f.Ranges[n-1].To, rt.From) == 0 {
			markers-- // one closes the range before and opens this one
		}
		f.Ranges = append(f.Ranges, rt)
		f.Tombstones += markers
	}
	return f
}

// orderedSlices are the slices in table order again.
func orderedSlices(q *Query, slices []schema.Slice) []schema.Slice {
	if !q.Reversed || len(slices) < 2 {
		return slices
	}
	out := append([]schema.Slice(nil), slices...)
	sort.SliceStable(out, func(i, j int) bool { return q.Table.CompareCuts(out[i].From, out[j].From) < 0 })
	return out
}

// behind says whether the marker that ends a range tombstone comes behind the last
// row that was read.
func behind(t *schema.Table, rt RangeTombstone, last []byte, reversed bool) bool {
	if reversed {
		return t.CompareCutRow(rt.From, last) < 0
	}
	return t.CompareCutRow(rt.To, last) > 0
}

// clipAt cuts a range tombstone off behind the last row that was read.
func clipAt(t *schema.Table, rt RangeTombstone, last []byte, reversed bool) RangeTombstone {
	if reversed {
		if cut := (schema.Cut{Prefix: last}); t.CompareCuts(rt.From, cut) < 0 {
			rt.From = cut
		}
	} else if cut := (schema.Cut{Prefix: last, After: true}); t.CompareCuts(rt.To, cut) > 0 {
		rt.To = cut
	}
	return rt
}

// scan merges the rows under the cursors into the answer.
func (r *reader) scan(f *Found, del Deletion, ranges []RangeTombstone, limit int) {
	q, t := r.q, r.q.Table
	alone := del.IsLive() && len(ranges) == 0 && len(t.Dropped) == 0
	for len(r.heads) > 0 {
		if limit > 0 && f.Live >= limit || q.Distinct && f.Live > 0 {
			f.Cut = true
			return
		}
		rival := r.least()
		if alone && len(r.next) == 1 && r.take(f, r.next[0], rival, limit) {
			r.drop()
			continue
		}
		r.same = r.same[:0]
		for _, c := range r.next {
			r.same = append(r.same, c.head)
			c.next()
		}
		r.drop()
		around := del
		if len(ranges) > 0 {
			around = maxDeletion(around, rangeAt(t, ranges, r.same[0].Clustering()))
		}
		row := r.merge(r.same, around)
		if row.IsZero() {
			continue
		}
		if row.IsPlain() {
			f.Rows = append(f.Rows, row)
			f.Live++
			continue
		}
		if row = r.purge(row, q.Now, q.GCBefore, nil); row.IsZero() {
			continue
		}
		f.Rows = append(f.Rows, row)
		r.count(f, row)
	}
}

// least sets r.next to the cursors that stand on the row whose turn it is, and
// gives the first row under the others, zero if there are none.
func (r *reader) least() (rival Row) {
	r.next = append(r.next[:0], r.heads[0])
	for _, c := range r.heads[1:] {
		switch order := c.compare(r.next[0].head); {
		case order < 0:
			rival = r.next[0].head
			r.next = append(r.next[:0], c)
		case order == 0:
			r.next = append(r.next, c)
		case rival.IsZero() || c.compare(rival) < 0:
			rival = c.head
		}
	}
	return rival
}

// drop takes the cursors away that are at their end.
func (r *reader) drop() {
	live := r.heads[:0]
	for _, c := range r.heads {
		if !c.head.IsZero() {
			live = append(live, c)
		}
	}
	r.heads = live
}

// take moves what nothing can change from a cursor into the answer: plain rows
// that come before the first under any other cursor. It is false if the cursor
// does not stand on such a row. Files that were written one after the other often
// lie one behind the other, so that this is most of what is read.
func (r *reader) take(f *Found, c *cursor, rival Row, limit int) bool {
	most := math.MaxInt
	switch {
	case r.q.Distinct:
		most = 1
	case limit > 0:
		most = limit - f.Live
	}
	before := len(f.Rows)
	if rows := c.plain(most, rival); before == 0 && c.shared {
		f.Rows = rows
	} else {
		f.Rows = append(f.Rows, rows...)
	}
	if c.tree || c.reversed {
		if f.Rows == nil && limit > 0 {
			f.Rows = make([]Row, 0, min(limit, 1024))
		}
		for n := 0; n < most && !c.head.IsZero() && (c.lasting || c.head.IsPlain()) && (rival.IsZero() || c.compare(rival) < 0); n++ {
			f.Rows = append(f.Rows, c.head)
			c.next()
		}
	}
	f.Live += len(f.Rows) - before
	return len(f.Rows) > before
}

// count adds a row that holds something dead to the answer's numbers.
func (r *reader) count(f *Found, row Row) {
	row.Unpack(&r.b)
	dead := 0
	for i := range r.b.Cells {
		if !r.b.Cells[i].IsLive(r.q.Now) && !r.b.Cells[i].Complex {
			dead++
		}
	}
	switch {
	case r.b.HasLive(r.q.Now, r.q.Table.Strict()):
		f.Live++
	case dead == 0 && !r.b.Deletion.IsLive():
		dead = 1
	}
	f.Tombstones += dead
}

// Only is what was found without the rows behind the first n of them, and without the
// range tombstones; with static it keeps the static row.
func (f *Found) Only(n int, static bool) *Found {
	out := *f
	p := &Partition{Key: f.Key, Token: f.Token, Del: f.Del, Rows: f.Rows[:n:n]}
	if static {
		p.Static = f.Static
	}
	out.Partition, out.Cut, out.Live = p, true, min(f.Live, n)
	return &out
}

// ClipRanges gives it the parts of range tombstones up to its last row.
func (f *Found) ClipRanges(t *schema.Table, ranges []RangeTombstone, reversed bool) {
	if len(f.Rows) == 0 {
		return
	}
	last := f.Rows[len(f.Rows)-1].Clustering()
	for _, rt := range ranges {
		if rt = clipAt(t, rt, last, reversed); !t.Empty(rt.Slice) {
			f.Ranges = append(f.Ranges, rt)
		}
	}
}
