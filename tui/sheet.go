package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// sheetPicture shows a partition as a table: on each replica side by side, or in
// the layouts of three eras.
type sheetPicture struct {
	sc   *Scene
	kind string
	list list
	left int // first column behind the frozen one
	rows int
	x, y int // of the inside
}

// sheetTitles are the sheets' names.
var sheetTitles = map[string]string{view.SheetReplicas: "replicas", view.SheetXRay: "x-ray"}

// openSheet shows a sheet of the selected partition.
func openSheet(sc *Scene, kind string) Action {
	return Action{Overlay: &sheetPicture{sc: sc, kind: kind}, Need: func(n *view.Need) { n.Sheet = kind }}
}

// sheet is the one that is asked for, nil while it is not there yet.
func (p *sheetPicture) sheet() *view.Sheet {
	if s := p.sc.V.Sheet; s != nil && s.Kind == p.kind {
		return s
	}
	return nil
}

func (p *sheetPicture) paint(sc *Scene, c *draw.Canvas) (int, int) {
	p.sc = sc
	s := p.sheet()
	title := sheetTitles[p.kind]
	if s != nil {
		title += "  " + s.Table + "  " + showKey(s.Key)
	}
	h := c.H - 1
	if s != nil && s.Err == "" {
		h = min(h, len(s.Rows)+7)
	}
	in, x, y := panel(c, c.W-pick(c.W < 64, 0, 2), h, draw.Truncate(title, max(c.W-20, 4)), "esc closes")
	p.x, p.y = x, y
	if in.W < 12 || in.H < 4 {
		return -1, -1
	}
	switch {
	case s == nil:
		in.PutIn(1, 0, in.W-2, Dim, "…")
		return -1, -1
	case s.Err != "":
		for i, l := range draw.Wrap(s.Err, in.W-2) {
			in.PutIn(1, i, in.W-2, Warn, l)
		}
		return -1, -1
	}
	foot := draw.Wrap(p.told(s), in.W-2)
	foot = foot[:min(len(foot), max(in.H/3, 1))]
	p.rows = max(in.H-2-len(foot), 1)
	p.list.clamp(len(s.Rows), p.rows)
	p.paintTable(in.Sub(0, 0, in.W, 1+p.rows), s)
	for i, l := range foot {
		in.PutIn(1, in.H-len(foot)+i, in.W-2, Dim, l)
	}
	return -1, -1
}

// paintTable writes the columns that have room: the first, then those from left on.
func (p *sheetPicture) paintTable(c *draw.Canvas, s *view.Sheet) {
	widths := make([]int, len(s.Heads))
	for i, h := range s.Heads {
		widths[i] = draw.Width(h)
		for _, r := range s.Rows[:min(len(s.Rows), 500)] {
			widths[i] = max(widths[i], draw.Width(r[i]))
		}
	}
	widths[0] = min(widths[0], max(c.W/3, 8))
	p.left = max(0, min(p.left, len(s.Heads)-2))
	x, first := 1, true
	for i := 0; i < len(s.Heads) && x < c.W-1; i++ {
		if i > 0 && i <= p.left {
			continue
		}
		w := min(widths[i], c.W-1-x)
		if w < min(widths[i], 6) && !first {
			break
		}
		c.PutIn(x, 0, w, Title, s.Heads[i])
		for j := range min(c.H-1, len(s.Rows)-p.list.top) {
			n := p.list.top + j
			style := Text
			switch {
			case i == 0:
				style = Accent
			case s.Differ != nil && s.Differ[n]:
				style = Stale
			case s.Rows[n][i] == "—":
				style = Dim
			}
			c.PutIn(x, 1+j, w, style, s.Rows[n][i])
		}
		x += w + 2
		first = false
	}
	for j := range min(c.H-1, len(s.Rows)-p.list.top) {
		n := p.list.top + j
		if s.Differ != nil && s.Differ[n] {
			c.Put(0, 1+j, Stale, "≈")
		}
		if n == p.list.cur {
			c.Restyle(0, 1+j, c.W, Select)
		}
	}
}

// told are the words below the table.
func (p *sheetPicture) told(s *view.Sheet) string {
	if p.kind == view.SheetXRay {
		if p.list.cur < len(s.Rows) && len(s.Rows[p.list.cur]) > 5 {
			return s.Rows[p.list.cur][0] + ": " + s.Rows[p.list.cur][5]
		}
		return ""
	}
	differ := 0
	for _, d := range s.Differ {
		differ += pick(d, 1, 0)
	}
	if len(s.Rows) == 0 {
		return "no replica holds anything of it"
	}
	return fmt.Sprintf("%d of %d %s.  enter: every version  ← → columns", differ, len(s.Rows), pick(differ == 0, "differ: every replica has the same", "differ between replicas (≈)"))
}

func (p *sheetPicture) key(k tea.KeyPressMsg) (Action, bool) {
	s := p.sheet()
	switch id := lookup(k.String(), "lists", "everywhere"); id {
	case "open":
		return p.openCell()
	case "back", "quit", "cancel":
		return Action{Need: func(n *view.Need) { n.Sheet = "" }}, true
	case "left":
		p.left = max(p.left-1, 0)
	case "right":
		p.left++
	case "copy":
		text := ""
		if s != nil {
			for _, r := range append([][]string{s.Heads}, s.Rows...) {
				for i, cell := range r {
					text += pick(i > 0, "\t", "") + cell
				}
				text += "\n"
			}
		}
		return Action{Copy: text}, false
	default:
		if s != nil {
			p.list.move(id, len(s.Rows), p.rows)
		}
	}
	return Action{}, false
}

func (p *sheetPicture) wheel(delta int) { p.list.cur = max(p.list.cur+delta, 0) }

func (p *sheetPicture) click(_, y int) (Action, bool) {
	if n := p.list.top + y - p.y - 1; y > p.y && y-p.y <= p.rows {
		p.list.cur = n
	}
	return Action{}, false
}

func (p *sheetPicture) pasted(string) {}

func (p *sheetPicture) opens() {}
