package simulation

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"sort"
	"strings"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/render"
)

// player is one lab that plays a script, with what its checkers remember.
type player struct {
	script   *Script
	lab      *engine.Lab
	lines    []string
	look     int // where the last look at the replicas begins in lines, 0 for none
	looking  bool
	undo     map[string]string // what ends the faults that are on
	moved    bool              // the ring changed in this epoch
	parted   bool              // an incremental repair ran: files are repaired or not
	unhinted bool              // no hints were kept for a time in this epoch
	begun    int64             // when the epoch began
	step     int
	sums     Sums
	quiet    bool
	keep     func(step int, text string)

	data     history
	maps     history
	rf       map[string]int
	lwt      registers
	hits     [keys]tally
	awaited  map[string]int64 // nodes that all know to be down, and since when
	overdue  map[string]int   // hints for those that are down for longer than the window, by holder and target
	pausedTo map[string]int64
	broken   damage
}

// fail ends a play.
func (p *player) fail(checker, format string, args ...any) {
	panic(&Finding{Checker: checker, Text: fmt.Sprintf(format, args...), Lines: p.lines})
}

// Options of a play.
type Options struct {
	Prepare func(*engine.Lab)           // called before anything happens
	Keep    func(step int, text string) // gets every record
	Quiet   bool                        // nobody listens to events
}

// Sums are of the bytes of every answer, and of those and all events, by step. The
// second is nil if nobody listened.
type Sums struct{ Answers, All []uint64 }

// Differ is the first step in which two plays that were both listened to, or not, are
// not the same, or -1.
func (s Sums) Differ(o Sums) int {
	at := -1
	for _, pair := range [][2][]uint64{{s.All, o.All}, {s.Answers, o.Answers}} {
		for i := range max(len(pair[0]), len(pair[1])) {
			if i >= len(pair[0]) || i >= len(pair[1]) || pair[0][i] != pair[1][i] {
				if at < 0 || i < at {
					at = i
				}
				break
			}
		}
	}
	return at
}

// Play plays a script until a checker finds something, which it returns, else to the
// end.
func Play(s *Script, o Options) (sums Sums, found *Finding) {
	lab, err := engine.New(engine.Options{Ring: s.Ring})
	if err != nil {
		return Sums{}, &Finding{Checker: "ring", Text: err.Error()}
	}
	if !o.Quiet {
		lab.Events()
	}
	if o.Prepare != nil {
		o.Prepare(lab)
	}
	p := &player{broken: newDamage(), script: s, lab: lab, keep: o.Keep, quiet: o.Quiet, undo: map[string]string{}, awaited: map[string]int64{}, overdue: map[string]int{}, pausedTo: map[string]int64{}, rf: s.RF, begun: lab.Now()}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(*Finding)
			if !ok {
				f = &Finding{Checker: "panic", Text: fmt.Sprint(r), Lines: p.lines}
			}
			sums, found = p.sums, f
		}
	}()
	for i := range s.Steps {
		p.step = i
		p.sums.Answers = append(p.sums.Answers, 0)
		if !p.quiet {
			p.sums.All = append(p.sums.All, 0)
		}
		if s.Steps[i].Epoch {
			p.settle()
		}
		p.play(&s.Steps[i])
	}
	if !s.Rough {
		p.lwt.check(p)
	}
	return p.sums, nil
}

// play does a step and has the checkers look at it.
func (p *player) play(s *Step) {
	var out []*answer.Answer
	var block []string // the statements of an open :together
	open, before := false, p.lab.Now()
	for _, l := range s.Lines {
		p.note(l)
		a := p.do(l)
		switch {
		case l == ":together":
			open = true
		case l == ":end":
			out, open = append(out, a[:len(a)-1]...), false
			for i, text := range block {
				if i >= len(out) || out[i].Statement != text {
					p.fail("order of answers", "answer %d of the block is not of %s", i+1, text)
				}
			}
		case open && len(a) > 0 && !isCommand(l):
			p.fail("order of answers", "%s was answered before the end of its block", l)
		case open:
			if !isCommand(l) {
				block = append(block, untimed(l))
			}
		case !isCommand(l):
			out = append(out, a[len(a)-1])
		}
	}
	if s.RF != nil {
		p.rf = s.RF
	}
	p.checkHintWindow()
	var asked []asked
	for i, ops := range groups(s.Ops) {
		if i >= len(out) {
			p.fail("answers", "%d answers to %d statements", len(out), i+1)
		}
		for _, o := range ops {
			asked = append(asked, p.understand(o, out[i]))
		}
	}
	// What was written at the same time may be seen.
	for _, a := range asked {
		p.remember(a)
	}
	p.checkStopped(before)
	for _, a := range asked {
		p.judge(a)
	}
}

// isCommand says whether a line is none of the statements that operations stand for.
func isCommand(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	return line[0] == ':' && word != ":at" || word == "CREATE" || word == "ALTER" || word == "PAGING" || word == "nodetool"
}

// untimed is a statement without the time at which it begins.
func untimed(line string) string {
	if rest, ok := strings.CutPrefix(line, ":at "); ok {
		_, line, _ = strings.Cut(rest, " ")
	}
	return line
}

// groups are the operations of each statement.
func groups(ops []Op) (out [][]Op) {
	for len(ops) > 0 {
		n := max(1, ops[0].Of)
		out, ops = append(out, ops[:n]), ops[n:]
	}
	return out
}

// asked is an operation and its outcome.
type asked struct {
	Op
	*answer.Answer
	start, end int64
	dc         string // of the coordinator
}

func (p *player) understand(o Op, a *answer.Answer) asked {
	out := asked{Op: o, Answer: a, start: a.AtMicros, end: a.AtMicros + a.Latency}
	if n, ok := p.lab.Core().Cluster.Find(a.Coordinator); ok {
		out.dc = n.DC
	}
	p.checkTime(out)
	if o.Map && a.Error == nil && (o.Kind == Read || o.Kind == ReadAll) {
		out.Answer = entries(a)
	}
	return out
}

// refused says that nothing was sent.
func (a asked) refused() bool {
	return a.Error != nil && (a.Error.Name == "NoHostAvailable" || a.Error.Name == "Unavailable" && (a.Kind != Compare || a.Error.Consistency == "SERIAL") && !a.Batch)
}

// table is the history of an operation's table.
func (p *player) table(o Op) *history {
	if o.Map {
		return &p.maps
	}
	return &p.data
}

func (p *player) remember(a asked) {
	switch {
	case a.refused():
	case a.Kind == Insert || a.Kind == Delete:
		h := p.table(a.Op)
		h.writes = append(h.writes, write{Op: a.Op, start: a.start, end: a.end, acked: a.Error == nil, dc: a.dc, coordinator: a.Coordinator, owed: a.Error == nil && !p.late() && !p.unhinted && !p.script.Rough})
	case a.Kind == Add:
		p.hits[a.Key].add(a)
	case a.Kind == Compare || a.Kind == ReadSerial:
		p.lwt.add(p, a)
	}
}

func (p *player) judge(a asked) {
	if a.Error != nil {
		return
	}
	switch a.Kind {
	case Read, ReadAll:
		p.table(a.Op).judge(p, a)
	case ReadCount:
		p.hits[a.Key].judge(p, a)
	}
}

// do runs one line and checks what holds for every answer.
func (p *player) do(text string) []*answer.Answer {
	if p.look > 0 && !p.looking {
		p.lines, p.look = p.lines[:p.look], 0 // it found nothing, and it changes nothing
	}
	p.lines = append(p.lines, text)
	before := p.lab.Now()
	out := p.lab.Do(text)
	answers, events := []byte(nil), []byte(nil)
	for _, a := range out {
		answers = append(answers, render.JSON(a, true, false)...)
		for _, e := range a.Events {
			events = append(append(events, e...), '\n')
		}
		if a.Error != nil {
			p.checkError(a)
		}
		if a.AtMicros < before || a.Latency < 0 || a.AtMicros+a.Latency > p.lab.Now() {
			p.fail("time", "%s ran from %d for %d, between %d and %d", a.Statement, a.AtMicros, a.Latency, before, p.lab.Now())
		}
	}
	if p.keep != nil {
		p.keep(p.step, string(answers)+string(events))
	}
	next(&p.sums.Answers[p.step], answers)
	if !p.quiet {
		next(&p.sums.All[p.step], answers, events)
	}
	return out
}

// next adds bytes to a sum.
func next(sum *uint64, of ...[]byte) {
	h := fnv.New64a()
	h.Write(binary.BigEndian.AppendUint64(nil, *sum))
	for _, b := range of {
		h.Write(b)
	}
	*sum = h.Sum64()
}

// must runs a line that has to succeed.
func (p *player) must(text string) *answer.Answer {
	out := p.do(text)
	a := out[len(out)-1]
	if a.Error != nil {
		p.fail("calm", "%s: %s", text, a.Error.Message)
	}
	return a
}

// note remembers how to end a fault, and what a checker has to know of it.
func (p *player) note(line string) {
	w := strings.Fields(line)
	switch now := p.lab.Now(); w[0] {
	case ":repair":
		p.parted = p.parted || w[len(w)-1] != "full"
	case ":skew":
		p.undo[w[0]+" "+w[1]] = "0s"
	case ":slow":
		p.undo[w[0]+" "+w[1]] = "1x"
	case ":loss":
		p.undo[w[0]+" "+w[1]+" "+w[2]] = "0"
	case ":latency":
		p.undo[w[0]+" "+w[1]+" "+w[2]] = "1ms"
	case ":pause":
		p.pausedTo[w[1]] = max(p.pausedTo[w[1]], now+map[string]int64{"200ms": 2e5, "3s": 3e6, "30s": 3e7}[w[2]])
	case ":bootstrap", ":decommission", ":move", ":cleanup", ":rebuild":
		p.moved = true
	case "ALTER":
		p.moved = p.moved || w[1] == "KEYSPACE"
	case ":removenode", ":replace":
		p.moved = true
		delete(p.awaited, w[1])
	case ":set":
		if w[1] == "disk_failure_policy" {
			p.broken.policy = w[2]
		} else if w[2] == "off" { // who waits for replicas still will not keep a hint either
			p.unhinted = true
			p.lose("", now)
		}
	case ":down", ":reboot":
		p.lose(w[1], now)
		if w[0] == ":down" && len(w) == 2 {
			p.awaited[w[1]] = now
		} else {
			clear(p.awaited)
			clear(p.overdue)
		}
	case ":up":
		p.lose(w[1], now) // where nothing went into the commit log any more it is a restart
		clear(p.awaited)
		clear(p.overdue)
	case ":disk", ":corrupt", ":scrub":
		p.noteDisk(w)
	}
}

// lose forgives the hints of a coordinator that stops, or of all.
func (p *player) lose(node string, now int64) {
	p.data.lose(node, now)
	p.maps.lose(node, now)
}

// ends are the lines that end the faults that are on, in order.
func (p *player) ends() []string {
	out := []string{":as", ":heal"}
	if p.unhinted { // perhaps they are on again
		out = append(out, ":set hinted_handoff on")
	}
	if p.broken.policy != cluster.PolicyStop { // until all files are whole
		out = append(out, ":set disk_failure_policy stop")
	}
	for _, n := range p.lab.Core().Cluster.Members() {
		out = append(out, mended(n)...)
		if n.Down || n.Quiet {
			out = append(out, ":up "+n.Name)
		}
	}
	var rest []string
	for what, calm := range p.undo {
		w := strings.Fields(what)
		if !slices.ContainsFunc(w[1:], func(n string) bool { m, ok := p.lab.Core().Cluster.Find(n); return !ok || !m.IsMember() }) {
			rest = append(rest, what+" "+calm)
		}
	}
	sort.Strings(rest)
	clear(p.undo)
	return append(out, rest...)
}
