package tui

import (
	"fmt"
	"strings"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// fileMap draws a node's memtable and files over the ranges of the node: why does a
// read touch so many of them, and what did compaction buy?
type fileMap struct{ scroll int }

// Columns of the map's pane beside the heat.
const (
	fileNames   = 15
	fileNumbers = 31
)

// columns is how many columns of heat a pane has room for.
func (p *fileMap) columns(paneWidth int) int {
	return max(paneWidth-3-fileNames-pick(paneWidth >= 64, fileNumbers, 8), 4)
}

func (p *fileMap) paint(sc *Scene, c *draw.Canvas) {
	f := sc.V.Files
	if f == nil || sc.V.Storage == nil {
		c.PutIn(1, 1, c.W-2, Dim, "no table on this node yet")
		return
	}
	wide := c.W >= 62
	w := min(p.columns(c.W+2), c.W-fileNames)
	p.ranges(f, c, w)
	end := fileNames + w
	if wide {
		c.Put(end+1, 0, Dim, "  size    age   keys  key?")
	} else {
		c.Put(end+1, 0, Dim, "key?")
	}
	low := p.lower(sc, c.W-2)
	rows := max(c.H-2-min(len(low), max(c.H/2, 3)), 1)
	inputs := map[string]bool{}
	for _, k := range sc.V.Storage.Compactions {
		for _, g := range k.Inputs {
			inputs[fmt.Sprint(g)] = true
		}
	}
	p.scroll = max(min(p.scroll, len(f.Rows)-rows), 0)
	y := 1
	for i := p.scroll; i < len(f.Rows) && y <= rows; i++ {
		if left := len(f.Rows) - i; y == rows && left > 1 {
			c.PutIn(1, y, c.W-2, Dim, fmt.Sprintf("… %d more files; j k scroll", left))
			y++
			break
		}
		p.row(f, &f.Rows[i], c, y, w, wide, inputs[f.Rows[i].Name])
		y++
	}
	paintNotes(c, y, low, "n node", "f flush", "c compact", "w what if", "e why", "esc back")
}

// ranges writes the names of the node's ranges above the heat.
func (p *fileMap) ranges(f *view.FileMap, c *draw.Canvas, w int) {
	c.PutIn(1, 0, fileNames-2, Dim, "ranges")
	x := fileNames
	for i, r := range f.Ranges {
		room := min(r.Width, fileNames+w-x)
		if room <= 0 {
			break
		}
		c.Fill(x, 0, room, Border, "─")
		c.Put(x, 0, Border, pick(i == 0, "├", "┼"))
		if n := draw.Width(r.Name); n+2 <= room {
			c.Put(x+(room-n+1)/2, 0, Dim, r.Name)
		}
		x += room
	}
	c.Put(x-1, 0, Border, "┤")
}

func (p *fileMap) row(f *view.FileMap, r *view.FileRow, c *draw.Canvas, y, w int, wide, input bool) {
	origin := r.Origin
	if r.Level > 0 {
		origin = fmt.Sprintf("L%d", r.Level)
	}
	hit := strings.HasPrefix(r.HasKey, "hit")
	style := pick(r.Busy, Warn, pick(hit, Replica, Text))
	c.PutIn(1, y, fileNames-2, style, draw.Pad(r.Name, pick(r.Origin == "", 8, 4))+origin)
	for x := range min(w, len(r.Heat)) {
		g := heatMarks[min(int(r.Heat[x]), 4)]
		mark := pick(r.Busy || input, Warn, Accent)
		if (r.Busy || input) && r.Heat[x] > 0 {
			g = "┊"
		}
		if r.Origin == "" && r.Heat[x] > 0 {
			g = "·"
		}
		if x == f.Key && hit {
			g, mark = "◆", Replica|draw.Bold
		}
		c.Put(fileNames+x, y, mark, g)
	}
	at := fileNames + w + 1
	key := r.HasKey
	if !wide {
		c.PutIn(at, y, c.W-at, style, key)
		return
	}
	age := "now"
	if r.Origin != "" {
		age = ageText(r.AgeMicros)
	}
	c.Right(at+6, y, style, draw.Bytes(r.Bytes))
	c.Right(at+13, y, Dim, age)
	c.Right(at+20, y, Text, draw.Count(int64(r.Keys)))
	c.PutIn(at+22, y, c.W-at-22, style, key)
}

// lower tells of running and past compactions, and of what other strategies do.
func (p *fileMap) lower(sc *Scene, w int) []draw.Spans {
	var out []draw.Spans
	s, f := sc.V.Storage, sc.V.Files
	for _, k := range s.Compactions {
		head := "▶ " + joinInts(k.Inputs, "+") + arrow(k)
		bar := max(min(w-draw.Width(head)-8, 30), 4)
		out = append(out, draw.Spans{{Text: head, Style: Warn}, {Text: draw.Meter(k.Progress, bar), Style: Warn}, {Text: fmt.Sprintf("%4.0f%%", k.Progress*100), Style: Warn}})
	}
	if len(s.Compactions) > 0 {
		out = append(out, draw.Spans{{Text: "  ┊ the old files serve reads until the new one takes their place in one step", Style: Dim}})
	}
	if f.Last != "" {
		for i, l := range draw.Wrap("last compaction "+f.Last, w) {
			out = append(out, draw.Spans{{Text: l, Style: pick(i == 0, OK, Dim)}})
		}
	}
	if s.Why != "" {
		for _, l := range draw.Wrap(s.Why, w) {
			out = append(out, draw.Spans{{Text: l, Style: Dim}})
		}
	}
	if s.BytesFlushed > 0 {
		text := fmt.Sprintf("write %.1fx", float64(s.BytesWritten)/float64(s.BytesFlushed))
		if r := s.FilesPerRead; r[1] > 0 {
			text += fmt.Sprintf("  %.1f files a read", float64(r[0])/float64(r[1]))
		}
		out = append(out, draw.Spans{{Text: s.Strategy + " " + text, Style: Text}, {Text: "   w: the other strategies on the same flushes (simulated)", Style: Dim}})
	}
	return out
}
