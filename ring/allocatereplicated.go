package ring

// candidate is a place for a new token: the middle of the range that ends at split.
type candidate struct {
	spot            // its prev and next stay nil; the ring's neighbours are split.prev and split
	split     *spot // the token that follows the candidate
	following *candidate
	preceding *candidate
}

// replicatedAllocation is the state of one allocation that counts replicas.
type replicatedAllocation struct {
	*allocationRing
	optimum float64 // fraction of the ring that a token should hold replicas of
	seen    int     // mark of the current walk over replicas
	filled  int     // mark of the current walk back
	failed  error   // of Size; the partitioner cannot be allocated for
}

// withReplication chooses tokens so that the replicas of all nodes stay even. The
// middle of each range is a candidate, weighed by how much it would lessen the
// variance of what tokens and nodes hold; the best is taken, and the next ones
// weighed again before they are.
// Source: Cassandra 5.0 ReplicationAwareTokenAllocator.addUnit.
func (r *allocationRing) withReplication(count int, first FirstToken) ([]Token, error) {
	if r.members() < r.replicas || count > len(r.tokens) || r.groupCount() < r.replicas {
		return r.generateSplits(count, first)
	}
	a := &replicatedAllocation{
		allocationRing: r,
		optimum:        float64(r.replicas) / float64(len(r.tokens)+count),
	}
	head := r.circle()
	a.settle(head)
	for s := head.next; s != head; s = s.next {
		a.settle(s)
	}
	r.newUnit.ownership = float64(count) * a.optimum
	r.newUnit.tokenCount = count
	var queue javaHeap[*candidate]
	for _, c := range a.candidates(head) {
		queue.push(a.improvement(c, 1/float64(count)), c)
	}
	tokens := make([]Token, 0, count)
	best := queue.pop().value
	for {
		a.confirm(best)
		tokens = append(tokens, best.token)
		if len(tokens) == count {
			return tokens, a.failed
		}
		for {
			best = queue.pop().value
			gain := a.improvement(best, float64(len(tokens)+1)/float64(count))
			if len(queue) == 0 || gain >= queue[0].weight {
				break
			}
			queue.push(gain, best)
		}
	}
}

func (r *allocationRing) groupCount() int {
	groups := map[*group]bool{}
	for i := range r.units {
		if r.units[i].tokenCount > 0 {
			groups[r.units[i].group] = true
		}
	}
	return len(groups)
}

// candidates are in ring order, and linked so.
func (a *replicatedAllocation) candidates(head *spot) []*candidate {
	var all []*candidate
	for s := head; ; s = s.next {
		c := &candidate{split: s}
		c.token = a.p.Midpoint(s.prev.token, s.token)
		c.owner = a.newUnit
		c.ownership = a.optimum
		a.populate(&c.spot, s.prev)
		all = append(all, c)
		if s.next == head {
			break
		}
	}
	for i, c := range all {
		next := all[(i+1)%len(all)]
		c.following, next.preceding = next, c
	}
	return all
}

// populate finds where a token's replication starts, walking back from the token
// before it, and the threshold that a later candidate must pass to become the start.
// Source: Cassandra 5.0 ReplicationAwareTokenAllocator.populateTokenInfo.
func (a *replicatedAllocation) populate(s, before *spot) {
	own, joining := s.owner.group, a.newUnit.group
	a.filled++
	s.threshold = s.token
	var last *group
	for at, groups := before, 0; ; at = at.prev {
		s.start, last = at.token, at.owner.group
		if last.populated == a.filled {
			continue
		}
		last.populated = a.filled
		if groups++; groups >= a.replicas {
			break
		}
		s.threshold = s.start
		if last == own {
			break
		}
	}
	switch {
	case joining == own:
		s.threshold = s.token
	case joining != last && joining.populated == a.filled:
		s.threshold = s.start
	}
}

// settle populates a token of the ring and corrects what its node holds.
func (a *replicatedAllocation) settle(s *spot) {
	a.populate(s, s.prev)
	size := a.size(s.start, s.token)
	s.owner.ownership += size - s.ownership
	s.ownership = size
}

func (a *replicatedAllocation) size(l, r Token) float64 {
	size, err := a.p.Size(l, r)
	if err != nil {
		a.failed = err
	}
	return size
}

// confirm makes a candidate a token of the ring and corrects the tokens and
// candidates behind it that it affects: the first of each group.
// Source: Cassandra 5.0 ReplicationAwareTokenAllocator.confirmCandidate.
func (a *replicatedAllocation) confirm(c *candidate) {
	c.preceding.following, c.following.preceding = c.following, c.preceding
	added := &spot{token: c.token, owner: c.owner, ownership: c.ownership}
	added.insertAfter(c.split.prev)
	a.settle(added)
	a.seen++
	groups := 0
	for s := added.next; groups < a.replicas; s = s.next {
		c = c.following
		a.populate(&c.spot, c.split.prev)
		if s.owner.group.seen == a.seen {
			continue
		}
		s.owner.group.seen = a.seen
		groups++
		a.settle(s)
	}
}
