package metrics

// Latency counts how often something was done and how long it took.
// Source: Cassandra 5.0 LatencyMetrics.
type Latency struct {
	Count  int64
	Total  int64 // µs
	recent Decaying
}

// Add counts one that took so many µs.
func (l *Latency) Add(micros, now int64) {
	l.Count++
	l.Total += micros
	l.recent.Update(LatencyOffsets, micros, now)
}

// Recent is the histogram of the last minutes, µs.
func (l *Latency) Recent(now int64) *Histogram { return l.recent.At(LatencyOffsets, now) }

// Table is what a node counts of one table. The zero value counts from nothing.
// Source: Cassandra 5.0 TableMetrics.
type Table struct {
	Read, Write Latency // local reads of one partition, local writes
	Speculative int64   // reads for which the node, coordinating, asked one more replica

	sstables, live, tombstones Decaying
}

// ReadOne counts a local read of one partition: how long it took, from how many
// files, and what it met.
// Source: Cassandra 5.0 SinglePartitionReadCommand, ReadCommand.withMetricsRecording.
func (t *Table) ReadOne(micros int64, files, live, tombstones int, now int64) {
	t.Read.Add(micros, now)
	t.sstables.Update(CountOrZeroOffsets, int64(files), now)
	t.Scanned(live, tombstones, now)
}

// Scanned counts what a local read of any kind met: live rows and tombstones.
func (t *Table) Scanned(live, tombstones int, now int64) {
	t.live.Update(CountOffsets, int64(live), now)
	t.tombstones.Update(CountOffsets, int64(tombstones), now)
}

// SSTables is the histogram of files a read, of the last minutes.
func (t *Table) SSTables(now int64) *Histogram { return t.sstables.At(CountOrZeroOffsets, now) }

// Live is the histogram of live rows a read, of the last minutes.
func (t *Table) Live(now int64) *Histogram { return t.live.At(CountOffsets, now) }

// Tombstones is the histogram of tombstones a read, of the last minutes.
func (t *Table) Tombstones(now int64) *Histogram { return t.tombstones.At(CountOffsets, now) }
