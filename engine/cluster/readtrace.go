package cluster

import (
	"ringlab/engine/storage"
)

// asksItself says whether the coordinator sends itself the messages of a read: of
// a range that it asks others for too.
// Source: Cassandra 5.0 RangeCommandIterator.query.
func (r *request) asksItself() bool { return r.kind == reqRange && len(r.contacts) > 1 }

// traceSelf adds the event of a message of the coordinator to itself, which costs
// nothing; size 0 where it is not told.
func (c *Cluster) traceSelf(r *request, what string, size int) {
	if !r.op.Traced {
		return
	}
	text := what + " /" + c.Nodes[r.coord].Address + ":7000"
	if size > 0 {
		text += " message size " + itoa(size) + " bytes"
	}
	c.tr(r.op, r.coord, threadNet, "%s", text)
}

// traceAsk adds the event of a question that leaves the coordinator.
func (c *Cluster) traceAsk(r *request, t *task) {
	if !r.op.Traced {
		return
	}
	to := c.Nodes[t.to].Address
	switch {
	case r.kind == reqRange:
		c.tr(r.op, r.coord, threadClient, "Enqueuing request to Full(/%s:7000,%s)", to, c.boundsText(r.bounds))
	case r.full:
		c.tr(r.op, r.coord, threadResponse, "Enqueuing full data read to Full(/%s:7000,%s)", to, c.rangeText(r.query))
	case t.flag:
		c.tr(r.op, r.coord, threadClient, "reading %s from /%s:7000", "digest", to)
	default:
		c.tr(r.op, r.coord, threadClient, "reading %s from /%s:7000", "data", to)
	}
}

// traceRead adds the events of a local read.
// Source: Cassandra 5.0 SinglePartitionReadCommand.queryMemtableAndDiskInternal, SSTableReader.
func (c *Cluster) traceRead(op *Op, node int, q *storage.Query, f *storage.Found) {
	if !op.Traced {
		return
	}
	switch f.RowCache {
	case storage.RowCacheHit:
		c.tr(op, node, threadRead, "Row cache hit")
		c.traceCounts(op, node, q, f)
		return
	case storage.RowCacheMiss:
		c.tr(op, node, threadRead, "Row cache miss")
	case storage.RowCacheNotHead:
		c.tr(op, node, threadRead, "Row cache miss")
		c.tr(op, node, threadRead, "Fetching data but not populating cache as query does not query from the start of the partition")
	case storage.RowCacheShort:
		c.tr(op, node, threadRead, "Ignoring row cache as cached value could not satisfy query")
	}
	c.traceFiles(op, node, q, f)
	c.traceMerged(op, node, f)
	c.traceCounts(op, node, q, f)
}

// traceFiles adds which files a local read of a partition opens.
func (c *Cluster) traceFiles(op *Op, node int, q *storage.Query, f *storage.Found) {
	c.tr(op, node, threadRead, "Executing single-partition query on %s", q.Table.Name)
	c.tr(op, node, threadRead, "Acquiring sstable references")
	skipped := 0
	for _, r := range f.Files {
		if r.Why == storage.WhySlice {
			skipped++
		}
	}
	if f.ByNames {
		c.tr(op, node, threadRead, "Merging memtable contents")
	} else {
		c.tr(op, node, threadRead, "Skipped %d/%d non-slice-intersecting sstables, included 0 due to tombstones", skipped, len(f.Files))
	}
	for _, r := range f.Files {
		switch {
		case !r.Read:
		case r.Cached:
			c.tr(op, node, threadRead, "Key cache hit for sstable %d, size = 0", r.Gen)
		default:
			c.tr(op, node, threadRead, "Partition index found for sstable %d, size = 0", r.Gen)
		}
	}
}

// traceMerged adds the end of a read of slices that found something.
func (c *Cluster) traceMerged(op *Op, node int, f *storage.Found) {
	if !f.ByNames && (f.SSTables > 0 || !f.IsEmpty()) {
		c.tr(op, node, threadRead, "Merged data from memtables and %d sstables", f.SSTables)
	}
}

// traceCounts adds what a local read passed.
func (c *Cluster) traceCounts(op *Op, node int, q *storage.Query, f *storage.Found) {
	live := f.Live
	if q.CountsStatic(f) {
		live++
	}
	c.tr(op, node, threadRead, "Read %d live rows and %d tombstone cells", live, f.Tombstones)
}
