package materialize

import (
	"slices"

	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

// generator collects the updates of one view that follow from the rows of one
// partition of its base.
// Source: Cassandra 5.0 ViewUpdateGenerator.
type generator struct {
	*View
	key         [][]byte // components of the base's partition key
	now         int64
	partitioner ring.Partitioner

	clustering [][]byte // of the row at hand
	out        []Update
}

// add adds what one row means for the view.
// Source: Cassandra 5.0 ViewUpdateGenerator.addBaseTableUpdate, updateAction.
func (g *generator) add(p *pair) {
	g.clustering = schema.Components(p.after.Clustering)
	if holds := g.Table.View.Holds; holds != nil && !holds(g.key, g.clustering) {
		return
	}
	var was, is bool // the view has the row
	same := true     // under the same key
	if g.extra == nil {
		was, is = p.before.HasLive(g.now, false), p.after.HasLive(g.now, false)
	} else {
		before, after := cellOf(&p.before, g.extra), cellOf(&p.after, g.extra)
		was, is = before != nil && before.IsLive(g.now), after != nil && after.IsLive(g.now)
		same = !was || !is || g.extra.Type.Compare(before.Value, after.Value) == 0
	}
	switch {
	case was && is && same:
		g.update(p)
	case was && is:
		g.create(p)
		g.remove(p)
	case was:
		g.remove(p)
	case is:
		g.create(p)
	}
}

// cellOf is the cell of a column of one cell, nil if there is none.
func cellOf(v *storage.View, c *schema.Column) *storage.Cell {
	for i := range v.Cells {
		if v.Cells[i].Column == c.ID {
			return &v.Cells[i]
		}
	}
	return nil
}

// create writes all of a row. Source: Cassandra 5.0 ViewUpdateGenerator.createEntry.
func (g *generator) create(p *pair) {
	row := storage.View{Liveness: g.liveness(&p.after), Deletion: p.after.Deletion}
	for _, c := range p.after.Cells {
		g.copy(&row, c)
	}
	g.submit(&row, &p.after)
}

// update writes what differs. Source: Cassandra 5.0 ViewUpdateGenerator.updateEntry.
func (g *generator) update(p *pair) {
	row := storage.View{Liveness: g.liveness(&p.after), Deletion: p.after.Deletion}
	g.differences(&row, p)
	g.submit(&row, &p.after)
}

// remove takes the row before away: by an expired liveness, so that a row that
// comes back under the same key later does not meet a tombstone of its cells.
// Source: Cassandra 5.0 ViewUpdateGenerator.deleteOldEntryInternal.
func (g *generator) remove(p *pair) {
	row := storage.View{Liveness: storage.NoLiveness, Deletion: p.after.Deletion}
	if at := g.deletionTime(p); at > p.after.Deletion.At {
		row.Liveness = storage.Liveness{Timestamp: at, TTL: storage.ExpiredTTL, Expiry: g.now}
	}
	g.differences(&row, p)
	g.submit(&row, &p.before)
}

// differences adds the cells of the row after that are not those of the row before.
func (g *generator) differences(row *storage.View, p *pair) {
	old := p.before.Cells
	for _, c := range p.after.Cells {
		for len(old) > 0 && storage.CompareCells(g.base, &old[0], &c) < 0 {
			old = old[1:]
		}
		if len(old) == 0 || storage.CompareCells(g.base, &old[0], &c) > 0 || !old[0].Same(&c) {
			g.copy(row, c)
		}
	}
}

// copy adds a cell of the base if its column stands in the view outside the key.
func (g *generator) copy(row *storage.View, c storage.Cell) {
	if of := g.columns[c.Column]; of != nil {
		c.Column = of.ID
		row.Cells = append(row.Cells, c)
	}
}

// liveness is that of the view's row. Where the key holds another column of the
// base, it is that column's; else it is the base row's, and the columns that the
// view leaves out keep the row alive as well.
// Source: Cassandra 5.0 ViewUpdateGenerator.computeLivenessInfoForEntry.
func (g *generator) liveness(row *storage.View) storage.Liveness {
	if g.extra != nil {
		c := cellOf(row, g.extra)
		return storage.Liveness{Timestamp: c.Timestamp, TTL: c.TTL, Expiry: c.Local}
	}
	own := row.Liveness
	if g.Table.View.All {
		return own
	}
	at, forever := own.Timestamp, own.IsLive(g.now) && own.TTL == 0
	var last *storage.Cell // that expires last
	for i := range row.Cells {
		c := &row.Cells[i]
		if g.columns[c.Column] != nil || !c.IsLive(g.now) {
			continue
		}
		at = max(at, c.Timestamp)
		switch {
		case c.TTL == 0:
			forever = true
		case last == nil || c.Local > last.Local:
			last = c
		}
	}
	switch {
	case forever:
		return storage.Liveness{Timestamp: at, Expiry: storage.NoDeletionTime}
	case last != nil && (last.Local > own.Expiry || !own.IsLive(g.now)):
		return storage.Liveness{Timestamp: at, TTL: last.TTL, Expiry: last.Local}
	}
	return own
}

// deletionTime is the timestamp that takes the row before away.
// Source: Cassandra 5.0 ViewUpdateGenerator.computeTimestampForEntryDeletion.
func (g *generator) deletionTime(p *pair) int64 {
	deletion := p.after.Deletion
	if g.extra != nil {
		if c := cellOf(&p.before, g.extra); !deletion.Deletes(c.Timestamp) {
			return c.Timestamp
		}
		return deletion.At
	}
	at := max(deletion.At, p.before.Liveness.Timestamp)
	if g.Table.View.All {
		return at
	}
	for i := range p.before.Cells {
		if c := &p.before.Cells[i]; g.columns[c.Column] == nil && !c.Complex {
			at = max(at, c.Timestamp) // live or not: it may have kept the row alive
		}
	}
	return at
}

// submit adds a row to the update of its partition; its key comes from a row of
// the base.
func (g *generator) submit(row *storage.View, of *storage.View) {
	values := func(columns []*schema.Column) [][]byte {
		out := make([][]byte, len(columns))
		for i, c := range columns {
			switch b := g.base.Column(c.Name); b.Kind {
			case schema.PartitionKey:
				out[i] = g.key[b.Position]
			case schema.Clustering:
				out[i] = g.clustering[b.Position]
			default:
				out[i] = cellOf(of, b).Value
			}
		}
		return out
	}
	row.Clustering = schema.PackClustering(values(g.Table.Clustering))
	slices.SortStableFunc(row.Cells, func(a, b storage.Cell) int { return storage.CompareCells(g.Table, &a, &b) })
	packed, _ := row.Pack(nil)
	if packed.IsZero() {
		return
	}
	key := string(schema.PartitionKeyBytes(values(g.Table.Key)))
	i := slices.IndexFunc(g.out, func(u Update) bool { return u.Part.Key == key })
	if i < 0 {
		i = len(g.out)
		g.out = append(g.out, Update{g.Table, &storage.Partition{Key: key, Token: g.partitioner.Token([]byte(key)), Del: storage.Live}})
	}
	g.out[i].Part.Rows = append(g.out[i].Part.Rows, packed)
}

// updates are the collected ones, their rows in order.
func (g *generator) updates() []Update {
	for _, u := range g.out {
		slices.SortStableFunc(u.Part.Rows, func(a, b storage.Row) int { return g.Table.CompareClustering(a.Clustering(), b.Clustering()) })
	}
	return g.out
}
