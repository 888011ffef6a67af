package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/view"
)

// playMsg asks for the next moment of what is played: the messages of an operation,
// or the ranges that a change of the ring moved.
type playMsg struct{ pane int }

// playEvery is the time between two moments, playSteps the number of them.
const (
	playEvery = 80 * time.Millisecond
	playSteps = 40
)

func playTick(pane int) tea.Cmd {
	return tea.Tick(playEvery, func(time.Time) tea.Msg { return playMsg{pane} })
}

// played goes on with what is played.
func (a *App) played(m playMsg) tea.Cmd {
	a.touch(m.pane)
	more := false
	switch p := a.pieces[m.pane].pane.(type) {
	case *tracePane:
		more = p.slow.playing && p.slow.next(a.v.Trace, false)
		p.slow.playing = more
	case *ringPane:
		more = p.strip.flip(a.v.Strip)
	}
	if more {
		return playTick(m.pane)
	}
	return nil
}

// play begins or ends what the pane plays. Without motion it goes one step on.
func (a *App) play(id string) tea.Cmd {
	a.touchAll()
	switch id {
	case "trace.play":
		s := &a.pieces[4].pane.(*tracePane).slow
		switch {
		case a.v.Trace == nil:
			return a.say(Dim, "no operation yet: run a statement, then watch its messages")
		case a.opts.ReducedMotion:
			return a.play("trace.step")
		case s.playing:
			s.playing = false
			return a.say(Text, "stopped; s goes on step by step, esc shows all of it")
		}
		s.begin(a.v.Trace)
		s.playing = true
		return playTick(4)
	case "trace.step":
		s := &a.pieces[4].pane.(*tracePane).slow
		if a.v.Trace == nil {
			return a.say(Dim, "no operation yet: run a statement, then step through its messages")
		}
		s.playing = false
		if !s.of(a.v.Trace) {
			s.begin(a.v.Trace)
		}
		if !s.next(a.v.Trace, true) {
			s.on = false
			return a.say(Text, "that was the operation's last event")
		}
		return a.say(Text, s.told(a.v, a.v.Trace))
	}
	p := &a.pieces[2].pane.(*ringPane).strip
	if a.v.Strip == nil || a.v.Strip.Before == nil {
		return a.say(Dim, "nothing has moved yet: + in the ring adds a node, - removes one")
	}
	if a.opts.ReducedMotion {
		p.flip(a.v.Strip)
		return nil
	}
	p.flipped, p.flipping = 0, true
	return playTick(2)
}

// slowMotion is a moment of an operation: what has happened up to it is shown.
type slowMotion struct {
	on, playing bool
	op          int
	at          int64 // µs since the operation began
}

func (s *slowMotion) begin(t *view.Trace) { *s = slowMotion{on: true, op: t.Op, at: -1} }

// of says whether the moment is one of the shown operation.
func (s *slowMotion) of(t *view.Trace) bool { return s.on && t != nil && s.op == t.Op }

// moments are the times at which something happens, each once.
func moments(t *view.Trace) []int64 {
	out := []int64{t.End - t.Start}
	for _, l := range t.Lanes {
		for _, m := range l.Marks {
			out = append(out, m.At, m.To)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// next goes on, to the next event or by a part of the whole; false behind the last.
func (s *slowMotion) next(t *view.Trace, event bool) bool {
	if !s.of(t) {
		s.on = false
		return false
	}
	times := moments(t)
	last := times[len(times)-1]
	if s.at >= last {
		s.on = false
		return false
	}
	if event {
		at, found := slices.BinarySearch(times, s.at)
		s.at = times[min(at+pick(found, 1, 0), len(times)-1)]
		return true
	}
	s.at = min(max(s.at, 0)+max(last/playSteps, 1), last)
	return true
}

// seen is the operation as far as it has come.
func (s *slowMotion) seen(t *view.Trace) *view.Trace {
	if !s.of(t) {
		return t
	}
	part := *t
	part.Lanes = slices.Clone(t.Lanes)
	for i := range part.Lanes {
		l := &part.Lanes[i]
		var marks []view.Mark
		for _, m := range l.Marks {
			if m.At <= s.at {
				m.To = min(m.To, s.at)
				marks = append(marks, m)
			}
		}
		l.Marks = marks
	}
	part.End = min(t.End, t.Start+max(s.at, 0))
	return &part
}

// told says in words what happens at the moment.
func (s *slowMotion) told(v *view.View, t *view.Trace) string {
	text := millis(max(s.at, 0)) + " ms:"
	for _, l := range t.Lanes {
		for _, m := range l.Marks {
			to := ""
			if m.Peer >= 0 {
				to = " " + nodeName(v, m.Peer)
			}
			switch {
			case m.At == s.at && m.Kind == "send":
				text += "  " + nodeName(v, l.Node) + " sends to" + to
			case m.At == s.at && m.Kind == "arrive":
				text += "  it arrives at " + nodeName(v, l.Node)
			case m.At == s.at && (m.Kind == "ack" || m.Kind == "data" || m.Kind == "digest"):
				text += "  the " + m.Kind + " of " + nodeName(v, l.Node) + " is back"
			case m.To == s.at && m.Kind == "work":
				text += "  " + nodeName(v, l.Node) + " is done"
			case m.At == s.at && m.Kind == "work":
				text += "  " + nodeName(v, l.Node) + " works"
			case m.At == s.at:
				text += "  " + m.Kind + " at " + nodeName(v, l.Node)
			}
		}
	}
	return text
}

// underway draws what is on its way to a replica or back at the moment: the line of
// its lane, up to now.
func (s *slowMotion) underway(all *view.Trace, node int) (from int64, mark string, ok bool) {
	if !s.of(all) {
		return 0, "", false
	}
	send, arrive, work, back := int64(-1), int64(-1), int64(-1), int64(-1)
	first := func(at *int64, m int64) {
		if *at < 0 || m < *at {
			*at = m
		}
	}
	for _, l := range all.Lanes {
		for _, m := range l.Marks {
			own := l.Node == node
			switch {
			case m.Kind == "send" && !own && m.Peer == node:
				first(&send, m.At)
			case m.Kind == "arrive" && own:
				first(&arrive, m.At)
			case m.Kind == "work" && own:
				work = max(work, m.To)
			case (m.Kind == "ack" || m.Kind == "data" || m.Kind == "digest" || m.Kind == "reply") && (own || m.Peer == node):
				first(&back, max(m.At, m.To))
			}
		}
	}
	switch {
	case send >= 0 && send <= s.at && s.at < arrive:
		return send, "▸", true
	case arrive >= 0 && work <= s.at && s.at < back:
		return max(work, arrive), "◂", true
	}
	return 0, "", false
}

// flip shows some more of the ranges that have moved at their new owners; false when
// all are there.
func (p *stripPicture) flip(s *view.Strip) bool {
	if s == nil || s.Before == nil {
		p.flipping = false
		return false
	}
	moved := 0
	for _, c := range s.Columns {
		if c.Moved {
			moved++
		}
	}
	if !p.flipping {
		p.flipping, p.flipped = true, 0
		return true
	}
	p.flipped += max(moved/12, 1)
	p.flipping = p.flipped < moved
	return p.flipping
}

// watch begins to show a move as soon as the lab tells of a new one.
func (p *stripPicture) watch(s *view.Strip) bool {
	text := ""
	if s != nil && s.Before != nil {
		text = joinWords(s.Moved)
	}
	fresh := text != "" && text != p.told && p.began
	p.told, p.began = text, s != nil
	if fresh {
		p.flipping, p.flipped = true, 0
	}
	return fresh
}
