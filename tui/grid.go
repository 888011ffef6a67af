package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/answer"
	"ringlab/tui/draw"
)

// grid is a whole result with a cell cursor. It renders only what is seen, so
// the number of rows does not matter.
type grid struct {
	answer *answer.Answer
	rows   [][]answer.Cell
	widths []int
	list   list
	col    int
	left   int // first column shown behind the frozen first one
	sorted int // column + 1, negative when descending
	detail bool
	height int
	find   finder
	spots  []int // where each column that is seen begins, as columns
	cols   []int
	under  overlay // that it came from
}

func newGrid(a *answer.Answer) *grid {
	g := &grid{answer: a, rows: a.Rows}
	sample := a.Rows
	if len(sample) > 500 {
		sample = sample[:500]
	}
	g.widths = columnWidths(a, sample, 40)
	for i := range g.widths { // a name has room for the mark of the order
		g.widths[i] = max(g.widths[i], min(draw.Width(a.Columns[i].Name)+2, 40))
	}
	return g
}

func (g *grid) paint(_ *Scene, c *draw.Canvas) (int, int) {
	a := g.answer
	right := fmt.Sprintf("%s rows  %d columns  esc closes", draw.Thousands(int64(len(a.Rows))), len(a.Columns))
	in, _, _ := panel(c, c.W, c.H-1, "result "+draw.Truncate(strings.Join(strings.Fields(a.Statement), " "), max(c.W/2, 8)), right)
	if in.W < 8 || in.H < 4 || len(a.Columns) == 0 {
		return -1, -1
	}
	foot := 1
	if g.detail {
		foot = min(in.H/2, 10)
	}
	g.height = in.H - 2 - foot
	g.list.clamp(len(g.rows), g.height)
	cols := g.visible(in.W)
	x := 1
	g.cols, g.spots = cols, g.spots[:0]
	for _, i := range cols {
		g.spots = append(g.spots, x)
		head := a.Columns[i].Name
		if g.sorted == i+1 {
			head += " ▴"
		} else if g.sorted == -i-1 {
			head += " ▾"
		}
		in.PutIn(x, 0, min(g.widths[i], in.W-x), pick(i == g.col, columnStyle(a.Columns[i])|draw.Underline, columnStyle(a.Columns[i])), head)
		in.Fill(x-1, 1, g.widths[i]+3, Border, "─")
		if x > 1 {
			in.Put(x-2, 0, Border, "│")
			in.Put(x-2, 1, Border, "┼")
		}
		x += g.widths[i] + 3
	}
	for r := range min(g.height, len(g.rows)-g.list.top) {
		g.paintRow(in, 2+r, g.list.top+r, cols)
	}
	if len(g.rows) == 0 {
		in.PutIn(1, 2, in.W-2, Dim, "no rows")
	}
	g.paintFoot(in, foot)
	return -1, -1
}

// visible returns the columns to draw: the first stays, the rest begins at left.
func (g *grid) visible(w int) []int {
	fit := func() []int {
		cols, used := []int{0}, g.widths[0]+3
		for i := max(g.left, 1); i < len(g.widths); i++ {
			if used+min(g.widths[i], 8) > w-2 {
				break
			}
			cols = append(cols, i)
			used += g.widths[i] + 3
		}
		return cols
	}
	if g.col > 0 && g.col < max(g.left, 1) {
		g.left = g.col
	}
	cols := fit()
	for g.col > 0 && !slices.Contains(cols, g.col) && g.left < len(g.widths) {
		g.left = max(g.left, 1) + 1
		cols = fit()
	}
	return cols
}

func (g *grid) paintRow(in *draw.Canvas, y, n int, cols []int) {
	x := 1
	row := g.rows[n]
	for _, i := range cols {
		w := min(g.widths[i], in.W-x-1)
		if w <= 0 {
			break
		}
		if i < len(row) {
			fitSpans(valueSpans(g.answer.Columns[i].Type, row[i]), w, numeric(g.answer.Columns[i].Type)).Paint(in, x, y, w)
		}
		if n == g.list.cur {
			in.Restyle(x-1, y, w+2, pick(i == g.col, Select|draw.Underline, Select))
		}
		if x > 1 {
			in.Put(x-2, y, Border, "│")
		}
		x += g.widths[i] + 3
	}
}

func (g *grid) paintFoot(in *draw.Canvas, foot int) {
	y := in.H - foot
	if g.detail && g.list.cur < len(g.rows) && g.col < len(g.rows[g.list.cur]) {
		rule(in, y)
		col, cell := g.answer.Columns[g.col], g.rows[g.list.cur][g.col]
		in.PutIn(1, y, in.W-2, Title, col.Name+"  "+col.Type+"  "+draw.Thousands(int64(len(cell.Text)))+" bytes of text ")
		text := pick(cell.Null, "null", cell.Text)
		if len(text) > 1<<14 {
			text = text[:1<<14]
		}
		for i, l := range draw.Wrap(text, in.W-2) {
			if y+1+i >= in.H {
				break
			}
			in.PutIn(1, y+1+i, in.W-2, Text, l)
		}
		return
	}
	if g.find.shown() {
		g.find.paint(in, in.H-1, fmt.Sprintf("%d of %d rows", len(g.rows), len(g.answer.Rows)))
		return
	}
	hints(in, in.H-1, fmt.Sprintf("row %d", g.list.cur+1), "column "+draw.Truncate(g.answer.Columns[min(g.col, len(g.answer.Columns)-1)].Name, 20), "enter cell", "o sort", "/ filter", "E file", "y row", "c copies", "← → column")
}

func (g *grid) key(k tea.KeyPressMsg) (Action, bool) {
	if g.find.key(k) {
		g.narrow()
		return Action{}, false
	}
	id := lookup(k.String(), "grid", "lists", "everywhere")
	if g.list.move(id, len(g.rows), g.height) {
		return Action{}, false
	}
	switch id {
	case "find":
		g.find.begin()
	case "back", "quit", "cancel":
		if g.find.text != "" {
			g.find = finder{}
			g.narrow()
			return Action{}, false
		}
		if g.detail {
			g.detail = false
			return Action{}, false
		}
		return Action{Overlay: g.under}, true
	case "left":
		g.col = max(g.col-1, 0)
	case "right":
		g.col = min(g.col+1, max(len(g.widths)-1, 0))
	case "open":
		command, problem := g.cellCommand()
		if problem == "" && !g.detail {
			return Action{Look: command}, false
		}
		g.detail = !g.detail
		return Action{Status: pick(g.detail, problem, "")}, false
	case "grid.sort":
		g.sort()
	case "grid.reverse":
		g.sorted = pick(g.sorted == -(g.col+1), 0, g.col+1)
		g.sort()
	case "grid.versions":
		return g.versions(), false
	case "export":
		return Action{Export: g}, false
	case "copy.pane":
		return Action{Copy: rowsCSV(g.answer, g.rows)}, false
	case "copy":
		if g.list.cur < len(g.rows) {
			var parts []string
			for _, c := range g.rows[g.list.cur] {
				parts = append(parts, pick(c.Null, "null", c.Text))
			}
			return Action{Copy: strings.Join(parts, "\t")}, false
		}
	}
	return Action{}, false
}

// sort orders by the cursor's column: ascending, descending, as it came.
func (g *grid) sort() {
	by := g.col + 1
	switch g.sorted {
	case by:
		g.sorted = -by
	case -by:
		g.sorted = 0
		g.narrow()
		return
	default:
		g.sorted = by
	}
	g.order()
}

// narrow shows the rows that have what is searched for, in the chosen order.
func (g *grid) narrow() {
	g.rows = g.answer.Rows
	if text := strings.TrimPrefix(g.find.text, "!"); text != "" {
		g.rows = nil
		for _, r := range g.answer.Rows {
			var line strings.Builder
			for _, c := range r {
				line.WriteString(pick(c.Null, "null", c.Text) + "\x00")
			}
			if g.find.hits(line.String()) {
				g.rows = append(g.rows, r)
			}
		}
	}
	if g.sorted != 0 {
		g.order()
	}
}

// order sorts the shown rows by the chosen column.
func (g *grid) order() {
	col := max(g.sorted, -g.sorted) - 1
	g.rows = slices.Clone(g.rows)
	number := numeric(g.answer.Columns[col].Type)
	slices.SortStableFunc(g.rows, func(a, b []answer.Cell) int {
		var x, y answer.Cell
		if col < len(a) && col < len(b) {
			x, y = a[col], b[col]
		}
		less := strings.Compare(x.Text, y.Text)
		if number {
			fx, _ := strconv.ParseFloat(x.Text, 64)
			fy, _ := strconv.ParseFloat(y.Text, 64)
			less = pick(fx < fy, -1, pick(fx > fy, 1, 0))
		}
		return pick(g.sorted < 0, -less, less)
	})
}

func (g *grid) wheel(delta int) { g.list.cur = max(g.list.cur+delta, 0) }

// click chooses the cell under the pointer; on a column's name it sorts by it.
func (g *grid) click(x, y int) (Action, bool) {
	for i, from := range g.spots {
		if x-1 >= from-1 && (i+1 == len(g.spots) || x-1 < g.spots[i+1]-1) && y >= 1 && i < len(g.cols) {
			g.col = g.cols[i]
		}
	}
	switch n := g.list.top + y - 3; {
	case y == 1:
		g.sort()
	case y >= 3 && y < 3+g.height && n < len(g.rows):
		g.list.cur = n
	}
	return Action{}, false
}

func (g *grid) opens() {}

func (g *grid) pasted(string) {}
