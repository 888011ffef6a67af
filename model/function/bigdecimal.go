package function

import (
	"math"
	"math/big"

	"ringlab/model/plan"
)

// maxPrecision is how many digits sums, differences and products of decimals keep.
// Source: Cassandra 5.0 DecimalType.MAX_PRECISION.
const maxPrecision = 10000

// maxShift is by how many digits a decimal is moved at most; a node that moves it
// further runs out of memory or of time.
const maxShift = 1 << 20

// tooFar refuses to move a decimal by more digits than fit.
func tooFar(shift int64) error {
	if shift > maxShift || shift < -maxShift {
		return plan.Unsupported("decimals whose exponents are so far apart", "use exponents of a few thousand at most")
	}
	return nil
}

// scaleOf is a scale as 32 bits.
// Source: java.math.BigDecimal.checkScale.
func scaleOf(u *big.Int, scale int64) (int32, error) {
	switch {
	case scale == int64(int32(scale)):
		return int32(scale), nil
	case u.Sign() == 0:
		return int32(min(max(scale, math.MinInt32), math.MaxInt32)), nil
	case scale > 0:
		return 0, javaError("Underflow")
	}
	return 0, javaError("Overflow")
}

// rounded is a decimal with at most maxPrecision digits, half up.
// Source: java.math.BigDecimal.doRound.
func rounded(u *big.Int, scale int64) (*big.Int, int64) {
	for {
		drop := int64(digits(u)) - maxPrecision
		if drop <= 0 {
			return u, scale
		}
		u, scale = divide(u, 0, big.NewInt(1), 0, int32(-drop), halfUp), scale-drop
	}
}

// sum is a + b with at most maxPrecision digits. A number that is too small to
// matter is replaced by one that rounds alike.
// Source: java.math.BigDecimal.add(BigDecimal, MathContext), preAlign.
func sum(a *big.Int, as int32, b *big.Int, bs int32) (*big.Int, int32, error) {
	if a.Sign() == 0 || b.Sign() == 0 {
		return sumWithZero(a, as, b, bs)
	}
	x, y, xs, ys := a, b, int64(as), int64(bs) // x is the one of the smaller scale
	if xs > ys {
		x, y, xs, ys = y, x, ys, xs
	}
	if xs != ys {
		ulp := xs - int64(digits(x)) + maxPrecision
		if high := ys - int64(digits(y)) + 1; high > xs+2 && high > ulp+2 {
			y, ys = big.NewInt(int64(y.Sign())), max(xs, ulp)+3
			if _, err := scaleOf(y, ys); err != nil {
				return nil, 0, err
			}
		}
		if err := tooFar(ys - xs); err != nil {
			return nil, 0, err
		}
		x = new(big.Int).Mul(x, pow10(int32(ys-xs)))
	}
	return fitted(new(big.Int).Add(x, y), ys)
}

// fitted is a result as it is kept.
func fitted(u *big.Int, scale int64) (*big.Int, int32, error) {
	u, scale = rounded(u, scale)
	s, err := scaleOf(u, scale)
	return u, s, err
}

// sumWithZero is the other number in the larger of both scales, as far as its
// digits go.
func sumWithZero(a *big.Int, as int32, b *big.Int, bs int32) (*big.Int, int32, error) {
	scale := max(as, bs)
	if a.Sign() == 0 {
		a, as = b, bs
	}
	if a.Sign() == 0 {
		return new(big.Int), scale, nil
	}
	u, s, err := fitted(a, int64(as))
	if err != nil || s >= scale {
		return u, s, err
	}
	more := min(int64(scale)-int64(s), maxPrecision-int64(digits(u)))
	return new(big.Int).Mul(u, pow10(int32(more))), int32(int64(s) + more), nil
}
