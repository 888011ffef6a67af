package sim

import "hash/fnv"

// Stream is a named source of randomness whose draws are addressed by number,
// not by order: draw (node, round) is the same whether or not the draws before
// it were made, so that skipping over quiet time shifts nothing and a new
// consumer never changes another one's numbers.
type Stream struct{ key uint64 }

// NewStream returns the stream of that name under a lab's seed.
func NewStream(seed uint64, name string) Stream {
	h := fnv.New64a()
	h.Write([]byte(name))
	return Stream{mix(seed ^ mix(h.Sum64()))}
}

// mix is the finaliser of splitmix64: a bijection with full avalanche.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	x ^= x >> 31
	return x
}

// Uint64 is the draw with number round for that node.
func (s Stream) Uint64(node, round uint64) uint64 {
	return mix(s.key + mix(node*0x9e3779b97f4a7c15+1) + round*0xd1342543de82ef95)
}

// Intn is a uniform draw from 0 to n-1; n must be positive.
func (s Stream) Intn(node, round uint64, n int) int {
	// The bias of a 64-bit modulus over small n is below 2^-32.
	return int(s.Uint64(node, round) % uint64(n))
}

// Ratio is a chance as a fraction, so that no floating point decides an outcome.
type Ratio struct{ Num, Den uint64 }

// Hit says whether the draw falls inside the ratio. A zero Den never hits.
func (s Stream) Hit(node, round uint64, r Ratio) bool {
	return r.Den > 0 && s.Uint64(node, round)%r.Den < r.Num
}

// Source walks a stream draw by draw, for code that wants a sequence.
type Source struct {
	stream Stream
	node   uint64
	round  uint64
}

// Source starts a walk at draw 0 of that node.
func (s Stream) Source(node uint64) *Source { return &Source{stream: s, node: node} }

// Uint64 is the next draw.
func (s *Source) Uint64() uint64 {
	s.round++
	return s.stream.Uint64(s.node, s.round)
}
