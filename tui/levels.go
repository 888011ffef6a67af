package tui

import (
	"fmt"
	"strings"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// cellWords are how a pair of levels stands: glyph and words.
var cellWords = map[string]struct {
	text  string
	style draw.Style
}{
	"newest":      {"✓ newest", OK},
	"stale":       {"≈ may be old", Stale},
	"unavailable": {"⊘ unavailable", Error},
	"refused":     {"⊘ write fails", Error},
	"empty":       {"· nothing", Dim},
}

// matrix sets write levels against read levels, and returns the rows it took: what
// may a client see, and how often did it?
func (p *tracePane) matrix(sc *Scene, c *draw.Canvas) int {
	l := sc.V.Levels
	if l == nil || len(l.Names) == 0 {
		c.PutIn(1, 0, c.W-2, Dim, "the levels need a keyspace: CREATE KEYSPACE in the console (3)")
		return 1
	}
	p.cells = p.cells[:0]
	left := 7
	for _, n := range l.Names {
		left = max(left, len(n)+8)
	}
	each := max((c.W-left-2)/len(l.Names), 9)
	sums := c.W-left-each*len(l.Names) >= 14
	if c.W >= left+len(l.Names)*21+14 {
		each, sums = min(each, 24), true
	}
	c.PutIn(1, 0, left, Dim, fmt.Sprintf("RF %d", l.RF))
	for j, n := range l.Names {
		c.PutIn(left+j*each, 0, each-1, Text|draw.Bold, "READ "+n)
	}
	if sums {
		c.PutIn(left+each*len(l.Names), 0, 14, Dim, "W + R > RF ?")
	}
	y := 1
	for i, row := range l.Cells {
		if y >= c.H {
			break
		}
		c.PutIn(1, y, left-1, Text|draw.Bold, "WRITE "+l.Names[i])
		var sum []string
		for j, cell := range row {
			w := cellWords[cell.State]
			share := ""
			if cell.Reads > 0 {
				share = fmt.Sprintf("%.1f%%", 100*float64(cell.Fresh)/float64(cell.Reads))
			}
			x := left + j*each
			text := w.text
			if each < 16 || share != "" && draw.Width(text)+1+len(share) > each-2 {
				text, _, _ = strings.Cut(w.text, " ")
			}
			end := c.PutIn(x, y, each-1, w.style, text)
			if share != "" && end+1+len(share) <= x+each-1 {
				c.Right(x+each-2, y, w.style, share)
			}
			p.cells = append(p.cells, cellSpot{x, y, each, cell.Newest})
			sum = append(sum, fmt.Sprint(cell.Sum))
		}
		if sums {
			c.PutIn(left+each*len(l.Names), y, 14, Dim, strings.Join(sum, ", "))
		}
		y++
	}
	note := "words: the rule from RF and levels;  percent: fresh answers of the " + fmt.Sprint(l.Counted) + plural(int64(l.Counted), " read", " reads") + " remembered"
	for _, s := range draw.Wrap(note, c.W-2) {
		if y < c.H {
			c.PutIn(1, y, c.W-2, Dim, s)
			y++
		}
	}
	for _, a := range l.Answers {
		if y >= c.H {
			break
		}
		w := cellWords[a.State]
		glyph, _, _ := strings.Cut(w.text, " ")
		x := c.PutIn(1, y, 18, Text, "now "+a.CL)
		c.PutIn(max(x+1, 18), y, c.W-max(x+1, 18)-1, w.style, glyph+" "+a.Text)
		y++
	}
	if l.Newest != "" {
		for _, s := range draw.Wrap(l.Newest, c.W-2) {
			if y < c.H {
				c.PutIn(1, y, c.W-2, Stale, s)
				y++
			}
		}
	}
	if len(l.Marks) > 0 && y < c.H {
		p.marks(l, c, y)
		y++
	}
	return min(y, c.H)
}

// cellSpot is a cell of the matrix that a click opens.
type cellSpot struct{ x, y, w, op int }

// marks writes outages and operations that were not fresh in their order, the
// newest at the right.
func (p *tracePane) marks(l *view.Levels, c *draw.Canvas, y int) {
	used, from := 4, len(l.Marks)
	for from > 0 && used+draw.Width(l.Marks[from-1].Text)+6 <= c.W-2 {
		from--
		used += draw.Width(l.Marks[from].Text) + 6
	}
	x := c.Put(1, y, Border, "┈┈ ")
	for _, m := range l.Marks[from:] {
		mark := timelineMarks[m.Mark]
		glyph := pick(m.Op == 0, pick(m.Mark == '!', "✕", "●"), mark.list)
		if c.ASCII {
			glyph = pick(m.Op == 0, pick(m.Mark == '!', "x", "o"), mark.ascii)
		}
		start := x
		x = c.PutIn(x, y, c.W-1-x, pick(m.Mark == '!', Error, mark.style), glyph+" "+m.Text)
		if m.Op > 0 {
			p.cells = append(p.cells, cellSpot{start, y, x - start, m.Op})
		}
		x = c.PutIn(x, y, max(c.W-1-x, 0), Border, " ┈┈ ")
	}
}
