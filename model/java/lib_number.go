package java

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"ringlab/model/types"
)

func numberClasses() []declared {
	out := []declared{{head: "class java.lang.Number", methods: members{
		"int intValue()":       func(_ *machine, a []any) any { return numberAs(a[0], kInt) },
		"long longValue()":     func(_ *machine, a []any) any { return numberAs(a[0], kLong) },
		"float floatValue()":   func(_ *machine, a []any) any { return numberAs(a[0], kFloat) },
		"double doubleValue()": func(_ *machine, a []any) any { return numberAs(a[0], kDouble) },
		"short shortValue()":   func(_ *machine, a []any) any { return numberAs(a[0], kShort) },
		"byte byteValue()":     func(_ *machine, a []any) any { return numberAs(a[0], kByte) },
	}}}
	for _, b := range []struct {
		name, prim, parse string
		bits              int
	}{{"Byte", "byte", "parseByte", 8}, {"Short", "short", "parseShort", 16}, {"Integer", "int", "parseInt", 32}, {"Long", "long", "parseLong", 64}} {
		k := primitives[b.prim].kind
		read := func(m *machine, a []any) any {
			radix := int32(10)
			if len(a) > 1 {
				radix = a[1].(int32)
			}
			return convert(parseInteger(m, a[0], radix, b.bits), k)
		}
		ms := members{
			b.name + "(T)":                          same1,
			b.name + "(String)":                     read,
			"static B valueOf(T)":                   same1,
			"static B valueOf(String)":              read,
			"static B valueOf(String, int)":         read,
			"static T " + b.parse + "(String)":      read,
			"static T " + b.parse + "(String, int)": read,
			"static String toString(T)":             func(m *machine, a []any) any { return m.toText(a[0]) },
			"static int compare(T, T)":              func(m *machine, a []any) any { return m.compareTo(a[0], a[1]) },
			"static int hashCode(T)":                func(m *machine, a []any) any { return hashOf(m, a[0]) },
		}
		for _, t := range []struct {
			name string
			kind kind
		}{{"byte", kByte}, {"short", kShort}, {"int", kInt}, {"long", kLong}, {"float", kFloat}, {"double", kDouble}} {
			ms[t.name+" "+t.name+"Value()"] = func(_ *machine, a []any) any { return convert(a[0], t.kind) }
		}
		if b.bits >= 32 {
			integerMembers(ms, b.bits)
		}
		out = append(out, declared{head: "class java.lang." + b.name + " : Number & Comparable<" + b.name + ">", methods: named(ms, b.name, b.prim), fields: map[string]any{
			b.prim + " MAX_VALUE": convert(int64(math.MaxInt64>>(64-b.bits)), k), b.prim + " MIN_VALUE": convert(int64(math.MinInt64>>(64-b.bits)), k),
			"int SIZE": int32(b.bits), "int BYTES": int32(b.bits / 8)}})
	}
	return append(out, floating("Float", "float", kFloat, 32), floating("Double", "double", kDouble, 64))
}

// named puts the names of a class and its primitive type into signatures.
func named(ms members, class, prim string) members {
	out := members{}
	for sig, b := range ms {
		sig = strings.NewReplacer("static B ", "static "+class+" ", "static T ", "static "+prim+" ", "(T", "("+prim, ", T", ", "+prim).Replace(sig)
		out[sig] = b
	}
	return out
}

func integerMembers(ms members, width int) {
	unsigned := func(v any) uint64 {
		if width == 32 {
			return uint64(uint32(v.(int32)))
		}
		return uint64(v.(int64))
	}
	count := func(f func(uint64) int) body {
		return func(_ *machine, a []any) any { return int32(f(unsigned(a[0]))) }
	}
	ms["static String toHexString(T)"] = func(_ *machine, a []any) any { return strconv.FormatUint(unsigned(a[0]), 16) }
	ms["static String toBinaryString(T)"] = func(_ *machine, a []any) any { return strconv.FormatUint(unsigned(a[0]), 2) }
	ms["static String toOctalString(T)"] = func(_ *machine, a []any) any { return strconv.FormatUint(unsigned(a[0]), 8) }
	ms["static String toUnsignedString(T)"] = func(_ *machine, a []any) any { return strconv.FormatUint(unsigned(a[0]), 10) }
	ms["static String toString(T, int)"] = func(_ *machine, a []any) any {
		radix := int(a[1].(int32))
		if radix < 2 || radix > 36 {
			radix = 10
		}
		return strconv.FormatInt(toLong(a[0]), radix)
	}
	ms["static int bitCount(T)"] = count(bits.OnesCount64)
	ms["static int numberOfLeadingZeros(T)"] = count(func(u uint64) int { return bits.LeadingZeros64(u) - (64 - width) })
	ms["static int numberOfTrailingZeros(T)"] = count(func(u uint64) int { return min(bits.TrailingZeros64(u), width) })
	ms["static int signum(T)"] = func(_ *machine, a []any) any { return order(toLong(a[0]), 0) }
	ms["static T sum(T, T)"] = func(_ *machine, a []any) any { return convertLike(toLong(a[0])+toLong(a[1]), a[0]) }
	ms["static T max(T, T)"] = func(_ *machine, a []any) any { return larger(a[0], a[1], 1) }
	ms["static T min(T, T)"] = func(_ *machine, a []any) any { return larger(a[0], a[1], -1) }
	ms["static int compareUnsigned(T, T)"] = func(_ *machine, a []any) any {
		x, y := unsigned(a[0]), unsigned(a[1])
		switch {
		case x < y:
			return int32(-1)
		case x > y:
			return int32(1)
		}
		return int32(0)
	}
	rotate := func(v any, n int) any {
		if width == 32 {
			return int32(bits.RotateLeft32(uint32(v.(int32)), n))
		}
		return int64(bits.RotateLeft64(uint64(v.(int64)), n))
	}
	ms["static T rotateLeft(T, int)"] = func(_ *machine, a []any) any { return rotate(a[0], int(a[1].(int32)&63)) }
	ms["static T rotateRight(T, int)"] = func(_ *machine, a []any) any { return rotate(a[0], -int(a[1].(int32)&63)) }
	ms["static T reverse(T)"] = func(_ *machine, a []any) any {
		if width == 32 {
			return int32(bits.Reverse32(uint32(a[0].(int32))))
		}
		return int64(bits.Reverse64(uint64(a[0].(int64))))
	}
	ms["static T highestOneBit(T)"] = func(_ *machine, a []any) any {
		if u := unsigned(a[0]); u != 0 {
			return convertLike(int64(1)<<(bits.Len64(u)-1), a[0])
		}
		return a[0]
	}
	ms["static T lowestOneBit(T)"] = func(_ *machine, a []any) any { n := toLong(a[0]); return convertLike(n&-n, a[0]) }
}

// parseInteger is Integer.parseInt and its like.
func parseInteger(m *machine, v any, radix int32, width int) int64 {
	bad := func(text string) { m.throw("NumberFormatException", text) }
	if v == nil {
		bad("Cannot parse null string")
	}
	if radix < 2 || radix > 36 {
		m.limit("a radix that is not between 2 and 36")
	}
	s := v.(string)
	under := ""
	if radix != 10 {
		under = " under radix " + decimalText(int64(radix))
	}
	if !isASCII(s) {
		m.limit("reading digits that are not ASCII")
	}
	wide := max(width, 32)
	n, err := strconv.ParseInt(s, int(radix), wide)
	if err != nil || strings.Contains(s, "_") {
		bad("For input string: \"" + s + "\"" + under)
	}
	if width < 32 && n != n<<(64-width)>>(64-width) {
		bad("Value out of range. Value:\"" + s + "\" Radix:" + decimalText(int64(radix)))
	}
	return n
}

func floating(name, prim string, k kind, width int) declared {
	read := func(m *machine, a []any) any { return convert(parseDouble(m, a[0], width), k) }
	test := func(f func(float64) bool) body { return func(_ *machine, a []any) any { return f(toDouble(a[0])) } }
	ms := members{
		name + "(T)":                         same1,
		name + "(String)":                    read,
		"static B valueOf(T)":                same1,
		"static B valueOf(String)":           read,
		"static T parse" + name + "(String)": read,
		"static String toString(T)":          func(m *machine, a []any) any { return m.toText(a[0]) },
		"static int compare(T, T)":           func(m *machine, a []any) any { return m.compareTo(a[0], a[1]) },
		"static int hashCode(T)":             func(m *machine, a []any) any { return hashOf(m, a[0]) },
		"static boolean isNaN(T)":            test(func(f float64) bool { return f != f }),
		"boolean isNaN()":                    test(func(f float64) bool { return f != f }),
		"static boolean isInfinite(T)":       test(func(f float64) bool { return math.IsInf(f, 0) }),
		"boolean isInfinite()":               test(func(f float64) bool { return math.IsInf(f, 0) }),
		"static boolean isFinite(T)":         test(func(f float64) bool { return f-f == 0 }),
		"static T sum(T, T)":                 func(_ *machine, a []any) any { return convert(toDouble(a[0])+toDouble(a[1]), k) },
		"static T max(T, T)":                 func(_ *machine, a []any) any { return larger(a[0], a[1], 1) },
		"static T min(T, T)":                 func(_ *machine, a []any) any { return larger(a[0], a[1], -1) },
	}
	for _, t := range []string{"byte", "short", "int", "long", "float", "double"} {
		to := primitives[t].kind
		ms[t+" "+t+"Value()"] = func(_ *machine, a []any) any { return convert(a[0], to) }
	}
	fields := map[string]any{"float MAX_VALUE": float32(math.MaxFloat32), "float MIN_VALUE": float32(math.SmallestNonzeroFloat32), "float NaN": math.Float32frombits(0x7fc00000),
		"float POSITIVE_INFINITY": float32(math.Inf(1)), "float NEGATIVE_INFINITY": float32(math.Inf(-1)), "float MIN_NORMAL": float32(0x1p-126)}
	if width == 64 {
		fields = map[string]any{"double MAX_VALUE": math.MaxFloat64, "double MIN_VALUE": math.SmallestNonzeroFloat64, "double NaN": nan,
			"double POSITIVE_INFINITY": math.Inf(1), "double NEGATIVE_INFINITY": math.Inf(-1), "double MIN_NORMAL": 0x1p-1022}
		ms["static long doubleToLongBits(double)"] = func(_ *machine, a []any) any { return doubleBits(a[0].(float64)) }
		ms["static double longBitsToDouble(long)"] = func(_ *machine, a []any) any { return math.Float64frombits(uint64(a[0].(int64))) }
	} else {
		ms["static int floatToIntBits(float)"] = func(_ *machine, a []any) any { return floatBits(a[0].(float32)) }
		ms["static float intBitsToFloat(int)"] = func(_ *machine, a []any) any { return math.Float32frombits(uint32(a[0].(int32))) }
		ms["Float(double)"] = func(_ *machine, a []any) any { return float32(a[0].(float64)) }
	}
	return declared{head: "class java.lang." + name + " : Number & Comparable<" + name + ">", methods: named(ms, name, prim), fields: fields}
}

// parseDouble is Double.parseDouble, and Float.parseFloat for 32 bits.
func parseDouble(m *machine, v any, width int) any {
	s := strings.TrimFunc(m.str(v), func(r rune) bool { return r <= ' ' })
	if s == "" {
		m.throw("NumberFormatException", "empty String")
	}
	f, ok := types.ParseJavaFloat(s, width)
	if !ok {
		m.throw("NumberFormatException", "For input string: \""+s+"\"")
	}
	if f != f {
		f = nan
	}
	if width == 32 {
		return float32(f)
	}
	return f
}

// nan is the NaN that Java writes, which has other bits than Go's.
var nan = math.Float64frombits(0x7ff8000000000000)

// numberAs is a number of any class as a primitive one.
func numberAs(v any, k kind) any {
	switch x := v.(type) {
	case *big.Int:
		return bigAs(x, k)
	case *bigDecimal:
		switch k {
		case kFloat:
			f, _ := strconv.ParseFloat(x.String(), 32)
			return float32(f)
		case kDouble:
			f, _ := strconv.ParseFloat(x.String(), 64)
			return f
		}
		return bigAs(x.integer(), k)
	}
	return convert(v, k)
}

func bigAs(x *big.Int, k kind) any {
	switch k {
	case kFloat:
		f, _ := strconv.ParseFloat(x.String(), 32)
		return float32(f)
	case kDouble:
		f, _ := strconv.ParseFloat(x.String(), 64)
		return f
	}
	low := new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64))
	return convert(int64(low.Uint64()), k)
}
