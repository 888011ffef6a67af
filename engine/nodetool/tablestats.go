package nodetool

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ringlab/engine/cluster"
	"ringlab/engine/compaction"
	"ringlab/engine/metrics"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// tableStats. Tables stand in the order of their names, those of a real node in
// that of a hash table. Source: Cassandra 5.0 TableStats, TableStatsHolder,
// TableStatsPrinter.
func tableStats(k *call) error {
	if err := k.plain(); err != nil {
		return err
	}
	for _, o := range [][2]string{{"-s", "-s"}, {"-t", "-t"}, {"-l", "-l"}} {
		if k.has(o[0]) {
			return beyond("tablestats "+o[1], "without it all tables are shown, by name")
		}
	}
	tables, err := k.selected()
	if err != nil || len(tables) == 0 {
		return err
	}
	total := 0
	for _, list := range tables {
		total += len(list)
	}
	k.printf("Total number of tables: %d\n----------------\n", total)
	for _, list := range tables {
		k.keyspaceStats(list[0].Keyspace)
		for _, t := range list {
			k.table(t)
		}
		k.line("----------------")
	}
	return nil
}

// selected lists the tables to show, by keyspace.
func (k *call) selected() ([][]*schema.Table, error) {
	type want struct {
		keyspace string
		tables   []string
	}
	var wanted []want
	for _, a := range k.args {
		ks, t, named := strings.Cut(a, ".")
		i := slices.IndexFunc(wanted, func(w want) bool { return w.keyspace == ks })
		if i < 0 {
			i = len(wanted)
			wanted = append(wanted, want{keyspace: ks})
		}
		if named {
			wanted[i].tables = append(wanted[i].tables, t)
		}
		if schema.System(ks) && !k.has("-i") {
			return nil, beyond("tablestats of "+ks, "nodes of a lab keep no files of it; take a keyspace of your own")
		}
	}
	for _, w := range wanted {
		if k.Schema.Keyspace(w.keyspace) == nil && !schema.System(w.keyspace) {
			return nil, misused("Unknown keyspace: %s", w.keyspace)
		}
	}
	for _, w := range wanted {
		var unknown []string
		for _, t := range w.tables {
			if k.TableOrIndex(w.keyspace, t) == nil {
				unknown = append(unknown, t)
			}
		}
		if unknown != nil && !schema.System(w.keyspace) {
			return nil, misused("Unknown tables: [%s] in keyspace: %s", strings.Join(unknown, ", "), w.keyspace)
		}
	}
	var out [][]*schema.Table
	for _, ks := range k.Schema.Names() {
		var list []*schema.Table
		i := slices.IndexFunc(wanted, func(w want) bool { return w.keyspace == ks })
		for _, t := range k.withIndexes(ks) {
			in := len(wanted) == 0 || i >= 0 && (len(wanted[i].tables) == 0 || slices.Contains(wanted[i].tables, t.Name))
			if in != k.has("-i") {
				list = append(list, t)
			}
		}
		if list != nil {
			out = append(out, list)
		}
	}
	return out, nil
}

// withIndexes are the tables of a keyspace, each behind those of its indexes.
// Source: Cassandra 5.0 ColumnFamilyStoreMBeanIterator.
func (k *call) withIndexes(keyspace string) []*schema.Table {
	var out []*schema.Table
	for _, name := range k.Schema.Keyspace(keyspace).TableNames() {
		t := k.Schema.Table(keyspace, name)
		out = append(append(out, k.IndexTables(t)...), t)
	}
	return out
}

// keyspaceStats adds up all tables of a keyspace. Source: Cassandra 5.0 StatsKeyspace.
func (k *call) keyspaceStats(keyspace string) {
	var read, write metrics.Latency
	for _, t := range k.withIndexes(keyspace) {
		m := &k.Store(k.node.Index, t).Metrics
		read.Count, read.Total = read.Count+m.Read.Count, read.Total+m.Read.Total
		write.Count, write.Total = write.Count+m.Write.Count, write.Total+m.Write.Total
	}
	mean := func(l metrics.Latency) string {
		if l.Count == 0 {
			return "NaN"
		}
		return decimal(float64(l.Total) / float64(l.Count) / 1000)
	}
	k.printf("Keyspace: %s\n\tRead Count: %d\n\tRead Latency: %s ms\n\tWrite Count: %d\n\tWrite Latency: %s ms\n\tPending Flushes: 0\n",
		keyspace, read.Count, mean(read), write.Count, mean(write))
}

// repairs adds up a table's data by what repairs have seen of it, in bytes.
// Source: Cassandra 5.0 TableMetrics.bytesRepaired, percentRepaired.
type repairs struct{ repaired, unrepaired, pending int64 }

func repairedOf(files []*storage.SSTable) (r repairs) {
	for _, f := range files {
		switch {
		case f.Pending != 0:
			r.pending += f.DataBytes
		case f.RepairedAt != 0:
			r.repaired += f.DataBytes
		default:
			r.unrepaired += f.DataBytes
		}
	}
	return r
}

func (r repairs) percent() float64 {
	if all := r.repaired + r.unrepaired + r.pending; all > 0 {
		return math.Round(float64(r.repaired)/float64(all)*10000) / 100
	}
	return 100
}

// table prints one table.
func (k *call) table(t *schema.Table) {
	s := k.Store(k.node.Index, t)
	now := k.now()
	line := func(format string, args ...any) { k.printf("\t\t"+format+"\n", args...) }
	size := func(bytes int64) string {
		if k.has("-H") {
			return fileSize(bytes)
		}
		return fmt.Sprint(bytes)
	}
	z := SizesOf(s, k.Set.Format)
	kind := "Table"
	if t.IndexOf != nil {
		kind = "Table (index)"
	}
	line("%s: %s", kind, t.Name)
	line("SSTable count: %d", len(s.SSTables))
	line("Old SSTable count: %d", z.Old)
	line("Max SSTable size: %s", storage.MemoryText(z.Largest))
	if t.Options.CompactionClass() == schema.TimeWindow {
		line("SSTables Time Window: %s", timeWindow(t, s))
	}
	if t.Options.CompactionClass() == schema.Leveled {
		counts, bytes := levels(t, s, size)
		line("SSTables in each level: [%s]", strings.Join(counts, ", "))
		line("SSTable bytes in each level: [%s]", strings.Join(bytes, ", "))
	}
	line("Space used (live): %s", size(z.Disk))
	line("Space used (total): %s", size(z.Disk))
	line("Space used by snapshots (total): %s", size(0))
	off := offHeap(s)
	line("Off heap memory used (total): %s", size(off.total()))
	ratio := -1.0
	if packed := storage.Compressed(s.SSTables); len(packed) > 0 {
		ratio = storage.Ratio(packed)
	}
	line("SSTable Compression Ratio: %s", fixed(ratio, 5))
	line("Number of partitions (estimate): %d", s.EstimatedPartitions())
	line("Memtable cell count: %d", s.Mem.Ops)
	line("Memtable data size: %s", size(s.Mem.Data))
	line("Memtable off heap memory used: %s", size(0))
	line("Memtable switch count: %d", s.Flushes)
	m := &s.Metrics
	line("Speculative retries: %d", m.Speculative)
	line("Local read count: %d", m.Read.Count)
	line("Local read latency: %s ms", millis(m.Read.Recent(now)))
	line("Local write count: %d", m.Write.Count)
	line("Local write latency: %s ms", millis(m.Write.Recent(now)))
	ratio = 0
	if m.Write.Count > 0 {
		ratio = float64(m.Read.Count) / float64(m.Write.Count)
	}
	line("Local read/write ratio: %s", fixed(ratio, 5))
	line("Pending flushes: 0")
	r := repairedOf(s.SSTables)
	line("Percent repaired: %s", decimal(r.percent()))
	line("Bytes repaired: %s", storage.MemoryText(r.repaired))
	line("Bytes unrepaired: %s", storage.MemoryText(r.unrepaired))
	line("Bytes pending repair: %s", storage.MemoryText(r.pending))
	line("Bloom filter false positives: %d", s.FalsePositives())
	line("Bloom filter false ratio: %s", fixed(s.RecentFalseRatio(), 5))
	line("Bloom filter space used: %s", size(z.Filter))
	line("Bloom filter off heap memory used: %s", size(off.filter))
	line("Index summary off heap memory used: %s", size(off.summary))
	line("Compression metadata off heap memory used: %s", size(off.compression))
	line("Compacted partition minimum bytes: %d", z.Min)
	line("Compacted partition maximum bytes: %d", z.Max)
	line("Compacted partition mean bytes: %d", z.Mean)
	live, dead := m.Live(now), m.Tombstones(now)
	line("Average live cells per slice (last five minutes): %s", decimal(live.RawMean()))
	line("Maximum live cells per slice (last five minutes): %d", live.Max())
	line("Average tombstones per slice (last five minutes): %s", decimal(dead.RawMean()))
	line("Maximum tombstones per slice (last five minutes): %d", dead.Max())
	line("Droppable tombstone ratio: %s", fixed(Droppable(k.Cluster, k.node, s), 5))
	k.line("")
}

// millis is the mean of a latency in milliseconds, NaN without any.
func millis(h *metrics.Histogram) string {
	mean := h.RawMean() / 1000
	if !(mean > 0) {
		return "NaN"
	}
	return fixed(mean, 3)
}

// Sizes are the sizes of a table's files on one node, in bytes. Those of
// partitions come from histograms.
type Sizes struct {
	Disk, Data, Filter, Largest int64
	Min, Max, Mean              int64
	Old                         int // files of a version before the newest
}

// SizesOf adds them up. Source: Cassandra 5.0 TableMetrics.minPartitionSize,
// maxPartitionSize, meanPartitionSize, maxSSTableSize.
func SizesOf(s *storage.TableStore, newest storage.Format) Sizes {
	var z Sizes
	sum, count := int64(0), int64(0)
	for _, t := range s.SSTables {
		z.Disk += t.DiskBytes()
		z.Data += t.DataBytes
		z.Filter += t.Filter.Bytes()
		z.Largest = max(z.Largest, t.DiskBytes())
		if t.Format == storage.NB && newest != storage.NB {
			z.Old++
		}
		h := t.PartitionSizes()
		if low := h.Min(); z.Min == 0 || low < z.Min {
			z.Min = low
		}
		z.Max = max(z.Max, h.Max())
		n := h.Count()
		sum += h.Mean() * n
		count += n
	}
	if count > 0 {
		z.Mean = sum / count
	}
	return z
}

// Droppable is the share of a table's cells on a node that a compaction could drop.
// Source: Cassandra 5.0 ColumnFamilyStore.getDroppableTombstoneRatio.
func Droppable(c *cluster.Cluster, n *cluster.Node, s *storage.TableStore) float64 {
	droppable, cells := 0.0, int64(0)
	for _, t := range s.SSTables {
		d, all := t.Droppable(c.Seconds(n.Index) - int64(s.Table.Options.GCGrace))
		droppable += d
		cells += all
	}
	if cells == 0 {
		return 0
	}
	return droppable / float64(cells)
}

// timeWindow is the window of a table in the words of its options, null where they
// do not say it, and the longest time that a file spans.
// Source: Cassandra 5.0 TableStatsHolder.maybeAddTWCSWindowWithMaxDuration.
func timeWindow(t *schema.Table, s *storage.TableStore) string {
	option := func(name string) string {
		for _, o := range t.Options.Compaction {
			if o.Key == name {
				return o.Value
			}
		}
		return "null"
	}
	longest := int64(0)
	for _, f := range s.SSTables {
		if from, to := f.Times(); from != math.MaxInt64 && to > from {
			longest = max(longest, (to-from)/1000)
		}
	}
	return fmt.Sprintf("%s %s, max duration: %s", option("compaction_window_size"), option("compaction_window_unit"), duration(longest))
}

// levels are the files of each level, with its limit where there are more, and
// their bytes. Source: Cassandra 5.0 TableStatsHolder, LeveledManifest.getAllLevelSize.
func levels(t *schema.Table, s *storage.TableStore, size func(int64) string) (counts, bytes []string) {
	var n, sum [9]int64
	for _, f := range s.SSTables {
		at := min(max(f.Level, 0), 8)
		n[at]++
		sum[at] += f.OnDisk
	}
	fanout := int64(compaction.DefaultLeveled.Fanout)
	if l, is := cluster.CompactionStrategy(t.Options).(compaction.Leveled); is {
		fanout = int64(l.Fanout)
	}
	limit := int64(4) // of L0
	for i := range n {
		if i == 1 {
			limit = 1
		}
		if i > 0 {
			limit *= fanout
		}
		text := fmt.Sprint(n[i])
		if n[i] > limit {
			text += fmt.Sprintf("/%d", limit)
		}
		counts, bytes = append(counts, text), append(bytes, size(sum[i]))
	}
	return counts, bytes
}
