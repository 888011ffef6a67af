package ring

// improvement weighs a candidate: by how much the variance of what tokens and nodes
// hold falls if it joins the ring. newUnitShare scales the new node's own part, to
// leave its first tokens more freedom.
// Source: Cassandra 5.0 ReplicationAwareTokenAllocator.evaluateImprovement.
func (a *replicatedAllocation) improvement(c *candidate, newUnitShare float64) float64 {
	touched := c.owner
	change := a.adjust(&c.spot, c.start, &touched)
	a.seen++
	groups := 0
	for s := c.split; groups < a.replicas; s = s.next {
		if s.owner.group.seen == a.seen {
			continue
		}
		s.owner.group.seen = a.seen
		groups++
		change += a.adjust(s, a.further(s.threshold, c.token, s.token), &touched)
	}
	return -(change + a.unitChange(touched, newUnitShare))
}

// adjust notes what a token's node would hold if the token's replication began at
// start, and returns the change of the token's own variance.
func (a *replicatedAllocation) adjust(s *spot, start Token, touched **unit) float64 {
	size := a.size(start, s.token)
	u := s.owner
	if u.chain == nil {
		u.adjusted = u.ownership + (size - s.ownership)
		u.chain = *touched
		*touched = u
	} else {
		u.adjusted += size - s.ownership
	}
	return (square(size-a.optimum) - square(s.ownership-a.optimum)) / square(float64(u.tokenCount))
}

// further gives the token that forms the larger range up to end. Here end itself is
// no range, rather than the full ring.
// Source: Cassandra 5.0 ReplicationAwareTokenAllocator.furtherStartToken.
func (a *replicatedAllocation) further(x, y, end Token) Token {
	switch {
	case x == end:
		return y
	case y == end:
		return x
	case a.size(x, end) > a.size(y, end):
		return x
	}
	return y
}

// unitChange sums the change of variance over the touched nodes, the new one last,
// and unlinks them.
func (a *replicatedAllocation) unitChange(touched *unit, newUnitShare float64) float64 {
	change := 0.0
	for u := touched; ; {
		count := float64(u.tokenCount)
		diff := square(u.adjusted/count-a.optimum) - square(u.ownership/count-a.optimum)
		prev := u.chain
		u.chain = nil
		if prev == u {
			return change + float64(diff*newUnitShare)
		}
		change += diff
		u = prev
	}
}
