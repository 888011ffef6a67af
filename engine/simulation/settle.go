package simulation

import (
	"fmt"
	"strconv"

	"ringlab/engine/answer"
	"ringlab/engine/render"
)

// hintWindow is max_hint_window: three hours, µs.
const hintWindow = 3 * 3600e6

// settle ends an epoch: the faults end, hints arrive, a repair makes the replicas
// equal, and time passes behind gc_grace.
func (p *player) settle() {
	p.end(p.ends())
	p.heal()
	clear(p.awaited)
	clear(p.overdue)
	p.must(":advance 10m")
	p.finishMovements()
	p.checkHintsGone()
	if !p.moved {
		p.checkHinted()
	}
	if !p.script.Rough { // there may be fewer nodes than copies
		p.finishRounds()
	}
	if p.script.ByReads && !p.script.Rough {
		p.must(":advance 2h")
		p.readAll()
		p.equal("after reads at ALL")
	}
	p.must(":repair ks full")
	if p.parted {
		// A full repair leaves what is not repaired where it is, and compaction does
		// not let it meet a repaired tombstone. When that is purged on the other
		// replicas, the next incremental repair, which looks at the former alone,
		// would bring the deleted row back, on a real ring, too.
		p.must(":repair ks")
	}
	p.must(":advance 2h") // a clock may have been an hour ahead when it wrote a TTL
	first := p.equal("after a repair")
	p.checkSettled()
	if p.moved {
		// What a node does not own any more must not outlast the tombstones of those
		// that do: it would be back when they leave.
		p.must(":cleanup")
	}
	p.must(":flush")
	p.must(fmt.Sprintf(":advance %ds", p.script.Grace+2*3600))
	p.must(":compact")
	p.must(":advance 10m")
	for i, text := range p.equal("behind gc_grace") {
		if text != first[i] {
			p.fail("deleted stays deleted", "behind gc_grace a replica has\n%sof what it had before:\n%s", text, first[i])
		}
	}
	p.data.settle(p)
	p.maps.settle(p)
	p.lwt.settle(p)
	p.broken.counters = false
	clear(p.broken.nodes)
	clear(p.broken.files)
	p.moved, p.unhinted, p.begun = false, false, p.lab.Now()
}

// end runs the lines that end something.
func (p *player) end(lines []string) {
	for _, line := range lines {
		if p.script.Rough {
			p.do(line) // a node may leave meanwhile
		} else {
			p.must(line)
		}
	}
}

// late says that the epoch outlasts the hint window, as it may: a slow node takes its
// time to start again, too. Who was away since its beginning is owed nothing more.
// Source: Cassandra 5.0 StorageProxy.shouldHint.
func (p *player) late() bool { return p.lab.Now()-p.begun > hintWindow }

// finishMovements gives up what cannot be finished: a node that failed to join or leave
// starts again.
func (p *player) finishMovements() {
	for _, n := range p.lab.Core().Cluster.Members() {
		if n.State.Letter() != "N" {
			p.do(":reboot " + n.Name)
			p.must(":advance 10m")
		}
	}
}

// tables are all, with the query that shows everything of a partition that replicas
// can differ in.
var tables = []struct{ name, query string }{
	{"data", "SELECT c, v, writetime(v) FROM ks.data WHERE k = %d"},
	{"maps", "SELECT m, writetime(m) FROM ks.maps WHERE k = %d"},
	{"lwt", "SELECT v, writetime(v) FROM ks.lwt WHERE k = %d"},
	{"hits", "SELECT n FROM ks.hits WHERE k = %d"},
	{"wide", "SELECT * FROM ks.wide WHERE k = %d"},
}

// readAll reads every partition at ALL, which repairs what differs.
func (p *player) readAll() {
	p.must(":client all cl=ALL")
	p.must(":as all")
	for _, t := range tables {
		for key := range keys {
			p.must("SELECT * FROM ks." + t.name + fmt.Sprintf(" WHERE k = %d", key))
		}
	}
	p.must(":as")
}

// own reads at one node's own copy.
func (p *player) own(node, query string) *answer.Answer {
	defer p.glance()()
	p.must(":client own node=" + node + " cl=NODE_LOCAL")
	p.must(":as own")
	a := p.must(query)
	p.must(":as")
	return a
}

// glance begins a look at what is there, whose lines are kept until the next one. The
// function that it gives ends it.
func (p *player) glance() func() {
	if p.look > 0 {
		p.lines = p.lines[:p.look]
	}
	p.look, p.looking = len(p.lines), true
	return func() { p.looking = false }
}

// endpoints are the natural replicas of a key.
func (p *player) endpoints(table string, key int) (out []string) {
	defer p.glance()()
	for _, r := range p.must(fmt.Sprintf(":getendpoints ks %s %d", table, key)).Rows {
		out = append(out, r[0].Text)
	}
	return out
}

// followed is a read of a whole partition of a table whose writes are followed.
type followed struct {
	table, query string
	Op
}

func whole(key int) []followed {
	o := Op{Kind: Read, Key: key, Hi: rows - 1, CL: "NODE_LOCAL"}
	m := o
	m.Map = true
	return []followed{
		{"data", fmt.Sprintf("SELECT k, c, v FROM ks.data WHERE k = %d", key), o},
		{"maps", fmt.Sprintf("SELECT k, m FROM ks.maps WHERE k = %d", key), m},
	}
}

// has: a node's own copy has the writes that it must.
func (p *player) has(checker, node string, f followed, must func(*write) bool) {
	a := p.understand(f.Op, p.own(node, f.query))
	p.table(f.Op).compare(p, checker+" on "+node, a, must)
}

// checkHinted: every replica has every acknowledged write for which a hint was owed.
func (p *player) checkHinted() {
	for key := range keys {
		for _, f := range whole(key) {
			for _, node := range p.endpoints(f.table, key) {
				p.has("hints", node, f, func(w *write) bool { return w.owed && w.lost[node] == "" })
			}
		}
	}
}

// checkHintsGone: no hint is kept for a node that is up.
func (p *player) checkHintsGone() {
	if a := p.must(":hints"); len(a.Rows) > 0 {
		p.fail("hints", "all nodes are up for ten minutes, and there are hints still:\n%s", render.Table(a, false))
	}
}

// checkHintWindow: nothing more is hinted for a node that is down for longer than the
// window.
func (p *player) checkHintWindow() {
	late := false
	for _, since := range p.awaited {
		late = late || p.lab.Now()-since > hintWindow+60e6
	}
	if !late {
		return
	}
	for _, r := range p.must(":hints").Rows {
		since, ok := p.awaited[r[1].Text]
		if !ok || p.lab.Now()-since < hintWindow+60e6 {
			continue
		}
		n, _ := strconv.Atoi(r[2].Text)
		pair := r[0].Text + " for " + r[1].Text
		if had, known := p.overdue[pair]; known && n > had {
			p.fail("hint window", "%s had %d hints when that was down for three hours, and has %d now", pair, had, n)
		}
		p.overdue[pair] = n
	}
	for target, since := range p.awaited {
		if p.lab.Now()-since < hintWindow+60e6 {
			continue
		}
		for _, n := range p.lab.Core().Cluster.Members() { // who has none now has to have none later
			if pair := n.Name + " for " + target; p.overdue[pair] == 0 {
				p.overdue[pair] = 0
			}
		}
	}
}

// equal: all replicas of a key answer the same about their own copies. It gives what
// they answer, by table and key.
func (p *player) equal(when string) (texts []string) {
	for _, q := range tables {
		for key := range keys {
			first, at := "", ""
			for i, node := range p.endpoints(q.name, key) {
				got := render.Table(p.own(node, fmt.Sprintf(q.query, key)), false)
				if i == 0 {
					first, at = got, node
				} else if got != first {
					p.fail("replicas equal", "%s, of partition %d of %s %s has\n%sand %s has\n%s", when, key, q.name, at, first, node, got)
				}
			}
			texts = append(texts, first)
		}
	}
	return texts
}

// checkSettled: once the replicas are equal they have everything that was acknowledged,
// at whatever level.
func (p *player) checkSettled() {
	if p.script.Rough {
		return
	}
	for key := range keys {
		for _, f := range whole(key) {
			p.has("after a repair", p.endpoints(f.table, key)[0], f, p.survives)
		}
		node := p.endpoints("hits", key)[0]
		p.hits[key].settled(p, p.understand(Op{Kind: ReadCount, Key: key}, p.own(node, fmt.Sprintf("SELECT n FROM ks.hits WHERE k = %d", key))))
	}
}

// finishRounds reads every register at SERIAL, which decides what was left undecided.
func (p *player) finishRounds() {
	for key := range keys {
		p.must(":client serial cl=SERIAL")
		p.must(":as serial")
		p.lwt.add(p, p.understand(Op{Kind: ReadSerial, Key: key}, p.must(fmt.Sprintf("SELECT v FROM ks.lwt WHERE k = %d", key))))
		p.must(":as")
	}
}
