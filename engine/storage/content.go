package storage

import (
	"ringlab/engine/compaction"
	"ringlab/engine/metrics"
	"ringlab/model/schema"
	"ringlab/ring"
)

// content is what compaction asks of a file beyond its sizes: when its newest
// data was written, when the last of it dies, when its tombstones can be dropped
// and how many cells a partition has. Source: Cassandra 5.0 MetadataCollector.
type content struct {
	maxTimestamp int64
	maxLocal     int64 // seconds; NoDeletionTime if anything lives on
	cells        int64 // of the current partition, then of the mean partition times partitions
	partitions   int64
	offsets      int64          // sum of the partitions' cells, as their histogram counts them
	perPartition metrics.Sparse // the histogram of cells a partition
	sizes        metrics.Sparse // the histogram of partitions' bytes

	second   int64 // that ends came for last, n times, not yet in bySecond
	n        int64
	bySecond map[int64]int64
	drops    compaction.Drops
}

// ends counts something that dies or died in a second, or lives on.
func (c *content) ends(second int64) {
	c.maxLocal = max(c.maxLocal, second)
	if second == NoDeletionTime {
		return
	}
	if second != c.second {
		c.put()
		c.second = second
	}
	c.n++
}

func (c *content) put() {
	if c.n == 0 {
		return
	}
	if c.bySecond == nil {
		c.bySecond = map[int64]int64{}
	}
	c.bySecond[c.second] += c.n
	c.n = 0
}

// partition ends a partition.
func (c *content) partition() {
	i := c.perPartition.Add(metrics.CellOffsets, c.cells)
	c.offsets += metrics.CellOffsets[min(i, len(metrics.CellOffsets)-1)]
	c.partitions++
	c.cells = 0
}

// close makes the histogram.
func (c *content) close() {
	c.put()
	if c.bySecond != nil {
		c.drops, c.bySecond = compaction.NewDrops(c.bySecond), nil
	}
	if c.partitions > 0 {
		c.cells = (c.offsets + c.partitions - 1) / c.partitions * c.partitions
	}
}

// File is what a compaction strategy sees of the file, but for its share of the
// token space.
func (s *SSTable) File() compaction.File {
	f := compaction.File{Gen: s.Gen, Bytes: s.OnDisk, Disk: s.DiskBytes(), Level: s.Level, Busy: s.Busy || s.Suspect, Created: s.Created / 1000,
		MinTimestamp: s.Held.MinTimestamp, MaxTimestamp: s.content.maxTimestamp, MaxLocal: s.content.maxLocal, Drops: s.content.drops,
		Cells: s.content.cells, Keys: len(s.Parts),
		SampleOf: func() []ring.Token {
			return compaction.Sample(len(s.Parts), func(i int) ring.Token { return s.Parts[i].Token })
		}}
	if n := len(s.Parts); n > 0 {
		f.First = compaction.Position{Token: s.Parts[0].Token, Key: s.Parts[0].Key}
		f.Last = compaction.Position{Token: s.Parts[n-1].Token, Key: s.Parts[n-1].Key}
	}
	return f
}

// Cut cuts a compaction's partitions into the files that it writes: next is asked
// before each partition, with the bytes that the current file has, and says
// whether it ends there.
func Cut(t *schema.Table, f Format, parts []*Partition, stats *Stats, next func(written int64, token ring.Token) bool) [][]*Partition {
	z := newSizer(t, stats, f)
	var out [][]*Partition
	from, written := 0, int64(0)
	for i, p := range parts {
		if next(written, p.Token) {
			out = append(out, parts[from:i:i])
			from, written = i, 0
		}
		written += z.partition(p)
	}
	if from < len(parts) {
		out = append(out, parts[from:])
	}
	return out
}

// Share is the header of one of several files that a compaction writes.
func (s Stats) Share(parts []*Partition) Stats {
	s.PartitionDeletion, s.Tombstones = false, 0
	for _, p := range parts {
		s.PartitionDeletion = s.PartitionDeletion || !p.Del.IsLive()
		s.Tombstones += p.tombstones()
	}
	return s
}
