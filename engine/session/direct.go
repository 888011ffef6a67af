package session

import (
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// directFeeder takes the values of a selection out of rows as they are stored, for
// answers that need nothing else of them: most slices.
type directFeeder struct {
	table  *schema.Table
	now    int64
	values [][]byte
	key    []place // columns of the partition key
	within []place // of the clustering, in its order
	cells  []place // of the row
	view   storage.View
}

// place is where a column stands: which value of the selection it is.
type place struct {
	column *schema.Column
	at     int
}

func newDirectFeeder(sel *plan.Select, now int64) *directFeeder {
	d := &directFeeder{table: sel.Table, now: now, values: make([][]byte, len(sel.Selection))}
	for i := range sel.Selection {
		p := place{sel.Selection[i].Expr.(*plan.ColumnExpr).Column, i}
		switch p.column.Kind {
		case schema.PartitionKey:
			d.key = append(d.key, p)
		case schema.Clustering:
			d.within = append(d.within, p)
		default:
			d.cells = append(d.cells, p)
		}
	}
	return d
}

// partition feeds one partition without static data; false means that no more rows
// are wanted.
func (d *directFeeder) partition(give func(values [][]byte) bool, found *storage.Found) bool {
	if len(found.Rows) == 0 {
		return true
	}
	components := d.table.SplitPartitionKey([]byte(found.Key))
	for _, p := range d.key {
		d.values[p.at] = component(components, p.column.Position)
	}
	strict := d.table.Strict()
	for _, r := range found.Rows {
		if !r.HasLive(d.now, strict) {
			continue
		}
		cells := r.Read(&d.view)
		if len(d.within) > 0 {
			d.clustering()
		}
		for _, p := range d.cells {
			d.values[p.at] = nil
		}
		for c := (storage.Cell{}); cells.Next(&c); {
			if c.IsLive(d.now) {
				d.cell(&c)
			}
		}
		if !give(d.values) {
			return false
		}
	}
	return true
}

// clustering sets the values of clustering columns.
func (d *directFeeder) clustering() {
	rest, position := d.view.Clustering, 0
	for _, p := range d.within {
		d.values[p.at] = nil
	}
	for ok := true; ok; position++ {
		var v []byte
		if v, rest, ok = schema.NextComponent(rest); !ok {
			return
		}
		for _, p := range d.within {
			if p.column.Position == position {
				d.values[p.at] = v
			}
		}
	}
}

// cell sets the values of the column that a live cell is of.
func (d *directFeeder) cell(c *storage.Cell) {
	for _, p := range d.cells {
		if p.column.ID != c.Column {
			continue
		}
		switch value := c.Value; {
		case p.column.Type.IsCounter():
			d.values[p.at] = types.EncodeInt64(storage.CounterTotal(value))
		case value == nil:
			d.values[p.at] = []byte{}
		default:
			d.values[p.at] = value
		}
	}
}

// component is one of a key's components; nil where the key has fewer.
func component(list [][]byte, i int) []byte {
	if i < len(list) {
		return list[i]
	}
	return nil
}
