package cluster

import (
	"ringlab/engine/event"
	"ringlab/engine/gossip"
	"ringlab/model/schema"
)

// SchemaOf is the schema that a node has. It is older than the newest while the
// node is down or cut off from where that was made.
func (c *Cluster) SchemaOf(node int) *schema.Schema {
	if s := c.Nodes[node].known; s != nil {
		return s
	}
	return c.Schema
}

// SetSchema makes a schema current at a coordinator and on every node that it
// reaches; the others learn it when they are back.
// Source: Cassandra 5.0 MigrationCoordinator, SchemaPushVerbHandler.
func (c *Cluster) SetSchema(s *schema.Schema, coord int, what string) {
	old := c.Schema
	for i, n := range c.Nodes {
		switch {
		case i == coord || c.reachable(coord, i):
			n.known = nil
		case n.known == nil:
			n.known = old
		}
	}
	c.Schema = s
	for _, name := range old.Names() {
		c.followKeyspace(old.Keyspace(name), s.Keyspace(name))
	}
	c.followViews()
	c.followIndexes()
	for i, n := range c.Nodes {
		if n.known == nil {
			c.buildViews(i, old)
			c.buildIndexes(i, old)
		}
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.Schema, Node: -1, Peer: -1, What: what})
	}
}

// pullSchemas lets every node compare schemas with its peers at the next round
// of gossip.
func (c *Cluster) pullSchemas() {
	for i, n := range c.Nodes {
		if n.known != nil {
			c.queue.Push(c.now+gossip.Round, task{kind: taskSchema, from: int32(i), to: int32(i)})
		}
	}
}

// onSchema takes the newest schema that a reachable peer has.
func (c *Cluster) onSchema(t *task) {
	n := c.Nodes[t.to]
	if n.Down || n.known == nil {
		return
	}
	before := n.known
	for i, peer := range c.Nodes {
		if i == n.Index || !c.reachable(n.Index, i) {
			continue
		}
		if peer.known == nil || peer.known.Version > n.known.Version {
			if n.known = peer.known; n.known == nil {
				break
			}
		}
	}
	c.buildViews(n.Index, before)
	c.buildIndexes(n.Index, before)
	if c.Listening() {
		c.emit(event.Record{Kind: event.Schema, Node: n.Index, Peer: -1, What: "pulled"})
	}
}
