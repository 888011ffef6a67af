package review

import (
	"ringlab/model/schema"
	"ringlab/model/types"
)

// columns looks at what the columns are made of.
func (r *reviewer) columns(t *schema.Table) {
	if t.Counter {
		r.add(Finding{Note, "counter", t.String(), "", "counters are not idempotent: a retry after a timeout may count twice", "",
			"count without retries, or keep one column for each event and count those", "Cassandra at eBay: likes"})
	}
	if t.Compact {
		r.add(Finding{Note, "compact-storage", t.String(), "", "COMPACT STORAGE: columns cannot be added, and cells say nothing about their row", "",
			"a table without it, unless clients of Thrift still read this one", "Cassandra 5.0 TableMetadata"})
	}
	for _, c := range append(append([]*schema.Column(nil), t.Static...), t.Regular...) {
		name := t.String() + "." + schema.Quote(c.Name)
		switch {
		case c.Type.Kind == types.KindList && c.Type.IsMultiCell():
			r.add(Finding{Warn, "list", name, "", "a list: an append that is repeated appends twice, and setting an element by its index reads before it writes", "",
				"a set, or a map from a time to the value; frozen where the list is always written whole", "Cassandra 5.0 ListType, Lists.SetterByIndex"})
		case c.Type.IsMultiCell() && len(t.Clustering) == 0 && c.Type.Kind != types.KindUDT:
			r.add(Finding{Note, "collection", name, "", "a collection is read whole and grows inside of its row; overwriting it writes a tombstone first", "",
				"elements in the tens; beyond that a clustering column, whose rows can be sliced", "Cassandra 5.0 guardrail items_per_collection"})
		}
	}
}

// indexes looks at what an index costs whoever reads by it.
func (r *reviewer) indexes(t *schema.Table) {
	for _, i := range t.Indexes {
		name := t.String() + "." + schema.Quote(i.Column)
		c := t.Column(i.Column)
		if i.IsSASI() {
			r.add(Finding{Warn, "sasi", name, "", "a SASI index, " + i.Name, "", "a storage-attached index (USING 'sai')", "Cassandra 5.0: SASI indexes are experimental"})
			continue
		}
		if c != nil && c.Type.Kind == types.KindBoolean {
			r.add(Finding{Warn, "index-of-few-values", name, "", "an index over two values: each of them leads to half of the table", "",
				"the column in the primary key of a table of its own, with a bucket", "Cassandra modeling best practices: indexes"})
			continue
		}
		if i.IsSAI() {
			r.add(Finding{Note, "index", name, "", "a read by this index without the partition key asks replicas of the whole ring", "",
				"fine beside a partition key or for rare questions; a table of its own for what is asked all the time", "Cassandra 5.0 StorageAttachedIndexQueryPlan"})
			continue
		}
		f := Finding{Warn, "index", name, "", "a table-based index is local to each node: a read by it without the partition key asks replicas of the whole ring", "",
			"a table with " + schema.Quote(i.Column) + " as partition key, written in the same batch", "Cassandra modeling best practices: indexes"}
		if c != nil && (c.Type.Kind == types.KindUUID || c.Type.Kind == types.KindTimeUUID) {
			f.Evidence = "its values are unique, so that every read asks all nodes for one row"
		}
		r.add(f)
	}
}

// isTimeSeries says whether rows of a partition come in the order of time.
func isTimeSeries(t *schema.Table) bool { return len(t.Clustering) > 0 && isTime(t.Clustering[0].Type) }
