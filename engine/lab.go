// Package engine is the façade of a lab: text goes in, answers come out. Given
// the same options and the same commands it gives the same bytes on every
// machine; goroutines, files and clocks belong to the packages around it.
package engine

import (
	"strconv"
	"strings"

	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/event"
	"ringlab/engine/render"
	"ringlab/engine/script"
	"ringlab/engine/session"
	"ringlab/engine/sim"
	"ringlab/model/cql"
)

// Behaviour is the version of what labs answer; a workspace remembers the one
// it was made with.
const Behaviour = 5

// DefaultEpoch is 2026-01-01T00:00:00Z, the beginning of time in headless runs.
const DefaultEpoch = 1767225600

// Options set up a lab. The zero value is the default ring.
type Options struct {
	Ring  string // as `:ring new` takes it; "" is the default ring
	Epoch int64  // Unix seconds at virtual time 0; 0 means DefaultEpoch
}

// Lab is one lab. It belongs to one goroutine.
type Lab struct {
	options Options
	began   string // the ring of then, spelled out
	ctx     *admin.Context
	kinds   [256]bool
	listen  bool
	told    *cluster.Cluster // the ring whose events are listened to
	lines   []string
}

// New starts a lab.
func New(o Options) (*Lab, error) {
	spec, err := session.ParseRing(strings.Fields(o.Ring))
	if err != nil {
		return nil, err
	}
	if o.Epoch == 0 {
		o.Epoch = DefaultEpoch
	}
	core, err := session.New(spec, o.Epoch)
	if err != nil {
		return nil, err
	}
	l := &Lab{options: o, began: core.Spec.String(), ctx: &admin.Context{Core: core, Speed: "pause"}}
	l.ctx.Do = l.run
	return l, nil
}

// Fresh starts a lab as this one was when it began, which is watched as this
// one is now: traces, raw values, events, records of operations.
func (l *Lab) Fresh() (*Lab, error) {
	f, err := New(l.options)
	if err != nil {
		return nil, err
	}
	f.ctx.ForceTrc, f.ctx.Raw, f.ctx.Outside = l.ctx.ForceTrc, l.ctx.Raw, l.ctx.Outside
	if l.ctx.Recorder != nil {
		f.Record()
	}
	f.listen, f.kinds = l.listen, l.kinds
	f.attach()
	return f, nil
}

// Ring is the lab's ring as `:ring new` takes it.
func (l *Lab) Ring() string { return l.ctx.Spec.String() }

// Began is the ring that the lab had when it began, as `:ring new` takes it.
func (l *Lab) Began() string { return l.began }

// Core is the lab's inside, for the pictures that people look at.
func (l *Lab) Core() *session.Core { return l.ctx.Core }

// Speed is how fast time flows by itself: pause, max or a factor like 1x.
func (l *Lab) Speed() string { return l.ctx.Speed }

// Outside connects what saves the journal.
func (l *Lab) Outside(o admin.Outside) { l.ctx.Outside = o }

// Trace makes every statement carry its trace.
func (l *Lab) Trace(on bool) { l.ctx.ForceTrc = on }

// Record keeps what the last operations did, for people.
func (l *Lab) Record() {
	if l.ctx.Recorder == nil {
		l.ctx.Recorder = session.NewRecorder(l.ctx.Core)
	}
}

// Events makes answers carry the lines of events of these kinds; none means all.
func (l *Lab) Events(kinds ...event.Kind) {
	l.listen = true
	for i := range l.kinds {
		l.kinds[i] = len(kinds) == 0
	}
	for _, k := range kinds {
		l.kinds[k] = true
	}
	l.attach()
}

// attach listens to the ring that the lab has now.
func (l *Lab) attach() {
	if !l.listen || l.told == l.ctx.Cluster {
		return
	}
	l.told = l.ctx.Cluster
	c := l.ctx.Cluster
	c.Listen(func(r *event.Record) {
		if l.kinds[r.Kind] {
			l.lines = append(l.lines, "+"+strconv.FormatInt(int64(r.At), 10)+" "+c.Name(r.Node)+" "+r.Line(c.Name))
		}
	})
}

// Now is the virtual time, µs since the epoch.
func (l *Lab) Now() int64 { return int64(l.ctx.Cluster.Now()) }

// Advance lets virtual time pass to that moment.
func (l *Lab) Advance(to int64) { l.ctx.Cluster.Advance(sim.Time(to)) }

// Client is the name of the client that speaks.
func (l *Lab) Client() string { return l.ctx.Current.Name }

// Expand says whether results are shown row by row.
func (l *Lab) Expand() bool { return l.ctx.Current.Expand }

// Raw makes answers carry the bytes of their values beside the text.
func (l *Lab) Raw(on bool) { l.ctx.Raw = on }

// Conceal is a command as it may be kept: with the hashes of passwords instead
// of them.
func (l *Lab) Conceal(text string) string { return admin.Conceal(l.ctx, text) }

// Prepare checks a statement without running it; nil with the refusal's answer
// if it is not legal.
func (l *Lab) Prepare(text string) (*session.Prepared, *answer.Answer) { return l.ctx.Prepare(text) }

// Execute runs a prepared statement with values.
func (l *Lab) Execute(p *session.Prepared, v session.Values) *answer.Answer {
	a := l.ctx.Execute(p, v)
	l.ctx.Last = a
	if l.listen {
		a.Events, l.lines = l.lines, nil
		l.attach()
	}
	return a
}

// Request runs what a driver asks for.
func (l *Lab) Request(r *session.Request) *session.Reply {
	out := l.ctx.Request(r)
	l.ctx.Last = out.Answer
	if l.listen {
		out.Events, l.lines = l.lines, nil
		l.attach()
	}
	return out
}

// Place says where the next command stands, for its answer.
func (l *Lab) Place(file string, line int) { l.ctx.File, l.ctx.Line = file, line }

// Placed is what Place said last.
func (l *Lab) Placed() (file string, line int) { return l.ctx.File, l.ctx.Line }

// Do runs one statement or command and gives its answers: one, but none for a
// statement inside of :together, and all of the block's with :end.
func (l *Lab) Do(text string) []*answer.Answer {
	at := l.Now()
	out := l.run(strings.TrimLeft(text, " \t\r\n"))
	text = strings.TrimSpace(text)
	for _, a := range out {
		if a.Statement == "" {
			a.Statement, a.AtMicros = text, at
			a.Latency = max(a.Latency, l.Now()-at)
		}
		l.ctx.Hear(a)
		if a.Line == 0 {
			a.File, a.Line = l.ctx.File, l.ctx.Line
		}
	}
	if n := len(out); n > 0 {
		if !isExpect(text) {
			l.ctx.Last = out[n-1]
			if n > 1 { // of a block, its last statement counts, not :end itself
				l.ctx.Last = out[n-2]
			}
		}
		if l.listen {
			out[n-1].Events, l.lines = l.lines, nil
			l.attach()
		}
	}
	return out
}

func isExpect(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return word == ":expect"
}

func (l *Lab) run(text string) []*answer.Answer {
	if strings.HasPrefix(text, ":") {
		out, err := admin.Run(l.ctx, text)
		return withError(out, err)
	}
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	if l.ctx.Together != nil && !script.ShellWord(word) {
		l.ctx.AddTogether(cql.TrimStatement(text), 0, l.ctx.File, l.ctx.Line)
		return nil
	}
	if script.ShellWord(word) {
		if out, handled, err := admin.Shell(l.ctx, text); handled {
			return withError(out, err)
		}
	}
	return []*answer.Answer{l.ctx.Statement(cql.TrimStatement(text))}
}

// withError adds the complaint of a command to its answers.
func withError(out []*answer.Answer, err error) []*answer.Answer {
	if err != nil {
		out = append(out, &answer.Answer{Error: &answer.Error{Name: "CommandError", Message: err.Error()}})
	}
	return out
}

// Hash is a 64-bit hash of what people and programs see of answers, for telling
// whether a replay gives the same.
func Hash(answers []*answer.Answer) uint64 {
	h := digest(fnvBasis)
	for _, a := range answers {
		if a.Bytes {
			h.bytes(a)
		} else {
			h.text(render.Text(a, false))
		}
		h.number(a.AtMicros)
		h.text("+")
		h.number(a.Latency)
		h.text("\n")
	}
	return uint64(h)
}

// digest is a hash that grows with what it is given, FNV-1a of 64 bits.
type digest uint64

const (
	fnvBasis = 14695981039346656037
	fnvPrime = 1099511628211
)

func (h *digest) text(s string) {
	for i := range len(s) {
		*h = (*h ^ digest(s[i])) * fnvPrime
	}
}

func (h *digest) add(b []byte) {
	sum := *h
	for _, c := range b {
		sum = (sum ^ digest(c)) * fnvPrime
	}
	*h = sum
}

func (h *digest) number(n int64) {
	var digits [20]byte
	h.add(strconv.AppendInt(digits[:0], n, 10))
}

// bytes adds what a driver sees of an answer.
func (h *digest) bytes(a *answer.Answer) {
	if a.Error != nil {
		h.text(a.Error.Code)
		h.text(a.Error.Message)
	}
	for _, w := range a.Warnings {
		h.text(w)
		h.text("\n")
	}
	for _, row := range a.Values {
		for _, v := range row {
			h.number(int64(len(v)))
			h.text(":")
			h.add(v)
		}
	}
}
