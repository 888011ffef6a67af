package cluster

import (
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// RowFilter is what a read asks of rows beside key and slices.
type RowFilter interface {
	// Partition checks the conditions on key and static columns.
	Partition(p *storage.Partition) bool
	// Row checks those on clustering and regular columns; with asHeld also for
	// rows that are deleted, and elements that are.
	Row(p *storage.Partition, r storage.Row, asHeld bool) bool
	// Rows says whether there are conditions that only rows can meet.
	Rows() bool
	// Found says whether a row (zero: the static row alone) meets a condition by
	// which a storage-attached index finds it.
	Found(p *storage.Partition, r storage.Row) bool
	// Stumbles says whether a row meets all conditions but those on non-frozen
	// collections, of which it holds something.
	Stumbles(p *storage.Partition, r storage.Row) bool
	// Static says whether there are conditions on static columns.
	Static() bool
}

// filtering is the filter of an operation and how its replicas apply it.
type filtering struct {
	RowFilter
	merged   bool // several copies are merged: what is deleted on one of them takes part
	attached bool // an index that is attached to the files finds the rows: it gives rows and no deleted slices
	loose    bool // with such an index: a row is sent if one of its conditions is met
	trusting bool // what replicas send passes, whatever it is merged with
}

// Filter makes the replicas of a read send what passes a filter, and the
// coordinator count that. intersects says that the filter tests several columns
// that can change, so that no copy alone can say that a row does not pass.
// Source: Cassandra 5.0 RowFilter, ConsistencyLevel.needsReconciliation.
func (c *Cluster) Filter(op *Op, t *schema.Table, f RowFilter, intersects bool) {
	merged := op.CL != plan.One && op.CL != plan.LocalOne && op.CL != plan.NodeLocal && c.Strategy(t.Keyspace).RF() > 1
	op.filter = &filtering{RowFilter: f, merged: merged}
	if op.seek != nil && c.index(t, op.seek.index.Name) == nil {
		op.filter.attached = true
		op.filter.loose = merged && intersects && op.seek.attached
		op.filter.trusting = op.seek.index.IsSASI()
	}
}

// filter is what a request's replicas apply, nil for nothing.
func (r *request) filter() *filtering {
	if r.plain || r.op == nil {
		return nil
	}
	return r.op.filter
}

// sieve leaves what passes of what a replica has found, up to the limits of q
// (none: 0). Source: Cassandra 5.0 ReadCommand.executeLocally, RowFilter.filter,
// StorageAttachedIndexSearcher.ResultRetriever.filterPartition.
func (f *filtering) sieve(q *storage.Query, found []*storage.Found, limit bool) []*storage.Found {
	out := make([]*storage.Found, 0, len(found))
	left := q.Limit
	for _, have := range found {
		if limit && q.Limit > 0 && left <= 0 {
			break
		}
		p := *have.Partition
		if !f.keep(q, &p) {
			continue
		}
		passed := *have
		passed.Partition, passed.Cut = &p, false
		most := 0
		if limit {
			most = atMost(left, q.Of(p.Key).PerPartition)
		}
		f.count(q, &passed, most, f.attached && !f.loose || !f.attached && !f.merged)
		if q.Limit > 0 {
			left -= passed.Live
		}
		out = append(out, &passed)
	}
	return out
}

// stumbles says whether a replica fails at what a SASI index leads it to: it takes a
// non-frozen collection for a single cell.
// Source: Cassandra 5.0 sasi ColumnIndex.getValueOf, Operation.satisfiedBy.
func (f *filtering) stumbles(q *storage.Query, found []*storage.Found) bool {
	if !f.trusting {
		return false
	}
	for _, have := range found {
		for _, row := range have.Rows {
			if row.HasLive(q.Now, q.Table.Strict()) && f.Stumbles(have.Partition, row) {
				return true
			}
		}
	}
	return false
}

// atMost is the smaller of two limits, of which 0 is none.
func atMost(a, b int) int {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// keep takes out of a partition what a replica does not send; false if that is
// all of it.
func (f *filtering) keep(q *storage.Query, p *storage.Partition) bool {
	rows := p.Rows
	p.Rows = nil
	if f.attached {
		p.Ranges = nil
		for _, row := range rows {
			if f.loose && f.Found(p, row) || !f.loose && f.Partition(p) && f.Row(p, row, false) {
				p.Rows = append(p.Rows, row)
			}
		}
		if f.loose {
			return len(p.Rows) > 0 || f.Found(p, storage.Row{})
		}
		return len(p.Rows) > 0 || !f.Rows() && f.Partition(p)
	}
	if !f.Partition(p) {
		return false
	}
	for _, row := range rows {
		if (f.merged || row.HasLive(q.Now, q.Table.Strict())) && f.Row(p, row, f.merged) {
			p.Rows = append(p.Rows, row)
		}
	}
	return !f.Rows() || len(p.Rows) > 0 || len(p.Ranges) > 0
}

// count cuts a partition off behind its limit-th row that passes (0: none) and
// counts those; sure says that all rows were found to meet the conditions on rows,
// as they are.
func (f *filtering) count(q *storage.Query, p *storage.Found, limit int, sure bool) {
	p.Live = 0
	passes := f.trusting || f.Partition(p.Partition)
	of := p.Partition
	cutOff(p, limit, func(row storage.Row) bool {
		return passes && row.HasLive(q.Now, q.Table.Strict()) && (sure || f.Row(of, row, false))
	})
	if p.Live == 0 && passes && !f.Rows() && !p.Static.IsZero() && p.Static.HasLive(q.Now, false) && q.StaticAlone(p.Key) {
		p.Live = 1
	}
}

// one is sieve for a partition that was asked for by its key.
func (f *filtering) one(q *storage.Query, found *storage.Found, limit bool) *storage.Found {
	if passed := f.sieve(q, []*storage.Found{found}, limit); len(passed) > 0 {
		return passed[0]
	}
	return &storage.Found{Partition: &storage.Partition{Key: q.Key, Token: q.Token, Del: storage.Live}}
}

// unlimited is a query without its limits: they count what passes.
func unlimited(q *storage.Query) *storage.Query {
	if q.Limit == 0 && q.PerPartition == 0 {
		return q
	}
	all := *q
	all.Limit, all.PerPartition = 0, 0
	return &all
}
