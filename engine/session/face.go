package session

import (
	"bytes"
	"slices"

	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// CQL sees some tables of the classic model otherwise than they are stored: a
// static column family as one row with a column for each entry of its metadata,
// a table of keys alone without the empty value of its cells. What CQL writes is
// taken apart before it is sent, what it reads is put together after the read.
// Source: Cassandra 2.1 CFMetaData, CellNames, SelectStatement.

// joined says whether CQL sees the cells of a partition as one row.
func joined(t *schema.Table) bool { return t.Stored() != t && !t.Family.KeyOnly }

// stored gives the query of a read in terms of the table that holds the cells.
func stored(q *storage.Query) {
	t := q.Table
	s := t.Stored()
	if s == t {
		return
	}
	q.Table, q.Columns = s, nil
	if !joined(t) {
		return
	}
	q.Limit, q.PerPartition, q.Reversed, q.Slices, q.Distinct = 0, 0, false, nil, false
	q.Names = make([][]byte, 0, len(t.Regular))
	for _, c := range t.Regular {
		q.Names = append(q.Names, schema.PackClustering([][]byte{t.Family.CellName(c.Name)}))
	}
	slices.SortFunc(q.Names, s.CompareClustering)
}

// seen puts what a read found together as CQL sees it.
func seen(t *schema.Table, found []*storage.Found) []*storage.Found {
	if t.Stored() == t {
		return found
	}
	out := make([]*storage.Found, len(found))
	for i, f := range found {
		if f == nil {
			continue
		}
		g := *f
		p := storage.Partition{Key: f.Key, Token: f.Token, Del: f.Del}
		if t.Family.KeyOnly {
			p.Rows = keyRows(f.Partition.Rows)
		} else if r := staticRow(t, f.Partition.Rows); !r.IsZero() {
			p.Rows = []storage.Row{r}
		}
		g.Partition = &p
		out[i] = &g
	}
	return out
}

// staticRow joins the cells of a static column family into one row.
func staticRow(t *schema.Table, rows []storage.Row) storage.Row {
	out := storage.View{Liveness: storage.NoLiveness, Deletion: storage.Live}
	var view storage.View
	for _, r := range rows {
		name, _, _ := schema.NextComponent(r.Clustering())
		cells := r.Read(&view)
		for c := (storage.Cell{}); cells.Next(&c); {
			for _, col := range t.Regular {
				if bytes.Equal(t.Family.CellName(col.Name), name) {
					c.Column = col.ID
					out.Cells = append(out.Cells, c)
				}
			}
		}
	}
	slices.SortFunc(out.Cells, func(a, b storage.Cell) int { return storage.CompareCells(t, &a, &b) })
	r, _ := out.Pack(nil)
	return r
}

// keyRows makes rows that exist for themselves of cells with empty values.
func keyRows(rows []storage.Row) []storage.Row {
	var out []storage.Row
	var view storage.View
	for _, r := range rows {
		cells := r.Read(&view)
		row := storage.View{Clustering: view.Clustering, Liveness: storage.NoLiveness, Deletion: view.Deletion}
		for c := (storage.Cell{}); cells.Next(&c); {
			if !c.IsTombstone() {
				row.Liveness = storage.Liveness{Timestamp: c.Timestamp, TTL: c.TTL, Expiry: c.Local}
			}
		}
		if p, _ := row.Pack(nil); !p.IsZero() {
			out = append(out, p)
		}
	}
	return out
}

// toStore takes a write of CQL apart into the cells that are stored.
func toStore(t *schema.Table, parts []*storage.Partition) (*schema.Table, []*storage.Partition) {
	s := t.Stored()
	if s == t {
		return t, parts
	}
	out := make([]*storage.Partition, len(parts))
	for i, p := range parts {
		q := &storage.Partition{Key: p.Key, Token: p.Token, Del: p.Del}
		if t.Family.KeyOnly {
			q.Ranges = p.Ranges
			valueCells(s, q, p.Rows)
		} else {
			takeStatic(t, s, q, p.Rows)
		}
		out[i] = q
	}
	return s, out
}

// valueCells gives each row that exists for itself its empty value.
func valueCells(s *schema.Table, q *storage.Partition, rows []storage.Row) {
	var view storage.View
	for _, r := range rows {
		r.Unpack(&view)
		row := storage.View{Clustering: view.Clustering, Liveness: storage.NoLiveness, Deletion: view.Deletion}
		if l := view.Liveness; l.Timestamp != storage.NoTimestamp {
			row.Cells = []storage.Cell{{Column: s.Regular[0].ID, Timestamp: l.Timestamp, TTL: l.TTL, Local: l.Expiry}}
		}
		if p, _ := row.Pack(nil); !p.IsZero() {
			q.Rows = append(q.Rows, p)
		}
	}
}

// takeStatic makes a cell of each column. A row that is inserted without columns
// leaves its key behind: in the classic model a row without cells is there until
// it is forgotten.
func takeStatic(t, s *schema.Table, q *storage.Partition, rows []storage.Row) {
	var view storage.View
	for _, r := range rows {
		r.Unpack(&view)
		if view.Deletion.Supersedes(q.Del) {
			q.Del = view.Deletion
		}
		for _, c := range view.Cells {
			col := t.ColumnByID(c.Column)
			if col == nil {
				continue
			}
			c.Column = s.Regular[0].ID
			row := storage.View{Clustering: schema.PackClustering([][]byte{t.Family.CellName(col.Name)}), Liveness: storage.NoLiveness,
				Deletion: storage.Live, Cells: []storage.Cell{c}}
			p, _ := row.Pack(nil)
			q.Rows = append(q.Rows, p)
		}
		if len(view.Cells) == 0 && view.Liveness.Timestamp != storage.NoTimestamp {
			key := storage.View{Static: true, Liveness: view.Liveness, Deletion: storage.Live}
			q.Static, _ = key.Pack(nil)
		}
	}
	slices.SortFunc(q.Rows, func(a, b storage.Row) int { return s.CompareClustering(a.Clustering(), b.Clustering()) })
}
