package function

import (
	"math"
	"math/big"

	"ringlab/model/types"
)

// number is a value of a numeric type as Java's Number sees it: an int64, a
// float64, or an unscaled big integer with a scale.
type number struct {
	kind  types.Kind
	i     int64
	f     float64
	big   *big.Int
	scale int32
}

// numberOf reads a value; ok is false for null and for the empty value.
func numberOf(t *types.Type, b []byte) (n number, ok bool) {
	if len(b) == 0 {
		return n, false
	}
	n.kind = t.Kind
	switch t.Kind {
	case types.KindTinyInt:
		n.i = int64(types.DecodeInt8(b))
	case types.KindSmallInt:
		n.i = int64(types.DecodeInt16(b))
	case types.KindInt:
		n.i = int64(types.DecodeInt32(b))
	case types.KindBigInt, types.KindCounter:
		n.i = types.DecodeInt64(b)
	case types.KindFloat:
		n.f = float64(types.DecodeFloat(b))
	case types.KindDouble:
		n.f = types.DecodeDouble(b)
	case types.KindVarint:
		n.big = types.DecodeVarint(b)
	case types.KindDecimal:
		n.big, n.scale = types.DecodeDecimal(b)
	}
	return n, true
}

// asInt is Number.longValue: fractions are cut off, floats saturate, integers
// wrap.
func (n number) asInt() int64 {
	switch n.kind {
	case types.KindFloat, types.KindDouble:
		return floatToInt(n.f, math.MinInt64, math.MaxInt64)
	case types.KindVarint:
		return wrapBig(n.big)
	case types.KindDecimal:
		if n.scale <= -64 { // the low 64 bits are zero
			return 0
		}
		return wrapBig(truncate(n.big, n.scale))
	}
	return n.i
}

// narrow is Number.intValue and its narrower kin: from floats it goes through
// a saturated int, from the others it wraps.
func (n number) narrow() int32 {
	if n.kind == types.KindFloat || n.kind == types.KindDouble {
		return int32(floatToInt(n.f, math.MinInt32, math.MaxInt32))
	}
	return int32(n.asInt())
}

// asFloat is Number.doubleValue.
func (n number) asFloat() float64 {
	switch n.kind {
	case types.KindFloat, types.KindDouble:
		return n.f
	case types.KindVarint:
		f, _ := new(big.Float).SetInt(n.big).Float64()
		return f
	case types.KindDecimal:
		return decimalFloat(n.big, n.scale)
	}
	return float64(n.i)
}

// asFloat32 is Number.floatValue.
func (n number) asFloat32() float32 {
	switch n.kind {
	case types.KindFloat, types.KindDouble:
		return float32(n.f)
	case types.KindVarint:
		f, _ := new(big.Float).SetInt(n.big).Float32()
		return f
	case types.KindDecimal:
		return decimalFloat32(n.big, n.scale)
	}
	return float32(n.i)
}

// asBig is what integers become as operands of a varint.
func (n number) asBig() *big.Int {
	if n.kind == types.KindVarint {
		return n.big
	}
	return big.NewInt(n.asInt())
}

// javaError is the text of an exception that a computation raises.
type javaError string

func (e javaError) Error() string { return string(e) }

const (
	errNaN      = javaError("A NaN cannot be converted into a decimal")
	errInfinite = javaError("An infinite number cannot be converted into a decimal")
)

// asDecimal is what numbers become as operands of a decimal: fixed-width
// integers gain the ".0" of a double.
// Source: Cassandra 5.0 DecimalType.toBigDecimal.
func (n number) asDecimal() (*big.Int, int32, error) {
	switch n.kind {
	case types.KindDecimal:
		return n.big, n.scale, nil
	case types.KindVarint:
		return n.big, 0, nil
	}
	return doubleDecimal(n.asFloat())
}

// doubleDecimal is BigDecimal.valueOf(double).
func doubleDecimal(f float64) (*big.Int, int32, error) {
	switch {
	case math.IsNaN(f):
		return nil, 0, errNaN
	case math.IsInf(f, 0):
		return nil, 0, errInfinite
	}
	u, s, _ := types.ParseDecimal(types.Double.Raw(types.EncodeDouble(f)))
	return u, s, nil
}

func floatToInt(f float64, low, high int64) int64 {
	switch {
	case math.IsNaN(f):
		return 0
	case f >= float64(high):
		return high
	case f <= float64(low):
		return low
	}
	return int64(f)
}

// wrapBig keeps the low 64 bits.
func wrapBig(b *big.Int) int64 {
	if b.IsInt64() {
		return b.Int64()
	}
	mask := new(big.Int).SetUint64(math.MaxUint64)
	low := new(big.Int).And(b, mask) // And of a negative number is that of its two's complement
	return int64(low.Uint64())
}

func pow10(n int32) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// truncate is BigDecimal.toBigInteger.
func truncate(unscaled *big.Int, scale int32) *big.Int {
	if scale <= 0 {
		return new(big.Int).Mul(unscaled, pow10(-scale))
	}
	if scale > digits(unscaled) {
		return new(big.Int)
	}
	return new(big.Int).Quo(unscaled, pow10(scale))
}

// rational is a decimal as an exact fraction.
func rational(unscaled *big.Int, scale int32) *big.Rat {
	r := new(big.Rat)
	if scale <= 0 {
		return r.SetInt(truncate(unscaled, scale))
	}
	return r.SetFrac(unscaled, pow10(scale))
}

// beyondFloats says that a decimal is too large for any float, or too small.
func beyondFloats(unscaled *big.Int, scale int32) (f float64, ok bool) {
	switch exponent := int64(digits(unscaled)) - int64(scale); {
	case unscaled.Sign() == 0 || exponent < -400:
		return 0, true
	case exponent > 400:
		return math.Inf(unscaled.Sign()), true
	}
	return 0, false
}

func decimalFloat(unscaled *big.Int, scale int32) float64 {
	if f, ok := beyondFloats(unscaled, scale); ok {
		return f
	}
	f, _ := rational(unscaled, scale).Float64()
	return f
}

func decimalFloat32(unscaled *big.Int, scale int32) float32 {
	if f, ok := beyondFloats(unscaled, scale); ok {
		return float32(f)
	}
	f, _ := rational(unscaled, scale).Float32()
	return f
}
