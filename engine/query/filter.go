package query

import (
	"bytes"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Passes says whether a row meets all of some filters.
func Passes(filters []plan.Filter, row *Row) bool { return matches(filters, row) }

// matches says whether a row passes all filters. A partition without rows
// passes only tests of key and static columns.
// Source: Cassandra 5.0 RowFilter.filter.
func matches(filters []plan.Filter, row *Row) bool {
	for i := range filters {
		f := &filters[i]
		if !row.HasRow && (f.Column.Kind == schema.Clustering || f.Column.Kind == schema.Regular) {
			return false
		}
		if !satisfies(f, row) {
			return false
		}
	}
	return true
}

// satisfies is one test; null satisfies none.
// Source: Cassandra 5.0 RowFilter.SimpleExpression, MapEqualityExpression,
// FilterTree.
func satisfies(f *plan.Filter, row *Row) bool {
	t := f.Column.Type
	if f.Match != nil && (f.Op != plan.Contains && f.Op != plan.ContainsKey && f.Key == nil || !t.IsMultiCell()) {
		v := row.value(f.Column)
		return v != nil && f.Match(v)
	}
	switch {
	case f.Key != nil:
		return entry(f, row)
	case f.Op == plan.Contains || f.Op == plan.ContainsKey:
		return contains(f, row)
	}
	v := row.value(f.Column)
	if v == nil {
		return false
	}
	if f.Op == plan.In {
		for _, x := range f.Values {
			if t.Compare(v, x) == 0 {
				return true
			}
		}
		return false
	}
	if f.Op == plan.NearestTo {
		return true
	}
	c := t.Compare(v, f.Value)
	switch f.Op {
	case plan.EQ:
		return c == 0
	case plan.NEQ:
		return c != 0
	case plan.LT:
		return c < 0
	case plan.LTE:
		return c <= 0
	case plan.GT:
		return c > 0
	}
	return c >= 0
}

// entry is column[key] = value.
func entry(f *plan.Filter, row *Row) bool {
	t := f.Column.Type
	var v []byte
	if t.IsMultiCell() {
		for _, c := range row.cells(f.Column) {
			if bytes.Equal(c.Path, f.Key) {
				v = c.Value
			}
		}
	} else if m := row.value(f.Column); m != nil {
		v = element(t, m, f.Key)
	}
	if f.Match != nil {
		return v != nil && f.Match(v)
	}
	return v != nil && t.Elems[1].Compare(v, f.Value) == 0
}

// contains is CONTAINS and CONTAINS KEY.
func contains(f *plan.Filter, row *Row) bool {
	v := row.value(f.Column)
	return v != nil && holdsElement(f.Column.Type, v, f.Op, f.Value, f.Match)
}

// holdsElement says whether a collection has an element, a value of a map, or
// with CONTAINS KEY a key, that is as wanted or, if match is set, matches.
func holdsElement(t *types.Type, v []byte, op plan.Op, want []byte, match func([]byte) bool) bool {
	per, at := 1, 0
	elems, _ := types.DecodeCollection(v)
	elem := t.Elems[0]
	if t.Kind == types.KindMap {
		elems, _ = types.DecodeMap(v)
		per = 2
		if op == plan.Contains {
			at, elem = 1, t.Elems[1]
		}
	}
	for i := at; i < len(elems); i += per {
		if match != nil && match(elems[i]) || match == nil && elem.Compare(elems[i], want) == 0 {
			return true
		}
	}
	return false
}
