package metrics

import "math"

// halfTime is after how many seconds a value counts half.
const halfTime = 60

var lifetime = halfTime / math.Log(2)

// landmarkReset is after how long the weights are set back, µs.
const landmarkReset = 30 * 60 * 1000000

// Decaying is a histogram in which older values fade: each is counted with a
// weight that doubles every minute. Times are virtual µs, never going back.
// Source: Cassandra 5.0 DecayingEstimatedHistogramReservoir.
type Decaying struct {
	landmark int64
	buckets  []int64 // nil until the first value
	second   int64   // since the landmark, for which weight holds
	weight   int64
}

// The bounds of decaying histograms. Source: Cassandra 5.0
// DecayingEstimatedHistogramReservoir, CassandraMetricsRegistry.createReservoir.
var (
	LatencyOffsets     = Offsets(127, false) // µs
	CountOffsets       = Offsets(164, false) // 0 counts as 1
	CountOrZeroOffsets = Offsets(164, true)
)

// Update counts a value.
func (d *Decaying) Update(offsets []int64, v, now int64) {
	if d.buckets == nil {
		d.buckets = make([]int64, len(offsets)+1)
		d.landmark, d.second, d.weight = now, 0, 1
	}
	if now-d.landmark > landmarkReset {
		factor := decayWeight((now - d.landmark) / 1000000)
		for i, n := range d.buckets {
			d.buckets[i] = decayed(n, factor)
		}
		d.landmark, d.second, d.weight = now, 0, 1
	}
	if second := (now - d.landmark) / 1000000; second != d.second {
		d.second, d.weight = second, decayWeight(second)
	}
	d.buckets[place(offsets, v)] += d.weight
}

// At is what is left of the values.
func (d *Decaying) At(offsets []int64, now int64) *Histogram {
	h := &Histogram{Offsets: offsets}
	if d.buckets == nil {
		return h
	}
	h.Buckets = make([]int64, len(d.buckets))
	factor := decayWeight((now - d.landmark) / 1000000)
	for i, n := range d.buckets {
		h.Buckets[i] = decayed(n, factor)
	}
	return h
}

// decayWeight is the weight of a value so many seconds after the landmark.
func decayWeight(seconds int64) int64 {
	w := math.Floor(math.Exp(float64(seconds)/lifetime) + 0.5)
	if w >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(w)
}

func decayed(n, factor int64) int64 {
	return int64(math.Floor(float64(n)/float64(factor) + 0.5))
}
