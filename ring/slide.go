package ring

import (
	"crypto/md5"
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

// slidePartitioner is not one of Cassandra's: it places keys as introductory slides
// draw them, by the unsigned MD5 digest on a ring of 2^128 numbers. Its minimum, 0,
// is an ordinary token, and an empty key is hashed as any other.
type slidePartitioner struct{}

func (slidePartitioner) Name() string { return "SlideMD5" }

func (slidePartitioner) Token(key []byte) Token {
	digest := md5.Sum(key)
	return Token{hi: binary.BigEndian.Uint64(digest[:8]), lo: binary.BigEndian.Uint64(digest[8:])}
}

func (slidePartitioner) Minimum() Token { return Token{} }

// Parse reads decimal digits, or hexadecimal ones after 0x.
func (slidePartitioner) Parse(text string) (Token, error) {
	base, digits := 10, text
	if len(text) > 2 && text[:2] == "0x" {
		base, digits = 16, text[2:]
	}
	v, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return Token{}, configErrorf("For input string: \"%s\"", text)
	}
	if v.Sign() < 0 || v.BitLen() > 128 {
		return Token{}, configErrorf("Token must be >= 0 and < 2**128")
	}
	hi, lo := wordsOf(v)
	return Token{hi: hi, lo: lo}, nil
}

func (slidePartitioner) Format(t Token) string { return bigOf(t.hi, t.lo).String() }

func (slidePartitioner) Midpoint(l, r Token) Token {
	mid, _ := midpoint(bigOf(l.hi, l.lo), bigOf(r.hi, r.lo), 128)
	hi, lo := wordsOf(mid)
	return Token{hi: hi, lo: lo}
}

func (slidePartitioner) Split(l, r Token, ratio float64) (Token, error) {
	left, width := bigOf(l.hi, l.lo), bigOf(r.hi, r.lo)
	width.Sub(width, left)
	if width.Sign() <= 0 {
		width.Add(width, twoTo(128))
	}
	hi, lo := wordsOf(interpolate(left, width, ratio))
	return Token{hi: hi, lo: lo}, nil
}

func (slidePartitioner) Size(l, r Token) (float64, error) { return slideSize(l, r), nil }

func slideSize(l, r Token) float64 {
	if l == r {
		return 1
	}
	lo, borrow := bits.Sub64(r.lo, l.lo, 0)
	return math.Ldexp(float128(r.hi-l.hi-borrow, lo), -128)
}

// Even gives floor(2^128*i/n) for i in 0..n-1.
func (slidePartitioner) Even(n int) []Token {
	tokens := make([]Token, n)
	for i := range tokens {
		hi, rem := bits.Div64(uint64(i), 0, uint64(n))
		lo, _ := bits.Div64(rem, 0, uint64(n))
		tokens[i] = Token{hi: hi, lo: lo}
	}
	return tokens
}

func (slidePartitioner) Ownership(sorted []Token) ([]float64, error) {
	return ownership(sorted, slideSize), nil
}

// Offset adds k and wraps at 2^128.
func (slidePartitioner) Offset(t Token, k int) Token {
	lo, carry := bits.Add64(t.lo, uint64(k), 0)
	return Token{hi: t.hi + uint64(int64(k)>>63) + carry, lo: lo}
}

func (slidePartitioner) Random(src Source) Token { return Token{hi: src.Uint64(), lo: src.Uint64()} }
