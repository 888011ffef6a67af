package function

import (
	"math/big"
	"strings"

	"ringlab/model/types"
)

// addCasts declares what CAST(x AS t) may do: numbers among each other, simple
// values to text, and dates among each other.
// Source: Cassandra 5.0 CastFcts.
func addCasts(add func(*Function, ...string)) {
	cast := func(in, out *types.Type, eval func(b []byte) ([]byte, error)) {
		n := out.String()
		add(&Function{Name: "cast_as_" + n, Args: []*types.Type{in}, Out: out, Eval: func(_ *Context, args [][]byte) ([]byte, error) {
			if args[0] == nil || len(args[0]) == 0 && in.EmptyMeaningless() {
				return nil, nil
			}
			return eval(args[0])
		}}, "castAs"+strings.ToUpper(n[:1])+n[1:])
	}
	text := func(in *types.Type) {
		for _, out := range []*types.Type{types.Ascii, types.Text} {
			cast(in, out, func(b []byte) ([]byte, error) {
				if in == types.Counter {
					return []byte(types.BigInt.Raw(b)), nil
				}
				return []byte(in.Raw(b)), nil
			})
		}
	}
	for _, in := range numericTypes {
		for _, out := range numericTypes {
			if in != out && out != types.Counter {
				cast(in, out, func(b []byte) ([]byte, error) {
					n, _ := numberOf(in, b)
					return convert(n, out)
				})
			}
		}
		text(in)
	}
	cast(types.Ascii, types.Text, func(b []byte) ([]byte, error) { return b, nil })
	for _, in := range []*types.Type{types.Inet, types.Boolean, types.TimeUUID, types.Timestamp, types.Date, types.Time, types.UUID} {
		text(in)
	}
	for _, c := range [][2]*types.Type{{types.TimeUUID, types.Date}, {types.TimeUUID, types.Timestamp},
		{types.Timestamp, types.Date}, {types.Date, types.Timestamp}} {
		in, out := c[0], c[1]
		cast(in, out, func(b []byte) ([]byte, error) { return fromMillis(out, millisOf(in, b)), nil })
	}
}

// convert turns a number into another type as Java's conversions do.
func convert(n number, out *types.Type) ([]byte, error) {
	switch out.Kind {
	case types.KindTinyInt:
		return types.EncodeInt8(int8(n.narrow())), nil
	case types.KindSmallInt:
		return types.EncodeInt16(int16(n.narrow())), nil
	case types.KindInt:
		return types.EncodeInt32(n.narrow()), nil
	case types.KindBigInt:
		return types.EncodeInt64(n.asInt()), nil
	case types.KindFloat:
		return types.EncodeFloat(n.asFloat32()), nil
	case types.KindDouble:
		return types.EncodeDouble(n.asFloat()), nil
	case types.KindVarint:
		return types.EncodeVarint(big.NewInt(n.asInt())), nil
	}
	switch n.kind {
	case types.KindVarint:
		return types.EncodeDecimal(n.big, 0), nil
	case types.KindFloat, types.KindDouble:
		return floatToDecimal(n)
	}
	return types.EncodeDecimal(big.NewInt(n.i), 0), nil
}
