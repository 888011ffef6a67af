package ring

import (
	"fmt"
	"math"
)

// Balance describes how evenly replicas are spread over nodes: of the fraction of
// the ring that a node holds, divided by its number of tokens.
type Balance struct {
	Nodes          int
	Max, Min, Mean float64
	StdDev         float64 // of the sample, with Nodes-1
}

// Relative gives maximum, minimum and standard deviation as multiples of the mean.
// The deviation is that of the nodes themselves, with Nodes, not of a sample.
func (b Balance) Relative() (maximum, minimum, stdDev float64) {
	if b.Nodes == 0 {
		return 0, 0, 0
	}
	own := b.StdDev * math.Sqrt(float64(b.Nodes-1)/float64(b.Nodes))
	return b.Max / b.Mean, b.Min / b.Mean, own / b.Mean
}

// BalanceOf measures the nodes of a datacenter, or of the whole ring if dc is "", on
// their replicas under a strategy. Nodes without replicas are left out, as Cassandra
// leaves them out. It fails for ordered partitioners.
// Source: Cassandra 5.0 TokenAllocation.StrategyAdapter.replicatedOwnershipStats.
func BalanceOf(p *Placement, dc string) (Balance, error) {
	held := make([]float64, len(p.tm.nodes))
	for e := range p.replicas {
		r := p.tm.Range(e)
		size, err := p.tm.partitioner.Size(r.Left, r.Right)
		if err != nil {
			return Balance{}, err
		}
		for _, node := range p.ReplicasOf(e) {
			held[node] += size
		}
	}
	var values []float64
	for i, n := range p.tm.nodes {
		if held[i] > 0 && len(n.Tokens) > 0 && (dc == "" || n.DC == dc) {
			values = append(values, held[i]/float64(len(n.Tokens)))
		}
	}
	return summarize(values), nil
}

func summarize(values []float64) Balance {
	if len(values) == 0 {
		return Balance{}
	}
	b := Balance{Nodes: len(values), Max: values[0], Min: values[0]}
	sum := 0.0
	for _, v := range values {
		b.Max, b.Min = max(b.Max, v), min(b.Min, v)
		sum += v
	}
	b.Mean = sum / float64(len(values))
	squares := 0.0
	for _, v := range values {
		squares += square(v - b.Mean)
	}
	if len(values) > 1 {
		b.StdDev = math.Sqrt(squares / float64(len(values)-1))
	}
	return b
}

// square is a product rounded by itself: the conversion keeps a compiler from
// fusing it with a following sum.
func square(d float64) float64 { return float64(d * d) }

// GrowthWarning is what a node logs if an allocation made the spread worse, or "".
// Source: Cassandra 5.0 TokenAllocation.allocate.
func GrowthWarning(before, after Balance) string {
	growth := after.StdDev - before.StdDev
	if growth <= 0.05 {
		return ""
	}
	return fmt.Sprintf("Growth of %.2f%% in token ownership standard deviation after allocation above warning threshold of 5%%", growth*100)
}
