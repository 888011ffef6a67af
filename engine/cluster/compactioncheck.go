package cluster

import (
	"math"

	"github.com/google/uuid"

	"ringlab/engine/compaction"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
)

// check is a table whose compaction time alone may start.
type check struct {
	node int
	id   uuid.UUID
}

// checkLater remembers when time alone may change what the strategy picks: files
// expire or get old enough. Every table is looked at once a minute.
// Source: Cassandra 5.0 CassandraDaemon.setup, ColumnFamilyStore.getBackgroundCompactionTaskSubmitter.
func (c *Cluster) checkLater(node int, s *storage.TableStore, k *compacting, table *compaction.Table, side side) {
	due := k.strategy.Due(table, &k.memory[side])
	if due == math.MaxInt64 {
		return
	}
	at := c.now + sim.Time(due*1000-c.Clock(node))
	at = max((at+sim.Minute-1)/sim.Minute*sim.Minute, c.now+1)
	if k.due > c.now && k.due <= at {
		return
	}
	k.due = at
	c.checks.Push(at, check{node, s.Table.ID})
}

// runCheck looks at the table that is due next.
func (c *Cluster) runCheck() {
	at, k := c.checks.Pop()
	c.now = max(c.now, at)
	n := c.Nodes[k.node]
	if s, state := n.Stores[k.id], n.tables[k.id]; s != nil && state != nil && state.due == at {
		state.due = 0
		c.background(k.node, s)
	}
}
