package tui

import (
	"strings"
	"unicode/utf8"

	"ringlab/tui/draw"
)

// editor is a small text of several lines with a cursor, a byte offset.
type editor struct {
	text string
	cur  int
	past []editorState
	line bool // the last edit was typing, which one undo takes back together
}

type editorState struct {
	text string
	cur  int
}

func (e *editor) keep(typing bool) {
	if typing && e.line {
		return
	}
	e.line = typing
	e.past = append(e.past, editorState{e.text, e.cur})
	if len(e.past) > 200 {
		e.past = e.past[100:]
	}
}

func (e *editor) undo() {
	if n := len(e.past); n > 0 {
		e.text, e.cur = e.past[n-1].text, e.past[n-1].cur
		e.past, e.line = e.past[:n-1], false
	}
}

func (e *editor) set(s string) {
	e.keep(false)
	e.text, e.cur = s, len(s)
}

func (e *editor) insert(s string) {
	e.keep(len(s) == 1 && s != " ")
	e.text = e.text[:e.cur] + s + e.text[e.cur:]
	e.cur += len(s)
}

func (e *editor) replace(from int, s string) {
	e.keep(false)
	from = min(max(from, 0), e.cur)
	e.text = e.text[:from] + s + e.text[e.cur:]
	e.cur = from + len(s)
}

func (e *editor) cut(from, to int) {
	e.keep(false)
	e.text, e.cur = e.text[:from]+e.text[to:], from
}

func (e *editor) before() int {
	_, n := utf8.DecodeLastRuneInString(e.text[:e.cur])
	return e.cur - n
}

func (e *editor) after() int {
	_, n := utf8.DecodeRuneInString(e.text[e.cur:])
	return e.cur + n
}

func (e *editor) lineStart() int { return strings.LastIndexByte(e.text[:e.cur], '\n') + 1 }

func (e *editor) lineEnd() int {
	if i := strings.IndexByte(e.text[e.cur:], '\n'); i >= 0 {
		return e.cur + i
	}
	return len(e.text)
}

func (e *editor) wordLeft() int {
	i := e.cur
	for i > 0 && !wordByte(e.text[i-1]) {
		i--
	}
	for i > 0 && wordByte(e.text[i-1]) {
		i--
	}
	return i
}

func (e *editor) wordRight() int {
	i := e.cur
	for i < len(e.text) && !wordByte(e.text[i]) {
		i++
	}
	for i < len(e.text) && wordByte(e.text[i]) {
		i++
	}
	return i
}

// vertical moves a line up or down and says whether there was one.
func (e *editor) vertical(by int) bool {
	start := e.lineStart()
	col := e.cur - start
	if by < 0 {
		if start == 0 {
			return false
		}
		e.cur = start - 1
		from := e.lineStart()
		e.cur = min(from+col, start-1)
	} else {
		end := e.lineEnd()
		if end == len(e.text) {
			return false
		}
		e.cur = end + 1
		e.cur = min(e.cur+col, e.lineEnd())
	}
	for e.cur > 0 && e.cur < len(e.text) && !utf8.RuneStart(e.text[e.cur]) {
		e.cur--
	}
	return true
}

// key handles an editing key and says whether it was one.
func (e *editor) key(k string) bool {
	was := e.cur
	switch k {
	case "left", "ctrl+b":
		e.cur = e.before()
	case "right", "ctrl+f":
		e.cur = e.after()
	case "home", "ctrl+a":
		e.cur = e.lineStart()
	case "end", "ctrl+e": // in the prompt, ctrl+e is the other editor
		e.cur = e.lineEnd()
	case "alt+left", "ctrl+left", "alt+b":
		e.cur = e.wordLeft()
	case "alt+right", "ctrl+right", "alt+f":
		e.cur = e.wordRight()
	case "backspace", "ctrl+h", "shift+backspace":
		if e.cur > 0 {
			e.cut(e.before(), e.cur)
		}
		return true
	case "delete", "ctrl+d":
		if e.cur < len(e.text) {
			e.cut(e.cur, e.after())
		}
		return true
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		e.cut(e.wordLeft(), e.cur)
		return true
	case "alt+d":
		e.cut(e.cur, e.wordRight())
		return true
	case "ctrl+k":
		e.cut(e.cur, e.lineEnd())
		return true
	case "ctrl+u":
		e.cut(e.lineStart(), e.cur)
		return true
	default:
		return false
	}
	if e.cur != was {
		e.line = false
	}
	return true
}

// segment is one screen row of the editor: bytes from..to of its text.
type segment struct{ from, to int }

// layout breaks the text into rows of at most w cells, at blanks where that leaves a
// row half full, and finds the cursor.
func (e *editor) layout(w int) (rows []segment, cx, cy int) {
	w = max(w, 1)
	start := 0
	for {
		end := strings.IndexByte(e.text[start:], '\n')
		stop := len(e.text)
		if end >= 0 {
			stop = start + end
		}
		from := start
		for {
			to := from + fitBytes(e.text[from:stop], w)
			if to < stop && e.text[to] != ' ' {
				if blank := strings.LastIndexByte(e.text[from:to], ' '); blank >= (to-from)/2 {
					to = from + blank + 1
				}
			}
			if e.cur >= from && (e.cur < to || e.cur == to && to == stop) {
				cx, cy = draw.Width(e.text[from:e.cur]), len(rows)
				if cx >= w {
					cx = w - 1
				}
			}
			rows = append(rows, segment{from, to})
			if from = to; from >= stop {
				break
			}
		}
		if end < 0 {
			return rows, cx, cy
		}
		start = stop + 1
	}
}

// fitBytes is how many bytes of s fit in w cells, at least one character.
func fitBytes(s string, w int) int {
	used := 0
	for i, r := range s {
		n := 1
		if r >= 0x7f || r < 0x20 {
			n = draw.Width(s[i : i+max(utf8.RuneLen(r), 1)])
			if r == utf8.RuneError {
				n = draw.Width(s[i : i+1])
			}
		}
		if used+n > w && i > 0 {
			return i
		}
		used += n
	}
	return len(s)
}

// paint draws the editor behind a prompt and returns where the cursor is.
func (e *editor) paint(c *draw.Canvas, prompt string) (cx, cy int) {
	indent := draw.Width(prompt)
	rows, cx, cy := e.layout(c.W - indent)
	top := e.topRow(len(rows), cy, c.H)
	c.Put(0, -top, Accent|draw.Bold, prompt)
	styles := e.styles()
	for y := 0; y < c.H && top+y < len(rows); y++ {
		row := rows[top+y]
		x := indent
		for i := row.from; i < row.to; {
			j := i + 1
			for j < row.to && styles[j] == styles[i] {
				j++
			}
			x = c.Put(x, y, styles[i], e.text[i:j])
			i = j
		}
	}
	return indent + cx, cy - top
}

// styles gives every byte of the text a style.
func (e *editor) styles() []draw.Style {
	out := make([]draw.Style, len(e.text))
	if strings.HasPrefix(e.text, ":") {
		for i := 0; i < len(e.text) && e.text[i] != ' '; i++ {
			out[i] = Accent
		}
		return out
	}
	for i := 0; i < len(e.text); {
		t := nextToken(e.text, i)
		style := styleOf(e.text, t)
		for i = t.from; i < t.to; i++ {
			out[i] = style
		}
	}
	if a, b := bracketAt(e.text, e.cur); a >= 0 {
		out[a], out[b] = Accent|draw.Bold|draw.Underline, Accent|draw.Bold|draw.Underline
	}
	return out
}
