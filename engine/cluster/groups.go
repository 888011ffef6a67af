package cluster

import (
	"ringlab/engine/storage"
)

// Grouping says how far a read goes that wants groups of rows, not rows.
// Source: Cassandra 5.0 DataLimits.CQLGroupByLimits.
type Grouping interface {
	// Limit is the number of groups that are wanted, 0 for all.
	Limit() int
	// Cut takes away what lies behind the last of times as many groups as are
	// wanted. passes is nil for what one replica holds; of merged copies it says which
	// live rows (zero: static ones) the read's filter lets through.
	Cut(found []*storage.Found, times int, passes func(*storage.Partition, storage.Row) bool) ([]*storage.Found, GroupCut)
}

// GroupCut is where a read of groups ended.
type GroupCut struct {
	Groups int
	Done   bool   // a group too many began, in the partition with this key
	Key    string //
	Inside bool   // at one of its rows, not with it
}

// Group makes an operation read no further than its groups.
func (c *Cluster) Group(op *Op, g Grouping) { op.groups = g }

// groupTimes is how many times as many groups as the operation wants replicas are asked
// for: more after a short read.
func (r *request) groupTimes() int { return max(1, r.times) }

// passing is what the filter of a read lets through of merged rows.
func (r *request) passing() func(*storage.Partition, storage.Row) bool {
	filter := r.filter()
	if filter == nil {
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
	resp.found, resp.groups = r.op.groups.Cut(resp.found, r.groupTimes(), nil)
}

// mergeGroups cuts merged copies behind their groups. It is short where that place
// lies behind the partition with which some replica stopped: of the rows of this one
// the replica has given none.
// Source: Cassandra 5.0 ShortReadPartitionsProtection.
func (c *Cluster) mergeGroups(r *request, merged []*storage.Found) (cut []*storage.Found, short bool) {
	cut, end := r.op.groups.Cut(merged, 1, r.passing())
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
		if !own.Done || own.Inside {
			continue
		}
		at := place(own.Key)
		if !end.Done || place(end.Key) > at || place(end.Key) == at && end.Inside {
			short = true
		}
	}
	return cut, short
}
