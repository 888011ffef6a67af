package storage

import (
	"math"

	"ringlab/model/schema"
)

// Stats are what a file's header and statistics remember of its content: the
// minima that deltas count from, the newest timestamp, and which columns occur.
// Source: Cassandra 5.0 EncodingStats, MetadataCollector.
type Stats struct {
	MinTimestamp, MaxTimestamp int64
	MinLocal, MaxLocal         int64 // seconds; of tombstones and expiring cells
	MinTTL                     int32
	Columns                    ColumnSet // regular columns written
	Statics                    ColumnSet
	PartitionDeletion          bool
	Tombstones                 int64 // cells, rows, ranges and partitions
	seenTTL                    bool
}

// Base values of a header where nothing was seen. Source: EncodingStats.
const (
	baseTimestamp = 1442880000000000
	baseLocal     = 1442880000
)

// NewStats are those of an empty file.
func NewStats() Stats {
	return Stats{MinTimestamp: math.MaxInt64, MaxTimestamp: math.MinInt64, MinLocal: math.MaxInt64, MaxLocal: math.MinInt64}
}

func (s *Stats) timestamp(ts int64) {
	s.MinTimestamp = min(s.MinTimestamp, ts)
	s.MaxTimestamp = max(s.MaxTimestamp, ts)
}

func (s *Stats) local(l int64) {
	if l != NoDeletionTime {
		s.MinLocal = min(s.MinLocal, l)
	}
	s.MaxLocal = max(s.MaxLocal, l)
}

func (s *Stats) ttl(ttl int32) {
	if ttl == 0 {
		return
	}
	if !s.seenTTL || ttl < s.MinTTL {
		s.MinTTL, s.seenTTL = ttl, true
	}
}

// Deletion counts a partition or range deletion.
func (s *Stats) Deletion(d Deletion) {
	s.timestamp(d.At)
	s.local(d.Local)
	s.Tombstones++
}

// Row counts what a row holds.
func (s *Stats) Row(t *schema.Table, r Row) {
	var v View
	rest := r.header(&v)
	if v.Liveness.Timestamp != NoTimestamp {
		s.timestamp(v.Liveness.Timestamp)
		s.ttl(v.Liveness.TTL)
		s.local(v.Liveness.Expiry)
	}
	if !v.Deletion.IsLive() {
		s.Deletion(v.Deletion)
	}
	columns := &s.Columns
	if v.Static {
		columns = &s.Statics
	}
	for c := (Cell{}); len(rest) > 0; {
		rest = readCell(rest, v.Liveness.Timestamp, &c)
		columns.add(c.Column)
		s.timestamp(c.Timestamp)
		s.ttl(c.TTL)
		s.local(c.Local)
		if c.IsTombstone() || c.Complex {
			s.Tombstones++
		}
	}
}

// Join adds another file, as a compaction's header does: columns by its header,
// minima by what it really holds. Source: Cassandra 5.0 SerializationHeader.make.
func (s *Stats) Join(o *Stats, held Held) {
	s.MinTimestamp = min(s.MinTimestamp, held.MinTimestamp)
	s.MaxTimestamp = max(s.MaxTimestamp, o.MaxTimestamp)
	s.MinLocal = min(s.MinLocal, held.MinLocal)
	s.MaxLocal = max(s.MaxLocal, o.MaxLocal)
	if ttl := held.MinTTL; ttl == math.MaxInt32 { // nothing but deletions of rows, ranges and partitions
		s.MinTTL, s.seenTTL = 0, true
	} else if !s.seenTTL || ttl < s.MinTTL {
		s.MinTTL, s.seenTTL = ttl, true
	}
	s.Columns.join(&o.Columns)
	s.Statics.join(&o.Statics)
	s.PartitionDeletion = s.PartitionDeletion || o.PartitionDeletion
}

// forgetMinima makes a header count from the base values. The updates of an index
// come without statistics. Source: Cassandra 5.0 CassandraIndex.partitionUpdate, EncodingStats.NO_STATS.
func (s *Stats) forgetMinima() {
	s.MinTimestamp, s.MinLocal, s.MinTTL, s.seenTTL = math.MaxInt64, math.MaxInt64, 0, false
}

func (s *Stats) baseTimestamp() int64 {
	if s.MinTimestamp == math.MaxInt64 {
		return baseTimestamp
	}
	return s.MinTimestamp
}

func (s *Stats) baseLocal() int64 {
	if s.MinLocal == math.MaxInt64 {
		return baseLocal
	}
	return s.MinLocal
}
