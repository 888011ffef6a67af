package session

import (
	"fmt"
	"slices"

	"ringlab/model/plan"
	"ringlab/model/schema"
)

// readLevel is the level that a read through an index takes place at, or why it
// cannot. A ranking asks one replica. Where the answers of several replicas are
// joined, a storage-attached index cannot test IN beside what may differ between
// them.
// Source: Cassandra 5.0 SelectStatement.execute, RowFilter.isStrict, StorageAttachedIndexQueryPlan.create.
func (c *Core) readLevel(f *flight, sel *plan.Select) (plan.Consistency, error) {
	cl := f.client.CL
	if cl == plan.One || cl == plan.LocalOne || cl == plan.NodeLocal {
		return cl, nil
	}
	if sel.ANN != nil {
		return c.nearestLevel(f, cl)
	}
	if in := slices.ContainsFunc(sel.Filters, func(f plan.Filter) bool { return f.Op == plan.In }); !in || !mutable(sel.Filters) ||
		!slices.ContainsFunc(sel.Table.Indexes, (*schema.Index).IsSAI) || c.Cluster.Placement(sel.Table.Keyspace).Strategy().RF() < 2 {
		return cl, nil
	}
	return cl, plan.Invalid("Operator IN is only supported in intersections for reads that do not require replica reconciliation.")
}

// mutable says whether tests meet on a static column and something else, or on
// two columns outside of the key.
// Source: Cassandra 5.0 RowFilter.isMutableIntersection.
func mutable(filters []plan.Filter) bool {
	var first *schema.Column
	for _, f := range filters {
		switch {
		case f.Column.Kind == schema.Static && len(filters) > 1:
			return true
		case f.Column.Kind != schema.Static && f.Column.Kind != schema.Regular:
		case first != nil && first != f.Column:
			return true
		default:
			first = f.Column
		}
	}
	return false
}

// nearestLevel is the level of a read that ranks: one replica's answer is not
// compared with another's.
// Source: Cassandra 5.0 SelectStatement.execute, ConsistencyLevel.needsReconciliation.
func (c *Core) nearestLevel(f *flight, cl plan.Consistency) (plan.Consistency, error) {
	if cl.IsSerial() {
		return cl, plan.Invalid("Top-K queries can only be run with consistency level ONE/LOCAL_ONE. Consistency level %s was used.", cl)
	}
	to := plan.One
	if cl.IsLocal() {
		to = plan.LocalOne
	}
	f.ans.Warnings = append(f.ans.Warnings, fmt.Sprintf("Top-K queries can only be run with consistency level ONE / LOCAL_ONE / NODE_LOCAL. "+
		"Consistency level %s was requested. Downgrading the consistency level to %s.", cl, to))
	return to, nil
}
