package cluster

import (
	"ringlab/engine/storage"
)

// Grouping says how far a read goes that wants groups of rows, not rows.
// Source: Cassandra 5.0 DataLimits.CQLGroupByLimits.
type Grouping interface {
	// Limit is the number of groups that are wanted, 0 for all.
	Limit() int
	// Narrow sets the number of groups that are wanted.
	Narrow(limit int)
	// Cut takes away what lies behind the last of times as many groups as are
	// wanted. passes is nil for what one replica holds; of merged copies it says which
	// live rows (zero: static ones) the read's filter lets through.
	Cut(found []*storage.Found, times int, passes func(*storage.Partition, storage.Row) bool) ([]*storage.Found, GroupCut)
}

// GroupCut is where a read of groups ended.
type GroupCut struct {
	Groups int
	Done   bool   // a group too many began
	Key    string // in which partition
	Inside bool   // at one of its rows, not with it
	Full   bool   // since it has as many rows as a portion
	Broken bool   // where a replica fails to end what it sends
}

// Group makes an operation read no further than its groups.
func (c *Cluster) Group(op *Op, g Grouping) { op.groups = g }

// groupTimes is how many times as many groups as the operation wants replicas are asked
// for: more after a short read.
func (r *request) groupTimes() int { return max(1, r.times) }

// passing is what the filter of a read lets through of merged rows.
func (op *Op) passing() func(*storage.Partition, storage.Row) bool {
	filter := op.filter
	if filter == nil || filter.trusting {
		return func(*storage.Partition, storage.Row) bool { return true }
	}
	return func(p *storage.Partition, row storage.Row) bool {
		return filter.Partition(p) && (row.IsZero() && !filter.Rows() || !row.IsZero() && filter.Row(p, row, false))
	}
}

// cutGroups cuts what a replica is to send behind its groups.
func (c *Cluster) cutGroups(r *request, resp *response) {
	if r.plain || r.op == nil || r.op.groups == nil {
		return
	}
	if resp.found, resp.groups = r.op.groups.Cut(resp.found, r.groupTimes(), nil); resp.groups.Broken {
		resp.failed, resp.found, resp.digest = reasonUnknown, nil, false
	}
}

// mergeGroups cuts merged copies behind their groups. It is short where that place
// lies behind the partition with which some replica stopped: of the rows of this one
// the replica has given none. The partition that begins a group too many is read to its
// end, and repaired, but nobody gets it.
// Source: Cassandra 5.0 DataResolver.resolveInternal, ShortReadPartitionsProtection.
func (c *Cluster) mergeGroups(r *request, merged []*storage.Found) (cut []*storage.Found, short bool) {
	cut, end := r.op.groups.Cut(merged, 1, r.op.passing())
	place := func(key string) int {
		for i, f := range merged {
			if f.Key == key {
				return i
			}
		}
		return len(merged)
	}
	for i := range r.contacts {
		own := r.contacts[i].resp.groups
		if !own.Done || own.Inside && !own.Full {
			continue
		}
		at := place(own.Key)
		if !end.Done || place(end.Key) > at || place(end.Key) == at && end.Inside && (!own.Full || r.behind(r.contacts[i].resp.found, cut)) {
			short = true
		}
	}
	if r.hidden = 0; end.Done && !end.Inside {
		r.hidden = 1
	}
	if r.kind == reqRange && len(r.op.Found) > 0 {
		cut = c.groupsBehind(r, cut)
	}
	return cut, short
}

// behind says whether merged rows end behind the last row of a copy of their last partition.
func (r *request) behind(own, merged []*storage.Found) bool {
	a, b := own[len(own)-1].Rows, merged[len(merged)-1].Rows
	if len(a) == 0 || len(b) == 0 {
		return len(b) > 0
	}
	order := r.table.CompareClustering(a[len(a)-1].Clustering(), b[len(b)-1].Clustering())
	return order < 0 && !r.query.Reversed || order > 0 && r.query.Reversed
}

// groupsBehind cuts what a request of a scan gives where the groups of the requests before
// it end: of the partition that begins a group too many, the first row has been looked
// at. Source: Cassandra 5.0 DataLimits.filter over RangeCommandIterator, RowIterator.isEmpty.
func (c *Cluster) groupsBehind(r *request, cut []*storage.Found) []*storage.Found {
	seen := cut[:len(cut)-r.hidden]
	before := len(r.op.Found)
	all := append(append([]*storage.Found(nil), r.op.Found...), seen...)
	_, end := r.op.groups.Cut(all, 1, r.op.passing())
	if !end.Done {
		return cut
	}
	for i, f := range seen {
		if f.Key != end.Key || before+i == 0 {
			continue
		}
		if end.Inside {
			break // which the request itself has found out
		}
		r.hidden = 0
		passes, n := r.op.passing(), 0
		for n < len(f.Rows) {
			if row := f.Rows[n]; row.HasLive(r.query.Now, r.table.Strict()) && passes(f.Partition, row) {
				n++
				break
			}
			n++
		}
		last := f.Only(n, true)
		last.ClipRanges(r.table, f.Ranges, r.query.Reversed)
		return append(append([]*storage.Found(nil), seen[:i]...), last)
	}
	return cut
}
