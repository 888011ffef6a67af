package session

import (
	"slices"

	"ringlab/engine/cluster"
	"ringlab/engine/query"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// grouping is how far a SELECT with GROUP BY reads: to the end of its last group.
// Source: Cassandra 5.0 DataLimits.CQLGroupByLimits, SelectStatement.getDataLimits.
type grouping struct {
	sel   *plan.Select
	now   int64 // seconds
	q     *groupQuery
	limit int // groups, noLimit for all
	run   *query.Runner

	state    groupingState // where its first group began, of a portion
	lastKey  string        // of the partition in which a portion goes on, "" for none
	lastLeft int           // groups that are left of it
}

// groupsAtReplicas is the grouping of a SELECT, nil for one that needs all rows; paged
// says that it is read in portions.
func groupsAtReplicas(sel *plan.Select, paged bool, now int64) *grouping {
	limited := sel.Limit > 0 && len(sel.SortBy) == 0
	switch {
	case sel.GroupBy == 0 || sel.Distinct || !paged && !limited && sel.PerPartition == 0:
		return nil
	case sel.Table.Stored() != sel.Table || len(sel.Filters) > 0 && !atReplicas(sel):
		return nil
	}
	g := &grouping{sel: sel, now: now, limit: noLimit, run: query.New(sel, now),
		q: &groupQuery{prefix: sel.GroupBy - len(sel.Table.Key), marked: sel.GroupExpr != nil, perPartition: noLimit, countStatic: !sel.ByRow, size: noLimit}}
	if sel.PerPartition > 0 {
		g.q.perPartition = sel.PerPartition
	}
	if limited {
		g.limit = sel.Limit
	}
	return g
}

// portion makes it the grouping of one portion of a page.
// Source: Cassandra 5.0 DataLimits.CQLGroupByPagingLimits.
func (g *grouping) portion(p *portionPager, groups int) {
	g.limit, g.q.size, g.state = groups, p.q.size, p.state
	if p.goesOn() {
		g.lastKey, g.lastLeft = p.returnedKey, p.leftInPart
		if p.single {
			g.lastKey = p.key
		}
	}
}

// Limit is the number of groups that are wanted, 0 for all.
func (g *grouping) Limit() int {
	if g.limit == noLimit {
		return 0
	}
	return g.limit
}

// Cut takes from what is found what lies behind the last group. A replica's copy
// ends before the row, or with nothing but the deletions of the partition, that begins
// a group too many; of merged copies that row, or the whole partition, has been looked at.
func (g *grouping) Cut(found []*storage.Found, times int, passes func(*storage.Partition, storage.Row) bool) ([]*storage.Found, cluster.GroupCut) {
	limit := g.limit
	if limit < noLimit/times {
		limit *= times
	}
	merged := passes != nil
	q := *g.q
	if q.size < noLimit/times {
		q.size *= times
	}
	c := newGroupCounter(&q, g.state, limit)
	c.lastKey, c.lastLeft = g.lastKey, g.lastLeft
	f := feeder{sel: g.sel, now: g.now}
	var out []*storage.Found
	for _, have := range found {
		if have == nil {
			out = append(out, nil)
			continue
		}
		static := !have.Static.IsZero() && have.Static.HasLive(g.now, false) && (!merged || passes(have.Partition, storage.Row{}))
		c.begin(&groupPartition{key: have.Key, static: static})
		if c.done() {
			last := have // which is looked at to its end
			if !merged {
				last = have.Only(0, false)
				last.Ranges = have.Ranges
			}
			return append(out, last), cluster.GroupCut{Groups: c.groups, Done: true, Key: have.Key}
		}
		given := have
		for n, row := range have.Rows {
			live := row.HasLive(g.now, g.sel.Table.Strict())
			if merged && !(live && passes(have.Partition, row)) {
				continue
			}
			if c.pass(g.row(&f, have, row), live) {
				if !c.stopped() {
					continue
				}
				n++ // the portion is full with it
			} else if merged {
				n++
			} else if g.open(have, n) {
				return out, cluster.GroupCut{Broken: true}
			}
			given = have.Only(n, true)
			given.ClipRanges(g.sel.Table, have.Ranges, g.sel.Reversed)
			break
		}
		c.end()
		out = append(out, given)
		if c.stopped() {
			return out, cluster.GroupCut{Groups: c.groups, Done: true, Key: have.Key, Inside: true, Full: !c.done()}
		}
	}
	c.close()
	return out, cluster.GroupCut{Groups: c.groups}
}

// open says whether the last thing before the n-th row of a copy is the begin of a
// deleted slice. A replica that stops its groups there cannot end that slice with a row,
// and fails. Source: Cassandra 5.0 RTBoundCloser.
func (g *grouping) open(have *storage.Found, n int) bool {
	t, reversed := g.sel.Table, g.sel.Reversed
	next := schema.Cut{Prefix: have.Rows[n].Clustering(), After: reversed}
	last := schema.Cut{}
	if n > 0 {
		last = schema.Cut{Prefix: have.Rows[n-1].Clustering(), After: !reversed}
	}
	return slices.ContainsFunc(have.Ranges, func(rt storage.RangeTombstone) bool {
		if reversed {
			return t.CompareCuts(rt.From, next) < 0 && t.CompareCuts(next, rt.To) <= 0 && (n == 0 || t.CompareCuts(rt.To, last) <= 0)
		}
		return t.CompareCuts(rt.From, next) <= 0 && t.CompareCuts(next, rt.To) < 0 && (n == 0 || t.CompareCuts(last, rt.From) <= 0)
	})
}

// Narrow makes it end after so many groups.
func (g *grouping) Narrow(limit int) { g.limit = limit }

// row is a stored row as the counter of groups sees it.
func (g *grouping) row(f *feeder, p *storage.Found, r storage.Row) *groupedRow {
	out := &groupedRow{clustering: splitClustering(r.Clustering())}
	if g.q.marked {
		f.row.Key, f.row.HasRow, f.row.Clustering = g.sel.Table.SplitPartitionKey([]byte(p.Key)), true, out.clustering
		out.mark, _ = g.run.GroupMark(&f.row) // a failure shows when the rows are given
	}
	return out
}

// splitClustering are the values of a clustering.
func splitClustering(packed []byte) (values [][]byte) {
	for rest := packed; ; {
		v, next, ok := nextComponent(rest)
		if !ok {
			return values
		}
		values, rest = append(values, slices.Clone(v)), next
	}
}
