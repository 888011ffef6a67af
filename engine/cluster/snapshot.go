package cluster

import (
	"slices"

	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// Snapshot is the files of some tables on one node under a name: links to files
// that never change, so that it costs nothing until compaction would delete them.
// Source: Cassandra 5.0 TableSnapshot.
type Snapshot struct {
	Name  string
	At    sim.Time
	Table *schema.Table
	Files []*storage.SSTable
}

// Bytes are those of all files, and of those alone that the table has no more.
func (s *Snapshot) Bytes(store *storage.TableStore) (all, alone int64) {
	for _, f := range s.Files {
		all += f.DiskBytes()
		if !slices.Contains(store.SSTables, f) {
			alone += f.DiskBytes()
		}
	}
	return all, alone
}

// TakeSnapshot flushes the tables of a node and links their files.
func (c *Cluster) TakeSnapshot(node int, name string, tables []*schema.Table) error {
	n := c.Nodes[node]
	for _, s := range n.Snapshots {
		if s.Name == name && slices.ContainsFunc(tables, func(t *schema.Table) bool { return t.ID == s.Table.ID }) {
			return refusal("Snapshot %s already exists.", name)
		}
	}
	for _, t := range tables {
		c.Flush(node, t)
		n.Snapshots = append(n.Snapshots, &Snapshot{Name: name, At: c.now, Table: t, Files: slices.Clone(c.Store(node, t).SSTables)})
	}
	return nil
}

// RestoreSnapshot loads the files of a snapshot beside what a node holds of those
// tables, under new generations, as a copy and a refresh do: what is newer stays
// newer, tombstones too. It says how many tables got some.
// Source: Cassandra 5.0 SSTableImporter.
func (c *Cluster) RestoreSnapshot(node int, name string, tables []*schema.Table) (restored int) {
	n := c.Nodes[node]
	for _, s := range n.Snapshots {
		for _, t := range tables {
			if s.Name != name || s.Table.ID != t.ID {
				continue
			}
			store := c.Store(node, t)
			store.Load(s.Files)
			c.indexFiles(node, t, s.Files)
			c.background(node, store)
			restored++
		}
	}
	return restored
}

// ClearSnapshots forgets the snapshots of that name, all with "".
func (c *Cluster) ClearSnapshots(node int, name string) (cleared int) {
	n := c.Nodes[node]
	before := len(n.Snapshots)
	n.Snapshots = slices.DeleteFunc(n.Snapshots, func(s *Snapshot) bool { return name == "" || s.Name == name })
	return before - len(n.Snapshots)
}
