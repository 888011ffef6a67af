package stress

import "math"

// javaRandom is java.util.Random, which every distribution draws from.
type javaRandom struct {
	state uint64
	next  float64 // the second of a pair of gaussians
	have  bool
}

const (
	javaMultiplier = 0x5DEECE66D
	javaMask       = 1<<48 - 1
)

// seed starts the draws anew.
func (r *javaRandom) seed(seed int64) {
	r.state, r.have = (uint64(seed)^javaMultiplier)&javaMask, false
}

func (r *javaRandom) bits(n uint) uint64 {
	r.state = (r.state*javaMultiplier + 0xB) & javaMask
	return r.state >> (48 - n)
}

// long is nextLong.
func (r *javaRandom) long() int64 {
	high := int64(int32(r.bits(32))) << 32
	return high + int64(int32(r.bits(32)))
}

// double is nextDouble: 53 random bits in [0, 1).
func (r *javaRandom) double() float64 {
	high := r.bits(26) << 27
	return float64(high+r.bits(27)) / (1 << 53)
}

// gaussian is nextGaussian, by the polar method.
func (r *javaRandom) gaussian() float64 {
	if r.have {
		r.have = false
		return r.next
	}
	for {
		a, b := 2*r.double()-1, 2*r.double()-1
		s := float64(a*a) + float64(b*b)
		if s >= 1 || s == 0 {
			continue
		}
		m := math.Sqrt(-2 * logarithm(s) / s)
		r.next, r.have = b*m, true
		return a * m
	}
}

// xorshift is what the bytes of text and blobs come from.
// Source: Cassandra 5.0 FasterRandom.
type xorshift struct {
	random javaRandom
	state  int64
	drawn  int
}

func (r *xorshift) seed(seed int64) {
	r.state = seed
	r.again()
}

// again takes a new state from the stronger random numbers, as is done after
// every 32 draws.
func (r *xorshift) again() {
	r.drawn = 0
	r.random.seed(r.state)
	r.state = r.random.long()
}

func (r *xorshift) long() int64 {
	if r.drawn++; r.drawn == 32 {
		r.again()
	}
	s := r.state
	s ^= s >> 12
	s ^= s << 25
	s ^= s >> 27
	r.state = s
	return s * 2685821657736338717
}
