package repair_test

import (
	"flag"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine/repair"
	"ringlab/ring"
)

func init() { flag.Set("rapid.seed", "1") }

// TestDifference: every partition that only one of two trees has lies in a part
// that differs, parts are apart, and equal trees differ nowhere, whatever their
// depth.
func TestDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := []ring.Partitioner{ring.Murmur3, ring.Random, ring.ByteOrdered}[rapid.IntRange(0, 2).Draw(t, "partitioner")]
		full := ring.Range{Left: p.Token([]byte{byte(rapid.IntRange(0, 200).Draw(t, "left"))}), Right: p.Token([]byte{byte(rapid.IntRange(0, 200).Draw(t, "right"))})}
		tree := func(name string) *repair.Tree { return repair.NewTree(p, full, rapid.IntRange(0, 6).Draw(t, name)) }
		a, b := tree("a"), tree("b")
		var apart []ring.Token
		for k := range rapid.IntRange(0, 60).Draw(t, "keys") {
			key := []byte(fmt.Sprintf("key%d", k))
			token := p.Token(key)
			if !full.Contains(token) {
				continue
			}
			hash := uint64(k)*0x9e3779b97f4a7c15 + 1
			switch rapid.IntRange(0, 9).Draw(t, "where") {
			case 0:
				a.Add(token, hash)
				apart = append(apart, token)
			case 1:
				b.Add(token, hash)
				apart = append(apart, token)
			default:
				a.Add(token, hash)
				b.Add(token, hash)
			}
		}
		found := repair.Difference(a, b)
		for _, token := range apart {
			n := 0
			for _, r := range found {
				if r.Contains(token) {
					n++
				}
			}
			if n != 1 {
				t.Fatalf("%s lies in %d of %v", p.Format(token), n, found)
			}
		}
		if len(apart) == 0 && len(found) > 0 {
			t.Fatalf("equal trees differ in %v", found)
		}
	})
}

// TestDepth: one leaf a partition, as far as the memory of a session goes.
func TestDepth(t *testing.T) {
	for _, c := range []struct{ partitions, all, rf, want int }{
		{0, 0, 3, 0}, {1, 1, 3, 0}, {2, 2, 3, 1}, {3, 3, 3, 2}, {1000, 1000, 3, 10}, {1 << 17, 1 << 17, 3, 17}, {1 << 30, 1 << 30, 3, 18}, {1 << 30, 1 << 30, 1, 19},
		{1000, 1 << 30, 3, 1},
	} {
		if got := repair.Depth(c.partitions, c.all, c.rf); got != c.want {
			t.Errorf("%d of %d partitions at RF %d: depth %d, not %d", c.partitions, c.all, c.rf, got, c.want)
		}
	}
}

// TestSplit: a split tree has a leaf more, and compares with an even one.
func TestSplit(t *testing.T) {
	p := ring.ByteOrdered
	full := ring.Range{Left: p.Minimum(), Right: p.Token([]byte("z"))}
	a, b := repair.NewTree(p, full, 0), repair.NewTree(p, full, 3)
	for range 5 {
		if !a.Split(p.Token([]byte("ann"))) {
			t.Fatal("the range is too small to be halved")
		}
	}
	if a.Leaves() != 6 || b.Leaves() != 8 {
		t.Fatalf("%d and %d leaves", a.Leaves(), b.Leaves())
	}
	a.Add(p.Token([]byte("ann")), 7)
	if d := repair.Difference(a, b); len(d) != 1 || !d[0].Contains(p.Token([]byte("ann"))) {
		t.Fatalf("differs in %v", d)
	}
}

func BenchmarkTree(b *testing.B) {
	p := ring.Murmur3
	full := ring.Range{Left: p.Minimum(), Right: p.Minimum()}
	b.ReportAllocs()
	for b.Loop() {
		t := repair.NewTree(p, full, 16)
		for k := range 1 << 16 {
			t.Add(p.Token([]byte{byte(k), byte(k >> 8), 1}), uint64(k)+1)
		}
	}
}
