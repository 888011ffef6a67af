package bind

import (
	"fmt"

	"ringlab/model/function"
	"ringlab/model/index"
	"ringlab/model/plan"
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
// vector has become. The neighbours are exact here: every row that is read is
// scored, where the graphs of a real index may miss some.
func (st *selectStatement) bindNearest(out *plan.Select) error {
	for _, f := range out.Filters {
		if f.Op != plan.NearestTo {
			continue
		}
		if out.Limit > maxNearest {
			return invalid("Use of ANN OF in an ORDER BY clause requires a LIMIT that is not greater than %d. LIMIT was %d", maxNearest, out.Limit)
		}
		i := indexFor(out.Table, &f, isSAI)
		out.ANN = &plan.ANN{Column: f.Column, Score: function.Similarity(index.Similarity(i), f.Column.Type, f.Value)}
	}
	return nil
}
