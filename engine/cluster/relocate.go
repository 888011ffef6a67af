package cluster

import (
	"fmt"

	"ringlab/ring"
)

// Move gives a node of one token another one. It fetches what it gains, and sends
// what it loses to whom that falls to.
// Source: Cassandra 5.0 StorageService.move, RangeRelocator.
func (c *Cluster) Move(node int, token ring.Token) (*Movement, error) {
	n := c.Nodes[node]
	if e := c.Ring.Primary(token); e >= 0 && c.Ring.Token(e) == token && c.Ring.Node(e) != node {
		return nil, refusal("target token %s is already owned by another node.", c.Partitioner().Format(token))
	}
	switch {
	case n.Down:
		return nil, fmt.Errorf("%s is down; `:up %s` brings it back", n.Name, n.Name)
	case len(n.Tokens) > 1:
		return nil, refusal("This node has more than one token and cannot be moved thusly.")
	case n.Tokens[0] == token:
		return nil, fmt.Errorf("%s has that token already", n.Name)
	}
	again := n.State == Moving && c.movement != nil && c.movement.done && c.movement.Node == node
	if !again {
		if n.State != Normal {
			return nil, fmt.Errorf("Node in %s state; wait for status to become normal or restart", n.State)
		}
		if err := c.busy("move"); err != nil {
			return nil, err
		}
	}
	m := &Movement{Kind: "Relocation", Node: node, Replaces: -1, tokens: []ring.Token{token}, pulls: (*Cluster).relocate}
	return c.move(m, Moving)
}

// relocate begins the streams of a node that moves.
func (c *Cluster) relocate(m *Movement) error {
	for _, k := range c.keyspaces() {
		f := &fetching{}
		rf := c.Strategy(k.Name).RF()
		hand := c.handovers(m, k.Name)
		for i := range hand {
			h := &hand[i]
			for _, to := range h.gained() {
				source := m.Node
				if to == m.Node {
					var err error
					if source, err = c.strictSource(to, h, rf, k.Name); err != nil {
						return err
					}
				} else if c.Nodes[to].Down {
					return fmt.Errorf("Stream failed: %s is down", c.Nodes[to].Name)
				}
				f.add(source, to, h.piece)
			}
		}
		c.fetch(m, k, f)
	}
	return nil
}

// Rebuild lets a node fetch all that it should hold from the replicas of a data
// center, of any with "". Source: Cassandra 5.0 StorageService.rebuild.
func (c *Cluster) Rebuild(node int, dc string, keyspaces []string) (*Movement, error) {
	n := c.Nodes[node]
	if n.Down || !n.owns() {
		return nil, fmt.Errorf("%s is not a live member of the ring", n.Name)
	}
	m := &Movement{Kind: "Rebuild", Node: node, Replaces: -1, Start: c.now, Before: c.Ring}
	plans := make([]*fetching, len(keyspaces))
	for i, name := range keyspaces {
		plans[i] = &fetching{}
		p := c.Placement(name)
		for e := 0; e < c.Ring.Len(); e++ {
			var from []int
			mine := false
			for _, r := range p.ReplicasOf(e) {
				if r == node {
					mine = true
				} else if dc == "" || c.Nodes[r].DC == dc {
					from = append(from, r)
				}
			}
			if !mine || p.Strategy().RF() < 2 && len(from) == 0 {
				continue
			}
			source, err := c.nearestSource(node, c.Ring.Range(e), from, name)
			if err != nil {
				return nil, err
			}
			plans[i].add(source, node, c.Ring.Range(e))
		}
	}
	c.tellRing(node, "rebuilding", "from "+dc)
	for i, name := range keyspaces {
		c.fetch(m, c.Schema.Keyspace(name), plans[i])
	}
	if m.waiting == 0 {
		c.finishMovement(m)
	}
	return m, nil
}
