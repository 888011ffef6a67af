package session

import (
	"fmt"
	"slices"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/query"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// read begins a SELECT.
func (c *Core) read(f *flight, sel *plan.Select, coord int) {
	k := f.client
	if k.CL == plan.Any {
		f.ans.Error = refusal(plan.Invalid("ANY ConsistencyLevel is only supported for writes"))
		return
	}
	if schema.System(sel.Table.Keyspace) {
		c.readSystem(f, sel, coord)
		return
	}
	kind := "read"
	if sel.Keys == nil && !sel.Empty {
		kind = "range"
	}
	if k.CL.IsSerial() && len(sel.Keys) > 1 && !sel.Apart {
		f.ans.Error = refusal(plan.Invalid("SERIAL/LOCAL_SERIAL consistency may only be requested for one partition at a time"))
		return
	}
	f.table = sel.Table
	level, err := c.readLevel(f, sel)
	if err != nil {
		f.ans.Error = refusal(err)
		return
	}
	c.openAt(f, kind, coord, level)
	now := f.seconds(coord)
	if sel.ANN != nil && sel.ANN.Invalid {
		f.ans.Warnings = append(f.ans.Warnings, sel.Warnings...)
		c.Cluster.Reject(f.op, plan.ReadFailure, "", sel.Table.Keyspace, c.Cluster.Partitioner().Minimum())
		return
	}
	var pages *paging
	if f.page.Size > 0 && sel.ANN == nil && (!sel.Aggregate && sel.GroupBy == 0 || sel.GroupBy > 0 && !sel.Distinct) {
		own := *sel
		sel = &own
		if pages, err = startPaging(sel, f.page); err != nil {
			f.ans.Error, f.op = refusal(err), nil
			return
		}
	}
	f.ans.Warnings = append(f.ans.Warnings, sel.Warnings...)
	base := c.query(sel, now)
	stored(base)
	f.finish = func(a *answer.Answer) { c.rows(a, sel, pages, f.op, now) }
	if sel.Index != nil && !sel.Empty && sel.ANN == nil {
		c.Cluster.UseIndex(f.op, sel, len(sel.Filters) == 1 && base.Limit > 0 && sel.PerPartition == 0)
	}
	if sel.Index == nil && len(sel.Filters) > 0 {
		c.Cluster.NoIndex(f.op, sel.Table)
	}
	if atReplicas(sel) {
		c.Cluster.Filter(f.op, sel.Table, newRowFilter(sel, now), mutable(sel.Filters))
	}
	if pages != nil && pages.group && !sel.Empty {
		f.hand = Hand{sel: sel, now: now}
		c.readGroups(f, sel, base, pages, now)
		return
	}
	groups := groupsAtReplicas(sel, false, now)
	if groups != nil {
		c.Cluster.Group(f.op, groups)
	}
	switch {
	case sel.Empty:
		c.Cluster.Read(f.op, nil)
	case sel.Keys != nil:
		queries := make([]*storage.Query, len(sel.Keys))
		for i, key := range sel.Keys {
			q := *base
			q.Key, q.Token = string(key), c.Cluster.Partitioner().Token(key)
			if pages.resumes(q.Key) {
				q.Names, q.Slices = behind(sel, pages.from.row, q.Names, q.Slices)
				q.PerPartition = pages.perPartition(q.PerPartition)
				q.Resumed = q.Key
			}
			queries[i] = &q
		}
		f.queries, f.hand = queries, Hand{sel: sel, now: now}
		if k.CL.IsSerial() {
			c.Cluster.ReadSerial(f.op, queries, k.CL)
			return
		}
		if sel.Apart {
			c.Cluster.ReadApart(f.op, queries)
			return
		}
		c.Cluster.Read(f.op, queries)
	default:
		bounds, err := c.bounds(sel.Range)
		if err != nil {
			f.ans.Error, f.op = refusal(err), nil
			return
		}
		if pages != nil && pages.from != nil {
			c.goOn(base, &bounds, sel, pages)
		}
		limit := base.Limit
		if groups != nil {
			limit = groups.Limit()
		}
		base.Limit = 0
		c.Cluster.Scan(f.op, base, bounds, limit)
	}
}

// atReplicas says whether the replicas apply the filters of a SELECT: not those of
// a ranking, nor of the rows that are made of a table of the classic model.
func atReplicas(sel *plan.Select) bool {
	return len(sel.Filters) > 0 && sel.ANN == nil && sel.Table.Stored() == sel.Table
}

// goOn makes a scan begin behind the last row of the page before.
func (c *Core) goOn(q *storage.Query, b *storage.Bounds, sel *plan.Select, pages *paging) {
	b.Left, b.NoLeft = c.Cluster.Partitioner().Token(pages.from.key), false
	if b.IncludeLeft = pages.from.hasRow; b.IncludeLeft {
		q.Resumed = string(pages.from.key)
		q.After = &storage.After{Key: string(pages.from.key), PerPartition: pages.perPartition(q.PerPartition)}
		q.After.Names, q.After.Slices = behind(sel, pages.from.row, q.Names, q.Slices)
	}
}

// query is what the replicas are asked, without the key.
func (c *Core) query(sel *plan.Select, now int64) *storage.Query {
	q := &storage.Query{Table: sel.Table, Slices: sel.Slices, Names: sel.Names, Reversed: sel.Reversed, Distinct: sel.Distinct,
		RowsOnly: sel.ByRow, Tell: c.Current.Tracing || c.ForceTrc, Now: now, GCBefore: now - int64(sel.Table.Options.GCGrace)}
	// What is counted after the read cannot be limited at the replicas.
	if (len(sel.Filters) == 0 || atReplicas(sel)) && !sel.Aggregate && sel.GroupBy == 0 {
		q.PerPartition = sel.PerPartition
		if len(sel.SortBy) == 0 {
			q.Limit = sel.Limit
		}
	}
	if sel.Columns != nil {
		q.Columns = make(map[uint16]bool, len(sel.Columns))
		for _, col := range sel.Columns {
			q.Columns[col.ID] = true
		}
		q.Parts = sel.Parts
		if q.Fetch = storage.FetchAll; sel.ByRow || slices.ContainsFunc(sel.Filters, func(f plan.Filter) bool { return f.Column.Kind == schema.Regular }) {
			q.Fetch = storage.FetchRegular
		}
	}
	return q
}

// bounds turns a restriction of the token into a stretch of the ring.
func (c *Core) bounds(r plan.TokenRange) (storage.Bounds, error) {
	b := storage.Bounds{NoLeft: r.Start == nil, NoRight: r.End == nil, IncludeLeft: r.StartInclusive, ExcludeRight: !r.EndInclusive}
	var err error
	if r.Start != nil {
		if b.Left, err = c.tokenValue(r.Start); err != nil {
			return b, err
		}
	}
	if r.End != nil {
		if b.Right, err = c.tokenValue(r.End); err != nil {
			return b, err
		}
		// The minimum token as upper end means the end of the ring.
		if b.Right == c.Cluster.Partitioner().Minimum() {
			b.NoRight = true
		}
	}
	return b, nil
}

// tokenValue reads a token from the value that token() has in CQL.
func (c *Core) tokenValue(value []byte) (ring.Token, error) {
	p := c.Cluster.Partitioner()
	switch p.Name() {
	case "Murmur3Partitioner":
		return ring.Murmur3Token(types.DecodeInt64(value)), nil
	case "ByteOrderedPartitioner":
		return p.Token(value), nil
	case "OrderPreservingPartitioner":
		return p.Parse(string(value))
	}
	return p.Parse(types.DecodeVarint(value).String())
}

// rows makes the answer's rows of what the replicas gave.
func (c *Core) rows(a *answer.Answer, sel *plan.Select, pages *paging, op *cluster.Op, now int64) {
	if w := op.Scanned; w != nil && c.Cluster.Set.TombstoneWarn > 0 {
		a.Warnings = append(a.Warnings, c.tombstones(sel.Table, w))
	}
	columns := sel.Selection
	if sel.JSON {
		columns = jsonColumn
	}
	out := printer{columns: columns, raw: c.Raw, bare: a.Bytes}
	all := seen(sel.Table, op.Found)
	for _, found := range all {
		if found != nil {
			out.expected += len(found.Rows)
		}
	}
	if sel.Limit > 0 {
		out.expected = min(out.expected, sel.Limit)
	}
	run := query.New(sel, now)
	run.Emit = out.row
	var feeder feeder
	feeder.sel, feeder.now = sel, now
	paged := pages != nil && !pages.group
	run.Paged = paged
	if paged && pages.from != nil {
		feeder.resumed = string(pages.from.key)
		run.Resume(sel.Table.SplitPartitionKey(pages.from.key), pages.from.inPart)
	}
	add := run.Add
	groups := pages.groupReader()
	if groups != nil {
		if groups.failed {
			c.groupFailure(a, op)
			return
		}
		sel.PerPartition = 0 // which the pager has seen to
		place := -1
		add = func(row *query.Row) bool {
			if place++; !groups.given[place] {
				return true
			}
			return run.Add(row)
		}
	}
	var direct *directFeeder
	if groups == nil && run.Direct() {
		direct = newDirectFeeder(sel, now)
	}
	for _, found := range all {
		if found == nil {
			continue
		}
		if len(sel.Table.Key) > 1 && sel.Table.Family != nil && len(sel.Table.SplitPartitionKey([]byte(found.Key))) < len(sel.Table.Key) {
			a.Error = refusal(&plan.Error{Code: plan.ServerError, Message: "a row key has fewer components than " + sel.Table.String() + " has key columns; cassandra-cli shows it (`:language cli`)"})
			return
		}
		if direct != nil && found.Static.IsZero() {
			if !direct.partition(run.Give, found) {
				break
			}
			continue
		}
		if !feeder.partition(add, found) {
			break
		}
	}
	values, err := run.Finish()
	if err == query.ErrGroup {
		c.groupFailure(a, op)
		return
	}
	if err != nil {
		a.Error = refusal(err)
		return
	}
	for _, v := range values {
		out.row(v)
	}
	out.give(a, sel.Table)
	switch {
	case paged:
		a.State = pages.end(run, &feeder)
		a.More = a.State != nil
	case groups != nil:
		if at := groups.pager.end(); at != nil {
			state := pagingState{key: at.key, row: at.row, left: at.left, inPart: at.inPart}
			if pages.single {
				state.key = nil
			}
			a.More, a.State = true, state.bytes(sel.Table, pages.page.legacy)
		}
	}
}

// columnKind is what the column is for that a selector shows, "" for others.
func columnKind(e plan.Expr) string {
	if c, ok := e.(*plan.ColumnExpr); ok {
		return c.Column.Kind.String()
	}
	return ""
}

// groupFailure is the answer of a read whose groups a replica failed to make.
func (c *Core) groupFailure(a *answer.Answer, op *cluster.Op) {
	node := c.Cluster.Nodes[op.Coord]
	a.Warnings = nil
	a.Error = c.failure(&cluster.Failure{Code: plan.ReadFailure, CL: op.CL, BlockFor: op.Need, Failures: map[string]string{node.Name: "UNKNOWN"},
		Message: "Operation failed - received 0 responses and 1 failures: UNKNOWN from /" + node.Address + ":7000"})
}

// jsonColumn is the one column of SELECT JSON.
var jsonColumn = []plan.Selector{{Name: "[json]", Type: types.Text}}

// tombstones is the warning of a read that passed too many of them. The query
// in it is the one that the replica ran: all columns, with filtering allowed.
// Source: Cassandra 5.0 ReadCommand.withMetricsRecording, toCQLString.
func (c *Core) tombstones(t *schema.Table, w *cluster.Scanned) string {
	where, token := "", ""
	if w.Key != "" {
		key := []byte(w.Key)
		token = c.Cluster.Partitioner().Format(c.Cluster.Partitioner().Token(key))
		for i, v := range t.SplitPartitionKey(key) {
			where += map[bool]string{true: " WHERE ", false: " AND "}[i == 0] + schema.Quote(t.Key[i].Name) + " = " + t.Key[i].Type.Literal(v)
		}
	}
	query := "SELECT * FROM " + t.String() + where + " ALLOW FILTERING"
	if len(query) > 512 {
		query = query[:512]
	}
	return fmt.Sprintf("Read %d live rows and %d tombstone cells for query %s; token %s (see tombstone_warn_threshold)", w.Live, w.Dead, query, token)
}

// feeder unpacks what a read found into rows for the selection.
type feeder struct {
	sel     *plan.Select
	key     string // of the partition
	resumed string // key of a partition whose first rows the page before had
	now     int64
	view    storage.View
	row     query.Row
	stat    []query.Cell
	want    map[uint16]bool // columns by ID, nil for all
}

// partition feeds one partition; false means that no more rows are wanted.
func (f *feeder) partition(add func(*query.Row) bool, found *storage.Found) bool {
	t := f.sel.Table
	f.key = found.Key
	f.row.Key = t.SplitPartitionKey([]byte(found.Key))
	f.stat = f.stat[:0]
	if !found.Static.IsZero() {
		f.stat = f.cells(f.stat, found.Static.Read(&f.view))
	}
	any := false
	for _, r := range found.Rows {
		if !r.HasLive(f.now, t.Strict()) {
			continue
		}
		var live bool
		if f.row.Cells, live = f.live(append(f.row.Cells[:0], f.stat...), r); !live {
			continue
		}
		any = true
		f.row.HasRow = true
		f.row.Clustering = f.row.Clustering[:0]
		for rest := f.view.Clustering; ; {
			v, next, ok := nextComponent(rest)
			if !ok {
				break
			}
			f.row.Clustering = append(f.row.Clustering, v)
			rest = next
		}
		if !add(&f.row) {
			return false
		}
	}
	if !any && len(f.stat) > 0 && !f.sel.ByRow && f.key != f.resumed {
		f.row.HasRow, f.row.Clustering = false, nil
		f.row.Cells = append(f.row.Cells[:0], f.stat...)
		return add(&f.row)
	}
	return true
}

// live adds the live cells of a row and says whether it exists as far as the
// columns that are asked for tell.
func (f *feeder) live(out []query.Cell, r storage.Row) ([]query.Cell, bool) {
	before := len(out)
	out = f.cells(out, r.Read(&f.view))
	return out, f.want == nil || len(out) > before || f.view.Liveness.IsLive(f.now)
}

// cells adds the live cells of a row.
func (f *feeder) cells(out []query.Cell, in storage.CellReader) []query.Cell {
	for c := (storage.Cell{}); in.Next(&c); {
		if !c.IsLive(f.now) {
			continue
		}
		col := f.sel.Table.ColumnByID(c.Column)
		if col == nil || f.want != nil && !f.want[c.Column] {
			continue
		}
		value := c.Value
		if col.Type.IsCounter() {
			value = types.EncodeInt64(storage.CounterTotal(value))
		}
		if value == nil {
			value = []byte{}
		}
		cell := query.Cell{Column: col, Value: value, Timestamp: c.Timestamp, TTL: c.TTL, Expiry: c.Local}
		if c.HasPath {
			cell.Path = c.Path
		}
		out = append(out, cell)
	}
	return out
}
