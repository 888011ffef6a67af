package bind

import (
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// bind makes the plan of a checked SELECT.
// Source: Cassandra 5.0 SelectStatement.execute, getQuery.
func (st *selectStatement) bind(env *Env) (*plan.Select, error) {
	w := st.where
	out := &plan.Select{Table: st.table, ByRow: !w.fullPartitions(), Reversed: st.reversed, AllowFiltering: st.filtering,
		Distinct: st.raw.Distinct, StaticOnly: st.static, JSON: st.raw.JSON, GroupBy: st.groupBy, Aggregate: st.aggregate}
	for i, to := range []*int{&out.Limit, &out.PerPartition} {
		n, err := bindLimit(st.limits[i], env)
		if err != nil {
			return nil, err
		}
		*to = n
	}
	if err := st.checkNearest(out, env); err != nil {
		return nil, err
	}
	out.Apart = st.aggregate || out.GroupBy > 0 || env.PageSize > 0 && (out.Limit == 0 || out.Limit > env.PageSize)
	if err := st.bindSelectors(out, env); err != nil {
		return nil, err
	}
	var err error
	if out.Filters, err = w.filters(env); err != nil {
		return nil, err
	}
	sought := useIndex(out)
	if err := st.bindRead(out, env); err != nil {
		return nil, err
	}
	if sought != nil && len(sought.Value) > maxIndexed {
		return nil, invalid("Index expression values may not be larger than 64K")
	}
	if sought != nil && sought.Column.Kind == schema.Static && out.Keys != nil && !allRows(out) {
		out.Empty = true // the entry of a static column is in none of the rows asked for: Cassandra's CompositesSearcher.isMatchingEntry
	}
	if err := st.bindNearest(out); err != nil {
		return nil, err
	}
	return out, st.bindOrder(out, env)
}

// allRows says whether a read takes whole partitions.
func allRows(s *plan.Select) bool {
	whole := len(s.Slices) == 1 && len(s.Slices[0].From.Prefix) == 0 && len(s.Slices[0].To.Prefix) == 0
	return s.Names == nil && (s.Slices == nil || whole)
}

func (st *selectStatement) bindSelectors(out *plan.Select, env *Env) error {
	out.Selection = make([]plan.Selector, len(st.selectors))
	direct := make([]plan.ColumnExpr, len(st.selectors))
	for i := range st.selectors {
		s := &st.selectors[i]
		out.Selection[i] = plan.Selector{Name: s.name, Type: s.shown()}
		if s.build == nil {
			direct[i].Column = s.column
			out.Selection[i].Expr = &direct[i]
			continue
		}
		e, err := s.build(env)
		if err != nil {
			return err
		}
		out.Selection[i].Expr = e
	}
	if st.groupFn != nil {
		e, err := st.groupFn.expr(env)
		if err == nil {
			err = monotonicGroups(e)
		}
		if err != nil {
			return err
		}
		out.GroupExpr = e
	}
	if len(st.raw.Selectors) > 0 {
		out.Columns = st.queried()
		out.Parts = plan.PartsOf(out.Selection, st.where.other.columns)
	}
	return nil
}

// queried are the columns of rows that have to be read: those selected, and
// those that decide. Where those are none, as for count(*), all are: nil.
// Source: Cassandra 5.0 ColumnFilter.Builder.build.
func (st *selectStatement) queried() []*schema.Column {
	out := make([]*schema.Column, 0, len(st.columns))
	add := func(c *schema.Column) {
		if (c.Kind == schema.Static || c.Kind == schema.Regular) && !containsColumn(out, c) {
			out = append(out, c)
		}
	}
	for _, c := range st.columns {
		add(c)
	}
	for _, c := range st.where.other.columns {
		add(c)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// bindRead settles which partitions and rows are read.
// Source: Cassandra 5.0 SelectStatement.getSliceCommands, getRangeCommand, makeClusteringIndexFilter.
func (st *selectStatement) bindRead(out *plan.Select, env *Env) error {
	w := st.where
	if w.keyRange {
		if err := st.bindRows(out, env); err != nil || out.Empty {
			return err
		}
		r, none, err := w.rangeOf(env)
		out.Range, out.Empty = r, none
		return err
	}
	keys, err := w.keys(env)
	if err != nil {
		return err
	}
	out.Keys = keys
	if len(keys) == 0 {
		out.Keys, out.Empty = [][]byte{}, true
		return nil
	}
	if err := st.bindRows(out, env); err != nil || out.Empty {
		return err
	}
	for _, k := range keys {
		if err := checkKey(st.table, k); err != nil {
			return err
		}
	}
	return nil
}

// bindRows settles which rows of each partition are read.
func (st *selectStatement) bindRows(out *plan.Select, env *Env) error {
	w := st.where
	if st.raw.Distinct || len(st.table.Clustering) == 0 || w.clustering.empty() {
		return nil
	}
	if w.columnRange() {
		slices, err := w.clustering.slices(st.table, env)
		if err != nil {
			return err
		}
		out.Slices = slices
		if len(slices) == 0 {
			out.Slices, out.Empty = []schema.Slice{}, true
		}
		return nil
	}
	names, err := w.clustering.clusterings(st.table, env)
	if err != nil {
		return err
	}
	out.Names = names
	if len(names) == 0 {
		out.Names, out.Empty = [][]byte{}, true
	}
	return nil
}
