package cluster

import (
	"github.com/google/uuid"

	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// counterCell is a counter in a node's counter cache.
type counterCell struct {
	table uuid.UUID
	cell  string // partition key, clustering and column
}

// fetchCounters looks the counters of an update up in the counter cache of their leader,
// which has those that it has led before, and says how many there are and how
// many of them it has to read. From now on it has all of them.
// Source: Cassandra 5.0 CounterMutation.updateWithCurrentValuesFromCache, CounterCacheKey.
func (n *Node) fetchCounters(p TablePart) (all, unknown int) {
	fetch := func(r storage.Row) {
		if r.IsZero() {
			return
		}
		var v storage.View
		r.Unpack(&v)
		for i := range v.Cells {
			if v.Cells[i].IsTombstone() {
				continue
			}
			all++
			id := v.Cells[i].Column
			at := counterCell{p.Table.ID, p.Part.Key + "\x00" + string(v.Clustering) + string([]byte{byte(id >> 8), byte(id)})}
			if n.counters[at] {
				continue
			}
			unknown++
			if n.counters == nil {
				n.counters = map[counterCell]bool{}
			}
			n.counters[at] = true
		}
	}
	fetch(p.Part.Static)
	for _, r := range p.Part.Rows {
		fetch(r)
	}
	return all, unknown
}

// forgetCounters empties the cache of what it has of a table.
func (n *Node) forgetCounters(t *schema.Table) {
	for at := range n.counters {
		if at.table == t.ID {
			delete(n.counters, at)
		}
	}
}

// traceCounters adds the events of a leader's read of the counters that it updates.
func (c *Cluster) traceCounters(op *Op, node int, t *schema.Table, have *storage.Found) {
	c.tr(op, node, threadCounter, "Executing single-partition query on %s", t.Name)
	c.tr(op, node, threadCounter, "Acquiring sstable references")
	c.tr(op, node, threadCounter, "Skipped 0/%d non-slice-intersecting sstables, included 0 due to tombstones", len(have.Files))
	for _, r := range have.Files {
		if r.Read {
			c.tr(op, node, threadCounter, "Partition index found for sstable %d, size = 0", r.Gen)
		}
	}
	if have.SSTables > 0 || !have.IsEmpty() {
		c.tr(op, node, threadCounter, "Merged data from memtables and %d sstables", have.SSTables)
	}
}
