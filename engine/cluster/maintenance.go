package cluster

import (
	"fmt"
	"sort"
	"strings"

	"ringlab/engine/compaction"
	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// Compaction is one compaction on one node, running or finished.
type Compaction struct {
	Table      *schema.Table
	Inputs     []*storage.SSTable // while it runs
	Output     *storage.SSTable   // nil while it runs and when nothing was left
	Start, End sim.Time
	BytesIn    int64
	BytesOut   int64
	Major      bool
	gens       []int // of the inputs, ascending
	done       bool
}

// Gens are the generations of the inputs, ascending.
func (k *Compaction) Gens() []int { return k.gens }

func (k *Compaction) gensText() string {
	s := make([]string, len(k.gens))
	for i, g := range k.gens {
		s[i] = itoa(g)
	}
	return strings.Join(s, "+")
}

// Running are the node's compactions in progress.
func (n *Node) Running() []*Compaction { return n.running }

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
	for _, s := range n.stores() {
		used += s.Mem.Heap
		if largest == nil || s.Mem.Heap > largest.Mem.Heap {
			largest = s
		}
	}
	if largest != nil && float64(used) > float64(c.Set.MemtableSpace)*c.Set.CleanupThreshold {
		c.Flush(node, largest.Table)
	}
}

// Flush writes a node's memtable of a table to an SSTable and looks for a
// compaction. It says which file was made, nil if the memtable was empty.
func (c *Cluster) Flush(node int, t *schema.Table) *storage.SSTable {
	s := c.Store(node, t)
	file := s.Flush(int64(c.now))
	c.Nodes[node].Log.Flushed(t.ID)
	if file == nil {
		return nil
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.Flush, Node: node, Peer: -1, What: t.Keyspace + "." + t.Name, N: int64(file.Gen), M: file.DataBytes})
	}
	c.background(node, s)
	return file
}

// files are what a strategy sees of the files that are free.
func files(s *storage.TableStore) []compaction.File {
	var out []compaction.File
	for i := len(s.SSTables) - 1; i >= 0; i-- {
		if t := s.SSTables[i]; !t.Busy {
			out = append(out, compaction.File{Gen: t.Gen, Bytes: t.DataBytes, Disk: t.DiskBytes()})
		}
	}
	return out
}

// Buckets are the size tiers of a node's table now.
func (c *Cluster) Buckets(node int, t *schema.Table) []compaction.Bucket {
	return sizeTiered(t).Buckets(files(c.Store(node, t)))
}

// background starts the compaction that the table's strategy picks, if a
// compactor is free. Source: Cassandra 5.0 CompactionManager.submitBackground.
func (c *Cluster) background(node int, s *storage.TableStore) {
	if !c.Set.AutoCompaction || !s.Table.Options.CompactionEnabled() || len(c.Nodes[node].running) >= c.Set.ConcurrentCompactors {
		return
	}
	if picked := sizeTiered(s.Table).Pick(files(s)); picked != nil {
		c.compact(node, s, picked, false)
	}
}

// Compact starts a major compaction of all files; nil if there is none.
func (c *Cluster) Compact(node int, t *schema.Table) *Compaction {
	s := c.Store(node, t)
	if all := files(s); len(all) > 0 {
		return c.compact(node, s, all, true)
	}
	return nil
}

// compact starts a compaction; it takes as long as reading its inputs at the
// throughput limit.
func (c *Cluster) compact(node int, s *storage.TableStore, picked []compaction.File, major bool) *Compaction {
	k := &Compaction{Table: s.Table, Start: c.now, Major: major}
	want := map[int]bool{}
	for _, f := range picked {
		want[f.Gen] = true
	}
	for _, t := range s.SSTables {
		if want[t.Gen] {
			t.Busy = true
			k.Inputs, k.gens = append(k.Inputs, t), append(k.gens, t.Gen)
			k.BytesIn += t.DataBytes
		}
	}
	sort.Ints(k.gens)
	rate := c.Set.CompactionThroughput
	if rate <= 0 {
		rate = 200 << 20 // a disk of the usual speed; modelled
	}
	n := c.Nodes[node]
	k.End = c.now + n.service(max(sim.Millisecond, sim.Time(float64(k.BytesIn)/float64(rate)*float64(sim.Second))))
	n.running = append(n.running, k)
	n.compactions = append(n.compactions, k)
	if c.Listening() {
		c.emit(event.Record{Kind: event.CompactBegin, Node: node, Peer: -1, What: k.Table.Keyspace + "." + k.Table.Name, Text: k.gensText()})
	}
	c.queue.Push(k.End, task{kind: taskCompacted, from: int32(node), to: int32(node), gen: uint64(len(n.compactions) - 1)})
	return k
}

// onCompacted puts the output in the place of the inputs.
func (c *Cluster) onCompacted(t *task) {
	node := int(t.to)
	n := c.Nodes[node]
	k := n.compactions[t.gen]
	if k == nil || k.done {
		return
	}
	k.done = true
	n.compactions[t.gen] = nil
	defer func() { k.Inputs = nil }() // what was compacted away need not be kept
	s := n.Stores[k.Table.ID]
	n.running = removeCompaction(n.running, k)
	if s == nil {
		return
	}
	now := c.Seconds(node)
	busy := map[*storage.SSTable]bool{}
	for _, in := range k.Inputs {
		busy[in] = true
	}
	may := func(p *storage.Partition, ts int64) bool { return s.Purgeable(p, ts, busy) }
	parts, stats := storage.Compact(s.Table, k.Inputs, now, now-int64(s.Table.Options.GCGrace), may)
	if len(parts) > 0 {
		k.Output = storage.NewSSTable(s.Table, s.NextGen, "compaction", parts, stats, int64(c.now))
		s.NextGen++
		k.BytesOut = k.Output.DataBytes
	}
	s.Replace(k.Inputs, k.Output)
	gen := int64(0)
	if k.Output != nil {
		gen = int64(k.Output.Gen)
	}
	n.Done = append(n.Done, k)
	if len(n.Done) > 64 {
		n.Done = append(n.Done[:0:0], n.Done[1:]...)
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.CompactEnd, Node: node, Peer: -1, What: k.Table.Keyspace + "." + k.Table.Name, Text: k.gensText(), N: gen, M: k.BytesOut})
	}
	c.background(node, s)
}

func removeCompaction(list []*Compaction, k *Compaction) []*Compaction {
	out := list[:0]
	for _, x := range list {
		if x != k {
			out = append(out, x)
		}
	}
	return out
}

// dropCompactions ends a node's compactions of a table without a result.
func (c *Cluster) dropCompactions(node int, t *schema.Table) {
	n := c.Nodes[node]
	kept := n.running[:0]
	for _, k := range n.running {
		if k.Table.ID == t.ID {
			k.done = true
			continue
		}
		kept = append(kept, k)
	}
	n.running = kept
}

// Load is what a node's files and memtables of user tables take, in bytes.
func (n *Node) Load() int64 {
	total := int64(0)
	for _, s := range n.Stores {
		total += s.DiskBytes() + s.Mem.Data
	}
	return total
}

// String names the node with its place, for messages.
func (n *Node) String() string { return fmt.Sprintf("%s (%s, %s)", n.Name, n.DC, n.Rack) }
