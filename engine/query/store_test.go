package query

import (
	"bytes"
	"slices"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// store is a single copy of all tables: partitions with rows, cells with
// timestamps, and deletions. It is the engine of these tests and nothing else.
type store struct {
	tables map[string]map[string]*partition
	now    int64 // µs
	ids    uint64
}

type partition struct {
	key     []byte
	token   ring.Token
	deleted int64
	ranges  []deletedRange
	static  *storedRow
	rows    []*storedRow
}

type deletedRange struct {
	slice schema.Slice
	at    int64
}

type storedRow struct {
	clustering []byte
	deleted    int64
	live       *storedCell
	columns    map[uint16]*storedColumn
}

type storedColumn struct {
	deleted int64 // of all cells of a column of many
	cells   []*storedCell
}

type storedCell struct {
	path, value []byte
	at          int64
	ttl         int32
	expiry      int64
	tombstone   bool
}

const never = -1 << 63

func newRow(clustering []byte) *storedRow {
	return &storedRow{clustering: clustering, deleted: never, columns: map[uint16]*storedColumn{}}
}

func (s *store) table(t *schema.Table) map[string]*partition {
	id := t.ID.String()
	if s.tables[id] == nil {
		s.tables[id] = map[string]*partition{}
	}
	return s.tables[id]
}

func (p *partition) row(t *schema.Table, clustering []byte) *storedRow {
	i, found := slices.BinarySearchFunc(p.rows, clustering, func(r *storedRow, c []byte) int { return t.CompareClustering(r.clustering, c) })
	if !found {
		p.rows = slices.Insert(p.rows, i, newRow(clustering))
	}
	return p.rows[i]
}

func (s *store) write(w *plan.Write) error {
	at := s.now
	if w.Timestamp != nil {
		at = *w.Timestamp
	}
	ttl := int32(w.Table.Options.DefaultTTL)
	if w.TTL != nil {
		ttl = *w.TTL
	}
	for _, key := range w.Keys {
		parts := s.table(w.Table)
		p := parts[string(key)]
		if p == nil {
			p = &partition{key: key, token: ring.Murmur3.Token(key), deleted: never, static: newRow(nil)}
			parts[string(key)] = p
		}
		if w.Partition {
			p.deleted = max(p.deleted, at)
		}
		for _, sl := range w.Slices {
			p.ranges = append(p.ranges, deletedRange{sl, at})
		}
		for _, c := range w.Rows {
			r := p.row(w.Table, c)
			if w.RowDelete {
				r.deleted = max(r.deleted, at)
			}
			if w.Liveness {
				next := &storedCell{at: at, ttl: ttl, expiry: s.now/1e6 + int64(ttl)}
				if r.live == nil || wins(next, r.live) {
					r.live = next
				}
			}
			if err := s.assign(w.Table, p, r, w.Cells, at, ttl); err != nil {
				return err
			}
		}
		if err := s.assign(w.Table, p, p.static, w.Static, at, ttl); err != nil {
			return err
		}
	}
	return nil
}

// wins is Cells.reconcile: the newer, then the tombstone, then the one that
// expires later, then the greater bytes.
func wins(a, b *storedCell) bool {
	switch {
	case a.at != b.at:
		return a.at > b.at
	case a.tombstone != b.tombstone:
		return a.tombstone
	case (a.ttl > 0) != (b.ttl > 0):
		return a.ttl > 0
	case a.ttl > 0 && a.expiry != b.expiry:
		return a.expiry > b.expiry
	}
	return bytes.Compare(a.value, b.value) > 0
}

func (s *store) assign(t *schema.Table, p *partition, r *storedRow, as []plan.Assign, at int64, ttl int32) error {
	for i := range as {
		if err := s.assignOne(t, p, r, &as[i], at, ttl); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) assignOne(t *schema.Table, p *partition, r *storedRow, a *plan.Assign, at int64, ttl int32) error {
	c := r.columns[a.Column.ID]
	if c == nil {
		c = &storedColumn{deleted: never}
		r.columns[a.Column.ID] = c
	}
	put := func(path, value []byte, tombstone bool) {
		next := &storedCell{path: path, value: value, at: at, ttl: ttl, expiry: s.now/1e6 + int64(ttl), tombstone: tombstone}
		for i, old := range c.cells {
			if bytes.Equal(old.path, path) {
				if wins(next, old) {
					c.cells[i] = next
				}
				return
			}
		}
		c.cells = append(c.cells, next)
	}
	kind := a.Column.Type.Kind
	if !a.Column.Type.IsMultiCell() {
		switch a.Kind {
		case plan.Add:
			sum := types.DecodeInt64(a.Value)
			if len(c.cells) > 0 && s.visible(p, r, c, c.cells[0]) {
				sum += types.DecodeInt64(c.cells[0].value)
				c.cells = nil
			}
			put(nil, types.EncodeInt64(sum), false)
		default:
			put(nil, a.Value, a.Kind == plan.Remove || a.Value == nil)
		}
		return nil
	}
	live := s.cells(p, r, a.Column)
	switch a.Kind {
	case plan.Remove:
		c.deleted = max(c.deleted, at)
	case plan.Set, plan.Append, plan.Prepend:
		if a.Kind == plan.Set {
			c.deleted = max(c.deleted, at-1)
		}
		s.putElements(put, a)
	case plan.SetElement, plan.RemoveElement:
		key := a.Key
		if kind == types.KindList {
			i := int(types.DecodeInt32(a.Key))
			word := "set an element on"
			if a.Kind == plan.RemoveElement {
				word = "delete an element from"
			}
			if len(live) == 0 {
				return plan.Invalid("Attempted to %s a list which is null", word)
			}
			if i < 0 || i >= len(live) {
				return plan.Invalid("List index %d out of bound, list has size %d", i, len(live))
			}
			key = live[i].Path
		}
		put(key, a.Value, a.Value == nil)
	case plan.Discard:
		for _, e := range a.Elems {
			if kind != types.KindList {
				put(e, nil, true)
				continue
			}
			for _, l := range live {
				if bytes.Equal(l.Value, e) {
					put(l.Path, nil, true)
				}
			}
		}
	}
	return nil
}

func (s *store) putElements(put func(path, value []byte, tombstone bool), a *plan.Assign) {
	switch a.Column.Type.Kind {
	case types.KindSet:
		for _, e := range a.Elems {
			put(e, []byte{}, false)
		}
	case types.KindMap, types.KindUDT:
		for i := 0; i+1 < len(a.Elems); i += 2 {
			put(a.Elems[i], a.Elems[i+1], false)
		}
	case types.KindList:
		for i := range a.Elems {
			ticks, e := uint64(1<<40)+s.ids, a.Elems[i]
			if a.Kind == plan.Prepend {
				e = a.Elems[len(a.Elems)-1-i]
				ticks = uint64(1<<40) - s.ids
			}
			s.ids++
			put(types.NewTimeUUID(ticks, 1), e, false)
		}
	}
}

// visible says whether a cell is live.
func (s *store) visible(p *partition, r *storedRow, col *storedColumn, c *storedCell) bool {
	if c.tombstone || c.ttl > 0 && c.expiry <= s.now/1e6 {
		return false
	}
	return c.at > p.deleted && c.at > r.deleted && (col == nil || c.at > col.deleted)
}

func (s *store) cells(p *partition, r *storedRow, column *schema.Column) []Cell {
	col := r.columns[column.ID]
	if col == nil {
		return nil
	}
	var out []Cell
	for _, c := range col.cells {
		if s.visible(p, r, col, c) {
			out = append(out, Cell{column, c.value, c.at, c.ttl, c.expiry, c.path})
		}
	}
	order := func(a, b []byte) int { return bytes.Compare(a, b) }
	switch column.Type.Kind {
	case types.KindList:
		order = types.TimeUUID.Compare
	case types.KindSet, types.KindMap:
		order = column.Type.Elems[0].Compare
	}
	slices.SortFunc(out, func(a, b Cell) int { return order(a.Path, b.Path) })
	return out
}

func (s *store) rowCells(p *partition, r *storedRow, columns []*schema.Column) []Cell {
	var out []Cell
	for _, c := range columns {
		out = append(out, s.cells(p, r, c)...)
	}
	return out
}

// read feeds the rows of a SELECT to a Runner.
func (s *store) read(sel *plan.Select) ([][][]byte, error) {
	r := New(sel, s.now/1e6)
	var parts []*partition
	if sel.Keys != nil {
		for _, k := range sel.Keys {
			if p := s.table(sel.Table)[string(k)]; p != nil {
				parts = append(parts, p)
			}
		}
	} else {
		for _, p := range s.table(sel.Table) {
			if inRange(sel.Range, p.token) {
				parts = append(parts, p)
			}
		}
		slices.SortFunc(parts, func(a, b *partition) int {
			if c := a.token.Compare(b.token); c != 0 {
				return c
			}
			return bytes.Compare(a.key, b.key)
		})
	}
	for _, p := range parts {
		if !s.readPartition(sel, p, r) {
			break
		}
	}
	return r.Finish()
}

func inRange(r plan.TokenRange, t ring.Token) bool {
	bound := func(b []byte) ring.Token {
		x, _ := ring.Murmur3.Parse(types.BigInt.Raw(b))
		return x
	}
	if r.Start != nil {
		if c := bound(r.Start).Compare(t); c > 0 || c == 0 && !r.StartInclusive {
			return false
		}
	}
	if r.End != nil {
		if c := t.Compare(bound(r.End)); c > 0 || c == 0 && !r.EndInclusive {
			return false
		}
	}
	return true
}

func (s *store) readPartition(sel *plan.Select, p *partition, run *Runner) bool {
	t := sel.Table
	key := t.SplitPartitionKey(p.key)
	static := s.rowCells(p, p.static, t.Static)
	any := false
	rows := p.rows
	if sel.Reversed {
		rows = slices.Clone(rows)
		slices.Reverse(rows)
	}
	for _, r := range rows {
		if !wanted(sel, r.clustering) {
			continue
		}
		c := *r
		for _, d := range p.ranges {
			if t.Contains(d.slice, r.clustering) {
				c.deleted = max(c.deleted, d.at)
			}
		}
		cells := s.rowCells(p, &c, t.Regular)
		if len(cells) == 0 && (r.live == nil || !s.visible(p, &c, nil, r.live)) {
			continue
		}
		any = true
		all := append(slices.Clone(static), cells...)
		slices.SortStableFunc(all, func(a, b Cell) int { return int(a.Column.ID) - int(b.Column.ID) })
		if !run.Add(&Row{Key: key, Clustering: schema.Components(r.clustering), HasRow: true, Cells: all}) {
			return false
		}
	}
	if !any && len(static) > 0 {
		return run.Add(&Row{Key: key, Cells: static})
	}
	return true
}

func wanted(sel *plan.Select, clustering []byte) bool {
	if sel.Names != nil {
		return slices.ContainsFunc(sel.Names, func(n []byte) bool { return sel.Table.CompareClustering(n, clustering) == 0 })
	}
	if sel.Slices != nil {
		return slices.ContainsFunc(sel.Slices, func(sl schema.Slice) bool { return sel.Table.Contains(sl, clustering) })
	}
	return true
}
