package java

import (
	"math"

	"ringlab/model/types"
)

// Values of primitive types are bool, int8, int16, uint16 (char), int32, int64,
// float32 and float64; boxed ones are the same, and nil is null.

// toLong is an integral value as 64 bits.
func toLong(v any) int64 {
	switch x := v.(type) {
	case int8:
		return int64(x)
	case int16:
		return int64(x)
	case uint16:
		return int64(x)
	case int32:
		return int64(x)
	case int64:
		return x
	case float32:
		return saturate(float64(x), math.MinInt64, math.MaxInt64)
	case float64:
		return saturate(x, math.MinInt64, math.MaxInt64)
	}
	panic("java: no number")
}

func toDouble(v any) float64 {
	switch x := v.(type) {
	case float32:
		return float64(x)
	case float64:
		return x
	}
	return float64(toLong(v))
}

func toFloat(v any) float32 {
	switch x := v.(type) {
	case float32:
		return x
	case float64:
		return float32(x)
	}
	return float32(toLong(v))
}

// saturate is the narrowing of floating point numbers: NaN is 0, and what is
// beyond the ends is the end. Source: Java Language Specification 5.1.3.
func saturate(f float64, low, high int64) int64 {
	switch {
	case f != f:
		return 0
	case f <= float64(low):
		return low
	case f >= float64(high):
		return high
	}
	return int64(f)
}

// toInt is a number as an int: floating point numbers saturate, longs are cut.
func toInt(v any) int32 {
	switch x := v.(type) {
	case float32:
		return int32(saturate(float64(x), math.MinInt32, math.MaxInt32))
	case float64:
		return int32(saturate(x, math.MinInt32, math.MaxInt32))
	}
	return int32(toLong(v))
}

// convert is a number in another primitive type.
func convert(v any, to kind) any {
	switch to {
	case kByte:
		return int8(small(v))
	case kShort:
		return int16(small(v))
	case kChar:
		return uint16(small(v))
	case kInt:
		return toInt(v)
	case kLong:
		return toLong(v)
	case kFloat:
		return toFloat(v)
	case kDouble:
		return toDouble(v)
	}
	return v
}

// small is a number on its way to less than 32 bits: floating point numbers go
// through int.
func small(v any) int64 {
	switch v.(type) {
	case float32, float64:
		return int64(toInt(v))
	}
	return toLong(v)
}

// promoted is the type in which an operation of two numbers is done.
func promoted(x, y kind) kind { return max(x, y, kInt) }

// operation is a binary operator on operands that are promoted to k; division by
// zero throws.
func operation(op string, k kind) func(m *machine, x, y any) any {
	switch k {
	case kInt:
		return func(m *machine, x, y any) any { return integerOperation(m, op, x.(int32), y.(int32)) }
	case kLong:
		return func(m *machine, x, y any) any { return integerOperation(m, op, x.(int64), y.(int64)) }
	case kFloat:
		return func(_ *machine, x, y any) any { return floatOperation(op, x.(float32), y.(float32)) }
	case kDouble:
		return func(_ *machine, x, y any) any { return doubleOperation(op, x.(float64), y.(float64)) }
	}
	return nil
}

// integerOperation is arithmetic of int and long, which wraps: MIN_VALUE / -1 is
// MIN_VALUE in Java as in Go.
func integerOperation[T int32 | int64](m *machine, op string, x, y T) any {
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/", "%":
		if y == 0 {
			m.throw("ArithmeticException", "/ by zero")
		}
		if op == "/" {
			return x / y
		}
		return x % y
	case "&":
		return x & y
	case "|":
		return x | y
	case "^":
		return x ^ y
	}
	return compare(op, x, y)
}

// The conversions keep each step from being fused with the next one.
func floatOperation(op string, x, y float32) any {
	switch op {
	case "+":
		return float32(x + y)
	case "-":
		return float32(x - y)
	case "*":
		return float32(x * y)
	case "/":
		return float32(x / y)
	case "%":
		if r := float32(math.Mod(float64(x), float64(y))); r == r || x != x || y != y {
			return r
		}
		return math.Float32frombits(0xffc00000) // that of the processor
	}
	return compare(op, x, y)
}

func doubleOperation(op string, x, y float64) any {
	switch op {
	case "+":
		return float64(x + y)
	case "-":
		return float64(x - y)
	case "*":
		return float64(x * y)
	case "/":
		return float64(x / y)
	case "%":
		if r := math.Mod(x, y); r == r || x != x || y != y {
			return r
		}
		return math.Float64frombits(0xfff8000000000000)
	}
	return compare(op, x, y)
}

func compare[T int32 | int64 | float32 | float64](op string, x, y T) bool {
	switch op {
	case "==":
		return x == y
	case "!=":
		return x != y
	case "<":
		return x < y
	case "<=":
		return x <= y
	case ">":
		return x > y
	}
	return x >= y
}

// shift is << >> or >>> of a promoted left side; the distance counts modulo its
// width.
func shift(op string, x any, by int64) any {
	if v, ok := x.(int32); ok {
		n := uint(by & 31)
		switch op {
		case "<<":
			return v << n
		case ">>":
			return v >> n
		}
		return int32(uint32(v) >> n)
	}
	v, n := x.(int64), uint(by&63)
	switch op {
	case "<<":
		return v << n
	case ">>":
		return v >> n
	}
	return int64(uint64(v) >> n)
}

// negate is the unary minus of a promoted number.
func negate(v any) any {
	switch x := v.(type) {
	case int32:
		return -x
	case int64:
		return -x
	case float32:
		return -x
	}
	return -v.(float64)
}

// numberText is String.valueOf of a primitive value.
func numberText(v any) string {
	switch x := v.(type) {
	case bool:
		if x {
			return "true"
		}
		return "false"
	case uint16:
		return fromUnits([]uint16{x})
	case float32:
		return types.JavaFloat(x)
	case float64:
		return types.JavaDouble(x)
	}
	return decimalText(toLong(v))
}
