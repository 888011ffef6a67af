package session

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/cluster"
	"ringlab/engine/sim"
	"ringlab/ring"
)

// NewNode is a node that is to join, as far as it was said: the rest follows from
// the ring.
type NewNode struct {
	Name     string // "" for the next number
	DC, Rack string // "" for the first data center, and for its rack with the fewest nodes
	Tokens   string // joined by commas, "" for those that the allocator chooses
}

// newNode fills in what was not said of a node that is to join. It takes the next
// address of the ring.
func (c *Core) newNode(w NewNode) (ring.Node, error) {
	members := c.Cluster.Members()
	next := len(c.Cluster.Nodes)
	n := ring.Node{Name: w.Name, Address: address(next), DC: w.DC, Rack: w.Rack}
	if n.Name == "" {
		for i := next + 1; n.Name == "" || c.named(n.Name); i++ {
			n.Name = "n" + strconv.Itoa(i)
		}
	}
	switch {
	case !plainName(n.Name):
		return n, fmt.Errorf("%q is no name for a node", n.Name)
	case c.named(n.Name):
		return n, fmt.Errorf("%s is in the ring already", n.Name)
	case len(members) >= maxNodes:
		return n, fmt.Errorf("a ring has at most %d nodes", maxNodes)
	}
	if n.DC == "" {
		n.DC = members[0].DC
	}
	if n.Rack == "" {
		n.Rack = c.emptiestRack(n.DC)
	}
	if !plainName(n.DC) || !plainName(n.Rack) {
		return n, fmt.Errorf("%q and %q are to name a data center and a rack: words without blanks, commas, colons or quotes", n.DC, n.Rack)
	}
	var err error
	n.Tokens, err = c.newTokens(n, w.Tokens)
	return n, err
}

// emptiestRack is the rack of a data center that has the fewest nodes, the first of
// equal ones: nodes that join are dealt as those that the ring began with.
func (c *Core) emptiestRack(dc string) string {
	count := map[string]int{}
	for _, m := range c.Cluster.Members() {
		if m.DC == dc {
			count[m.Rack]++
		}
	}
	racks := make([]string, c.Spec.Racks)
	for i := range racks {
		racks[i] = c.Spec.rack("", i)
	}
	if c.Spec.RackOf != nil && len(count) > 0 {
		racks = slices.Sorted(maps.Keys(count))
	}
	best := racks[0]
	for _, rack := range racks {
		if count[rack] < count[best] {
			best = rack
		}
	}
	return best
}

func (c *Core) named(name string) bool {
	_, taken := c.Cluster.Find(name)
	return taken
}

// joinUpTo is the number of tokens of a ring up to which a node that joins takes its
// own from the allocator: on a larger one that takes seconds.
const joinUpTo = 65536

// newTokens are the tokens of a node that is to join: those given, else as many as
// the ring's nodes have, from the allocator for three replicas in the data center.
// Where that cannot work, for an ordered partitioner or a very large ring, they are
// drawn. Source: Cassandra 5.0 BootStrapper.getBootstrapTokens.
func (c *Core) newTokens(n ring.Node, given string) ([]ring.Token, error) {
	p := c.Cluster.Partitioner()
	if given != "" {
		var out []ring.Token
		for _, text := range strings.Split(given, ",") {
			t, err := p.Parse(strings.TrimSpace(text))
			if err != nil {
				return nil, err
			}
			out = append(out, t)
		}
		return out, nil
	}
	existing := c.Cluster.Ring.Nodes()
	source := sim.NewStream(c.Spec.Seed, "tokens.join").Source(uint64(len(c.Cluster.Nodes)))
	_, err := p.Size(p.Minimum(), p.Minimum())
	if err != nil || c.Cluster.Ring.Len() > joinUpTo {
		return ring.RandomTokens(p, existing, c.Spec.VNodes, source), nil
	}
	racks := map[string]bool{}
	for _, m := range existing {
		if m.DC == n.DC && len(m.Tokens) > 0 {
			racks[m.Rack] = true
		}
	}
	rf := 3
	if r := len(racks); racks[n.Rack] && r > 1 && r < rf {
		rf = r // the allocator refuses fewer racks than replicas
	}
	return ring.Allocate(p, existing, n, c.Spec.VNodes, rf, ring.StartAtRandom(p, source))
}

// Bootstrap lets a new node join.
func (c *Core) Bootstrap(w NewNode, fetch bool) (*cluster.Movement, error) {
	n, err := c.newNode(w)
	if err != nil {
		return nil, err
	}
	return c.Cluster.Join(cluster.Join{Node: n, Bootstrap: fetch})
}

// Replace lets a new node take the place of a dead one.
func (c *Core) Replace(dead int, name string) (*cluster.Movement, error) {
	n := ring.Node{Name: name, Address: address(len(c.Cluster.Nodes))}
	switch {
	case !plainName(name):
		return nil, fmt.Errorf("%q is no name for a node", name)
	case c.named(name):
		return nil, fmt.Errorf("%s is in the ring already", name)
	}
	return c.Cluster.Replace(dead, n)
}
