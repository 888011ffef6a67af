package cluster

import (
	"errors"
	"fmt"
	"slices"

	"ringlab/engine/gossip"
	"ringlab/ring"
)

// replicated is a keyspace and its replication factor.
type replicated struct {
	name string
	rf   int
}

// distributed are the keyspaces that every ring has beside its own, with their
// replication factors.
// Source: Cassandra 5.0 SystemDistributedKeyspace, TraceKeyspace, AuthKeyspace.
var distributed = []replicated{{"system_auth", 1}, {"system_distributed", 3}, {"system_traces", 2}}

// Decommission lets a node hand its ranges over and leave the ring. Without force
// as many nodes as every keyspace has replicas must stay.
// Source: Cassandra 5.0 StorageService.decommission.
func (c *Cluster) Decommission(node int, force bool) (*Movement, error) {
	n := c.Nodes[node]
	again := c.movement != nil && c.movement.done && c.movement.Node == node && n.State == Leaving
	switch {
	case n.State == Left:
		return nil, refusal("This node was already decommissioned. There is no point in decommissioning it again.")
	case n.Down:
		return nil, fmt.Errorf("%s is down; `:removenode %s` takes a dead node out of the ring", n.Name, n.Name)
	case n.State == Joining:
		return nil, errors.New("local node is not a member of the token ring yet")
	case len(c.owners()) < 2:
		return nil, errors.New("no other normal nodes in the ring; decommission would be pointless")
	case n.State == Leaving && !again:
		return nil, refusal("This node is still decommissioning.")
	case n.State != Normal && !again:
		return nil, fmt.Errorf("Node in %s state; wait for status to become normal or restart", n.State)
	}
	if !again {
		if err := c.busy("decommission"); err != nil {
			return nil, err
		}
		if err := c.enoughWithout(n); err != nil && !force {
			return nil, err
		}
	}
	m := &Movement{Kind: "Unbootstrap", Node: node, Replaces: -1, pulls: (*Cluster).unbootstrap}
	return c.move(m, Leaving)
}

// enoughWithout refuses a node's leaving if a keyspace had fewer nodes than
// replicas then.
func (c *Cluster) enoughWithout(n *Node) error {
	all := len(c.owners())
	check := func(name string, rf, nodes int) error {
		if nodes > rf {
			return nil
		}
		return refusal("Not enough live nodes to maintain replication factor in keyspace %s (RF = %d, N = %d). Perform a forceful decommission to ignore.", name, rf, nodes)
	}
	for _, k := range c.keyspaces() {
		s, rf, nodes := c.Strategy(k.Name), 0, all
		if rf = s.RF(); s.Class() == ring.ClassNetworkTopology {
			rf, nodes = s.RFIn(n.DC), c.Ring.Datacenter(n.DC).Nodes
		}
		if err := check(k.Name, rf, nodes); err != nil {
			return err
		}
	}
	for _, k := range distributed {
		if err := check(k.name, k.rf, all); err != nil {
			return err
		}
	}
	return nil
}

// unbootstrap begins the streams of a node that leaves: it sends each range that it
// holds to whom that falls to. Source: Cassandra 5.0 RangeRelocator, StorageService.streamRanges.
func (c *Cluster) unbootstrap(m *Movement) error {
	for _, k := range c.keyspaces() {
		f := &fetching{}
		hand := c.handovers(m, k.Name)
		for i := range hand {
			if !slices.Contains(hand[i].before, m.Node) {
				continue
			}
			for _, to := range hand[i].gained() {
				if c.Nodes[to].Down || !c.Alive.Alive(m.Node, to) {
					return fmt.Errorf("Stream failed: %s is down", c.Nodes[to].Name)
				}
				f.add(m.Node, to, hand[i].piece)
			}
		}
		c.fetch(m, k, f)
	}
	return nil
}

// RemoveNode takes a dead node out of the ring; the other replicas of its ranges
// send them to whom they fall to. coord is the node that is asked for it.
// Source: Cassandra 5.0 StorageService.removeNode, restoreReplicaCount.
func (c *Cluster) RemoveNode(coord, node int) (*Movement, error) {
	n := c.Nodes[node]
	switch {
	case n.State == Left:
		return nil, refusal("Host ID not found.")
	case coord == node:
		return nil, refusal("Cannot remove self")
	case c.Alive.Alive(coord, node):
		return nil, fmt.Errorf("Node /%s:7000 is alive and owns this ID. Use decommission command to remove it from the ring", n.Address)
	case n.State == Joining:
		return nil, fmt.Errorf("Node /%s:7000 is not a member of the token ring", n.Address)
	}
	if c.movement == nil || c.movement.Node != node {
		if err := c.busy("removenode"); err != nil {
			return nil, err
		}
	}
	m := &Movement{Kind: "Removenode", Node: node, Replaces: -1, coord: coord, pulls: (*Cluster).restore}
	return c.move(m, Leaving)
}

// restore begins the streams that make up for a node that was removed. A replica
// that is down gets nothing, and what no live replica has is lost.
func (c *Cluster) restore(m *Movement) error {
	for _, k := range c.keyspaces() {
		f := &fetching{}
		hand := c.handovers(m, k.Name)
		for i := range hand {
			h := &hand[i]
			for _, to := range h.gained() {
				if c.Nodes[to].Down {
					continue
				}
				source, err := c.nearestSource(to, h.piece, without(h.before, m.Node), k.Name)
				if err != nil {
					m.Lost++
					continue
				}
				f.add(source, to, h.piece)
			}
		}
		c.fetch(m, k, f)
	}
	return nil
}

// Assassinate takes a node that is down out of the ring, on the word of one that is
// asked for it. Nobody sends anything, so what only that node had is lost, and what falls
// to others they miss until a repair. It takes time, in which a node must not be heard
// of; who is asked hears only of itself. node is -1 for an address that nobody knows,
// which is no error.
// Source: Cassandra 5.0 Gossiper.assassinateEndpoint, StorageService.handleStateLeft.
func (c *Cluster) Assassinate(coord, node int) error {
	if node >= 0 {
		c.Advance(c.now + ringDelay)
		n := c.Nodes[node]
		if coord == node {
			return refusal("Endpoint still alive: /%s:7000 heartbeat changed while trying to assassinate it", n.Address)
		}
		if m, _ := c.Removal(); m != nil && m.Node == node {
			c.finishMovement(m)
		}
		if n.State != Left {
			if err := c.busy("assassinate"); err != nil {
				return err
			}
			c.expel(n)
			c.tellRing(node, "left", "")
		}
	}
	c.Advance(c.now + 4*gossip.Round)
	return nil
}

// Removal is the removal of a node that is under way, nil if there is none, with the
// nodes that have not got all yet that falls to them.
// Source: Cassandra 5.0 StorageService.getRemovalStatus.
func (c *Cluster) Removal() (m *Movement, waiting []int) {
	m = c.movement
	if m == nil || m.done || m.Kind != "Removenode" {
		return nil, nil
	}
	if c.now >= m.Start+ringDelay {
		for _, s := range c.Streams() {
			if s.owner == m && !slices.Contains(waiting, s.To) {
				waiting = append(waiting, s.To)
			}
		}
	} else { // nothing was sent yet
		for _, k := range c.keyspaces() {
			if c.Strategy(k.Name).RF() == 1 {
				continue
			}
			hand := c.handovers(m, k.Name)
			for i := range hand {
				for _, to := range hand[i].gained() {
					if !c.Nodes[to].Down && !slices.Contains(waiting, to) {
						waiting = append(waiting, to)
					}
				}
			}
		}
	}
	slices.Sort(waiting)
	return m, waiting
}

// ForceRemoval ends a removal at once: what was not sent yet is not waited for.
// Source: Cassandra 5.0 StorageService.forceRemoveCompletion.
func (c *Cluster) ForceRemoval() {
	if m, _ := c.Removal(); m != nil {
		c.finishMovement(m)
	}
}
