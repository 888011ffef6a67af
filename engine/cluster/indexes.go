package cluster

import (
	"strings"

	"github.com/google/uuid"

	"ringlab/engine/materialize"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// followIndexes learns which tables have indexes that are hidden tables after a
// change of the schema, and drops what the nodes have of those that are gone.
func (c *Cluster) followIndexes() {
	before := c.indexes
	c.indexes = nil
	here := map[uuid.UUID]*schema.Table{}
	for _, name := range c.Schema.Names() {
		k := c.Schema.Keyspace(name)
		for _, n := range k.TableNames() {
			t := k.Tables[n]
			for _, i := range t.Indexes {
				if !i.IsTable() || t.Column(i.Column) == nil {
					continue
				}
				if c.indexes == nil {
					c.indexes = map[uuid.UUID][]*materialize.Index{}
				}
				x := materialize.NewIndex(t, i, c.Partitioner())
				c.indexes[t.ID] = append(c.indexes[t.ID], x)
				here[x.Table.ID] = x.Table
			}
		}
	}
	for _, list := range before {
		for _, x := range list {
			for i, n := range c.Nodes {
				s := n.Stores[x.Table.ID]
				switch now := here[x.Table.ID]; {
				case s == nil:
				case now != nil:
					s.SetTable(now)
				default:
					c.dropCompactions(i, x.Table)
					delete(n.Stores, x.Table.ID)
					delete(n.tables, x.Table.ID)
				}
			}
		}
	}
}

// TableOrIndex finds a table by name, or by table.index the hidden table of an
// index; nil if there is none.
// Source: Cassandra 5.0 SecondaryIndexManager.isIndexColumnFamily.
func (c *Cluster) TableOrIndex(keyspace, name string) *schema.Table {
	if t := c.Schema.Table(keyspace, name); t != nil {
		return t
	}
	base, _, _ := strings.Cut(name, ".")
	if t := c.Schema.Table(keyspace, base); t != nil {
		for _, x := range c.indexes[t.ID] {
			if x.Table.Name == name {
				return x.Table
			}
		}
	}
	return nil
}

// IndexTables are the hidden tables of a table's indexes, in order of name.
func (c *Cluster) IndexTables(t *schema.Table) []*schema.Table {
	var out []*schema.Table
	for _, x := range c.indexes[t.ID] {
		out = append(out, x.Table)
	}
	return out
}

// indexesOf are the indexes of a table that are tables, nil for none.
func (c *Cluster) indexesOf(t *schema.Table) []*materialize.Index {
	if len(c.indexes) == 0 || len(t.Indexes) == 0 && t.Family == nil && !t.Compact {
		return nil
	}
	return c.indexes[t.ID]
}

// index is the index of a table by name, nil if there is none that is a table.
func (c *Cluster) index(t *schema.Table, name string) *materialize.Index {
	for _, x := range c.indexes[t.ID] {
		if x.Table.IndexOf.Name == name {
			return x
		}
	}
	return nil
}

// applyIndexed is TableStore.Apply for a table with indexes: what a write changes
// in the memtable changes the hidden tables. What lies in files is not read, so
// that an entry whose value was overwritten there stays until a read or a
// compaction finds it stale.
// Source: Cassandra 5.0 SecondaryIndexManager.newUpdateTransaction.
func (c *Cluster) applyIndexed(op *Op, node int, indexes []*materialize.Index, s *storage.TableStore, p *storage.Partition) {
	now := c.Seconds(node)
	rows := p.Rows
	if !p.Static.IsZero() {
		rows = append([]storage.Row{p.Static}, rows...)
	}
	before := make([]storage.Row, len(rows))
	for i, r := range rows {
		before[i] = s.Mem.Row(p.Key, r)
	}
	s.Apply(p)
	for i, r := range rows {
		after := s.Mem.Row(p.Key, r)
		for _, x := range indexes {
			c.writeIndex(op, node, x, x.Updates(p.Key, before[i], after, now))
		}
	}
}

// writeIndex writes entries to the memtable of a hidden table. The commit log has
// them with the base's write.
func (c *Cluster) writeIndex(op *Op, node int, x *materialize.Index, writes []materialize.Write) {
	if len(writes) == 0 {
		return
	}
	s := c.Store(node, x.Table)
	for _, w := range writes {
		s.Apply(x.Partition(w))
		s.Metrics.Write.Add(int64(c.Nodes[node].service(serviceWrite)), int64(c.now))
		c.tr(op, node, threadMutation, "Adding to %s memtable", x.Table.Name)
	}
}

// buildIndexes fills the indexes that a node has just learnt of from its files.
// Source: Cassandra 5.0 CassandraIndex.getInitializationTask.
func (c *Cluster) buildIndexes(node int, before *schema.Schema) {
	if len(c.indexes) == 0 || c.Nodes[node].Down {
		return
	}
	for _, s := range c.Nodes[node].stores() {
		old := before.Table(s.Table.Keyspace, s.Table.Name)
		for _, x := range c.indexes[s.Table.ID] {
			if old == nil || old.ID != s.Table.ID || old.Index(x.Table.IndexOf.Name) == nil {
				c.buildIndex(node, s, x)
			}
		}
	}
}

// buildIndex writes an entry for every row of the base: the memtable goes to a
// file first, and the index into one of its own at the end.
// Source: Cassandra 5.0 CassandraIndex.buildBlocking, SecondaryIndexManager.indexPartition.
func (c *Cluster) buildIndex(node int, s *storage.TableStore, x *materialize.Index) {
	if c.Flush(node, s.Table); len(s.SSTables) == 0 {
		return
	}
	now := c.Seconds(node)
	q := &storage.Query{Table: s.Table, Now: now, GCBefore: now - int64(s.Table.Options.GCGrace)}
	for _, f := range s.ScanAfter(q, storage.Bounds{NoLeft: true, NoRight: true}) {
		c.indexPartition(node, x, f.Partition, now)
	}
	c.Flush(node, x.Table)
}

func (c *Cluster) indexPartition(node int, x *materialize.Index, p *storage.Partition, now int64) {
	if !p.Static.IsZero() {
		c.writeIndex(nil, node, x, x.Build(p.Key, p.Static, now))
	}
	for _, r := range p.Rows {
		c.writeIndex(nil, node, x, x.Build(p.Key, r, now))
	}
}

// RebuildIndex builds an index anew on a node; what it held stays, since an entry
// is the same however often it is written. It is false if there is no such index.
// Source: Cassandra 5.0 StorageService.rebuildSecondaryIndex.
func (c *Cluster) RebuildIndex(node int, t *schema.Table, name string) bool {
	x := c.index(t, name)
	if x != nil {
		c.buildIndex(node, c.Store(node, t.Stored()), x)
	}
	return x != nil
}

// indexFiles writes the entries of files that a table got from outside, and
// flushes them. Source: Cassandra 5.0 SecondaryIndexManager.handleNotification.
func (c *Cluster) indexFiles(node int, t *schema.Table, files []*storage.SSTable) {
	now := c.Seconds(node)
	for _, x := range c.indexes[t.ID] {
		for _, f := range files {
			for _, p := range f.Parts {
				c.indexPartition(node, x, p, now)
			}
		}
		c.Flush(node, x.Table)
	}
}

// truncateIndexes empties a node's indexes of a table.
func (c *Cluster) truncateIndexes(node int, base *schema.Table) {
	for _, x := range c.indexes[base.ID] {
		c.Store(node, x.Table).Truncate(c.Clock(node))
		c.dropCompactions(node, x.Table)
	}
}

// purgeIndexes removes the entries of what a compaction of the base found
// shadowed or dead: cells of rows that several of its inputs held.
// Source: Cassandra 5.0 CompactionIterator, SecondaryIndexManager.IndexGCTransaction.
func (c *Cluster) purgeIndexes(node int, t *schema.Table, inputs []*storage.SSTable, outputs []*storage.Partition) {
	indexes := c.indexes[t.ID]
	if len(indexes) == 0 || len(inputs) < 2 {
		return
	}
	now, held := c.Seconds(node), map[string]int{}
	for _, in := range inputs {
		for _, p := range in.Parts {
			held[p.Key]++
		}
	}
	merged := make(map[string]*storage.Partition, len(outputs))
	for _, p := range outputs {
		merged[p.Key] = p
	}
	for _, in := range inputs {
		for _, p := range in.Parts {
			if held[p.Key] < 2 {
				continue
			}
			left := merged[p.Key]
			if left == nil {
				left = &storage.Partition{Key: p.Key, Token: p.Token, Del: storage.Live}
			}
			c.removeEntries(node, indexes, t, p, left, now)
		}
	}
}

// removeEntries removes the entries of a version of a partition that have no live
// cell left in what came of it.
func (c *Cluster) removeEntries(node int, indexes []*materialize.Index, t *schema.Table, p, left *storage.Partition, now int64) {
	for _, x := range indexes {
		if !p.Static.IsZero() && x.OnStatic() {
			c.writeIndex(nil, node, x, x.Gone(p.Key, p.Static, left.Static, now))
		}
		if x.OnStatic() {
			continue
		}
		for _, r := range p.Rows {
			c.writeIndex(nil, node, x, x.Gone(p.Key, r, left.Row(t, r.Clustering(), false), now))
		}
	}
}
