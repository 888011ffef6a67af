package function

import (
	"math/big"

	"github.com/cockroachdb/apd/v3"

	"ringlab/model/plan"
	"ringlab/model/types"
)

// What DecimalType keeps of a quotient: at least 32 digits and decimals, at
// most 1000 decimals. Source: Cassandra 5.0 DecimalType.
const (
	minDigits = 32
	minScale  = 32
	maxScale  = 1000
)

func digits(u *big.Int) int32 {
	if u.Sign() == 0 {
		return 1
	}
	return int32(len(new(big.Int).Abs(u).String()))
}

// align brings two decimals to one scale, the larger of both.
func align(a *big.Int, as int32, b *big.Int, bs int32) (x, y *big.Int, scale int32) {
	switch {
	case as > bs:
		return a, new(big.Int).Mul(b, pow10(as-bs)), as
	case bs > as:
		return new(big.Int).Mul(a, pow10(bs-as)), b, bs
	}
	return a, b, as
}

func decimalOperation(symbol byte, x, y number) ([]byte, error) {
	a, as, err := x.asDecimal()
	if err != nil {
		return nil, err
	}
	b, bs, err := y.asDecimal()
	if err != nil {
		return nil, err
	}
	switch symbol {
	case '+':
		return encodeDecimal(sum(a, as, b, bs))
	case '-':
		return encodeDecimal(sum(a, as, new(big.Int).Neg(b), bs))
	case '*':
		u := new(big.Int).Mul(a, b)
		if _, err := scaleOf(u, int64(as)+int64(bs)); err != nil {
			return nil, err
		}
		return encodeDecimal(fitted(u, int64(as)+int64(bs)))
	case '/':
		if err := tooFar(int64(as) - int64(bs)); err != nil {
			return nil, err
		}
		scale := minDigits - ((digits(a) - as) - (digits(b) - bs))
		scale = min(max(scale, as, bs, minScale), maxScale)
		if b.Sign() == 0 {
			return nil, byZero(a, as, scale+bs)
		}
		u, s := strip(divide(a, as, b, bs, scale, halfUp), scale)
		return types.EncodeDecimal(u, s), nil
	}
	if b.Sign() == 0 {
		return nil, javaError("Division by zero")
	}
	if err := tooFar(int64(as) - int64(bs)); err != nil {
		return nil, err
	}
	p, q, s := align(a, as, b, bs)
	if p.CmpAbs(q) < 0 {
		return types.EncodeDecimal(a, as), nil // the dividend itself, in its own scale
	}
	return types.EncodeDecimal(new(big.Int).Rem(p, q), s), nil
}

// byZero is the text of a division by zero, which tells whether the dividend fits
// into 64 bits once it has the scale of the quotient and the divisor together.
// Source: java.math.BigDecimal.divide(long, int, long, int, int, int).
func byZero(a *big.Int, as, scale int32) error {
	raise := scale - as
	if a.IsInt64() && (raise <= 0 || raise < 19 && new(big.Int).Mul(a, pow10(raise)).IsInt64()) {
		return errZero
	}
	return errBigZero
}

func encodeDecimal(u *big.Int, scale int32, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return types.EncodeDecimal(u, scale), nil
}

type rounding uint8

const (
	halfUp rounding = iota
	halfEven
)

// divide is BigDecimal.divide(divisor, scale, rounding).
func divide(a *big.Int, as int32, b *big.Int, bs, scale int32, mode rounding) *big.Int {
	num, den := new(big.Int).Set(a), new(big.Int).Set(b)
	if e := scale - as + bs; e >= 0 {
		num.Mul(num, pow10(e))
	} else {
		den.Mul(den, pow10(-e))
	}
	q, r := new(big.Int).QuoRem(num, den, new(big.Int))
	if r.Sign() == 0 {
		return q
	}
	twice := new(big.Int).Abs(r)
	twice.Lsh(twice, 1)
	c := twice.CmpAbs(den)
	if c > 0 || c == 0 && (mode == halfUp || q.Bit(0) == 1) {
		if num.Sign()*den.Sign() < 0 {
			q.Sub(q, big.NewInt(1))
		} else {
			q.Add(q, big.NewInt(1))
		}
	}
	return q
}

// strip is BigDecimal.stripTrailingZeros.
func strip(u *big.Int, scale int32) (*big.Int, int32) {
	if u.Sign() == 0 {
		return new(big.Int), 0
	}
	ten, r, q := big.NewInt(10), new(big.Int), new(big.Int).Set(u)
	for {
		t, m := new(big.Int).QuoRem(q, ten, r)
		if m.Sign() != 0 {
			return q, scale
		}
		q = t
		scale--
	}
}

// compute is exp, log or log10 in a context.
func compute(ctx *apd.Context, name string, in *apd.Decimal) (*apd.Decimal, error) {
	out := new(apd.Decimal)
	var err error
	switch name {
	case "exp":
		return exponential(ctx, in)
	case "log":
		_, err = ctx.Ln(out, in)
	default:
		return commonLog(ctx, in)
	}
	return out, err
}

// commonLog is log10 as a quotient of natural logarithms of two digits more: one that
// comes out even keeps no zeros at its end, as of 100, but not of 1000.
// Source: big-math BigDecimalMath.log10, java.math.BigDecimal.divide.
func commonLog(ctx *apd.Context, in *apd.Decimal) (*apd.Decimal, error) {
	wide, wider := ctx.WithPrecision(ctx.Precision+2), ctx.WithPrecision(ctx.Precision+12)
	ln := func(x *apd.Decimal) (*apd.Decimal, error) {
		out := new(apd.Decimal)
		if _, err := wider.Ln(out, x); err != nil {
			return nil, err
		}
		_, err := wide.Round(out, out)
		return out, err
	}
	a, err := ln(in)
	if err != nil {
		return nil, err
	}
	b, err := ln(apd.New(10, 0))
	if err != nil {
		return nil, err
	}
	preferred := a.Exponent - b.Exponent
	if a.IsZero() {
		return apd.New(0, preferred), nil
	}
	q := new(apd.Decimal)
	how, err := wide.Quo(q, a, b)
	if err != nil {
		return nil, err
	}
	if !how.Inexact() {
		q.Reduce(q)
		if raise := q.Exponent - preferred; raise > 0 {
			q.Coeff.Mul(&q.Coeff, new(apd.BigInt).Exp(apd.NewBigInt(10), apd.NewBigInt(int64(raise)), nil))
			q.Exponent = preferred
		}
	}
	_, err = ctx.Round(q, q)
	return q, err
}

// exponential is exp of any decimal that a context has an exponent for. Where the
// library's own way ends it halves the number until it is small, and squares.
func exponential(ctx *apd.Context, in *apd.Decimal) (*apd.Decimal, error) {
	const small = 500 // the library wants less than 23 times its precision, which is 32 at least
	out, x := new(apd.Decimal), new(apd.Decimal).Set(in)
	limit, two := apd.New(small, 0), apd.New(2, 0)
	if new(apd.Decimal).Abs(x).Cmp(limit) <= 0 {
		_, err := ctx.Exp(out, in)
		return out, err
	}
	wide := ctx.WithPrecision(ctx.Precision + 20) // squaring loses a third of a digit each time
	halved := 0
	for new(apd.Decimal).Abs(x).Cmp(limit) > 0 && halved < 20 {
		if _, err := wide.Quo(x, x, two); err != nil {
			return nil, err
		}
		halved++
	}
	if _, err := wide.Exp(out, x); err != nil {
		return nil, err
	}
	for ; halved > 0; halved-- {
		if _, err := wide.Mul(out, out, out); err != nil {
			return nil, err
		}
	}
	_, err := ctx.Round(out, out)
	return out, err
}

// transcendental computes exp, ln or log10 of a decimal to the precision of its
// digits, at least 32. Source: Cassandra 5.0 DecimalType.exp, log, log10.
func transcendental(name string, u *big.Int, scale int32) (*big.Int, int32, error) {
	if u.Sign() <= 0 && name != "exp" {
		if name == "log" {
			return nil, 0, javaError("Natural log of number zero or less")
		}
		return nil, 0, javaError("Log10 of number zero or less")
	}
	in := apd.NewWithBigInt(new(apd.BigInt).SetMathBigInt(u), -scale)
	ctx := apd.BaseContext.WithPrecision(uint32(min(max(digits(u), minDigits), 10000)))
	ctx.Rounding = apd.RoundHalfEven
	out, err := compute(ctx, name, in)
	if err != nil {
		return nil, 0, plan.Unsupported(name+" of decimals of this size", "use one that is smaller")
	}
	v := out.Coeff.MathBigInt()
	if out.Negative {
		v.Neg(v)
	}
	return v, -out.Exponent, nil
}
