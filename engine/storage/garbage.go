package storage

import (
	"slices"

	"ringlab/model/schema"
)

// Shadows are files beside a compaction that may hold what makes some of its data
// garbage.
type Shadows struct {
	Files []*SSTable
	Cells bool  // newer cells count too, not only deletions of partitions, ranges and rows
	Since int64 // the oldest timestamp of the compaction's inputs, µs: files without anything newer are left out
}

// Skip leaves out of a merged partition what the files shadow, deletions too: what
// is left reads the same together with them. p itself stays.
// Source: Cassandra 5.0 CompactionIterator.GarbageSkipper, CompactionController.shadowSources.
func (s *Shadows) Skip(t *schema.Table, p *Partition) *Partition {
	var copies []*Partition
	for _, f := range s.Files {
		if f.Suspect || f.content.maxTimestamp <= s.Since {
			continue
		}
		if q, _ := f.Lookup(p.Token, p.Key); q != nil {
			copies = append(copies, q)
		}
	}
	if copies == nil {
		return p
	}
	g := garbage{merger: merger{table: t}, cells: s.Cells}
	return g.skip(p, Merge(t, copies, false))
}

// garbage takes what one partition shadows out of another.
type garbage struct {
	merger
	cells bool
}

func (g *garbage) skip(p, by *Partition) *Partition {
	out := &Partition{Key: p.Key, Token: p.Token, Del: Live, Ranges: skipRanges(g.table, p.Ranges, by)}
	if p.Del.Supersedes(by.Del) {
		out.Del = p.Del
	}
	if !p.Static.IsZero() {
		out.Static = g.row(p.Static, by.Static, by.Del)
	}
	rest := by.Rows
	for _, r := range p.Rows {
		for len(rest) > 0 && g.table.CompareClustering(rest[0].Clustering(), r.Clustering()) < 0 {
			rest = rest[1:]
		}
		other := Row{}
		if len(rest) > 0 && g.table.CompareClustering(rest[0].Clustering(), r.Clustering()) == 0 {
			other = rest[0]
		}
		if r = g.row(r, other, by.DeletionAt(g.table, r.Clustering())); !r.IsZero() {
			out.Rows = append(out.Rows, r)
		}
	}
	return out
}

// row is what is left of a row beside another version of it, zero for none, and the
// deletion of a partition or range.
// Source: Cassandra 5.0 BTreeRow.filter, Rows.removeShadowedCells.
func (g *garbage) row(r, other Row, active Deletion) Row {
	if !g.cells || other.IsZero() {
		if !other.IsZero() {
			other.header(&g.b)
			active = maxDeletion(active, g.b.Deletion)
		}
		return g.filter(r, active)
	}
	r.Unpack(&g.a)
	other.Unpack(&g.b)
	active = maxDeletion(active, g.b.Deletion)
	newer := g.b.Cells
	if g.a.Liveness.Timestamp != NoTimestamp && active.Deletes(g.a.Liveness.Timestamp) {
		g.a.Liveness = NoLiveness
	}
	if active.Supersedes(g.a.Deletion) {
		g.a.Deletion = Live
	}
	kept := g.a.Cells[:0]
	within, column := active, -1 // the deletion of the collection at hand
	for _, c := range g.a.Cells {
		if int(c.Column) != column {
			within, column = active, int(c.Column)
		}
		for len(newer) > 0 && CompareCells(g.table, &newer[0], &c) < 0 {
			if n := &newer[0]; n.Complex && n.Column == c.Column {
				within = maxDeletion(within, Deletion{n.Timestamp, n.Local})
			}
			newer = newer[1:]
		}
		var same *Cell
		if len(newer) > 0 && CompareCells(g.table, &newer[0], &c) == 0 {
			same = &newer[0]
		}
		if c.Complex {
			if same != nil {
				within = maxDeletion(within, Deletion{same.Timestamp, same.Local})
			}
			if d := (Deletion{c.Timestamp, c.Local}); d.Supersedes(within) {
				within = d
				kept = append(kept, c)
			}
			continue
		}
		if within.Deletes(c.Timestamp) || same != nil && g.overwrites(same, &c) {
			continue
		}
		kept = append(kept, c)
	}
	g.a.Cells = kept
	row, buf := g.a.Pack(g.buf)
	g.buf = buf
	return row
}

// overwrites says whether nothing of c is left beside another version of the cell.
func (g *garbage) overwrites(by, c *Cell) bool {
	merged := reconcile(g.table, c, by)
	is := func(x *Cell) bool {
		return merged.Timestamp == x.Timestamp && merged.Local == x.Local && merged.TTL == x.TTL && slices.Equal(merged.Value, x.Value)
	}
	return is(by) && !is(c)
}

// skipRanges is what is left of range tombstones beside the deletions of another
// partition. One that others shadow in its midst or to its end stays whole: cutting
// it would take more markers.
// Source: Cassandra 5.0 CompactionIterator.GarbageSkippingUnfilteredRowIterator.
func skipRanges(t *schema.Table, list []RangeTombstone, by *Partition) (out []RangeTombstone) {
	if len(list) == 0 {
		return nil
	}
	data, other := boundsOf(t, list), boundsOf(t, by.Ranges)
	inData, inOther, issued := Live, Live, Live
	var from schema.Cut
	end := func(at schema.Cut) {
		out = append(out, RangeTombstone{schema.Slice{From: from, To: at}, issued})
		issued = Live
	}
	for len(data) > 0 {
		c := -1
		if len(other) > 0 {
			c = t.CompareCuts(data[0].at, other[0].at)
		}
		at := data[0].at
		if c > 0 {
			at = other[0].at
		}
		if c >= 0 {
			inOther, other = other[0].del, other[1:]
		}
		if c <= 0 {
			inData, data = data[0].del, data[1:]
		}
		lives := inData.Supersedes(maxDeletion(by.Del, inOther))
		switch {
		case c <= 0 && !issued.IsLive():
			end(at)
			if lives {
				from, issued = at, inData
			}
		case issued.IsLive() && lives:
			from, issued = at, inData
		}
	}
	return out
}

// bound is where the deletion of ranges changes.
type bound struct {
	at  schema.Cut
	del Deletion // from there on
}

// boundsOf are the bounds of a disjoint list, in order.
func boundsOf(t *schema.Table, list []RangeTombstone) (out []bound) {
	for i, r := range list {
		if i > 0 && t.CompareCuts(list[i-1].To, r.From) == 0 {
			out[len(out)-1].del = r.Del
		} else {
			out = append(out, bound{r.From, r.Del})
		}
		out = append(out, bound{r.To, Live})
	}
	return out
}
