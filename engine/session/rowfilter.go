package session

import (
	"bytes"

	"ringlab/engine/query"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// rowFilter applies the filters of a SELECT to what a replica holds.
type rowFilter struct {
	feed            feeder
	partition, rows []plan.Filter
	found           []plan.Filter // those that a storage-attached index answers
	static          bool
	row             query.Row
	view            storage.View
	of              *storage.Partition // whose key and static cells, the first so many, row has
	statics         int
}

func newRowFilter(sel *plan.Select, now int64) *rowFilter {
	f := &rowFilter{feed: feeder{sel: sel, now: now}}
	for _, x := range sel.Filters {
		switch x.Column.Kind {
		case schema.Static:
			f.static = true
			fallthrough
		case schema.PartitionKey:
			f.partition = append(f.partition, x)
		default:
			f.rows = append(f.rows, x)
		}
	}
	for _, s := range sel.Seeks {
		if s.Index.IsSAI() {
			f.found = append(f.found, sel.Filters[s.Filter])
		}
	}
	return f
}

// Rows implements cluster.RowFilter.
func (f *rowFilter) Rows() bool { return len(f.rows) > 0 }

// Static implements cluster.RowFilter.
func (f *rowFilter) Static() bool { return f.static }

// Partition implements cluster.RowFilter.
func (f *rowFilter) Partition(p *storage.Partition) bool {
	if len(f.partition) == 0 {
		return true
	}
	f.open(p)
	return query.Passes(f.partition, &f.row)
}

// Row implements cluster.RowFilter.
func (f *rowFilter) Row(p *storage.Partition, r storage.Row, asHeld bool) bool {
	if len(f.rows) == 0 {
		return true
	}
	f.open(p)
	f.add(r)
	for i := range f.rows {
		x := &f.rows[i]
		if !query.Passes(f.rows[i:i+1], &f.row) && !(asHeld && f.deleted(x, r)) {
			return false
		}
	}
	return true
}

// Found implements cluster.RowFilter.
func (f *rowFilter) Found(p *storage.Partition, r storage.Row) bool {
	f.open(p)
	if !r.IsZero() {
		f.add(r)
	}
	for i := range f.found {
		if r.IsZero() && f.found[i].Column.Kind != schema.Static {
			continue
		}
		if query.Passes(f.found[i:i+1], &f.row) {
			return true
		}
	}
	return false
}

// Stumbles implements cluster.RowFilter.
func (f *rowFilter) Stumbles(p *storage.Partition, r storage.Row) bool {
	held := false
	for _, conditions := range [][]plan.Filter{f.partition, f.rows} {
		for i := range conditions {
			x := &conditions[i]
			row := r
			if x.Column.Kind == schema.Static {
				row = p.Static
			}
			if x.Column.Type.IsMultiCell() {
				held = held || holds(row, x.Column, &f.view)
				continue
			}
			if f.open(p); !r.IsZero() {
				f.add(r)
			}
			if !query.Passes(conditions[i:i+1], &f.row) {
				return false
			}
		}
	}
	return held
}

// holds says whether a row has anything of a column.
func holds(row storage.Row, column *schema.Column, view *storage.View) bool {
	if row.IsZero() {
		return false
	}
	in := row.Read(view)
	for c := (storage.Cell{}); in.Next(&c); {
		if c.Column == column.ID {
			return true
		}
	}
	return false
}

// open takes key and static cells of a partition.
func (f *rowFilter) open(p *storage.Partition) {
	f.row.HasRow, f.row.Clustering = false, nil
	if f.of == p {
		f.row.Cells = f.row.Cells[:f.statics]
		return
	}
	f.of = p
	f.row.Key, f.row.Cells = f.feed.sel.Table.SplitPartitionKey([]byte(p.Key)), f.row.Cells[:0]
	if !p.Static.IsZero() {
		f.row.Cells = f.feed.cells(f.row.Cells, p.Static.Read(&f.view))
	}
	f.statics = len(f.row.Cells)
}

// add takes a row of it.
func (f *rowFilter) add(r storage.Row) {
	f.row.HasRow = true
	f.row.Cells = f.feed.cells(f.row.Cells, r.Read(&f.view))
	f.row.Clustering = schema.Components(f.view.Clustering)
}

// deleted says whether a condition asks for an element whose deletion the row
// holds: without what other copies have, a replica takes it for one.
// Source: Cassandra 5.0 RowFilter.SimpleExpression.isSatisfiedBy.
func (f *rowFilter) deleted(x *plan.Filter, r storage.Row) bool {
	if !x.Column.Type.IsMultiCell() || x.Op != plan.ContainsKey && (x.Op != plan.Contains || x.Column.Type.Kind != types.KindSet) {
		return false
	}
	in := r.Read(&f.view)
	for c := (storage.Cell{}); in.Next(&c); {
		if c.Column == x.Column.ID && c.HasPath && bytes.Equal(c.Path, x.Value) {
			return true
		}
	}
	return false
}
