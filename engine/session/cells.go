package session

import (
	"bytes"
	"iter"
	"slices"

	"ringlab/engine/answer"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// CellRow is a row of the classic model as a read found it. Its cells stay where
// storage has them until somebody looks at them: most of a wide row's slice goes by
// without a list of its own.
type CellRow struct {
	Key []byte

	cells []Cell         // that were taken apart
	rows  []storage.Row  // whose cells were not yet
	read  *plan.CellRead // what asks for them, nil if all were taken apart
	now   int64          // seconds
}

// Cells are all cells, in the order of their names, or reversed.
func (r *CellRow) Cells() []Cell {
	if r.read != nil {
		most := len(r.rows)
		if r.read.Limit >= 0 {
			most = min(most, r.read.Limit)
		}
		list := make([]Cell, 0, most)
		for c := range r.Each() {
			list = append(list, *c)
		}
		r.Keep(list)
	}
	return r.cells
}

// Keep makes a part of its own cells all that the row has.
func (r *CellRow) Keep(cells []Cell) { r.cells, r.rows, r.read = cells, nil, nil }

// Empty says whether the row has no cells.
func (r *CellRow) Empty() bool {
	for range r.Each() {
		return false
	}
	return true
}

// Each goes through the cells. Each of them is good until the next one comes.
func (r *CellRow) Each() iter.Seq[*Cell] {
	return func(yield func(*Cell) bool) {
		if r.read != nil {
			r.apart(yield)
			return
		}
		for i := range r.cells {
			if !yield(&r.cells[i]) {
				return
			}
		}
	}
}

// apart is Each for cells that were not taken apart.
func (r *CellRow) apart(yield func(*Cell) bool) {
	t := r.read.Table.Stored()
	left := r.read.Limit
	var view storage.View
	var out Cell
	for _, row := range r.rows {
		cells := row.Read(&view)
		for c := (storage.Cell{}); cells.Next(&c); {
			if !c.IsLive(r.now) || c.Timestamp == storage.NoTimestamp { // the least timestamp is that of a deletion of nothing, which wins
				continue
			}
			if left == 0 {
				return
			}
			left--
			out.fill(t, &c)
			if out.Super, out.Name = r.read.Name(view.Clustering); !yield(&out) {
				return
			}
		}
	}
}

// Cell is one column of a row. TTL is the one it was written with, in seconds.
type Cell struct {
	Super     []byte // the outer name, nil without one
	Name      []byte
	Value     []byte // of a counter its total, 8 bytes
	Timestamp int64  // µs
	TTL       int32
	Counter   bool
}

// ReadCells runs a read of the classic model. Rows come in the order of the keys,
// or in that of the ring; a row of keys that was not found has no cells.
func (c *Core) ReadCells(text string, r *plan.CellRead) (*answer.Answer, []CellRow) {
	a, f := c.finishStatement(func() *flight {
		f := c.classic(text)
		if f.ans.Error == nil {
			f.cells = true
			c.cells(f, r, func(found []CellRow) { f.rows = found })
		}
		return f
	})
	return a, f.rows
}

// classic begins a statement of the current client that is parsed already.
func (c *Core) classic(text string) *flight {
	f := &flight{core: c, client: c.Current, ans: &answer.Answer{Statement: text, AtMicros: int64(c.Cluster.Now())}}
	coord, err := c.Coordinator(c.Current)
	if err != nil {
		f.ans.Error = &answer.Error{Name: "NoHostAvailable", Message: err.Error()}
		return f
	}
	f.coord = coord
	f.ans.Coordinator = c.Cluster.Nodes[coord].Name
	return f
}

// RunPlan runs a plan of the classic model that is no read.
func (c *Core) RunPlan(text string, p plan.Plan) *answer.Answer {
	a, _ := c.finishStatement(func() *flight {
		f := c.classic(text)
		if f.ans.Error == nil {
			c.begin(f, p, f.coord)
		}
		return f
	})
	return a
}

// cells begins a read of the classic model.
func (c *Core) cells(f *flight, r *plan.CellRead, done func([]CellRow)) {
	t := r.Table.Stored()
	kind := "read"
	if r.Keys == nil {
		kind = "range"
	}
	f.table = t
	level := f.client.CL
	if level.IsSerial() && len(r.Keys) != 1 {
		level = plan.Quorum
	}
	c.openAt(f, kind, f.coord, level)
	now := c.Cluster.Seconds(f.coord)
	base := &storage.Query{Table: t, Slices: r.Slices, Reversed: r.Reversed && r.Name != nil, Tell: f.client.Tracing || c.ForceTrc, Now: now,
		GCBefore: now - int64(t.Options.GCGrace)}
	if r.Pick == nil && r.Passes == nil && !r.Grouped && r.Limit >= 0 {
		base.PerPartition = max(r.Limit, 1)
	}
	f.finish = func(a *answer.Answer) { done(c.cellRows(r, f.op.Found, now)) }
	if r.Keys == nil {
		c.scanCells(f, r, base)
		return
	}
	queries := make([]*storage.Query, len(r.Keys))
	for i, key := range r.Keys {
		q := *base
		q.Key, q.Token = string(key), c.Cluster.Partitioner().Token(key)
		queries[i] = &q
	}
	f.queries, f.hand = queries, Hand{cells: r, now: now}
	if level.IsSerial() {
		c.Cluster.ReadSerial(f.op, queries, level)
		return
	}
	c.Cluster.Read(f.op, queries)
}

// scanCells begins a read of a stretch of the ring; one that wraps is read whole
// and cut afterwards.
func (c *Core) scanCells(f *flight, r *plan.CellRead, q *storage.Query) {
	s := r.Scan
	q.Ghosts = !s.Live
	limit := 0
	if !s.Wraps {
		limit = max(s.Rows, 0)
	}
	b := storage.Bounds{Left: s.Start, Right: s.End, NoLeft: s.NoStart, NoRight: s.NoEnd, IncludeLeft: !s.AfterStart}
	if s.Wraps {
		b = storage.Bounds{NoLeft: true, NoRight: true}
	}
	if r.Passes == nil {
		c.Cluster.Scan(f.op, q, b, limit)
		return
	}
	if sel := seeking(r); sel != nil {
		c.Cluster.UseIndex(f.op, sel, false)
	}
	c.Cluster.Scan(f.op, q, b, 0)
}

// seeking is how a read finds its rows by the indexes of a column family, as a
// SELECT would; nil if none can.
// Source: Cassandra 2.1 ExtendedFilter, SecondaryIndexManager.search.
func seeking(r *plan.CellRead) *plan.Select {
	if len(r.Seeks) == 0 {
		return nil
	}
	sel := &plan.Select{Table: r.Table}
	for i, s := range r.Seeks {
		sel.Filters = append(sel.Filters, plan.Filter{Column: r.Table.Column(s.Index.Column), Op: plan.EQ, Value: s.Value})
		sel.Seeks = append(sel.Seeks, plan.Seek{Index: s.Index, Filter: i})
	}
	return sel
}

// cellRows makes rows of the classic model of what a read found.
func (c *Core) cellRows(r *plan.CellRead, found []*storage.Found, now int64) []CellRow {
	if s := r.Scan; s != nil && s.Wraps {
		found = turned(r.Scan, found)
	}
	whole := r.Name != nil && r.Pick == nil && r.Passes == nil && !r.Grouped && (r.Scan == nil || !r.Scan.Live)
	out := make([]CellRow, 0, len(found))
	for i, f := range found {
		if r.Scan != nil && len(out) >= r.Scan.Rows {
			break
		}
		row := CellRow{}
		if r.Keys != nil {
			row.Key = r.Keys[i]
		} else if f != nil {
			row.Key = []byte(f.Key)
		}
		if f != nil && whole {
			row.rows, row.read, row.now = f.Rows, r, now
			out = append(out, row)
			continue
		}
		if f != nil {
			row.cells = takeApart(r, f.Partition, now)
		}
		if r.Passes != nil && !r.Sliced && !r.Passes(row.value) {
			continue
		}
		row.pick(r)
		if r.Sliced && !r.Passes(row.value) {
			continue
		}
		if s := r.Scan; s != nil && s.Live && r.Passes == nil && len(row.cells) == 0 {
			continue
		}
		if r.Ahead && r.Reversed {
			slices.Reverse(row.cells)
		}
		out = append(out, row)
	}
	return out
}

// turned is what lies in a stretch that goes over the end of the ring, from its
// start on.
func turned(s *plan.CellScan, found []*storage.Found) []*storage.Found {
	var first, second []*storage.Found
	for _, f := range found {
		order := f.Token.Compare(s.Start)
		switch {
		case order > 0 || order == 0 && !s.AfterStart:
			first = append(first, f)
		case f.Token.Compare(s.End) <= 0:
			second = append(second, f)
		}
	}
	return append(first, second...)
}

// value is the value under a name, nil if there is none.
func (r *CellRow) value(name []byte) []byte {
	for i := range r.cells {
		if bytes.Equal(r.cells[i].Name, name) {
			return r.cells[i].Value
		}
	}
	return nil
}

// pick leaves the cells that are asked for: at most so many of them, or those
// under so many outer names.
func (r *CellRow) pick(q *plan.CellRead) {
	if q.Pick != nil {
		r.cells = slices.DeleteFunc(r.cells, func(c Cell) bool { return !q.Pick(c.Super, c.Name) })
		if q.Reversed && q.Name == nil {
			slices.Reverse(r.cells)
		}
	}
	switch {
	case q.Limit < 0:
	case !q.Grouped:
		r.cells = r.cells[:min(q.Limit, len(r.cells))]
	default:
		if q.Reversed {
			r.outerOnly()
		}
		groups := 0
		for i := range r.cells {
			if i > 0 && bytes.Equal(r.cells[i].Super, r.cells[i-1].Super) {
				continue
			}
			if groups++; groups > q.Limit {
				r.cells = r.cells[:i]
				return
			}
		}
	}
}

// outerOnly turns the order under each outer name back: only outer names are
// read from the end. Source: Cassandra 2.1 CassandraServer.thriftifySuperColumns.
func (r *CellRow) outerOnly() {
	for i := 0; i < len(r.cells); {
		j := i
		for j < len(r.cells) && bytes.Equal(r.cells[j].Super, r.cells[i].Super) {
			j++
		}
		slices.Reverse(r.cells[i:j])
		i = j
	}
}

// takeApart is the live cells of a partition, whatever limit there is.
func takeApart(r *plan.CellRead, p *storage.Partition, now int64) []Cell {
	if r.Name != nil {
		all := *r
		all.Limit = -1
		row := CellRow{rows: p.Rows, read: &all, now: now}
		return row.Cells()
	}
	t := r.Table.Stored()
	var out []Cell
	var view storage.View
	if !p.Static.IsZero() {
		out = sparse(t, out, p.Static, &view, now)
	}
	for _, row := range p.Rows {
		out = sparse(t, out, row, &view, now)
	}
	return out
}

// fill sets everything but the names.
func (out *Cell) fill(t *schema.Table, c *storage.Cell) {
	out.Value, out.Timestamp, out.TTL = c.Value, c.Timestamp, c.TTL
	if t.Counter {
		out.Counter, out.Value = true, types.EncodeInt64(storage.CounterTotal(c.Value))
	}
}

// sparse adds the cells of a row of a CQL3 table, as 2.1 stored them: a marker
// for a row that exists for itself, then one for each column or element, all
// under the components of the clustering. Those of the static row come under
// empty ones. Source: Cassandra 2.1 CompoundSparseCellNameType.
func sparse(t *schema.Table, out []Cell, row storage.Row, view *storage.View, now int64) []Cell {
	first := len(out)
	cells := row.Read(view)
	parts := schema.Components(view.Clustering)
	if view.Static {
		parts = make([][]byte, len(t.Clustering))
	}
	name := func(rest ...[]byte) []byte {
		n := schema.PartitionKeyComposite(append(parts[:len(parts):len(parts)], rest...))
		if view.Static {
			n = append([]byte{0xff, 0xff}, n...)
		}
		return n
	}
	if view.Liveness.IsLive(now) {
		out = append(out, Cell{Name: name(nil), Value: []byte{}, Timestamp: view.Liveness.Timestamp, TTL: view.Liveness.TTL})
	}
	for c := (storage.Cell{}); cells.Next(&c); {
		col := t.ColumnByID(c.Column)
		if col == nil || !c.IsLive(now) {
			continue
		}
		var cell Cell
		cell.fill(t, &c)
		if cell.Name = name([]byte(col.Name)); c.HasPath {
			cell.Name = name([]byte(col.Name), c.Path)
		}
		out = append(out, cell)
	}
	sorted := out[first:]
	slices.SortStableFunc(sorted, func(a, b Cell) int { return compareColumns(a.Name, b.Name, len(parts), view.Static) })
	return out
}

// compareColumns orders cells of one row by their column; elements keep theirs.
func compareColumns(a, b []byte, skip int, static bool) int {
	column := func(n []byte) []byte {
		if static {
			n = n[2:]
		}
		for range skip {
			n = n[3+(int(n[0])<<8|int(n[1])):]
		}
		return n[2 : 2+(int(n[0])<<8|int(n[1]))]
	}
	return bytes.Compare(column(a), column(b))
}
