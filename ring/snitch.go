package ring

// SortByProximity appends to dst the replicas in the order in which a node prefers
// them: itself, its own rack, its own datacenter, then the rest, and among the rest
// those whose rack has the same name. Equal ones stay in ring order. It allocates
// only if dst lacks room.
// Source: Cassandra 5.0 AbstractNetworkTopologySnitch.compareEndpoints.
func SortByProximity(dst []int, from int, replicas []int, nodes []Node) []int {
	self := &nodes[from]
	return byDistance(dst, replicas, func(r int) int {
		return distance(r == from, nodes[r].DC == self.DC, nodes[r].Rack == self.Rack)
	})
}

// SortByProximity is the function of that name on the nodes of the ring, without a
// comparison of strings.
func (tm *TokenMap) SortByProximity(dst []int, from int, replicas []int) []int {
	return byDistance(dst, replicas, func(r int) int {
		return distance(r == from, tm.dcOf[r] == tm.dcOf[from], tm.rackName[r] == tm.rackName[from])
	})
}

// distance runs from 0, the node itself, to farthest.
func distance(self, sameDC, sameRackName bool) int {
	switch {
	case self:
		return 0
	case sameDC && sameRackName:
		return 1
	case sameDC:
		return 2
	case sameRackName:
		return 3
	}
	return farthest
}

const farthest = 4

func byDistance(dst, replicas []int, distanceTo func(int) int) []int {
	for d := 0; d <= farthest; d++ {
		for _, r := range replicas {
			if distanceTo(r) == d {
				dst = append(dst, r)
			}
		}
	}
	return dst
}
