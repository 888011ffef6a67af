package draw

import (
	"slices"
	"strings"
)

// Palette turns styles into the parameters of an SGR sequence.
type Palette struct {
	Tokens [256]string // "38;2;1;2;3" and the like, "" for the terminal's own colour
	seq    map[Style]string
}

// Sequence returns the escape sequence that switches to a style from any other.
func (p *Palette) Sequence(s Style) string {
	if q, ok := p.seq[s]; ok {
		return q
	}
	params := ""
	for _, a := range []struct {
		bit  Style
		code string
	}{{Bold, ";1"}, {Faint, ";2"}, {Italic, ";3"}, {Underline, ";4"}, {Reverse, ";7"}} {
		if s&a.bit != 0 {
			params += a.code
		}
	}
	if t := p.Tokens[s&0xff]; t != "" {
		params += ";" + t
	}
	q := "\x1b[0" + params + "m"
	if params == "" {
		q = "\x1b[m"
	}
	if p.seq == nil {
		p.seq = map[Style]string{}
	}
	p.seq[s] = q
	return q
}

// Lines encodes the canvas: exactly H lines of exactly W cells, each ending in
// plain style.
func (c *Canvas) Lines(p *Palette) []string {
	out := make([]string, c.H)
	var b strings.Builder
	for y := range c.H {
		out[y] = c.line(&b, y, p)
	}
	return out
}

func (c *Canvas) line(b *strings.Builder, y int, p *Palette) string {
	b.Reset()
	b.Grow(c.W + c.W/2 + 64)
	var now Style
	var plainly string
	for x := range c.W {
		cell := c.At(x, y)
		if cell.Width == 0 {
			continue
		}
		if cell.Style != now {
			q := p.Sequence(cell.Style)
			if q != plainly {
				b.WriteString(q)
			}
			now, plainly = cell.Style, q
		}
		b.WriteString(cell.Text)
	}
	if now != 0 {
		b.WriteString("\x1b[m")
	}
	return b.String()
}

// Encoder encodes canvases that follow each other, and only the rows that differ
// from the ones before.
type Encoder struct {
	palette *Palette
	w, h    int
	cells   []Cell
	lines   []string
}

// Lines is what the canvas's own Lines would be. The result is changed by the next
// call.
func (e *Encoder) Lines(c *Canvas, p *Palette) []string {
	fresh := e.palette != p || e.w != c.W || e.h != c.H
	if fresh {
		e.palette, e.w, e.h = p, c.W, c.H
		e.cells, e.lines = make([]Cell, c.W*c.H), make([]string, c.H)
	}
	var b strings.Builder
	for y := range c.H {
		row, was := c.cells[c.off+y*c.stride:][:c.W], e.cells[y*c.W:][:c.W]
		if fresh || !slices.Equal(row, was) {
			copy(was, row)
			e.lines[y] = c.line(&b, y, p)
		}
	}
	return e.lines
}

// Plain returns the text of the canvas without styles, trailing blanks cut.
func (c *Canvas) Plain() []string {
	out := make([]string, c.H)
	var b strings.Builder
	for y := range c.H {
		b.Reset()
		for x := range c.W {
			b.WriteString(c.At(x, y).Text)
		}
		out[y] = strings.TrimRight(b.String(), " ")
	}
	return out
}
