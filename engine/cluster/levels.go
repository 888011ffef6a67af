package cluster

import (
	"slices"

	"ringlab/model/plan"
	"ringlab/ring"
)

func quorum(n int) int { return n/2 + 1 }

// blockFor is the number of responses a level waits for.
// Source: Cassandra 5.0 ConsistencyLevel.blockFor.
func (c *Cluster) blockFor(cl plan.Consistency, s ring.Strategy, coord int) int {
	local := c.Nodes[coord].DC
	switch cl {
	case plan.Any, plan.One, plan.LocalOne, plan.NodeLocal:
		return 1
	case plan.Two:
		return 2
	case plan.Three:
		return 3
	case plan.Quorum, plan.Serial:
		return quorum(s.RF())
	case plan.All:
		return s.RF()
	case plan.LocalQuorum, plan.LocalSerial:
		return quorum(s.RFIn(local))
	case plan.EachQuorum:
		if len(s.DCs()) == 0 {
			return quorum(s.RF())
		}
		n := 0
		for _, dc := range s.DCs() {
			n += quorum(s.RFIn(dc))
		}
		return n
	}
	return 1
}

// available checks that enough replicas are believed alive, and fails as
// Cassandra does. Source: Cassandra 5.0 ReplicaPlans.assureSufficientLiveReplicas.
func (c *Cluster) available(cl plan.Consistency, s ring.Strategy, coord int, replicas []int) *Failure {
	alive, aliveLocal := 0, 0
	dc := c.Nodes[coord].DC
	for _, r := range replicas {
		if c.Alive.Alive(coord, r) {
			alive++
			if c.Nodes[r].DC == dc {
				aliveLocal++
			}
		}
	}
	need := c.blockFor(cl, s, coord)
	switch cl {
	case plan.Any, plan.NodeLocal: // a hint is enough
		return nil
	case plan.LocalOne, plan.LocalQuorum:
		if aliveLocal < need {
			return unavailable(cl, "", need, aliveLocal)
		}
		return nil
	case plan.EachQuorum:
		if len(s.DCs()) > 0 {
			for _, dc := range s.DCs() {
				n := 0
				for _, r := range replicas {
					if c.Nodes[r].DC == dc && c.Alive.Alive(coord, r) {
						n++
					}
				}
				if need := quorum(s.RFIn(dc)); n < need {
					// The real server reports no replica alive here, whatever is up.
					return unavailable(cl, dc, need, 0)
				}
			}
			return nil
		}
	}
	if alive < need {
		return unavailable(cl, "", need, alive)
	}
	return nil
}

// Reaches says whether the replicas that each key has in one of Cassandra's own
// keyspaces are alive as an operation's level wants, and ends the operation with the
// error if not.
func (c *Cluster) Reaches(op *Op, keyspace string, keys [][]byte) bool {
	i := slices.IndexFunc(distributed, func(d replicated) bool { return d.name == keyspace })
	if i < 0 {
		return true
	}
	placement := ring.NewPlacement(c.Ring, ring.SimpleStrategy(distributed[i].rf))
	for _, k := range keys {
		if err := c.available(op.CL, placement.Strategy(), op.Coord, placement.Replicas(c.Partitioner().Token(k))); err != nil {
			c.finish(op, err)
			return false
		}
	}
	return true
}

// Preview says what a level could do now for a set of replicas.
func (c *Cluster) Preview(cl plan.Consistency, keyspace string, coord int, replicas []int) (required, alive int, ok bool) {
	s := c.Strategy(keyspace)
	required = c.blockFor(cl, s, coord)
	for _, r := range replicas {
		if c.Alive.Alive(coord, r) && (!cl.IsLocal() || c.Nodes[r].DC == c.Nodes[coord].DC) {
			alive++
		}
	}
	return required, alive, c.available(cl, s, coord, replicas) == nil
}

// Contacts are the replicas that a read at a level would ask now, the one for data
// first; nil where the level cannot be had. Source: Cassandra 5.0 ReplicaPlans.forRead.
func (c *Cluster) Contacts(cl plan.Consistency, keyspace string, coord int, replicas []int) []int {
	s := c.Strategy(keyspace)
	candidates := c.candidates(cl, coord, replicas)
	if c.available(cl, s, coord, candidates) != nil {
		return nil
	}
	return c.contactsFor(cl, s, c.blockFor(cl, s, coord), candidates)
}

// counts says whether a response of that node counts for a level.
func (c *Cluster) counts(cl plan.Consistency, coord, node int) bool {
	return !cl.IsLocal() || c.Nodes[node].DC == c.Nodes[coord].DC
}
