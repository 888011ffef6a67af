package function

import (
	"math"
	"math/big"
	"slices"

	"ringlab/model/plan"
	"ringlab/model/types"
)

var operationNames = map[byte]string{'+': "_add", '-': "_substract", '*': "_multiply", '/': "_divide", '%': "_modulo"}

var operationOrder = [...]byte{'+', '-', '*', '/', '%'}

// Operator is the sign of an operation's function name, 0 for others.
func Operator(name string) byte {
	for _, s := range operationOrder {
		if operationNames[s] == name {
			return s
		}
	}
	return 0
}

var numericTypes = []*types.Type{types.TinyInt, types.SmallInt, types.Int, types.BigInt, types.Float, types.Double,
	types.Decimal, types.Varint, types.Counter}

// addOperations declares arithmetic: between all numbers, between temporal
// values and durations, and the concatenation of strings.
// Source: Cassandra 5.0 OperationFcts.addFunctionsTo.
func addOperations(add func(*Function, ...string)) {
	for _, l := range numericTypes {
		for _, r := range numericTypes {
			out := operationType(l, r)
			for _, s := range operationOrder {
				add(operation(s, out, l, r, func(a, b []byte) ([]byte, error) {
					x, okX := numberOf(l, a)
					y, okY := numberOf(r, b)
					if !okX || !okY {
						return nil, nil
					}
					return arithmetic(s, out, x, y)
				}))
			}
		}
		add(&Function{Name: Negation, Args: []*types.Type{l}, Out: l, Symbol: 'n', Eval: func(_ *Context, args [][]byte) ([]byte, error) {
			x, ok := numberOf(l, args[0])
			if !ok {
				return nil, nil
			}
			return negate(l, x), nil
		}})
	}
	for _, t := range []*types.Type{types.Timestamp, types.Date} {
		for _, s := range []byte{'+', '-'} {
			add(operation(s, t, t, types.Duration, func(a, b []byte) ([]byte, error) { return shift(t, a, b, s == '-') }))
		}
	}
	for _, c := range [][3]*types.Type{{types.Text, types.Text, types.Text}, {types.Ascii, types.Ascii, types.Ascii},
		{types.Text, types.Ascii, types.Text}, {types.Text, types.Text, types.Ascii}} {
		add(operation('+', c[0], c[1], c[2], func(a, b []byte) ([]byte, error) {
			return append(append(make([]byte, 0, len(a)+len(b)), a...), b...), nil
		}))
	}
}

// operation wraps a computation so that nulls give null and failures are told
// as FunctionFailure. Source: Cassandra 5.0 OperationExecutionException.
func operation(symbol byte, out, l, r *types.Type, do func(a, b []byte) ([]byte, error)) *Function {
	return &Function{Name: operationNames[symbol], Args: []*types.Type{l, r}, Out: out, Symbol: symbol,
		Eval: func(_ *Context, args [][]byte) ([]byte, error) {
			if args[0] == nil || args[1] == nil {
				return nil, nil
			}
			v, err := do(args[0], args[1])
			if e, ok := err.(*plan.Error); ok {
				return nil, e
			}
			if err != nil {
				return nil, &plan.Error{Code: plan.FunctionError, Keyspace: "system", Function: operationNames[symbol], Args: []string{l.String(), r.String()},
					Message: "the operation '" + l.String() + " " + string(symbol) + " " + r.String() + "' failed: " + err.Error()}
			}
			return v, nil
		}}
}

func numericSize(t *types.Type) int {
	switch t.Kind {
	case types.KindTinyInt:
		return 1
	case types.KindSmallInt:
		return 2
	case types.KindInt, types.KindFloat:
		return 4
	case types.KindBigInt, types.KindCounter, types.KindDouble:
		return 8
	}
	return math.MaxInt
}

func isFloating(t *types.Type) bool {
	return t.Kind == types.KindFloat || t.Kind == types.KindDouble || t.Kind == types.KindDecimal
}

// operationType is the type of the result: the wider of both, floating if
// either is.
func operationType(l, r *types.Type) *types.Type {
	size := max(numericSize(l), numericSize(r))
	if isFloating(l) || isFloating(r) {
		switch size {
		case 4:
			return types.Float
		case 8:
			return types.Double
		}
		return types.Decimal
	}
	switch size {
	case 1:
		return types.TinyInt
	case 2:
		return types.SmallInt
	case 4:
		return types.Int
	case 8:
		return types.BigInt
	}
	return types.Varint
}

const (
	errZero    = javaError("/ by zero")
	errBigZero = javaError("BigInteger divide by zero")
)

func arithmetic(symbol byte, out *types.Type, x, y number) ([]byte, error) {
	switch out.Kind {
	case types.KindFloat:
		a, b := x.asFloat32(), y.asFloat32()
		return encodeFloat(floatOperation(symbol, a, b), a != a || b != b), nil
	case types.KindDouble:
		a, b := x.asFloat(), y.asFloat()
		return encodeDouble(floatOperation(symbol, a, b), a != a || b != b), nil
	case types.KindDecimal:
		return decimalOperation(symbol, x, y)
	case types.KindVarint:
		v, err := bigOperation(symbol, x.asBig(), y.asBig())
		if err != nil {
			return nil, err
		}
		return types.EncodeVarint(v), nil
	}
	v, err := intOperation(symbol, x.asInt(), y.asInt())
	if err != nil {
		return nil, err
	}
	return encodeInt(out, v), nil
}

// encodeDouble writes a result. A NaN that no NaN went into has its sign set, as
// x86 processors make it.
func encodeDouble(f float64, fromNaN bool) []byte {
	switch {
	case f == f:
		return types.EncodeDouble(f)
	case fromNaN:
		return types.EncodeInt64(0x7ff8 << 48)
	}
	return types.EncodeInt64(-0x8 << 48)
}

func encodeFloat(f float32, fromNaN bool) []byte {
	switch {
	case f == f:
		return types.EncodeFloat(f)
	case fromNaN:
		return types.EncodeInt32(0x7fc0 << 16)
	}
	return types.EncodeInt32(-0x40 << 16)
}

func intOperation(symbol byte, a, b int64) (int64, error) {
	switch symbol {
	case '+':
		return a + b, nil
	case '-':
		return a - b, nil
	case '*':
		return a * b, nil
	}
	if b == 0 {
		return 0, errZero
	}
	if symbol == '/' {
		if b == -1 {
			return -a, nil
		}
		return a / b, nil
	}
	if b == -1 {
		return 0, nil
	}
	return a % b, nil
}

func floatOperation[F float32 | float64](symbol byte, a, b F) F {
	switch symbol {
	case '+':
		return a + b
	case '-':
		return a - b
	case '*':
		return a * b
	case '/':
		return a / b
	}
	return F(math.Mod(float64(a), float64(b)))
}

func bigOperation(symbol byte, a, b *big.Int) (*big.Int, error) {
	switch symbol {
	case '+':
		return new(big.Int).Add(a, b), nil
	case '-':
		return new(big.Int).Sub(a, b), nil
	case '*':
		return new(big.Int).Mul(a, b), nil
	}
	if b.Sign() == 0 {
		return nil, errBigZero
	}
	if symbol == '/' {
		return new(big.Int).Quo(a, b), nil
	}
	return new(big.Int).Rem(a, b), nil
}

func encodeInt(t *types.Type, v int64) []byte {
	switch t.Kind {
	case types.KindTinyInt:
		return types.EncodeInt8(int8(v))
	case types.KindSmallInt:
		return types.EncodeInt16(int16(v))
	case types.KindInt:
		return types.EncodeInt32(int32(v))
	}
	return types.EncodeInt64(v)
}

func negate(t *types.Type, x number) []byte {
	switch t.Kind {
	case types.KindFloat:
		return types.EncodeFloat(-float32(x.f))
	case types.KindDouble:
		return types.EncodeDouble(-x.f)
	case types.KindVarint:
		return types.EncodeVarint(new(big.Int).Neg(x.big))
	case types.KindDecimal:
		return types.EncodeDecimal(new(big.Int).Neg(x.big), x.scale)
	}
	return encodeInt(t, -x.i)
}

// Adds says whether values of a type can be added to where they are stored:
// numbers and texts. Source: Cassandra 5.0 NumberType, StringType.
func Adds(t *types.Type) bool {
	return t.Kind == types.KindText || t.Kind == types.KindAscii || slices.Contains(numericTypes, t)
}

// Add is a stored value with another one added to it; nil stays nil. Adding null
// is an error of Cassandra's, not of its user.
// Source: Cassandra 5.0 Constants.Adder, Constants.Concatenator.
func Add(t *types.Type, stored, more []byte) ([]byte, error) {
	text := t.Kind == types.KindText || t.Kind == types.KindAscii
	switch {
	case stored == nil:
		return nil, nil
	case more == nil:
		call := `"java.nio.ByteBuffer.remaining()" because "value"`
		if text {
			call = `"java.nio.ByteBuffer.remaining()" because "append"`
		} else if t.Kind == types.KindDecimal {
			call = `"java.lang.Number.doubleValue()" because "number"`
		}
		return nil, &plan.Error{Code: plan.ServerError, Message: "java.lang.NullPointerException: Cannot invoke " + call + " is null"}
	case text:
		return slices.Concat(stored, more), nil
	}
	x, okX := numberOf(t, stored)
	y, okY := numberOf(t, more)
	if !okX || !okY {
		return nil, nil
	}
	return arithmetic('+', t, x, y)
}
