package tui

import (
	"strconv"
	"strings"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// nestedMap is the other face of the Schema pane: the selected table as a map of
// row keys to sorted maps of columns, drawn as boxes in the order of the
// comparator. The row of the cursor scrolls sideways.
type nestedMap struct {
	row, top, from int
	seen           int // rows that fit
	boxes          int // boxes of the cursor's row that fit
	rowAt          []int
}

// boxHeight is the lines of a row: a border, name, value, a border.
const boxHeight = 4

// widest is how many cells a name or a value gets in its box.
const widest = 22

func (m *nestedMap) paint(sc *Scene, c *draw.Canvas) {
	m.rowAt = m.rowAt[:0]
	n := sc.V.Nested
	if n == nil || len(n.Rows) == 0 {
		c.PutIn(1, 0, c.W-2, Text|draw.Bold, "No rows yet.")
		c.PutIn(1, 1, c.W-2, Dim, "Choose a table in the list (m goes back), and write to it.")
		return
	}
	x := c.PutIn(1, 0, c.W-2, Title, "Map<RowKey, SortedMap<Name, Value>>")
	c.PutIn(x+2, 0, c.W-x-3, Dim, "rows by "+strings.TrimSuffix(n.Order, "s")+", columns by "+n.Comparator)
	m.seen = max((c.H-1)/boxHeight, 1)
	keys := 17
	for _, r := range n.Rows {
		keys = max(keys, c.Width(showKey(r.Key)))
	}
	keys = min(keys, max(c.W/4, 8), 24)
	m.top = max(min(m.top, m.row, n.Of-m.seen), m.row-m.seen+1, n.Top, 0)
	skip := m.top - n.Top
	for i := skip; i < len(n.Rows) && i-skip < m.seen; i++ {
		y := 1 + (i-skip)*boxHeight
		for len(m.rowAt) < y+boxHeight {
			m.rowAt = append(m.rowAt, n.Top+i)
		}
		m.paintRow(sc, c.Sub(0, y, c.W, min(boxHeight, c.H-y)), &n.Rows[i], keys, n.Top+i == m.row)
	}
}

// paintRow paints one row: its key on the left, its boxes beside it.
func (m *nestedMap) paintRow(sc *Scene, c *draw.Canvas, r *view.NestedRow, keys int, current bool) {
	chosen := r.Key == sc.Need.Key
	if chosen {
		c.Put(0, 1, Accent, "◆")
	}
	c.PutIn(1, 1, keys, pick(current, Accent|draw.Bold, Text|draw.Bold), showKey(r.Key))
	c.PutIn(1, 2, keys, Dim, nodeName(sc.V, r.Node)+" "+draw.Thousands(int64(r.Of))+plural(int64(r.Of), " column", " columns"))
	if r.InHand {
		c.PutIn(1, 0, keys, Accent, "returned "+draw.Thousands(int64(r.Returned)))
		c.PutIn(1, 3, keys, pick(r.Read > r.Returned, Warn, Dim), "of "+draw.Thousands(int64(r.Read))+" read")
	} else {
		c.PutIn(1, 0, keys, Dim, r.Token)
	}
	if current && sc.Focused {
		c.Restyle(0, 1, keys+1, Select)
	}
	x := keys + 2
	if r.From > 0 {
		x = c.Put(x, 1, Dim, "‹"+strconv.Itoa(r.From)) + 1
	}
	shown := 0
	for i := range r.Boxes {
		w := boxWidth(c, &r.Boxes[i])
		last := r.From+i+1 == r.Of
		if x+w > c.W-pick(last, 0, 2+len(strconv.Itoa(r.Of))) {
			break
		}
		paintBox(c.Sub(x, 0, w, c.H), &r.Boxes[i])
		x += w
		shown++
	}
	if left := r.Of - r.From - shown; left > 0 {
		c.Right(c.W-1, 1, Dim, strconv.Itoa(left)+"›")
	}
	if current {
		m.boxes = max(shown, 1)
	}
}

// boxName is the name in a box; under an outer name that stands in front.
func boxName(b *view.NestedBox) string {
	if b.Super != "" {
		return b.Super + "›" + b.Name
	}
	return b.Name
}

func boxWidth(c *draw.Canvas, b *view.NestedBox) int {
	return min(max(c.Width(boxName(b)), c.Width(b.Value), 1), widest) + 2
}

// paintBox draws a column: what the slice in hand gave is bright, what it only
// went over has the colour of a warning.
func paintBox(c *draw.Canvas, b *view.NestedBox) {
	border, name, value := draw.Style(Border), draw.Style(Text), draw.Style(Text)
	switch {
	case b.Returned:
		border, name, value = Accent, Accent|draw.Bold, Text|draw.Bold
	case b.Read:
		border, name = Warn, Warn
	}
	if b.Dead {
		value = Dim
	}
	across := strings.Repeat(pick(b.Returned, "━", "─"), c.W-2)
	corners := pick(b.Returned, []string{"┏", "┓", "┗", "┛", "┃"}, []string{"┌", "┐", "└", "┘", "│"})
	c.Put(0, 0, border, corners[0]+across+corners[1])
	c.Put(0, c.H-1, border, corners[2]+across+corners[3])
	for y := 1; y < c.H-1; y++ {
		c.Put(0, y, border, corners[4])
		c.Put(c.W-1, y, border, corners[4])
	}
	if c.H > 2 {
		c.PutIn(1, 1, c.W-2, name, boxName(b))
	}
	if c.H > 3 {
		c.PutIn(1, 2, c.W-2, value, b.Value)
	}
}

// do moves about; ok is false for what is none of its business.
func (m *nestedMap) do(id string, sc *Scene) (Action, bool) {
	n := sc.V.Nested
	if n == nil || len(n.Rows) == 0 {
		return Action{}, false
	}
	row, from := m.row, m.from
	switch id {
	case "up":
		row--
	case "down":
		row++
	case "top":
		row = 0
	case "bottom":
		row = n.Of - 1
	case "pgup":
		row -= max(m.seen, 1)
	case "pgdn":
		row += max(m.seen, 1)
	case "left":
		from--
	case "right":
		from++
	case "schema.left":
		from -= max(m.boxes, 1)
	case "schema.right":
		from += max(m.boxes, 1)
	case "open":
		if i := m.row - n.Top; i >= 0 && i < len(n.Rows) {
			key := n.Rows[i].Key
			return Action{Need: func(w *view.Need) { w.Key = key }, Status: "◆ " + showKey(key) + " is selected everywhere"}, true
		}
		return Action{}, true
	default:
		return Action{}, false
	}
	if row = max(min(row, n.Of-1), 0); row != m.row {
		from = 0
	}
	m.row = row
	if i := row - n.Top; i >= 0 && i < len(n.Rows) {
		r := &n.Rows[i]
		if from > m.from && m.from == r.From && r.From+m.boxes >= r.Of {
			from = m.from // the last column is in sight
		}
		from = min(from, r.Of-1)
	}
	m.from = max(from, 0)
	return m.show(), true
}

// before is how many rows in front of the cursor's are asked for: more than fit.
const before = 12

// show asks for what the map shows.
func (m *nestedMap) show() Action {
	at := *m
	return Action{Need: func(w *view.Need) {
		w.Map, w.MapTop, w.MapRow, w.MapFrom = true, max(at.row-before, 0), at.row, at.from
	}}
}

// toggle goes to the map of the selected table, or back to the list.
func (m *nestedMap) toggle(sc *Scene) Action {
	if sc.Need.Map {
		return Action{Need: func(w *view.Need) { w.Map = false }, Status: "keyspaces and tables"}
	}
	m.row, m.top, m.from = 0, 0, 0
	a := m.show()
	a.Status = "the table as Map<RowKey, SortedMap<Name, Value>>; m goes back"
	return a
}
