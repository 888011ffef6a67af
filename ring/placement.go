package ring

// Placement is a strategy on a ring. It keeps what it has computed, range by range,
// and so belongs to one goroutine.
type Placement struct {
	tm       *TokenMap
	strategy Strategy
	replicas [][]int // by entry; nil until asked for
}

// NewPlacement costs an empty slice (24 bytes) a token; ranges are placed when asked for.
func NewPlacement(tm *TokenMap, s Strategy) *Placement {
	return &Placement{tm: tm, strategy: s, replicas: make([][]int, tm.Len())}
}

// TokenMap is the ring of the placement.
func (p *Placement) TokenMap() *TokenMap { return p.tm }

// Strategy is the strategy of the placement.
func (p *Placement) Strategy() Strategy { return p.strategy }

// Replicas gives the natural replicas of a token as node indexes, primary first: a
// shared slice, to be read only. A ring without tokens gives none. A range asked for
// before costs no allocation.
// Source: Cassandra 5.0 AbstractReplicationStrategy.getNaturalReplicas.
func (p *Placement) Replicas(t Token) []int {
	entry := p.tm.Primary(t)
	if entry < 0 {
		return nil
	}
	return p.ReplicasOf(entry)
}

// ReplicasOf is Replicas for the range that ends at an entry.
func (p *Placement) ReplicasOf(entry int) []int {
	if p.replicas[entry] == nil {
		p.replicas[entry] = p.strategy.Replicas(p.tm, entry)
	}
	return p.replicas[entry]
}

// RangesOf lists the ranges that a node holds a replica of, in token order.
func (p *Placement) RangesOf(node int) []Range {
	var ranges []Range
	for e := range p.replicas {
		for _, r := range p.ReplicasOf(e) {
			if r == node {
				ranges = append(ranges, p.tm.Range(e))
				break
			}
		}
	}
	return ranges
}

// EffectiveOwns gives each node the fraction of the ring it holds replicas of, in
// 0..1 (Owns (effective)). The nodes of a datacenter sum to its replication factor.
// Ordered partitioners fail with ErrNoOwnership.
// Source: Cassandra 5.0 StorageService.effectiveOwnership.
func (p *Placement) EffectiveOwns() ([]float64, error) {
	shares, err := p.tm.partitioner.Ownership(p.tm.tokens)
	if err != nil {
		return nil, err
	}
	owned := make([]float64, len(p.tm.nodes))
	for e, share := range shares {
		for _, node := range p.ReplicasOf(e) {
			owned[node] += share
		}
	}
	return owned, nil
}
