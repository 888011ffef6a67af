package storage

import (
	"ringlab/engine/metrics"
	"ringlab/model/schema"
)

// selected counts a read of the file.
func (s *SSTable) selected(now int64) {
	s.checks.right++
	s.reads.Mark(now)
}

// Hotness is how often the file is read for each of its keys, a second, in about
// two hours. Source: Cassandra 5.0 SizeTieredCompactionStrategy.hotness.
func (s *SSTable) Hotness(t *schema.Table, now int64) float64 {
	return s.reads.TwoHours(now) / float64(s.estimatedKeys(t))
}

// estimatedKeys is how many keys a node takes the file to hold: by its index
// summary, one entry too many; a trie counts them.
// Source: Cassandra 5.0 IndexSummary.getEstimatedKeyCount, BtiTableReader.estimatedKeys.
func (s *SSTable) estimatedKeys(t *schema.Table) int64 {
	n := int64(len(s.Parts))
	if s.Format == DA {
		return max(n, 1)
	}
	each := int64(max(t.Options.MinIndexInterval, 1))
	return (pieces(n, each) + 1) * each
}

// Restarted forgets what a node does not keep of its files: which ones reads
// failed on, and how often they are read.
func (s *SSTable) Restarted(now int64) { s.Suspect, s.reads = false, metrics.NewReads(now) }
