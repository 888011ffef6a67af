package storage

import (
	"slices"
	"sort"

	"ringlab/engine/metrics"
	"ringlab/engine/sketch"
	"ringlab/model/schema"
	"ringlab/ring"
)

// SSTable is one immutable file.
type SSTable struct {
	Gen     int
	Origin  string // flush, compaction
	Level   int
	Created int64 // virtual µs

	Parts      []*Partition // in file order
	Stats      Stats        // of the header
	Held       Held
	Covered    Covered
	Rows       int64
	Format     Format
	DataBytes  int64 // exact size of an uncompressed Data.db
	OnDisk     int64 // length of Data.db, compressed where the table is: an estimate then
	IndexBytes int64
	Filter     *Bloom
	Busy       bool // input of a running compaction
	Suspect    bool // a read failed on it: compaction, scrub and verify leave it out until the node starts anew

	RepairedAt  int64  // ms since 1970 of the repair that has seen all of it; 0 for none
	Pending     uint64 // the repair that it takes part in; 0 for none
	content     content
	sketch      *sketch.Keys // once it has registers; a small one is made anew
	sketchBytes int32
	partitioner string
	logs        []LogSpan

	partitionsDB, rowsDB int64 // bytes of the tries of format da, -1 where they are not known

	reads   metrics.Reads
	rot     *rot  // nil for a file that is as it was written
	disk    int64 // bytes of all components
	packing *Packing
	checks  filterChecks
	marks   map[*Partition]*marks // of long partitions that were read
}

// Making is how a file comes to be.
type Making struct {
	Format      Format
	Gen         int
	Origin      string    // flush, compaction
	Created     int64     // virtual µs
	Keys        int64     // for how many its filter is made; 0 for those that it has
	Partitioner string    // the class, without its package
	Logs        []LogSpan // what of the commit log it holds
	Begun       []Begun   // partitions that were begun and taken back, in file order
}

// Begun is a partition that was begun, and taken back, before the one of that number.
// Statistics count what was written of it.
// Source: Cassandra 5.0 SSTableRewriter.tryAppend, which resets the data only.
type Begun struct {
	Before    int
	Partition *Partition
}

// NewSSTable writes partitions, in order, as a file with that header.
func NewSSTable(t *schema.Table, m Making, parts []*Partition, stats Stats) *SSTable {
	return newSSTable(t, m, parts, nil, stats)
}

// newSSTable is NewSSTable for partitions that stand as they came; order gives
// their places in file order, nil if they are in it. They are measured as they
// stand, since fetching a memtable's partitions from all over the heap would
// take longer than the rest of a flush.
func newSSTable(t *schema.Table, m Making, parts []*Partition, order []uint32, stats Stats) *SSTable {
	s := &SSTable{Format: m.Format, Gen: m.Gen, Origin: m.Origin, Parts: parts, Stats: stats, Created: m.Created, reads: metrics.NewReads(m.Created),
		partitioner: m.Partitioner, logs: m.Logs}
	z := newSizer(t, &stats, m.Format)
	if m.Keys == 0 {
		m.Keys = int64(len(parts))
	}
	s.Filter = NewBloom(m.Keys, t.Options.BloomFPChance)
	sizes := make([]struct{ data, key, index int64 }, len(parts))
	begun := m.Begun
	begin := func(before int) { // their cells count as the next one's, since they never end
		for ; len(begun) > 0 && begun[0].Before <= before; begun = begun[1:] {
			z.partition(begun[0].Partition)
			s.Covered.add(t, begun[0].Partition)
		}
	}
	for i, p := range parts {
		begin(i)
		sizes[i].data, sizes[i].key = z.partition(p), int64(len(p.Key))
		sizes[i].index = z.blocks.payload()
		z.content.partition()
		z.content.sizes.Add(metrics.SizeOffsets, sizes[i].data)
		s.Rows += int64(len(p.Rows))
		s.Filter.Add([]byte(p.Key))
		s.Covered.add(t, p)
	}
	begin(len(parts))
	s.Held, s.content = z.held, z.content
	s.content.close()
	if order != nil {
		s.Parts = make([]*Partition, len(parts))
	}
	keys := &sketch.Keys{}
	tries := newTries(t, m, &stats)
	for i := range parts {
		at := i
		if order != nil {
			at = int(order[i])
			s.Parts[i] = parts[at]
		}
		keys.Add(sketch.Hash(s.Parts[i].Key))
		s.IndexBytes += 2 + sizes[at].key + vint(uint64(s.DataBytes)) + vint(uint64(sizes[at].index)) + sizes[at].index
		tries.partition(s.Parts[i], s.DataBytes, sizes[at].data)
		s.DataBytes += sizes[at].data
	}
	s.partitionsDB, s.rowsDB = tries.sizes(s.Parts)
	if s.sketchBytes = int32(keys.Bytes()); keys.IsDense() {
		s.sketch = keys
	}
	s.OnDisk = s.DataBytes
	packing := PackingOf(t.Options, m.Origin == "flush")
	if s.packing = &packing; packing.IsOn() && len(parts) > 0 {
		s.OnDisk = compressedBytes(t, s, func(i int) int64 {
			if order != nil {
				i = int(order[i])
			}
			return sizes[i].data
		})
	}
	for _, c := range s.Components(t) {
		s.disk += max(c.Bytes, 0)
	}
	return s
}

// lasting says whether nothing in the file is deleted or expires: all of its rows
// are plain.
func (s *SSTable) lasting() bool { return s.Held.MinLocal == NoDeletionTime }

// DiskBytes is what all components take.
func (s *SSTable) DiskBytes() int64 { return s.disk }

// index is where the key stands or would stand.
func (s *SSTable) index(token ring.Token, key string) int {
	return sort.Search(len(s.Parts), func(i int) bool { return !less(s.Parts[i].Token, s.Parts[i].Key, token, key) })
}

// Lookup says what a read of the key finds: the partition, or nil with the
// reason: "range" (outside of first and last key), "bloom", or "false positive".
func (s *SSTable) Lookup(token ring.Token, key string) (*Partition, string) {
	if len(s.Parts) == 0 || token.Compare(s.Parts[0].Token) < 0 || token.Compare(s.Parts[len(s.Parts)-1].Token) > 0 {
		return nil, "range"
	}
	if !s.Filter.May([]byte(key)) {
		return nil, MissFilter
	}
	if i := s.index(token, key); i < len(s.Parts) && s.Parts[i].Key == key {
		return s.Parts[i], "hit"
	}
	return nil, MissIndex
}

// Size is the exact size of one partition in this file, 0 if it is not there.
func (s *SSTable) Size(t *schema.Table, token ring.Token, key string) int64 {
	p, _ := s.Lookup(token, key)
	if p == nil {
		return 0
	}
	return newSizer(t, &s.Stats, s.Format).partition(p)
}

// PartitionBytes is the size a partition would have in a file of its own.
func PartitionBytes(t *schema.Table, p *Partition) int64 {
	s := NewStats()
	s.Partition(t, p)
	return newSizer(t, &s, NB).partition(p)
}

// Partition counts everything that a partition holds.
func (s *Stats) Partition(t *schema.Table, p *Partition) {
	if !p.Del.IsLive() {
		s.Deletion(p.Del)
		s.PartitionDeletion = true
	}
	for _, r := range p.Ranges {
		s.Deletion(r.Del)
	}
	if !p.Static.IsZero() {
		s.Row(t, p.Static)
	}
	for _, r := range p.Rows {
		s.Row(t, r)
	}
}

// Compact merges files into what one output file holds: shadowed data goes, and
// so do the tombstones that may. gcBefore and now are seconds; may says whether
// a tombstone of that timestamp can go for that key, because nothing older
// overlaps outside. merged[n] counts the partitions that n+1 files had.
// Source: Cassandra 5.0 CompactionIterator.
func Compact(t *schema.Table, inputs []*SSTable, now, gcBefore int64, may func(p *Partition, timestamp int64) bool) (parts []*Partition, stats Stats, merged []int64) {
	return CompactBeside(t, inputs, nil, now, gcBefore, may)
}

// CompactBeside is Compact without what other files shadow; nil for none.
func CompactBeside(t *schema.Table, inputs []*SSTable, beside *Shadows, now, gcBefore int64, may func(p *Partition, timestamp int64) bool) (parts []*Partition, stats Stats, merged []int64) {
	stats, merged = NewStats(), make([]int64, len(inputs))
	for _, in := range inputs {
		stats.Join(&in.Stats, in.Held)
	}
	stats.PartitionDeletion = false
	m := merger{table: t}
	cursors := make([][]*Partition, len(inputs))
	var copies []*Partition
	most := 0
	for i, in := range inputs {
		cursors[i] = in.Parts
		most += len(in.Parts)
	}
	out := make([]*Partition, 0, most)
	for {
		copies = nextPartitions(cursors, copies[:0])
		if len(copies) == 0 {
			if len(out) < most-most/8 { // the file keeps the list for long
				out = slices.Clone(out)
			}
			return out, stats, merged
		}
		merged[len(copies)-1]++
		p := Merge(t, copies, false)
		if beside != nil {
			p = beside.Skip(t, p)
		}
		if !p.isPlain() {
			p = m.purgePartition(p, now, gcBefore, may)
		}
		if p.IsEmpty() {
			continue
		}
		stats.PartitionDeletion = stats.PartitionDeletion || !p.Del.IsLive()
		stats.Tombstones += p.tombstones()
		out = append(out, p)
	}
}

// isPlain says whether nothing of a partition is deleted or expires: it goes
// from file to file as it is.
func (p *Partition) isPlain() bool {
	if !p.Del.IsLive() || len(p.Ranges) > 0 || !p.Static.IsZero() && !p.Static.IsPlain() {
		return false
	}
	for _, r := range p.Rows {
		if !r.IsPlain() {
			return false
		}
	}
	return true
}

// nextPartitions takes the copies of the next partition off the cursors and adds
// them to out.
func nextPartitions(cursors [][]*Partition, out []*Partition) []*Partition {
	var least *Partition
	for _, c := range cursors {
		if len(c) > 0 && (least == nil || c[0].Before(least)) {
			least = c[0]
		}
	}
	if least == nil {
		return out
	}
	for i, c := range cursors {
		if len(c) > 0 && c[0].Key == least.Key {
			out = append(out, c[0])
			cursors[i] = c[1:]
		}
	}
	return out
}

// purgePartition drops what may go from a merged partition; p itself stays.
func (m *merger) purgePartition(p *Partition, now, gcBefore int64, mayGo func(p *Partition, timestamp int64) bool) *Partition {
	may := func(timestamp int64) bool { return mayGo(p, timestamp) }
	out := &Partition{Key: p.Key, Token: p.Token, Del: p.Del}
	if !p.Del.IsLive() && p.Del.Local < gcBefore && may(p.Del.At) {
		out.Del = Live
	}
	for _, r := range p.Ranges {
		if r.Del.Local < gcBefore && may(r.Del.At) {
			continue
		}
		out.Ranges = append(out.Ranges, r)
	}
	if !p.Static.IsZero() {
		out.Static = m.purge(p.Static, now, gcBefore, may)
	}
	out.Rows = make([]Row, 0, len(p.Rows))
	for _, r := range p.Rows {
		if r = m.purge(r, now, gcBefore, may); !r.IsZero() {
			out.Rows = append(out.Rows, r)
		}
	}
	return out
}

// tombstones counts the deletions of every kind in a partition.
func (p *Partition) tombstones() int64 {
	n := int64(len(p.Ranges))
	if !p.Del.IsLive() {
		n++
	}
	var v View
	count := func(r Row) {
		if r.IsZero() || r.IsPlain() {
			return
		}
		r.Unpack(&v)
		if !v.Deletion.IsLive() {
			n++
		}
		for i := range v.Cells {
			if v.Cells[i].IsTombstone() {
				n++
			}
		}
	}
	count(p.Static)
	for _, r := range p.Rows {
		count(r)
	}
	return n
}
