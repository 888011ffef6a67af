package tui

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// tracePane shows one operation as lanes of messages, how operations went at
// each level, and why.
type tracePane struct {
	scroll int
	labels []laneSpot
	cells  []cellSpot // of the matrix, in rows of the pane
	slow   slowMotion
}

type laneSpot struct{ y, node int }

func (p *tracePane) Title(sc *Scene) (string, string) {
	t := sc.V.Trace
	if t == nil {
		return "4 Trace", ""
	}
	word, _, _ := strings.Cut(strings.TrimSpace(t.Statement), " ")
	if word == "" {
		word = t.Kind
	}
	return "4 Trace", fmt.Sprintf("#%d %s at %s  %s", t.Op, strings.ToUpper(word), t.CL, markedVerdict(t.OK, shortVerdict(t)))
}

// shortVerdict is the part of a verdict that fits a title.
func shortVerdict(t *view.Trace) string {
	s, _, _ := strings.Cut(t.Verdict, "  ")
	s, _, _ = strings.Cut(s, " (")
	return strings.TrimLeft(s, "✓✗≈⊘⧗ ")
}

func markedVerdict(ok bool, s string) string { return pick(ok, "✓ ", "✗ ") + s }

func (p *tracePane) Keys(*Scene) []string {
	return []string{"op.prev", "op.next", "trace.play", "follow", "explain", "trace.step"}
}

func (p *tracePane) Paint(sc *Scene, c *draw.Canvas) {
	t := sc.V.Trace
	p.labels = p.labels[:0]
	if t == nil {
		for i, s := range draw.Wrap("No operation yet.\n\nRun a statement in the console (3): its messages between the nodes appear here.", c.W-2) {
			c.Put(1, 1+i, pick(i == 0, Text|draw.Bold, Dim), s)
		}
		p.outcomes(sc, c.Sub(0, 6, c.W, c.H-6))
		return
	}
	y := p.lanes(sc, c, t)
	p.cells = p.cells[:0]
	if sc.Zoomed && sc.V.Levels != nil && c.H-y > 6 {
		rule(c, y)
		y++
		part := c.Sub(0, y, c.W, min(c.H-y, max((c.H-y)*2/3, 6)))
		used := p.matrix(sc, part)
		for i := range p.cells {
			p.cells[i].y += y
		}
		y += used
	}
	rows := p.outcomeRows(sc.V)
	why := whyLines(t, c.W-2)
	if rows > 1 && y+rows+1 <= c.H-min(len(why), 2) {
		y = p.outcomes(sc, c.Sub(0, y, c.W, c.H-y)) + y
	}
	if y >= c.H {
		return
	}
	rule(c, y)
	y++
	if sc.Zoomed && len(t.Text) > 0 {
		why = append(why, draw.Line{}, draw.Line{Text: "    µs  node  activity", Style: Dim})
		for _, e := range t.Text {
			why = append(why, draw.Line{Text: fmt.Sprintf("%6d  %-5s %s", e.Elapsed, e.Source, e.Activity), Style: Text})
		}
	}
	p.scroll = max(min(p.scroll, len(why)-(c.H-y)), 0)
	for _, l := range why[p.scroll:] {
		if y >= c.H {
			break
		}
		c.PutIn(1, y, c.W-2, l.Style, l.Text)
		y++
	}
	if y < c.H {
		hints(c, c.H-1, "[ ] operations", "a slow motion", "s step", "z levels", "e why", "F follow")
	}
}

func whyLines(t *view.Trace, w int) []draw.Line {
	var out []draw.Line
	add := func(style draw.Style, s string) {
		for _, l := range draw.Wrap(s, w) {
			out = append(out, draw.Line{Text: l, Style: style})
		}
	}
	if t.Verdict != "" {
		add(pick(t.OK, Text, Error), fmt.Sprintf("#%d %s %s: %s", t.Op, t.Kind, t.CL, strings.TrimLeft(t.Verdict, "✓✗≈⊘⧗ ")))
	}
	for _, s := range t.Why {
		add(Dim, s)
	}
	return out
}

// lanes paints the space-time diagram and returns the row below it.
func (p *tracePane) lanes(sc *Scene, c *draw.Canvas, t *view.Trace) int {
	v := sc.V
	name := 3
	for _, l := range t.Lanes {
		name = max(name, draw.Width(nodeName(v, l.Node))+3)
	}
	left := name + 2
	room := c.W - left - 14
	if room < 8 {
		room = max(c.W-left-2, 1)
	}
	span := max(t.End-t.Start, t.Last-t.Start, 1)
	for _, l := range t.Lanes {
		for _, m := range l.Marks {
			if m.Kind != "timeout" || span < 4 {
				span = max(span, m.At, m.To)
			}
		}
	}
	step := niceStep(span, room)
	x := func(at int64) int { return left + int(int64(room-1)*min(max(at, 0), span)/span) }
	c.Put(1, 0, Dim, pick(span < 1000, "µs", "ms"))
	for at := int64(0); at <= span; at += step {
		c.Put(x(at), 0, Dim, axisText(at, span))
	}
	all := t
	t = p.slow.seen(all)
	if at := x(max(p.slow.at, 0)); p.slow.of(all) && at < c.W && c.At(at, 0).Text == " " {
		c.Put(x(max(p.slow.at, 0)), 0, Accent|draw.Bold, "▾")
	}
	for i, lane := range t.Lanes {
		y := 1 + i
		if y >= c.H {
			break
		}
		p.labels = append(p.labels, laneSpot{y, lane.Node})
		at := c.Put(1, y, nodeStyle(lane.Node)|draw.Bold, nodeName(v, lane.Node))
		c.Put(at+1, y, Dim, lane.Role)
		if strings.Contains(lane.Role, "C") {
			coordinatorLane(c, y, t, lane, span, x, t.End < all.End)
		} else if len(lane.Marks) > 0 || len(all.Lanes[i].Marks) == 0 {
			replicaLane(c, y, v, t, lane, span, x)
		}
		if from, mark, ok := p.slow.underway(all, lane.Node); ok {
			now := x(p.slow.at)
			c.Fill(x(from), y, now-x(from), Border, "─")
			c.Put(now, y, Accent|draw.Bold, mark)
		}
	}
	return min(1+len(t.Lanes), c.H)
}

// coordinatorLane draws the coordinator's time; going says that it is not over yet.
func coordinatorLane(c *draw.Canvas, y int, t *view.Trace, lane view.Lane, span int64, x func(int64) int, going bool) {
	from, to := x(0), x(t.End-t.Start)
	c.Fill(from, y, to-from, OK, "━")
	c.Put(from, y, OK, "●")
	end := "reply"
	style := pick(t.OK, OK, Error)
	for _, m := range lane.Marks {
		switch m.Kind {
		case "work":
			c.Fill(x(m.At), y, max(x(m.To)-x(m.At), 1), nodeStyle(lane.Node), "■")
		case "timeout":
			c.Put(x(m.At), y, Error, "⧗")
			end = "timeout"
		case "hint":
			c.Put(x(m.At), y, Warn, "h")
		case "repair":
			c.Put(x(m.At), y, Stale, "≈")
		}
	}
	if !t.OK && end == "reply" {
		end = "error"
	}
	if going {
		c.PutIn(to+2, y, c.W-to-3, Dim, laneTime(t.End-t.Start, span))
		return
	}
	c.Put(to, y, style, "●")
	c.PutIn(to+2, y, c.W-to-3, style, end+" "+laneTime(t.End-t.Start, span))
}

// replicaLane draws message, work and answer of one replica: └──▸■■──┘ ack.
func replicaLane(c *draw.Canvas, y int, v *view.View, t *view.Trace, lane view.Lane, span int64, x func(int64) int) {
	send, arrive, answer := int64(-1), int64(-1), int64(-1)
	word := "ack"
	note := func(m view.Mark) {
		switch m.Kind {
		case "ack", "digest", "data", "reply":
			if at := max(m.At, m.To); at >= answer {
				answer, word = at, pick(m.Kind == "reply", "ack", m.Kind)
			}
		}
	}
	for _, m := range lane.Marks {
		if m.Kind == "arrive" && (arrive < 0 || m.At < arrive) {
			arrive = m.At
		}
		note(m)
	}
	for _, l := range t.Lanes { // who asked knows whether it got data or a digest
		for _, m := range l.Marks {
			if l.Node != lane.Node && m.Peer == lane.Node {
				if m.Kind == "send" && (send < 0 || m.At < send) {
					send = m.At
				}
				note(m)
			}
		}
	}
	if len(lane.Marks) == 0 && send < 0 {
		mark := pick(lane.Note != "", "✕ ", "· ")
		at := c.Put(x(0), y, pick(lane.Note != "", Error, Dim), mark)
		c.PutIn(at, y, c.W-at-1, Dim, pick(lane.Note != "", lane.Note, "no message"))
		return
	}
	style := nodeStyle(lane.Node)
	send = max(send, 0)
	from := x(send)
	until := from
	if arrive >= 0 {
		until = x(arrive)
	}
	if answer >= 0 {
		until = x(answer)
	}
	c.Fill(from, y, until-from, Border, "─")
	c.Put(from, y, Border, "└")
	if answer >= 0 {
		c.Put(until, y, Border, "┘")
	}
	for _, m := range lane.Marks {
		switch m.Kind {
		case "arrive":
			c.Put(x(m.At), y, style|draw.Bold, "▸")
		case "work":
			a, b := x(m.At), x(m.To)
			if a == x(arrive) {
				a++
			}
			c.Fill(a, y, max(b-a, 1), style, "■")
			until = max(until, a+max(b-a, 1)-1)
		case "hint":
			c.Put(x(m.At), y, Warn, "h")
		case "repair":
			c.Put(x(m.At), y, Stale, "≈")
		case "drop":
			c.Put(x(m.At), y, Error, "✕")
			word, until = "lost", max(until, x(m.At))
			answer = m.At
		case "timeout":
			c.Put(x(m.At), y, Error, "⧗")
			word, until = "timeout", max(until, x(m.At))
			answer = m.At
		}
	}
	text := lane.Note
	if answer >= 0 {
		text = word + " " + laneTime(answer, span)
		if lane.Note != "" && c.W-until > 24 {
			text += "  " + lane.Note
		}
	}
	c.PutIn(until+2, y, c.W-until-3, pick(word == "ack" || word == "data" || word == "digest", Text, Error), text)
}

// millis writes microseconds as milliseconds with as many digits as matter.
func millis(us int64) string {
	ms := float64(us) / 1000
	switch {
	case ms >= 100:
		return strconv.FormatFloat(ms, 'f', 0, 64)
	case ms >= 10:
		return strconv.FormatFloat(ms, 'f', 1, 64)
	}
	return strconv.FormatFloat(ms, 'f', 2, 64)
}

// laneTime writes microseconds in the unit of an axis that long.
func laneTime(us, span int64) string {
	if span < 1000 {
		return strconv.FormatInt(us, 10)
	}
	return millis(us)
}

func axisText(at, span int64) string {
	if span < 1000 {
		return strconv.FormatInt(at, 10)
	}
	return strconv.FormatFloat(float64(at)/1000, 'f', -1, 64)
}

// niceStep is a step of 1, 2 or 5 times a power of ten that leaves labels room.
func niceStep(span int64, room int) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, k := range []int64{1, 2, 5} {
			if span/(unit*k) <= int64(max(room/8, 1)) {
				return unit * k
			}
		}
	}
}

func (p *tracePane) Do(id string, sc *Scene) (Action, bool) {
	switch id {
	case "up", "down", "top", "bottom", "pgup", "pgdn":
		p.scroll = max(p.scroll+map[string]int{"up": -1, "down": 1, "pgup": -8, "pgdn": 8, "top": -1 << 20, "bottom": 1 << 20}[id], 0)
		return Action{}, true
	case "left":
		return Action{Perform: "op.prev"}, true
	case "right":
		return Action{Perform: "op.next"}, true
	case "back":
		if p.slow.on {
			p.slow = slowMotion{}
			return Action{}, true
		}
	case "open":
		return Action{Perform: "zoom"}, true
	}
	return Action{}, false
}

func (p *tracePane) Click(x, y int, sc *Scene) Action {
	for _, s := range p.cells {
		if op := s.op; op > 0 && y == s.y && x >= s.x && x < s.x+s.w {
			return Action{Need: func(n *view.Need) { n.Op = op }}
		}
	}
	for _, l := range p.labels {
		if l.y == y {
			node := l.node
			return Action{Need: func(n *view.Need) { n.Node = node }}
		}
	}
	return Action{}
}

func (p *tracePane) Wheel(delta int) { p.scroll = max(p.scroll+delta, 0) }
