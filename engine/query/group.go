package query

import (
	"bytes"
	"errors"

	"ringlab/model/function"
	"ringlab/model/plan"
)

// group folds the rows of one group: aggregates run over all of them, anything
// else is what the first row gives.
// Source: Cassandra 5.0 AggregationSpecification, GroupMaker, AggregateFunctionSelector.
type group struct {
	aggregates map[*plan.AggregateExpr]function.Aggregate
	folds      map[*plan.AggregateExpr]plan.Fold // of user-defined aggregates
	order      []*plan.AggregateExpr
	first      [][]byte // values of the selectors that are no aggregates
	whole      []bool   // the selector has an aggregate inside
	clustering [][]byte // that the rows share
	mark       []byte   // value of GroupExpr
	sortKey    [][]byte
	any        bool
	skipped    bool // past PER PARTITION LIMIT
	firstRow   Row
}

func newGroup(sel *plan.Select) *group {
	g := &group{aggregates: map[*plan.AggregateExpr]function.Aggregate{}, folds: map[*plan.AggregateExpr]plan.Fold{}, first: make([][]byte, len(sel.Selection)),
		whole: make([]bool, len(sel.Selection))}
	for i := range sel.Selection {
		before := len(g.order)
		g.collect(sel.Selection[i].Expr)
		g.whole[i] = len(g.order) > before
	}
	return g
}

// collect finds the aggregates of an expression.
func (g *group) collect(e plan.Expr) {
	switch x := e.(type) {
	case *plan.AggregateExpr:
		if x.New != nil {
			g.folds[x] = x.New()
		} else {
			g.aggregates[x] = function.NewAggregate(x.Name, x.In, x.Arg == nil)
		}
		g.order = append(g.order, x)
	case *plan.CallExpr:
		for _, a := range x.Args {
			g.collect(a)
		}
	case *plan.ElementExpr:
		g.collect(x.Of)
	case *plan.SliceExpr:
		g.collect(x.Of)
	case *plan.FieldExpr:
		g.collect(x.Of)
	}
}

// addToGroup adds a row to its group, after closing the one before if the row
// begins another.
func (r *Runner) addToGroup(row *Row, first, samePartition bool) (more bool) {
	fresh, mark := r.startsGroup(row, first, samePartition)
	if r.err != nil {
		r.done = true
		return false
	}
	g := r.group
	if fresh {
		if g.any {
			r.closeGroup()
		}
		if r.done {
			return false
		}
		g.skipped = r.sel.PerPartition > 0 && r.inPart >= r.sel.PerPartition
		r.inPart++
		g.mark = mark
		g.clustering = append(g.clustering[:0], row.Clustering...)
	}
	if g.skipped {
		return true
	}
	if err := r.fold(row); err != nil {
		r.err, r.done = err, true
		return false
	}
	return true
}

// startsGroup says whether the row begins a group.
// Source: Cassandra 5.0 GroupMaker.PkPrefixGroupMaker.isNewGroup.
func (r *Runner) startsGroup(row *Row, first, samePartition bool) (bool, []byte) {
	if r.sel.GroupBy == 0 {
		return first, nil
	}
	var mark []byte
	if r.sel.GroupExpr != nil {
		if mark, r.err = r.GroupMark(row); r.err != nil {
			return true, nil
		}
	}
	if !samePartition || first || (len(row.Clustering) == 0) != (len(r.group.clustering) == 0) {
		return true, mark
	}
	n := r.part
	if r.sel.GroupExpr != nil {
		if !bytes.Equal(mark, r.group.mark) || (mark == nil) != (r.group.mark == nil) {
			return true, mark
		}
		n--
	}
	for i := range n { // a table WITH COMPACT STORAGE has rows whose last columns are null
		here, there := i < len(row.Clustering), i < len(r.group.clustering)
		if here != there || here && !bytes.Equal(row.Clustering[i], r.group.clustering[i]) {
			return true, mark
		}
	}
	return false, mark
}

// ErrGroup is the failure of a function in GROUP BY, which replicas compute.
var ErrGroup = errors.New("query: a function of GROUP BY failed")

// GroupMark is the value of the function in GROUP BY for a row, nil without one.
// The error is ErrGroup.
func (r *Runner) GroupMark(row *Row) ([]byte, error) {
	if r.sel.GroupExpr == nil || !row.HasRow {
		return nil, nil
	}
	v, err := r.eval(r.sel.GroupExpr, row)
	if err != nil {
		return nil, ErrGroup
	}
	return v, nil
}

// Matches says whether a row passes the filters. What replicas found by a SASI index is
// not looked at again when it is merged, even if it passes no more.
// Source: Cassandra 5.0 SASIIndexQueryPlan.supportsReplicaFilteringProtection.
func (r *Runner) Matches(row *Row) bool {
	return (row.HasRow || !r.sel.ByRow) && (r.sel.BySASI() || matches(r.sel.Filters, row))
}

func (r *Runner) fold(row *Row) error {
	g := r.group
	if !g.any {
		g.any = true
		for i := range r.sel.Selection {
			if g.whole[i] {
				continue
			}
			var err error
			if g.first[i], err = r.eval(r.sel.Selection[i].Expr, row); err != nil {
				return err
			}
		}
		if len(r.sel.SortBy) > 0 {
			g.sortKey = sortKey(r.sel, row)
		}
		g.firstRow = *row
		g.firstRow.Cells = append([]Cell(nil), row.Cells...)
	}
	for _, a := range g.order {
		if a.New != nil {
			if err := r.addToFold(a, row); err != nil {
				return err
			}
			continue
		}
		var v []byte
		if a.Arg != nil {
			var err error
			if v, err = r.eval(a.Arg, row); err != nil {
				return err
			}
		}
		g.aggregates[a].Add(v)
	}
	return nil
}

// addToFold gives a row to a user-defined aggregate.
func (r *Runner) addToFold(a *plan.AggregateExpr, row *Row) error {
	args := make([][]byte, len(a.Args))
	for i, e := range a.Args {
		var err error
		if args[i], err = r.eval(e, row); err != nil {
			return err
		}
	}
	return r.group.folds[a].Add(args)
}

// closeGroup emits the group's row and makes ready for the next.
func (r *Runner) closeGroup() {
	g := r.group
	values := make([][]byte, len(r.sel.Selection))
	copy(values, g.first)
	for i := range r.sel.Selection {
		if g.any && !g.whole[i] {
			continue
		}
		row := &g.firstRow
		if !g.any {
			row = nil
		}
		v, err := r.eval(r.sel.Selection[i].Expr, row)
		if err != nil {
			r.err, r.done = err, true
			return
		}
		values[i] = v
	}
	r.push(values)
	if len(r.sel.SortBy) > 0 {
		r.sortKeys = append(r.sortKeys, g.sortKey)
	}
	for _, a := range g.order {
		if a.New != nil {
			g.folds[a] = a.New()
		} else {
			g.aggregates[a].Reset()
		}
	}
	clear(g.first)
	g.any = false
	r.total++
	r.done = r.sel.Limit > 0 && r.total >= r.sel.Limit && len(r.sel.SortBy) == 0
}

// finishGroups closes the last group. Without GROUP BY there is always one row.
func (r *Runner) finishGroups() {
	switch {
	case r.group.any:
		if !r.done {
			r.closeGroup()
		}
	case r.sel.GroupBy == 0 && r.total == 0:
		r.closeGroup()
	}
}
