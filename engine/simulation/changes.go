package simulation

import (
	"fmt"
	"maps"
	"slices"
)

// change changes the ring at any moment, whatever is broken, or repairs it. Only nodes
// that have joined leave again.
func (d *drawing) change() {
	how := pick(d, "", " background")
	n := d.IntN(6)
	if !d.Moves {
		n = 5
	}
	switch {
	case n < 3 && (n < 2 || d.joined == 0):
		d.joined++
		d.add(":bootstrap x%d dc=dc%d%s%s", d.joined, 1+d.IntN(d.dcs), d.tokens(), how)
	case n == 2 && d.joined > 0:
		d.add(":decommission x%d force%s", 1+d.IntN(d.joined), how)
	case n == 3:
		d.add(":cleanup %s", d.node())
	case n == 4:
		d.add(":move %s %d%s", d.node(), int64(d.Uint64()), how)
	default:
		d.add(":repair %s", pick(d, "ks", "ks full", "ks.data", d.node()+" ks.data full"))
	}
}

// tokens are none, or one between those of the keys, so that the new node gets some.
func (d *drawing) tokens() string {
	if !d.single {
		return ""
	}
	return pick(d, "", " tokens=-3800000000000000000", " tokens=-3300000000000000000", " tokens=-3000000000000000000")
}

// rest is the end of an epoch, with what may follow it while nothing is broken and all
// replicas are equal: those changes after which a real ring, too, has to have been
// repaired, or to have been whole, to promise anything.
func (d *drawing) rest() Step {
	s := Step{Epoch: true}
	if !d.Moves {
		return s
	}
	n := d.IntN(len(d.members))
	m := d.members[n]
	dead := []string{":as", ":down " + m.name}
	for i := range d.dcs {
		dc := fmt.Sprintf("dc%d", i+1)
		if d.rf[dc] > 0 {
			continue
		}
		rf := maps.Clone(d.rf) // a data center that has had no copies yet
		rf[dc] = 1 + d.IntN(d.nodes(dc))
		d.rf, s.RF = rf, rf
		s.Lines = append(s.Lines, ":as", "ALTER KEYSPACE ks WITH replication = "+d.replication(rf))
		// All fetch from dc1, by name: else they would ask each other, who have nothing.
		for _, m := range d.members {
			if m.dc == dc {
				s.Lines = append(s.Lines, fmt.Sprintf(":rebuild %s dc1", m.name))
			}
		}
		for i := range d.joined { // those of that data center, if they have joined
			s.Lines = append(s.Lines, fmt.Sprintf(":rebuild x%d dc1", i+1))
		}
		return s
	}
	switch d.IntN(7) {
	case 0:
		if d.nodes(m.dc) <= d.rf[m.dc] || d.Simple && len(d.members) <= d.rf["dc1"] || d.copies() < 2 || len(d.members) < 3 {
			return s
		}
		d.members = slices.Delete(slices.Clone(d.members), n, n+1)
		s = d.meanwhile(s, dead)
		s.Lines = append(s.Lines, ":as", ":removenode "+m.name)
	case 1:
		if d.copies() < 2 {
			return s
		}
		d.added++
		name := fmt.Sprintf("y%d", d.added)
		d.members = slices.Clone(d.members)
		d.members[n] = member{d.other(m.name), m.dc} // who speaks meanwhile
		s = d.meanwhile(s, dead)
		d.members[n] = member{name, m.dc}
		s.Lines = append(s.Lines, ":as", fmt.Sprintf(":replace %s %s", m.name, name))
	case 2:
		if d.nodes(m.dc) <= d.rf[m.dc]+1 { // as many nodes as copies may leave
			return s
		}
		d.members = slices.Delete(slices.Clone(d.members), n, n+1)
		s.Lines = append(s.Lines, ":as", ":decommission "+m.name)
	case 3, 4:
		d.added++
		y := member{fmt.Sprintf("y%d", d.added), m.dc}
		s.Lines = append(s.Lines, ":as", fmt.Sprintf(":bootstrap %s dc=%s%s", y.name, y.dc, d.tokens()))
		d.members = append(slices.Clone(d.members), y)
		for key := range keys { // by its own copy, if it has one
			r := d.choose(Op{Kind: Read, Key: key, Hi: rows - 1, CL: "ONE"})
			s.Lines = append(append(s.Lines, d.clientAt("node="+y.name+" ", "ONE")...), r.text)
			s.Ops = append(s.Ops, r.ops...)
		}
	default:
		rf := maps.Clone(d.rf)
		rf[m.dc] += pick(d, -1, 1)
		if most := d.nodes(m.dc); rf[m.dc] < 1 || rf[m.dc] > most {
			return s
		}
		d.rf, s.RF = rf, rf
		alter := "ALTER KEYSPACE ks WITH replication = " + d.replication(rf)
		s.Lines = append(s.Lines, ":as", alter, ":repair ks full")
		if d.IntN(2) == 0 {
			s.Lines = append(s.Lines, ":cleanup")
		}
	}
	return s
}

// nodes is how many nodes a data center has.
func (d *drawing) nodes(dc string) (n int) {
	for _, m := range d.members {
		if m.dc == dc {
			n++
		}
	}
	return n
}

// copies of each row.
func (d *drawing) copies() (n int) {
	for _, rf := range d.rf {
		n += rf
	}
	return n
}

// meanwhile adds what is written while a node is away that will not be back.
func (d *drawing) meanwhile(s Step, lines []string) Step {
	s.Lines = append(s.Lines, lines...)
	for range d.IntN(4) {
		w := d.write().at(pick(d, "QUORUM", "ONE", "LOCAL_QUORUM", "TWO"))
		s.Lines = append(append(s.Lines, d.client(w.ops[0].CL)...), w.text)
		s.Ops = append(s.Ops, w.ops...)
	}
	return s
}
