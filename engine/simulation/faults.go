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
	n := d.node()
	how := pick(d, "", "", " undetected", " undetectable")
	switch d.IntN(15) {
	case 0, 1, 2:
		if d.down[n] {
			d.add(":up %s%s", n, pick(d, "", "", " undetected"))
			d.down[n] = false
		} else if len(d.downs()) < len(d.members)-1 {
			d.add(":down %s%s", n, how)
			d.down[n] = true
		}
	case 3:
		for _, n := range d.downs() {
			d.add(":up %s", n)
			d.down[n] = false
		}
	case 4:
		d.add(":cut %s %s %s%s", d.node(), pick(d, "|", "|", ">"), d.node(), how)
	case 5, 6:
		d.add(":heal%s", pick(d, "", " undetected"))
	case 7:
		d.add(":pause %s %s", n, pick(d, "200ms", "3s", "30s"))
	case 8:
		d.add(":skew %s %s", n, pick(d, "+3s", "-2s", "0s", "+1h"))
	case 9:
		d.add(":loss %s %s %s", d.node(), d.node(), pick(d, "1/5", "1/2", "0", "1"))
	case 10:
		d.add(":latency %s %s %s", d.node(), d.node(), pick(d, "5ms±5ms", "1ms", "700ms±100ms"))
	case 11:
		how := pick(d, "1x", "10x", "1000x")
		d.slow[n] = how == "1000x"
		d.add(":slow %s %s", n, how)
	case 12:
		if !d.down[n] && !(d.slow[n] && d.Grace < 24*3600) { // which takes hours then
			d.add(":reboot %s", n)
		}
	case 13:
		d.add(":set hinted_handoff %s", pick(d, "on", "on", "off"))
	default:
		minutes := pick(d, 0, 0, 0, 1, 20)
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

// outlast keeps a node away for longer than any hint window, and writes on.
func (d *drawing) outlast() {
	n := pick(d, append(d.downs(), d.node())...)
	if !d.down[n] && len(d.downs()) >= len(d.members)-1 {
		return
	}
	if !d.down[n] {
		d.add(":down %s", n)
		d.down[n] = true
	}
	d.add(":advance %s", beyond)
	for range 2 + d.IntN(3) {
		d.speakAt(d.other(n), pick(d, "ONE", "QUORUM", "QUORUM", "LOCAL_QUORUM"), d.write())
	}
}

// downs are the nodes that were stopped, in order.
func (d *drawing) downs() []string {
	var out []string
	for n, is := range d.down {
		if is {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}
