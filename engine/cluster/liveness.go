package cluster

import (
	"ringlab/engine/event"
	"ringlab/engine/sim"
)

// How soon a change of liveness is noticed.
type Detection uint8

const (
	Gossip       Detection = iota // as phi accrual and gossip notice it
	Undetectable                  // never
)

// reachable says whether gossip passes between two nodes.
func (c *Cluster) reachable(a, b int) bool {
	return c.speaks(a) && c.speaks(b) && c.Net.Reachable(a, b)
}

// Stop takes a node down: it answers nobody, its storage stays.
func (c *Cluster) Stop(node int, how Detection) {
	n := c.Nodes[node]
	if n.Down {
		return
	}
	n.Down, n.Quiet, n.DownAt = true, false, c.now
	if c.Listening() {
		c.emit(event.Record{Kind: event.NodeDown, Node: node, Peer: -1})
	}
	c.noticeAll(how)
}

// Start brings a node back.
func (c *Cluster) Start(node int, how Detection) {
	n := c.Nodes[node]
	if !n.Down {
		return
	}
	n.Down, n.UpAt = false, c.now
	c.restarted(n)
	n.counters = nil // a saved counter cache has no values, they are read anew; Cassandra 5.0 CacheService.CounterCacheSerializer
	n.freshDisks(c.now)
	if c.Listening() {
		c.emit(event.Record{Kind: event.NodeUp, Node: node, Peer: -1})
	}
	c.noticeAll(how)
	c.pullSchemas()
	for target := range c.Nodes {
		if c.Alive.Alive(node, target) {
			c.scheduleHints(node, target)
		}
	}
}

// CutLinks cuts or joins every direction from one set of nodes to another.
func (c *Cluster) CutLinks(from, to []int, both bool, how Detection) {
	for _, a := range from {
		for _, b := range to {
			if a != b {
				c.Net.Cut(a, b, true)
				if both {
					c.Net.Cut(b, a, true)
				}
			}
		}
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.Link, Node: -1, Peer: -1, What: "cut", Text: c.names(from) + " | " + c.names(to)})
	}
	c.noticeAll(how)
}

// HealLinks joins every cut link.
func (c *Cluster) HealLinks() {
	c.Net.Heal()
	if c.Listening() {
		c.emit(event.Record{Kind: event.Link, Node: -1, Peer: -1, What: "healed"})
	}
	c.noticeAll(Gossip)
	c.pullSchemas()
}

func (c *Cluster) names(nodes []int) string {
	s := ""
	for i, n := range nodes {
		if i > 0 {
			s += ","
		}
		s += c.Nodes[n].Name
	}
	return s
}

// noticeAll schedules, for every pair whose belief does not fit the truth, the
// moment at which the observer notices.
func (c *Cluster) noticeAll(how Detection) {
	if how == Undetectable {
		return
	}
	for a := range c.Nodes {
		if !c.speaks(a) {
			continue // it learns when it is back
		}
		for b := range c.Nodes {
			if a == b || !c.Nodes[b].IsMember() {
				continue
			}
			truth := c.reachable(a, b)
			if c.Alive.Alive(a, b) == truth {
				continue
			}
			delay := c.Alive.Conviction(a, b)
			if truth {
				delay = c.Alive.Recovery(a, b)
			}
			c.queue.Push(c.now+delay, task{kind: taskDetect, from: int32(a), to: int32(b), flag: truth})
		}
	}
}

// onDetect changes a belief if the truth is still what it was when the observer
// began to notice.
func (c *Cluster) onDetect(t *task) {
	a, b := int(t.from), int(t.to)
	if !c.speaks(a) || !c.Nodes[b].IsMember() || c.reachable(a, b) != t.flag {
		return
	}
	if !c.Alive.Believe(a, b, t.flag, c.now) {
		return
	}
	if c.Listening() {
		kind := event.SeenDown
		if t.flag {
			kind = event.SeenUp
		}
		c.emit(event.Record{Kind: kind, Node: a, Peer: b})
	}
	if t.flag {
		c.scheduleHints(a, b)
	} else if len(c.repairs) > 0 {
		c.doubtRepairs(a, b)
	}
}

// Settled works until every live node believes what is true, and says how long
// that took. Beliefs about links that only one direction of is cut settle too.
func (c *Cluster) Settled(most sim.Time) sim.Time {
	from := c.now
	for !c.agreed() {
		next, which, ok := c.pending()
		if !ok || next > from+most {
			break
		}
		c.step(next, which)
	}
	return c.now - from
}

// agreed says whether all live nodes' beliefs are true.
func (c *Cluster) agreed() bool {
	for a := range c.Nodes {
		if !c.speaks(a) {
			continue
		}
		for b := range c.Nodes {
			if a != b && c.Nodes[b].IsMember() && c.Alive.Alive(a, b) != c.reachable(a, b) {
				return false
			}
		}
	}
	return true
}

// PauseNode stops a node for a while, as a garbage collection does: messages
// wait for it, nobody takes it for down unless it lasts long enough.
func (c *Cluster) PauseNode(node int, d sim.Time) {
	n := c.Nodes[node]
	n.Pause = max(n.Pause, c.now+d)
	if c.Listening() {
		c.emit(event.Record{Kind: event.Pause, Node: node, Peer: -1, Text: d.String()})
	}
	c.queue.Push(n.Pause, task{kind: taskResume, from: int32(node), to: int32(node)})
	for a := range c.Nodes {
		if a == node || !c.Alive.Alive(a, node) {
			continue
		}
		if conviction := c.Alive.Conviction(a, node); conviction < d {
			c.queue.Push(c.now+conviction, task{kind: taskPhi, from: int32(a), to: int32(node), gen: uint64(n.Pause)})
		}
	}
}

// onPhi convicts a node that is still paused.
func (c *Cluster) onPhi(t *task) {
	a, b := int(t.from), int(t.to)
	if !c.speaks(a) || !c.Nodes[b].IsMember() || sim.Time(t.gen) != c.Nodes[b].Pause || c.Nodes[b].Pause <= c.now {
		return
	}
	if c.Alive.Believe(a, b, false, c.now) && c.Listening() {
		c.emit(event.Record{Kind: event.SeenDown, Node: a, Peer: b})
	}
}
