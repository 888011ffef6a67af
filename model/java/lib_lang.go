package java

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"github.com/cockroachdb/apd/v3"

	"ringlab/model/function"
)

func langClasses() []declared {
	return []declared{
		{head: "class java.lang.Object", methods: members{
			"Object()":               func(m *machine, _ []any) any { m.alloc(1); return &plain{} },
			"boolean equals(Object)": func(m *machine, a []any) any { return m.equals(a[0], a[1]) },
			"int hashCode()":         func(m *machine, a []any) any { return hashOf(m, a[0]) },
			"String toString()":      func(m *machine, a []any) any { return m.toText(a[0]) },
			"Class<?> getClass()": func(m *machine, a []any) any {
				if _, ok := a[0].(*array); ok {
					m.limit("getClass of an array")
				}
				return classObject{classOf(a[0])}
			},
		}},
		{head: "class java.lang.Class<T>", methods: members{
			"String getName()": func(_ *machine, a []any) any { return a[0].(classObject).c.binary() },
			"String getSimpleName()": func(_ *machine, a []any) any {
				n := a[0].(classObject).c.name
				return n[strings.LastIndexByte(n, '.')+1:]
			},
		}},
		{head: "interface java.lang.Comparable<T>", methods: members{
			"int compareTo(T)": func(m *machine, a []any) any { return m.compareTo(a[0], a[1]) },
		}},
		{head: "interface java.lang.Iterable<T>", methods: members{
			"Iterator<T> iterator()": func(m *machine, a []any) any { return iterate(m, a[0].(collection)) },
		}},
		{head: "class java.lang.Boolean : Comparable<Boolean>", methods: members{
			"Boolean(boolean)":                            same1,
			"boolean booleanValue()":                      same1,
			"static Boolean valueOf(boolean)":             same1,
			"static Boolean valueOf(String)":              isTrue,
			"static boolean parseBoolean(String)":         isTrue,
			"static String toString(boolean)":             func(m *machine, a []any) any { return m.toText(a[0]) },
			"static int compare(boolean, boolean)":        func(m *machine, a []any) any { return m.compareTo(a[0], a[1]) },
			"static int hashCode(boolean)":                func(m *machine, a []any) any { return hashOf(m, a[0]) },
			"static boolean logicalAnd(boolean, boolean)": func(_ *machine, a []any) any { return a[0].(bool) && a[1].(bool) },
			"static boolean logicalOr(boolean, boolean)":  func(_ *machine, a []any) any { return a[0].(bool) || a[1].(bool) },
			"static boolean logicalXor(boolean, boolean)": func(_ *machine, a []any) any { return a[0].(bool) != a[1].(bool) },
		}, fields: map[string]any{"Boolean TRUE": true, "Boolean FALSE": false}},
		{head: "class java.lang.Character : Comparable<Character>", methods: members{
			"char charValue()":                     same1,
			"static Character valueOf(char)":       same1,
			"static String toString(char)":         func(m *machine, a []any) any { return m.toText(a[0]) },
			"static int compare(char, char)":       func(m *machine, a []any) any { return m.compareTo(a[0], a[1]) },
			"static int hashCode(char)":            func(m *machine, a []any) any { return hashOf(m, a[0]) },
			"static boolean isDigit(char)":         onChar(unicode.IsDigit),
			"static boolean isLetter(char)":        onChar(unicode.IsLetter),
			"static boolean isLetterOrDigit(char)": onChar(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }),
			"static boolean isAlphabetic(int)":     onChar(func(r rune) bool { return unicode.IsLetter(r) }),
			"static boolean isWhitespace(char)":    onChar(func(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' || r >= 0x1c && r <= 0x1f }),
			"static boolean isUpperCase(char)":     onChar(unicode.IsUpper),
			"static boolean isLowerCase(char)":     onChar(unicode.IsLower),
			"static char toUpperCase(char)":        mapChar(unicode.ToUpper),
			"static char toLowerCase(char)":        mapChar(unicode.ToLower),
			"static int getNumericValue(char)": func(m *machine, a []any) any {
				return digitOf(a[0].(uint16), 36, ascii(m, a[0]))
			},
			"static int digit(char, int)": func(m *machine, a []any) any { return digitOf(a[0].(uint16), a[1].(int32), ascii(m, a[0])) },
			"static char forDigit(int, int)": func(_ *machine, a []any) any {
				d, r := a[0].(int32), a[1].(int32)
				if r < 2 || r > 36 || d < 0 || d >= r {
					return uint16(0)
				}
				return uint16("0123456789abcdefghijklmnopqrstuvwxyz"[d])
			},
		}, fields: map[string]any{"char MAX_VALUE": uint16(math.MaxUint16), "char MIN_VALUE": uint16(0)}},
		{head: "class java.lang.Math", methods: mathMembers(), fields: map[string]any{"double PI": math.Pi, "double E": math.E}},
		{head: "class java.lang.StrictMath"},
		{head: "class java.lang.System", methods: members{
			"static void arraycopy(Object, int, Object, int, int)": arraycopy,
			"static String lineSeparator()":                        func(*machine, []any) any { return "\n" },
		}},
	}
}

func same1(_ *machine, a []any) any { return a[0] }

func isTrue(_ *machine, a []any) any { return a[0] != nil && strings.EqualFold(a[0].(string), "true") }

// ascii refuses characters whose class depends on the edition of Unicode.
func ascii(m *machine, v any) bool {
	r := rune(toLong(v))
	if r > 0xFF {
		m.limit("the class of a character beyond Latin-1")
	}
	return true
}

func onChar(f func(rune) bool) body {
	return func(m *machine, a []any) any { return ascii(m, a[0]) && f(rune(toLong(a[0]))) }
}

func mapChar(f func(rune) rune) body {
	return func(m *machine, a []any) any {
		ascii(m, a[0])
		if r := f(rune(a[0].(uint16))); r <= 0xFFFF {
			return uint16(r)
		}
		return a[0]
	}
}

func digitOf(c uint16, radix int32, _ bool) int32 {
	if i := strings.IndexRune("0123456789abcdefghijklmnopqrstuvwxyz", unicode.ToLower(rune(c))); i >= 0 && int32(i) < radix && c < 0x80 {
		return int32(i)
	}
	return -1
}

func arraycopy(m *machine, a []any) any {
	from, ok1 := m.object(a[0]).(*array)
	to, ok2 := m.object(a[2]).(*array)
	if !ok1 || !ok2 || !from.elem.equal(to.elem) {
		m.limit("System.arraycopy between different kinds of arrays")
	}
	i, j, n := int(a[1].(int32)), int(a[3].(int32)), int(a[4].(int32))
	if i < 0 || j < 0 || n < 0 || i+n > len(from.v) || j+n > len(to.v) {
		m.limit("System.arraycopy beyond the end of an array")
	}
	m.step(n)
	copy(to.v[j:j+n], from.v[i:i+n])
	return nil
}

// each declares a method for several primitive types; T is the type.
func each(out members, types, sig string, b body) {
	for _, t := range strings.Fields(types) {
		out[strings.ReplaceAll(sig, "T", t)] = b
	}
}

func mathMembers() members {
	out := members{
		"static double sqrt(double)":  func(_ *machine, a []any) any { return math.Sqrt(a[0].(float64)) },
		"static double floor(double)": func(_ *machine, a []any) any { return math.Floor(a[0].(float64)) },
		"static double ceil(double)":  func(_ *machine, a []any) any { return math.Ceil(a[0].(float64)) },
		"static double rint(double)":  func(_ *machine, a []any) any { return math.RoundToEven(a[0].(float64)) },
		"static double exp(double)":   func(_ *machine, a []any) any { return function.FloatMath("exp", a[0].(float64)) },
		"static double log(double)":   func(_ *machine, a []any) any { return function.FloatMath("log", a[0].(float64)) },
		"static double log10(double)": func(_ *machine, a []any) any { return function.FloatMath("log10", a[0].(float64)) },
		"static double pow(double, double)": func(m *machine, a []any) any {
			m.step(1000)
			return power(a[0].(float64), a[1].(float64))
		},
		"static double cbrt(double)": func(m *machine, a []any) any {
			m.step(1000)
			return cubeRoot(a[0].(float64))
		},
		"static double signum(double)":           func(_ *machine, a []any) any { return sign(a[0].(float64)) },
		"static float signum(float)":             func(_ *machine, a []any) any { return float32(sign(float64(a[0].(float32)))) },
		"static double toRadians(double)":        func(_ *machine, a []any) any { return a[0].(float64) * 0.017453292519943295 },
		"static double toDegrees(double)":        func(_ *machine, a []any) any { return a[0].(float64) * 57.29577951308232 },
		"static double copySign(double, double)": func(_ *machine, a []any) any { return math.Copysign(a[0].(float64), a[1].(float64)) },
		"static double random()": func(m *machine, _ []any) any {
			m.limit("Math.random, which gives something else each time,")
			return nil
		},
		"static long round(double)": func(_ *machine, a []any) any { return saturate(roundUp(a[0].(float64)), math.MinInt64, math.MaxInt64) },
		"static int round(float)": func(_ *machine, a []any) any {
			return int32(saturate(roundUp(float64(a[0].(float32))), math.MinInt32, math.MaxInt32))
		},
		"static int toIntExact(long)": func(m *machine, a []any) any {
			if v := a[0].(int64); int64(int32(v)) == v {
				return int32(v)
			}
			m.throw("ArithmeticException", "integer overflow")
			return nil
		},
		"static int floorMod(long, int)":  func(m *machine, a []any) any { return int32(floorMod(m, a[0].(int64), toLong(a[1]))) },
		"static long floorDiv(long, int)": func(m *machine, a []any) any { return floored(m, a[0].(int64), toLong(a[1])) },
		"static long multiplyExact(long, int)": func(m *machine, a []any) any {
			return exact(m, "*", a[0], toLong(a[1]))
		},
	}
	each(out, "int long float double", "static T abs(T)", func(_ *machine, a []any) any {
		switch x := a[0].(type) {
		case int32:
			return max(x, -x)
		case int64:
			return max(x, -x)
		case float32:
			return float32(math.Abs(float64(x)))
		}
		return math.Abs(a[0].(float64))
	})
	each(out, "int long float double", "static T max(T, T)", func(_ *machine, a []any) any { return larger(a[0], a[1], 1) })
	each(out, "int long float double", "static T min(T, T)", func(_ *machine, a []any) any { return larger(a[0], a[1], -1) })
	for name, op := range map[string]string{"add": "+", "subtract": "-", "multiply": "*"} {
		each(out, "int long", "static T "+name+"Exact(T, T)", func(m *machine, a []any) any { return exact(m, op, a[0], a[1]) })
	}
	each(out, "int long", "static T negateExact(T)", func(m *machine, a []any) any { return exact(m, "-", convertLike(0, a[0]), a[0]) })
	each(out, "int long", "static T incrementExact(T)", func(m *machine, a []any) any { return exact(m, "+", a[0], convertLike(1, a[0])) })
	each(out, "int long", "static T decrementExact(T)", func(m *machine, a []any) any { return exact(m, "-", a[0], convertLike(1, a[0])) })
	each(out, "int long", "static T floorMod(T, T)", func(m *machine, a []any) any {
		return convertLike(floorMod(m, toLong(a[0]), toLong(a[1])), a[0])
	})
	each(out, "int long", "static T floorDiv(T, T)", func(m *machine, a []any) any {
		return convertLike(floored(m, toLong(a[0]), toLong(a[1])), a[0])
	})
	return out
}

// convertLike is a number as wide as another one.
func convertLike(n int64, like any) any {
	if _, ok := like.(int32); ok {
		return int32(n)
	}
	return n
}

func floored(m *machine, x, y int64) int64 {
	if y == 0 {
		m.throw("ArithmeticException", "/ by zero")
	}
	if y == -1 {
		return -x
	}
	return floorDiv(x, y)
}

func floorMod(m *machine, x, y int64) int64 { return x - floored(m, x, y)*y }

// exact is an operation that throws where it overflows.
func exact(m *machine, op string, x, y any) any {
	a, b, r := big.NewInt(toLong(x)), big.NewInt(toLong(y)), new(big.Int)
	switch op {
	case "+":
		r.Add(a, b)
	case "-":
		r.Sub(a, b)
	default:
		r.Mul(a, b)
	}
	if _, ok := x.(int32); ok {
		if !r.IsInt64() || int64(int32(r.Int64())) != r.Int64() {
			m.throw("ArithmeticException", "integer overflow")
		}
		return int32(r.Int64())
	}
	if !r.IsInt64() {
		m.throw("ArithmeticException", "long overflow")
	}
	return r.Int64()
}

// larger is Math.max, or Math.min for -1: NaN wins, and 0.0 is more than -0.0.
func larger(x, y any, sign int32) any {
	var c int32
	switch a := x.(type) {
	case int32:
		c = order(a, y.(int32))
	case int64:
		c = order(a, y.(int64))
	default:
		p, q := toDouble(x), toDouble(y)
		switch {
		case p != p:
			return x
		case q != q:
			return y
		}
		c = compareDoubles(p, q)
	}
	if c*sign >= 0 {
		return x
	}
	return y
}

func sign(f float64) float64 {
	switch {
	case f > 0:
		return 1
	case f < 0:
		return -1
	}
	return f
}

// roundUp is floor(f + 1/2) without the rounding of that sum.
func roundUp(f float64) float64 {
	r := math.Floor(f)
	if f-r >= 0.5 {
		r++
	}
	return r
}

// precise computes with forty digits and rounds to the nearest double.
func precise(x float64, compute func(ctx *apd.Context, out, x *apd.Decimal) error) (float64, bool) {
	in, ctx, out := new(apd.Decimal), apd.BaseContext.WithPrecision(45), new(apd.Decimal)
	if _, _, err := in.SetString(strings.TrimRight(new(big.Float).SetFloat64(x).Text('f', 1100), "0")); err != nil {
		return 0, false
	}
	if err := compute(ctx, out, in); err != nil {
		return 0, false
	}
	f, _ := strconv.ParseFloat(out.Text('E'), 64)
	return f, true
}

// power is Math.pow, rounded to the nearest double. Java allows an error of one
// unit in the last place; its own results are nearly always these.
func power(x, y float64) float64 {
	f := math.Pow(x, y)
	if f == 0 || math.IsInf(f, 0) || f != f || x == 1 || y == 0 || y == 1 {
		return f
	}
	a := math.Abs(x)
	p, ok := precise(a, func(ctx *apd.Context, out, in *apd.Decimal) error {
		exponent := new(apd.Decimal)
		if _, _, err := exponent.SetString(new(big.Float).SetFloat64(y).Text('f', 1100)); err != nil {
			return err
		}
		_, err := ctx.Pow(out, in, exponent)
		return err
	})
	if !ok {
		return f
	}
	return math.Copysign(p, f)
}

func cubeRoot(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || x != x {
		return x
	}
	if f, ok := precise(x, func(ctx *apd.Context, out, in *apd.Decimal) error { _, err := ctx.Cbrt(out, in); return err }); ok {
		return f
	}
	return math.Cbrt(x)
}
