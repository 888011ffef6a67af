package simulation

import (
	"fmt"
	"maps"
	"math/rand/v2"
)

// Rough draws the script of a seed whose changes of the ring wait for nothing: nodes are
// removed, replaced and moved, and replication is altered, while others are down or cut
// off, and while another change goes on. A real ring promises little of the data then,
// and the checkers ask for no more: that every statement ends, that nothing is made up,
// that the ring comes to rest when the faults end, and that a repair makes replicas equal.
func Rough(seed uint64) *Script {
	d := &drawing{Rand: rand.New(rand.NewPCG(seed, 2)), Script: &Script{Seed: seed, RF: map[string]int{}, Rough: true, Moves: true}, down: map[string]bool{}, slow: map[string]bool{}}
	replication := d.ring()
	d.Ring += fmt.Sprintf("racks=%d vnodes=%d seed=%d", 1+d.IntN(3), pick(d, 1, 1, 4), seed)
	d.rf = d.RF
	d.schema(replication)
	d.withDisks()
	for range 25 + d.IntN(30) {
		if d.IntN(8) == 0 {
			d.anytime()
		} else {
			d.step()
		}
		d.disk()
	}
	d.Steps = append(d.Steps, Step{Epoch: true})
	return d.Script
}

// anytime changes the ring.
func (d *drawing) anytime() {
	how := pick(d, "", " background", " background")
	switch d.IntN(8) {
	case 0:
		n := d.node()
		d.add(":down %s%s", n, pick(d, "", " undetected"))
		d.down[n] = true
		d.add(":removenode %s%s", n, how)
	case 1:
		d.add(":removenode %s%s", d.node(), how)
	case 2:
		n := d.node()
		d.add(":down %s", n)
		d.down[n] = true
		d.replace(n, how)
	case 3:
		d.replace(d.node(), how)
	case 4:
		d.add(":decommission %s%s%s", d.node(), pick(d, "", " force"), how)
	case 5:
		d.add(":rebuild %s %s", d.node(), pick(d, "", "dc1"))
	case 6:
		d.add("nodetool -h %s removenode %s", d.node(), pick(d, "force", "status"))
	default:
		rf := maps.Clone(d.rf)
		dc := pick(d, d.members...).dc
		rf[dc] = max(1, rf[dc]+pick(d, -1, 1))
		d.rf = rf
		d.add("ALTER KEYSPACE ks WITH replication = %s", d.replication(rf))
	}
}

// replace lets a new node take another one's place, who speaks from then on.
func (d *drawing) replace(n, how string) {
	d.added++
	name := fmt.Sprintf("y%d", d.added)
	d.add(":replace %s %s%s", n, name, how)
	for i := range d.members {
		if d.members[i].name == n {
			d.members[i].name = name
		}
	}
}
