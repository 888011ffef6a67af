package ring

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// interpolate returns left + width*ratio, truncated toward zero, with ratio taken
// as the shortest decimal that reads back as the same float64.
// Source: java.math.BigDecimal.valueOf, multiply, add, toBigInteger.
func interpolate(left, width *big.Int, ratio float64) *big.Int {
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(ratio, 'e', -1, 64), "e")
	whole, decimals, _ := strings.Cut(digits, ".")
	coefficient, _ := new(big.Int).SetString(whole+decimals, 10)
	power, _ := strconv.Atoi(exponent)
	scale := len(decimals) - power
	product := coefficient.Mul(coefficient, width)
	if scale <= 0 {
		return product.Mul(product, tenTo(-scale)).Add(product, left)
	}
	unit := tenTo(scale)
	product.Add(product, new(big.Int).Mul(left, unit))
	return product.Quo(product, unit)
}

func tenTo(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func twoTo(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

func bigOf(hi, lo uint64) *big.Int {
	b := new(big.Int).SetUint64(hi)
	return b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(lo))
}

// wordsOf is the inverse of bigOf for 0 <= b < 2^128; higher bits are lost.
func wordsOf(b *big.Int) (hi, lo uint64) {
	var buf [16]byte
	new(big.Int).And(b, new(big.Int).Sub(twoTo(128), big.NewInt(1))).FillBytes(buf[:])
	return binary.BigEndian.Uint64(buf[:8]), binary.BigEndian.Uint64(buf[8:])
}

// midpoint halves (l,r] on a ring of 2^bits numbers; odd tells that half a unit
// was dropped.
// Source: Cassandra 5.0 FBUtilities.midpoint.
func midpoint(l, r *big.Int, bits uint) (mid *big.Int, odd bool) {
	if l.Cmp(r) < 0 {
		mid = new(big.Int).Add(l, r)
		odd = mid.Bit(0) == 1
		return mid.Rsh(mid, 1), odd
	}
	ring := twoTo(bits)
	distance := new(big.Int).Add(ring, r)
	distance.Sub(distance, l)
	odd = distance.Bit(0) == 1
	mid = distance.Rsh(distance, 1)
	return mid.Add(mid, l).Mod(mid, ring), odd
}

// float128 rounds an unsigned 128-bit number to the nearest float64, ties to even.
func float128(hi, lo uint64) float64 {
	if hi == 0 {
		return float64(lo)
	}
	n := bits.LeadingZeros64(hi)
	top := hi<<n | lo>>(64-n)
	if lo<<n != 0 {
		top |= 1
	}
	return math.Ldexp(float64(top), 64-n)
}
