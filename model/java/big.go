package java

import (
	"math/big"
	"strings"

	"ringlab/model/types"
)

// bigDecimal is a java.math.BigDecimal: u / 10^scale.
type bigDecimal struct {
	u     *big.Int
	scale int32
}

func (d *bigDecimal) String() string { return types.FormatDecimal(d.u, d.scale) }

// plain is toPlainString.
func (d *bigDecimal) plain() string {
	if d.scale <= 0 {
		if d.u.Sign() == 0 {
			return "0"
		}
		return d.u.String() + strings.Repeat("0", int(-d.scale))
	}
	s := new(big.Int).Abs(d.u).String()
	for len(s) <= int(d.scale) {
		s = "0" + s
	}
	i := len(s) - int(d.scale)
	s = s[:i] + "." + s[i:]
	if d.u.Sign() < 0 {
		s = "-" + s
	}
	return s
}

func (d *bigDecimal) same(_ *machine, v any) bool {
	o, ok := v.(*bigDecimal)
	return ok && d.scale == o.scale && d.u.Cmp(o.u) == 0
}

func (d *bigDecimal) hash(*machine) int32 { return 31*hashDecimal(d.u) + d.scale }

// hashDecimal is the hash of an unscaled value: that of small ones goes by 32 bits
// of its own kind. Source: java.math.BigDecimal.hashCode.
func hashDecimal(u *big.Int) int32 {
	if u.IsInt64() {
		v := u.Int64()
		abs := uint64(v)
		if v < 0 {
			abs = uint64(-v)
		}
		h := int32(uint32(abs>>32)*31 + uint32(abs))
		if v < 0 {
			return -h
		}
		return h
	}
	return hashBig(u)
}

func (d *bigDecimal) order(v any) int32 {
	a, b := align(d, v.(*bigDecimal))
	return int32(a.Cmp(b))
}

// align are the unscaled values of two decimals in one scale.
func align(x, y *bigDecimal) (*big.Int, *big.Int) {
	switch {
	case x.scale > y.scale:
		return x.u, new(big.Int).Mul(y.u, tenTo(x.scale-y.scale))
	case x.scale < y.scale:
		return new(big.Int).Mul(x.u, tenTo(y.scale-x.scale)), y.u
	}
	return x.u, y.u
}

func tenTo(n int32) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// integer cuts the decimals.
func (d *bigDecimal) integer() *big.Int {
	if d.scale <= 0 {
		return new(big.Int).Mul(d.u, tenTo(-d.scale))
	}
	return new(big.Int).Quo(d.u, tenTo(d.scale))
}

// scaled is setScale; nil where UNNECESSARY rounding would be needed.
func (d *bigDecimal) scaled(scale int32, mode string) *bigDecimal {
	if scale >= d.scale {
		return &bigDecimal{new(big.Int).Mul(d.u, tenTo(scale-d.scale)), scale}
	}
	q := divideRounded(d.u, tenTo(d.scale-scale), mode)
	if q == nil {
		return nil
	}
	return &bigDecimal{q, scale}
}

// divideRounded is the quotient of two integers, nil where UNNECESSARY is not true.
func divideRounded(x, y *big.Int, mode string) *big.Int {
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Sign() == 0 {
		return q
	}
	sign := x.Sign() * y.Sign()
	half := new(big.Int).Lsh(new(big.Int).Abs(r), 1).CmpAbs(y)
	away := false
	switch mode {
	case "UNNECESSARY":
		return nil
	case "UP":
		away = true
	case "CEILING":
		away = sign > 0
	case "FLOOR":
		away = sign < 0
	case "HALF_UP":
		away = half >= 0
	case "HALF_DOWN":
		away = half > 0
	case "HALF_EVEN":
		away = half > 0 || half == 0 && q.Bit(0) == 1
	}
	if away {
		q.Add(q, big.NewInt(int64(sign)))
	}
	return q
}

func parseDecimal(s string) *bigDecimal {
	u, scale, ok := types.ParseDecimal(s)
	if !ok {
		return nil
	}
	return &bigDecimal{u, scale}
}

// digitsOf is BigDecimal.precision.
func digitsOf(u *big.Int) int32 {
	if u.Sign() == 0 {
		return 1
	}
	return int32(len(new(big.Int).Abs(u).String()))
}

// stripped is stripTrailingZeros.
func (d *bigDecimal) stripped() *bigDecimal {
	if d.u.Sign() == 0 {
		return &bigDecimal{new(big.Int), 0}
	}
	return d.stripTo(-1 << 31)
}

// stripTo takes zeros away until the scale is that.
func (d *bigDecimal) stripTo(scale int64) *bigDecimal {
	u, s, ten := new(big.Int).Set(d.u), d.scale, big.NewInt(10)
	for int64(s) > scale {
		q, r := new(big.Int).QuoRem(u, ten, new(big.Int))
		if r.Sign() != 0 {
			break
		}
		u, s = q, s-1
	}
	return &bigDecimal{u, s}
}

// enum is a constant of an enumeration.
type enum struct{ of, name string }

func (e enum) class() string  { return e.of }
func (e enum) String() string { return e.name }
func (e enum) hash(m *machine) int32 {
	m.limit("hashCode of an object that has only its identity")
	return 0
}
