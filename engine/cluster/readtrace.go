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
	if f.ByNames {
		c.tr(op, node, threadRead, "Merging memtable contents")
		c.traceOpened(op, node, threadRead, f.Files)
		return
	}
	c.traceChosen(op, node, threadRead, f)
}

// traceChosen adds the files of a read of slices: those in which the partition's
// deletion was looked for come first, then how many were chosen, then the rest.
func (c *Cluster) traceChosen(op *Op, node int, thread string, f *storage.Found) {
	var early, late []storage.FileRead
	skipped, included := 0, 0
	for _, r := range f.Files {
		if r.Outside {
			skipped++
		}
		if r.Deletes {
			included++
		}
		if r.Early {
			early = append(early, r)
		} else {
			late = append(late, r)
		}
	}
	c.traceOpened(op, node, thread, early)
	c.tr(op, node, thread, "Skipped %d/%d non-slice-intersecting sstables, included %d due to tombstones", skipped, len(f.Files), included)
	c.traceOpened(op, node, thread, late)
}

// traceOpened adds what became of the search for the key in files.
// Source: Cassandra 5.0 SSTableReader.notifySkipped, notifySelected.
func (c *Cluster) traceOpened(op *Op, node int, thread string, files []storage.FileRead) {
	for _, r := range files {
		switch {
		case r.Why != "":
		case r.Miss == storage.MissFilter:
			c.tr(op, node, thread, "Bloom filter allows skipping sstable %d", r.Gen)
		case r.Passed:
			c.tr(op, node, thread, "Partition index lookup allows skipping sstable %d", r.Gen)
		case r.Miss != "":
			c.tr(op, node, thread, "Partition index lookup complete (bloom filter false positive) for sstable %d", r.Gen)
		case r.Cached:
			c.tr(op, node, thread, "Key cache hit for sstable %d, size = %d", r.Gen, r.Blocks)
		default:
			c.tr(op, node, thread, "Partition index found for sstable %d, size = %d", r.Gen, r.Blocks)
		}
	}
}

// traceMerged adds the end of a read of slices that merged something.
func (c *Cluster) traceMerged(op *Op, node int, f *storage.Found) {
	if !f.ByNames && f.Merges() {
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
