package session

import (
	"slices"

	"ringlab/engine/cluster"
	"ringlab/engine/query"
	"ringlab/engine/storage"
	"ringlab/model/plan"
)

// grouping is how far a SELECT with GROUP BY reads: to the end of its last group.
// Source: Cassandra 5.0 DataLimits.CQLGroupByLimits, SelectStatement.getDataLimits.
type grouping struct {
	sel   *plan.Select
	now   int64 // seconds
	q     *groupQuery
	limit int // groups, noLimit for all
	run   *query.Runner
}

// groupsAtReplicas is the grouping of a SELECT that is read as a whole, nil for one
// that needs all rows or is read in portions: pages that hold fewer groups than its
// LIMIT, or any if it has none.
func groupsAtReplicas(sel *plan.Select, page Page, now int64) *grouping {
	limited := sel.Limit > 0 && len(sel.SortBy) == 0
	switch {
	case sel.GroupBy == 0 || sel.Distinct || !limited && sel.PerPartition == 0:
		return nil
	case page.State != nil || page.Size > 0 && (!limited || sel.Limit > page.Size):
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
	c := newGroupCounter(g.q, groupingState{}, limit)
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
				continue
			}
			if merged {
				n++
			}
			given = have.Only(n, true)
			given.ClipRanges(g.sel.Table, have.Ranges, g.sel.Reversed)
			break
		}
		c.end()
		out = append(out, given)
		if c.done() {
			return out, cluster.GroupCut{Groups: c.groups, Done: true, Key: have.Key, Inside: true}
		}
	}
	c.close()
	return out, cluster.GroupCut{Groups: c.groups}
}

// row is a stored row as the counter of groups sees it.
func (g *grouping) row(f *feeder, p *storage.Found, r storage.Row) *groupedRow {
	out := &groupedRow{}
	for rest := r.Clustering(); ; {
		v, next, ok := nextComponent(rest)
		if !ok {
			break
		}
		out.clustering = append(out.clustering, slices.Clone(v))
		rest = next
	}
	if g.q.marked {
		f.row.Key, f.row.HasRow, f.row.Clustering = g.sel.Table.SplitPartitionKey([]byte(p.Key)), true, out.clustering
		out.mark, _ = g.run.GroupMark(&f.row) // a failure shows when the rows are given
	}
	return out
}
