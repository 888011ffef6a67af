package simulation

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

// records plays a seed and gives all that was answered and that happened, by step.
func records(s *Script) map[int]string {
	out := map[int]string{}
	var b strings.Builder
	last := 0
	Play(s, Options{Keep: func(step int, text string) {
		if step != last {
			out[last], last = b.String(), step
			b.Reset()
		}
		b.WriteString(text)
	}})
	out[last] = b.String()
	return out
}

// TestSimulation plays the scripts of many seeds, each a second time on another number
// of processors: the records are the same, step by step.
func TestSimulation(t *testing.T) {
	seeds, err := Seeds(60)
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range seeds {
		s := New(seed)
		sums, found := Play(s, Options{})
		if found != nil {
			short, f := Shrink(s, found, 200, func(s *Script) *Finding { _, f := Play(s, Options{}); return f })
			t.Errorf("seed %d (RINGLAB_SEED=%d runs it alone): %s\n%s", seed, seed, found, Lab(short, f))
			continue
		}
		other := 1
		if runtime.GOMAXPROCS(0) == 1 {
			other = 4
		}
		before := runtime.GOMAXPROCS(other)
		again, _ := Play(New(seed), Options{})
		runtime.GOMAXPROCS(before)
		if !slices.Equal(sums, again) {
			a, b := records(s), records(s)
			for i := range sums {
				if i >= len(again) || sums[i] != again[i] {
					t.Fatalf("seed %d: the second time step %d, %q, gives other records:\n%s\n%s", seed, i, s.Steps[i].Lines, a[i], b[i])
				}
			}
		}
	}
	t.Logf("simulation: %d seeds", len(seeds))
}
