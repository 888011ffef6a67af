package stress

import "math"

// Distribution draws numbers between a least and a greatest one.
type Distribution interface {
	Next() int64         // the next draw, as a whole number
	NextDouble() float64 // the next draw, as it is
	Seed(seed int64)     // starts the draws anew
	Inverse(p float64) int64
}

// Min is the least number that a distribution draws.
func Min(d Distribution) int64 { return d.Inverse(0) }

// Max is the greatest number that a distribution draws.
func Max(d Distribution) int64 { return d.Inverse(1) }

// average is about the mean. Source: Cassandra 5.0 Distribution.average.
func average(d Distribution) int64 {
	sum, count := 0.0, 0
	for at := float32(0); float64(at) <= 1; at = float32(float64(at) + 0.02) {
		sum += float64(d.Inverse(float64(at)))
		count++
	}
	return whole(sum / float64(count))
}

// whole is a number without its fraction, as Java casts a double to a long.
func whole(v float64) int64 {
	switch {
	case math.IsNaN(v):
		return 0
	case v >= math.MaxInt64:
		return math.MaxInt64
	case v <= math.MinInt64:
		return math.MinInt64
	}
	return int64(v)
}

// fixed always draws the same number. Source: Cassandra 5.0 DistributionFixed.
type fixed int64

func (d fixed) Next() int64           { return int64(d) }
func (d fixed) NextDouble() float64   { return float64(d) }
func (d fixed) Seed(int64)            {}
func (d fixed) Inverse(float64) int64 { return int64(d) }

// sequence counts, and begins again at its end. A seed is where it goes on, so
// that a negative one gives numbers below the start.
// Source: Cassandra 5.0 DistributionSequence.
type sequence struct{ start, count, next int64 }

func (d *sequence) Next() int64 {
	n := d.next
	d.next++
	return d.start + n%d.count
}
func (d *sequence) NextDouble() float64 { return float64(d.Next()) }
func (d *sequence) Seed(seed int64)     { d.next = seed }
func (d *sequence) Inverse(p float64) int64 {
	return whole(float64(d.start) + float64(float64(d.count-1)*p))
}

// bound draws from a curve, cut off at its bounds: the uniform and the gaussian.
// Source: Cassandra 5.0 DistributionBoundApache.
type bound struct {
	random   javaRandom
	min, max int64
	curve    curve
}

// curve is a family of distributions and its parameters.
type curve struct {
	kind Kind
	a, b float64 // uniform: lower, upper; gaussian: mean, deviation; exponential: mean; extreme: shape, scale
}

func (d *bound) Next() int64 { return min(max(whole(d.curve.sample(&d.random)), d.min), d.max) }
func (d *bound) NextDouble() float64 {
	return min(max(d.curve.sample(&d.random), float64(d.min)), float64(d.max))
}
func (d *bound) Seed(seed int64)         { d.random.seed(seed) }
func (d *bound) Inverse(p float64) int64 { return min(max(whole(d.curve.inverse(p)), d.min), d.max) }

// offset draws from a curve that begins at 0, moved to its least number: the
// exponential and the extreme value.
// Source: Cassandra 5.0 DistributionOffsetApache.
type offset struct {
	random     javaRandom
	min, delta int64
	curve      curve
}

func (d *offset) Next() int64 { return d.min + min(max(whole(d.curve.sample(&d.random)), 0), d.delta) }
func (d *offset) NextDouble() float64 {
	return float64(d.min) + min(max(d.curve.sample(&d.random), 0), float64(d.delta))
}
func (d *offset) Seed(seed int64) { d.random.seed(seed) }
func (d *offset) Inverse(p float64) int64 {
	return d.min + min(max(whole(d.curve.inverse(p)), 0), d.delta)
}

// quantized draws a stretch of equal chance from another distribution, and a
// number of the stretch evenly.
// Source: Cassandra 5.0 DistributionQuantized.
type quantized struct {
	of     Distribution
	bounds []int64
	random javaRandom
}

func newQuantized(of Distribution, quantas int) *quantized {
	d := &quantized{of: of, bounds: make([]int64, quantas+1)}
	for i := range d.bounds {
		d.bounds[i] = of.Inverse(float64(i) / float64(quantas))
	}
	d.bounds[0], d.bounds[quantas] = Min(of), Max(of)+1
	return d
}

func (d *quantized) quanta(v int64) int {
	i := 0
	for i < len(d.bounds)-2 && d.bounds[i+1] < v {
		i++
	}
	return i
}

func (d *quantized) Next() int64 {
	i := d.quanta(d.of.Next())
	return d.bounds[i] + whole(d.random.double()*float64(d.bounds[i+1]-d.bounds[i]))
}
func (d *quantized) NextDouble() float64 { return float64(d.Next()) }

// Seed starts both draws anew. cassandra-stress leaves the second one unseeded.
func (d *quantized) Seed(seed int64) {
	d.of.Seed(seed)
	d.random.seed(^seed)
}

func (d *quantized) Inverse(p float64) int64 {
	v := d.of.Inverse(p)
	last := len(d.bounds) - 1
	switch {
	case v <= d.bounds[0]:
		return d.bounds[0]
	case p >= 1:
		return d.bounds[last] - 1
	}
	i := d.quanta(v)
	within := (p - float64(i)/float64(last)) * float64(last)
	return max(d.bounds[0], min(d.bounds[last]-1, d.bounds[i]+whole(within*float64(d.bounds[i+1]-d.bounds[i]))))
}

// inverted draws what is as far from the greatest number as another draw is from
// the least. Source: Cassandra 5.0 DistributionInverted.
type inverted struct {
	of       Distribution
	min, max int64
}

func (d *inverted) Next() int64             { return d.max - (d.of.Next() - d.min) }
func (d *inverted) NextDouble() float64     { return float64(d.max) - (d.of.NextDouble() - float64(d.min)) }
func (d *inverted) Seed(seed int64)         { d.of.Seed(seed) }
func (d *inverted) Inverse(p float64) int64 { return d.max - (d.of.Inverse(p) - d.min) }
