package storage

import (
	"ringlab/engine/metrics"
	"ringlab/model/schema"
)

// filterChecks are what a file's Bloom filter has said to reads, as it turned out.
// Source: Cassandra 5.0 BloomFilterTracker.
type filterChecks struct {
	right, absent, wrong int64 // it holds the key; it does not; the filter said so in vain
	asked                struct{ right, absent, wrong int64 }
}

// count counts a file that does not hold the key; why is Lookup's. Keys outside of
// first and last are no matter of the filter.
func (c *filterChecks) count(why string) {
	switch why {
	case MissFilter:
		c.absent++
	case MissIndex:
		c.wrong++
	}
}

// FalsePositives is how often the filters of the files of now were wrong.
func (s *TableStore) FalsePositives() int64 {
	n := int64(0)
	for _, t := range s.SSTables {
		n += t.checks.wrong
	}
	return n
}

// RecentFalseRatio is the share of wrong answers of the filters since it was
// asked for last, 0..1. Source: Cassandra 5.0 BloomFilterMetrics.recentBloomFilterFalseRatio.
func (s *TableStore) RecentFalseRatio() float64 {
	var right, absent, wrong int64
	for _, t := range s.SSTables {
		c := &t.checks
		right, absent, wrong = right+c.right-c.asked.right, absent+c.absent-c.asked.absent, wrong+c.wrong-c.asked.wrong
		c.asked.right, c.asked.absent, c.asked.wrong = c.right, c.absent, c.wrong
	}
	if right == 0 && wrong == 0 {
		return 0
	}
	return float64(wrong) / float64(right+wrong+absent)
}

// PartitionSizes is the histogram of the partitions' sizes in the file, in bytes.
func (t *SSTable) PartitionSizes() *metrics.Histogram {
	return t.content.sizes.Full(metrics.SizeOffsets)
}

// CellsPerPartition is how many cells a partition of the file has in the mean, as
// their histogram counts them, rounded up, times the number of partitions.
// Source: Cassandra 5.0 EstimatedHistogram.mean.
func (t *SSTable) CellsPerPartition() (cells, partitions int64) {
	return t.content.cells, t.content.partitions
}

// Droppable is how many of the file's cells and deletions could be dropped by a
// compaction, of those from before a second, estimated; cells is how many it has,
// as its histogram counts them.
// Source: Cassandra 5.0 ColumnFamilyStore.getDroppableTombstoneRatio.
func (t *SSTable) Droppable(gcBefore int64) (droppable float64, cells int64) {
	return t.content.drops.Before(gcBefore), t.content.cells
}

// SummaryBytes is what the file's index summary takes outside of the heap: a
// position, a length and a key for each so many keys.
// Source: Cassandra 5.0 IndexSummaryBuilder.maybeAddEntry, IndexSummary.getOffHeapSize.
func (t *SSTable) SummaryBytes(table *schema.Table) int64 {
	n := int64(0)
	for i := 0; i < len(t.Parts); i += max(table.Options.MinIndexInterval, 1) {
		n += 4 + 8 + int64(len(t.Parts[i].Key))
	}
	return n
}

// Times are the oldest and the newest write timestamp of what the file holds, µs.
func (t *SSTable) Times() (oldest, newest int64) {
	return t.Held.MinTimestamp, t.content.maxTimestamp
}

// EstimatedPartitions is how many partitions files and memtable have, as their
// sketches tell; without files, one of the memtable is missing.
// Source: Cassandra 5.0 TableMetrics.estimatedPartitionCount.
func (s *TableStore) EstimatedPartitions() int64 {
	return max(ApproximateKeys(s.SSTables)+int64(s.Mem.Partitions()), 0)
}

// AddHistograms adds the file's partitions to histograms of sizes and of cells.
func (t *SSTable) AddHistograms(sizes, cells *metrics.Histogram) {
	t.content.sizes.AddTo(sizes)
	t.content.perPartition.AddTo(cells)
}
