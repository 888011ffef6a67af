package compaction

import (
	"math"
	"sort"

	"ringlab/ring"
)

// Drop is a number of cells and deletions that can be dropped from a second on.
type Drop struct {
	At int64 // seconds
	N  int64
}

// Drops is a histogram of when a file's tombstones and expiring cells can be
// dropped, by second of their deletion or expiry, ascending.
type Drops []Drop

// maxDrops bounds the bins of a histogram; dropRound is what its seconds are
// rounded up to. Source: Cassandra 5.0 SSTable.TOMBSTONE_HISTOGRAM_BIN_SIZE,
// TOMBSTONE_HISTOGRAM_TTL_ROUND_SECONDS.
const (
	maxDrops  = 100
	dropRound = 60
)

// NewDrops makes the histogram of deletions counted by second. What does not fit
// into a hundred bins is joined with its nearest neighbour.
// Source: Cassandra 5.0 StreamingTombstoneHistogramBuilder.
func NewDrops(bySecond map[int64]int64) Drops {
	rounded := map[int64]int64{}
	for at, n := range bySecond {
		if over := at % dropRound; over > 0 {
			at += dropRound - over
		}
		rounded[at] += n
	}
	out := make(Drops, 0, len(rounded))
	for at, n := range rounded {
		out = append(out, Drop{at, n})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].At < out[j].At })
	for len(out) > maxDrops {
		near := 1
		for i := 2; i < len(out); i++ {
			if out[i].At-out[i-1].At < out[near].At-out[near-1].At {
				near = i
			}
		}
		a, b := out[near-1], out[near]
		out[near-1] = Drop{(a.At*a.N + b.At*b.N) / (a.N + b.N), a.N + b.N}
		out = append(out[:near], out[near+1:]...)
	}
	return out
}

// Before estimates how many can be dropped before a second: between two bins a
// straight line is assumed. Source: Cassandra 5.0 TombstoneHistogram.sum.
func (d Drops) Before(second int64) float64 {
	sum := 0.0
	for i, b := range d {
		if b.At <= second {
			sum += float64(b.N)
			continue
		}
		if i == 0 {
			return 0
		}
		last := d[i-1]
		weight := float64(second-last.At) / float64(b.At-last.At)
		at := float64(last.N) + float64(float64(b.N-last.N)*weight)
		return sum - float64(last.N) + float64((float64(last.N)+at)*weight)/2 + float64(last.N)/2
	}
	return sum
}

// Droppable is the share of a file's cells that can be dropped before a second.
// Source: Cassandra 5.0 SSTableReader.getEstimatedDroppableTombstoneRatio.
func (f *File) Droppable(gcBefore int64) float64 {
	if f.Cells == 0 {
		return 0
	}
	return f.Drops.Before(gcBefore) / float64(f.Cells)
}

// Tombstones are the options of compacting a single file for its tombstones.
type Tombstones struct {
	Off       bool
	Threshold float64 // of the droppable share
	Interval  int64   // seconds that a file must be old
	Unchecked bool    // whatever overlaps
}

// worth says whether compacting a file alone would drop enough tombstones.
// Source: Cassandra 5.0 AbstractCompactionStrategy.worthDroppingTombstones.
func (o Tombstones) worth(t *Table, f *File) bool {
	if o.Off || t.Now < f.Created+o.Interval*1000 {
		return false
	}
	ratio := f.Droppable(t.GCBefore)
	if ratio <= o.Threshold {
		return false
	}
	if o.Unchecked {
		return true
	}
	others := overlapping(t, []File{*f})
	if len(others) == 0 || len(Expired(t, []File{*f})) > 0 {
		return true
	}
	if f.SampleOf == nil {
		return false
	}
	sample := f.SampleOf()
	if len(sample) < 2 {
		return false // too few to estimate from
	}
	keys := int64(len(sample)+1) * indexInterval
	for _, at := range sample {
		for i := range others {
			if others[i].First.Token.Compare(at) < 0 && at.Compare(others[i].Last.Token) <= 0 {
				keys -= indexInterval
				break
			}
		}
	}
	mean := float64(f.Cells) / float64(max(f.Keys, 1))
	remaining := float64(max(keys, 0)) * mean / float64(f.Cells)
	return remaining*ratio > o.Threshold
}

// indexInterval is the number of keys between two of an index summary.
const indexInterval = 128

// Sample takes every 128th of n keys.
func Sample(n int, token func(i int) ring.Token) []ring.Token {
	var out []ring.Token
	for i := 0; i < n; i += indexInterval {
		out = append(out, token(i))
	}
	return out
}

// overlapping are the files outside of a set that overlap one of it.
// Source: Cassandra 5.0 ColumnFamilyStore.getOverlappingLiveSSTables.
func overlapping(t *Table, set []File) []File {
	inside := map[int]bool{}
	for _, f := range set {
		inside[f.Gen] = true
	}
	var out []File
	for _, files := range [][]File{t.Files, t.Beside} {
		for _, f := range files {
			if inside[f.Gen] {
				continue
			}
			for i := range set {
				if f.First.Compare(set[i].Last) <= 0 && set[i].First.Compare(f.Last) <= 0 {
					out = append(out, f)
					break
				}
			}
		}
	}
	return out
}

// Expired are the files of a set of which nothing is needed any more: everything
// in them can be dropped, and they hide nothing that is older elsewhere.
// Source: Cassandra 5.0 CompactionController.getFullyExpiredSSTables.
func Expired(t *Table, set []File) []File {
	var dead []File
	for _, f := range set {
		if f.MaxLocal < t.GCBefore {
			dead = append(dead, f)
		}
	}
	if dead == nil {
		return nil
	}
	oldest := t.MemTimestamp
	for _, f := range append(overlapping(t, set), set...) {
		if f.MaxLocal >= t.GCBefore {
			oldest = min(oldest, f.MinTimestamp)
		}
	}
	var out []File
	for _, f := range dead {
		if f.MaxTimestamp < oldest {
			out = append(out, f)
		}
	}
	return out
}

// due is when time alone may make a file worth compacting for its tombstones:
// when it is old enough, or when more of it can be dropped.
func (o Tombstones) due(t *Table) int64 {
	next := int64(math.MaxInt64)
	if o.Off {
		return next
	}
	grace := t.Now/1000 - t.GCBefore
	for _, f := range t.Files {
		if len(f.Drops) == 0 || f.Busy {
			continue
		}
		old := f.Created + o.Interval*1000
		if old > t.Now {
			next = min(next, old)
		}
		for _, d := range f.Drops {
			if at := max((d.At+grace+1)*1000, old); at > t.Now {
				next = min(next, at)
				break
			}
		}
	}
	return next
}

// expired looks for files that can be dropped, if the last look is long enough
// ago, in milliseconds.
func (m *Memory) expired(t *Table, every int64) []File {
	if m.skipped = t.Now-m.checked <= every; m.skipped {
		return nil
	}
	m.checked = t.Now
	return Expired(t, t.free())
}

// expiryDue is when the next file of which everything can be dropped would be
// found. One that something overlapping holds back waits for a change.
func (m *Memory) expiryDue(t *Table, every int64) int64 {
	next := int64(math.MaxInt64)
	grace := t.Now/1000 - t.GCBefore
	for _, f := range t.Files {
		if f.MaxLocal == NoDeletion {
			continue
		}
		if at := (f.MaxLocal + grace + 1) * 1000; at > m.checked || m.skipped {
			next = min(next, max(at, m.checked+every+1))
		}
	}
	return next
}

// without are the files of a list that are not in another.
func without(files, others []File) []File {
	if len(others) == 0 {
		return files
	}
	gone := map[int]bool{}
	for _, f := range others {
		gone[f.Gen] = true
	}
	var out []File
	for _, f := range files {
		if !gone[f.Gen] {
			out = append(out, f)
		}
	}
	return out
}
