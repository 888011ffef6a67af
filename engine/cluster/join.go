package cluster

import (
	"fmt"
	"slices"

	"ringlab/ring"
)

// Join is how a node joins.
type Join struct {
	Node      ring.Node // with its tokens
	Bootstrap bool      // it fetches what it will own; else it owns it at once, empty
}

// busy refuses a change of the ring while another one is under way, and says of
// which nodes. Source: Cassandra 5.0 StorageService.joinTokenRing.
func (c *Cluster) busy(what string) error {
	lists := map[State]string{}
	for _, n := range c.Nodes {
		if n.State == Joining || n.State == Leaving || n.State == Moving {
			if lists[n.State] != "" {
				lists[n.State] += ","
			}
			lists[n.State] += "/" + n.Address + ":7000"
		}
	}
	if len(lists) == 0 && (c.movement == nil || c.movement.done) {
		return nil
	}
	if what == "bootstrap" {
		return refusal("Other bootstrapping/leaving/moving nodes detected, cannot bootstrap while cassandra.consistent.rangemovement is true. Nodes detected, bootstrapping: %s; leaving: %s; moving: %s;",
			lists[Joining], lists[Leaving], lists[Moving])
	}
	n := c.Nodes[c.movement.Node]
	if c.movement.done {
		return fmt.Errorf("%s is %s since a change of the ring failed; `:reboot %s` gives it up", n.Name, n.State, n.Name)
	}
	return fmt.Errorf("%s is %s: one change of the ring at a time; `:advance 60s` lets it go on", n.Name, n.State)
}

// Join lets a new node join the ring. While it fetches its data it takes writes and
// answers no reads. Source: Cassandra 5.0 StorageService.bootstrap, BootStrapper.
func (c *Cluster) Join(j Join) (*Movement, error) {
	if err := c.busy("bootstrap"); err != nil {
		return nil, err
	}
	for _, t := range j.Node.Tokens {
		if e := c.Ring.Primary(t); e >= 0 && c.Ring.Token(e) == t {
			return nil, refusal("Bootstrapping to existing token %s is not allowed (decommission/removenode the old node first).", c.Partitioner().Format(t))
		}
	}
	n, err := c.addNode(j.Node)
	if err != nil {
		return nil, err
	}
	m := &Movement{Kind: "Bootstrap", Node: n.Index, Replaces: -1, tokens: j.Node.Tokens, pulls: (*Cluster).bootstrap}
	if !j.Bootstrap {
		m.Start, m.Before = c.now, c.Ring
		m.future = c.Ring
		c.finishMovement(m)
		return m, nil
	}
	return m, c.welcome(m)
}

// welcome announces a node that was just added. If it could not get its data now it
// is as if it had never been there.
func (c *Cluster) welcome(m *Movement) error {
	err := c.foresee(m)
	for _, k := range c.keyspaces() {
		if err == nil {
			_, err = c.sourcesFor(m, k.Name)
		}
	}
	if err != nil {
		c.Nodes = c.Nodes[:m.Node]
		c.Net.Forget()
		if tm, wrong := c.tokenMap(nil); wrong == nil {
			c.setRing(tm)
		}
		return err
	}
	c.announce(m, Joining)
	return nil
}

// sourcesFor says who sends what to a node that joins or moves.
func (c *Cluster) sourcesFor(m *Movement, keyspace string) (*fetching, error) {
	f := &fetching{}
	rf := c.Strategy(keyspace).RF()
	hand := c.handovers(m, keyspace)
	for i := range hand {
		h := &hand[i]
		if !slices.Contains(h.after, m.Node) || slices.Contains(h.before, m.Node) || len(h.before) == 0 {
			continue
		}
		if c.flaw == flawShortRange && i == 0 {
			continue
		}
		var source int
		var err error
		if m.Replaces >= 0 {
			source, err = c.nearestSource(m.Node, h.piece, without(h.before, m.Replaces), keyspace)
			if err != nil && rf == 1 {
				m.Lost++ // the only copy was there
				continue
			}
		} else {
			source, err = c.strictSource(m.Node, h, rf, keyspace)
		}
		if err != nil {
			return nil, err
		}
		f.add(source, m.Node, h.piece)
	}
	return f, nil
}

func without(list []int, n int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(x int) bool { return x == n })
}

// bootstrap begins the streams to a node that joins.
func (c *Cluster) bootstrap(m *Movement) error {
	m.Lost = 0
	for _, k := range c.keyspaces() {
		f, err := c.sourcesFor(m, k.Name)
		if err != nil {
			return err
		}
		c.fetch(m, k, f)
	}
	return nil
}

// Replace lets a new node take the place and the tokens of one that is down.
// Source: Cassandra 5.0 StorageService.prepareForReplacement, replace_address.
func (c *Cluster) Replace(dead int, n ring.Node) (*Movement, error) {
	if err := c.busy("bootstrap"); err != nil {
		return nil, err
	}
	old := c.Nodes[dead]
	if !old.Down {
		return nil, refusal("Cannot replace a live node...")
	}
	n.DC, n.Rack, n.Tokens = old.DC, old.Rack, old.Tokens
	node, err := c.addNode(n)
	if err != nil {
		return nil, err
	}
	m := &Movement{Kind: "Replace", Node: node.Index, Replaces: dead, tokens: old.Tokens, pulls: (*Cluster).bootstrap}
	return m, c.welcome(m)
}
