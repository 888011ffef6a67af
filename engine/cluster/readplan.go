package cluster

import "ringlab/model/plan"

// plan chooses whom a read asks: the nearest live replicas, as many as the level
// needs; the first for data, the others for digests. among limits the candidates
// to some nodes, nil to all. Source: Cassandra 5.0 ReplicaPlans.forRead.
func (c *Cluster) plan(r *request, among []int) *Failure {
	candidates := among
	if among == nil {
		candidates = c.candidates(r.cl, r.coord, r.replicas)
	}
	if err := c.available(r.cl, r.strategy, r.coord, candidates); err != nil {
		return err
	}
	r.need = c.blockFor(r.cl, r.strategy, r.coord)
	r.op.Need = r.need
	contacts := c.contactsFor(r.cl, r.strategy, r.need, candidates)
	for i, n := range contacts {
		r.contacts = append(r.contacts, contact{node: n, digest: r.kind == reqRead && i > 0})
	}
	if len(contacts) > 0 && &contacts[0] == &candidates[0] { // they are the first candidates
		r.rest = candidates[len(contacts):]
		return nil
	}
	for _, n := range candidates {
		if !contains(contacts, n) {
			r.rest = append(r.rest, n)
		}
	}
	return nil
}

// candidates are the live replicas in order of proximity; for a local level only
// those of the coordinator's data center.
func (c *Cluster) candidates(cl plan.Consistency, coord int, replicas []int) []int {
	sorted := c.Ring.SortByProximity(make([]int, 0, len(replicas)), coord, replicas)
	live := sorted[:0]
	for _, n := range sorted {
		if c.Alive.Alive(coord, n) && c.counts(cl, coord, n) {
			live = append(live, n)
		}
	}
	return live
}

// contactsFor picks the first candidates; EACH_QUORUM takes a quorum of each
// data center.
func (c *Cluster) contactsFor(cl plan.Consistency, s interface {
	DCs() []string
	RFIn(string) int
}, need int, candidates []int) []int {
	if cl != plan.EachQuorum || len(s.DCs()) == 0 {
		return candidates[:min(need, len(candidates))]
	}
	left := map[string]int{}
	for _, dc := range s.DCs() {
		left[dc] = quorum(s.RFIn(dc))
	}
	var out []int
	for _, n := range candidates {
		if dc := c.Nodes[n].DC; left[dc] > 0 {
			left[dc]--
			out = append(out, n)
		}
	}
	return out
}

func contains(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}
