package cluster

import (
	"github.com/google/uuid"

	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

// counterCell is a counter in a node's counter cache.
type counterCell struct {
	table uuid.UUID
	token ring.Token // of the partition
	cell  string     // partition key, clustering and column
}

// counterValue is the last shard of its own that a node wrote of a counter.
type counterValue struct{ clock, count int64 }

func cellOfCounter(p TablePart, clustering []byte, column uint16) counterCell {
	return counterCell{p.Table.ID, p.Part.Token, p.Part.Key + "\x00" + string(clustering) + string([]byte{byte(column >> 8), byte(column)})}
}

// knownCounters says how many counters an update changes and how many of them are
// not in the counter cache of their leader, which has those that it has led before.
// Source: Cassandra 5.0 CounterMutation.updateWithCurrentValuesFromCache, CounterCacheKey.
func (n *Node) knownCounters(p TablePart) (all, unknown int) {
	look := func(r storage.Row) {
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
			if _, ok := n.counters[cellOfCounter(p, v.Clustering, v.Cells[i].Column)]; !ok {
				unknown++
			}
		}
	}
	look(p.Part.Static)
	for _, r := range p.Part.Rows {
		look(r)
	}
	return all, unknown
}

// rememberCounter puts a counter into the cache. A deletion does not take it out, so
// that a counter that comes back goes on from what it was.
// Source: Cassandra 5.0 ColumnFamilyStore.putCachedCounter.
func (n *Node) rememberCounter(at counterCell, v counterValue) {
	if n.counters == nil {
		n.counters = map[counterCell]counterValue{}
	}
	n.counters[at] = v
}

// forgetCounters empties the cache of what it has of a table.
func (n *Node) forgetCounters(t *schema.Table) {
	for at := range n.counters {
		if at.table == t.ID {
			delete(n.counters, at)
		}
	}
}

// forgetStreamed empties the cache of what lies between the first and the last
// partition of a file that came.
// Source: Cassandra 5.0 CassandraStreamReceiver.finished, invalidateCounterCache.
func (n *Node) forgetStreamed(t *schema.Table, parts []*storage.Partition) {
	if len(n.counters) == 0 || len(parts) == 0 {
		return
	}
	first, last := parts[0].Token, parts[len(parts)-1].Token
	for at := range n.counters {
		if at.table == t.ID && first.Compare(at.token) <= 0 && at.token.Compare(last) <= 0 {
			delete(n.counters, at)
		}
	}
}

// traceCounters adds the events of a leader's read of the counters that it updates.
func (c *Cluster) traceCounters(op *Op, node int, t *schema.Table, have *storage.Found) {
	c.tr(op, node, threadCounter, "Executing single-partition query on %s", t.Name)
	c.tr(op, node, threadCounter, "Acquiring sstable references")
	c.traceChosen(op, node, threadCounter, have)
	if have.Merges() {
		c.tr(op, node, threadCounter, "Merged data from memtables and %d sstables", have.SSTables)
	}
}
