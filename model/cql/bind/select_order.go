package bind

import (
	"slices"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// ordering is one item of ORDER BY.
type ordering struct {
	column *schema.Column
	desc   bool
	ann    *term // ANN OF
}

// orderings finds the columns of ORDER BY.
// Source: Cassandra 5.0 Ordering.Raw.bind.
func (p *preparation) orderings(s *cql.Select) ([]ordering, error) {
	var out []ordering
	for _, o := range s.OrderBy {
		c, err := p.column(o.Column)
		if err != nil {
			return nil, err
		}
		item := ordering{column: c, desc: o.Descending}
		if o.ANN != nil {
			t, err := p.prepare(o.ANN, columnSpec(c))
			if err != nil {
				return nil, err
			}
			item.ann = &t
		}
		out = append(out, item)
	}
	return out, nil
}

// distinctOrder drops items that name a column again; the last direction wins.
func distinctOrder(order []ordering) []ordering {
	var out []ordering
next:
	for _, o := range order {
		for i := range out {
			if out[i].column == o.column {
				out[i] = o
				continue next
			}
		}
		out = append(out, o)
	}
	return out
}

// checkOrder wants the order of the clustering, or its reverse, within
// partitions that are known.
// Source: Cassandra 5.0 SelectStatement.verifyOrderingIsAllowed, isReversed.
func (st *selectStatement) checkOrder() error {
	if len(st.order) == 0 || st.order[0].ann != nil {
		return nil
	}
	if st.where.indexed {
		return invalid("ORDER BY with 2ndary indexes is not supported, except for ANN queries.")
	}
	if st.where.keyRange {
		return invalid("ORDER BY is only supported when the partition key is restricted by an EQ or an IN.")
	}
	st.order = distinctOrder(st.order)
	reversed := make([]bool, 0, len(st.order))
	i := 0
	for _, o := range st.order {
		if o.column.Kind != schema.Clustering {
			return invalid("Order by is currently only supported on the clustered columns of the PRIMARY KEY, got %s", o.column.Name)
		}
		for i != o.column.Position {
			if i >= len(st.table.Clustering) || !st.where.byEquality(st.table.Clustering[i]) {
				return invalid("Order by currently only supports the ordering of columns following their declared order in the PRIMARY KEY")
			}
			i++
		}
		i++
		reversed = append(reversed, o.desc != o.column.Desc)
	}
	for _, r := range reversed {
		if r != reversed[0] {
			return invalid("Unsupported order by relation")
		}
	}
	st.reversed = reversed[0]
	return nil
}

// asksForStatic says whether no row is asked for but perhaps static columns: then
// the partitions are read all the same.
// Source: Cassandra 5.0 SelectStatement.makeClusteringIndexFilter.
func (st *selectStatement) asksForStatic(out *plan.Select) bool {
	return len(out.Keys) > 0 && out.Names != nil && len(out.Names) == 0 &&
		slices.ContainsFunc(st.columns, func(c *schema.Column) bool { return c.Kind == schema.Static })
}

// bindOrder settles the order across partitions and what a client is warned of.
// Source: Cassandra 5.0 SelectStatement.execute.
func (st *selectStatement) bindOrder(out *plan.Select, env *Env) error {
	if st.aggregate || len(st.raw.GroupBy) > 0 {
		switch {
		case st.where.key.empty() && st.where.token == nil:
			out.Warnings = append(out.Warnings, "Aggregation query used without partition key")
		case st.where.keyIn():
			out.Warnings = append(out.Warnings, "Aggregation query used on multiple partition keys (IN restriction)")
		}
	}
	if len(st.order) == 0 || !st.where.keyIn() {
		return nil
	}
	if env.PageSize > 0 && (!out.Empty || st.aggregate || len(st.raw.GroupBy) > 0 || st.asksForStatic(out)) {
		return invalid("Cannot page queries with both ORDER BY and a IN restriction on the partition key;" +
			" you must either remove the ORDER BY or the IN and sort client side, or disable paging for this query")
	}
	for _, o := range st.order {
		out.SortBy = append(out.SortBy, plan.Sort{Column: o.column, Desc: o.column.Desc != st.reversed})
	}
	return nil
}
