package cluster

import (
	"slices"

	"github.com/google/uuid"

	"ringlab/engine/materialize"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/ring"
)

// followViews learns which tables have views after a change of the schema.
func (c *Cluster) followViews() {
	c.views = nil
	for _, name := range c.Schema.Names() {
		k := c.Schema.Keyspace(name)
		for _, n := range k.TableNames() {
			view := k.Tables[n]
			if !view.IsView() {
				continue
			}
			if c.views == nil {
				c.views = map[uuid.UUID][]*materialize.View{}
			}
			base := k.Tables[view.View.Base]
			c.views[base.ID] = append(c.views[base.ID], materialize.New(base, view))
		}
	}
}

// updateViews computes what a write that a replica is about to apply means for
// the views of its table, and hands that to the views' replicas.
// Source: Cassandra 5.0 TableViews.pushViewReplicaUpdates.
func (c *Cluster) updateViews(op *Op, node int, views []*materialize.View, s *storage.TableStore, p *storage.Partition) {
	now := c.Seconds(node)
	q := materialize.Query(s.Table, p, now)
	if q == nil {
		return
	}
	c.sendToViews(op, node, p.Token, materialize.Updates(views, s.Peek(q).Partition, p, c.Partitioner(), now))
}

// sendToViews gives updates of views to their replicas: each replica of the base
// has one of the view's to itself, which may be the node itself. One that is
// down gets a hint.
// Source: Cassandra 5.0 StorageProxy.mutateMV.
func (c *Cluster) sendToViews(op *Op, node int, token ring.Token, updates []materialize.Update) {
	if len(updates) > 0 {
		c.Nodes[node].Coordinated.ViewWrite.Add(0, int64(c.now)) // the base does not wait for its views
	}
	for _, u := range updates {
		to, ok := c.pairedReplica(node, u.Table.Keyspace, token, u.Part.Token)
		switch {
		case !ok:
		case to == node:
			c.logged(op, node)
			c.apply(op, node, u.Table, u.Part, messageSize(u.Table, u.Part))
		default:
			own := c.Begin("view", node, plan.One, false)
			own.waiting = 1
			r := &request{kind: reqWrite, op: own, coord: node, table: u.Table, cl: plan.One, strategy: c.Strategy(u.Table.Keyspace),
				replicas: []int{to}, part: u.Part, size: messageSize(u.Table, u.Part), need: 1, as: writeSimple}
			r.join(c.PendingReplicas(u.Table.Keyspace, u.Part.Token))
			r.states(len(r.replicas))
			if c.Alive.Alive(node, to) {
				c.watch(r)
			}
			c.sendWrites(r)
		}
	}
}

// pairedReplica is the view's replica that a replica of the base is paired with:
// itself if it is one; else, of those in its data center that do not hold both,
// the one at the same place in the order of replicas. ok is false if the node is
// no replica of the base.
// Source: Cassandra 5.0 ViewUtils.getViewNaturalEndpoint.
func (c *Cluster) pairedReplica(node int, keyspace string, base, view ring.Token) (to int, ok bool) {
	placement := c.Placement(keyspace)
	ofBase, ofView := placement.Replicas(base), placement.Replicas(view)
	if slices.Contains(ofView, node) {
		return node, true
	}
	everywhere := len(placement.Strategy().DCs()) == 0
	near := func(n int) bool { return everywhere || c.Nodes[n].DC == c.Nodes[node].DC }
	at := 0
	for _, n := range ofBase {
		if n == node {
			break
		}
		if near(n) && !slices.Contains(ofView, n) {
			at++
		}
	}
	if !slices.Contains(ofBase, node) {
		return 0, false
	}
	for _, n := range ofView {
		if !near(n) || slices.Contains(ofBase, n) {
			continue
		}
		if at == 0 {
			return n, true
		}
		at--
	}
	return 0, false
}

// buildViews fills the views that a node has just learnt of from its own data.
// Cassandra does so in the background; here it is done with the change.
// Source: Cassandra 5.0 ViewBuilder, ViewBuilderTask.buildKey.
func (c *Cluster) buildViews(node int, before *schema.Schema) {
	if len(c.views) == 0 || c.Nodes[node].Down {
		return
	}
	for _, s := range c.Nodes[node].stores() {
		fresh := slices.DeleteFunc(slices.Clone(c.views[s.Table.ID]), func(v *materialize.View) bool {
			old := before.Table(v.Table.Keyspace, v.Table.Name)
			return old != nil && old.ID == v.Table.ID
		})
		if len(fresh) == 0 {
			continue
		}
		now := c.Seconds(node)
		var keys []*storage.Query
		s.Keys(func(key string, token ring.Token) bool {
			keys = append(keys, &storage.Query{Table: s.Table, Key: key, Token: token, Now: now, GCBefore: now - int64(s.Table.Options.GCGrace)})
			return true
		})
		for _, q := range keys {
			c.sendToViews(nil, node, q.Token, materialize.Updates(fresh, &storage.Partition{Del: storage.Live}, s.Peek(q).Partition, c.Partitioner(), now))
		}
	}
}

// truncateViews empties a node's views of a table.
// Source: Cassandra 5.0 ColumnFamilyStore.truncateBlocking.
func (c *Cluster) truncateViews(node int, base *schema.Table) {
	for _, v := range c.views[base.ID] {
		c.Store(node, v.Table).Truncate(c.Clock(node))
		c.Nodes[node].Log.Flushed(v.Table.ID)
		c.dropCompactions(node, v.Table)
	}
}
