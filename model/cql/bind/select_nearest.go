package bind

import (
	"cmp"
	"fmt"
	"math"

	"ringlab/model/function"
	"ringlab/model/index"
	"ringlab/model/plan"
	"ringlab/model/types"
)

// maxNearest is the largest LIMIT of ORDER BY … ANN OF.
// Source: Cassandra 5.0 IndexWriterConfig.MAX_TOP_K.
const maxNearest = 1000

// checkNearest refuses what cannot stand beside ORDER BY … ANN OF. Its rows come
// in one page.
// Source: Cassandra 5.0 SelectStatement.execute.
func (st *selectStatement) checkNearest(out *plan.Select, env *Env) error {
	switch {
	case st.where.nearest() == nil:
		return nil
	case st.aggregate || len(st.raw.GroupBy) > 0:
		return invalid("Top-K queries can not be run with aggregation")
	case out.Limit == 0 && out.PerPartition == 0:
		return invalid("Top-K queries must have a limit specified and the limit must be less than the query page size")
	case out.PerPartition > 0:
		return invalid("Top-K queries do not support per-partition limits")
	case env.PageSize > 0 && env.PageSize < out.Limit:
		out.Warnings = append(out.Warnings, fmt.Sprintf("Top-K queries do not support paging and the page size is set to %d, "+
			"which is less than LIMIT %d. The page size has been set to %d to match the LIMIT.", env.PageSize, out.Limit, out.Limit))
	}
	return nil
}

// bindNearest makes the ranking of ORDER BY … ANN OF from the filter that its
// vector has become. An index on vectors wants a LIMIT whatever it is asked.
// Without an index that finds what else is asked for, nothing is found.
// Source: Cassandra 5.0 StorageAttachedIndex.validate, Operation.buildIterator.
func (st *selectStatement) bindNearest(out *plan.Select) error {
	if out.Index == nil || !out.Index.IsSAI() {
		return nil
	}
	var ann *plan.Filter
	others, found := 0, false
	for n := range out.Filters {
		f := &out.Filters[n]
		i := indexFor(out.Table, f, isSAI)
		if i != nil && f.Column.Type.Kind == types.KindVector && (out.Limit == 0 || out.Limit > maxNearest) {
			return invalid("Use of ANN OF in an ORDER BY clause requires a LIMIT that is not greater than %d. LIMIT was %d",
				maxNearest, cmp.Or(out.Limit, math.MaxInt32))
		}
		switch {
		case f.Op == plan.NearestTo:
			ann = f
		case f.Op != plan.In:
			others++
			found = found || i != nil
		}
	}
	if ann == nil {
		return nil
	}
	i := indexFor(out.Table, ann, isSAI)
	out.ByRow = true
	out.Empty = out.Empty || others > 0 && !found
	out.ANN = &plan.ANN{Column: ann.Column, Score: function.Similarity(index.Similarity(i), ann.Column.Type, ann.Value),
		Graph:   others == 0 && out.Keys == nil && out.Range.Start == nil && out.Range.End == nil,
		Invalid: !index.Indexable(i, ann.Column.Type, ann.Value)}
	return nil
}
