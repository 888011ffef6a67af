package ring_test

import (
	"testing"

	"pgregory.net/rapid"

	"ringlab/ring"
)

// TestNormalize: normalized ranges hold the same tokens, in order and apart.
func TestNormalize(t *testing.T) {
	p := ring.Murmur3
	token := func(t *rapid.T, name string) ring.Token {
		k, err := p.Parse([]string{"-9223372036854775808", "-5", "-4", "0", "1", "7", "9", "9223372036854775807"}[rapid.IntRange(0, 7).Draw(t, name)])
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	rapid.Check(t, func(t *rapid.T) {
		var list []ring.Range
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			list = append(list, ring.Range{Left: token(t, "l"), Right: token(t, "r")})
		}
		flat := ring.Normalize(list, p.Minimum())
		for i, r := range flat {
			if r.Right != p.Minimum() && !r.Left.Less(r.Right) {
				t.Fatalf("%v wraps", r)
			}
			if i > 0 && !flat[i-1].Right.Less(r.Left) {
				t.Fatalf("%v is not behind %v", r, flat[i-1])
			}
		}
		at := token(t, "at")
		in := func(list []ring.Range) bool {
			for _, r := range list {
				if r.Contains(at) {
					return true
				}
			}
			return false
		}
		if in(list) != in(flat) {
			t.Fatalf("%s is in one of %v and %v only", p.Format(at), list, flat)
		}
	})
}
