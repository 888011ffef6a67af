package simulation

import (
	"fmt"
	"hash/fnv"
	"slices"
	"sort"
	"strings"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/render"
)

// player is one lab that plays a script, with what its checkers remember.
type player struct {
	script  *Script
	lab     *engine.Lab
	lines   []string
	look    int // where the last look at the replicas begins in lines, 0 for none
	looking bool
	undo    map[string]string // what ends the faults that are on
	moved   bool              // the ring changed in this epoch
	begun   int64             // when the epoch began
	step    int
	sums    []uint64 // of all that was answered and that happened, by step
	keep    func(step int, text string)

	data     history
	lwt      registers
	hits     [keys]tally
	awaited  map[string]int64 // nodes that all know to be down, and since when
	overdue  map[string]int   // hints for those that are down for longer than the window, by holder and target
	pausedTo map[string]int64
}

// fail ends a play.
func (p *player) fail(checker, format string, args ...any) {
	panic(&Finding{Checker: checker, Text: fmt.Sprintf(format, args...), Lines: p.lines})
}

// Options of a play.
type Options struct {
	Prepare func(*engine.Lab)           // called before anything happens
	Keep    func(step int, text string) // gets every record
}

// Play plays a script until a checker finds something, which it returns, else to the
// end. The sums are one a step, of every byte that was answered and of all events.
func Play(s *Script, o Options) (sums []uint64, found *Finding) {
	lab, err := engine.New(engine.Options{Ring: s.Ring})
	if err != nil {
		return nil, &Finding{Checker: "ring", Text: err.Error()}
	}
	lab.Events()
	if o.Prepare != nil {
		o.Prepare(lab)
	}
	p := &player{script: s, lab: lab, keep: o.Keep, undo: map[string]string{}, awaited: map[string]int64{}, overdue: map[string]int{}, pausedTo: map[string]int64{}}
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
		p.sums = append(p.sums, 0)
		if s.Steps[i].Epoch {
			p.settle()
			continue
		}
		p.play(&s.Steps[i])
	}
	p.lwt.check(p)
	return p.sums, nil
}

// play does a step and has the checkers look at it.
func (p *player) play(s *Step) {
	var out []*answer.Answer
	for _, l := range s.Lines {
		p.note(l)
		if a := p.do(l); l == ":end" {
			out = a[:len(a)-1]
		} else if len(a) > 0 {
			out = a[len(a)-1:]
		}
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
	for _, a := range asked {
		p.judge(a)
	}
}

// groups are the operations of each statement.
func groups(ops []Op) (out [][]Op) {
	for len(ops) > 0 {
		n := max(1, ops[0].Batch)
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
	return out
}

// refused says that nothing was sent.
func (a asked) refused() bool {
	return a.Error != nil && (a.Error.Name == "NoHostAvailable" || a.Error.Name == "Unavailable" && (a.Kind != Compare || a.Error.Consistency == "SERIAL") && a.Batch == 0)
}

func (p *player) remember(a asked) {
	switch {
	case a.refused():
	case a.Kind == Insert || a.Kind == Delete:
		p.data.writes = append(p.data.writes, write{Op: a.Op, start: a.start, end: a.end, acked: a.Error == nil, dc: a.dc, coordinator: a.Coordinator, owed: a.Error == nil && !p.late()})
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
		p.data.judge(p, a)
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
	h := fnv.New64a()
	h.Write(fmt.Append(nil, p.sums[p.step]))
	tell := func(b string) {
		h.Write([]byte(b))
		if p.keep != nil {
			p.keep(p.step, b)
		}
	}
	for _, a := range out {
		tell(string(render.JSON(a, true, false)))
		for _, e := range a.Events {
			tell(e + "\n")
		}
		if a.Error != nil {
			p.checkError(a)
		}
		if a.AtMicros < before || a.Latency < 0 || a.AtMicros+a.Latency > p.lab.Now() {
			p.fail("time", "%s ran from %d for %d, between %d and %d", a.Statement, a.AtMicros, a.Latency, before, p.lab.Now())
		}
	}
	p.sums[p.step] = h.Sum64()
	return out
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
	case ":bootstrap", ":decommission", ":move", ":cleanup":
		p.moved = true
	case ":down", ":reboot":
		p.data.lose(w[1], now)
		if w[0] == ":down" && len(w) == 2 {
			p.awaited[w[1]] = now
		} else {
			clear(p.awaited)
			clear(p.overdue)
		}
	case ":up":
		clear(p.awaited)
		clear(p.overdue)
	}
}

// ends are the lines that end the faults that are on, in order.
func (p *player) ends() []string {
	out := []string{":as", ":heal"}
	for _, n := range p.lab.Core().Cluster.Members() {
		if n.Down {
			out = append(out, ":up "+n.Name)
		}
	}
	var rest []string
	for what, calm := range p.undo {
		w := strings.Fields(what)
		if !slices.ContainsFunc(w[1:], func(n string) bool { _, ok := p.lab.Core().Cluster.Find(n); return !ok }) {
			rest = append(rest, what+" "+calm)
		}
	}
	sort.Strings(rest)
	clear(p.undo)
	return append(out, rest...)
}
