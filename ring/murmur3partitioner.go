package ring

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// murmur3Partitioner is the default since 1.2: tokens are int64. The minimum,
// -2^63, is no key's token but may be a node's.
// Source: Cassandra 5.0 Murmur3Partitioner.
type murmur3Partitioner struct{}

const signBit = 1 << 63

// Murmur3Token is the Token of a Murmur3Partitioner's number.
func Murmur3Token(value int64) Token { return Token{hi: uint64(value) ^ signBit} }

// Murmur3Bits are the eight bytes, big-endian, by which a Murmur3Partitioner's
// tokens are in order. Source: Cassandra 5.0 LongToken.asComparableBytes.
func Murmur3Bits(t Token) uint64 { return t.hi }

func murmur3Value(t Token) int64 { return int64(t.hi ^ signBit) }

func (murmur3Partitioner) Name() string { return "Murmur3Partitioner" }

// Token hashes a routing key. An empty key is the minimum; a hash of math.MinInt64
// becomes math.MaxInt64. It does not allocate.
// Source: Cassandra 5.0 Murmur3Partitioner.getToken, normalize.
func (murmur3Partitioner) Token(key []byte) Token {
	if len(key) == 0 {
		return Token{}
	}
	h1, _ := Murmur3Hash(key)
	return Murmur3Token(normalize(h1))
}

func normalize(h int64) int64 {
	if h == math.MinInt64 {
		return math.MaxInt64
	}
	return h
}

func (murmur3Partitioner) Minimum() Token { return Token{} }

func (murmur3Partitioner) Parse(text string) (Token, error) {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return Token{}, configErrorf("Invalid token for Murmur3Partitioner. Got %s but expected a long value (unsigned 8 bytes integer).", text)
	}
	return Murmur3Token(v), nil
}

func (murmur3Partitioner) Format(t Token) string { return strconv.FormatInt(murmur3Value(t), 10) }

// Midpoint of a wrapping range is one less than the naive wrap gives, as in
// Cassandra. The arithmetic is that of values counted from the minimum.
// Source: Cassandra 5.0 Murmur3Partitioner.midpoint.
func (murmur3Partitioner) Midpoint(l, r Token) Token {
	sum, carry := bits.Add64(l.hi, r.hi, 0)
	if l.hi < r.hi {
		return Token{hi: carry<<63 | sum>>1}
	}
	if sum == 0 && carry == 0 {
		return Token{hi: math.MaxInt64}
	}
	sum, borrow := bits.Sub64(sum, 1, 0)
	half := (carry-borrow)<<63 | sum>>1
	if half > math.MaxInt64 {
		return Token{hi: half - math.MaxInt64}
	}
	return Token{hi: half + signBit}
}

// Split computes in decimal fractions, as BigDecimal does, and truncates.
// Source: Cassandra 5.0 Murmur3Partitioner.split.
func (murmur3Partitioner) Split(l, r Token, ratio float64) (Token, error) {
	left, width := big.NewInt(murmur3Value(l)), big.NewInt(murmur3Value(r))
	width.Sub(width, left)
	if !l.Less(r) {
		width.Add(width, new(big.Int).SetUint64(math.MaxUint64))
	}
	at := interpolate(left, width, ratio)
	if maximum := big.NewInt(math.MaxInt64); at.Cmp(maximum) > 0 {
		at.Sub(at, maximum).Add(at, big.NewInt(math.MinInt64))
	}
	return Murmur3Token(at.Int64()), nil
}

// Size is exact but for the rounding to float64.
// Source: Cassandra 5.0 Murmur3Partitioner.LongToken.size.
func (murmur3Partitioner) Size(l, r Token) (float64, error) {
	return fraction(float64(int64(r.hi-l.hi)) / (1 << 64)), nil
}

func fraction(d float64) float64 {
	if d > 0 {
		return d
	}
	return d + 1
}

// Even gives floor(2^64*i/n) - 2^63 for i in 0..n-1.
func (murmur3Partitioner) Even(n int) []Token {
	tokens := make([]Token, n)
	for i := range tokens {
		tokens[i].hi, _ = bits.Div64(uint64(i), 0, uint64(n))
	}
	return tokens
}

// Ownership divides by 2^64-2 and rounds half to even at six decimals.
// Source: Cassandra 5.0 Murmur3Partitioner.describeOwnership.
func (murmur3Partitioner) Ownership(sorted []Token) ([]float64, error) {
	const ring = math.MaxUint64 - 1
	return ownership(sorted, func(prev, t Token) float64 {
		var d uint64
		if prev.hi <= t.hi {
			d = (t.hi - prev.hi) % ring
		} else {
			d = (ring - (prev.hi-t.hi)%ring) % ring
		}
		hi, lo := bits.Mul64(d, 1e6)
		q, rem := bits.Div64(hi, lo, ring)
		if rem > ring/2 || rem == ring/2 && q&1 == 1 {
			q++
		}
		return float64(q) / 1e6
	}), nil
}

func ownership(sorted []Token, share func(prev, t Token) float64) []float64 {
	owned := make([]float64, len(sorted))
	for i, t := range sorted {
		if len(sorted) == 1 {
			owned[i] = 1
			break
		}
		prev := sorted[len(sorted)-1]
		if i > 0 {
			prev = sorted[i-1]
		}
		owned[i] = share(prev, t)
	}
	return owned
}

// Offset adds k and wraps at 2^64.
// Source: Cassandra 5.0 Murmur3Partitioner.LongToken.nextValidToken.
func (murmur3Partitioner) Offset(t Token, k int) Token { return Token{hi: t.hi + uint64(k)} }

func (murmur3Partitioner) Random(src Source) Token {
	return Murmur3Token(normalize(int64(src.Uint64())))
}
