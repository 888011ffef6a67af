package function

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"ringlab/model/plan"
	"ringlab/model/types"
)

// addMath declares abs, exp, log, log10 and round, each on every number.
// Source: Cassandra 5.0 MathFcts, NumberType.
func addMath(add func(*Function, ...string)) {
	for _, t := range numericTypes {
		for _, name := range []string{"abs", "exp", "log", "log10", "round"} {
			add(&Function{Name: name, Args: []*types.Type{t}, Out: t, Eval: func(_ *Context, args [][]byte) ([]byte, error) {
				x, ok := numberOf(t, args[0])
				if !ok {
					return nil, nil
				}
				return mathOn(name, t, x)
			}})
		}
	}
}

func mathOn(name string, t *types.Type, x number) ([]byte, error) {
	switch t.Kind {
	case types.KindFloat:
		if name == "round" {
			return types.EncodeFloat(float32(int32(floatToInt(math.Floor(x.f+0.5), math.MinInt32, math.MaxInt32)))), nil
		}
		return encodeFloat(float32(FloatMath(name, x.f)), x.f != x.f), nil
	case types.KindDouble:
		if name == "round" {
			return types.EncodeDouble(float64(roundHalfUp(x.f))), nil
		}
		return encodeDouble(FloatMath(name, x.f), x.f != x.f), nil
	case types.KindDecimal, types.KindVarint:
		return bigMath(name, t, x)
	}
	switch name {
	case "round":
		return encodeInt(t, x.i), nil
	case "abs":
		return encodeInt(t, max(x.i, -x.i)), nil
	}
	f := FloatMath(name, float64(x.i))
	if t.Kind == types.KindBigInt || t.Kind == types.KindCounter {
		return encodeInt(t, floatToInt(f, math.MinInt64, math.MaxInt64)), nil
	}
	return encodeInt(t, floatToInt(f, math.MinInt32, math.MaxInt32)), nil
}

// FloatMath gives exp, log and log10 rounded to the nearest float64, which those
// of Java's runtime nearly always are and Go's often are not: its logarithm of
// 1000 to base 10 is below 3.
func FloatMath(name string, f float64) float64 {
	if name == "abs" {
		return math.Abs(f)
	}
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0) || f <= 0 && name != "exp":
	case name == "exp" && (math.Abs(f) > 750 || math.Abs(f) < 1e-20):
	default:
		return nearest(name, f)
	}
	switch name {
	case "exp":
		return math.Exp(f)
	case "log":
		return math.Log(f)
	}
	return math.Log10(f)
}

// nearest computes to 40 digits and rounds.
func nearest(name string, f float64) float64 {
	in := new(apd.Decimal)
	exact := new(big.Float).SetFloat64(f).Text('f', 1100)
	if _, _, err := in.SetString(strings.TrimRight(exact, "0")); err != nil {
		panic("function: " + err.Error())
	}
	ctx := apd.BaseContext.WithPrecision(40)
	out, err := compute(ctx, name, in)
	if err != nil {
		panic("function: " + name + " of " + exact + ": " + err.Error())
	}
	r, _ := strconv.ParseFloat(out.Text('E'), 64)
	return r
}

// roundHalfUp is Math.round: ties go towards positive infinity.
func roundHalfUp(f float64) int64 {
	r := math.Floor(f)
	if f-r >= 0.5 {
		r++
	}
	return floatToInt(r, math.MinInt64, math.MaxInt64)
}

func bigMath(name string, t *types.Type, x number) ([]byte, error) {
	switch name {
	case "abs":
		if t.Kind == types.KindVarint {
			return types.EncodeVarint(new(big.Int).Abs(x.big)), nil
		}
		return types.EncodeDecimal(new(big.Int).Abs(x.big), x.scale), nil
	case "round":
		if t.Kind == types.KindVarint {
			return types.EncodeVarint(x.big), nil
		}
		if err := tooFar(int64(x.scale)); err != nil {
			return nil, err
		}
		return types.EncodeDecimal(divide(x.big, x.scale, big.NewInt(1), 0, 0, halfUp), 0), nil
	}
	u, s, err := transcendental(name, x.big, x.scale)
	if e, ok := err.(*plan.Error); ok {
		return nil, e
	}
	if err != nil {
		return nil, &plan.Error{Code: plan.ServerError, Message: "java.lang.ArithmeticException: " + err.Error()}
	}
	if t.Kind == types.KindVarint {
		return types.EncodeVarint(truncate(u, s)), nil
	}
	return types.EncodeDecimal(u, s), nil
}
