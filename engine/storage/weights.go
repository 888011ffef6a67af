package storage

import "ringlab/model/schema"

// Weight is what one partition of a file amounts to.
type Weight struct {
	Key        string
	Bytes      int64
	Tombstones int64
}

// Weights calls back for each partition of a file, in file order.
func (s *SSTable) Weights(t *schema.Table, visit func(Weight)) {
	z := newSizer(t, &s.Stats, s.Format)
	for _, p := range s.Parts {
		visit(Weight{p.Key, z.partition(p), p.tombstones()})
	}
}

// CollectionWeight is a non-frozen collection of one row.
type CollectionWeight struct {
	Column     *schema.Column
	Key        string
	Clustering []byte // nil for a static row
	Items      int64  // cells that are not deleted
	Bytes      int64  // of the live cells' paths and values, with 20 for times each, and 12 for the collection
}

// Collections calls back for each collection of a file, in file order.
// Source: Cassandra 5.0 SortedTableWriter.guardCollectionSize, ComplexColumnData.dataSize.
func (s *SSTable) Collections(t *schema.Table, now int64, visit func(CollectionWeight)) {
	complexColumns := false
	for _, c := range t.Columns() {
		complexColumns = complexColumns || c.Type.IsMultiCell()
	}
	if !complexColumns {
		return
	}
	var v View
	row := func(p *Partition, r Row) {
		r.Unpack(&v)
		for i := 0; i < len(v.Cells); {
			col := t.ColumnByID(v.Cells[i].Column)
			j := i
			w := CollectionWeight{Column: col, Key: p.Key, Bytes: 12}
			if !v.Static {
				w.Clustering = v.Clustering
			}
			for ; j < len(v.Cells) && v.Cells[j].Column == v.Cells[i].Column; j++ {
				if c := &v.Cells[j]; c.IsLive(now) {
					w.Items++
					w.Bytes += 20 + int64(len(c.Path)+len(c.Value))
				}
			}
			if i = j; col != nil && col.Type.IsMultiCell() && col.Type.IsCollection() && w.Items > 0 {
				visit(w)
			}
		}
	}
	for _, p := range s.Parts {
		if !p.Static.IsZero() {
			row(p, p.Static)
		}
		for _, r := range p.Rows {
			row(p, r)
		}
	}
}
