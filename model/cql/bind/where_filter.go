package bind

import (
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// filters are the tests that remain for each row, in Cassandra's order: key,
// clustering, other columns.
// Source: Cassandra 5.0 StatementRestrictions.getRowFilter.
func (w *where) filters(env *Env) ([]plan.Filter, error) {
	if !w.filterKey && !w.filterRows && w.other.empty() {
		return nil, nil
	}
	var out []plan.Filter
	var err error
	add := func(r *restriction) bool {
		out, err = r.filters(out, w.table, env)
		return err == nil
	}
	if w.filterKey {
		w.key.each(add)
	}
	if w.filterRows && err == nil {
		at := 0
		w.clustering.each(func(r *restriction) bool {
			if asFilter(r, at) || r.findable(w.table) {
				return add(r)
			}
			if r.kind != interval {
				at = r.last().Position + 1
			}
			return true
		})
	}
	if err == nil {
		w.other.each(add)
	}
	return out, err
}

// filters appends the tests of one restriction.
// Source: Cassandra 5.0 Restriction.addToRowFilter, RowFilter.Expression.validate.
func (r *restriction) filters(out []plan.Filter, t *schema.Table, env *Env) ([]plan.Filter, error) {
	switch {
	case r.multi && r.kind == interval:
		return nil, invalid("Multi-column slice restrictions cannot be used for filtering.")
	case r.multi && r.kind == membership && len(r.columns) > 1:
		return nil, invalid("Multicolumn IN filters are not supported")
	}
	switch r.kind {
	case equality:
		values, unset, err := r.value.bind(env)
		if err != nil {
			return nil, err
		}
		for i, c := range r.columns {
			if err := filterable(c, values[i], unset); err != nil {
				return nil, err
			}
			out = append(out, plan.Filter{Column: c, Op: plan.EQ, Value: values[i]})
		}
	case membership:
		members, err := r.members(env)
		if err != nil {
			return nil, err
		}
		f := plan.Filter{Column: r.first(), Op: plan.In}
		for _, m := range members {
			if m[0] != nil {
				f.Values = append(f.Values, m[0])
			}
		}
		out = append(out, f)
	case interval:
		for b, ops := range boundOps {
			l := &r.bounds[b]
			if !l.set {
				continue
			}
			values, unset, err := l.value.bind(env)
			if err != nil {
				return nil, err
			}
			if err := filterable(r.first(), values[0], unset); err != nil {
				return nil, err
			}
			out = append(out, plan.Filter{Column: r.first(), Op: ops[l.inclusiveIndex()], Value: values[0]})
		}
	case containment:
		return r.containments(out, env)
	case likeness:
		return r.like(out, t, env)
	case nearest:
		v, unset, err := r.value.bind(env)
		if err != nil {
			return nil, err
		}
		if err := filterable(r.first(), v[0], unset); err != nil {
			return nil, err
		}
		out = append(out, plan.Filter{Column: r.first(), Op: plan.NearestTo, Value: v[0]})
	}
	return out, nil
}

func filterable(c *schema.Column, v []byte, unset bool) error {
	switch {
	case unset:
		return invalid("Unsupported unset value for column %s", c.Name)
	case v == nil:
		return invalid("Unsupported null value for column %s", c.Name)
	}
	return nil
}

// containments appends tests of elements: values, keys, then entries.
func (r *restriction) containments(out []plan.Filter, env *Env) ([]plan.Filter, error) {
	for _, op := range [...]plan.Op{plan.Contains, plan.ContainsKey, plan.EQ} {
		for _, t := range r.tests {
			if t.op != op {
				continue
			}
			key, unset, err := t.key.bind(env)
			if err != nil {
				return nil, err
			}
			if op == plan.EQ && (unset || key == nil) {
				return nil, invalid("Unsupported %s map key for column %s", nullOrUnset(unset), r.first().Name)
			}
			v, unset, err := t.value.bind(env)
			if err != nil {
				return nil, err
			}
			if op == plan.EQ && (unset || v == nil) {
				return nil, invalid("Unsupported %s map value for column %s", nullOrUnset(unset), r.first().Name)
			}
			if err := filterable(r.first(), v, unset); err != nil {
				return nil, err
			}
			out = append(out, plan.Filter{Column: r.first(), Op: op, Value: v, Key: key})
		}
	}
	return out, nil
}

func nullOrUnset(unset bool) string {
	if unset {
		return "unset"
	}
	return "null"
}
