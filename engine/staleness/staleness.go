// Package staleness asks how likely a read misses the newest write: probabilistically
// bounded staleness, by Monte Carlo over delays. It knows no lab: delays come as
// distributions. Source: Bailis et al., Probabilistically Bounded Staleness for
// Practical Partial Quorums, VLDB 2012.
package staleness

import (
	"math"
	"slices"

	"ringlab/engine/sim"
)

// Delay draws a one-way delay in milliseconds from two uniform numbers above 0
// and up to 1.
type Delay func(which, u float64) float64

// Mix is a share of Pareto delays, the rest exponential: how measured delays of
// stores were fitted. scale is in ms, rate in 1/ms.
func Mix(share, scale, shape, rate float64) Delay {
	return func(which, u float64) float64 {
		if which <= share {
			return scale / math.Pow(u, 1/shape)
		}
		return -math.Log(u) / rate
	}
}

// Between is every delay from low to high alike.
func Between(low, high float64) Delay {
	return func(_, u float64) float64 { return low + float64((high-low)*u) }
}

// Model is what the four messages of a replica take: a write to it, its
// acknowledgement, a read to it, its response.
type Model struct {
	Name                       string
	Write, Ack, Read, Response Delay
}

var ssd = Mix(.9122, .235, 10, 1.66)

// Models are the published fits.
var Models = []Model{
	{"LNKD-SSD", ssd, ssd, ssd, ssd},
	{"LNKD-DISK", Mix(.38, 1.05, 1.51, .183), ssd, ssd, ssd},
	{"YMMR", Mix(.939, 3, 3.35, .0028), Mix(.982, 1.5, 3.8, .0217), Mix(.982, 1.5, 3.8, .0217), Mix(.982, 1.5, 3.8, .0217)},
}

// Question is what is asked: N replicas, W acknowledgements, R responses.
type Question struct {
	Replicas []Model // one a replica
	R, W     int
	All      bool // every replica is asked and the fastest R count, as in the paper; else the first R, as Cassandra does
	Trials   int
	Seed     uint64
}

// Answer holds what each trial needed.
type Answer struct {
	need         []float64 // ms behind the write's end from which a read is consistent, ascending
	reads, write []float64 // latencies, ascending
}

// Ask runs the trials.
func Ask(q Question) *Answer {
	n := len(q.Replicas)
	a := &Answer{need: make([]float64, q.Trials), reads: make([]float64, q.Trials), write: make([]float64, q.Trials)}
	draws := sim.NewStream(q.Seed, "staleness")
	arrive, acked, read, back := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	order := make([]int, n)
	for trial := range q.Trials {
		next := uint64(0)
		draw := func(d Delay) float64 {
			which, u := unit(draws.Uint64(uint64(trial), next)), unit(draws.Uint64(uint64(trial), next+1))
			next += 2
			return d(which, u)
		}
		for i, m := range q.Replicas {
			arrive[i] = draw(m.Write)
			acked[i] = arrive[i] + draw(m.Ack)
			read[i] = draw(m.Read)
			back[i] = read[i] + draw(m.Response)
			order[i] = i
		}
		done := slices.Sorted(slices.Values(acked))[q.W-1]
		if q.All {
			slices.SortStableFunc(order, func(x, y int) int {
				switch {
				case back[x] < back[y]:
					return -1
				case back[x] > back[y]:
					return 1
				}
				return 0
			})
		}
		need, last := math.Inf(1), 0.0
		for _, i := range order[:q.R] {
			need = min(need, arrive[i]-read[i]-done)
			last = max(last, back[i])
		}
		a.need[trial], a.reads[trial], a.write[trial] = need, last, done
	}
	slices.Sort(a.need)
	slices.Sort(a.reads)
	slices.Sort(a.write)
	return a
}

// unit makes a number above 0 and up to 1.
func unit(x uint64) float64 { return float64(x>>11+1) / (1 << 53) }

// Consistent is the share of reads that see the write if they begin t ms behind
// its end.
func (a *Answer) Consistent(t float64) float64 {
	n, _ := slices.BinarySearchFunc(a.need, t, func(x, t float64) int {
		if x <= t {
			return -1
		}
		return 1
	})
	return float64(n) / float64(len(a.need))
}

// After is how many ms behind the write's end that share of reads sees it, at
// least 0.
func (a *Answer) After(share float64) float64 { return max(quantile(a.need, share), 0) }

// Reads and Writes are latencies in ms.
func (a *Answer) Reads(share float64) float64  { return quantile(a.reads, share) }
func (a *Answer) Writes(share float64) float64 { return quantile(a.write, share) }

func quantile(list []float64, share float64) float64 {
	return list[min(int(math.Ceil(share*float64(len(list)))), len(list))-1]
}

// Disjoint is the chance that R replicas drawn at random hold none of W others
// drawn at random: what is left of staleness if nothing but the W ever arrives.
func Disjoint(n, r, w int) float64 {
	p := 1.0
	for i := range r {
		p *= float64(max(n-w-i, 0)) / float64(n-i)
	}
	return p
}
