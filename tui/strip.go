package tui

import (
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// stripPicture is the ring laid out as a strip: who owns what, and is it even?
type stripPicture struct {
	zoom    int // the part that is shown is 1/2^zoom of the ring
	from    float64
	cursor  int // column
	width   int // columns, as the lab was asked for
	compare bool

	flipping bool   // a move is being shown
	flipped  int    // columns of it that are at their new owners
	told     string // the move that was shown last
	began    bool   // a strip was there before
}

// stripMargin is what stands beside a strip's columns, the pane's edges included.
const stripMargin = 10

// stripLeft is the column of a strip's first one, inside the pane.
const stripLeft = 8

// mostZoom shows a 2^40th of the ring: single tokens of any ring that fits.
const mostZoom = 40

func (p *stripPicture) span() float64 { return 1 / float64(int64(1)<<p.zoom) }

// lens is what the lab is asked for.
func (p *stripPicture) lens(paneWidth int) view.StripLens {
	p.width = max(paneWidth-stripMargin, 4)
	p.cursor = max(min(p.cursor, p.width-1), 0)
	p.from = max(min(p.from, 1-p.span()), 0)
	return view.StripLens{Width: p.width, From: p.from, To: p.from + p.span(), Cursor: p.cursor, Compare: p.compare}
}

// magnify zooms around the cursor.
func (p *stripPicture) magnify(by int) {
	at := p.from + p.span()*(float64(p.cursor)+0.5)/float64(max(p.width, 1))
	p.zoom = max(min(p.zoom+by, mostZoom), 0)
	p.from = max(min(at-p.span()/2, 1-p.span()), 0)
	p.cursor = int((at - p.from) / p.span() * float64(p.width))
	p.cursor = max(min(p.cursor, p.width-1), 0)
}

// move goes along the strip; past an end it takes the part that is shown along.
func (p *stripPicture) move(by int) {
	p.cursor += by
	step := p.span() / float64(max(p.width, 1))
	if out := min(p.cursor, 0) + max(p.cursor-p.width+1, 0); out != 0 {
		p.from = max(min(p.from+float64(out)*step, 1-p.span()), 0)
		p.cursor -= out
	}
}

func (p *stripPicture) do(id string, sc *Scene) (Action, bool) {
	switch id {
	case "strip.in", "strip.out":
		p.magnify(pick(id == "strip.in", 1, -1))
	case "left", "right":
		p.move(pick(id == "left", -1, 1))
	case "pgup", "pgdn":
		p.move(pick(id == "pgup", -p.width/2, p.width/2))
	case "top", "bottom":
		p.from, p.cursor = pick(id == "top", 0.0, 1.0), pick(id == "top", 0, p.width-1)
	case "up", "down":
	case "strip.compare":
		p.compare = !p.compare
	case "open":
		if s := sc.V.Strip; s != nil && s.At != nil {
			owner := s.At.Owner
			return Action{Need: func(n *view.Need) { n.Node = owner }, Status: nodeName(sc.V, owner) + " is shown in Storage (5)"}, true
		}
	default:
		return Action{}, false
	}
	return Action{}, true
}

// ownerLetter names a node in one cell.
func ownerLetter(node int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	if node < 0 || node >= len(letters) {
		return "?"
	}
	return letters[node : node+1]
}

// heatMarks grade from nothing to the most.
var heatMarks = []string{" ", "░", "▒", "▓", "█"}

func (p *stripPicture) paint(sc *Scene, c *draw.Canvas) {
	v, s := sc.V, sc.V.Strip
	if s == nil || len(s.Columns) == 0 {
		c.PutIn(2, 1, c.W-3, Dim, "the ring has no tokens to lay out")
		return
	}
	w := min(len(s.Columns), c.W-stripMargin+2)
	p.axis(c, s, w)
	y := 1
	letters := len(v.Nodes) <= 52
	row := func(name string, cell func(i int) (draw.Style, string)) {
		if y >= c.H {
			return
		}
		c.PutIn(1, y, stripLeft-2, Dim, name)
		for i := range w {
			style, text := cell(i)
			c.Put(stripLeft+i, y, style, text)
		}
		y++
	}
	owner := func(node int) (draw.Style, string) {
		if letters {
			return nodeStyle(node), ownerLetter(node)
		}
		return Accent, heatMarks[loadGrade(v, s, node)]
	}
	if s.Before != nil {
		row("before", func(i int) (draw.Style, string) { return owner(s.Before[min(i, len(s.Before)-1)]) })
	}
	still := p.waiting(s)
	row(pick(letters, "owner", "load"), func(i int) (draw.Style, string) {
		if i < len(still) && still[i] {
			return owner(s.Before[min(i, len(s.Before)-1)])
		}
		return owner(s.Columns[i].Owner)
	})
	if s.Before != nil {
		row("moved", func(i int) (draw.Style, string) {
			if i < len(still) && still[i] {
				return Dim, "·"
			}
			return Warn, pick(s.Columns[i].Moved, "*", " ")
		})
	}
	row("keys", func(i int) (draw.Style, string) {
		if s.Columns[i].Keys == 0 {
			return Dim, " "
		}
		return OK, draw.Spark([]float64{float64(s.Columns[i].Keys), float64(s.MostKeys)}, 2)[:len("▁")]
	})
	row("tokens", func(i int) (draw.Style, string) {
		switch n := s.Columns[i].Tokens; {
		case n == 0:
			return Dim, " "
		case n < 10:
			return Dim, strconv.Itoa(n)
		}
		return Dim, "+"
	})
	if y < c.H {
		c.Put(stripLeft+min(p.cursor, w-1), y, Accent|draw.Bold, "▴")
		c.PutIn(1, y, stripLeft-2, Dim, "cursor")
		y++
	}
	paintNotes(c, y, p.below(sc, c.W-2, c.H-y), "← → move", "+ − zoom", "enter node", "c compare vnodes", "e why", "esc ring", "a watch")
}

// waiting are the columns that have still their owner of before, while a move is shown.
func (p *stripPicture) waiting(s *view.Strip) []bool {
	if !p.flipping || s.Before == nil {
		return nil
	}
	out, moved := make([]bool, len(s.Columns)), 0
	for i := range s.Columns {
		if s.Columns[i].Moved {
			moved++
			out[i] = moved > p.flipped
		}
	}
	return out
}

// axis draws the scale above the strip.
func (p *stripPicture) axis(c *draw.Canvas, s *view.Strip, w int) {
	zoom := fmt.Sprintf("%dx", int64(1)<<min(p.zoom, 62))
	if p.zoom > 20 {
		zoom = "2^" + strconv.Itoa(p.zoom) + "x"
	}
	c.PutIn(1, 0, 7, Dim, zoom)
	from, to := s.FromToken+" ", " "+s.ToToken
	a, b := stripLeft+draw.Width(from), stripLeft+w-draw.Width(to)
	if b-a < 4 {
		c.Fill(stripLeft, 0, w, Border, "─")
		return
	}
	c.Put(stripLeft, 0, Dim, from)
	c.Fill(a, 0, b-a, Border, "─")
	for i := range 5 {
		c.Put(a+(b-a-1)*i/4, 0, Border, pick(i == 0, "├", pick(i == 4, "┤", "┬")))
	}
	c.Put(b, 0, Dim, to)
}

// loadGrade grades a node by its load, or by its share while nothing is stored.
func loadGrade(v *view.View, s *view.Strip, node int) int {
	var most int64
	for i := range v.Nodes {
		most = max(most, v.Nodes[i].LoadBytes)
	}
	if node < 0 || node >= len(v.Nodes) {
		return 0
	}
	if most > 0 {
		return 1 + int(3*v.Nodes[node].LoadBytes/most)
	}
	if node < len(s.Shares) && s.Even > 0 {
		return max(min(int(s.Shares[node]/s.Even*2), 4), 1)
	}
	return 1
}

// below says what lies under the cursor, what moved, how even it is, and who owns
// how much.
func (p *stripPicture) below(sc *Scene, w, h int) []draw.Spans {
	v, s := sc.V, sc.V.Strip
	var out []draw.Spans
	if a := s.At; a != nil {
		text := fmt.Sprintf("(%s, %s]", shortToken(a.Start), shortToken(a.End))
		line := draw.Spans{{Text: text + "  ", Style: Text}, {Text: nodeName(v, a.Owner), Style: nodeStyle(a.Owner) | draw.Bold},
			{Text: fmt.Sprintf("  %.2f%%  %d %s", a.Share*100, a.Keys, plural(int64(a.Keys), "key", "keys")), Style: Text}}
		if replicas := "replicas " + nodeNames(v, a.Replicas); len(a.Replicas) == 0 || line.Width()+2+draw.Width(replicas) > w && h < 6 {
			out = append(out, line)
		} else if line.Width()+2+draw.Width(replicas) > w {
			out = append(out, line, draw.Spans{{Text: replicas, Style: Dim}})
		} else {
			out = append(out, append(line, draw.Line{Text: "  " + replicas, Style: Dim}))
		}
	}
	for _, m := range s.Moved {
		for _, l := range draw.Wrap("* "+m, w) {
			out = append(out, draw.Spans{{Text: l, Style: Warn}})
		}
	}
	if p.compare {
		out = append(out, draw.Spans{{Text: pick(sc.Need.Keyspace != "", "what each node holds of "+draw.Truncate(sc.Need.Keyspace, 20), "what each node owns") + ", 1.00 = even", Style: Dim}})
		strips := len(v.Nodes) <= 52 && h-len(out) > 2*len(s.Spreads)
		for _, x := range s.Spreads {
			out = append(out, p.spread(x, w))
			if strips && len(x.Owners) > 0 {
				out = append(out, ownerStrip(x.Owners))
			}
		}
	}
	room := max(h-len(out)-1, 0)
	out = append(out, p.owners(sc, w, room)...)
	return out
}

// ownerStrip is the letters of the owners below those of the strip itself.
func ownerStrip(owners []int) draw.Spans {
	out := draw.Spans{{Text: strings.Repeat(" ", stripLeft-1)}}
	for _, n := range owners {
		if last := &out[len(out)-1]; len(out) > 1 && last.Style == nodeStyle(n) {
			last.Text += ownerLetter(n)
		} else {
			out = append(out, draw.Line{Text: ownerLetter(n), Style: nodeStyle(n)})
		}
	}
	return out
}

func (p *stripPicture) spread(x view.Spread, w int) draw.Spans {
	name := fmt.Sprintf("%3d %-7s", x.VNodes, plural(int64(x.VNodes), "vnode", "vnodes"))
	if x.Now {
		name = "this ring  "
	}
	if x.Skipped {
		return draw.Spans{{Text: name, Style: Text}, {Text: fmt.Sprintf("%s ranges are too many to work out here", draw.Thousands(int64(x.Ranges))), Style: Dim}}
	}
	bar := max(min(w-44, 24), 0)
	return draw.Spans{{Text: name, Style: pick(x.Now, Accent, Text)}, {Text: fmt.Sprintf("%.2f to %.2f ", x.Least, x.Most), Style: pick(x.Most > 1.25, Warn, OK)},
		{Text: draw.Pad(draw.Bar(x.Most/2, bar), bar) + " ", Style: Accent}, {Text: draw.Thousands(int64(x.Ranges)) + " ranges", Style: Dim}}
}

// owners lists the nodes with their share of the ring, in as many columns as there
// is room for.
func (p *stripPicture) owners(sc *Scene, w, h int) []draw.Spans {
	v, s := sc.V, sc.V.Strip
	if h <= 0 || len(s.Shares) < len(v.Nodes) {
		return nil
	}
	cols := pick(w >= 92, 2, 1)
	each := w / cols
	rows := min((len(v.Nodes)+cols-1)/cols, h)
	var most float64
	for _, x := range s.Shares {
		most = max(most, x)
	}
	out := make([]draw.Spans, rows)
	for i := range min(rows*cols, len(v.Nodes)) {
		mark := ""
		if s.Even > 0 {
			if r := s.Shares[i] / s.Even; r >= 1.25 || r <= 0.75 {
				mark = fmt.Sprintf("%s %.2fx", pick(r > 1, "▴", "▾"), r)
			}
		}
		name := pick(len(v.Nodes) <= 52, ownerLetter(i)+" ", "") + draw.Pad(draw.Truncate(v.Nodes[i].Name, 8), 4)
		keys := int64(0)
		if i < len(s.Keys) {
			keys = s.Keys[i]
		}
		bar := max(each-draw.Width(name)-28, 4)
		text := draw.Pad(fmt.Sprintf("%5s part. %s", draw.Count(keys), mark), 20)
		out[i%rows] = append(out[i%rows], draw.Line{Text: name, Style: nodeStyle(i) | draw.Bold}, draw.Line{Text: fmt.Sprintf("%5.1f%% ", s.Shares[i]*100), Style: Text},
			draw.Line{Text: draw.Pad(draw.Bar(s.Shares[i]/max(most, 1e-9), bar), bar), Style: nodeStyle(i)}, draw.Line{Text: text, Style: pick(mark == "", Dim, Warn)})
	}
	if left := len(v.Nodes) - rows*cols; left > 0 && rows > 0 {
		out[rows-1] = draw.Spans{{Text: fmt.Sprintf("… %d more nodes", left+cols), Style: Dim}}
	}
	return out
}

// click puts the cursor under the pointer.
func (p *stripPicture) click(x int) {
	if x >= stripLeft && x < stripLeft+p.width {
		p.cursor = x - stripLeft
	}
}
