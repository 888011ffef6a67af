package simulation

import (
	"slices"
)

// hintMinutes bounds the faults of an epoch below Cassandra's hint window of three
// hours, so that a hint is owed for every write.
const hintMinutes = 100

// beyond is a time that no hint window outlasts.
const beyond = "240m"

// fault breaks something, mends it or lets time pass.
func (d *drawing) fault() {
	n := 1 + d.IntN(d.nodes)
	how := pick(d, "", "", " undetected", " undetectable")
	switch d.IntN(14) {
	case 0, 1, 2:
		if d.down[n] {
			d.add(":up n%d%s", n, pick(d, "", "", " undetected"))
			d.down[n] = false
		} else if len(d.downs()) < d.nodes-1 {
			d.add(":down n%d%s", n, how)
			d.down[n] = true
		}
	case 3:
		for _, n := range d.downs() {
			d.add(":up n%d", n)
			d.down[n] = false
		}
	case 4:
		d.add(":cut %s %s %s%s", d.node(), pick(d, "|", "|", ">"), d.node(), how)
	case 5, 6:
		d.add(":heal%s", pick(d, "", " undetected"))
	case 7:
		d.add(":pause n%d %s", n, pick(d, "200ms", "3s", "30s"))
	case 8:
		d.add(":skew n%d %s", n, pick(d, "+3s", "-2s", "0s", "+1h"))
	case 9:
		d.add(":loss %s %s %s", d.node(), d.node(), pick(d, "1/5", "1/2", "0", "1"))
	case 10:
		d.add(":latency %s %s %s", d.node(), d.node(), pick(d, "5ms±5ms", "1ms", "700ms±100ms"))
	case 11:
		d.add(":slow n%d %s", n, pick(d, "1x", "10x", "1000x"))
	case 12:
		if !d.down[n] {
			d.add(":reboot n%d", n)
		}
	default:
		minutes := pick(d, 0, 0, 0, 1, 20)
		if d.long && d.IntN(2) == 0 {
			d.long = false
			if len(d.downs()) == 0 {
				d.add(":down n%d", n)
				d.down[n] = true
			}
			d.add(":advance %s", beyond)
			return
		}
		if d.spent+minutes > hintMinutes {
			minutes = 0
		}
		d.spent += minutes
		if minutes == 0 {
			d.add(":advance %s", pick(d, "10ms", "3s", "15s"))
			return
		}
		d.add(":advance %dm", minutes)
	}
}

// downs are the nodes that were stopped, in order.
func (d *drawing) downs() []int {
	var out []int
	for n, is := range d.down {
		if is {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// change changes the ring or repairs it.
func (d *drawing) change() {
	how := pick(d, "", " background")
	n := d.IntN(6)
	if !d.Moves {
		n = 5
	}
	switch {
	case n < 3 && (n < 2 || d.joined == 0):
		d.joined++
		d.add(":bootstrap x%d dc=dc%d%s", d.joined, 1+d.IntN(d.dcs), how)
	case n == 2 && d.joined > 0:
		d.add(":decommission x%d force%s", 1+d.IntN(d.joined), how)
	case n == 3:
		d.add(":cleanup %s", d.node())
	case n == 4:
		d.add(":move n%d %d%s", 1+d.IntN(d.nodes), int64(d.Uint64()), how)
	default:
		d.add(":repair %s", pick(d, "ks", "ks full", "ks.data", d.node()+" ks.data full"))
	}
}

// levels of a write or read: how many replicas answered at least, of all and of each
// data center.
func (s *Script) replicas(cl, dc string) (all int, each map[string]int) {
	half := func(n int) int { return n/2 + 1 }
	total := 0
	for _, n := range s.RF {
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
		return total, s.RF
	case "LOCAL_ONE":
		return 1, map[string]int{dc: 1}
	case "LOCAL_QUORUM":
		if s.Simple {
			return half(total), nil
		}
		return half(s.RF[dc]), map[string]int{dc: half(s.RF[dc])}
	case "EACH_QUORUM":
		if s.Simple {
			return half(total), nil
		}
		each = map[string]int{}
		for dc, n := range s.RF {
			each[dc] = half(n)
			all += each[dc]
		}
		return all, each
	}
	return 0, nil // ANY: a hint is enough
}

// overlap says whether every read at a level meets a replica of every write at
// another: R + W > RF, in all or in one data center. The coordinators' data centers
// matter to the LOCAL levels.
func (s *Script) overlap(write, writeDC, read, readDC string) bool {
	w, eachW := s.replicas(write, writeDC)
	r, eachR := s.replicas(read, readDC)
	total := 0
	for dc, n := range s.RF {
		total += n
		if eachW[dc] > 0 && eachR[dc] > 0 && eachW[dc]+eachR[dc] > n {
			return true
		}
	}
	return w > 0 && w+r > total
}
