package session

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"ringlab/engine/answer"
	"ringlab/engine/query"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// readSystem begins a SELECT on one of Cassandra's own tables. Their rows are
// what the coordinator knows at that moment; nothing is sent. Keys of keyspaces that
// real nodes replicate need as many live replicas as there.
func (c *Core) readSystem(f *flight, sel *plan.Select, coord int) {
	rows, known := c.systemRows(sel.Table, coord)
	if !known {
		f.ans.Error = refusal(plan.Unsupported("the table "+sel.Table.String(), systemInstead(sel.Table)))
		return
	}
	if !schema.Virtual(sel.Table.Keyspace) && slices.ContainsFunc(sel.Selection, func(s plan.Selector) bool { return readsTimestamp(s.Expr) }) {
		f.ans.Error = refusal(plan.Unsupported("writetime of "+sel.Table.String(), "its rows are made up when they are read"))
		return
	}
	parts, err := c.systemPartitions(sel, rows)
	if err != nil {
		f.ans.Error = refusal(err)
		return
	}
	var pages *paging
	if f.page.Size > 0 && (!sel.Aggregate || sel.GroupBy > 0) {
		if pages, err = pagesByCount(sel, f.page); err != nil {
			f.ans.Error = refusal(err)
			return
		}
	}
	f.ans.Warnings = sel.Warnings
	f.op = c.Cluster.Begin("read", coord, f.client.CL, f.client.Tracing || c.ForceTrc)
	c.parsed(f)
	if !c.Cluster.Reaches(f.op, sel.Table.Keyspace, sel.Keys) {
		return
	}
	f.finish = func(a *answer.Answer) { c.systemAnswer(a, sel, parts, pages, coord) }
	c.Cluster.Read(f.op, nil)
}

// pagesByCount pages rows that are made anew for every page: it skips those that
// were given.
func pagesByCount(sel *plan.Select, page Page) (*paging, error) {
	p := &paging{page: page, full: sel.Limit, group: true}
	if p.full == 0 {
		p.full = noLimit
	}
	if page.State != nil {
		at, ok := readPagingState(page.State, sel.Table, page.legacy)
		if !ok {
			return nil, errState
		}
		p.from = &position{left: at.left}
	}
	return p, nil
}

// given notes of the rows so far whether the last one counts. Those of a virtual
// table that have nothing but their keys do not: a page holds more of them.
// Source: Cassandra 5.0 DataLimits.CQLLimits.CQLCounter.applyToRow, Row.hasLiveData.
func (p *paging) given(rows int, counts bool) {
	for len(p.free) < rows {
		p.free = append(p.free, !counts)
	}
}

// cut cuts the page out of all rows.
func (p *paging) cut(a *answer.Answer, t *schema.Table) {
	from := 0
	if p.from != nil {
		from = max(0, p.full-p.from.left)
	}
	all := max(len(a.Rows), len(a.Values))
	from = min(from, all)
	to, counted := from, 0
	for ; to < all && counted < p.page.Size; to++ {
		if to >= len(p.free) || !p.free[to] {
			counted++
		}
	}
	if counted == p.page.Size && to < p.full {
		a.More, a.State = true, (&pagingState{left: p.full - to, inPart: noLimit}).bytes(t, p.page.legacy)
	}
	if a.Rows != nil {
		a.Rows = a.Rows[from:to]
	}
	if a.Values != nil {
		a.Values = a.Values[from:to]
	}
}

// systemAnswer makes the answer of the rows that were asked for.
func (c *Core) systemAnswer(a *answer.Answer, sel *plan.Select, parts [][]systemRow, pages *paging, coord int) {
	columns := sel.Selection
	if sel.JSON {
		columns = jsonColumn
	}
	out := printer{columns: columns, raw: c.Raw, bare: a.Bytes}
	run := query.New(sel, c.Cluster.Seconds(coord))
	run.Emit = out.row
	more := true
	for _, rows := range parts {
		for i := range rows {
			if !more {
				continue
			}
			if more = run.Add(&rows[i].Row); pages != nil {
				pages.given(max(len(out.rows), len(out.values)), len(rows[i].Cells) > 0 || sel.Distinct || !schema.Virtual(sel.Table.Keyspace))
			}
		}
	}
	values, err := run.Finish()
	if err != nil {
		a.Error = refusal(err)
		return
	}
	for _, v := range values {
		out.row(v)
	}
	out.give(a, sel.Table)
	if pages != nil {
		pages.cut(a, sel.Table)
	}
}

// systemRow is one row with its place in the table.
type systemRow struct {
	query.Row
	key        []byte
	token      ring.Token
	clustering []byte
}

// systemPartitions picks the rows that a SELECT asks for, by partition in the
// order of the answer: that of the keys where they are given, else that of the
// tokens, which in a virtual table are the keys themselves.
// Source: Cassandra 5.0 VirtualTables, LocalPartitioner.
func (c *Core) systemPartitions(sel *plan.Select, rows []systemRow) ([][]systemRow, error) {
	virtual := schema.Virtual(sel.Table.Keyspace)
	parts := map[string][]systemRow{}
	var keys []string
	for _, r := range rows {
		k := string(r.key)
		if parts[k] == nil {
			keys = append(keys, k)
		}
		parts[k] = append(parts[k], r)
	}
	if sel.Keys != nil || sel.Empty {
		keys = nil
		for _, k := range sel.Keys {
			keys = append(keys, string(k))
		}
	} else {
		bounds, err := c.bounds(sel.Range)
		if err != nil {
			return nil, err
		}
		keys = slices.DeleteFunc(keys, func(k string) bool { return !bounds.In(parts[k][0].token) })
		slices.SortFunc(keys, func(a, b string) int {
			if t := parts[a][0].token.Compare(parts[b][0].token); !virtual && t != 0 {
				return t
			}
			return compareKeys(sel.Table, []byte(a), []byte(b))
		})
	}
	out := make([][]systemRow, 0, len(keys))
	for _, k := range keys {
		part := slices.DeleteFunc(parts[k], func(r systemRow) bool { return !asked(sel, r.clustering) })
		slices.SortFunc(part, func(a, b systemRow) int {
			n := sel.Table.CompareClustering(a.clustering, b.clustering)
			if sel.Reversed {
				n = -n
			}
			return n
		})
		out = append(out, part)
	}
	return out, nil
}

// asked says whether a row lies in what a SELECT restricts the clustering to.
func asked(sel *plan.Select, clustering []byte) bool {
	switch {
	case sel.Names != nil:
		return slices.ContainsFunc(sel.Names, func(n []byte) bool { return sel.Table.CompareClustering(n, clustering) == 0 })
	case sel.Slices != nil:
		return slices.ContainsFunc(sel.Slices, func(s schema.Slice) bool { return sel.Table.Contains(s, clustering) })
	}
	return true
}

// compareKeys orders partition keys by their components.
func compareKeys(t *schema.Table, a, b []byte) int {
	x, y := t.SplitPartitionKey(a), t.SplitPartitionKey(b)
	for i, c := range t.Key {
		if n := c.Type.Compare(x[i], y[i]); n != 0 {
			return n
		}
	}
	return bytes.Compare(a, b)
}

// readsTimestamp says whether a timestamp is part of an expression.
func readsTimestamp(e plan.Expr) bool {
	switch x := e.(type) {
	case *plan.TimeExpr:
		return !x.TTL
	case *plan.CallExpr:
		return slices.ContainsFunc(x.Args, readsTimestamp)
	case *plan.AggregateExpr:
		return x.Arg != nil && readsTimestamp(x.Arg) || slices.ContainsFunc(x.Args, readsTimestamp)
	}
	return false
}

// systemTable collects the rows of one table.
type systemTable struct {
	table *schema.Table
	place ring.Partitioner
	at    int64 // timestamp of the cells
	rows  []systemRow
}

// add takes a row as names and values in turn; what is left out is null, as are
// nil values.
func (t *systemTable) add(pairs ...any) {
	values := map[string][]byte{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name := pairs[i].(string)
		col := t.table.Column(name)
		if col == nil {
			panic(fmt.Sprintf("session: %s has no column %s", t.table, name))
		}
		if pairs[i+1] != nil {
			values[name] = systemValue(col.Type, pairs[i+1])
		}
	}
	r := systemRow{Row: query.Row{HasRow: true}}
	for _, c := range t.table.Key {
		r.Key = append(r.Key, values[c.Name])
	}
	for _, c := range t.table.Clustering {
		r.Clustering = append(r.Clustering, values[c.Name])
	}
	r.key, r.clustering = schema.PartitionKeyBytes(r.Key), schema.PackClustering(r.Clustering)
	r.token = t.place.Token(r.key)
	for _, c := range t.table.Regular {
		r.Cells = append(r.Cells, t.cells(c, values[c.Name])...)
	}
	t.rows = append(t.rows, r)
}

// cells are those that hold a value: one, or one for each element.
func (t *systemTable) cells(c *schema.Column, v []byte) []query.Cell {
	if v == nil {
		return nil
	}
	if !c.Type.IsMultiCell() {
		return []query.Cell{{Column: c, Value: v, Timestamp: t.at}}
	}
	var out []query.Cell
	if c.Type.Kind == types.KindMap {
		kv, _ := types.DecodeMap(v)
		for i := 0; i+1 < len(kv); i += 2 {
			out = append(out, query.Cell{Column: c, Path: kv[i], Value: kv[i+1], Timestamp: t.at})
		}
		return out
	}
	elems, _ := types.DecodeCollection(v)
	for _, e := range elems {
		out = append(out, query.Cell{Column: c, Path: e, Value: []byte{}, Timestamp: t.at})
	}
	return out
}

// systemValue encodes a value of Go in a column's type; lists of options are
// maps of text, and lists of text are sorted where they are sets.
func systemValue(t *types.Type, v any) []byte {
	switch v := v.(type) {
	case []byte:
		return v
	case bool:
		return types.EncodeBool(v)
	case int:
		if t.Kind == types.KindBigInt {
			return types.EncodeInt64(int64(v))
		}
		return types.EncodeInt32(int32(v))
	case int64:
		return types.EncodeInt64(v)
	case float64:
		return types.EncodeDouble(v)
	case uuid.UUID:
		return v[:]
	case string:
		b, err := t.FromString(v)
		if err != nil {
			panic(fmt.Sprintf("session: %q is no %s", v, t))
		}
		return b
	case []string:
		if t.Kind == types.KindSet {
			v = slices.Sorted(slices.Values(v))
		}
		elems := make([][]byte, len(v))
		for i, s := range v {
			elems[i] = []byte(s)
		}
		return types.EncodeCollection(elems)
	case []schema.Option:
		v = slices.SortedFunc(slices.Values(v), func(a, b schema.Option) int { return bytes.Compare([]byte(a.Key), []byte(b.Key)) })
		var kv [][]byte
		for _, o := range v {
			kv = append(kv, []byte(o.Key), []byte(o.Value))
		}
		return types.EncodeMap(kv)
	}
	panic(fmt.Sprintf("session: no column holds a %T", v))
}
