package simulation

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// drawing makes a script; it depends on the seed alone.
type drawing struct {
	*rand.Rand
	*Script
	nodes, dcs int
	at         int64 // last timestamp of a write
	down       map[int]bool
	fresh      bool // the next write is the first of its epoch
	joined     int
	spent      int // minutes of the epoch
	clients    int
	long       bool // an epoch that outlasts the hint window
}

const (
	keys = 3 // of each table
	rows = 6 // of a partition, named 0 to rows-1
)

// New draws the script of a seed.
func New(seed uint64) *Script {
	d := &drawing{Rand: rand.New(rand.NewPCG(seed, 1)), Script: &Script{Seed: seed, RF: map[string]int{}}, down: map[int]bool{}}
	d.dcs = 1 + d.IntN(4)/3
	d.nodes = 3 + d.IntN(4)
	if d.dcs == 2 {
		d.nodes = max(d.nodes, 4)
	}
	d.Simple = d.dcs == 1 && d.IntN(2) == 0
	var replication string
	var first int
	switch {
	case d.dcs == 2:
		first = d.nodes - d.nodes/2
		d.RF["dc1"], d.RF["dc2"] = 1+d.IntN(min(3, first)), 1+d.IntN(d.nodes/2)
		replication = fmt.Sprintf("'class': 'NetworkTopologyStrategy', 'dc1': %d, 'dc2': %d", d.RF["dc1"], d.RF["dc2"])
		d.Ring = fmt.Sprintf("dc1=%d dc2=%d ", first, d.nodes/2)
	default:
		d.RF["dc1"] = []int{1, 2, 3, 3, 3}[d.IntN(5)]
		replication = fmt.Sprintf("'class': 'NetworkTopologyStrategy', 'dc1': %d", d.RF["dc1"])
		if d.Simple {
			replication = fmt.Sprintf("'class': 'SimpleStrategy', 'replication_factor': %d", d.RF["dc1"])
		}
		d.Ring = fmt.Sprintf("dc1=%d ", d.nodes)
	}
	d.Ring += fmt.Sprintf("racks=%d vnodes=%d seed=%d", 1+d.IntN(3), pick(d, 1, 1, 4), seed)
	d.Moves = d.IntN(2) == 0
	d.schema(replication)
	for range 1 + d.IntN(2) {
		d.long = d.Grace > 24*3600 && d.IntN(3) == 0
		for range 25 + d.IntN(30) {
			d.step()
		}
		d.Steps = append(d.Steps, Step{Epoch: true})
		d.down, d.spent, d.fresh = map[int]bool{}, 0, true // what an epoch deleted is forgotten
	}
	return d.Script
}

func pick[T any](d *drawing, list ...T) T { return list[d.IntN(len(list))] }

func (d *drawing) add(format string, args ...any) {
	d.Steps = append(d.Steps, Step{Lines: []string{fmt.Sprintf(format, args...)}})
}

func (d *drawing) schema(replication string) {
	d.add("CREATE KEYSPACE ks WITH replication = {%s}", replication)
	d.Down, d.Repairs = d.IntN(2) == 0, d.IntN(5) > 0
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
	d.add("CREATE TABLE ks.lwt (k int PRIMARY KEY, v bigint) WITH %s", options())
	d.add("CREATE TABLE ks.hits (k int PRIMARY KEY, n counter) WITH %s", options())
}

// step adds something to the script.
func (d *drawing) step() {
	switch n := d.IntN(100); {
	case n < 45:
		d.speak(d.data())
	case n < 55:
		d.speak(d.lwt())
	case n < 60:
		d.speak(d.count())
	case n < 70:
		d.together()
	case n < 88 || n < 91 && !d.Moves:
		d.fault()
	case n < 96:
		d.change()
	default:
		d.add("%s", pick(d, ":flush", ":flush "+d.node(), ":compact", ":compact ks.data", ":compact "+d.node()))
	}
}

func (d *drawing) node() string { return fmt.Sprintf("n%d", 1+d.IntN(d.nodes)) }

func (d *drawing) level() string {
	return pick(d, "ONE", "TWO", "THREE", "QUORUM", "QUORUM", "QUORUM", "QUORUM", "ALL", "LOCAL_ONE", "LOCAL_QUORUM", "LOCAL_QUORUM", "EACH_QUORUM")
}

// client is the lines that make a client speak: one who is new, so that several
// of one block are several.
func (d *drawing) client(cl string) []string {
	d.clients = (d.clients + 1) % 8
	place := ""
	switch d.IntN(4) {
	case 0:
		place = fmt.Sprintf("dc=dc%d ", 1+d.IntN(d.dcs))
	case 1, 2:
		place = "node=" + d.node() + " "
	}
	return []string{fmt.Sprintf(":client c%d %scl=%s", d.clients, place, cl), fmt.Sprintf(":as c%d", d.clients)}
}

// statement is a statement and what it means.
type statement struct {
	text string
	ops  []Op
}

// speak adds a statement by a client.
func (d *drawing) speak(s statement) {
	d.Steps = append(d.Steps, Step{Lines: append(d.client(s.ops[0].CL), s.text), Ops: s.ops})
}

// together adds statements that are in flight at once.
func (d *drawing) together() {
	if d.IntN(2) == 0 {
		d.add(":loss %s %s 1/2", d.node(), d.node())
	}
	s := Step{Lines: []string{":together"}}
	of := []func() statement{d.lwt, d.lwt, d.lwt, d.data, d.count}[d.IntN(5)]
	for range 2 + d.IntN(4) {
		one := of()
		s.Lines = append(s.Lines, d.client(one.ops[0].CL)...)
		if d.IntN(2) == 0 {
			one.text = fmt.Sprintf(":at +%dms %s", d.IntN(30), one.text)
		}
		s.Lines, s.Ops = append(s.Lines, one.text), append(s.Ops, one.ops...)
	}
	s.Lines = append(s.Lines, ":end")
	d.Steps = append(d.Steps, s)
}

// data is a statement on the table of rows, whose timestamps are its own.
func (d *drawing) data() statement {
	o := Op{Key: d.IntN(keys), CL: d.level()}
	switch n := d.IntN(20); {
	case n < 6:
		return d.insert(o)
	case n < 10:
		return d.delete(o)
	case n < 11:
		var s statement
		begin := pick(d, "BEGIN BATCH ", "BEGIN UNLOGGED BATCH ")
		for range 2 + d.IntN(2) {
			o.Key = d.IntN(keys)
			one := d.insert(o)
			if d.IntN(3) == 0 {
				one = d.delete(o)
			}
			s.text += one.text + "; "
			s.ops = append(s.ops, one.ops...)
		}
		for i := range s.ops {
			s.ops[i].Batch = len(s.ops)
			s.ops[i].CL = o.CL
		}
		s.text = begin + s.text + "APPLY BATCH"
		return s
	case n < 13:
		o.Kind, o.Lo, o.Hi = ReadAll, 0, rows-1
		text := "SELECT k, c, v FROM ks.data"
		if d.IntN(2) == 0 {
			o.Limit = 1 + d.IntN(5)
			text += fmt.Sprintf(" LIMIT %d", o.Limit)
		}
		return statement{text, []Op{o}}
	}
	o.Kind, o.Lo, o.Hi = Read, 0, rows-1
	text := fmt.Sprintf("SELECT k, c, v FROM ks.data WHERE k = %d", o.Key)
	switch d.IntN(4) {
	case 0:
		o.Lo = d.IntN(rows)
		o.Hi = o.Lo
		text += fmt.Sprintf(" AND c = %d", o.Lo)
	case 1:
		o.Lo, o.Hi = d.span()
		text += fmt.Sprintf(" AND c >= %d AND c <= %d", o.Lo, o.Hi)
	}
	if o.Lo != o.Hi && d.IntN(3) == 0 {
		o.Back = true
		order := "DESC"
		if d.Down {
			order = "ASC"
		}
		text += " ORDER BY c " + order
	}
	if d.IntN(3) == 0 {
		o.Limit = 1 + d.IntN(3)
		text += fmt.Sprintf(" LIMIT %d", o.Limit)
	}
	return statement{text, []Op{o}}
}

// span is a range of rows.
func (d *drawing) span() (lo, hi int) {
	lo = d.IntN(rows)
	return lo, min(rows-1, lo+d.IntN(4))
}

// moment is the timestamp of a write: mostly a new one, at times the last one again,
// so that ties have to be broken.
func (d *drawing) moment() int64 {
	if d.at == 0 || d.IntN(6) > 0 || d.fresh {
		d.at++
		d.fresh = false
	}
	return d.at
}

func (d *drawing) anyway(o Op) Op {
	if d.IntN(15) == 0 {
		o.CL = "ANY"
	}
	return o
}

func (d *drawing) insert(o Op) statement {
	o = d.anyway(o)
	o.Kind, o.Lo, o.At, o.Value = Insert, d.IntN(rows), d.moment(), int64(d.IntN(1000))
	o.Hi = o.Lo
	return statement{fmt.Sprintf("INSERT INTO ks.data (k, c, v) VALUES (%d, %d, %d) USING TIMESTAMP %d", o.Key, o.Lo, o.Value, o.At), []Op{o}}
}

func (d *drawing) delete(o Op) statement {
	o = d.anyway(o)
	o.Kind, o.At, o.Lo, o.Hi = Delete, d.moment(), 0, rows-1
	text := fmt.Sprintf("DELETE FROM ks.data USING TIMESTAMP %d WHERE k = %d", o.At, o.Key)
	switch d.IntN(5) {
	case 0:
	case 1, 2:
		o.Lo = d.IntN(rows)
		o.Hi = o.Lo
		text += fmt.Sprintf(" AND c = %d", o.Lo)
	default:
		o.Lo, o.Hi = d.span()
		text += fmt.Sprintf(" AND c >= %d AND c < %d", o.Lo, o.Hi+1)
	}
	return statement{text, []Op{o}}
}

// lwt is a conditional write or a SERIAL read of a register.
func (d *drawing) lwt() statement {
	o := Op{Key: d.IntN(4) / 3, CL: pick(d, "QUORUM", "QUORUM", "QUORUM", "ALL", "ONE")}
	if d.Moves {
		o.CL = "QUORUM"
	}
	switch d.IntN(5) {
	case 0:
		o.Kind, o.CL = ReadSerial, "SERIAL"
		return statement{fmt.Sprintf("SELECT v FROM ks.lwt WHERE k = %d", o.Key), []Op{o}}
	case 1:
		o.Kind, o.If, o.Value = Compare, absent, int64(d.IntN(3))
		return statement{fmt.Sprintf("INSERT INTO ks.lwt (k, v) VALUES (%d, %d) IF NOT EXISTS", o.Key, o.Value), []Op{o}}
	case 2:
		o.Kind, o.If, o.Value = Compare, int64(d.IntN(3)), absent
		return statement{fmt.Sprintf("DELETE FROM ks.lwt WHERE k = %d IF v = %d", o.Key, o.If), []Op{o}}
	}
	o.Kind, o.If, o.Value = Compare, int64(d.IntN(3)), int64(d.IntN(3))
	return statement{fmt.Sprintf("UPDATE ks.lwt SET v = %d WHERE k = %d IF v = %d", o.Value, o.Key, o.If), []Op{o}}
}

// count is an update or a read of a counter.
func (d *drawing) count() statement {
	o := Op{Key: d.IntN(2), CL: d.level(), Kind: ReadCount}
	if d.IntN(3) == 0 {
		return statement{fmt.Sprintf("SELECT n FROM ks.hits WHERE k = %d", o.Key), []Op{o}}
	}
	o.Kind, o.Value = Add, 1+int64(d.IntN(9))
	return statement{fmt.Sprintf("UPDATE ks.hits SET n = n + %d WHERE k = %d", o.Value, o.Key), []Op{o}}
}
