package staleness_test

import (
	"math"
	"testing"

	"ringlab/engine/staleness"
)

// TestPublished: what the fits give, as recomputed with a million trials; the
// paper's own figures lie within a tenth of these. Zero asks for no comparison.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		model, r, w             int
		after, now, read, write float64 // ms for 99.9 %, share at 0 ms, 99.9 % latencies
	}{
		{0, 1, 1, 1.99, .973, .65, .66},
		{0, 1, 2, 1.87, .978, .65, 1.64},
		{0, 2, 1, 0, .9994, 1.63, .65},
		{1, 1, 1, 51.3, .436, .66, 11.0},
		{1, 1, 2, 49.5, .713, .65, 21.0},
		{1, 2, 1, 14.1, .763, 1.64, 10.9},
		{2, 1, 1, 1468, .887, 5.56, 11.2},
	} {
		m := staleness.Models[c.model]
		a := staleness.Ask(staleness.Question{Replicas: []staleness.Model{m, m, m}, R: c.r, W: c.w, All: true, Trials: 200_000, Seed: 1})
		near := func(what string, got, want, within float64) {
			if math.Abs(got-want) > within*math.Max(want, .01) {
				t.Errorf("%s R%d W%d: %s is %.4g, recomputed %.4g", m.Name, c.r, c.w, what, got, want)
			}
		}
		near("t for 99.9 %", a.After(.999), c.after, .06)
		near("P at 0 ms", a.Consistent(0), c.now, .005)
		near("99.9 % read latency", a.Reads(.999), c.read, .05)
		near("99.9 % write latency", a.Writes(.999), c.write, .05)
	}
}

// TestDisjoint: with no delay at all but to the replicas that never get the
// write, the trials give the closed form.
func TestDisjoint(t *testing.T) {
	for _, c := range []struct {
		n, r, w int
		want    float64
	}{{3, 1, 1, 2. / 3}, {3, 2, 1, 1. / 3}, {3, 2, 2, 0}, {5, 2, 1, .6}, {5, 1, 3, .4}} {
		if got := staleness.Disjoint(c.n, c.r, c.w); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("N=%d R=%d W=%d: %v, want %v", c.n, c.r, c.w, got, c.want)
		}
	}
}
