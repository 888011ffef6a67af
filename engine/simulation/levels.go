package simulation

// replicas of a write or read at a level: how many replicas answered at least, of all and of each
// data center.
func (p *player) replicas(cl, dc string) (all int, each map[string]int) {
	half := func(n int) int { return n/2 + 1 }
	total := 0
	for _, n := range p.rf {
		total += n
	}
	switch cl {
	case "ONE":
		return 1, nil
	case "TWO":
		return 2, nil
	case "THREE":
		return 3, nil
	case "QUORUM", "SERIAL":
		return half(total), nil
	case "ALL":
		return total, p.rf
	case "LOCAL_ONE":
		return 1, map[string]int{dc: 1}
	case "LOCAL_QUORUM":
		if p.script.Simple {
			return half(total), nil
		}
		return half(p.rf[dc]), map[string]int{dc: half(p.rf[dc])}
	case "EACH_QUORUM":
		if p.script.Simple {
			return half(total), nil
		}
		each = map[string]int{}
		for dc, n := range p.rf {
			each[dc] = half(n)
			all += each[dc]
		}
		return all, each
	}
	return 0, nil // ANY: a hint is enough
}

// overlap says whether every read at a level meets a replica of every write at
// another: R + W > RF, in all or in one data center. The coordinators' data centers
// matter to the LOCAL levels. Nodes that may have lost the write, with their data
// centers, are replicas too many.
func (p *player) overlap(write, writeDC, read, readDC string, lost map[string]string) bool {
	if p.script.Rough {
		return false
	}
	w, eachW := p.replicas(write, writeDC)
	r, eachR := p.replicas(read, readDC)
	total := len(lost)
	for dc, n := range p.rf {
		total += n
		for _, of := range lost {
			if of == dc {
				n++
			}
		}
		if eachW[dc] > 0 && eachR[dc] > 0 && eachW[dc]+eachR[dc] > n {
			return true
		}
	}
	return w > 0 && w+r > total
}
