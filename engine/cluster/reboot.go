package cluster

import (
	"github.com/google/uuid"

	"ringlab/engine/sim"
)

// startup is how long a node takes to start, without its commit log; modelled.
const startup = 10 * sim.Second

// Rebooted is what a node found when it started.
type Rebooted struct {
	Log     int64 // bytes of the commit log that were replayed
	Flushed int   // files that came of it
	Took    sim.Time
}

// Reboot starts a node that is down: it replays its commit log and writes what that
// restores to files; compactions begin anew. The caller lets r.Took pass first.
// Source: Cassandra 5.0 CommitLogReplayer.blockForWrites.
func (c *Cluster) Reboot(node int, how Detection) Rebooted {
	n := c.Nodes[node]
	r := c.bootTime(node)
	for _, s := range n.stores() {
		c.dropCompactions(node, s.Table)
	}
	n.tables = map[uuid.UUID]*compacting{}
	c.Start(node, how)
	for _, s := range n.stores() {
		r.Flushed += len(c.Flush(node, s.Table))
	}
	return r
}

// bootTime is how long a node will take to start.
func (c *Cluster) bootTime(node int) Rebooted {
	n := c.Nodes[node]
	bytes := n.Log.Bytes()
	return Rebooted{Log: bytes, Took: n.service(startup + sim.Time(bytes*int64(sim.Second)/diskRate))}
}

// BootTime is how long a node would take to start now.
func (c *Cluster) BootTime(node int) sim.Time { return c.bootTime(node).Took }
