package session

import (
	"slices"

	"ringlab/engine/query"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// groupReader reads a page of GROUP BY in portions, as its pagers ask for them: each is
// a read of its own behind the row with which the one before ended, and goes no further
// than the groups that are missing, nor than as many rows as the page has.
// Source: Cassandra 5.0 AggregationQueryPager.GroupByPartitionIterator.fetchSubPage,
// MultiPartitionPager.PagersIterator.
type groupReader struct {
	c     *Core
	f     *flight
	sel   *plan.Select
	base  *storage.Query
	now   int64
	run   *query.Runner
	pager *groupPager

	all    []*storage.Found // of all portions
	place  int              // of the last row that was found
	given  map[int]bool     // places of the rows that make up the page
	failed bool             // the read fails

	initial, counted int // groups: left at the begin of the page, in it so far
	want, fetched    int // of one call of the pagers
	read             bool
	got              []groupPartition
	last             groupingState
}

// readGroups begins a page of groups.
func (c *Core) readGroups(f *flight, sel *plan.Select, base *storage.Query, pages *paging, now int64) {
	r := &groupReader{c: c, f: f, sel: sel, base: base, now: now, run: query.New(sel, now), place: -1, given: map[int]bool{},
		pager: newGroupPager(sel, pages.page.Size, pages.from)}
	r.initial = r.pager.left
	pages.groups = r
	r.page()
}

// finish ends the read with what all portions have found.
func (r *groupReader) finish() {
	r.c.Cluster.Give(r.f.op, r.all)
}

// page asks the pagers for the groups that the page lacks.
func (r *groupReader) page() {
	r.want, r.fetched, r.read, r.got = min(r.pager.q.size-r.counted, r.pager.left), 0, false, nil
	r.fetch()
}

// fetch reads portions until they hold the groups that are wanted, or one pager after
// the other is exhausted.
func (r *groupReader) fetch() {
	g := r.pager
	if r.fetched < r.want && !(r.read && !g.pagers[g.current].isExhausted()) && !g.isExhausted() {
		r.portion(g.pagers[g.current], r.want-r.fetched)
		return
	}
	g.left -= r.fetched
	for _, p := range r.got {
		r.last = groupingState{key: p.key}
		for i := range p.rows {
			r.given[p.rows[i].at] = true
			r.last.row = &p.rows[i]
		}
		if len(p.rows) == 0 && p.static && p.alone >= 0 {
			r.given[p.alone] = true
		}
	}
	if r.counted = r.initial - g.left; r.counted == g.q.size || g.isExhausted() {
		r.finish()
		return
	}
	g.pagers[g.current].limited(r.last)
	r.page()
}

// portion reads what a pager is to look at, and goes on with it.
func (r *groupReader) portion(p *portionPager, groups int) {
	op := r.f.op
	limit := 0
	if cut := groupsAtReplicas(r.sel, true, r.now); cut != nil {
		limit = min(groups, p.left)
		cut.portion(p, limit)
		r.c.Cluster.Group(op, cut)
	}
	op.Then(func() {
		p.parts = r.parts(seen(r.sel.Table, op.Found))
		r.all = append(r.all, op.Found...)
		left := p.left
		more, ok := p.fetch(groups)
		if r.failed = r.failed || !ok; r.failed {
			r.finish()
			return
		}
		r.got, r.read = append(r.got, more...), true
		r.fetched += left - p.left
		r.fetch()
	})
	q := *r.base
	var row []byte // behind which it goes on, nil for the begin of a partition
	if p.goesOn() {
		row = schema.PackClustering(p.returned.clustering)
	}
	if p.single {
		q.Key, q.Token = p.key, r.c.Cluster.Partitioner().Token([]byte(p.key))
		if row != nil {
			q.Names, q.Slices = behind(r.sel, row, q.Names, q.Slices)
			q.Resumed = q.Key
		}
		r.c.Cluster.ReadPortion(op, &q, r.f.client.CL)
		return
	}
	bounds, err := r.c.bounds(r.sel.Range)
	if err != nil {
		r.c.Cluster.Refuse(op, err)
		return
	}
	if p.returnedKey != "" {
		bounds.Left, bounds.NoLeft, bounds.IncludeLeft = r.c.Cluster.Partitioner().Token([]byte(p.returnedKey)), false, row != nil
		if row != nil {
			q.Resumed = p.returnedKey
			q.After = &storage.After{Key: p.returnedKey}
			q.After.Names, q.After.Slices = behind(r.sel, row, q.Names, q.Slices)
		}
	}
	op.Found, q.Limit = nil, 0
	r.c.Cluster.Scan(op, &q, bounds, limit)
}

// parts are partitions as GROUP BY sees them, of which the filters leave something.
func (r *groupReader) parts(found []*storage.Found) (parts []groupPartition) {
	f := feeder{sel: r.sel, now: r.now}
	add := func(row *query.Row) bool {
		r.place++
		if !r.run.Matches(row) {
			return true
		}
		if n := len(parts); n == 0 || parts[n-1].key != f.key {
			parts = append(parts, groupPartition{key: f.key, static: len(f.stat) > 0, alone: -1})
		}
		part := &parts[len(parts)-1]
		if !row.HasRow {
			part.alone = r.place
			return true
		}
		mark, err := r.run.GroupMark(row)
		r.failed = r.failed || err != nil
		part.rows = append(part.rows, groupedRow{at: r.place, clustering: slices.Clone(row.Clustering), mark: mark})
		return true
	}
	for _, found := range found {
		if found != nil {
			f.partition(add, found)
		}
	}
	return parts
}
