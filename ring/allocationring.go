package ring

import (
	"math"
	"slices"
)

// allocationRing is the virtual ring that one allocation works on.
type allocationRing struct {
	p        Partitioner
	replicas int
	units    []unit
	newUnit  *unit
	tokens   []ringToken // ascending
}

type ringToken struct {
	token Token
	owner *unit
}

// unit is a node that shares the ring.
type unit struct {
	group      *group
	ownership  float64 // fraction of the ring it holds replicas of
	tokenCount int

	// While a candidate is weighed, touched units form a chain that ends in itself.
	adjusted float64
	chain    *unit
}

// group is what replicas must differ in: a node, or a rack. Its marks name the last
// walk over replicas, and the last walk back, that met it.
type group struct{ seen, populated int }

func newAllocationRing(p Partitioner, plan allocationPlan, existing []Node, node Node) *allocationRing {
	r := &allocationRing{p: p, replicas: plan.replicas, units: make([]unit, len(existing)+1)}
	groups := map[string]*group{}
	groupOf := func(n Node) *group {
		if !plan.groupByRack {
			return &group{}
		}
		if groups[n.Rack] == nil {
			groups[n.Rack] = &group{}
		}
		return groups[n.Rack]
	}
	for i, n := range existing {
		if !plan.considers(n) {
			continue
		}
		u := &r.units[i]
		u.group, u.tokenCount = groupOf(n), len(n.Tokens)
		for _, t := range n.Tokens {
			r.tokens = append(r.tokens, ringToken{t, u})
		}
	}
	r.newUnit = &r.units[len(existing)]
	r.newUnit.group = groupOf(node)
	slices.SortFunc(r.tokens, func(a, b ringToken) int { return a.token.Compare(b.token) })
	return r
}

// members counts the units with tokens.
func (r *allocationRing) members() int {
	count := 0
	for i := range r.units {
		if r.units[i].tokenCount > 0 {
			count++
		}
	}
	return count
}

// The part of a range that a split leaves to the left.
var (
	leastSplit = 1 - 1/math.Sqrt(5)
	splitRoom  = leastSplit + 0.075 - leastSplit // 0.075 with the rounding of the sum
)

// generateSplits starts a ring: it cuts the largest range, the first of equal ones
// in token order, again and again at a ratio of 0.553 to 0.628. On an empty ring
// the first token comes from first.
// Source: Cassandra 5.0 TokenAllocatorBase.generateSplits.
func (r *allocationRing) generateSplits(count int, first FirstToken) ([]Token, error) {
	random := newJavaRandom(int64(len(r.tokens)))
	tokens := make([]Token, 0, count)
	if len(r.tokens) == 0 && count > 0 {
		tokens = append(tokens, first())
		r.insert(tokens[0], r.newUnit)
	}
	for len(tokens) < count {
		prev := r.tokens[len(r.tokens)-1].token
		var widest Range
		width := 0.0
		for _, t := range r.tokens {
			size, err := r.p.Size(prev, t.token)
			if err != nil {
				return nil, err
			}
			if size > width {
				widest, width = Range{prev, t.token}, size
			}
			prev = t.token
		}
		t, err := r.p.Split(widest.Left, widest.Right, leastSplit+float64(splitRoom*random.float64()))
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, t)
		r.insert(t, r.newUnit)
	}
	return tokens, nil
}

func (r *allocationRing) insert(t Token, owner *unit) {
	at, _ := slices.BinarySearchFunc(r.tokens, t, func(e ringToken, t Token) int { return e.token.Compare(t) })
	r.tokens = slices.Insert(r.tokens, at, ringToken{t, owner})
}
