package compaction

import (
	"math"

	"ringlab/ring"
)

// smallestSplit is the size below which the halves of a split output are not
// halved any more.
const smallestSplit = 50_000_000

// Writer cuts a compaction's output into files, which never part a partition.
type Writer struct {
	pick    Pick
	cuts    []ring.Token // where shards end
	shares  []int64      // bytes of each file of a split output
	levels  []int        // of each file begun
	inLevel int64        // bytes written to the current level
}

// NewWriter begins an output. total is the size of the inputs, cuts are the last
// tokens of all shards but the last.
func NewWriter(p Pick, total int64, cuts []ring.Token) *Writer {
	w := &Writer{pick: p, cuts: cuts, levels: []int{p.Level}}
	if p.Cut == Halves {
		for share, i := 0.5, 0; i < 20; share, i = share/2, i+1 {
			bytes := share * float64(total)
			w.shares = append(w.shares, int64(math.Floor(bytes+0.5)))
			if bytes < smallestSplit {
				break
			}
		}
	}
	return w
}

// Cuts says whether the output may become several files at all.
func (w *Writer) Cuts() bool { return w.Sized() || len(w.cuts) > 0 }

// Sized says whether the bytes written decide.
func (w *Writer) Sized() bool {
	return w.pick.Cut == BySize || w.pick.Cut == ByLevels || w.pick.Cut == Halves && len(w.shares) > 1
}

// Next says whether the current file, which has so many bytes, ends before the
// partition at that token. Source: Cassandra 5.0 MaxSSTableSizeWriter,
// MajorLeveledCompactionWriter, SplittingSizeTieredCompactionWriter,
// unified.ShardedCompactionWriter.
func (w *Writer) Next(written int64, token ring.Token) bool {
	level := w.levels[len(w.levels)-1]
	switch w.pick.Cut {
	case BySize:
		if written <= w.pick.MaxBytes {
			return false
		}
	case ByLevels:
		if written <= w.pick.MaxBytes {
			return false
		}
		if w.inLevel += written; w.inLevel > (Leveled{SSTableSize: w.pick.MaxBytes, Fanout: w.pick.Fanout}).MaxBytes(level) {
			w.inLevel = 0
			level = min(level+1, LevelCount-1)
		}
	case Halves:
		if n := len(w.levels); n >= len(w.shares) || written <= w.shares[n-1] {
			return false
		}
	case ByShards:
		if len(w.cuts) == 0 || token.Compare(w.cuts[0]) <= 0 {
			return false
		}
		for len(w.cuts) > 0 && token.Compare(w.cuts[0]) > 0 {
			w.cuts = w.cuts[1:]
		}
		if written == 0 {
			return false // nothing stands before the cut
		}
	default:
		return false
	}
	w.levels = append(w.levels, level)
	return true
}

// Level is the level of the i-th file.
func (w *Writer) Level(i int) int { return w.levels[i] }
