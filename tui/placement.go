package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// placementPicture shows where the copies of the selected key are and why, and
// what they survive.
type placementPicture struct {
	cur    int      // node, rack or data center under the cursor, of targets
	lost   []string // in thought
	simple bool     // SimpleStrategy beside it
	spots  []placementSpot
}

// placementSpot is a cell that a click chooses.
type placementSpot struct{ x, y, w, target int }

// targets are what can be lost: nodes, then racks, then data centers.
func (p *placementPicture) targets(v *view.View) []string {
	q := v.Placement
	if q == nil {
		return nil
	}
	var nodes, racks, dcs []string
	for _, d := range q.DCs {
		dcs = append(dcs, d.Name)
		for _, r := range d.Racks {
			racks = append(racks, d.Name+"/"+r.Name)
			for _, n := range r.Nodes {
				nodes = append(nodes, nodeName(v, n.Node))
			}
		}
	}
	return slices.Concat(nodes, racks, dcs)
}

func (p *placementPicture) do(id string, sc *Scene) (Action, bool) {
	all := p.targets(sc.V)
	l := list{cur: p.cur}
	step := map[string]string{"left": "up", "right": "down"}[id]
	switch {
	case step != "":
		l.move(step, len(all), len(all))
		p.cur = l.cur
	case l.move(id, len(all), len(all)):
		p.cur = l.cur
	case id == "placement.lose" && p.cur < len(all):
		what := all[p.cur]
		if i := slices.Index(p.lost, what); i >= 0 {
			p.lost = slices.Delete(p.lost, i, i+1)
			return Action{Status: what + " is back"}, true
		}
		p.lost = append(p.lost, what)
		return Action{Status: "what if " + strings.Join(p.lost, " and ") + " were lost? Nothing has happened to the lab"}, true
	case id == "placement.simple":
		p.simple = !p.simple
	case id == "open":
		return Action{Perform: "placement.key"}, true
	case id == "placement.key":
		return Action{Insert: ":partition " + sc.Need.Keyspace + "." + sc.Need.Table + " "}, true
	default:
		return Action{}, false
	}
	return Action{}, true
}

func (p *placementPicture) paint(sc *Scene, c *draw.Canvas) {
	v, q := sc.V, sc.V.Placement
	p.spots = p.spots[:0]
	if q == nil {
		text := "No key is selected.\n\nenter on a partition in Schema (1) chooses one, " + keyText(bindingByID["placement.key"].Keys[0]) + " any other: it puts `:partition` into the prompt"
		if s := v.Selection; s != nil && s.Err != "" {
			text = s.Err
		}
		for i, l := range draw.Wrap(text, c.W-2) {
			c.PutIn(1, 1+i, c.W-2, pick(i == 0, Text|draw.Bold, Dim), l)
		}
		return
	}
	head := "range " + v.Selection.RangeText + "  walk: " + strings.Join(q.Order, " ")
	c.PutIn(1, 0, c.W-2, Dim, c.Fit(head, c.W-2))
	walk := p.walkLines(v, q)
	if c.W >= 76 {
		side := 36
		for _, l := range walk {
			side = max(side, min(draw.Width(l.Text), c.W*9/20))
		}
		y := p.grid(sc, c.Sub(0, 1, c.W-side-2, c.H-1), 1)
		for i, l := range walk {
			if 1+i < c.H-1 {
				c.PutIn(c.W-side-1, 1+i, side, l.Style, l.Text)
			}
		}
		p.lower(sc, c, max(1+y, min(1+len(walk), c.H-6)))
		return
	}
	y := 1 + p.grid(sc, c.Sub(0, 1, c.W, max(c.H/2-1, 3)), 1)
	for _, l := range walk {
		if y < c.H-4 {
			c.PutIn(1, y, c.W-2, l.Style, l.Text)
			y++
		}
	}
	p.lower(sc, c, y)
}

func (p *placementPicture) walkLines(v *view.View, q *view.Placement) []draw.Line {
	var out []draw.Line
	for _, w := range q.Walk {
		text := fmt.Sprintf("skip %s  %s     %s", nodeName(v, w.Node), w.Place, w.Why)
		style := Dim
		if w.Order > 0 {
			text, style = fmt.Sprintf("take %s  %s  ◉%d  %s", nodeName(v, w.Node), w.Place, w.Order, w.Why), Replica
		}
		out = append(out, draw.Line{Text: text, Style: style})
	}
	return out
}

// grid draws data centers by racks and returns the rows it took; offset is the row
// of the pane at which c begins.
func (p *placementPicture) grid(sc *Scene, c *draw.Canvas, offset int) int {
	v, q := sc.V, sc.V.Placement
	all := p.targets(v)
	racks := 1
	for _, d := range q.DCs {
		racks = max(racks, len(d.Racks))
	}
	label := 8
	each := max((c.W-label-1)/racks, 9)
	put := func(x, y, w int, style draw.Style, text, target string) {
		at := slices.Index(all, target)
		if at >= 0 && at == p.cur && sc.Focused {
			style = Select
		}
		if slices.Contains(p.lost, target) {
			text += "✗"
		}
		end := c.PutIn(x, y, w, style, text)
		if at >= 0 {
			p.spots = append(p.spots, placementSpot{x, y + offset, end - x, at})
		}
	}
	y := 0
	for _, d := range q.DCs {
		tall := 1
		put(1, y, label-1, Text|draw.Bold, d.Name, d.Name)
		c.PutIn(1, y+1, label-1, Dim, "RF "+strconv.Itoa(d.RF))
		for i, r := range d.Racks {
			x := label + i*each
			if x+6 > c.W {
				c.Right(c.W, y, Dim, fmt.Sprintf("+%d", len(d.Racks)-i))
				break
			}
			put(x, y, each-1, Dim, r.Name, d.Name+"/"+r.Name)
			at, row := x, y+1
			for _, n := range r.Nodes {
				node := &v.Nodes[n.Node]
				mark, style := stateMark(node)
				if n.Order > 0 {
					mark, style = "◉"+strconv.Itoa(n.Order), Replica
				}
				if n.Lost || !node.Up {
					mark, style = "✕"+pick(n.Order > 0, strconv.Itoa(n.Order), ""), pick(n.Lost, Dim|draw.Italic, Error)
				}
				text := node.Name + " " + mark
				if at > x && at+draw.Width(text) > x+each-1 {
					at = x
					row++
				}
				if row >= c.H {
					break
				}
				put(at, row, each-1, style, text, node.Name)
				at += draw.Width(text) + 2
			}
			tall = max(tall, row-y)
		}
		y += tall + 1
		if y >= c.H {
			break
		}
	}
	return min(y, c.H)
}

// lower is what stands below grid and walk: losses, what if, the other strategy.
func (p *placementPicture) lower(sc *Scene, c *draw.Canvas, y int) {
	v, q := sc.V, sc.V.Placement
	var out []draw.Spans
	if q.Lost != "" {
		mark := pick(q.NowOK, "✓ ", "⊘ ")
		out = append(out, hang(draw.Spans{{Text: "what if " + q.Lost + " is lost: ", Style: Accent | draw.Bold}}, pick(q.NowOK, OK, Error), mark+q.Now, c.W-2)...)
	}
	if p.simple {
		same := true
		for _, d := range q.DCs {
			for _, r := range d.Racks {
				for _, n := range r.Nodes {
					same = same && (n.Order > 0) == slices.Contains(q.Simple, n.Node)
				}
			}
		}
		out = append(out, draw.Spans{{Text: "SimpleStrategy takes " + nodeNames(v, q.Simple), Style: Text}, {Text: pick(same, ": the same nodes", ": whatever their racks"), Style: Dim}})
	}
	for i, l := range q.Losses {
		lines := hang(draw.Spans{{Text: "lose " + l.What + " → ", Style: Dim}}, pick(l.OK, OK, Error), pick(l.OK, "✓ ", "⊘ ")+l.Text, c.W-2)
		if later := len(q.Losses) - i - 1; y+len(out)+len(lines)+later > c.H-1 { // each loss has a line before any has two
			lines = []draw.Spans{{{Text: "lose " + l.What + " → ", Style: Dim}, {Text: pick(l.OK, "✓ ", "⊘ ") + l.Text, Style: pick(l.OK, OK, Error)}}}
		}
		out = append(out, lines...)
	}
	paintNotes(c, y, out, "j k choose", "x what if lost", "enter other key", "e why", "esc ring", "s SimpleStrategy")
}

// hang is a head with a text behind it, which goes on below itself in w cells.
func hang(head draw.Spans, style draw.Style, text string, w int) []draw.Spans {
	indent := head.Width()
	var out []draw.Spans
	for i, l := range draw.Wrap(text, max(w-indent, 8)) {
		if i > 0 {
			head = draw.Spans{{Text: strings.Repeat(" ", indent)}}
		}
		out = append(out, append(slices.Clone(head), draw.Line{Text: l, Style: style}))
	}
	return out
}

// paintNotes puts lines below a picture, as many as there is room for, and its
// keys into the last line, unless a few lines are all there is.
func paintNotes(c *draw.Canvas, y int, notes []draw.Spans, keys ...string) {
	few := c.H-y < 4
	for _, l := range notes {
		if y >= c.H || y == c.H-1 && !few {
			break
		}
		l.Paint(c, 1, y, c.W-1)
		y++
	}
	if y < c.H {
		hints(c, c.H-1, keys...)
	}
}

func (p *placementPicture) click(x, y int) {
	for _, s := range p.spots {
		if y == s.y && x >= s.x && x < s.x+s.w {
			p.cur = s.target
		}
	}
}
