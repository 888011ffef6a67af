package tui

import (
	"strconv"
	"strings"
	"time"

	"ringlab/engine/answer"
	"ringlab/engine/view"
	"ringlab/scenarios"
)

// fakeLab plays a lab: it answers from a table and changes little.
type fakeLab struct {
	v        view.View
	wake     chan struct{}
	need     view.Need
	did      []string
	ui       []byte
	ticked   time.Duration
	canceled int
	hold     bool // leave channels open until released
	held     []chan answer.Answer
}

func newFake(v *view.View) *fakeLab { return &fakeLab{v: *v, wake: make(chan struct{}, 1)} }

func (f *fakeLab) Do(text string) <-chan answer.Answer {
	f.did = append(f.did, text)
	ch := make(chan answer.Answer, 4096)
	if f.hold {
		f.held = append(f.held, ch)
		return ch
	}
	for _, s := range splitFake(text) {
		ch <- f.answer(s)
	}
	close(ch)
	return ch
}

func splitFake(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		for part := range strings.SplitSeq(line, ";") {
			if s := strings.TrimSpace(part); s != "" {
				out = append(out, s)
			}
		}
	}
	if len(out) > 4000 {
		out = out[:4000]
	}
	return out
}

func (f *fakeLab) answer(s string) answer.Answer {
	a := answer.Answer{Statement: s}
	upper := strings.ToUpper(s)
	switch {
	case strings.HasPrefix(upper, "CONSISTENCY"):
		a.Message = "Consistency level set to " + strings.TrimSpace(upper[11:]) + "."
	case strings.HasPrefix(upper, "SELECT") && strings.Contains(upper, "V > 90"):
		a.Op = 432
		a.Error = &answer.Error{Code: "0x2200", Name: "InvalidRequest", Message: "Cannot execute this query as it might involve data filtering and thus may have unpredictable performance. If you want to execute this query despite the performance unpredictability, use ALLOW FILTERING"}
		a.Fix = []answer.Fix{{Text: s + " ALLOW FILTERING;", Why: "reads 168 partitions on all nodes"}, {Text: "CREATE INDEX ON readings (v);", Why: "every write then pays for the index"}}
	case strings.HasPrefix(upper, "SELECT"):
		a.Op, a.Stale, a.Verdict = 431, true, "2 rows, 1 stale: n4 answered; n3 n5 hold 99.9"
		a.Columns = []answer.Column{{Name: "ts", Type: "timestamp"}, {Name: "v", Type: "double"}}
		if strings.HasPrefix(s, "SELECT sensor_id") {
			a.Columns = []answer.Column{{Name: "sensor_id", Type: "text", Kind: "partition_key"}, {Name: "ts", Type: "timestamp", Kind: "clustering"}}
		}
		a.Rows = [][]answer.Cell{{{Text: "2026-11-21 04:30:12.000000+0000"}, {Text: "21.4"}}, {{Text: "2026-11-21 04:30:02.000000+0000"}, {Null: true}}}
	case strings.HasPrefix(upper, "INSERT"):
		a.Op, a.Verdict = 412, "applied  2 of 3 acks (n3 1.21 ms, n5 1.94 ms)"
	case upper == "EXIT":
		a.Exit = true
	case strings.HasPrefix(s, ":speed"):
		f.v.Speed = strings.TrimSpace(s[6:])
		f.v.Running = f.v.Speed != "pause"
		a.Message = "speed " + f.v.Speed
	case strings.HasPrefix(s, ":down"), strings.HasPrefix(s, ":up"):
		name := strings.TrimSpace(s[strings.IndexByte(s, ' '):])
		f.v.Nodes = append([]view.Node(nil), f.v.Nodes...)
		for i := range f.v.Nodes {
			if f.v.Nodes[i].Name == name {
				f.v.Nodes[i].Up = strings.HasPrefix(s, ":up")
			}
		}
		a.Message = s[1:] + ": every reachable node knows after 1.2 s"
	case strings.HasPrefix(s, ":rewind ") && f.v.Branch != "":
		n, _ := strconv.Atoi(s[8:])
		*f = fakeLab{v: f.v, wake: f.wake, need: f.need, did: f.did, ui: f.ui}
		f.v.Undone += f.v.Commands - n
		f.v.Commands, f.v.Undo, f.v.Redo = n, "", ""
		if n > 0 {
			f.v.Undo = travelled[n-1]
		}
		if f.v.Undone > 0 {
			f.v.Redo = travelled[n]
		}
		f.v.Now = int64(n) * 1_234_567
		a.Message = "Behind command " + s[8:] + "."
	case s == ":undo":
		a.Error = &answer.Error{Message: "undo is not there yet"}
	case strings.HasPrefix(s, ":cell "):
		a.Columns, a.Rows = cellMoment()
	case strings.HasPrefix(s, ":expect rows 3"):
		a.Error = &answer.Error{Message: "expected 3 rows, got 2"}
	default:
		a.Message = "ok"
	}
	f.publish()
	return a
}

func (f *fakeLab) publish() {
	f.v.Rev++
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

func (f *fakeLab) Show(n view.Need) {
	f.need = n
	f.v.Sheet = momentSheet(n.Sheet)
	if n.Key == "" {
		f.v.Selection = nil
	} else if f.v.Selection == nil || f.v.Selection.Key != n.Key {
		s := *moment().Selection
		s.Key = n.Key
		f.v.Selection = &s
	}
	f.v.Events = nil
	if n.Events {
		f.v.Events = &view.Events{Seen: 41208, Filter: n.EventFilter}
		for i, r := range []view.Event{{Node: "n1", Kind: "statement", Op: 412, Detail: "#412 QUORUM INSERT INTO readings"}, {Node: "n1", Kind: "send", Op: 412, Detail: "mutation to n3 (74 B)"},
			{Node: "n1", Kind: "hint-stored", Op: 412, Detail: "sensor.readings for n4"}, {Node: "n3", Kind: "write", Op: 412, Detail: "sensor.readings (74 B)"}, {Node: "n3", Kind: "flush", Detail: "sensor.readings -> sstable 23 (16384 B)"}} {
			if strings.Contains(r.Kind, strings.TrimPrefix(n.EventFilter, "kind=")) {
				r.At = 134_000_000 + int64(i)*310
				f.v.Events.Rows = append(f.v.Events.Rows, r)
			}
		}
		if n.EventFilter == "node=n9" {
			f.v.Events.Err = `there is no node "n9"`
		}
	}
	f.publish()
}

func (f *fakeLab) View() *view.View      { v := f.v; return &v }
func (f *fakeLab) Wake() <-chan struct{} { return f.wake }
func (f *fakeLab) Tick(d time.Duration)  { f.ticked += d; f.v.Now += d.Microseconds(); f.publish() }
func (f *fakeLab) Hurry()                {}
func (f *fakeLab) Cancel()               { f.canceled++ }
func (f *fakeLab) History() []string {
	return []string{"SELECT * FROM readings;", ":down n3", "CONSISTENCY ONE"}
}
func (f *fakeLab) LoadUI() []byte  { return f.ui }
func (f *fakeLab) SaveUI(b []byte) { f.ui = b }
func (f *fakeLab) Commands() []CommandInfo {
	return []CommandInfo{{":down", ":down NODE", "take a node down", "nodes"}, {":up", ":up NODE", "bring it back", "nodes"}, {":status", ":status", "nodetool's table", "ring"}}
}

func (f *fakeLab) Complete(text string, cursor int) (int, []Completion) {
	from := cursor
	for from > 0 && wordByte(text[from-1]) {
		from--
	}
	var out []Completion
	for _, c := range []Completion{{"SELECT", "keyword", ""}, {"SET", "keyword", ""}, {"readings", "table", "168 partitions"}, {"Readings_CF", "table", "thrift"}} {
		if from < cursor && strings.HasPrefix(strings.ToLower(c.Text), strings.ToLower(text[from:cursor])) {
			out = append(out, c)
		}
	}
	return from, out
}

// travelled is a branch whose commands went well and badly.
var travelled = []string{
	"CREATE KEYSPACE sensor WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}", "CREATE TABLE readings (sensor_id text, day text, ts timestamp, v double, PRIMARY KEY ((sensor_id, day), ts))",
	"INSERT INTO readings (sensor_id, day, ts, v) VALUES ('a-17', '2026-11-21', 1, 21.4)", ":down n4", "CONSISTENCY QUORUM", "INSERT INTO readings (sensor_id, day, ts, v) VALUES ('a-17', '2026-11-21', 1, 99.9)",
	"CONSISTENCY ALL", "SELECT v FROM readings WHERE sensor_id = 'a-17' AND day = '2026-11-21'", ":up n4", "CONSISTENCY ONE", "SELECT v FROM readings WHERE sensor_id = 'a-17' AND day = '2026-11-21'",
	"SELECT * FROM readingz", ":cut n1,n2 | n3,n4,n5,n6", "CONSISTENCY QUORUM", "UPDATE readings SET v = 3 WHERE sensor_id = 'a-17' AND day = '2026-11-21' AND ts = 1", ":heal",
	"SELECT v FROM readings WHERE sensor_id = 'a-17' AND day = '2026-11-21'"}

// withTimeline is the lab with that branch, all of it done.
func withTimeline(f *fakeLab) *fakeLab {
	f.v.Branch, f.v.Branches, f.v.Commands, f.v.Undo = "quorum", []string{"main", "quorum"}, len(travelled), travelled[len(travelled)-1]
	t := &view.Timeline{Marks: []byte("+++!+++u.+sx!+t.+"), Steps: []view.Step{{Text: "the empty lab", Mark: '.'}}}
	for i, text := range travelled {
		t.Steps = append(t.Steps, view.Step{Text: text, Clock: int64(i) * 1_234_567, Mark: t.Marks[i]})
	}
	f.v.Timeline = t
	return f
}

const lessonText = `# Time series
> level: basic · minutes: 12 · from: F4

Why QUORUM survives one dead replica, and why ONE can return old data.

## Create readings, RF 3
A partition is one sensor and one day.

` + "```cql\nCREATE TABLE readings (sensor_id text, day text, ts timestamp, v double, PRIMARY KEY ((sensor_id, day), ts));\n```" + `

## Kill n4, then write v=99.9 at QUORUM
**Two of three** replicas answer, so ` + "`QUORUM`" + ` holds:

- n3 and n5 acknowledge
- n4 gets a *hint*, kept by the coordinator

` + "```lab\n:down n4\nCONSISTENCY QUORUM\nINSERT INTO readings (sensor_id, day, ts, v) VALUES ('a-17','2026-11-21','2026-11-21 04:30:12+0000',99.9);\n:expect rows 2\n```\n\n```quiz\nWhich values can ONE return now?\n\n1. always 99.9\n2. 21.4 or 99.9\n\nanswer: 2, because 2 + 1 is not more than 3.\n```" + `

## Read at QUORUM
Watch the read repair.

` + "```clue\nTwo replicas are compared.\n```\n\n```clue\nThe newer value is sent to the **stale** one.\n```" + `

` + "```cql\nSELECT * FROM readings;\n:expect rows 3\n```\n"

func lesson() *scenarios.Scenario {
	s, err := scenarios.Parse("time-series", lessonText)
	if err != nil {
		panic(err)
	}
	return s
}

// cellMoment is what :cell answers of a cell that was written, flushed and deleted.
func cellMoment() ([]answer.Column, [][]answer.Cell) {
	heads := strings.Fields("node replica unit what type element value hex writetime ttl expires deleted purgeable bytes state")
	cols := make([]answer.Column, len(heads))
	for i, h := range heads {
		cols[i] = answer.Column{Name: h, Type: "text"}
	}
	var rows [][]answer.Cell
	for _, line := range []string{
		"n3|1|memtable|row deletion|text||||1767225619114528|||2026-01-01 00:00:19|2026-01-11 00:00:19||deletes",
		"n3|1|sstable 4|cell|text||'it''s a sensor in the long corridor'|0x69742773206120736e73006f72|1767225600007500|3600|2026-01-01 01:00:00||2026-01-11 00:00:00|19|older",
		"n4|2|memtable|cell|text||'21.4'|0x32312e34|1767225619214528|||||9|newest",
		"n5|3||nothing|text||||||||||missing",
	} {
		row := make([]answer.Cell, len(heads))
		for i, text := range strings.Split(line, "|") {
			row[i] = answer.Cell{Text: text}
		}
		rows = append(rows, row)
	}
	return cols, rows
}
