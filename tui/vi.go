package tui

import (
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// viKeys is what keys.toml says of the console: vi = true. A workspace in which it
// was switched remembers its own.
var viKeys bool

// vi is how the prompt is edited by vi's hands: in insert mode keys are text, in
// normal mode they are commands of the place "normal".
type vi struct {
	on     bool
	normal bool
	count  int
	op     string // normal.delete, normal.change or normal.yank, while it waits for a motion
	held   string // what was cut or copied
	lines  bool   // held is whole lines
}

// mark is the letter of the mode, which stands in the prompt.
func (v *vi) mark() string {
	switch {
	case !v.on:
		return ""
	case v.normal:
		return " N"
	}
	return " I"
}

// commanding says whether letters are commands.
func (v *vi) commanding() bool { return v.on && v.normal }

// setVi switches vi's keys on or off.
func (a *App) setVi(on bool) tea.Cmd {
	a.console.vi = vi{on: on}
	a.touch(3)
	a.save()
	return a.say(Text, pick(on, "vi keys in the console: esc leads to normal mode, i to insert mode", "the console takes text as it comes"))
}

// viKey handles a key of the prompt where vi's keys are on, and says whether it was
// one.
func (p *consolePane) viKey(k tea.KeyPressMsg) (Action, bool) {
	name := k.String()
	if !p.vi.normal {
		if lookup(name, "insert") == "" {
			return Action{}, false
		}
		p.vi.normal, p.edit.line = true, false
		if p.edit.cur > p.edit.lineStart() {
			p.edit.cur = p.edit.before()
		}
		return Action{}, true
	}
	if p.edit.text == "" && p.vi.op == "" && (len(name) == 1 && name >= "1" && name <= "6" || name == "?") {
		return Action{}, false
	}
	if name == "esc" && (p.vi.op != "" || p.vi.count > 0) {
		p.vi.op, p.vi.count = "", 0
		return Action{}, true
	}
	id := lookup(name, "normal")
	if id == "normal.start" && p.vi.count > 0 && name == "0" {
		id = "normal.count"
	}
	if id == "normal.count" {
		p.vi.count = min(p.vi.count*10+int(name[len(name)-1]-'0'), 999)
		return Action{}, true
	}
	if id == "" {
		p.vi.op, p.vi.count = "", 0
		if k.Text != "" { // a letter without a meaning is not typed
			return Action{}, true
		}
		return Action{}, false
	}
	return p.viDo(id), true
}

// viDo does a command of normal mode.
func (p *consolePane) viDo(id string) Action {
	v, e := &p.vi, &p.edit
	if !v.on {
		return Action{Status: keysText(bindingByID["vi"]) + " switches vi keys on"}
	}
	n, op := max(v.count, 1), v.op
	v.count, v.op = 0, ""
	p.pastAt = pick(id == "normal.up" || id == "normal.down", p.pastAt, len(p.past))
	if to, inclusive, ok := e.viMotion(id, n, op); ok {
		if op == "" {
			e.cur, e.line = to, false
		} else {
			if inclusive && to < len(e.text) {
				_, size := utf8.DecodeRuneInString(e.text[to:])
				to += size
			}
			v.cut(e, op, min(e.cur, to), max(e.cur, to))
		}
		v.settle(e)
		return Action{}
	}
	switch id {
	case "normal.delete", "normal.change", "normal.yank":
		if op == id {
			v.cutLines(e, op, n)
			break
		}
		v.op, v.count = id, pick(n > 1, n, 0)
		return Action{}
	case "normal.cut":
		to := e.cur
		for i := 0; i < n && to < e.lineEnd(); i++ {
			_, size := utf8.DecodeRuneInString(e.text[to:])
			to += size
		}
		v.cut(e, "normal.delete", e.cur, to)
	case "normal.rest":
		v.cut(e, "normal.delete", e.cur, e.lineEnd())
	case "normal.rewrite":
		v.cut(e, "normal.change", e.cur, e.lineEnd())
	case "normal.put", "normal.before":
		v.put(e, id == "normal.put")
	case "normal.undo":
		e.undo()
	case "normal.up", "normal.down":
		act := p.bound(pick(id == "normal.up", "prompt.up", "prompt.down"))
		v.settle(e)
		return act
	case "normal.find":
		return p.bound("prompt.search")
	case "normal.command":
		if e.text == "" {
			v.normal = false
			e.insert(":")
		}
	default:
		v.begin(e, id)
	}
	v.settle(e)
	return Action{}
}

// begin goes to insert mode, as i, a, I, A, o and O do.
func (v *vi) begin(e *editor, id string) {
	v.normal, e.line = false, false
	switch id {
	case "normal.append":
		if e.cur < e.lineEnd() {
			e.cur = e.after()
		}
	case "normal.first":
		e.cur = e.lineStart()
	case "normal.last":
		e.cur = e.lineEnd()
	case "normal.below":
		e.cur = e.lineEnd()
		e.insert("\n")
	case "normal.above":
		e.cur = e.lineStart()
		e.insert("\n")
		e.cur--
	}
}

// settle keeps the cursor of normal mode on a letter.
func (v *vi) settle(e *editor) {
	if v.normal && e.cur > e.lineStart() && e.cur == e.lineEnd() {
		e.cur = e.before()
	}
}

// cut does an operator on the text from from to to.
func (v *vi) cut(e *editor, op string, from, to int) {
	if from >= to && op != "normal.change" {
		return
	}
	v.held, v.lines = e.text[from:to], false
	if op == "normal.yank" {
		e.cur = from
		return
	}
	e.cut(from, to)
	if op == "normal.change" {
		v.normal = false
	}
}

// cutLines does an operator on whole lines.
func (v *vi) cutLines(e *editor, op string, n int) {
	from, to := e.lineStart(), e.lineEnd()
	for ; n > 1 && to < len(e.text); n-- {
		next := strings.IndexByte(e.text[to+1:], '\n')
		to = pick(next < 0, len(e.text), to+1+next)
	}
	v.held, v.lines = e.text[from:to], true
	switch op {
	case "normal.change":
		e.cut(from, to)
		v.normal = false
	case "normal.delete":
		if to < len(e.text) {
			to++
		} else if from > 0 {
			from--
		}
		e.cut(from, to)
		e.cur = min(e.cur, len(e.text))
		e.cur = e.lineStart()
	}
}

// put inserts what is held behind the cursor or its line, or before it.
func (v *vi) put(e *editor, behind bool) {
	switch {
	case v.held == "":
	case v.lines && behind:
		e.cur = e.lineEnd()
		at := e.cur + 1
		e.insert("\n" + v.held)
		e.cur = at
	case v.lines:
		e.cur = e.lineStart()
		at := e.cur
		e.insert(v.held + "\n")
		e.cur = at
	default:
		if behind && e.cur < e.lineEnd() {
			e.cur = e.after()
		}
		e.keep(false)
		e.insert(v.held)
		e.cur = e.before()
	}
}

// viMotion is where a motion leads to; inclusive says that an operator takes the
// letter there, too.
func (e *editor) viMotion(id string, n int, op string) (to int, inclusive, ok bool) {
	was := e.cur
	defer func() { e.cur = was }()
	step := func(by func()) {
		for range n {
			by()
		}
	}
	switch id {
	case "normal.left":
		step(func() {
			if e.cur > e.lineStart() {
				e.cur = e.before()
			}
		})
	case "normal.right":
		step(func() {
			if e.cur < e.lineEnd() {
				e.cur = e.after()
			}
		})
	case "normal.start":
		e.cur = e.lineStart()
	case "normal.stop":
		e.cur = e.lineEnd()
	case "normal.word":
		if op == "normal.change" && viClass(e.text, e.cur) != 0 { // as vi has it, cw is ce
			e.cur = e.viEnd(e.cur)
			for range n - 1 {
				e.cur = e.viEnd(e.after())
			}
			return e.cur, true, true
		}
		step(func() { e.cur = e.viWord(e.cur) })
		if end := was + strings.IndexByte(e.text[was:]+"\n", '\n'); op != "" && n == 1 {
			e.cur = min(e.cur, max(end, was))
		}
	case "normal.back":
		step(func() { e.cur = e.viBack(e.cur) })
	case "normal.end":
		step(func() {
			if e.cur < len(e.text) {
				e.cur = e.viEnd(e.after())
			}
		})
		return e.cur, true, true
	default:
		return 0, false, false
	}
	return e.cur, false, true
}

// viClass is 0 for blanks, 1 for letters, digits and all beyond ASCII, 2 for marks.
func viClass(s string, i int) int {
	switch {
	case i < 0 || i >= len(s) || strings.IndexByte(" \t\n", s[i]) >= 0:
		return 0
	case wordByte(s[i]) || s[i] >= utf8.RuneSelf:
		return 1
	}
	return 2
}

// viWord is where the next word begins.
func (e *editor) viWord(i int) int {
	for c := viClass(e.text, i); c != 0 && i < len(e.text) && viClass(e.text, i) == c; i++ {
	}
	for i < len(e.text) && viClass(e.text, i) == 0 {
		i++
	}
	return i
}

// viBack is where the word before i begins.
func (e *editor) viBack(i int) int {
	for i > 0 && viClass(e.text, i-1) == 0 {
		i--
	}
	for c := viClass(e.text, i-1); i > 0 && viClass(e.text, i-1) == c; i-- {
	}
	return i
}

// viEnd is the last letter of the word at i, or of the next one.
func (e *editor) viEnd(i int) int {
	for i < len(e.text) && viClass(e.text, i) == 0 {
		i++
	}
	for c := viClass(e.text, i); i < len(e.text) && viClass(e.text, i) == c; i++ {
	}
	_, size := utf8.DecodeLastRuneInString(e.text[:i])
	return i - size
}

// viRows is what may follow an operator, for the box above the prompt.
func (v *vi) rows() [][3]string {
	if v.op == "" {
		return nil
	}
	key := func(id string) string { return keyText(bindingByID[id].Keys[0]) }
	b := bindingByID[v.op]
	rows := [][3]string{{key(v.op), b.Label + " the line", ""}}
	for _, id := range []string{"normal.word", "normal.end", "normal.back", "normal.start", "normal.stop", "normal.left", "normal.right"} {
		rows = append(rows, [3]string{key(id), bindingByID[id].Label, ""})
	}
	if v.count > 1 {
		rows[0][1] = b.Label + " " + strconv.Itoa(v.count) + " lines"
	}
	return rows
}
