package ring

// quota is what one datacenter still takes during a walk along the ring.
type quota struct {
	left    int // replicas still to place: at most the datacenter's nodes
	repeats int // of them, how many may share a rack with an earlier one
}

// Replicas walks the ring once, over all datacenters together. A node on a rack of
// its datacenter that has no replica yet is taken; a node on a rack that has one is
// taken only while the factor exceeds the number of racks. So the replicas of
// different datacenters are interleaved in ring order, a factor above the number of
// nodes gives all nodes, and a datacenter without nodes gives none.
// Source: Cassandra 5.0 NetworkTopologyStrategy.calculateNaturalReplicas.
func (s networkTopologyStrategy) Replicas(tm *TokenMap, entry int) []int {
	quotas := make([]quota, len(tm.dcs))
	want := 0
	for i, dc := range tm.dcs {
		if rf := s.RFIn(dc.Name); rf > 0 {
			quotas[i] = quota{left: min(rf, dc.Nodes), repeats: rf - len(dc.Racks)}
			want += quotas[i].left
		}
	}
	replicas := make([]int, 0, want)
	for i := entry; len(replicas) < want; i = tm.after(i) {
		node := int(tm.owners[i])
		q := &quotas[tm.dcOf[node]]
		if q.left == 0 {
			continue
		}
		taken, sameRack := tm.chosen(replicas, node)
		switch {
		case taken:
			continue
		case sameRack && q.repeats <= 0:
			continue
		case sameRack:
			q.repeats--
		}
		replicas = append(replicas, node)
		q.left--
	}
	return replicas
}

// chosen tells whether a node is among the replicas, and whether its rack is.
func (tm *TokenMap) chosen(replicas []int, node int) (taken, sameRack bool) {
	rack := tm.rackOf[node]
	for _, r := range replicas {
		if r == node {
			return true, true
		}
		sameRack = sameRack || tm.rackOf[r] == rack
	}
	return false, sameRack
}
