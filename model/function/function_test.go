package function

import (
	"testing"

	"ringlab/model/types"
)

// TestOperations computes with values written as text.
func TestOperations(t *testing.T) {
	for _, c := range []struct {
		name        string
		left, right *types.Type
		a, b, want  string
	}{
		{"_add", types.Int, types.BigInt, "2147483647", "1", "2147483648"},
		{"_add", types.TinyInt, types.TinyInt, "127", "1", "-128"},
		{"_divide", types.Int, types.Int, "-7", "2", "-3"},
		{"_modulo", types.Int, types.Int, "-7", "2", "-1"},
		{"_divide", types.Decimal, types.Int, "1.25", "3", "0.41666666666666666666666666666667"},
		{"_add", types.Decimal, types.Int, "1.25", "-7", "-5.75"},
		{"_multiply", types.Varint, types.Float, "3", "0.5", "1.5"},
		{"_add", types.Timestamp, types.Duration, "2024-01-31T00:00:00Z", "1mo", "2024-02-29T00:00:00.000Z"},
		{"_substract", types.Date, types.Duration, "2024-03-31", "1mo", "2024-02-29"},
	} {
		f := find(t, c.name, c.left, c.right)
		a, errA := c.left.FromString(c.a)
		b, errB := c.right.FromString(c.b)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		v, err := f.Eval(&Context{}, [][]byte{a, b})
		if err != nil {
			t.Errorf("%v %s %v: %v", c.a, c.name, c.b, err)
		} else if got := f.Out.Raw(v); got != c.want {
			t.Errorf("%s %s %s = %s, want %s", c.a, c.name, c.b, got, c.want)
		}
	}
}

func find(t *testing.T, name string, args ...*types.Type) *Function {
	t.Helper()
next:
	for _, f := range Lookup(name) {
		if len(f.Args) != len(args) {
			continue
		}
		for i := range args {
			if f.Args[i] != args[i] {
				continue next
			}
		}
		return f
	}
	t.Fatalf("no %s of %v", name, args)
	return nil
}

// TestAggregates folds ints that overflow.
func TestAggregates(t *testing.T) {
	for name, want := range map[string]string{"sum": "-2", "avg": "2147483647", "min": "2147483647", "max": "2147483647", "count": "2"} {
		a := NewAggregate(name, types.Int, false)
		for range 2 {
			a.Add(types.EncodeInt32(2147483647))
		}
		a.Add(nil)
		out := types.Int
		if name == "count" {
			out = types.BigInt
		}
		if got := out.Raw(a.Result()); got != want {
			t.Errorf("%s = %s, want %s", name, got, want)
		}
	}
}
