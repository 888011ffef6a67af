package tui

import (
	"strings"

	"ringlab/engine/view"
	"ringlab/model/design"
	"ringlab/tui/draw"
)

// schemaPane shows keyspaces, tables and the partitions of the selected table.
type schemaPane struct {
	list   list
	shut   map[string]bool // closed keyspaces
	rowAt  []int           // item on each painted row, -1 for none
	height int
	nested nestedMap
}

// schemaItem is a row the cursor can stand on.
type schemaItem struct {
	kind      byte // k keyspace, t table, p partition
	ks, table int
	part      int
}

var sorts = []string{"size", "rows", "tombstones", "growth", "key"}

func (p *schemaPane) items(v *view.View) []schemaItem {
	var out []schemaItem
	for i, ks := range v.Keyspaces {
		out = append(out, schemaItem{kind: 'k', ks: i})
		if p.shut[ks.Name] {
			continue
		}
		for j := range ks.Tables {
			out = append(out, schemaItem{kind: 't', ks: i, table: j})
		}
	}
	for i := range v.Partitions {
		out = append(out, schemaItem{kind: 'p', part: i})
	}
	return out
}

func (p *schemaPane) Title(sc *Scene) (string, string) {
	right := sc.Need.Keyspace
	if (sc.Zoomed || sc.Need.Map) && sc.Need.Table != "" {
		right += "." + sc.Need.Table
	}
	return "1 Schema", right
}

func (p *schemaPane) Keys(sc *Scene) []string {
	if sc.Need.Map {
		return []string{"schema.map", "left", "right", "schema.left", "schema.right", "open"}
	}
	return []string{"open", "schema.new", "schema.insert", "schema.growth", "schema.fill", "schema.options", "schema.map", "schema.sort", "schema.replicas", "schema.xray", "schema.describe", "schema.clear"}
}

func (p *schemaPane) Paint(sc *Scene, c *draw.Canvas) {
	if sc.Need.Map {
		p.nested.paint(sc, c)
		return
	}
	v := sc.V
	p.rowAt = p.rowAt[:0]
	for range c.H {
		p.rowAt = append(p.rowAt, -1)
	}
	if len(v.Keyspaces) == 0 {
		for i, s := range draw.Wrap("No tables yet.\n\nn  new tables, from what you ask\nI  import a CQL file\n6  a lesson of the guide\n3  the console:\nCREATE KEYSPACE ks WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};", c.W-2) {
			if key, rest, ok := strings.Cut(s, "  "); ok && len(key) == 1 {
				c.Put(c.Put(1, 1+i, Key, key), 1+i, Dim, "  "+rest)
				continue
			}
			c.Put(1, 1+i, pick(i == 0, Text|draw.Bold, Dim), s)
		}
		return
	}
	items := p.items(v)
	parts := len(v.Partitions)
	tree := len(items) - parts
	extra := 0
	if selectedTable(v, sc.Need) != nil {
		extra = 2
	}
	hist := 0
	if c.H >= 18 && len(v.Histogram) > 0 {
		hist = min(len(v.Histogram)+1, c.H/4+1)
	}
	var grows []draw.Spans
	if c.H >= 20 && parts > 0 {
		grows = growthLine(v.Growth, c.W-2)
		grows = grows[:min(len(grows), 3)]
	}
	foot := c.H
	for i, l := range grows {
		foot = c.H - len(grows)
		l.Paint(c, 1, foot+i, c.W-2)
	}
	c = c.Sub(0, 0, c.W, foot)
	treeRows := min(tree+extra, max(c.H-hist-min(parts, 4)-2, c.H/3))
	p.height = max(c.H-hist-treeRows-2, 1)
	p.list.clamp(len(items), max(len(items), 1))
	y := p.paintTree(sc, c, items[:tree], treeRows)
	if parts == 0 {
		if sc.Need.Filter != "" && y+1 < c.H {
			c.PutIn(1, y+1, c.W-2, Dim, "no partition fits /"+sc.Need.Filter+"; esc shows all")
			return
		}
		if sc.Need.Table != "" && y+1 < c.H {
			c.PutIn(1, y+1, c.W-2, Dim, "no rows yet: i inserts one, f fills")
		}
		return
	}
	p.paintPartitions(sc, c.Sub(0, y, c.W, c.H-hist-y), tree, y)
	if hist > 0 {
		paintHistogram(sc, c.Sub(0, c.H-hist, c.W, hist))
	}
}

func (p *schemaPane) paintTree(sc *Scene, c *draw.Canvas, items []schemaItem, rows int) int {
	top := 0
	if p.list.cur < len(items) && p.list.cur >= rows-2 {
		top = p.list.cur - max(rows-3, 0)
	}
	y := 0
	for i := top; i < len(items) && y < rows; i++ {
		it := items[i]
		ks := &sc.V.Keyspaces[it.ks]
		p.rowAt[y] = i
		selected := sc.Focused && i == p.list.cur
		if it.kind == 'k' {
			mark := pick(p.shut[ks.Name], "▸ ", "▾ ")
			x := c.Put(1, y, Text|draw.Bold, mark)
			x = c.PutIn(x, y, c.W-x-1, Text|draw.Bold, ks.Name)
			c.PutIn(max(x+2, min(21, c.W/2)), y, c.W-max(x+2, min(21, c.W/2))-1, Dim, ks.Replication)
			p.mark(c, y, selected)
			y++
			continue
		}
		t := &ks.Tables[it.table]
		current := ks.Name == sc.Need.Keyspace && t.Name == sc.Need.Table
		x := c.Put(3, y, pick(current, Accent, Text), pick(current, "▾ ", "▸ "))
		x = c.PutIn(x, y, c.W-x-1, pick(current, Accent|draw.Bold, Text), t.Name)
		col := max(x+2, min(21, c.W/2))
		col = c.PutIn(col, y, c.W-col-1, Dim, t.Language)
		c.PutIn(col+2, y, c.W-col-3, Dim, t.Compaction)
		p.mark(c, y, selected)
		y++
		if current && y+1 < rows {
			c.PutIn(7, y, c.W-8, Dim, t.Key)
			x := c.PutIn(7, y+1, c.W-8, Text, draw.Count(t.Partitions)+plural(t.Partitions, " partition", " partitions"))
			x = c.PutIn(x+2, y+1, c.W-x-3, Text, draw.Count(t.Rows)+plural(t.Rows, " row", " rows"))
			if size := draw.Bytes(t.Bytes); x+2+draw.Width(size) < c.W {
				c.Put(x+2, y+1, Dim, size)
			}
			y += 2
		}
	}
	return y
}

func (p *schemaPane) mark(c *draw.Canvas, y int, selected bool) {
	if selected {
		c.Restyle(0, y, c.W, Select)
	}
}

func (p *schemaPane) Do(id string, sc *Scene) (Action, bool) {
	if id == "schema.map" {
		return p.nested.toggle(sc), true
	}
	if sc.Need.Map {
		if a, ok := p.nested.do(id, sc); ok {
			return a, true
		}
	}
	items := p.items(sc.V)
	if p.list.move(id, len(items), p.height) {
		if listed := len(sc.V.Partitions); p.list.cur == len(items)-1 && listed >= max(sc.Need.Partitions, 64) {
			return Action{Need: func(n *view.Need) { n.Partitions = 2 * listed }}, true // as many as were asked for: there may be more
		}
		return Action{}, true
	}
	switch id {
	case "open", "right", "left":
		if p.list.cur >= len(items) {
			return Action{}, true
		}
		return p.open(items[p.list.cur], sc, id), true
	case "schema.sort":
		next := sorts[0]
		for i, s := range sorts {
			if s == sc.Need.Sort || sc.Need.Sort == "" && i == 0 {
				next = sorts[(i+1)%len(sorts)]
			}
		}
		return Action{Need: func(n *view.Need) { n.Sort = next }, Status: "partitions by " + next}, true
	case "schema.replicas":
		return openSheet(sc, view.SheetReplicas), true
	case "schema.xray":
		return openSheet(sc, view.SheetXRay), true
	case "schema.growth":
		return Action{Overlay: newGrowthPicture(sc)}, true
	case "schema.left", "schema.right":
		return Action{Status: "those columns are the map's: " + keyText(bindingByID["schema.map"].Keys[0]) + " shows the table as one"}, true
	case "schema.reverse":
		return Action{Need: func(n *view.Need) { n.Reverse = !n.Reverse }, Status: "the other way round"}, true
	case "back":
		if sc.Need.Filter != "" {
			return Action{Need: func(n *view.Need) { n.Filter = "" }, Status: "all partitions again"}, true
		}
	case "schema.describe":
		if sc.Need.Table == "" {
			return Action{Status: "no table is selected"}, true
		}
		return Action{Run: "DESCRIBE TABLE " + design.Quote(sc.Need.Keyspace) + "." + design.Quote(sc.Need.Table)}, true
	case "schema.clear":
		return Action{Need: func(n *view.Need) { n.Key = "" }, Status: "no partition selected"}, true
	}
	return Action{}, false
}

func (p *schemaPane) open(it schemaItem, sc *Scene, id string) Action {
	v := sc.V
	switch it.kind {
	case 'k':
		if p.shut == nil {
			p.shut = map[string]bool{}
		}
		name := v.Keyspaces[it.ks].Name
		p.shut[name] = id == "left" || id == "open" && !p.shut[name]
	case 't':
		ks, t := v.Keyspaces[it.ks].Name, v.Keyspaces[it.ks].Tables[it.table].Name
		return Action{Need: func(n *view.Need) {
			if n.Keyspace != ks || n.Table != t {
				n.Keyspace, n.Table, n.Key, n.Partitions = ks, t, "", 0
			}
		}, Status: "table " + ks + "." + t}
	case 'p':
		if id == "open" {
			key := v.Partitions[it.part].Key
			return Action{Need: func(n *view.Need) { n.Key = key }, Status: "◆ " + showKey(key) + " is selected everywhere"}
		}
	}
	return Action{}
}

func (p *schemaPane) Click(_, y int, sc *Scene) Action {
	if sc.Need.Map {
		if y >= 0 && y < len(p.nested.rowAt) {
			p.nested.row, p.nested.from = p.nested.rowAt[y], 0
			return p.nested.show()
		}
		return Action{}
	}
	if y >= 0 && y < len(p.rowAt) && p.rowAt[y] >= 0 {
		p.list.cur = p.rowAt[y]
		if items := p.items(sc.V); p.list.cur < len(items) && items[p.list.cur].kind != 'k' {
			return p.open(items[p.list.cur], sc, "open")
		}
	}
	return Action{}
}

func (p *schemaPane) Wheel(delta int) { p.list.cur = max(p.list.cur+delta, 0) }

// morePartitions is how many partitions the table has behind those that are listed,
// as far as that is known.
func morePartitions(sc *Scene) int64 {
	t := selectedTable(sc.V, sc.Need)
	if t == nil || sc.Need.Filter != "" {
		return 0
	}
	return max(t.Partitions-int64(len(sc.V.Partitions)), 0)
}

// selectedTable finds the table the need names.
func selectedTable(v *view.View, n view.Need) *view.Table {
	if n.Table == "" && v.Storage != nil { // the lab chose one
		n.Keyspace, n.Table = v.Storage.Keyspace, v.Storage.Table
	}
	for i := range v.Keyspaces {
		if v.Keyspaces[i].Name != n.Keyspace {
			continue
		}
		for j := range v.Keyspaces[i].Tables {
			if v.Keyspaces[i].Tables[j].Name == n.Table {
				return &v.Keyspaces[i].Tables[j]
			}
		}
	}
	return nil
}

func nodeNames(v *view.View, nodes []int) string {
	names := make([]string, len(nodes))
	for i, n := range nodes {
		names[i] = nodeName(v, n)
	}
	return strings.Join(names, " ")
}

func nodeName(v *view.View, n int) string {
	if n < 0 || n >= len(v.Nodes) {
		return "?"
	}
	return v.Nodes[n].Name
}

func pick[T any](cond bool, yes, no T) T {
	if cond {
		return yes
	}
	return no
}

func plural(n int64, one, many string) string { return pick(n == 1, one, many) }

// rule draws a thin line over a row.
func rule(c *draw.Canvas, y int) { c.Fill(0, y, c.W, Border, "─") }
