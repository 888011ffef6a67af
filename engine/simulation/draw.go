package simulation

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// drawing makes a script; it depends on the seed alone.
type drawing struct {
	*rand.Rand
	*Script
	members []member // that clients and faults are about, in order
	dcs     int
	rf      map[string]int // as it is now
	at      int64          // last timestamp of a write
	down    map[string]bool
	slow    map[string]bool // a thousand times
	fresh   bool            // the next write is the first of its epoch
	joined  int             // nodes that were told to join
	added   int             // nodes that have joined a ring at rest
	single  bool            // one token a node
	spent   int             // minutes of the epoch
	clients int
	disks   *rand.Rand // of what happens to disks and files, nil in scripts without
}

// member is a node of the ring.
type member struct{ name, dc string }

const (
	keys = 3 // of each table
	rows = 6 // of a partition, named 0 to rows-1
)

// New draws the script of a seed.
func New(seed uint64) *Script { return draw(seed, false) }

// Broken draws the script of a seed in which disks may break and files rot, too.
func Broken(seed uint64) *Script { return draw(seed, true) }

func draw(seed uint64, broken bool) *Script {
	d := &drawing{Rand: rand.New(rand.NewPCG(seed, 1)), Script: &Script{Seed: seed, RF: map[string]int{}}, down: map[string]bool{}, slow: map[string]bool{}}
	d.Moves = d.IntN(2) == 0
	replication := d.ring()
	vnodes := pick(d, 1, 1, 4)
	d.single = vnodes == 1
	d.Ring += fmt.Sprintf("racks=%d vnodes=%d seed=%d", 1+d.IntN(3), vnodes, seed)
	d.rf = d.RF
	d.schema(replication)
	if broken {
		d.withDisks()
	}
	for i := range 1 + d.IntN(2) {
		if i > 0 || d.IntN(3) == 0 {
			if i == 0 { // what is to be moved
				for range 4 {
					d.speak(d.write())
				}
			}
			d.Steps = append(d.Steps, d.rest())
			d.down, d.slow, d.spent, d.fresh = map[string]bool{}, map[string]bool{}, 0, true // what an epoch deleted is forgotten
		}
		n, long := 20+d.IntN(25), -1
		if d.Grace > 24*3600 && d.IntN(3) == 0 {
			long = d.IntN(n)
		}
		for i := range n {
			if d.step(); i == long {
				d.outlast()
			}
			d.disk()
		}
	}
	d.Steps = append(d.Steps, Step{Epoch: true})
	return d.Script
}

// ring draws the nodes and how many of them have a copy.
func (d *drawing) ring() (replication string) {
	d.dcs = pick(d, 1, 1, 1, 2, 2, 3)
	d.Simple = d.dcs == 1 && d.IntN(2) == 0
	for i := range d.dcs {
		dc := fmt.Sprintf("dc%d", i+1)
		nodes := 2 + d.IntN(2)
		if d.dcs == 1 {
			nodes = 3 + d.IntN(4)
		}
		d.RF[dc] = 1 + d.IntN(nodes)
		if d.dcs == 1 {
			d.RF[dc] = pick(d, 1, 2, 3, 3, 3)
		}
		if d.Moves && i > 0 && d.IntN(4) == 0 {
			delete(d.RF, dc) // until it is rebuilt
		}
		d.Ring += fmt.Sprintf("%s=%d ", dc, nodes)
		for range nodes {
			d.members = append(d.members, member{fmt.Sprintf("n%d", len(d.members)+1), dc})
		}
	}
	return d.replication(d.RF)
}

// replication is a keyspace's option.
func (d *drawing) replication(rf map[string]int) string {
	if d.Simple {
		return fmt.Sprintf("{'class': 'SimpleStrategy', 'replication_factor': %d}", rf["dc1"])
	}
	text := "{'class': 'NetworkTopologyStrategy'"
	for _, dc := range slices.Sorted(maps.Keys(rf)) {
		text += fmt.Sprintf(", '%s': %d", dc, rf[dc])
	}
	return text + "}"
}

func pick[T any](d *drawing, list ...T) T { return list[d.IntN(len(list))] }

func (d *drawing) add(format string, args ...any) {
	d.Steps = append(d.Steps, Step{Lines: []string{fmt.Sprintf(format, args...)}})
}

func (d *drawing) schema(replication string) {
	d.add("CREATE KEYSPACE ks WITH replication = %s", replication)
	d.Down, d.Repairs = d.IntN(2) == 0, d.IntN(5) > 0
	d.ByReads = d.Repairs && d.IntN(4) == 0
	d.Grace = pick[int64](d, 864000, 864000, 20000)
	options := func() string {
		out := []string{fmt.Sprintf("gc_grace_seconds = %d", d.Grace),
			"compaction = {'class': '" + pick(d, "SizeTieredCompactionStrategy", "LeveledCompactionStrategy", "UnifiedCompactionStrategy") + "'}",
			"speculative_retry = '" + pick(d, "99p", "NONE", "ALWAYS", "5ms") + "'"}
		if !d.Repairs {
			out = append(out, "read_repair = 'NONE'")
		}
		return strings.Join(out, " AND ")
	}
	order := "ASC"
	if d.Down {
		order = "DESC"
	}
	d.add("CREATE TABLE ks.data (k int, c int, v bigint, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c %s) AND %s", order, options())
	d.add("CREATE TABLE ks.maps (k int PRIMARY KEY, m map<int, bigint>) WITH %s", options())
	d.add("CREATE TABLE ks.lwt (k int PRIMARY KEY, v bigint) WITH %s", options())
	d.add("CREATE TABLE ks.hits (k int PRIMARY KEY, n counter) WITH %s", options())
	d.add("CREATE TABLE ks.wide (k int, c int, s text static, v int, w text, m map<int, text>, PRIMARY KEY (k, c)) WITH %s", options())
}

// schemaSteps are the steps that everything else needs.
const schemaSteps = 6

// step adds something to the script.
func (d *drawing) step() {
	switch n := d.IntN(100); {
	case n < 38:
		d.speak(d.data())
	case n < 44:
		d.speak(d.lwt())
	case n < 49:
		d.speak(d.count())
	case n < 53:
		d.speak(d.wide())
	case n < 60:
		d.together()
	case n < 64:
		d.race()
	case n < 71:
		d.behind()
	case n < 88 || n < 92 && !d.Moves:
		d.fault()
	case n < 96:
		d.change()
	default:
		d.add("%s", pick(d, ":flush", ":flush "+d.node(), ":compact", ":compact ks.data", ":compact "+d.node(), ":step", ":hints", ":tablestats ks.wide"))
	}
}

func (d *drawing) node() string { return pick(d, d.members...).name }

func (d *drawing) level() string {
	return pick(d, "ONE", "TWO", "THREE", "QUORUM", "QUORUM", "QUORUM", "QUORUM", "ALL", "LOCAL_ONE", "LOCAL_QUORUM", "LOCAL_QUORUM", "EACH_QUORUM")
}

// client is the lines that make a client speak: one who is new, so that several
// of one block are several.
func (d *drawing) client(cl string) []string {
	place := ""
	switch d.IntN(4) {
	case 0:
		place = fmt.Sprintf("dc=dc%d ", 1+d.IntN(d.dcs))
	case 1, 2:
		place = "node=" + d.node() + " "
	}
	return d.clientAt(place, cl)
}

func (d *drawing) clientAt(place, cl string) []string {
	d.clients = (d.clients + 1) % 8
	return []string{fmt.Sprintf(":client c%d %scl=%s", d.clients, place, cl), fmt.Sprintf(":as c%d", d.clients)}
}

// statement is a statement and what it means.
type statement struct {
	text string
	ops  []Op
}

// one is a statement that is one operation.
func one(o Op, format string, args ...any) statement {
	return statement{fmt.Sprintf(format, args...), []Op{o}}
}

// at makes a statement's level another one.
func (s statement) at(cl string) statement {
	s.ops = slices.Clone(s.ops)
	for i := range s.ops {
		s.ops[i].CL = cl
	}
	return s
}

// speak adds a statement by a client, who reads in small pages at times.
func (d *drawing) speak(s statement) {
	lines := d.client(s.ops[0].CL)
	if k := s.ops[0].Kind; (k == Read || k == ReadAll) && d.IntN(4) == 0 {
		lines = append(lines, fmt.Sprintf("PAGING %d", 1+d.IntN(3)))
	}
	d.Steps = append(d.Steps, Step{Lines: append(lines, s.text), Ops: s.ops})
}

// speakAt adds a statement at a coordinator and a level.
func (d *drawing) speakAt(node, cl string, s statement) {
	s = s.at(cl)
	d.Steps = append(d.Steps, Step{Lines: append(d.clientAt("node="+node+" ", cl), s.text), Ops: s.ops})
}

// together adds statements that are in flight at once.
func (d *drawing) together() {
	if d.IntN(2) == 0 {
		d.add(":loss %s %s 1/2", d.node(), d.node())
	}
	var list []statement
	of := []func() statement{d.lwt, d.lwt, d.data, d.count, d.wide}[d.IntN(5)]
	for range 2 + d.IntN(4) {
		list = append(list, of())
	}
	d.block(list, 30)
}

// block is statements in flight at once, each by a client of its own, which begin
// within so many milliseconds.
func (d *drawing) block(list []statement, within int) {
	s := Step{Lines: []string{":together"}}
	for _, one := range list {
		s.Lines = append(s.Lines, d.client(one.ops[0].CL)...)
		if d.IntN(2) == 0 {
			one.text = fmt.Sprintf(":at +%dms %s", d.IntN(within), one.text)
		}
		s.Lines, s.Ops = append(s.Lines, one.text), append(s.Ops, one.ops...)
	}
	s.Lines = append(s.Lines, ":end")
	d.Steps = append(d.Steps, s)
}

// race lets several clients change the same register on the same condition at once: at
// most one can. Links of different lengths make their messages overtake each other.
func (d *drawing) race() {
	key := d.IntN(4) / 3
	for range d.IntN(3) {
		d.add(":latency %s %s %s", d.node(), d.node(), pick(d, "1ms", "3ms", "5ms±4ms"))
	}
	had := int64(d.IntN(3))
	if d.IntN(2) == 0 {
		had = absent
	}
	// Before, the register is made to be what the condition asks for.
	o := Op{Kind: Compare, Key: key, CL: "QUORUM", If: present, Value: absent}
	d.speak(one(o, "DELETE FROM ks.lwt WHERE k = %d IF EXISTS", key))
	if had != absent {
		d.speak(d.compare(key, absent, had))
	}
	var list []statement
	for range 2 + d.IntN(3) {
		list = append(list, d.compare(key, had, 3+int64(d.IntN(6))))
	}
	d.block(list, 6)
}

// behind makes a replica miss writes and then answer, before a hint has come.
func (d *drawing) behind() {
	n := pick(d, d.members...).name
	if d.down[n] || len(d.downs()) >= len(d.members)-1 {
		return
	}
	key, quorum := d.IntN(keys), pick(d, "QUORUM", "QUORUM", "LOCAL_QUORUM", "ALL")
	for range 1 + d.IntN(3) {
		d.speakAt(n, pick(d, "ALL", "QUORUM"), d.insert(Op{Key: key}))
	}
	d.add(":down %s undetected", n)
	d.down[n] = true
	for range 1 + d.IntN(2) {
		if s := d.write(); d.IntN(3) > 0 {
			d.speakAt(d.other(n), "QUORUM", d.delete(Op{Key: key}))
		} else {
			d.speakAt(d.other(n), "QUORUM", s)
		}
	}
	if d.IntN(3) == 0 {
		d.add(":flush")
		d.add(":compact")
	}
	d.add(":up %s undetected", n)
	d.down[n] = false
	for range 1 + d.IntN(3) {
		o := Op{Kind: Read, Key: key, Hi: rows - 1}
		s := d.choose(o)
		if d.IntN(3) == 0 {
			s = one(Op{Kind: ReadAll, Hi: rows - 1}, "SELECT k, c, v FROM ks.data")
		}
		d.speakAt(pick(d, n, n, d.other(n)), quorum, s)
	}
}

// other is a node that is up and not this one, if there is one.
func (d *drawing) other(n string) string {
	for range 8 {
		if m := d.node(); m != n && !d.down[m] {
			return m
		}
	}
	return n
}
