package simulation

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"ringlab/engine/cluster"
	"ringlab/model/schema"
)

// withDisks decides whether disks break and files rot in this script. They are drawn
// from a stream of their own, so that all else is as it would be without them.
func (d *drawing) withDisks() {
	r := rand.New(rand.NewPCG(d.Seed, 3))
	if r.IntN(2) == 0 {
		return
	}
	d.disks = r
	policies := []string{cluster.PolicyStop, cluster.PolicyStop, cluster.PolicyStop, cluster.PolicyStopParanoid, cluster.PolicyBestEffort, cluster.PolicyIgnore, cluster.PolicyDie}
	if policy := policies[r.IntN(len(policies))]; policy != cluster.PolicyStop {
		d.add(":set disk_failure_policy %s", policy)
	}
}

// disk breaks a disk or a file at times, or mends it, as a user would.
func (d *drawing) disk() {
	r := d.disks
	if r == nil || r.IntN(12) > 0 {
		return
	}
	choose := func(list ...string) string { return list[r.IntN(len(list))] }
	n := d.members[r.IntN(len(d.members))].name
	table := "ks." + choose("data", "data", "data", "maps", "wide", "lwt", "hits")
	log := choose("", "", "", " commitlog")
	switch r.IntN(10) {
	case 0, 1, 2, 3:
		if r.IntN(4) > 0 {
			d.add(":flush %s ks", n)
		}
		d.add(":corrupt %s %s", n, table)
	case 4:
		d.add(":disk %s full%s", n, log)
	case 5:
		d.add(":disk %s failed%s", n, log)
	case 6:
		d.add(":disk %s ok%s", n, log)
	case 7:
		d.add(":disk %s ok", n)
		d.add(":up %s", n)
		d.down[n] = false
	case 8:
		d.add(":scrub %s %s%s", n, choose("ks", table), choose("", " --skip-corrupted"))
	default:
		if !d.down[n] && !(d.slow[n] && d.Grace < 24*3600) {
			d.add(":reboot %s", n)
		}
		d.add(":scrub %s ks --skip-corrupted", n)
		d.add(":repair ks full")
	}
}

// damage is what a script has broken since the last epoch, and what a checker must
// not ask for therefore.
type damage struct {
	policy    string // disk_failure_policy
	down      map[string]bool
	nodes     map[string]bool // those with a broken disk or file
	files     map[string]bool // of them those whose files may be corrupt or hidden
	registers bool            // writes of registers may be lost
	counters  bool            // parts of counters may be lost
}

func newDamage() damage {
	return damage{policy: cluster.PolicyStop, down: map[string]bool{}, nodes: map[string]bool{}, files: map[string]bool{}}
}

// noteDisk remembers what a fault of a disk or a file may lose.
func (p *player) noteDisk(w []string) {
	if w[0] != ":scrub" {
		p.broken.nodes[w[1]] = true
	}
	switch {
	case w[0] == ":disk" && w[2] == "failed":
		p.broken.files[w[1]] = true
		if p.broken.policy == cluster.PolicyBestEffort && len(w) == 3 {
			// What it cannot read is as if it were not there, until it starts again.
			// Source: Cassandra 5.0 Keyspace.removeUnreadableSSTables.
			p.spoil(w[1], "")
		}
	case w[0] == ":corrupt":
		p.broken.files[w[1]] = true
		p.spoil(w[1], w[2])
	case w[0] == ":scrub":
		// It gives up on whole partitions: in files that are whole, too, on those with
		// a range tombstone or, in big files, with a TTL.
		// Source: Cassandra 5.0 BigTableScrubber.
		p.spoil(w[1], w[2])
	}
}

// spoil notes that a node may have lost all that it has of a table, "" or a keyspace
// for all tables: it is lost where too few others have it, until a repair.
func (p *player) spoil(node, table string) {
	n, ok := p.lab.Core().Cluster.Find(node)
	if !ok {
		return
	}
	is := func(name string) bool { return !strings.Contains(table, ".") || table == "ks."+name }
	if is("data") {
		p.data.spoil(n.Name, n.DC)
	}
	if is("maps") {
		p.maps.spoil(n.Name, n.DC)
	}
	if is("lwt") && !p.broken.registers {
		// A majority has what was decided, and perhaps nobody else.
		p.lwt.check(p)
		p.lwt, p.broken.registers = registers{}, true
	}
	if is("hits") {
		p.broken.counters = true
	}
}

func (h *history) spoil(node, dc string) {
	for i := range h.writes {
		w := &h.writes[i]
		if w.lost == nil {
			w.lost = map[string]string{}
		}
		w.lost[node] = dc
	}
}

// survives says whether some replica still has an acknowledged write.
func (p *player) survives(w *write) bool {
	have, _ := p.replicas(w.CL, w.dc)
	if w.settled || w.owed {
		have, _ = p.replicas("ALL", "")
	}
	return have > len(w.lost)
}

// checkStopped: a coordinator whose process disk_failure_policy ended cannot keep its
// hints, as one that was told to stop. Only that policy ends one.
func (p *player) checkStopped(since int64) {
	for _, n := range p.lab.Core().Cluster.Members() {
		if n.Down && !p.broken.down[n.Name] {
			p.lose(n.Name, since)
		}
		p.broken.down[n.Name] = n.Down
	}
}

// mended are the lines that make a node's disks right.
func mended(n *cluster.Node) (out []string) {
	if n.Data != cluster.DiskOK {
		out = append(out, ":disk "+n.Name+" ok")
	}
	if n.CommitLog != cluster.DiskOK {
		out = append(out, ":disk "+n.Name+" ok commitlog")
	}
	return out
}

// heal makes files readable again. A node leaves out of a scrub what it has met since
// its start, so it starts once more, and compacts nothing before the scrub; it must
// not stop at what it meets, either.
func (p *player) heal() {
	var before, after []string
	for _, name := range slices.Sorted(maps.Keys(p.broken.files)) {
		n, ok := p.lab.Core().Cluster.Find(name)
		if !ok || !n.IsMember() {
			continue
		}
		after = append(after, ":reboot "+name)
		for _, s := range n.SortedStores() {
			if t := s.Table; t.Keyspace == "ks" && corrupt(n, t) {
				after = append(after, fmt.Sprintf(":scrub %s ks.%s --skip-corrupted", name, t.Name))
				still := fmt.Sprintf("ALTER TABLE ks.%s WITH compaction = {'class': '%s', 'enabled': 'false'}", t.Name, t.Options.Compaction[0].Value)
				if !slices.Contains(before, still) {
					before = append(before, still)
				}
			}
		}
	}
	lines := append(before, after...)
	for _, l := range before {
		lines = append(lines, strings.Replace(l, ", 'enabled': 'false'", "", 1))
	}
	for _, l := range lines {
		p.note(l)
		p.end([]string{l})
	}
	if p.broken.policy != cluster.PolicyStop {
		p.end([]string{":set disk_failure_policy " + p.broken.policy})
	}
}

func corrupt(n *cluster.Node, t *schema.Table) bool {
	for _, f := range n.Stores[t.ID].SSTables {
		if f.IsCorrupt() {
			return true
		}
	}
	return false
}
