package cluster

import (
	"math"

	"ringlab/engine/compaction"
	"ringlab/engine/storage"
	"ringlab/ring"
)

// making begins a file that is another rewritten by itself, whose filter is for
// the keys that the other's sketch tells, at least for one stretch of its summary.
// Source: Cassandra 5.0 CompactionManager.doCleanupOne, SortedTableScrubber.
func (c *Cluster) making(s *storage.TableStore, origin string, of *storage.SSTable) storage.Making {
	m := s.Making(origin, int64(c.now))
	m.Format = c.Set.Format
	m.Keys = max(int64(s.Table.Options.MinIndexInterval), storage.ApproximateKeys([]*storage.SSTable{of}))
	return m
}

// filterKeys gives the function that says for how many keys the filter of a
// compaction's output is made: i is its number, first the token that it begins
// with. read are the inputs without those that have expired.
// Source: Cassandra 5.0 MaxSSTableSizeWriter, MajorLeveledCompactionWriter,
// SplittingSizeTieredCompactionWriter, unified.ShardedCompactionWriter.
func (c *Cluster) filterKeys(node int, s *storage.TableStore, k *Compaction, read []*storage.SSTable) func(i int, first ring.Token) int64 {
	total := storage.ApproximateKeys(read)
	known, onDisk := int64(0), int64(0)
	for _, f := range read {
		known += f.EstimatedKeys(s.Table)
		onDisk += f.OnDisk
	}
	files := func(bytes float64) int64 { return max(1, int64(bytes)/max(k.pick.MaxBytes, 1)) }
	switch k.pick.Cut {
	case compaction.BySize:
		bytes := math.Floor(float64(total)/float64(max(known, 1))*float64(onDisk) + 0.5)
		return func(int, ring.Token) int64 { return max(total/files(bytes), 1) }
	case compaction.ByLevels:
		return func(int, ring.Token) int64 { return max(total/files(float64(onDisk)), 1) }
	case compaction.Halves:
		return func(i int, _ ring.Token) int64 {
			return max(int64(math.Floor(math.Ldexp(float64(total), -i-1)+0.5)), 1)
		}
	case compaction.ByShards:
		space := c.spaceOf(node, s.Table)
		cuts := space.cuts(k.pick.Shards)
		return func(_ int, first ring.Token) int64 {
			n := int64(0)
			for _, f := range read {
				n = int64(float64(n) + float64(f.EstimatedKeys(s.Table))*space.inShard(cuts, first, f))
			}
			return max(int64(math.Floor(float64(n)*(float64(total)/float64(known))+0.5)), 1)
		}
	}
	return func(int, ring.Token) int64 { return max(total, 1) }
}

// inShard is the share of a file's stretch of the ring that lies in the shard of
// a token, 0..1. Source: Cassandra 5.0 ShardManagerNoDisks.BoundaryTracker.fractionInShard.
func (s *tokenSpace) inShard(cuts []ring.Token, token ring.Token, f *storage.SSTable) float64 {
	if s.whole || len(f.Parts) == 0 {
		return 1
	}
	minimum := s.partitioner.Minimum()
	start, end := s.ranges[0].Left, minimum
	for i, cut := range cuts {
		if token.Compare(cut) <= 0 {
			end = cut
			break
		}
		start = cuts[i]
	}
	from, to := f.Parts[0].Token, s.partitioner.Offset(f.Parts[len(f.Parts)-1].Token, 1)
	beyond := end != minimum && (to == minimum || end.Less(to))
	switch {
	case !from.Less(start) && !beyond:
		return 1
	case from.Less(start) && beyond:
		return s.coverage() / float64(len(cuts)+1) / s.size(from, to)
	}
	left, right := from, to
	if from.Less(start) {
		left = start
	}
	if beyond {
		right = end
	}
	if right != minimum && !left.Less(right) {
		return 0
	}
	return s.size(left, right) / s.size(from, to)
}
