package bind

import (
	"slices"

	"ringlab/model/index"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// operators are those that an index must know, one of them, to find what a
// restriction asks for.
// Source: Cassandra 5.0 SingleColumnRestriction.isSupportedBy and its overrides.
func (r *restriction) operators() []plan.Op {
	switch r.kind {
	case equality:
		return []plan.Op{plan.EQ}
	case membership:
		return []plan.Op{plan.In}
	case likeness:
		return []plan.Op{plan.Like}
	case nearest:
		return []plan.Op{plan.NearestTo}
	case interval:
		var out []plan.Op
		for b, ops := range boundOps {
			if l := &r.bounds[b]; l.set {
				out = append(out, ops[l.inclusiveIndex()])
			}
		}
		return out
	}
	var out []plan.Op
	for _, t := range r.tests {
		out = append(out, t.op)
	}
	return out
}

// boundOps are the operators of the two ends of an interval, exclusive and
// inclusive.
var boundOps = [2][2]plan.Op{{plan.GT, plan.GTE}, {plan.LT, plan.LTE}}

func (l *limit) inclusiveIndex() int {
	if l.inclusive {
		return 1
	}
	return 0
}

// usable says whether an index finds what a restriction asks of a column.
func (r *restriction) usable(i *schema.Index, c *schema.Column) bool {
	return i.Column == c.Name && slices.ContainsFunc(r.operators(), func(op plan.Op) bool { return index.Supports(i, c, op) })
}

// findable says whether an index of the table finds what a restriction asks for.
// Source: Cassandra 5.0 Restriction.hasSupportingIndex.
func (r *restriction) findable(t *schema.Table) bool {
	for _, i := range t.Indexes {
		for _, c := range r.columns {
			if r.usable(i, c) {
				return true
			}
		}
	}
	return false
}

// leaves says whether something of the restriction has to be filtered when
// these indexes have found the rows. Several tests of one collection are an or
// to all indexes but storage-attached ones.
// Source: Cassandra 5.0 Restriction.needsFiltering.
func (r *restriction) leaves(group []*schema.Index) bool {
	for _, c := range r.columns {
		if !slices.ContainsFunc(group, func(i *schema.Index) bool { return r.usable(i, c) && (len(r.tests) < 2 || i.IsSAI()) }) {
			return true
		}
	}
	return false
}

func (s *restrictions) findable(t *schema.Table) bool {
	return slices.ContainsFunc(s.at, func(r *restriction) bool { return r.findable(t) })
}

func (s *restrictions) leaves(group []*schema.Index) bool {
	return slices.ContainsFunc(s.at, func(r *restriction) bool { return r.leaves(group) })
}

// queriable says whether an index can find rows of the query.
func (w *where) queriable() bool {
	return len(w.table.Indexes) > 0 && (w.clustering.findable(w.table) || w.key.findable(w.table) || w.other.findable(w.table))
}

// needsFiltering says whether rows are read that no index leaves out.
// Source: Cassandra 5.0 StatementRestrictions.needFiltering, IndexRestrictions.needsFiltering.
func (w *where) needsFiltering() bool {
	filtered := w.filtered()
	n := 0
	for _, s := range filtered {
		n += s.size()
	}
	if len(filtered) > 0 && !slices.ContainsFunc(index.Groups(w.table), func(group []*schema.Index) bool {
		return !slices.ContainsFunc(filtered, func(s *restrictions) bool { return s.leaves(group) })
	}) {
		return true
	}
	return n == 0 && !w.clustering.empty()
}

// filtered are the restrictions that become row filters.
func (w *where) filtered() []*restrictions {
	var out []*restrictions
	if w.filterKey {
		out = append(out, &w.key)
	}
	if w.filterRows {
		out = append(out, &w.clustering)
	}
	if !w.other.empty() {
		out = append(out, &w.other)
	}
	return out
}

// addNearest adds ORDER BY … ANN OF, which has to stand alone.
// Source: Cassandra 5.0 StatementRestrictions.addOrderingRestrictions.
func (w *where) addNearest(order []ordering) error {
	n, at := 0, 0
	for i := range order {
		if order[i].ann != nil {
			n++
			at = i
		}
	}
	switch {
	case n == 0:
		return nil
	case n > 1:
		return invalid("Cannot specify more than one ANN ordering")
	case len(order) > 1:
		return invalid("ANN ordering does not support any other ordering")
	case order[at].desc:
		return invalid("Descending ANN ordering is not supported")
	}
	return w.other.add(&restriction{kind: nearest, columns: []*schema.Column{order[at].column}, value: single(*order[at].ann)})
}

// nearest is the restriction of ORDER BY … ANN OF, nil if there is none.
func (w *where) nearest() *restriction {
	for _, r := range w.other.at {
		if r.kind == nearest {
			return r
		}
	}
	return nil
}

// checkVectors refuses what an index on a vector cannot answer.
// Source: Cassandra 5.0 StatementRestrictions constructor.
func (w *where) checkVectors() error {
	has := func(c *schema.Column) bool { return len(w.table.IndexesOn(c.Name)) > 0 }
	ann := w.nearest()
	if ann == nil {
		for _, c := range w.other.columns {
			if c.Type.Kind != types.KindVector {
				continue
			}
			if has(c) {
				return invalid("Vector indexes only support ANN queries")
			}
			break
		}
		return nil
	}
	const unindexed = "ANN ordering by vector requires all restricted column(s) to be indexed"
	switch c := ann.first(); {
	case c.Type.Kind != types.KindVector || c.Type.Elems[0].Kind != types.KindFloat:
		return invalid("ANN ordering is only supported on float vector indexes")
	case !has(c):
		return w.refuseUnindexed(c)
	case w.keyNeedsFilter():
		return invalid(unindexed)
	}
	other := slices.ContainsFunc(w.other.columns, func(c *schema.Column) bool { return c != ann.first() && !has(c) })
	rows := slices.ContainsFunc(w.clustering.columns, func(c *schema.Column) bool { return !has(c) })
	if other || rows && (w.keyIncomplete() || w.clustering.clusteringNeedsFilter()) {
		return invalid(unindexed)
	}
	return nil
}

// refuseUnindexed refuses to rank by a vector without an index.
func (w *where) refuseUnindexed(c *schema.Column) error {
	err := plan.Invalid("ANN ordering by vector requires the column to be indexed")
	err.Fix = []plan.Fix{{Text: "CREATE INDEX ON " + w.table.String() + " (" + schema.Quote(c.Name) + ") USING 'sai'",
		Why: "a storage-attached index of the vectors, which every write keeps up to date"}}
	return err
}

// useIndex settles which index finds the rows and how the filters compare then:
// one with LIKE before one that is a table, and that before the storage-attached
// ones. The rows are read and filtered as without an index, in the same order,
// which is that of an index, too: by token and then by clustering.
// Source: Cassandra 5.0 SecondaryIndexManager.getBestIndexQueryPlanFor,
// StorageAttachedIndexQueryPlan, SingletonIndexQueryPlan, SASIIndex.
//
// The result is the filter that becomes the key of a hidden table, nil for none.
func useIndex(out *plan.Select) *plan.Filter {
	var best *schema.Index
	at := 0
	rank := func(i *schema.Index) int {
		switch {
		case i.IsSASI():
			return 2
		case i.IsSAI():
			return 0
		}
		return 1
	}
	for n := range out.Filters {
		f := &out.Filters[n]
		for _, i := range index.Of(out.Table, f.Column, f.Op) {
			if best == nil || rank(i) > rank(best) {
				best, at = i, n
			}
		}
	}
	if best == nil {
		return nil
	}
	out.Index = best
	for n := range out.Filters {
		f := &out.Filters[n]
		for _, i := range index.Of(out.Table, f.Column, f.Op) {
			if !slices.ContainsFunc(out.Seeks, func(s plan.Seek) bool { return s.Index == i }) {
				out.Seeks = append(out.Seeks, plan.Seek{Index: i, Filter: n})
			}
		}
	}
	switch {
	case best.IsSASI():
		out.ByRow = true // a partition without rows is not found
		for n := range out.Filters {
			f := &out.Filters[n]
			f.Match = index.MatchSASI(indexFor(out.Table, f, isSASI), f.Column, f.Op, f.Value)
		}
	case best.IsSAI():
		for n := range out.Filters {
			if f := &out.Filters[n]; f.Op != plan.In && f.Op != plan.NearestTo {
				f.Match = index.Match(indexFor(out.Table, f, isSAI), f.Column, f.Op, f.Value)
			}
		}
	default:
		f := &out.Filters[at]
		f.Match = index.MatchTable(f.Value)
		return f
	}
	return nil
}

func isSAI(i *schema.Index) bool  { return i.IsSAI() }
func isSASI(i *schema.Index) bool { return i.IsSASI() }

// indexFor is the first index of a kind that finds what a filter asks for.
func indexFor(t *schema.Table, f *plan.Filter, kind func(*schema.Index) bool) *schema.Index {
	for _, i := range index.Of(t, f.Column, f.Op) {
		if kind(i) {
			return i
		}
	}
	return nil
}
