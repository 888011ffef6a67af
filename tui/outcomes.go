package tui

import (
	"strconv"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// outcomeMarks are the signs of the strips: glyph, letter for ASCII, style.
var outcomeMarks = map[byte]struct {
	glyph string
	style draw.Style
}{
	'f': {"✓", OK}, 's': {"≈", Stale}, 'u': {"⊘", Error}, 't': {"⧗", Warn}, 'e': {"✗", Error},
}

func (p *tracePane) outcomeRows(v *view.View) int { return min(len(v.Outcomes), 6) + 2 }

// outcomes paints a strip for each kind and level, newest operation right, and
// returns how many rows it took.
func (p *tracePane) outcomes(sc *Scene, c *draw.Canvas) int {
	list := sc.V.Outcomes
	if c.H < 2 || len(list) == 0 {
		return 0
	}
	rule(c, 0)
	x := c.Put(1, 1, Dim, "outcomes  ")
	for _, m := range []struct {
		letter byte
		word   string
	}{{'f', "fresh"}, {'s', "stale"}, {'u', "unavailable"}, {'t', "timeout"}, {'e', "error"}} {
		if x+len(m.word)+3 > c.W {
			break
		}
		x = p.glyph(c, x, 1, m.letter) + 1
		x = c.Put(x, 1, Dim, m.word) + 2
	}
	label := 0
	for _, o := range list {
		label = max(label, len("write ")+len(o.CL))
	}
	label = min(label, max(c.W/3, len("write QUORUM")))
	n := min(len(list), c.H-2, pick(sc.Zoomed, 12, 6))
	for i, o := range list[:n] {
		y := 2 + i
		at := c.PutIn(1, y, label, Text, o.Kind)
		c.PutIn(7, y, label-6, Text, o.CL)
		at = max(at, label+2)
		room := c.W - 8 - at
		recent := o.Recent
		if room > 0 && len(recent) > room {
			recent = recent[len(recent)-room:]
		}
		for j := 0; j < len(recent) && j < room; j++ {
			p.glyph(c, at+j, y, recent[j])
		}
		if total := o.Fresh + o.Stale + o.Unavailable + o.Timeout + o.Fail; total > 0 {
			share := float64(o.Fresh) / float64(total) * 100
			c.Right(c.W-1, y, pick(share < 99.95, Stale, OK), strconv.FormatFloat(share, 'f', 1, 64)+"%")
		}
	}
	return 2 + n
}

// glyph writes one outcome in one cell: a mark, or its letter in ASCII.
func (p *tracePane) glyph(c *draw.Canvas, x, y int, letter byte) int {
	m, ok := outcomeMarks[letter]
	if !ok {
		m.glyph, m.style = "?", Dim
	}
	if c.ASCII {
		m.glyph = string(rune(letter))
	}
	return c.Put(x, y, m.style, m.glyph)
}
