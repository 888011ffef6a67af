package storage

import (
	"math"

	"ringlab/model/schema"
)

// merger reconciles rows. It holds the buffers that a merge needs, so that
// merging allocates only the result.
type merger struct {
	table *schema.Table
	reads bool // the result is for a reader, who sees nothing of dropped columns
	// It is for a memtable, where the deletion of a collection stays beside one of the
	// row that does not supersede it. Source: Cassandra 5.0 BTreeRow.merge, ColumnData.Reconciler.
	memory bool
	a, b   View
	cells  []Cell
	buf    []byte
}

// merge reconciles the versions of one row under the deletion of the partition
// or range around it. The result is the zero Row if nothing is left.
// Source: Cassandra 5.0 Row.Merger.
func (m *merger) merge(rows []Row, around Deletion) Row {
	if around.IsLive() && len(m.table.Dropped) == 0 && (len(rows) == 1 || !m.table.Counter && equalPlain(rows)) {
		return rows[0]
	}
	rows[0].Unpack(&m.a)
	for _, r := range rows[1:] {
		r.Unpack(&m.b)
		m.join()
	}
	m.settle(around)
	row, buf := m.a.Pack(m.buf)
	m.buf = buf
	return row
}

// MergeRows reconciles two versions of one row.
func MergeRows(t *schema.Table, a, b Row) Row {
	m := merger{table: t}
	return m.merge([]Row{a, b}, Live)
}

// equalPlain says whether all versions are the same one, as those of replicas
// that agree, and nothing in it can delete anything.
func equalPlain(rows []Row) bool {
	for _, r := range rows[1:] {
		if r.s != rows[0].s {
			return false
		}
	}
	return rows[0].IsPlain()
}

// join merges m.b into m.a cell by cell, without applying deletions.
func (m *merger) join() {
	if m.b.Liveness.supersedes(m.a.Liveness) {
		m.a.Liveness = m.b.Liveness
	}
	m.a.Deletion = maxDeletion(m.a.Deletion, m.b.Deletion)
	out := m.cells[:0]
	x, y := m.a.Cells, m.b.Cells
	if m.table.Compact && len(x) == 1 && len(y) == 1 && beats(m.table, &y[0], &x[0]) {
		m.a.Clustering = m.b.Clustering // equal names may have other bytes: the newer cell brings its own
	}
	for len(x) > 0 && len(y) > 0 {
		c := CompareCells(m.table, &x[0], &y[0])
		switch {
		case c < 0:
			out, x = append(out, x[0]), x[1:]
		case c > 0:
			out, y = append(out, y[0]), y[1:]
		default:
			out = append(out, reconcile(m.table, &x[0], &y[0]))
			x, y = x[1:], y[1:]
		}
	}
	out = append(out, x...)
	out = append(out, y...)
	m.cells, m.a.Cells = m.a.Cells, out
}

// reconcile makes one cell of two versions of it.
// Source: Cassandra 5.0 Cells.reconcile.
func reconcile(t *schema.Table, a, b *Cell) Cell {
	switch {
	case t.Counter && !a.Complex:
		return counterWins(a, b)
	case beats(t, b, a):
		return *b
	}
	return *a
}

// ReconcileCells makes one cell of those that stand for the same value in a
// sorted list, as a statement may write one twice. It reuses the list.
// Source: Cassandra 5.0 BTreeRow.Builder.
func ReconcileCells(t *schema.Table, cells []Cell) []Cell {
	for i := 1; i < len(cells); i++ {
		if CompareCells(t, &cells[i-1], &cells[i]) != 0 {
			continue
		}
		out := cells[:i]
		for ; i < len(cells); i++ {
			if last := &out[len(out)-1]; CompareCells(t, last, &cells[i]) == 0 {
				*last = reconcile(t, last, &cells[i])
			} else {
				out = append(out, cells[i])
			}
		}
		return out
	}
	return cells
}

// settle applies the deletions to m.a.
func (m *merger) settle(around Deletion) {
	active := around
	if m.a.Deletion.Supersedes(around) {
		active = m.a.Deletion
	} else {
		m.a.Deletion = Live
	}
	if m.a.Liveness.Timestamp != NoTimestamp && active.Deletes(m.a.Liveness.Timestamp) {
		m.a.Liveness = NoLiveness
	}
	if m.table.Counter && m.table.Compact && !active.IsLive() {
		active.At = math.MaxInt64 // of counters of the classic model nothing outlives a deletion: Cassandra 2.1 DeletionInfo.isDeleted
	}
	dropped := len(m.table.Dropped) > 0
	if active.IsLive() && !dropped && !m.hasComplex() {
		return
	}
	out := m.a.Cells[:0]
	complexDel, complexCol := Live, -1
	for _, c := range m.a.Cells {
		if dropped && m.hidden(&c) {
			continue
		}
		if c.Complex {
			d := Deletion{c.Timestamp, c.Local}
			if d.Supersedes(active) || m.memory && !active.Supersedes(d) {
				complexDel, complexCol = d, int(c.Column)
				out = append(out, c)
			}
			continue
		}
		if active.Deletes(c.Timestamp) {
			continue
		}
		if int(c.Column) == complexCol && complexDel.Deletes(c.Timestamp) {
			continue
		}
		out = append(out, c)
	}
	m.a.Cells = out
}

// filter is what a deletion around a row leaves of it. Other than in a merge, a
// deletion of a collection stays that is the same one.
// Source: Cassandra 5.0 BTreeRow.filter, ComplexColumnData.filter.
func (m *merger) filter(r Row, around Deletion) Row {
	dropped := len(m.table.Dropped) > 0
	r.Unpack(&m.a)
	if around.IsLive() || m.a.Deletion.Supersedes(around) {
		if !dropped {
			return r
		}
		around = Live
	} else {
		m.a.Deletion = Live
	}
	if m.a.Liveness.Timestamp != NoTimestamp && around.Deletes(m.a.Liveness.Timestamp) {
		m.a.Liveness = NoLiveness
	}
	if m.table.Counter && m.table.Compact && !around.IsLive() {
		around.At = math.MaxInt64 // as in settle
	}
	out := m.a.Cells[:0]
	for _, c := range m.a.Cells {
		gone := around.Deletes(c.Timestamp)
		if c.Complex {
			gone = around.Supersedes(Deletion{c.Timestamp, c.Local})
		}
		if !gone && !(dropped && m.hidden(&c)) {
			out = append(out, c)
		}
	}
	m.a.Cells = out
	row, buf := m.a.Pack(m.buf)
	m.buf = buf
	return row
}

// FilterRow is what a deletion around a row leaves of it, the zero Row for nothing.
func FilterRow(t *schema.Table, r Row, around Deletion) Row {
	m := merger{table: t}
	return m.filter(r, around)
}

func (m *merger) hasComplex() bool {
	for i := range m.a.Cells {
		if m.a.Cells[i].Complex {
			return true
		}
	}
	return false
}

// hidden says whether the cell was written before its column was dropped; one
// that is newer stays, and is seen again when the column comes back.
// Source: Cassandra 5.0 DeserializationHelper.isDropped.
func (m *merger) hidden(c *Cell) bool {
	col := m.table.ColumnByID(c.Column)
	if col == nil {
		d, ok := m.table.DroppedByID(c.Column)
		return m.reads || !ok || c.Timestamp <= d.At
	}
	at, was := m.table.HiddenBefore(col)
	return was && c.Timestamp <= at
}

// purge drops the tombstones older than gcBefore (seconds) that may go, given
// by may; expired cells become tombstones first. The row may become zero.
// Source: Cassandra 5.0 PurgeFunction, AbstractCell.purge.
func (m *merger) purge(r Row, now, gcBefore int64, may func(timestamp int64) bool) Row {
	if r.IsZero() || r.IsPlain() {
		return r
	}
	r.Unpack(&m.a)
	changed := false
	gone := func(timestamp, local int64) bool {
		return local < gcBefore && (may == nil || may(timestamp))
	}
	if l := m.a.Liveness; l.Timestamp != NoTimestamp && !l.IsLive(now) && gone(l.Timestamp, l.Expiry) {
		m.a.Liveness, changed = NoLiveness, true
	}
	if d := m.a.Deletion; !d.IsLive() && gone(d.At, d.Local) {
		m.a.Deletion, changed = Live, true
	}
	out := m.a.Cells[:0]
	for _, c := range m.a.Cells {
		if !c.IsLive(now) {
			if gone(c.Timestamp, c.Local) {
				changed = true
				continue
			}
			if c.TTL > 0 { // expired: a tombstone of the second it was written
				c.Local, c.TTL, c.Value, changed = c.Local-int64(c.TTL), 0, nil, true
				if gone(c.Timestamp, c.Local) {
					continue
				}
			}
		}
		out = append(out, c)
	}
	if m.table.Strict() && m.a.Deletion.IsLive() && m.a.Liveness.Timestamp == NoTimestamp {
		return Row{}
	}
	if !changed {
		return r
	}
	m.a.Cells = out
	row, buf := m.a.Pack(m.buf)
	m.buf = buf
	return row
}
