package cluster

import (
	"slices"

	"ringlab/model/plan"
	"ringlab/ring"
)

// writeTo gives the replicas that a write goes to: the natural ones, and while the
// ring changes those that will be replicas when the change is over, which are
// pending. Reads never ask these.
// Source: Cassandra 5.0 ReplicaLayout.forTokenWriteLiveAndDown, TokenMetadata.pendingEndpointsForToken.
func (c *Cluster) writeTo(p *ring.Placement, keyspace string, token ring.Token) (natural, pending []int) {
	natural = p.Replicas(token)
	if c.movement == nil || c.movement.future == nil {
		return natural, nil
	}
	for _, n := range c.movement.placement(c, keyspace).Replicas(token) {
		if !slices.Contains(natural, n) {
			pending = append(pending, n)
		}
	}
	return natural, pending
}

// PendingReplicas are the replicas that a token has beside its natural ones while the ring
// changes.
func (c *Cluster) PendingReplicas(keyspace string, token ring.Token) []int {
	_, pending := c.writeTo(c.Placement(keyspace), keyspace, token)
	return pending
}

// blockForWrite is how many responses a write waits for: one more for every pending
// replica that its level counts.
// Source: Cassandra 5.0 ConsistencyLevel.blockForWrite.
func (c *Cluster) blockForWrite(cl plan.Consistency, s ring.Strategy, coord int, pending []int) int {
	need := c.blockFor(cl, s, coord)
	if cl == plan.Any {
		return need
	}
	for _, n := range pending {
		if c.counts(cl, coord, n) {
			need++
		}
	}
	return need
}

// writable is available for a write that has pending replicas too.
// Source: Cassandra 5.0 ReplicaPlans.assureSufficientLiveReplicasForWrite.
func (c *Cluster) writable(cl plan.Consistency, s ring.Strategy, coord int, natural, pending []int) *Failure {
	if len(pending) == 0 || cl == plan.Any || cl == plan.NodeLocal {
		return c.available(cl, s, coord, natural)
	}
	need, alive := c.blockForWrite(cl, s, coord, pending), 0
	all := slices.Concat(natural, pending)
	for _, n := range all {
		if c.Alive.Alive(coord, n) && c.counts(cl, coord, n) {
			alive++
		}
	}
	if cl == plan.EachQuorum && len(s.DCs()) > 0 {
		if err := c.available(cl, s, coord, all); err != nil {
			return err
		}
	}
	if alive >= need {
		return nil
	}
	if cl == plan.LocalOne {
		need = 1 // the real server leaves the pending replicas out of its answer
	}
	return unavailable(cl, "", need, alive)
}

// pendingIn counts a request's pending replicas in a data center.
func (c *Cluster) pendingIn(r *request, dc string) int {
	n := 0
	for _, node := range r.pendingReplicas() {
		if c.Nodes[node].DC == dc {
			n++
		}
	}
	return n
}

// pendingReplicas are those at the end of a request's replicas.
func (r *request) pendingReplicas() []int { return r.replicas[len(r.replicas)-int(r.pending):] }

// join adds pending replicas to a request's.
func (r *request) join(pending []int) {
	if len(pending) > 0 {
		r.replicas, r.pending = slices.Concat(r.replicas, pending), int32(len(pending))
	}
}
