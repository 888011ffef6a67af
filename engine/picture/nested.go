package picture

import (
	"ringlab/engine/session"
	"ringlab/engine/view"
	"ringlab/model/schema"
)

// nestedRows keeps the map of a table until something happens.
type nestedRows struct {
	table *schema.Table
	need  view.Need
	at    uint64 // events when it was made
	cost  uint64 // columns that were looked at
	made  *view.Nested
}

// How much of a table is shown at most.
const (
	nestedShown = 32 // rows
	boxesShown  = 64 // columns of a row
)

// nested is a table as a map of sorted maps. A large one is not made anew at
// every event.
func (p *Painter) nested(t *schema.Table, need view.Need) *view.Nested {
	r, now := &p.rows, uint64(p.core.Cluster.Events())
	same := r.made != nil && r.table == t && r.need.MapTop == need.MapTop && r.need.MapRow == need.MapRow && r.need.MapFrom == need.MapFrom
	if same && (now == r.at || now > r.at && now-r.at < r.cost/8) {
		return r.made
	}
	*r = nestedRows{table: t, need: need, at: now}
	keys := p.core.RowsOf(t)
	out := &view.Nested{Order: p.core.RowOrder(), Comparator: session.OrderOf(t), Of: len(keys)}
	out.Top = max(min(need.MapTop, len(keys)-1), 0)
	show := session.Boxes(t)
	for i := out.Top; i < min(out.Top+nestedShown, len(keys)); i++ {
		n, ok := p.core.Nested(t, []byte(keys[i].Key))
		if !ok {
			continue
		}
		r.cost += uint64(len(n.Columns))
		from := 0
		if i == need.MapRow {
			from = max(min(need.MapFrom, len(n.Columns)-1), 0)
		}
		row := view.NestedRow{Key: t.KeyText([]byte(keys[i].Key)), Token: p.core.Cluster.Partitioner().Format(keys[i].Token), Node: n.Node,
			From: from, Of: len(n.Columns), InHand: n.InHand}
		for j := range n.Columns {
			c := &n.Columns[j]
			if c.Sliced {
				row.Read++
			}
			if c.Returned {
				row.Returned++
			}
			if j < from || len(row.Boxes) == boxesShown {
				continue
			}
			b := show(c)
			row.Boxes = append(row.Boxes, view.NestedBox{Super: b.Super, Name: b.Name, Value: b.Value,
				Dead: c.Kind == "deleted" || c.Kind == "range tombstone", Read: c.Sliced, Returned: c.Returned})
		}
		out.Rows = append(out.Rows, row)
	}
	r.made = out
	return out
}
