package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/answer"
	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// eventLog shows what happened in the lab, event by event, while a filter is
// typed: `node=n4 kind=hint`.
type eventLog struct {
	a      *App
	filter editor
	list   list
	end    bool // the newest are followed
	rows   int
	side   int // cells that the details are moved to the left
	x, y   int
}

// openEvents shows the events that a filter takes.
func (a *App) openEvents(filter string) tea.Cmd {
	e := &eventLog{a: a, end: true}
	e.filter.text, e.filter.cur = filter, len(filter)
	a.over = e
	e.ask()
	return nil
}

// ask has the lab list the events.
func (e *eventLog) ask() {
	e.a.setNeed(func(n *view.Need) { n.Events, n.EventFilter = true, e.filter.text })
}

func (e *eventLog) shown() []view.Event {
	if v := e.a.v.Events; v != nil {
		return v.Rows
	}
	return nil
}

func (e *eventLog) paint(_ *Scene, c *draw.Canvas) (int, int) {
	rows := e.shown()
	seen := uint64(0)
	if e.a.v.Events != nil {
		seen = e.a.v.Events.Seen
	}
	in, x, y := panel(c, c.W, c.H-1, "events", fmt.Sprintf("%d shown of %s  esc closes", len(rows), draw.Thousands(int64(seen))))
	if in.W < 8 || in.H < 4 {
		return -1, -1
	}
	at := in.Put(1, 0, Accent, "> ")
	cx, _ := e.filter.paintPlain(in.Sub(at, 0, in.W-at-1, 1))
	if e.filter.text == "" {
		in.PutIn(at, 0, in.W-at-1, Comment, "node=n4 kind=hint op=12 !kind=send, or any word")
	}
	rule(in, 1)
	e.rows, e.x, e.y = in.H-3, x, y+2
	if e.end {
		e.list.cur = len(rows) - 1
	}
	e.list.clamp(len(rows), e.rows)
	if v := e.a.v.Events; v != nil && v.Err != "" && v.Filter == e.filter.text {
		for i, l := range draw.Wrap("✗ "+v.Err, in.W-2) {
			in.PutIn(1, 2+i, in.W-2, Error, l)
		}
	} else if len(rows) == 0 {
		in.PutIn(1, 2, in.W-2, Dim, pick(seen == 0, "nothing has happened yet", "no event fits"))
	}
	wide, longest := in.W >= 60, 0
	for i := range min(e.rows, len(rows)-e.list.top) {
		r := &rows[e.list.top+i]
		px := in.PutIn(1, 2+i, in.W-2, Dim, answer.Clock(r.At)) + 1
		px = in.PutIn(px, 2+i, max(min(5, in.W-px), 0), Text|draw.Bold, draw.Pad(r.Node, 5)) + 1
		px = in.PutIn(px, 2+i, max(min(13, in.W-px), 0), kindStyle(r.Kind), draw.Pad(r.Kind, 13)) + 1
		if wide {
			op := ""
			if r.Op > 0 {
				op = fmt.Sprintf("#%d", r.Op)
			}
			px = in.PutIn(px, 2+i, max(min(6, in.W-px), 0), Accent, draw.Pad(op, 6)) + 1
		}
		detail, room := r.Detail, max(in.W-px-1, 0)
		longest = max(longest, draw.Width(detail)-room)
		if e.side > 0 {
			detail = draw.Cut(detail, e.side)
		}
		in.PutIn(px, 2+i, room, Text, detail)
		if e.list.top+i == e.list.cur {
			in.Restyle(0, 2+i, in.W, Select)
		}
	}
	e.side = max(min(e.side, longest), 0)
	hints(in, in.H-1, "enter its operation everywhere", "↑ ↓ pgup pgdn", "^home oldest", "^end newest", "shift+← → details")
	return x + at + cx, y
}

// kindStyle colours the kinds of events that something goes wrong with.
func kindStyle(kind string) draw.Style {
	switch kind {
	case "drop", "timeout", "unavailable", "hint-dropped", "node-down", "compact-abort":
		return Error
	case "hint-stored", "hint-sent", "mismatch", "repair", "speculate", "seen-down", "pause", "link":
		return Warn
	}
	return Text
}

func (e *eventLog) key(k tea.KeyPressMsg) (Action, bool) {
	name := k.String()
	switch id := lookup(name, "events"); id {
	case "events.close":
		return Action{Need: func(n *view.Need) { n.Events, n.EventFilter = false, "" }}, true
	case "events.op":
		rows := e.shown()
		if e.list.cur >= len(rows) || e.list.cur < 0 || rows[e.list.cur].Op == 0 {
			return Action{Status: "this event belongs to no operation"}, false
		}
		op := rows[e.list.cur].Op
		return Action{Need: func(n *view.Need) { n.Op, n.Events, n.EventFilter = op, false, "" }, Perform: "focus.4", Status: fmt.Sprintf("operation #%d", op)}, true
	case "events.left", "events.right":
		e.sideways(pick(id == "events.left", -12, 12))
		return Action{}, false
	case "events.up", "events.down", "events.pgup", "events.pgdn", "events.top", "events.end":
		e.list.move(map[string]string{"events.up": "up", "events.down": "down", "events.pgup": "pgup", "events.pgdn": "pgdn", "events.top": "top", "events.end": "bottom"}[id], len(e.shown()), e.rows)
		e.end = e.list.cur >= len(e.shown())-1
		return Action{}, false
	}
	was := e.filter.text
	if !e.filter.key(name) && k.Text != "" {
		e.filter.insert(k.Text)
	}
	if e.filter.text != was {
		e.end = true
		e.ask()
	}
	return Action{}, false
}

func (e *eventLog) wheel(delta int) {
	e.list.cur = max(e.list.cur+delta, 0)
	e.end = false
}

// sideways moves the details, where one does not fit.
func (e *eventLog) sideways(delta int) { e.side = max(e.side+delta, 0) }

func (e *eventLog) click(x, y int) (Action, bool) {
	if n := e.list.top + y - e.y; y >= e.y && y < e.y+e.rows && n < len(e.shown()) && x >= e.x {
		e.list.cur, e.end = n, false
	}
	return Action{}, false
}

func (e *eventLog) pasted(s string) {
	e.filter.insert(firstLine(s))
	e.ask()
}

func (e *eventLog) opens() {}
