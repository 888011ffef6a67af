package bind

import (
	"ringlab/model/cql"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// selectStatement is a checked SELECT, ready to be bound to values.
// Source: Cassandra 5.0 SelectStatement.
type selectStatement struct {
	raw       *cql.Select
	table     *schema.Table
	where     *where
	selectors []selector
	columns   []*schema.Column // those that the selectors read, in order
	filtering bool             // ALLOW FILTERING is written, or not needed
	static    bool             // only key and static columns are asked for
	aggregate bool
	groupBy   int
	groupFn   *selector
	order     []ordering
	reversed  bool
	limits    [2]*term // LIMIT, PER PARTITION LIMIT
}

// prepareSelect checks a SELECT in Cassandra's order.
// Source: Cassandra 5.0 SelectStatement.RawStatement.prepare.
func (p *preparation) prepareSelect(s *cql.Select) (*selectStatement, error) {
	st := &selectStatement{raw: s, table: p.table, filtering: s.AllowFiltering || filtersByItself(p.table)}
	selectables := make([]*selectable, len(s.Selectors))
	var err error
	if st.static, err = p.onlyStatic(s, selectables); err != nil {
		return nil, err
	}
	if st.order, err = p.orderings(s); err != nil {
		return nil, err
	}
	if st.where, err = p.where(selecting, s.Where, st.order, st.static, st.filtering); err != nil {
		return nil, err
	}
	if err := p.selectors(st, selectables); err != nil {
		return nil, err
	}
	if s.Distinct {
		if s.PerPartitionLimit != nil {
			return nil, invalid("PER PARTITION LIMIT is not allowed with SELECT DISTINCT queries")
		}
		if err := st.checkDistinct(); err != nil {
			return nil, err
		}
	}
	if err := p.grouping(st); err != nil {
		return nil, err
	}
	if st.aggregate && len(s.GroupBy) == 0 && s.PerPartitionLimit != nil {
		return nil, invalid("PER PARTITION LIMIT is not allowed with aggregate queries.")
	}
	if err := st.checkOrder(); err != nil {
		return nil, err
	}
	if !st.filtering && (st.where.keyRange || st.where.indexed) && st.where.needsFiltering() {
		return nil, st.where.refuseScan()
	}
	for i, l := range [...]cql.Term{s.Limit, s.PerPartitionLimit} {
		if l == nil {
			continue
		}
		t, err := p.prepare(l, spec{name: [...]string{"[limit]", "[per_partition_limit]"}[i], typ: types.Int})
		if err != nil {
			return nil, err
		}
		st.limits[i] = &t
	}
	return st, nil
}

// filtersByItself says whether a table may be filtered without ALLOW FILTERING,
// as most virtual tables may.
// Source: Cassandra 5.0 VirtualTable.allowFilteringImplicitly, LogMessagesTable.
func filtersByItself(t *schema.Table) bool {
	return schema.Virtual(t.Keyspace) && t.Name != "system_logs"
}

// onlyStatic says whether static columns are selected and nothing else but the
// partition key. It looks at no more selectors than it needs, and those may be
// in error. Source: Cassandra 5.0 SelectStatement.selectOnlyStaticColumns, RawSelector.toSelectables.
func (p *preparation) onlyStatic(s *cql.Select, ss []*selectable) (bool, error) {
	if len(p.table.Static) == 0 {
		return false, nil
	}
	selects := func(fits func(*schema.Column) bool) (bool, error) {
		for i := range ss {
			if err := p.selectableAt(s, ss, i); err != nil {
				return false, err
			}
			if ss[i].selects(fits) {
				return true, nil
			}
		}
		return false, nil
	}
	static, err := selects(func(c *schema.Column) bool { return c.Kind == schema.Static })
	if err != nil || !static {
		return false, err
	}
	other, err := selects(func(c *schema.Column) bool { return c.Kind != schema.Static && c.Kind != schema.PartitionKey })
	return !other, err
}

// selectableAt finds the names of the i-th selector unless that is done.
func (p *preparation) selectableAt(s *cql.Select, ss []*selectable, i int) (err error) {
	if ss[i] == nil {
		ss[i], err = p.selectable(s.Selectors[i].Expr)
	}
	return err
}

// selectors makes the result columns; without a list they are all columns.
// Source: Cassandra 5.0 Selection.fromSelectors, Selection.wildcard.
func (p *preparation) selectors(st *selectStatement, ss []*selectable) error {
	if len(ss) == 0 {
		st.columns = p.table.Columns()
		st.selectors = make([]selector, len(st.columns))
		for i, c := range st.columns {
			st.selectors[i] = selector{name: c.Name, typ: c.Type, column: c}
		}
		return nil
	}
	var sel selection
	st.selectors = make([]selector, len(ss))
	for i := range ss {
		if err := p.selectableAt(st.raw, ss, i); err != nil {
			return err
		}
		out, err := p.selector(ss[i], nil, &sel)
		if err != nil {
			return err
		}
		if a := st.raw.Selectors[i].Alias; a != nil {
			out.name = a.Text
		}
		st.selectors[i] = out
		st.aggregate = st.aggregate || out.aggregate
	}
	st.columns = sel.columns
	return nil
}

// checkDistinct wants whole partitions and nothing of their rows.
// Source: Cassandra 5.0 SelectStatement.validateDistinctSelection.
func (st *selectStatement) checkDistinct() error {
	w := st.where
	if !w.clustering.empty() || w.regular {
		return invalid("SELECT DISTINCT with WHERE clause only supports restriction by partition key and/or static columns.")
	}
	columns := st.columns
	if w.keyIn() {
		for _, o := range st.order {
			if !containsColumn(columns, o.column) {
				columns = append(columns, o.column)
			}
		}
	}
	for _, c := range columns {
		if c.Kind != schema.PartitionKey && c.Kind != schema.Static {
			return invalid("SELECT DISTINCT queries must only request partition key columns and/or static columns (not %s)", c.Name)
		}
	}
	if !w.keyRange {
		return nil
	}
	for _, k := range st.table.Key {
		if !containsColumn(columns, k) {
			return invalid("SELECT DISTINCT queries must request all the partition key columns (missing %s)", k.Name)
		}
	}
	return nil
}
