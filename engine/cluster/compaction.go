package cluster

import (
	"math"
	"slices"
	"strings"

	"ringlab/engine/compaction"
	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

// Compaction is one compaction on one node: waiting for a compactor, running or
// finished.
type Compaction struct {
	Table      *schema.Table
	Type       string             // as nodetool names it
	Inputs     []*storage.SSTable // while it runs
	Outputs    []*storage.SSTable // when it is finished; none if nothing was left
	Start, End sim.Time           // End is an estimate while it runs
	BytesIn    int64              // of the inputs that are read
	BytesOut   int64
	DiskIn     int64 // as BytesIn and BytesOut, compressed where the table is
	DiskOut    int64
	Level      int     // of the outputs
	Merged     []int64 // by number of files less one: partitions that so many had
	Why        string

	large    []largeRow // that are read twice
	again    int64      // their bytes
	id       uint64
	gens     []int // of the inputs, ascending
	expired  map[*storage.SSTable]bool
	pick     compaction.Pick
	side     side
	garbage  Granularity
	beside   *storage.Shadows // nil for none
	chosen   bool             // by somebody, so it is done wholly or not at all
	now      int64
	gcBefore int64
	read     float64  // bytes, until since
	since    sim.Time // of when the rate holds
	rate     float64  // bytes a second
	running  bool
	Failed   string // why an input could not be read, or the output not written; "" if all went well
	done     bool
}

// Gens are the generations of the inputs, ascending.
func (k *Compaction) Gens() []int { return k.gens }

// Finished says whether it is over, with or without a result.
func (k *Compaction) Finished() bool { return k.done }

// OutputGens are the generations of the outputs, ascending.
func (k *Compaction) OutputGens() []int {
	var out []int
	for _, t := range k.Outputs {
		out = append(out, t.Gen)
	}
	return out
}

func gensText(gens []int) string {
	s := make([]string, len(gens))
	for i, g := range gens {
		s[i] = itoa(g)
	}
	return strings.Join(s, "+")
}

// The types of compaction, as nodetool names them.
// Source: Cassandra 5.0 OperationType.
const (
	typeCompaction = "Compaction"
	typeTombstone  = "Tombstone Compaction"
	typeMajor      = "Major compaction"
	typeGarbage    = "Remove deleted data"
	typeUpgrade    = "Upgrade sstables"
)

// compactionOf makes a compaction of what a strategy picked.
func (c *Cluster) compactionOf(node int, s *storage.TableStore, pick compaction.Pick, table *compaction.Table) *Compaction {
	k := &Compaction{Table: s.Table, Type: typeCompaction, Level: pick.Level, Why: pick.Why, pick: pick, Start: c.now, now: c.Seconds(node), gcBefore: table.GCBefore,
		garbage: granularity(s.Table.Options)}
	if c.flaw == flawPurge {
		k.gcBefore = k.now + 1
	}
	if pick.Single {
		k.Type = typeTombstone
	}
	byGen := map[int]*storage.SSTable{}
	for _, t := range s.SSTables {
		byGen[t.Gen] = t
	}
	for _, f := range pick.Files {
		k.Inputs = append(k.Inputs, byGen[f.Gen])
		k.side = sideOf(byGen[f.Gen])
	}
	k.expired = map[*storage.SSTable]bool{}
	if k.keepsTombstones() {
		k.gcBefore = math.MinInt64
	} else {
		for _, f := range compaction.Expired(table, pick.Files) {
			k.expired[byGen[f.Gen]] = true
		}
	}
	slices.SortFunc(k.Inputs, func(a, b *storage.SSTable) int { return b.Gen - a.Gen })
	return k
}

// begin starts a compaction, if there is room for its output and a
// compactor is free; without one it waits. It is false if there is no room.
func (c *Cluster) begin(node int, k *Compaction) bool {
	n := c.Nodes[node]
	if !c.fit(node, k) {
		return false
	}
	for _, t := range k.Inputs {
		t.Busy = true
		k.gens = append(k.gens, t.Gen)
		if !k.expired[t] {
			k.BytesIn += t.DataBytes
			k.DiskIn += t.OnDisk
		}
	}
	slices.Sort(k.gens)
	if s := n.Stores[k.Table.ID]; s != nil {
		k.large = c.largeRows(s, k)
	}
	for _, r := range k.large {
		k.again += r.now
	}
	n.begun++
	k.id = n.begun
	n.compactions[k.id] = k
	if len(n.running) >= c.Set.ConcurrentCompactors {
		n.waiting = append(n.waiting, k)
		return true
	}
	c.start(node, k)
	return true
}

func (c *Cluster) start(node int, k *Compaction) {
	n := c.Nodes[node]
	k.Start, k.since, k.running = c.now, c.now, true
	k.beside = c.shadows(node, k)
	n.running = append(n.running, k)
	if c.Listening() {
		c.emit(event.Record{Kind: event.CompactBegin, Node: node, Peer: -1, What: k.Table.Keyspace + "." + k.Table.Name, Text: gensText(k.gens)})
	}
	c.tellLargeRows(node, k)
	c.reckon(node)
}

// diskRate is what a disk of the usual speed reads and writes a second, in bytes;
// modelled.
const diskRate = 200 << 20

// rate is what each of a node's running compactions reads in a second: they
// share the throughput. Source: Cassandra 5.0 CompactionManager.getRateLimiter.
func (c *Cluster) rate(n *Node) float64 {
	rate := c.Set.CompactionThroughput
	if rate <= 0 {
		rate = diskRate
	}
	return float64(rate) / float64(max(n.Slow, 1)) / float64(max(len(n.running), 1))
}

// toRead is what a compaction reads in all, in bytes: its inputs, and large rows
// again.
func (k *Compaction) toRead() int64 { return k.BytesIn + k.again }

// readAt is how much of that it has read.
func (k *Compaction) readAt(now sim.Time) float64 {
	return min(k.read+float64(float64(now-k.since)/float64(sim.Second)*k.rate), float64(k.toRead()))
}

// reckon estimates when a node's compactions end, where their rate has changed.
func (c *Cluster) reckon(node int) {
	n := c.Nodes[node]
	rate := c.rate(n)
	for _, k := range n.running {
		if k.rate == rate {
			continue
		}
		k.read, k.since, k.rate = k.readAt(c.now), c.now, rate
		left := sim.Time((float64(k.toRead()) - k.read) / rate * float64(sim.Second))
		k.End = max(c.now+left, k.Start+n.service(sim.Millisecond))
		c.queue.Push(k.End, task{kind: taskCompacted, from: int32(node), to: int32(node), gen: k.id})
	}
}

// Slowed follows a node that has become slower or faster.
func (c *Cluster) Slowed(n *Node) { c.reckon(n.Index) }

// Progress is the share of its input that a compaction has read, 0..1.
func (c *Cluster) Progress(k *Compaction) float64 {
	switch {
	case k.done:
		return 1
	case !k.running:
		return 0
	case k.BytesIn == 0:
		return float64(c.now-k.Start) / float64(max(k.End-k.Start, 1))
	}
	// The first millisecond is that of setting up.
	return min(k.readAt(c.now)/float64(k.toRead()), float64(c.now-k.Start)/float64(max(k.End-k.Start, 1)))
}

// Change changes the settings; running compactions go on with the new ones.
func (c *Cluster) Change(change func(*Settings) error) error {
	err := change(&c.Set)
	for i, n := range c.Nodes {
		n.RowCache.Capacity = c.Set.RowCacheSize
		n.RowCache.Trim()
		c.compactWaiting(i)
		c.reckon(i)
	}
	return err
}

// onCompacted puts the outputs in the place of the inputs, unless the compaction
// ends later than was thought when the task was made.
func (c *Cluster) onCompacted(t *task) {
	node := int(t.to)
	n := c.Nodes[node]
	k := n.compactions[t.gen]
	if k == nil || c.now < k.End {
		return
	}
	k.done = true
	delete(n.compactions, k.id)
	defer func() { k.Inputs, k.expired, k.beside = nil, nil, nil }() // what was compacted away need not be kept
	n.running = slices.DeleteFunc(n.running, func(x *Compaction) bool { return x == k })
	s := n.Stores[k.Table.ID]
	if s != nil && c.spoiled(node, k) {
		c.reckon(node)
		c.compactWaiting(node)
		return
	}
	if s != nil {
		c.replace(node, s, k)
	}
	n.Done = append(n.Done, k)
	n.Finished++
	n.Compactions.Mark(int64(c.now))
	n.BytesCompacted += k.BytesIn
	if len(n.Done) > 64 {
		n.Done = append(n.Done[:0:0], n.Done[1:]...)
	}
	if c.Listening() {
		out := gensText(k.OutputGens())
		if out == "" {
			out = "nothing"
		}
		c.emit(event.Record{Kind: event.CompactEnd, Node: node, Peer: -1, What: k.Table.Keyspace + "." + k.Table.Name, Text: gensText(k.gens) + " -> " + out, M: k.BytesOut})
	}
	c.reckon(node)
	c.compactWaiting(node)
	if s != nil && !k.rewrites() {
		c.background(node, s)
	}
}

// rewrites says whether it writes a file anew because somebody wants it.
func (k *Compaction) rewrites() bool { return k.Type == typeGarbage || k.Type == typeUpgrade }

// compactWaiting gives free compactors to what waits: compactions first, then tables that
// asked in vain.
func (c *Cluster) compactWaiting(node int) {
	n := c.Nodes[node]
	for len(n.waiting) > 0 && len(n.running) < c.Set.ConcurrentCompactors {
		k := n.waiting[0]
		n.waiting = n.waiting[1:]
		if !k.done {
			c.start(node, k)
		}
	}
	for len(n.asking) > 0 && len(n.running) < c.Set.ConcurrentCompactors {
		id := n.asking[0]
		n.asking = n.asking[1:]
		if s := n.Stores[id]; s != nil {
			c.background(node, s)
		}
	}
}

// replace merges a compaction's inputs and puts the files that come out of it in
// their place.
func (c *Cluster) replace(node int, s *storage.TableStore, k *Compaction) {
	inside := map[*storage.SSTable]bool{}
	var read []*storage.SSTable
	for _, in := range k.Inputs {
		inside[in] = true
		if !k.expired[in] {
			read = append(read, in)
		}
	}
	may := func(p *storage.Partition, ts int64) bool { return s.Purgeable(p, ts, inside) }
	parts, stats, merged := storage.CompactBeside(s.Table, read, k.beside, k.now, k.gcBefore, may)
	k.Merged = merged
	if !k.rewrites() {
		c.purgeIndexes(node, s.Table, read, parts)
	}
	s.Format = c.Set.Format
	ratio := storage.Ratio(read) // files are cut by their size on disk
	w := compaction.NewWriter(k.pick, k.DiskIn, c.spaceOf(node, s.Table).cuts(k.pick.Shards))
	chunks := [][]*storage.Partition{parts}
	if w.Cuts() {
		chunks = storage.Cut(s.Table, s.Format, parts, &stats, func(written int64, token ring.Token) bool {
			return w.Next(int64(float64(written)*ratio), token)
		})
	}
	keys, logs := c.filterKeys(node, s, k, read), storage.LogsOf(k.Inputs)
	for i, chunk := range chunks {
		if len(chunk) == 0 {
			continue
		}
		header := stats
		if len(chunks) > 1 {
			header = stats.Share(chunk)
		}
		m := s.Making("compaction", int64(c.now))
		m.Keys, m.Logs = keys(i, chunk[0].Token), logs
		out := storage.NewSSTable(s.Table, m, chunk, header)
		s.NextGen++
		out.Level, out.RepairedAt = w.Level(i), k.repairedAt()
		k.Outputs = append(k.Outputs, out)
		c.guard(node, s.Table, out)
		k.BytesOut += out.DataBytes
		k.DiskOut += out.OnDisk
	}
	c.place(node, s, k)
}

// repairedAt is when the output counts as repaired: when the input that was
// repaired first was. Source: Cassandra 5.0 CompactionTask.getMinRepairedAt.
func (k *Compaction) repairedAt() int64 {
	least := int64(0)
	for i, t := range k.Inputs {
		if i == 0 || t.RepairedAt < least {
			least = t.RepairedAt
		}
	}
	return least
}

// place gives the outputs their levels and the store its files. A file that would
// overlap others of its level falls to L0.
// Source: Cassandra 5.0 LeveledManifest.replace, LeveledGenerations.addAll.
func (c *Cluster) place(node int, s *storage.TableStore, k *Compaction) {
	state, n := c.compacting(node, s), c.Nodes[node]
	used := n.DiskBytes()
	for _, t := range k.Outputs {
		used += t.DiskBytes()
	}
	n.PeakDisk = max(n.PeakDisk, used)
	s.Replace(k.Inputs, k.Outputs...)
	var in, out []compaction.File
	for _, t := range k.Inputs {
		in = append(in, t.File())
	}
	for _, t := range k.Outputs {
		if t.Level > 0 && !compaction.Fits(t.File(), c.filesOf(node, s, k.side)) {
			t.Level = 0
		}
		out = append(out, t.File())
	}
	state.memory[k.side].Finished(in, out)
}

// uplevel lifts a lone file into its next level without reading it.
// Source: Cassandra 5.0 SingleSSTableLCSTask.
func (c *Cluster) uplevel(node int, s *storage.TableStore, k *Compaction) {
	lifted := *k.Inputs[0]
	lifted.Level = k.Level
	k.Outputs = []*storage.SSTable{&lifted}
	for i, t := range s.SSTables {
		if t == k.Inputs[0] {
			s.SSTables[i] = &lifted
		}
	}
	before, after := k.Inputs[0].File(), lifted.File()
	c.compacting(node, s).memory[k.side].Finished([]compaction.File{before}, []compaction.File{after})
}

// ID is the compaction's number on its node, from 1.
func (k *Compaction) ID() uint64 { return k.id }
