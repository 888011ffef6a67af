package ring_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/spaolacci/murmur3"
	"pgregory.net/rapid"

	"ringlab/ring"
)

func TestMurmur3IsTheLibraryOnLowTails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), 0, 70).Draw(t, "key")
		for i := len(key) &^ 15; i < len(key); i++ {
			key[i] &= 0x7f
		}
		h1, h2 := ring.Murmur3Hash(key)
		if u1, u2 := murmur3.Sum128(key); uint64(h1) != u1 || uint64(h2) != u2 {
			t.Fatalf("hash of %x is %x %x, the library's %x %x", key, h1, h2, u1, u2)
		}
	})
}

// drawTokens gives 1 to 40 different tokens of a partitioner, crowded together at times.
func drawTokens(t *rapid.T, p ring.Partitioner) []ring.Token {
	crowded := rapid.Bool().Draw(t, "crowded")
	size := rapid.IntRange(1, 40).Draw(t, "tokens")
	taken := map[ring.Token]bool{}
	var tokens []ring.Token
	for len(tokens) < size {
		token := drawToken(t, p, crowded)
		if !taken[token] {
			taken[token] = true
			tokens = append(tokens, token)
		}
	}
	return tokens
}

func drawToken(t *rapid.T, p ring.Partitioner, crowded bool) ring.Token {
	if crowded {
		return p.Offset(p.Minimum(), rapid.IntRange(0, 100).Draw(t, "step"))
	}
	return p.Token(rapid.SliceOfN(rapid.Byte(), 0, 4).Draw(t, "key"))
}

func TestOwnerBySearchIsOwnerByScan(t *testing.T) {
	for _, name := range ring.Names() {
		p, _ := ring.ByName(name)
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			var nodes []ring.Node
			for i, token := range drawTokens(t, p) {
				nodes = append(nodes, ring.Node{Name: fmt.Sprint("n", i), Tokens: []ring.Token{token}})
			}
			tm, err := ring.NewTokenMap(p, nodes)
			if err != nil {
				t.Fatal(err)
			}
			token := drawToken(t, p, rapid.Bool().Draw(t, "near"))
			found := tm.Primary(token)
			owners := 0
			for e := range tm.Len() {
				if !tm.Range(e).Contains(token) {
					continue
				}
				owners++
				if e != found {
					t.Fatalf("token %s: search gives entry %d, scan %d", p.Format(token), found, e)
				}
			}
			if owners != 1 {
				t.Fatalf("token %s lies in %d ranges", p.Format(token), owners)
			}
		}))
	}
}

func drawRange(t *rapid.T) ring.Range {
	near := rapid.Int64Range(-4, 4)
	far := rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64})
	end := rapid.OneOf(near, near, far)
	return ring.Range{Left: ring.Murmur3Token(end.Draw(t, "left")), Right: ring.Murmur3Token(end.Draw(t, "right"))}
}

func holds(ranges []ring.Range, t ring.Token) int {
	n := 0
	for _, r := range ranges {
		if r.Contains(t) {
			n++
		}
	}
	return n
}

func TestRangesAreSets(t *testing.T) {
	minimum := ring.Murmur3.Minimum()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawRange(t), drawRange(t)
		common, rest, cut := a.Intersection(b), a.Subtract(b), a.Unwrap(minimum)
		for _, v := range []int64{math.MinInt64, math.MinInt64 + 1, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, math.MaxInt64} {
			token := ring.Murmur3Token(v)
			inA, inB := a.Contains(token), b.Contains(token)
			if n := holds(common, token); (n > 0) != (inA && inB) {
				t.Fatalf("%d in a %v, in b %v, in the intersection %d times", v, inA, inB, n)
			}
			if n := holds(rest, token); (n > 0) != (inA && !inB) {
				t.Fatalf("%d in a %v, in b %v, in the difference %d times", v, inA, inB, n)
			}
			if n := holds(cut, token); (n == 1) != inA {
				t.Fatalf("%d in a %v, in a unwrapped %d times", v, inA, n)
			}
			if a.ContainsRange(b) && inB && !inA {
				t.Fatalf("%d is in b, which lies in a, but not in a", v)
			}
		}
	})
}

func TestMidpointAndSizeAgree(t *testing.T) {
	for _, p := range []ring.Partitioner{ring.Murmur3, ring.Random, ring.SlideMD5} {
		t.Run(p.Name(), rapid.MakeCheck(func(t *rapid.T) {
			l, r := drawToken(t, p, false), drawToken(t, p, false)
			whole, _ := p.Size(l, r)
			half, _ := p.Size(l, p.Midpoint(l, r))
			if diff := math.Abs(whole/2 - half); diff > 1e-12 {
				t.Fatalf("(%s,%s] is %v, to its midpoint %v", p.Format(l), p.Format(r), whole, half)
			}
			split, _ := p.Split(l, r, 0.5)
			if near, _ := p.Size(l, split); math.Abs(near-half) > 1e-12 {
				t.Fatalf("(%s,%s] to its split %v, to its midpoint %v", p.Format(l), p.Format(r), near, half)
			}
			if back, err := p.Parse(p.Format(l)); l != p.Minimum() && (err != nil || back != l) {
				t.Fatalf("%s does not parse back: %v", p.Format(l), err)
			}
		}))
	}
}
