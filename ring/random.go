package ring

import (
	"crypto/md5"
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

// randomPartitioner was the default until 1.1: the token is the absolute value of
// the MD5 digest as a signed number, 0 to 2^127. The minimum is -1.
// Source: Cassandra 5.0 RandomPartitioner.
type randomPartitioner struct{}

func (randomPartitioner) Name() string { return "RandomPartitioner" }

func (randomPartitioner) Token(key []byte) Token {
	if len(key) == 0 {
		return Token{}
	}
	digest := md5.Sum(key)
	return absToken(binary.BigEndian.Uint64(digest[:8]), binary.BigEndian.Uint64(digest[8:]))
}

// absToken maps a signed 128-bit number to the token of its absolute value.
func absToken(hi, lo uint64) Token {
	if hi&signBit != 0 {
		var carry uint64
		lo, carry = bits.Add64(^lo, 1, 0)
		hi = ^hi + carry
	}
	lo, carry := bits.Add64(lo, 1, 0)
	return Token{hi: hi + carry, lo: lo}
}

func (randomPartitioner) Minimum() Token { return Token{} }

func randomToken(value *big.Int) Token {
	hi, lo := wordsOf(new(big.Int).Add(value, big.NewInt(1)))
	return Token{hi: hi, lo: lo}
}

func randomValue(t Token) *big.Int {
	b := bigOf(t.hi, t.lo)
	return b.Sub(b, big.NewInt(1))
}

// positive is the token's number with the minimum taken as zero.
func positive(t Token) *big.Int {
	if t == (Token{}) {
		return new(big.Int)
	}
	return randomValue(t)
}

func (randomPartitioner) Parse(text string) (Token, error) {
	v, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return Token{}, configErrorf("For input string: \"%s\"", text)
	}
	if v.Sign() < 0 || v.Cmp(twoTo(127)) > 0 {
		return Token{}, configErrorf("Token must be >= 0 and <= 2**127")
	}
	return randomToken(v), nil
}

func (randomPartitioner) Format(t Token) string { return randomValue(t).String() }

func (randomPartitioner) Midpoint(l, r Token) Token {
	mid, _ := midpoint(positive(l), positive(r), 127)
	return randomToken(mid)
}

func (randomPartitioner) Split(l, r Token, ratio float64) (Token, error) {
	left, width := positive(l), positive(r)
	width.Sub(width, left)
	if width.Sign() > 0 {
		return randomToken(interpolate(left, width, ratio)), nil
	}
	width.Add(width, twoTo(127))
	at := interpolate(left, width, ratio)
	return randomToken(at.Mod(at, twoTo(127))), nil
}

func (randomPartitioner) Size(l, r Token) (float64, error) {
	if r.Less(l) {
		lo, borrow := bits.Sub64(l.lo, r.lo, 0)
		return fraction(-math.Ldexp(float128(l.hi-r.hi-borrow, lo), -127)), nil
	}
	lo, borrow := bits.Sub64(r.lo, l.lo, 0)
	return fraction(math.Ldexp(float128(r.hi-l.hi-borrow, lo), -127)), nil
}

// Even gives floor(2^127*i/n) for i in 0..n-1.
func (randomPartitioner) Even(n int) []Token {
	tokens := make([]Token, n)
	for i := range tokens {
		v := new(big.Int).Mul(twoTo(127), big.NewInt(int64(i)))
		tokens[i] = randomToken(v.Quo(v, big.NewInt(int64(n))))
	}
	return tokens
}

// Ownership is exact but for the rounding to a float32.
// Source: Cassandra 5.0 RandomPartitioner.describeOwnership.
func (randomPartitioner) Ownership(sorted []Token) ([]float64, error) {
	return ownership(sorted, func(prev, t Token) float64 {
		lo, borrow := bits.Sub64(t.lo, prev.lo, 0)
		hi := (t.hi - prev.hi - borrow) &^ signBit
		return float64(float32(math.Ldexp(float128(hi, lo), -127)))
	}), nil
}

// Offset adds k and wraps at 2^127.
// Source: Cassandra 5.0 RandomPartitioner.BigIntegerToken.nextValidToken.
func (randomPartitioner) Offset(t Token, k int) Token {
	v := randomValue(t)
	v.Add(v, big.NewInt(int64(k)))
	if v.Cmp(twoTo(127)) > 0 || v.Sign() < 0 {
		v.Mod(v, twoTo(127))
	}
	return randomToken(v)
}

func (randomPartitioner) Random(src Source) Token { return absToken(src.Uint64(), src.Uint64()) }
