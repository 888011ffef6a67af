package picture

import (
	"fmt"

	"ringlab/engine/admin"
	"ringlab/engine/view"
	"ringlab/model/schema"
)

// sheeter keeps the sheet that was made last.
type sheeter struct {
	table *schema.Table
	at    int64
	made  *view.Sheet
}

// sheetRows is the number of rows up to which a partition is laid out for a pane.
const sheetRows = 5000

// sheet lays out the selected partition, or the first of the list.
func (p *Painter) sheet(t *schema.Table, kind, key string) *view.Sheet {
	if key == "" && len(p.parts.list) > 0 {
		key = p.parts.list[0].Key
	}
	c, s := p.core.Cluster, &p.sheets
	at := changes(c, t)
	if m := s.made; m != nil && s.table == t && s.at == at && m.Kind == kind && m.Key == key {
		return m
	}
	w := &view.Sheet{Kind: kind, Keyspace: t.Keyspace, Table: t.Name, Key: key}
	s.table, s.at, s.made = t, at, w
	bytes, err := p.key(t, key)
	switch {
	case key == "":
		w.Err = "no partition: choose a table that has some in Schema"
		return w
	case err != nil:
		w.Err = err.Error()
		return w
	}
	token := c.Partitioner().Token(bytes)
	for _, n := range c.Nodes {
		if q := c.Store(n.Index, t).Quick(string(bytes), token); q.Rows > sheetRows {
			command := map[string]string{view.SheetReplicas: ":partition %s %s cells", view.SheetXRay: ":xray %s %s"}[kind]
			w.Err = fmt.Sprintf("%d rows are too many to show at once; `"+command+"` prints them", q.Rows, t, key)
			return w
		}
	}
	switch kind {
	case view.SheetReplicas:
		var names [][]byte
		w.Heads, w.Rows, w.Differ, names = admin.Physical(p.core, t, bytes)
		for _, name := range names {
			w.Cells = append(w.Cells, admin.CellCommand(t, key, name))
		}
	case view.SheetXRay:
		if w.Heads, w.Rows, err = admin.XRay(p.core, t, bytes); err != nil {
			w.Err = err.Error()
		}
	}
	return w
}
