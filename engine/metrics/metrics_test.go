package metrics_test

import (
	"math"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine/metrics"
)

// The bounds are those of EstimatedHistogram; the last of 155 is 3520571548412.
// Source: Cassandra 5.0 MetadataCollector, EstimatedHistogram.
func TestOffsets(t *testing.T) {
	want := []int64{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24, 29, 35, 42, 50, 60, 72, 86, 103, 124, 149, 179, 215, 258, 310, 372, 446, 535, 642, 770,
		924, 1109, 1331, 1597, 1916, 2299, 2759, 3311, 3973, 4768, 5722, 6866, 8239, 9887, 11864, 14237, 17084, 20501, 24601, 29521, 35425, 42510}
	got := metrics.Offsets(len(want), false)
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("bound %d is %d, not %d", i, got[i], want[i])
		}
	}
	if n := len(metrics.SizeOffsets); n != 155 || metrics.SizeOffsets[n-1] != 3520571548412 {
		t.Errorf("the last of %d bounds is %d", n, metrics.SizeOffsets[n-1])
	}
	if zero := metrics.Offsets(3, true); len(zero) != 4 || zero[0] != 0 || zero[1] != 1 || zero[3] != 3 {
		t.Errorf("with zero: %v", zero)
	}
}

// bound is the bound of a value's bucket, found by looking at all.
func bound(v int64) int64 {
	for _, o := range metrics.SizeOffsets {
		if o >= v {
			return o
		}
	}
	return math.MaxInt64
}

func TestHistogramIsThatOfTheValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, 1<<40), 1, 200).Draw(t, "values")
		h := &metrics.Histogram{Offsets: metrics.SizeOffsets}
		var sparse metrics.Sparse
		sum := int64(0)
		for _, v := range values {
			h.Add(v, 1)
			sparse.Add(metrics.SizeOffsets, v)
			sum += bound(v)
		}
		sort.Slice(values, func(i, j int) bool { return values[i] < values[j] })
		n := len(values)
		if h.Count() != int64(n) || h.Max() != bound(values[n-1]) {
			t.Fatalf("count %d max %d of %v", h.Count(), h.Max(), values)
		}
		if low := h.Min(); low > bound(values[0]) || values[0] > 1 && bound(low) != bound(values[0]) {
			t.Fatalf("min %d of %v", low, values)
		}
		if want := int64(math.Ceil(float64(sum) / float64(n))); h.Mean() != want {
			t.Fatalf("mean %d, expected %d", h.Mean(), want)
		}
		for _, share := range []float64{0.5, 0.75, 0.95, 0.99, 1} {
			at := int(math.Ceil(float64(n)*share)) - 1
			if got := h.Percentile(share); got != bound(values[at]) {
				t.Fatalf("percentile %v is %d, expected %d", share, got, bound(values[at]))
			}
		}
		full := sparse.Full(metrics.SizeOffsets)
		for i := range h.Buckets {
			if h.Buckets[i] != full.Buckets[i] {
				t.Fatalf("bucket %d: %d and %d", i, h.Buckets[i], full.Buckets[i])
			}
		}
	})
}

func TestEmptyAndOverflowedHistograms(t *testing.T) {
	h := &metrics.Histogram{Offsets: metrics.CellOffsets}
	if h.Min() != 0 || h.Max() != 0 || h.Mean() != 0 || h.Percentile(0.5) != 0 || !math.IsNaN(h.RawMean()) || h.Overflowed() {
		t.Error("an empty histogram says something")
	}
	h.Add(math.MaxInt64, 1)
	if !h.Overflowed() || h.Max() != math.MaxInt64 {
		t.Error("the largest value fits")
	}
}

// A value counts half after a minute; one alone is gone when rounding makes it less than half.
func TestOldValuesFade(t *testing.T) {
	const second = 1000000
	var l metrics.Latency
	l.Add(40, 0)
	for i, want := range []int64{1, 1, 1, 1, 0} {
		if got := l.Recent(int64(i) * 25 * second).Count(); got != want {
			t.Errorf("after %d s: %d values, expected %d", i*25, got, want)
		}
	}
	for range 1000 {
		l.Add(40, 100*second)
	}
	if got := l.Recent(160 * second).Count(); got < 480 || got > 520 {
		t.Errorf("a minute later %d of 1000 are left", got)
	}
	if l.Count != 1001 || l.Total != 40040 {
		t.Errorf("count %d total %d", l.Count, l.Total)
	}
	l.Add(50, 4000*second) // the weights have been set back
	if h := l.Recent(4000 * second); h.Count() != 1 || h.Max() != 50 {
		t.Errorf("much later: %d values, max %d", h.Count(), h.Max())
	}
}

// A steady rate is found, and fades when nothing happens any more.
func TestRates(t *testing.T) {
	const second = 1000000
	m := metrics.NewMeter(0)
	for at := int64(second); at <= 3600*second; at += second {
		m.Mark(at)
	}
	if got := m.FifteenMinutes(3600 * second); math.Abs(got-60) > 1 {
		t.Errorf("%v a minute of 60", got)
	}
	if got := m.Mean(3600 * second); math.Abs(got-3600) > 1 {
		t.Errorf("%v an hour of 3600", got)
	}
	before, again := m.FifteenMinutes(4500*second), m.FifteenMinutes(4500*second)
	if before != again || math.Abs(before-60/math.E) > 1 {
		t.Errorf("after a quarter of an hour %v, then %v", before, again)
	}
	if far := m.FifteenMinutes(3 * 365 * 86400 * second); far != 0 && far > 1e-9 {
		t.Errorf("after years %v", far)
	}
}

// BenchmarkLatency is what counting one write costs.
func BenchmarkLatency(b *testing.B) {
	b.ReportAllocs()
	var l metrics.Latency
	for i := int64(0); b.Loop(); i++ {
		l.Add(40+i%7, i*10)
	}
}
