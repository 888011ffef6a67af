package bind

import (
	"slices"

	"ringlab/model/schema"
)

// clusterings are the full clusterings that = and IN name, in the table's order.
// Source: Cassandra 5.0 ClusteringColumnRestrictions.valuesAsClustering.
func (s *restrictions) clusterings(t *schema.Table, env *Env) ([][]byte, error) {
	p := newPrefixes()
	var err error
	tuples := false
	s.each(func(r *restriction) bool {
		tuples = tuples || r.multi
		err = r.appendTo(p, env)
		return err == nil && !p.missing
	})
	if err != nil || p.missing {
		return nil, err
	}
	out := make([][]byte, 0, len(p.lists))
	for _, l := range p.lists {
		if len(l) == len(t.Clustering) || len(l) == 0 || !tuples { // a tuple that was bound may be too short
			out = append(out, schema.PackClustering(l))
		}
	}
	return sortClusterings(t, out), nil
}

func sortClusterings(t *schema.Table, cs [][]byte) [][]byte {
	if len(cs) < 2 {
		return cs
	}
	slices.SortStableFunc(cs, t.CompareClustering)
	return slices.CompactFunc(cs, func(a, b []byte) bool { return t.CompareClustering(a, b) == 0 })
}

// slices are the ranges of rows that the clustering restrictions leave, disjoint
// and in the table's order; none if nothing can match.
// Source: Cassandra 5.0 SelectStatement.makeSlices, ModificationStatement.createSlices.
func (s *restrictions) slices(t *schema.Table, env *Env) ([]schema.Slice, error) {
	from, err := s.cuts(t, env, start)
	if err != nil {
		return nil, err
	}
	to, err := s.cuts(t, env, end)
	if err != nil {
		return nil, err
	}
	var out []schema.Slice
	for i := range min(len(from), len(to)) {
		sl := schema.Slice{From: from[i], To: to[i]}
		if t.Empty(sl) {
			continue
		}
		if n := len(out); n > 0 && t.CompareCuts(out[n-1].To, sl.From) >= 0 {
			if t.CompareCuts(out[n-1].To, sl.To) < 0 {
				out[n-1].To = sl.To
			}
			continue
		}
		out = append(out, sl)
	}
	return out, nil
}

// cuts are the starts or the ends of the slices.
// Source: Cassandra 5.0 ClusteringColumnRestrictions.boundsAsClustering.
func (s *restrictions) cuts(t *schema.Table, env *Env, b int) ([]schema.Cut, error) {
	p, at := newPrefixes(), 0
	var err error
	var last *restriction
	s.each(func(r *restriction) bool {
		if asFilter(r, at) {
			return false
		}
		if r.kind == interval {
			last = r
			if r.multi {
				err = r.appendBounds(p, env, b)
			} else {
				err = r.appendBound(p, env, b)
			}
			return false
		}
		err = r.appendTo(p, env)
		at = r.last().Position + 1
		return err == nil && !p.missing
	})
	if err != nil || p.missing {
		return nil, err
	}
	if last != nil {
		return sortCuts(t, p.sliceCuts(last, b)), nil
	}
	cuts := make([]schema.Cut, len(p.lists))
	for i, l := range p.lists {
		cuts[i] = cutAt(l, b, true)
	}
	return sortCuts(t, cuts), nil
}

func sortCuts(t *schema.Table, cs []schema.Cut) []schema.Cut {
	if len(cs) < 2 {
		return cs
	}
	slices.SortStableFunc(cs, t.CompareCuts)
	return slices.CompactFunc(cs, func(a, b schema.Cut) bool { return t.CompareCuts(a, b) == 0 })
}

// cutAt is the cut of a bound. A null at the end stands before everything that
// begins with what precedes it.
func cutAt(values [][]byte, b int, inclusive bool) schema.Cut {
	if n := len(values); n > 0 && values[n-1] == nil {
		return schema.Cut{Prefix: schema.PackClustering(values[:n-1])}
	}
	if len(values) == 0 {
		return schema.Cut{After: b == end}
	}
	return schema.Cut{Prefix: schema.PackClustering(values), After: inclusive == (b == end)}
}

func (r *restriction) reverse(c *schema.Column, b int) int {
	if c.Desc {
		return end - b
	}
	return b
}

// appendBound adds one end of an interval of one column.
// Source: Cassandra 5.0 SingleColumnRestriction.SliceRestriction.appendBoundTo.
func (r *restriction) appendBound(p *prefixes, env *Env, b int) error {
	l := &r.bounds[r.reverse(r.first(), b)]
	if !l.set {
		return nil
	}
	v, unset, err := l.value.bind(env)
	if err != nil {
		return err
	}
	if unset {
		return invalid("Invalid unset value for column %s", r.first().Name)
	}
	p.each([][][]byte{v})
	return nil
}

// appendBounds adds one end of an interval of several columns. Where the order
// of the columns turns, the interval falls apart into several.
// Source: Cassandra 5.0 MultiColumnRestriction.SliceRestriction.appendBoundTo.
func (r *restriction) appendBounds(p *prefixes, env *Env, b int) error {
	var component [2][][]byte
	for i := range r.bounds {
		if r.bounds[i].set {
			v, unset, err := r.bounds[i].value.bind(env)
			if err != nil {
				return err
			}
			if unset {
				return invalid("Invalid unset value for column %s", r.first().Name)
			}
			component[i] = v
		}
	}
	var lists [][][]byte
	var values [][]byte
	reversed := r.first().Desc
	for i, c := range r.columns {
		side := r.reverse(c, b)
		if reversed != c.Desc {
			reversed = c.Desc
			lists = append(lists, values)
			if len(component[side]) <= i {
				continue
			}
			if len(component[end-side]) > i {
				lists = append(lists, values)
			}
			values = nil
			for j := range min(i, len(component[side])) {
				v := component[side][j]
				if v == nil {
					return invalid("Invalid null value in condition for column %s", r.columns[j].Name)
				}
				values = append(values, v)
			}
		}
		if len(component[side]) <= i {
			continue
		}
		v := component[side][i]
		if v == nil {
			return invalid("Invalid null value in condition for column %s", c.Name)
		}
		values = append(slices.Clip(values), v)
	}
	lists = append(lists, values)
	if b == end {
		slices.Reverse(lists)
	}
	p.each(lists)
	return nil
}
