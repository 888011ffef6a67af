// Package metrics counts as Cassandra's metrics do: histograms in buckets a
// fifth wide, the same with older values fading, rates, and what a node counts
// of one table.
package metrics

import "math"

// Offsets are the upper bounds of n buckets: 1, 2, 3 … each a fifth above the
// one before, rounded; with zero, a bucket for 0 stands before them.
// Source: Cassandra 5.0 EstimatedHistogram.newOffsets.
func Offsets(n int, zero bool) []int64 {
	out := make([]int64, 0, n+1)
	if zero {
		out = append(out, 0)
		n++
	}
	for last := int64(1); len(out) < n; last = max(last+1, (last*12+5)/10) {
		out = append(out, last)
	}
	return out
}

// The buckets of a file's statistics. Source: Cassandra 5.0 MetadataCollector.
var (
	SizeOffsets = Offsets(155, false) // of partitions in bytes
	CellOffsets = Offsets(118, false) // of cells a partition
)

// place is the first bucket whose bound is not below v; len(offsets) for none.
func place(offsets []int64, v int64) int {
	lo, hi := 0, len(offsets)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); offsets[mid] < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Histogram counts values by bucket. It has one bucket more than bounds, for
// what is above the last. Source: Cassandra 5.0 EstimatedHistogram.
type Histogram struct {
	Offsets []int64
	Buckets []int64 // nil while nothing was counted
}

// Add counts a value n times.
func (h *Histogram) Add(v, n int64) { h.put(place(h.Offsets, v), n) }

func (h *Histogram) put(i int, n int64) {
	if h.Buckets == nil {
		h.Buckets = make([]int64, len(h.Offsets)+1)
	}
	h.Buckets[i] += n
}

// Count is how many values were counted.
func (h *Histogram) Count() int64 {
	sum := int64(0)
	for _, n := range h.Buckets {
		sum += n
	}
	return sum
}

// Overflowed says whether a value is above the last bound; percentiles and
// the mean are not known then.
func (h *Histogram) Overflowed() bool { return h.Buckets != nil && h.Buckets[len(h.Offsets)] > 0 }

// Min is one above the bound before the first bucket with values; 0 for the first
// bucket of all, and without values.
func (h *Histogram) Min() int64 {
	for i, n := range h.Buckets {
		if n > 0 && i > 0 {
			return h.Offsets[i-1] + 1
		} else if n > 0 {
			return 0
		}
	}
	return 0
}

// Max is the bound of the last bucket with values; the largest integer if that
// has none, 0 without values.
func (h *Histogram) Max() int64 {
	if h.Overflowed() {
		return math.MaxInt64
	}
	for i := len(h.Buckets) - 2; i >= 0; i-- {
		if h.Buckets[i] > 0 {
			return h.Offsets[i]
		}
	}
	return 0
}

// Percentile is the bound of the bucket in which a share of the values, 0..1, is
// reached; 0 without values.
func (h *Histogram) Percentile(share float64) int64 {
	want := int64(math.Ceil(float64(h.Count()) * share))
	if want == 0 {
		return 0
	}
	sum := int64(0)
	for i, bound := range h.Offsets {
		if h.Buckets != nil {
			sum += h.Buckets[i]
		}
		if sum >= want {
			return bound
		}
	}
	return 0
}

// RawMean is the mean of the values, each taken for its bucket's bound; NaN
// without values.
func (h *Histogram) RawMean() float64 {
	n, sum := int64(0), int64(0)
	for i, bound := range h.Offsets {
		if h.Buckets != nil {
			n += h.Buckets[i]
			sum += h.Buckets[i] * bound
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return float64(sum) / float64(n)
}

// Mean is RawMean, rounded up; 0 without values.
func (h *Histogram) Mean() int64 {
	if mean := h.RawMean(); !math.IsNaN(mean) {
		return int64(math.Ceil(mean))
	}
	return 0
}

// Sparse is a histogram of which few buckets are in use, as it is kept with each
// file.
type Sparse struct {
	list []sparseBucket // ascending
}

type sparseBucket struct {
	at uint16
	n  int64
}

// Add counts a value by the bounds, which must be the same each time, and says in
// which bucket it is.
func (s *Sparse) Add(offsets []int64, v int64) int {
	at := uint16(place(offsets, v))
	i := len(s.list)
	for i > 0 && s.list[i-1].at >= at {
		i--
	}
	if i < len(s.list) && s.list[i].at == at {
		s.list[i].n++
		return int(at)
	}
	s.list = append(s.list, sparseBucket{})
	copy(s.list[i+1:], s.list[i:])
	s.list[i] = sparseBucket{at, 1}
	return int(at)
}

// AddTo counts everything in a histogram of the same bounds.
func (s *Sparse) AddTo(h *Histogram) {
	for _, b := range s.list {
		h.put(int(b.at), b.n)
	}
}

// Full is the histogram.
func (s *Sparse) Full(offsets []int64) *Histogram {
	h := &Histogram{Offsets: offsets}
	s.AddTo(h)
	return h
}
