package session

import (
	"ringlab/engine/query"
	"ringlab/engine/storage"
	"ringlab/model/plan"
)

// matching counts the rows that a SELECT's filters let through, partition after
// partition, so that a scan ends with the range that completes its LIMIT or
// page. It is nil where the LIMIT is no such count, and for a storage-attached
// index, which asks all ranges at once.
// Source: Cassandra 5.0 RangeCommandIterator, DataLimits.CQLLimits.
func matching(sel *plan.Select, pages *paging, now int64) func(*storage.Found) int {
	if len(sel.Filters) == 0 || sel.Limit == 0 || sel.Aggregate || sel.GroupBy > 0 || len(sel.SortBy) > 0 || sel.ANN != nil ||
		sel.Index != nil && sel.Index.IsSAI() {
		return nil
	}
	run := query.New(sel, now)
	run.Emit = func([][]byte) {}
	feed := feeder{sel: sel, now: now}
	if pages != nil && pages.from != nil {
		feed.resumed = string(pages.from.key)
		run.Resume(sel.Table.SplitPartitionKey(pages.from.key), pages.from.inPart)
	}
	return func(found *storage.Found) int {
		before := run.Total()
		feed.partition(run.Add, found)
		return run.Total() - before
	}
}
