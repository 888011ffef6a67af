// Package storage is one node's storage engine: rows and tombstones, their
// reconciliation, memtables, SSTables, the commit log and reads that merge
// them. It knows partitions, not rings, and reads no clock.
package storage

import (
	"math"

	"ringlab/model/schema"
)

// NoTimestamp stands where nothing was written. Source: LivenessInfo.NO_TIMESTAMP.
const NoTimestamp = math.MinInt64

// NoDeletionTime is the local deletion time of a cell that neither is deleted
// nor expires. Source: Cell.NO_DELETION_TIME.
const NoDeletionTime = math.MaxInt64

// Deletion removes what is not newer than At. Local is the second of the
// server's clock at which it was made; it decides only when it may be purged.
// Source: Cassandra 5.0 DeletionTime.
type Deletion struct {
	At    int64 // write timestamp, µs
	Local int64 // seconds
}

// Live is the deletion that deletes nothing.
var Live = Deletion{At: NoTimestamp, Local: NoDeletionTime}

// IsLive says whether it deletes nothing.
func (d Deletion) IsLive() bool { return d.At == NoTimestamp }

// Deletes says whether something written at that timestamp is gone.
func (d Deletion) Deletes(timestamp int64) bool { return timestamp <= d.At }

// Supersedes says whether d is the one to keep of the two.
func (d Deletion) Supersedes(o Deletion) bool {
	return d.At > o.At || d.At == o.At && d.At != NoTimestamp && d.Local > o.Local
}

func maxDeletion(a, b Deletion) Deletion {
	if b.Supersedes(a) {
		return b
	}
	return a
}

// RangeTombstone deletes the rows of a slice.
type RangeTombstone struct {
	schema.Slice
	Del Deletion
}

// addRange puts a range tombstone into a disjoint list in table order: where
// two overlap, the superseding one stays in each piece.
// Source: Cassandra 5.0 RangeTombstoneList.
func addRange(t *schema.Table, list []RangeTombstone, add RangeTombstone) []RangeTombstone {
	if t.Empty(add.Slice) {
		return list
	}
	if n := len(list); n == 0 || t.CompareCuts(list[n-1].To, add.From) <= 0 {
		list = append(list[:n:n], add)
		if n > 0 && list[n-1].Del == add.Del {
			return joinRanges(t, list)
		}
		return list
	}
	out := make([]RangeTombstone, 0, len(list)+2)
	rest := add // what of the new one is not placed yet
	done := false
	for _, old := range list {
		switch {
		case done || t.CompareCuts(old.To, rest.From) <= 0:
			out = append(out, old)
			continue
		case t.CompareCuts(rest.To, old.From) <= 0:
			out = append(out, rest, old)
			done = true
			continue
		}
		if rest.Del.Supersedes(old.Del) {
			if t.CompareCuts(old.From, rest.From) < 0 {
				out = append(out, RangeTombstone{schema.Slice{From: old.From, To: rest.From}, old.Del})
			}
			if t.CompareCuts(rest.To, old.To) < 0 {
				out = append(out, rest, RangeTombstone{schema.Slice{From: rest.To, To: old.To}, old.Del})
				done = true
			}
			continue
		}
		if t.CompareCuts(rest.From, old.From) < 0 {
			out = append(out, RangeTombstone{schema.Slice{From: rest.From, To: old.From}, rest.Del})
		}
		out = append(out, old)
		if t.CompareCuts(rest.To, old.To) <= 0 {
			done = true
		} else {
			rest.From = old.To
		}
	}
	if !done {
		out = append(out, rest)
	}
	return joinRanges(t, out)
}

// joinRanges merges neighbours that touch and carry the same deletion.
func joinRanges(t *schema.Table, list []RangeTombstone) []RangeTombstone {
	out := list[:0]
	for _, r := range list {
		if n := len(out); n > 0 && out[n-1].Del == r.Del && t.CompareCuts(out[n-1].To, r.From) == 0 {
			out[n-1].To = r.To
			continue
		}
		out = append(out, r)
	}
	return out
}

// mergeRanges joins two disjoint lists into one.
func mergeRanges(t *schema.Table, a, b []RangeTombstone) []RangeTombstone {
	if len(a) == 0 {
		return b
	}
	for _, r := range b {
		a = addRange(t, a, r)
	}
	return a
}

// clipRanges keeps the parts of a disjoint list that lie inside of the slices.
func clipRanges(t *schema.Table, list []RangeTombstone, slices []schema.Slice) []RangeTombstone {
	var out []RangeTombstone
	for _, s := range slices {
		for _, r := range list {
			from, to := r.From, r.To
			if t.CompareCuts(from, s.From) < 0 {
				from = s.From
			}
			if t.CompareCuts(to, s.To) > 0 {
				to = s.To
			}
			if t.CompareCuts(from, to) < 0 {
				out = append(out, RangeTombstone{schema.Slice{From: from, To: to}, r.Del})
			}
		}
	}
	return out
}

// rangeAt is the deletion of the range that covers the row, Live if none does.
// near is where to look first and is moved along, since rows come in order.
func rangeAt(t *schema.Table, list []RangeTombstone, clustering []byte) Deletion {
	lo, hi := 0, len(list)
	for lo < hi {
		mid := (lo + hi) / 2
		if t.CompareCutRow(list[mid].To, clustering) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(list) && t.CompareCutRow(list[lo].From, clustering) < 0 {
		return list[lo].Del
	}
	return Live
}
