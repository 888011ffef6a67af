package query

import (
	"bytes"
	"slices"

	"ringlab/model/plan"
	"ringlab/model/schema"
)

// Runner makes the answer of one SELECT from rows in the order of the answer:
// partitions as plan.Select lists them or by token, rows by clustering, reversed
// where the plan says so.
type Runner struct {
	// Emit, if set before the first row, takes each row of the answer as soon as
	// nothing can change it, instead of Finish: without ORDER BY over several
	// partitions. The values are valid, the slice of them only during the call.
	Emit  func(values [][]byte)
	Paged bool // InPartition is asked for

	sel  *plan.Select
	now  int64 // second, for what is left of TTLs
	part int   // clustering columns that groups share

	columns  []bare   // of a selection of nothing but columns, else nil
	partKey  [][]byte // partition of the last row
	started  bool
	inPart   int // rows or groups of it
	total    int
	group    *group
	out      [][][]byte
	sortKeys [][][]byte // values to sort the rows by, parallel to out
	ranks    []ranked   // of ORDER BY … ANN OF, parallel to out
	slab     [][]byte
	done     bool
	simple   bool // bare columns of every row, with nothing to decide but LIMIT
	err      error
}

// New starts an answer; nowSeconds is the coordinator's time.
func New(sel *plan.Select, nowSeconds int64) *Runner {
	r := &Runner{sel: sel, now: nowSeconds, part: sel.GroupBy - len(sel.Table.Key)}
	if r.grouped() {
		r.group = newGroup(sel)
		return r
	}
	if !sel.JSON {
		r.columns = bareColumns(sel)
	}
	r.simple = r.columns != nil && len(sel.Filters) == 0 && !r.sorts() && !sel.Distinct && sel.PerPartition == 0 && !sel.Empty
	return r
}

// bareColumns are the columns of a selection without any computation.
func bareColumns(sel *plan.Select) []bare {
	columns := make([]bare, len(sel.Selection))
	for i := range sel.Selection {
		c, ok := sel.Selection[i].Expr.(*plan.ColumnExpr)
		if !ok {
			return nil
		}
		kind := c.Column.Kind
		columns[i] = bare{column: c.Column, single: (kind == schema.Regular || kind == schema.Static) && !c.Column.Type.IsMultiCell()}
	}
	return columns
}

// Resume tells that the answer goes on behind the n-th row of a partition.
func (r *Runner) Resume(key [][]byte, n int) {
	r.started, r.inPart = true, n
	r.partKey = append(r.partKey[:0], key...)
}

// Total is the number of rows so far.
func (r *Runner) Total() int { return r.total }

// InPartition is the number of rows of the last partition so far; Paged has it
// counted.
func (r *Runner) InPartition() int { return r.inPart }

// grouped says whether rows are folded: under GROUP BY or an aggregate.
func (r *Runner) grouped() bool { return r.sel.GroupBy > 0 || r.sel.Aggregate }

// Add takes one row; more is false once nothing further can change the answer.
func (r *Runner) Add(row *Row) (more bool) {
	if r.done || r.sel.Empty {
		return false
	}
	if r.simple && row.HasRow {
		r.emitColumns(row)
		if r.Paged {
			if !r.started || !sameKey(r.partKey, row.Key) {
				r.started, r.partKey, r.inPart = true, append(r.partKey[:0], row.Key...), 0
			}
			r.inPart++
		}
		return r.more()
	}
	if !r.Matches(row) {
		return true
	}
	same := r.started && sameKey(r.partKey, row.Key)
	if !same {
		r.partKey, r.inPart = append(r.partKey[:0], row.Key...), 0
	} else if r.sel.Distinct {
		return true
	}
	first := !r.started
	r.started = true
	if r.grouped() {
		return r.addToGroup(row, first, same)
	}
	if r.sel.PerPartition > 0 && r.inPart >= r.sel.PerPartition {
		return true
	}
	r.inPart++
	if r.emit(row); r.err != nil {
		r.done = true
		return false
	}
	r.total++
	r.done = r.sel.Limit > 0 && r.total >= r.sel.Limit && !r.sorts()
	return !r.done
}

// more counts a row of bare columns and says whether another one is wanted.
func (r *Runner) more() bool {
	r.total++
	r.done = r.total == r.sel.Limit
	return !r.done
}

// Direct says whether the answer's rows are no more than values of the columns of
// its selection, row by row: Give then takes them without a Row.
func (r *Runner) Direct() bool {
	return r.simple && !r.Paged && r.Emit != nil && !slices.ContainsFunc(r.columns, func(b bare) bool {
		return b.column.Kind == schema.Static || b.column.Kind == schema.Regular && !b.single
	})
}

// Give is Add for a row's values in the order of the selection, where Direct says so.
// They are good until it returns.
func (r *Runner) Give(values [][]byte) (more bool) {
	if r.done {
		return false
	}
	r.Emit(values)
	return r.more()
}

func sameKey(a, b [][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// bare is a column of a selection without any computation; hint is where its
// cell stood in the row before.
type bare struct {
	column *schema.Column
	single bool // at most one cell
	hint   int
}

// value is the column's value in the row.
func (b *bare) value(row *Row) []byte {
	c := b.column
	if !b.single {
		return row.value(c)
	}
	if b.hint < len(row.Cells) && row.Cells[b.hint].Column == c {
		return row.Cells[b.hint].Value
	}
	for i := range row.Cells {
		if row.Cells[i].Column == c {
			b.hint = i
			return row.Cells[i].Value
		}
	}
	return nil
}

// emit appends the row's values to the answer.
func (r *Runner) emit(row *Row) {
	if r.columns != nil {
		r.emitColumns(row)
		r.keepSortKey(row)
		return
	}
	values := make([][]byte, len(r.sel.Selection))
	for i := range r.sel.Selection {
		var err error
		if values[i], err = r.eval(r.sel.Selection[i].Expr, row); err != nil {
			r.err = err
			return
		}
	}
	r.push(values)
	r.keepSortKey(row)
}

// emitColumns appends the row's values of bare columns.
func (r *Runner) emitColumns(row *Row) {
	n := len(r.columns)
	if r.Emit != nil && !r.sorts() {
		if r.slab == nil {
			r.slab = make([][]byte, n)
		}
		for i := range r.columns {
			r.slab[i] = r.columns[i].value(row)
		}
		r.Emit(r.slab)
		return
	}
	if len(r.slab) < n {
		rows := min(max(16, len(r.out)), 1024) // to come
		r.slab = make([][]byte, n*rows)
		r.out = slices.Grow(r.out, rows)
	}
	values := r.slab[:n:n]
	r.slab = r.slab[n:]
	for i := range r.columns {
		values[i] = r.columns[i].value(row)
	}
	r.out = append(r.out, values)
}

// push appends a finished row.
func (r *Runner) push(values [][]byte) {
	if r.sel.JSON {
		row, err := jsonRow(r.sel, values)
		if err != nil {
			r.err, r.done = err, true
			return
		}
		values = [][]byte{row}
	}
	if r.Emit != nil && !r.sorts() {
		r.Emit(values)
		return
	}
	r.out = append(r.out, values)
}

// sorts says whether the rows get their order after the read.
func (r *Runner) sorts() bool { return len(r.sel.SortBy) > 0 || r.sel.ANN != nil }

func (r *Runner) keepSortKey(row *Row) {
	switch a := r.sel.ANN; {
	case a != nil:
		r.rank(a, row)
	case len(r.sel.SortBy) > 0:
		r.sortKeys = append(r.sortKeys, sortKey(r.sel, row))
	}
}

func sortKey(sel *plan.Select, row *Row) [][]byte {
	key := make([][]byte, len(sel.SortBy))
	for i, s := range sel.SortBy {
		key[i] = row.value(s.Column)
	}
	return key
}

// Finish ends the answer and gives its rows that were not emitted, one value for each selector, or a
// single one for JSON; nil is null.
func (r *Runner) Finish() ([][][]byte, error) {
	if r.err == nil && r.grouped() {
		r.finishGroups()
	}
	if r.err != nil {
		return nil, r.err
	}
	switch {
	case r.sel.ANN != nil:
		r.pick(r.best())
	case r.sorts():
		r.sort()
	}
	if r.sel.Limit > 0 && len(r.out) > r.sel.Limit {
		r.out = r.out[:r.sel.Limit]
	}
	return r.out, nil
}

// sort orders the rows of several partitions; null stands first, or last in
// reversed order. Source: Cassandra 5.0 SelectStatement.orderResults.
func (r *Runner) sort() {
	order := make([]int, len(r.out))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		for k, s := range r.sel.SortBy {
			a, b := r.sortKeys[i][k], r.sortKeys[j][k]
			c := 0
			switch {
			case a == nil || b == nil:
				c = boolean(a != nil) - boolean(b != nil)
				if r.sel.Reversed {
					c = -c
				}
			default:
				if c = s.Column.Type.Compare(a, b); s.Desc {
					c = -c
				}
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
	r.pick(order)
}

// pick makes these rows, in this order, those of the answer.
func (r *Runner) pick(order []int) {
	picked := make([][][]byte, len(order))
	for i, j := range order {
		picked[i] = r.out[j]
	}
	r.out = picked
}

func boolean(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
