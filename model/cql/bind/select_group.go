package bind

import (
	"strings"

	"ringlab/model/cql"
	"ringlab/model/function"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// grouping checks GROUP BY: columns of the primary key in order, where those
// fixed by = may be left out; the last may be a function of one clustering column.
// Source: Cassandra 5.0 SelectStatement.getAggregationSpecFactory.
func (p *preparation) grouping(st *selectStatement) error {
	if len(st.raw.GroupBy) == 0 {
		return nil
	}
	const order = "Group by currently only support groups of columns following their declared order in the PRIMARY KEY"
	keys := append(append([]*schema.Column(nil), st.table.Key...), st.table.Clustering...)
	next := 0
	for _, raw := range st.raw.GroupBy {
		s, err := p.selectable(raw)
		if err != nil {
			return err
		}
		c, err := p.groupColumn(st, s)
		if err != nil {
			return err
		}
		for {
			if next >= len(keys) {
				return invalid(order)
			}
			k := keys[next]
			next++
			if k == c {
				break
			}
			if !st.where.byEquality(k) {
				return invalid(order)
			}
		}
	}
	if next < len(st.table.Key) {
		return invalid("Group by is not supported on only a part of the partition key")
	}
	if next > len(st.table.Key) && st.raw.Distinct {
		return invalid("Grouping on clustering columns is not allowed for SELECT DISTINCT queries")
	}
	st.groupBy = next
	return nil
}

// groupColumn is the column that one item of GROUP BY is about.
func (p *preparation) groupColumn(st *selectStatement, s *selectable) (*schema.Column, error) {
	if s.fn == nil {
		c := s.column
		if _, ok := s.raw.(*cql.SelCast); ok {
			const cast, column = "org.apache.cassandra.cql3.selection.Selectable$WithCast", "org.apache.cassandra.schema.ColumnMetadata"
			return nil, &plan.Error{Code: plan.ServerError, Message: "java.lang.ClassCastException: class " + cast + " cannot be cast to class " + column +
				" (" + cast + " and " + column + " are in unnamed module of loader 'app')"}
		}
		if _, ok := s.raw.(*cql.SelColumn); !ok {
			return nil, invalid("Group by is currently only supported on the columns of the PRIMARY KEY, got %s", s)
		}
		if c.Kind != schema.PartitionKey && c.Kind != schema.Clustering {
			return nil, invalid("Group by is currently only supported on the columns of the PRIMARY KEY, got %s", c.Name)
		}
		if st.groupFn != nil {
			return nil, invalid("Functions are only supported on the last element of the GROUP BY clause")
		}
		return c, nil
	}
	if s.fn.Aggregate {
		return nil, invalid("Aggregate functions are not supported within the GROUP BY clause, got: system.%s", s.fn.Name)
	}
	var sel selection
	fn, err := p.selector(s, nil, &sel)
	if err != nil {
		return nil, err
	}
	if len(sel.columns) == 0 {
		return nil, invalid("GROUP BY functions must have one clustering column name as parameter")
	}
	if len(sel.columns) > 1 {
		quoted := make([]string, len(sel.columns))
		for i, c := range sel.columns {
			quoted[i] = schema.Quote(c.Name)
		}
		return nil, invalid("GROUP BY functions accept only one clustering column as parameter, got: %s", strings.Join(quoted, ","))
	}
	c := sel.columns[0]
	if c.Kind != schema.Clustering {
		return nil, invalid("Group by functions are only supported on clustering columns, got %s", c.Name)
	}
	st.groupFn = &fn
	return c, nil
}

// monotonic are the functions that GROUP BY may use.
// Source: Cassandra 5.0 ScalarFunction.isMonotonic.
var monotonic = map[string]bool{"floor": true, "to_date": true, "todate": true, "to_timestamp": true, "totimestamp": true,
	"to_unix_timestamp": true, "tounixtimestamp": true}

// monotonicGroups refuses functions that do not keep the order of rows. It is
// the last check of GROUP BY, made when the query runs.
// Source: Cassandra 5.0 ScalarFunctionSelector.validateForGroupBy.
func monotonicGroups(e plan.Expr) error {
	call, ok := e.(*plan.CallExpr)
	if !ok {
		return nil
	}
	if !monotonic[call.Name] {
		return invalid("Only monotonic functions are supported in the GROUP BY clause. Got: %s ",
			&function.Function{Name: call.Name, Args: call.Arg, Out: call.Type})
	}
	for _, a := range call.Args {
		if err := monotonicGroups(a); err != nil {
			return err
		}
	}
	return nil
}
