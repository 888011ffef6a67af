package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/answer"
	"ringlab/tui/draw"
)

// form asks for several values at once and makes a command of them. A refusal
// shows in the form, which stays until it is put right.
type form struct {
	a      *App
	title  string
	verb   string // what enter does
	fields []formField
	build  func(*form) (text, problem string)
	after  func() // when it went well
	said   string // the refusal
	fine   bool   // said is no refusal
	at     list
	rows   int
	x, y   int
	busy   bool
	labels int  // width
	leave  bool // what was built is done, and the workbench is left
}

// formField is one line of a form.
type formField struct {
	label, hint string
	edit        editor
	was         string // value at the beginning
}

func newField(label, hint, value string) formField {
	f := formField{label: label, hint: hint, was: value}
	f.edit.text, f.edit.cur = value, len(value)
	return f
}

// value is what stands in a field.
func (f *form) value(label string) string {
	for i := range f.fields {
		if f.fields[i].label == label {
			return strings.TrimSpace(f.fields[i].edit.text)
		}
	}
	return ""
}

func (f *form) paint(_ *Scene, c *draw.Canvas) (int, int) {
	said := draw.Wrap(f.said, max(min(c.W-6, 96), 8))
	if f.said == "" {
		said = nil
	}
	if most := max(c.H/3, 1); len(said) > most {
		said = said[:most]
	}
	in, x, y := panel(c, min(c.W, 104), min(c.H-1, len(f.fields)+len(said)+5), f.title, "esc closes")
	if in.W < 12 || in.H < 3 {
		return -1, -1
	}
	f.rows = max(in.H-2-len(said), 1)
	f.at.clamp(len(f.fields), f.rows)
	f.x, f.y = x, y
	f.labels = 4
	for i := range f.fields {
		f.labels = max(f.labels, draw.Width(f.fields[i].label))
	}
	f.labels = min(f.labels, in.W/2)
	cx, cy := -1, -1
	for i := range min(f.rows, len(f.fields)-f.at.top) {
		n := f.at.top + i
		fl := &f.fields[n]
		here := n == f.at.cur
		in.Put(0, i, Accent, pick(here, "▸", " "))
		in.PutIn(1, i, f.labels, pick(here, Text|draw.Bold, Text), fl.label)
		left := f.labels + 3
		room := in.W - left - 1
		style := pick(fl.edit.text != fl.was, Accent, Text)
		switch {
		case fl.edit.text == "":
			in.PutIn(left, i, room, Comment, fl.hint)
		case !here:
			in.PutIn(left, i, room+1, style, in.Fit(fl.edit.text, room+1))
		default:
			rows, ex, _ := fl.edit.layout(room)
			row := rows[0]
			for _, r := range rows {
				if fl.edit.cur >= r.from && fl.edit.cur <= r.to {
					row = r
				}
			}
			in.PutIn(left, i, room, style, fl.edit.text[row.from:row.to])
			if row.from > 0 {
				in.Put(left-1, i, Dim, "…")
			}
			if row.to < len(fl.edit.text) {
				in.Put(left+room, i, Dim, "…")
			}
			cx = ex
		}
		if here {
			cx, cy = x+left+max(cx, 0), y+i
		}
	}
	for i, l := range said {
		in.PutIn(1, in.H-1-len(said)+i, in.W-2, pick(f.fine, Dim, Error), l)
	}
	end := in.Put(1, in.H-1, Key, keyText(bindingByID["form.run"].Keys[0]))
	end = in.Put(end+1, in.H-1, Dim, pick(f.busy, "is running", f.verb))
	end = in.Put(end+2, in.H-1, Key, "↑ ↓")
	in.Put(end+1, in.H-1, Dim, "field")
	return cx, cy
}

func (f *form) key(k tea.KeyPressMsg) (Action, bool) {
	name := k.String()
	cur := &f.fields[min(f.at.cur, len(f.fields)-1)]
	switch id := lookup(name, "form"); id {
	case "form.close":
		return Action{}, true
	case "form.next", "form.prev":
		f.at.move(pick(id == "form.next", "down", "up"), len(f.fields), max(f.rows, 1))
	case "form.reset":
		cur.edit.keep(false)
		cur.edit.text, cur.edit.cur = cur.was, len(cur.was)
	case "form.run":
		return f.run(), false
	default:
		if cur.edit.key(name) {
			break
		}
		if k.Text != "" {
			cur.edit.insert(k.Text)
		}
	}
	return Action{}, false
}

// run gives what was made of the fields to the lab, and looks at its answer.
func (f *form) run() Action {
	if f.busy {
		return Action{}
	}
	text, problem := f.build(f)
	if problem != "" {
		f.said, f.fine = problem, false
		return Action{}
	}
	if f.leave {
		return Action{Perform: "quit"}
	}
	f.busy, f.said = true, ""
	var refused string
	return Action{Job: &job{text: text, from: "pane", answers: func(a answer.Answer) {
		if a.Error != nil && refused == "" {
			refused = a.Error.Message
			if a.File != "" {
				refused = fmt.Sprintf("%s:%d: %s", a.File, a.Line, refused)
			}
		}
	}, done: func() {
		f.busy = false
		switch {
		case refused != "":
			f.said, f.fine = "✗ "+refused, false
		case f.a.over == f && f.after != nil:
			f.after()
		case f.a.over == f:
			f.a.over = nil
			f.a.touchAll()
		}
	}}}
}

func (f *form) wheel(delta int) {
	f.at.move(pick(delta > 0, "down", "up"), len(f.fields), max(f.rows, 1))
}

func (f *form) click(x, y int) (Action, bool) {
	if n := f.at.top + y - f.y; y >= f.y && n < len(f.fields) && x >= f.x {
		f.at.cur = n
		e := &f.fields[n].edit
		e.cur = len(e.text)
	}
	return Action{}, false
}

func (f *form) pasted(s string) {
	if len(s) < bigPaste {
		f.fields[min(f.at.cur, len(f.fields)-1)].edit.insert(firstLine(strings.TrimSpace(s)))
	}
}
