package cluster

import (
	"slices"

	"ringlab/engine/event"
	"ringlab/engine/sim"
)

// handoff is what an operator has told a node about its hints.
type handoff struct {
	HandoffPaused bool     // it delivers none
	Unhinted      []string // data centers for which it keeps none, in the order they were named
}

// PauseHandoff stops a node from delivering hints, or lets it go on.
// Source: Cassandra 5.0 HintsService.pauseDispatch, resumeDispatch, HintsDispatchTrigger.
func (c *Cluster) PauseHandoff(node int, on bool) {
	n := c.Nodes[node]
	if n.HandoffPaused = on; on {
		return
	}
	for target := range c.Nodes {
		if c.Alive.Alive(node, target) {
			c.scheduleHints(node, target)
		}
	}
}

// HintsFor says whether a node keeps hints for a data center. Names that no data center
// has are taken too. Source: Cassandra 5.0 DatabaseDescriptor.getHintedHandoffDisabledDCs.
func (c *Cluster) HintsFor(node int, dc string, on bool) {
	n := c.Nodes[node]
	n.Unhinted = slices.DeleteFunc(slices.Clone(n.Unhinted), func(have string) bool { return have == dc })
	if !on {
		n.Unhinted = append(n.Unhinted, dc)
	}
}

// TruncateHints forgets the hints that a node keeps for another one, or for all if that is
// negative. Source: Cassandra 5.0 HintsService.deleteAllHints, deleteAllHintsForEndpoint.
func (c *Cluster) TruncateHints(node, target int) {
	for to := range c.Nodes {
		q := c.Nodes[node].Hints[to]
		if q == nil || target >= 0 && to != target {
			continue
		}
		for _, h := range q.Hints {
			if c.Listening() {
				c.emit(event.Record{Kind: event.HintDropped, Node: node, Peer: to, What: h.Table.Keyspace + "." + h.Table.Name, Text: "nodetool truncatehints"})
			}
		}
		q.Hints = nil
	}
}

// PendingHints are the nodes for which a node keeps hints, and since when.
// Source: Cassandra 5.0 HintsService.getPendingHintsInfo.
func (c *Cluster) PendingHints(node int) (targets []int, oldest []sim.Time) {
	for to := range c.Nodes {
		if q := c.Nodes[node].Hints[to]; q != nil && len(q.Hints) > 0 {
			targets, oldest = append(targets, to), append(oldest, q.Hints[0].Created)
		}
	}
	return targets, oldest
}
