package cluster

import (
	"fmt"
	"slices"
	"sort"

	"github.com/google/uuid"

	"ringlab/engine/compaction"
	"ringlab/engine/event"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// CompactionCounts are what a node has counted since it was made.
// Source: Cassandra 5.0 CompactionMetrics.
type CompactionCounts struct {
	Finished       int    // compactions
	BytesCompacted int64  // read by them
	Aborted        int    // not begun, for want of space
	Reduced        int    // begun without some of their files, for want of space
	Dropped        int    // files left out of those
	NoSpace        string // what its log said of the last of them
	PeakDisk       int64  // most bytes of all tables' files at once, inputs and outputs of a compaction both
}

// Finish lets time pass until compactions are over.
func (c *Cluster) Finish(started []*Compaction) {
	for _, k := range started {
		for !k.Finished() {
			next, ok := c.NextAt()
			if !ok {
				break
			}
			c.Advance(next)
		}
	}
}

// Running are the node's compactions in progress.
func (n *Node) Running() []*Compaction { return n.running }

// Waiting are the node's compactions that no compactor is free for.
func (n *Node) Waiting() []*Compaction { return n.waiting }

// stores lists a node's stores in the order of their table's name.
func (n *Node) stores() []*storage.TableStore {
	out := make([]*storage.TableStore, 0, len(n.Stores))
	for _, s := range n.Stores {
		out = append(out, s)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i].Table, out[j].Table
		if a.Keyspace != b.Keyspace {
			return a.Keyspace < b.Keyspace
		}
		return a.Name < b.Name
	})
	return out
}

// SortedStores lists a node's stores by keyspace and table.
func (n *Node) SortedStores() []*storage.TableStore { return n.stores() }

// maybeFlush flushes the largest memtable of a node whose memtables take more
// than their share of the heap. Source: Cassandra 5.0 MemtableCleanerThread,
// ColumnFamilyStore.FlushLargestMemtable.
func (c *Cluster) maybeFlush(node int) {
	n := c.Nodes[node]
	n.applied++
	if n.applied&0xff != 0 {
		return // looking at every write would cost more than the write
	}
	used := int64(0)
	var largest *storage.TableStore
	most := int64(-1)
	for _, s := range n.stores() {
		used += s.Mem.Heap
		heap := s.Mem.Heap
		for _, x := range c.indexesOf(s.Table) { // which are flushed with it
			heap += c.Store(node, x.Table).Mem.Heap
		}
		if heap > most && s.Table.IndexOf == nil {
			largest, most = s, heap
		}
	}
	if largest != nil && float64(used) > float64(c.Set.MemtableSpace)*c.Set.CleanupThreshold {
		c.Flush(node, largest.Table)
	}
}

// Flush writes a node's memtable of a table to SSTables, one unless the strategy
// cuts flushes too, those of its indexes with it, and looks for a compaction. It
// says which files of the table were made, none if the memtable was empty.
// Source: Cassandra 5.0 ColumnFamilyStore.Flush, UnifiedCompactionStrategy.createSSTableMultiWriter.
func (c *Cluster) Flush(node int, t *schema.Table) []*storage.SSTable {
	s := c.Store(node, t)
	if s.Mem.Partitions() > 0 && c.unwritable(node, t) {
		return nil
	}
	for _, x := range c.indexesOf(s.Table) {
		c.Flush(node, x.Table)
	}
	k, space := c.compacting(node, s), c.spaceOf(node, s.Table)
	shards := 1
	if u, is := k.strategy.(compaction.Unified); is {
		shards = u.Shards(float64(k.flushed))
	}
	s.Format = c.Set.Format
	files := s.FlushCut(int64(c.now), space.cuts(shards))
	c.Nodes[node].Log.Flushed(t.ID)
	if len(files) == 0 {
		return nil
	}
	bytes := int64(0)
	for _, file := range files {
		bytes += file.DataBytes
		c.guard(node, s.Table, file)
		if c.Listening() {
			c.emit(event.Record{Kind: event.Flush, Node: node, Peer: -1, What: t.Keyspace + "." + t.Name, N: int64(file.Gen), M: file.DataBytes})
		}
	}
	k.flushed.note(bytes)
	c.Nodes[node].PeakDisk = max(c.Nodes[node].PeakDisk, c.Nodes[node].DiskBytes())
	c.background(node, s)
	return files
}

// background starts the compaction that the table's strategy picks. If no
// compactor is free the table asks again later, unless one of its own is at work.
// Source: Cassandra 5.0 CompactionManager.submitBackground.
func (c *Cluster) background(node int, s *storage.TableStore) {
	if !c.Set.AutoCompaction || !s.Table.Options.CompactionEnabled() {
		return
	}
	n := c.Nodes[node]
	if len(n.running) >= c.Set.ConcurrentCompactors {
		busy := slices.ContainsFunc(n.running, func(k *Compaction) bool { return k.Table.ID == s.Table.ID })
		if !busy && !slices.Contains(n.asking, s.Table.ID) {
			n.asking = append(n.asking, s.Table.ID)
		}
		return
	}
	k := c.compacting(node, s)
	for _, side := range sides {
		table := c.compactionTable(node, s, k, side)
		if side == repaired && len(table.Files) == 0 {
			return
		}
		if side == unrepaired || len(n.running) < c.Set.ConcurrentCompactors {
			if pick := k.strategy.Next(table, &k.memory[side]); pick.Files != nil {
				k.last = pick
				c.submit(node, s, pick, table)
			}
		}
		c.checkLater(node, s, k, table, side)
	}
}

// submit begins a compaction of what was picked, if there is room for it.
func (c *Cluster) submit(node int, s *storage.TableStore, pick compaction.Pick, table *compaction.Table) {
	k := c.compactionOf(node, s, pick, table)
	if l, is := c.compacting(node, s).strategy.(compaction.Leveled); is && l.Uplevel && len(k.Inputs) == 1 && !pick.Single {
		c.uplevel(node, s, k)
		c.background(node, s)
		return
	}
	c.begin(node, k)
}

// Compact starts a major compaction of all files; running compactions of the
// table end without a result. split cuts a size-tiered output into halves.
// Source: Cassandra 5.0 CompactionManager.performMaximal.
func (c *Cluster) Compact(node int, t *schema.Table, split bool) []*Compaction {
	s := c.Store(node, t)
	c.interrupt(node, t)
	var out []*Compaction
	state := c.compacting(node, s)
	for _, side := range sides {
		table := c.compactionTable(node, s, state, side)
		for _, pick := range state.strategy.Major(table, split) {
			state.last = pick
			k := c.compactionOf(node, s, pick, table)
			k.Type = typeMajor
			if c.begin(node, k) {
				out = append(out, k)
			}
		}
	}
	c.compactWaiting(node)
	return out
}

// CompactFiles compacts files that somebody chose, given by generation. Without
// room for all of them it does nothing.
// Source: Cassandra 5.0 CompactionManager.forceUserDefinedCompaction.
func (c *Cluster) CompactFiles(node int, t *schema.Table, gens []int) (*Compaction, error) {
	s := c.Store(node, t)
	state := c.compacting(node, s)
	chosen := unrepaired
	for i, t := range s.SSTables {
		if slices.Contains(gens, t.Gen) {
			chosen = sideOf(s.SSTables[i])
		}
	}
	if chosen == inRepair {
		return nil, fmt.Errorf("the sstables of %s.%s on %s take part in a repair", t.Keyspace, t.Name, c.Nodes[node].Name)
	}
	table := c.compactionTable(node, s, state, chosen)
	var files []compaction.File
	for _, g := range gens {
		i := slices.IndexFunc(table.Files, func(f compaction.File) bool { return f.Gen == g })
		switch {
		case i < 0 && slices.ContainsFunc(s.SSTables, func(t *storage.SSTable) bool { return t.Gen == g }):
			return nil, fmt.Errorf("sstables of %s.%s on %s that a repair has seen and others are never compacted together", t.Keyspace, t.Name, c.Nodes[node].Name)
		case i < 0:
			return nil, fmt.Errorf("%s has no sstable %d of %s.%s", c.Nodes[node].Name, g, t.Keyspace, t.Name)
		case table.Files[i].Busy:
			return nil, fmt.Errorf("sstable %d of %s.%s on %s is being compacted already", g, t.Keyspace, t.Name, c.Nodes[node].Name)
		}
		if !slices.ContainsFunc(files, func(f compaction.File) bool { return f.Gen == g }) {
			files = append(files, table.Files[i])
		}
	}
	pick := state.strategy.Chosen(table, files)
	k := c.compactionOf(node, s, pick, table)
	k.chosen = true
	if !c.begin(node, k) {
		return nil, fmt.Errorf("%s", c.noSpace(k))
	}
	state.last = pick
	return k, nil
}

// dropCompactions ends a node's compactions of a table without a result and
// gives their place to others.
func (c *Cluster) dropCompactions(node int, t *schema.Table) {
	c.interrupt(node, t)
	c.compactWaiting(node)
}

// interrupt is dropCompactions for who goes on compacting the table.
func (c *Cluster) interrupt(node int, t *schema.Table) {
	n := c.Nodes[node]
	drop := func(k *Compaction) bool {
		if k.Table.ID != t.ID {
			return false
		}
		k.done = true
		delete(n.compactions, k.id)
		for _, in := range k.Inputs {
			in.Busy = false
		}
		return true
	}
	n.running = slices.DeleteFunc(n.running, drop)
	n.waiting = slices.DeleteFunc(n.waiting, drop)
	n.asking = slices.DeleteFunc(n.asking, func(id uuid.UUID) bool { return id == t.ID })
	c.reckon(node)
}

// String names the node with its place, for messages.
func (n *Node) String() string { return fmt.Sprintf("%s (%s, %s)", n.Name, n.DC, n.Rack) }
