// Package network says what becomes of a message between two nodes: how long it
// takes, whether it is lost, and which links are cut.
package network

import (
	"ringlab/engine/sim"
)

// Defaults of a link, one way.
const (
	SameDC  = 500 * sim.Microsecond
	OtherDC = 20 * sim.Millisecond
)

// Link is how one direction between two nodes behaves.
type Link struct {
	Delay  sim.Time
	Jitter sim.Time // the delay is uniform in Delay ± Jitter
	Loss   sim.Ratio
	Cut    bool
}

// Net is all links of a ring. Links are kept only where they differ from the
// default of their data centers.
type Net struct {
	dcs    []string // per node
	links  map[[2]int]Link
	jitter sim.Stream
	loss   sim.Stream
	sent   uint64
}

// New is a network of nodes in those data centers, without faults.
func New(seed uint64, dcs []string) *Net {
	return &Net{dcs: dcs, links: map[[2]int]Link{}, jitter: sim.NewStream(seed, "network.delay"), loss: sim.NewStream(seed, "network.loss")}
}

// Add makes room for one more node, in that data center.
func (n *Net) Add(dc string) { n.dcs = append(n.dcs[:len(n.dcs):len(n.dcs)], dc) }

// Forget takes the node that was added last away.
func (n *Net) Forget() { n.dcs = n.dcs[:len(n.dcs)-1] }

// Link is the state of one direction.
func (n *Net) Link(from, to int) Link {
	if len(n.links) > 0 {
		if l, ok := n.links[[2]int{from, to}]; ok {
			return l
		}
	}
	if n.dcs[from] == n.dcs[to] {
		return Link{Delay: SameDC}
	}
	return Link{Delay: OtherDC}
}

// Set changes one direction.
func (n *Net) Set(from, to int, l Link) { n.links[[2]int{from, to}] = l }

// Cut cuts or joins one direction.
func (n *Net) Cut(from, to int, cut bool) {
	l := n.Link(from, to)
	l.Cut = cut
	n.Set(from, to, l)
}

// Heal joins every cut link; delays and losses stay.
func (n *Net) Heal() {
	for k, l := range n.links {
		l.Cut = false
		n.links[k] = l
	}
}

// Reachable says whether both directions work, as gossip needs.
func (n *Net) Reachable(a, b int) bool { return !n.Link(a, b).Cut && !n.Link(b, a).Cut }

// Cuts counts the cut directions.
func (n *Net) Cuts() int {
	c := 0
	for _, l := range n.links {
		if l.Cut {
			c++
		}
	}
	return c
}

// Pass says how long the next message from one node to another takes; ok is
// false, with the reason, if it never arrives.
func (n *Net) Pass(from, to int) (delay sim.Time, reason string, ok bool) {
	l := n.Link(from, to)
	n.sent++
	if l.Cut {
		return 0, "the link is cut", false
	}
	if n.loss.Hit(uint64(from)<<16|uint64(to), n.sent, l.Loss) {
		return 0, "lost on the way", false
	}
	delay = l.Delay
	if l.Jitter > 0 {
		delay += sim.Time(n.jitter.Intn(uint64(from)<<16|uint64(to), n.sent, int(2*l.Jitter+1))) - l.Jitter
	}
	return max(delay, 1), "", true
}
