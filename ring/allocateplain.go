package ring

import "cmp"

// spot is a token in the circular list of an allocation's ring.
type spot struct {
	token      Token
	owner      *unit
	prev, next *spot

	start     Token   // where the token's replication begins
	threshold Token   // a candidate between it and the token takes over the start
	ownership float64 // size of (start, token]
}

func (s *spot) insertAfter(prev *spot) {
	s.prev, s.next = prev, prev.next
	prev.next.prev = s
	prev.next = s
}

// circle links the ring's tokens; the result is the lowest.
func (r *allocationRing) circle() *spot {
	var head *spot
	for _, t := range r.tokens {
		s := &spot{token: t.token, owner: t.owner}
		if head == nil {
			head = s
			s.prev, s.next = s, s
			continue
		}
		s.insertAfter(head.prev)
	}
	return head
}

// Bounds of the part of a range that a new token takes. The lower is not 0.1 but
// what the subtraction leaves of it.
var (
	mostTaken  = 0.9
	leastTaken = 1 - mostTaken
)

// withoutReplication chooses tokens for one replica: the nodes that own most give up
// parts of their largest ranges.
// Source: Cassandra 5.0 NoReplicationTokenAllocator.addUnit.
func (r *allocationRing) withoutReplication(count int, first FirstToken) ([]Token, error) {
	if count > len(r.tokens) || len(r.tokens) == 0 {
		return r.generateSplits(count, first)
	}
	if _, err := r.p.Size(r.tokens[0].token, r.tokens[0].token); err != nil {
		return nil, err
	}
	ranges := map[*unit]*javaHeap[*spot]{}
	head := r.circle()
	r.account(head, ranges)
	for s := head.next; s != head; s = s.next {
		r.account(s, ranges)
	}
	var byOwnership javaHeap[*unit]
	for i := range r.units {
		if u := &r.units[i]; u.tokenCount > 0 {
			byOwnership.push(u.ownership, u)
		}
	}
	units := float64(len(byOwnership))
	givers, target := pickGivers(&byOwnership, count)
	n := float64(count)
	spread := target * min(1, (n+1)/(units+1)) * 2 / float64(2*count+1)
	target += spread / 2
	step := spread / float64(len(givers))
	tokens := make([]Token, 0, count)
	for k, giver := range givers {
		give := count / len(givers)
		if k < count%len(givers) {
			give++
		}
		heap := ranges[giver.value]
		if give > len(*heap) {
			return nil, configErrorf("Token allocation failed: a node has %d tokens, too few to take %d ranges from.", len(*heap), give)
		}
		taken, err := r.takeFrom(giver, heap, give, target, ranges)
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, taken...)
		target -= step
	}
	return tokens, nil
}

// account measures a token's range and adds it to its owner's.
func (r *allocationRing) account(s *spot, ranges map[*unit]*javaHeap[*spot]) {
	s.ownership, _ = r.p.Size(s.prev.token, s.token)
	s.owner.ownership += s.ownership
	if ranges[s.owner] == nil {
		ranges[s.owner] = &javaHeap[*spot]{}
	}
	ranges[s.owner].push(s.ownership, s)
}

// pickGivers takes the largest owners, at most count, while they own more than the
// average of them and the new node; target is the last such average.
func pickGivers(byOwnership *javaHeap[*unit], count int) (givers []weighted[*unit], target float64) {
	sum := 0.0
	for len(givers) < count && len(*byOwnership) > 0 {
		top := (*byOwnership)[0]
		sum += top.weight
		average := sum / float64(len(givers)+2)
		if top.weight <= average {
			break
		}
		givers, target = append(givers, byOwnership.pop()), average
	}
	return givers, target
}

// takeFrom puts a new token into each of a node's largest ranges, so that about
// target remains to the node.
func (r *allocationRing) takeFrom(giver weighted[*unit], heap *javaHeap[*spot], give int, target float64, ranges map[*unit]*javaHeap[*spot]) ([]Token, error) {
	work := 0.0
	largest := make([]*spot, give)
	for i := range largest {
		top := heap.pop()
		largest[i] = top.value
		work += top.weight
		giver.value.ownership -= top.weight
	}
	part := mostTaken
	if take := giver.weight - target; take < work {
		part = clamp(take/work, leastTaken, mostTaken)
	}
	tokens := make([]Token, give)
	for i, s := range largest {
		t, err := r.p.Split(s.prev.token, s.token, part)
		if err != nil {
			return nil, err
		}
		added := &spot{token: t, owner: r.newUnit}
		added.insertAfter(s.prev)
		r.account(added, ranges)
		r.account(s, ranges)
		tokens[i] = t
	}
	return tokens, nil
}

func clamp[T cmp.Ordered](v, least, most T) T { return min(max(v, least), most) }
