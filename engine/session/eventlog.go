package session

import (
	"ringlab/engine/cluster"
	"ringlab/engine/event"
)

// eventLog keeps events for whoever asked for that.
type eventLog struct {
	event.Journal
	ring *cluster.Cluster
	mute func(bool)
}

// KeepEvents begins to keep what happens, or ends it and forgets what was kept.
func (c *Core) KeepEvents(on bool) {
	if on == (c.events != nil) {
		return
	}
	if !on {
		c.events.mute(true)
		c.events = nil
		return
	}
	c.events = &eventLog{}
	c.events.listen(c.Cluster)
}

// Kept are the events since KeepEvents, nil if none are kept.
func (c *Core) Kept() *event.Journal {
	if c.events == nil {
		return nil
	}
	return &c.events.Journal
}

// listen goes on with a ring; the log of the one before goes with it.
func (l *eventLog) listen(ring *cluster.Cluster) {
	l.Journal, l.ring = event.Journal{}, ring
	l.mute = ring.Listen(func(r *event.Record) { l.Add(r) })
}

// NodeNamed finds a node for a filter of events.
func (c *Core) NodeNamed(name string) (int, bool) {
	for _, n := range c.Cluster.Nodes {
		if n.Name == name {
			return n.Index, true
		}
	}
	return 0, false
}
