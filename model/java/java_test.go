package java

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringlab/model/types"
)

// compiled is a function of two CQL values.
func compiled(t testing.TB, body string, args []*types.Type, returns *types.Type, called bool) (*Function, error) {
	names := []string{"x", "y", "z"}[:len(args)]
	return Compile("f", body, &Context{Keyspace: "ks", Names: names, Args: args, Returns: returns}, called)
}

// wrapped is an exact result in a signed width.
func wrapped(n *big.Int, bits uint) int64 {
	m := new(big.Int).And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1)))
	if m.Bit(int(bits-1)) == 1 {
		m.Sub(m, new(big.Int).Lsh(big.NewInt(1), bits))
	}
	return m.Int64()
}

// Integers do what exact numbers do, cut to their width; division cuts towards
// zero, and shifts count modulo the width.
func TestIntegersWrapLikeExactNumbers(t *testing.T) {
	for _, w := range []struct {
		typ    *types.Type
		bits   uint
		encode func(int64) []byte
		decode func([]byte) int64
	}{
		{types.Int, 32, func(n int64) []byte { return types.EncodeInt32(int32(n)) }, func(b []byte) int64 { return int64(types.DecodeInt32(b)) }},
		{types.BigInt, 64, types.EncodeInt64, types.DecodeInt64},
	} {
		for _, op := range strings.Fields("+ - * / % & | ^ << >> >>>") {
			fn, err := compiled(t, "return x "+op+" y;", []*types.Type{w.typ, w.typ}, w.typ, false)
			if strings.Contains(op, "<") || strings.Contains(op, ">") {
				fn, err = compiled(t, "return x "+op+" (int) y;", []*types.Type{w.typ, w.typ}, w.typ, false)
			}
			if err != nil {
				t.Fatal(op, err)
			}
			edges := []int64{0, 1, -1, 2, -2, 31, 32, 63, 64, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64}
			draw := rapid.OneOf(rapid.SampledFrom(edges), rapid.Int64())
			rapid.Check(t, func(t *rapid.T) {
				x, y := wrapped(big.NewInt(draw.Draw(t, "x")), w.bits), wrapped(big.NewInt(draw.Draw(t, "y")), w.bits)
				out, err := fn.Call([][]byte{w.encode(x), w.encode(y)})
				a, b, want := big.NewInt(x), big.NewInt(y), new(big.Int)
				n := uint(uint64(y) % uint64(w.bits))
				switch op {
				case "+":
					want.Add(a, b)
				case "-":
					want.Sub(a, b)
				case "*":
					want.Mul(a, b)
				case "/", "%":
					if y == 0 {
						if f, ok := err.(*Failure); !ok || f.Text != "java.lang.ArithmeticException: / by zero" {
							t.Fatalf("%d %s 0 gives %v", x, op, err)
						}
						return
					}
					if op == "/" {
						want.Quo(a, b)
					} else {
						want.Rem(a, b)
					}
				case "&":
					want.And(a, b)
				case "|":
					want.Or(a, b)
				case "^":
					want.Xor(a, b)
				case "<<":
					want.Lsh(a, n)
				case ">>":
					want.Rsh(a, n)
				case ">>>":
					want.And(a, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), w.bits), big.NewInt(1)))
					want.Rsh(want, n)
				}
				if err != nil || w.decode(out) != wrapped(want, w.bits) {
					t.Fatalf("%d %s %d = %d (%v), not %d", x, op, y, w.decode(out), err, wrapped(want, w.bits))
				}
			})
		}
	}
}

// A narrowing cast keeps the low bits of an integer; one of a double goes to the
// nearest end, and NaN to zero.
func TestCasts(t *testing.T) {
	fn, err := compiled(t, `return (byte) x + "," + (short) x + "," + (int) x + "," + (int) (char) x + "," + (long) y + "," + (int) y;`, []*types.Type{types.BigInt, types.Double}, types.Text, false)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Int64().Draw(t, "x"), rapid.Float64().Draw(t, "y")
		clamp := func(low, high int64) int64 {
			if y != y {
				return 0
			}
			exact, _ := new(big.Float).SetFloat64(y).Int(nil)
			switch {
			case exact == nil && y > 0 || exact != nil && exact.Cmp(big.NewInt(high)) > 0:
				return high
			case exact == nil || exact.Cmp(big.NewInt(low)) < 0:
				return low
			}
			return exact.Int64()
		}
		want := fmt.Sprintf("%d,%d,%d,%d,%d,%d", int8(x), int16(x), int32(x), uint16(x), clamp(math.MinInt64, math.MaxInt64), clamp(math.MinInt32, math.MaxInt32))
		out, err := fn.Call([][]byte{types.EncodeInt64(x), types.EncodeDouble(y)})
		if err != nil || string(out) != want {
			t.Fatalf("%d, %g: %s (%v), not %s", x, y, out, err, want)
		}
	})
}

// What never ends is ended, and what grows without end too.
func TestCallsEnd(t *testing.T) {
	for body, text := range map[string]string{
		"while (x >= 0) { x = x & 1; } return x;":                                                                              "",
		"for (;;) { try { x++; } finally { continue; } }":                                                                      "",
		`String s = "x"; while (true) { s += s; if (s.isEmpty()) return 1; }`:                                                  "java.lang.OutOfMemoryError: Java heap space",
		"List<Integer> l = new ArrayList<Integer>(); while (true) { l.add(x); if (l.isEmpty()) break; } return 1;":             "",
		"int[] a = new int[2000000000]; return a.length;":                                                                      "java.lang.OutOfMemoryError: Java heap space",
		`java.math.BigInteger b = java.math.BigInteger.TEN; while (true) { b = b.multiply(b); if (b.signum() < 0) return 1; }`: "java.lang.OutOfMemoryError: Java heap space",
	} {
		fn, err := compiled(t, body, []*types.Type{types.Int}, types.Int, true)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		_, err = fn.Call([][]byte{types.EncodeInt32(1)})
		f, ok := err.(*Failure)
		if !ok || f.Text != text || f.Stopped != (text == "") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// FuzzBody: no source panics, and every call ends.
func FuzzBody(f *testing.F) {
	for _, s := range []string{"return x;", "return y.length();", "int[] a = {1, 2}; a[x]++; return a[0] + a[1];", "switch (x) { case 1: return 2; default: }  return 3;",
		"try { throw new RuntimeException(y); } catch (Exception e) { return e.getMessage().length(); } finally { x = 1; }",
		"Map<String,Integer> m = new HashMap<String,Integer>(); m.put(y, x); for (Map.Entry<String,Integer> e : m.entrySet()) x += e.getValue(); return x;",
		"List<Integer> l = Arrays.asList(1, x); l.set(0, null); return l.get(0);", "outer: for (;;) { do { break outer; } while (x > 3); } return (int) 'c' << 2;",
		"return x > 2 ? (byte) x : Math.max(x, 3L) > 2 ? null : 1;", `String s = String.format("%5d|%s", x, y); return s.split(",").length;`,
		"List l = new ArrayList(); l.add(y); List<Integer> k = l; return k.get(0);", "Integer[] a = new Integer[3]; Object[] b = a; b[0] = y; return a[0];"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, called := range []bool{true, false} {
			fn, err := compiled(t, body, []*types.Type{types.Int, types.Text}, types.Int, called)
			if err != nil {
				switch err.(type) {
				case *CompileError, *Limit, *Refused:
				default:
					t.Fatalf("%T: %v", err, err)
				}
				continue
			}
			for _, y := range [][]byte{[]byte("a,b"), nil} {
				if _, err := fn.Call([][]byte{types.EncodeInt32(3), y}); err != nil {
					switch err.(type) {
					case *Failure, *Limit:
					default:
						t.Fatalf("%T: %v", err, err)
					}
				}
			}
		}
	})
}
