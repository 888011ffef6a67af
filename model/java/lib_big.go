package java

import (
	"math/big"
	"strings"
)

var roundings = strings.Fields("UP DOWN CEILING FLOOR HALF_UP HALF_DOWN HALF_EVEN UNNECESSARY")

func bigClasses() []declared {
	modes := map[string]any{}
	for _, r := range roundings {
		modes["RoundingMode "+r] = enum{"RoundingMode", r}
	}
	constants := func(class string, of func(int64) any) map[string]any {
		return map[string]any{class + " ZERO": of(0), class + " ONE": of(1), class + " TEN": of(10)}
	}
	ints := constants("BigInteger", func(n int64) any { return big.NewInt(n) })
	ints["BigInteger TWO"] = big.NewInt(2)
	return []declared{
		{head: "class java.math.RoundingMode", fields: modes, methods: members{"String name()": func(_ *machine, a []any) any { return a[0].(enum).name }}},
		{head: "class java.math.BigInteger : Number & Comparable<BigInteger>", methods: bigIntegerMembers(), fields: ints},
		{head: "class java.math.BigDecimal : Number & Comparable<BigDecimal>", methods: bigDecimalMembers(),
			fields: constants("BigDecimal", func(n int64) any { return &bigDecimal{big.NewInt(n), 0} })},
	}
}

func bigOf(m *machine, v any) *big.Int { return m.object(v).(*big.Int) }

// weigh accounts for an operation on numbers of that many bits.
func (m *machine) weigh(bits ...int) {
	n := 0
	for _, b := range bits {
		n += b/64 + 1
	}
	if n > 1<<13 {
		panic(stopped{memory: true})
	}
	m.alloc(n)
	m.step(n * n / 64)
}

func bigIntegerMembers() members {
	read := func(m *machine, a []any) any {
		s := m.str(a[0])
		m.weigh(4 * len(s))
		radix := 10
		if len(a) > 1 {
			radix = int(a[1].(int32))
		}
		if s == "" {
			m.throw("NumberFormatException", "Zero length BigInteger")
		}
		n, ok := new(big.Int).SetString(s, radix)
		if !ok || strings.Contains(s, "_") {
			m.throw("NumberFormatException", "For input string: \""+s+"\"")
		}
		return n
	}
	two := func(f func(m *machine, r, x, y *big.Int)) body {
		return func(m *machine, a []any) any {
			x, y, r := a[0].(*big.Int), bigOf(m, a[1]), new(big.Int)
			m.weigh(x.BitLen(), y.BitLen())
			f(m, r, x, y)
			return r
		}
	}
	divides := func(f func(r, x, y *big.Int) *big.Int) body {
		return two(func(m *machine, r, x, y *big.Int) {
			if y.Sign() == 0 {
				m.throw("ArithmeticException", "BigInteger divide by zero")
			}
			f(r, x, y)
		})
	}
	exactly := func(name string, bits int) body {
		return func(m *machine, a []any) any {
			n := a[0].(*big.Int)
			if !n.IsInt64() || n.Int64() != n.Int64()<<(64-bits)>>(64-bits) {
				m.throw("ArithmeticException", "BigInteger out of "+name+" range")
			}
			return convertTo(n.Int64(), bits)
		}
	}
	shiftBy := func(left bool) body {
		return func(m *machine, a []any) any {
			n, x := int(a[1].(int32)), a[0].(*big.Int)
			if !left {
				n = -n
			}
			if n < 0 {
				return new(big.Int).Rsh(x, uint(-n))
			}
			m.weigh(x.BitLen() + n)
			return new(big.Int).Lsh(x, uint(n))
		}
	}
	return members{
		"BigInteger(String)":               read,
		"BigInteger(String, int)":          read,
		"static BigInteger valueOf(long)":  func(_ *machine, a []any) any { return big.NewInt(a[0].(int64)) },
		"BigInteger add(BigInteger)":       two(func(_ *machine, r, x, y *big.Int) { r.Add(x, y) }),
		"BigInteger subtract(BigInteger)":  two(func(_ *machine, r, x, y *big.Int) { r.Sub(x, y) }),
		"BigInteger multiply(BigInteger)":  two(func(_ *machine, r, x, y *big.Int) { r.Mul(x, y) }),
		"BigInteger divide(BigInteger)":    divides((*big.Int).Quo),
		"BigInteger remainder(BigInteger)": divides((*big.Int).Rem),
		"BigInteger mod(BigInteger)": two(func(m *machine, r, x, y *big.Int) {
			if y.Sign() <= 0 {
				m.throw("ArithmeticException", "BigInteger: modulus not positive")
			}
			r.Mod(x, y)
		}),
		"BigInteger gcd(BigInteger)": two(func(_ *machine, r, x, y *big.Int) { r.GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y)) }),
		"BigInteger and(BigInteger)": two(func(_ *machine, r, x, y *big.Int) { r.And(x, y) }),
		"BigInteger or(BigInteger)":  two(func(_ *machine, r, x, y *big.Int) { r.Or(x, y) }),
		"BigInteger xor(BigInteger)": two(func(_ *machine, r, x, y *big.Int) { r.Xor(x, y) }),
		"BigInteger max(BigInteger)": func(m *machine, a []any) any {
			if a[0].(*big.Int).Cmp(bigOf(m, a[1])) > 0 {
				return a[0]
			}
			return a[1]
		},
		"BigInteger min(BigInteger)": func(m *machine, a []any) any {
			if a[0].(*big.Int).Cmp(bigOf(m, a[1])) < 0 {
				return a[0]
			}
			return a[1]
		},
		"BigInteger negate()": func(_ *machine, a []any) any { return new(big.Int).Neg(a[0].(*big.Int)) },
		"BigInteger not()":    func(_ *machine, a []any) any { return new(big.Int).Not(a[0].(*big.Int)) },
		"BigInteger abs()":    func(_ *machine, a []any) any { return new(big.Int).Abs(a[0].(*big.Int)) },
		"BigInteger pow(int)": func(m *machine, a []any) any {
			n, x := a[1].(int32), a[0].(*big.Int)
			if n < 0 {
				m.throw("ArithmeticException", "Negative exponent")
			}
			m.weigh(x.BitLen() * int(n))
			return new(big.Int).Exp(x, big.NewInt(int64(n)), nil)
		},
		"BigInteger sqrt()": func(m *machine, a []any) any {
			if a[0].(*big.Int).Sign() < 0 {
				m.throw("ArithmeticException", "Negative BigInteger")
			}
			return new(big.Int).Sqrt(a[0].(*big.Int))
		},
		"BigInteger shiftLeft(int)":  shiftBy(true),
		"BigInteger shiftRight(int)": shiftBy(false),
		"int signum()":               func(_ *machine, a []any) any { return int32(a[0].(*big.Int).Sign()) },
		"int bitLength()": func(_ *machine, a []any) any {
			x := a[0].(*big.Int)
			if x.Sign() < 0 {
				x = new(big.Int).Not(x)
			}
			return int32(x.BitLen())
		},
		"boolean testBit(int)": func(m *machine, a []any) any {
			if a[1].(int32) < 0 {
				m.throw("ArithmeticException", "Negative bit address")
			}
			return a[0].(*big.Int).Bit(int(a[1].(int32))) == 1
		},
		"String toString(int)": func(m *machine, a []any) any {
			x, radix := a[0].(*big.Int), int(a[1].(int32))
			m.weigh(x.BitLen())
			if radix < 2 || radix > 36 {
				radix = 10
			}
			return m.text(x.Text(radix))
		},
		"int intValueExact()":   exactly("int", 32),
		"long longValueExact()": exactly("long", 64),
	}
}

func convertTo(n int64, bits int) any {
	if bits == 32 {
		return int32(n)
	}
	return n
}

// modeOf is a rounding given as a constant of RoundingMode or, as once, a number.
func modeOf(m *machine, v any) string {
	if n, ok := v.(int32); ok {
		if n < 0 || int(n) >= len(roundings) {
			m.throw("IllegalArgumentException", "Invalid rounding mode")
		}
		return roundings[n]
	}
	return m.object(v).(enum).name
}

func decimalOf(m *machine, v any) *bigDecimal { return m.object(v).(*bigDecimal) }

// scale keeps scales within what can be computed.
func (m *machine) scale(n int64) int32 {
	if n > 10000 || n < -10000 {
		m.limit("a decimal of scale " + decimalText(n))
	}
	return int32(n)
}

func bigDecimalMembers() members {
	read := func(m *machine, a []any) any {
		s := m.str(a[0])
		m.weigh(4 * len(s))
		d := parseDecimal(s)
		if d == nil {
			m.limit("new BigDecimal of \"" + s + "\", which is no number,")
		}
		m.scale(int64(d.scale))
		return d
	}
	whole := func(_ *machine, a []any) any { return &bigDecimal{big.NewInt(toLong(a[0])), 0} }
	two := func(f func(m *machine, x, y *bigDecimal) *bigDecimal) body {
		return func(m *machine, a []any) any {
			x, y := a[0].(*bigDecimal), decimalOf(m, a[1])
			m.weigh(x.u.BitLen()+4*int(max(x.scale-y.scale, y.scale-x.scale)), y.u.BitLen())
			out := f(m, x, y)
			m.scale(int64(out.scale))
			return out
		}
	}
	one := func(f func(x *bigDecimal) *bigDecimal) body {
		return func(m *machine, a []any) any {
			m.weigh(a[0].(*bigDecimal).u.BitLen())
			return f(a[0].(*bigDecimal))
		}
	}
	setScale := func(m *machine, a []any) any {
		mode := "UNNECESSARY"
		if len(a) > 2 {
			mode = modeOf(m, a[2])
		}
		d := a[0].(*bigDecimal).scaled(m.scale(int64(a[1].(int32))), mode)
		if d == nil {
			m.throw("ArithmeticException", "Rounding necessary")
		}
		return d
	}
	// divide gives a quotient of that scale.
	divide := func(m *machine, x, y *bigDecimal, scale int64, mode string) *bigDecimal {
		if y.u.Sign() == 0 {
			if x.u.Sign() == 0 {
				m.throw("ArithmeticException", "Division undefined")
			}
			m.throw("ArithmeticException", "Division by zero")
		}
		e := int64(m.scale(scale)) - int64(x.scale) + int64(y.scale)
		num, den := x.u, y.u
		if e >= 0 {
			num = new(big.Int).Mul(num, tenTo(m.scale(e)))
		} else {
			den = new(big.Int).Mul(den, tenTo(m.scale(-e)))
		}
		m.weigh(num.BitLen(), den.BitLen())
		q := divideRounded(num, den, mode)
		if q == nil {
			m.throw("ArithmeticException", "Rounding necessary")
		}
		return &bigDecimal{q, int32(scale)}
	}
	byScale := func(m *machine, a []any) any {
		return divide(m, a[0].(*bigDecimal), decimalOf(m, a[1]), int64(a[2].(int32)), modeOf(m, a[3]))
	}
	byMode := func(m *machine, a []any) any {
		x := a[0].(*bigDecimal)
		return divide(m, x, decimalOf(m, a[1]), int64(x.scale), modeOf(m, a[2]))
	}
	pick := func(sign int32) body {
		return func(m *machine, a []any) any {
			if c := m.compareTo(a[0], a[1]) * sign; c >= 0 {
				return a[0]
			}
			return a[1]
		}
	}
	return members{
		"BigDecimal(String)":          read,
		"BigDecimal(int)":             whole,
		"BigDecimal(long)":            whole,
		"BigDecimal(BigInteger)":      func(m *machine, a []any) any { return &bigDecimal{bigOf(m, a[0]), 0} },
		"BigDecimal(BigInteger, int)": func(m *machine, a []any) any { return &bigDecimal{bigOf(m, a[0]), m.scale(int64(a[1].(int32)))} },
		"BigDecimal(double)": func(m *machine, a []any) any {
			f := a[0].(float64)
			if f-f != 0 {
				m.throw("NumberFormatException", "Infinite or NaN")
			}
			s := new(big.Float).SetFloat64(f).Text('f', 1100)
			return parseDecimal(strings.TrimSuffix(strings.TrimRight(s, "0"), "."))
		},
		"static BigDecimal valueOf(long)": whole,
		"static BigDecimal valueOf(long, int)": func(m *machine, a []any) any {
			return &bigDecimal{big.NewInt(a[0].(int64)), m.scale(int64(a[1].(int32)))}
		},
		"static BigDecimal valueOf(double)": func(m *machine, a []any) any {
			if f := a[0].(float64); f-f != 0 {
				m.limit("BigDecimal.valueOf of NaN or Infinity")
			}
			return parseDecimal(numberText(a[0]))
		},
		"BigDecimal add(BigDecimal)": two(func(_ *machine, x, y *bigDecimal) *bigDecimal {
			p, q := align(x, y)
			return &bigDecimal{new(big.Int).Add(p, q), max(x.scale, y.scale)}
		}),
		"BigDecimal subtract(BigDecimal)": two(func(_ *machine, x, y *bigDecimal) *bigDecimal {
			p, q := align(x, y)
			return &bigDecimal{new(big.Int).Sub(p, q), max(x.scale, y.scale)}
		}),
		"BigDecimal multiply(BigDecimal)": two(func(_ *machine, x, y *bigDecimal) *bigDecimal {
			return &bigDecimal{new(big.Int).Mul(x.u, y.u), x.scale + y.scale}
		}),
		"BigDecimal divide(BigDecimal)":                    two(func(m *machine, x, y *bigDecimal) *bigDecimal { return exactQuotient(m, x, y, divide) }),
		"BigDecimal divide(BigDecimal, int)":               byMode,
		"BigDecimal divide(BigDecimal, RoundingMode)":      byMode,
		"BigDecimal divide(BigDecimal, int, RoundingMode)": byScale,
		"BigDecimal divide(BigDecimal, int, int)":          byScale,
		"BigDecimal max(BigDecimal)":                       pick(1),
		"BigDecimal min(BigDecimal)":                       pick(-1),
		"BigDecimal setScale(int)":                         setScale,
		"BigDecimal setScale(int, RoundingMode)":           setScale,
		"BigDecimal setScale(int, int)":                    setScale,
		"BigDecimal negate()":                              one(func(x *bigDecimal) *bigDecimal { return &bigDecimal{new(big.Int).Neg(x.u), x.scale} }),
		"BigDecimal abs()":                                 one(func(x *bigDecimal) *bigDecimal { return &bigDecimal{new(big.Int).Abs(x.u), x.scale} }),
		"BigDecimal stripTrailingZeros()":                  one((*bigDecimal).stripped),
		"BigDecimal movePointLeft(int)": func(m *machine, a []any) any {
			return moved(m, a[0].(*bigDecimal), int64(a[1].(int32)))
		},
		"BigDecimal movePointRight(int)": func(m *machine, a []any) any {
			return moved(m, a[0].(*bigDecimal), -int64(a[1].(int32)))
		},
		"BigDecimal pow(int)": func(m *machine, a []any) any {
			x, n := a[0].(*bigDecimal), a[1].(int32)
			if n < 0 || n > 999999999 {
				m.throw("ArithmeticException", "Invalid operation")
			}
			m.weigh(x.u.BitLen() * int(n))
			return &bigDecimal{new(big.Int).Exp(x.u, big.NewInt(int64(n)), nil), m.scale(int64(x.scale) * int64(n))}
		},
		"int signum()":               func(_ *machine, a []any) any { return int32(a[0].(*bigDecimal).u.Sign()) },
		"int scale()":                func(_ *machine, a []any) any { return a[0].(*bigDecimal).scale },
		"int precision()":            func(_ *machine, a []any) any { return digitsOf(a[0].(*bigDecimal).u) },
		"BigInteger unscaledValue()": func(_ *machine, a []any) any { return a[0].(*bigDecimal).u },
		"BigInteger toBigInteger()":  func(_ *machine, a []any) any { return a[0].(*bigDecimal).integer() },
		"String toPlainString()":     func(m *machine, a []any) any { return m.text(a[0].(*bigDecimal).plain()) },
	}
}

func moved(m *machine, x *bigDecimal, by int64) *bigDecimal {
	if by == 0 {
		return x
	}
	d := &bigDecimal{x.u, m.scale(int64(x.scale) + by)}
	if d.scale < 0 {
		return d.scaled(0, "UNNECESSARY")
	}
	return d
}

// exactQuotient is BigDecimal.divide without rounding: in the scale that is wanted
// if that will do, else in the smallest one, and if there is none it throws.
// Source: java.math.BigDecimal.divide.
func exactQuotient(m *machine, x, y *bigDecimal, divide func(m *machine, x, y *bigDecimal, scale int64, mode string) *bigDecimal) *bigDecimal {
	wanted := int64(x.scale) - int64(y.scale)
	if y.u.Sign() == 0 || x.u.Sign() == 0 {
		if y.u.Sign() == 0 {
			divide(m, x, y, 0, "DOWN")
		}
		return &bigDecimal{new(big.Int), m.scale(wanted)}
	}
	// The quotient ends if the divisor, without what it shares, has only twos and fives.
	g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x.u), new(big.Int).Abs(y.u))
	rest := new(big.Int).Quo(new(big.Int).Abs(y.u), g)
	digits := int64(0)
	for _, p := range []int64{2, 5} {
		n := int64(0)
		for new(big.Int).Rem(rest, big.NewInt(p)).Sign() == 0 {
			rest.Quo(rest, big.NewInt(p))
			n++
		}
		digits = max(digits, n)
	}
	if !rest.IsInt64() || rest.Int64() != 1 {
		m.throw("ArithmeticException", "Non-terminating decimal expansion; no exact representable decimal result.")
	}
	return divide(m, x, y, wanted+digits, "UNNECESSARY").stripTo(wanted)
}
