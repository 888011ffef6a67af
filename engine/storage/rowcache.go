package storage

import (
	"container/list"

	"github.com/google/uuid"

	"ringlab/model/schema"
)

// RowCache is a node's cache of the heads of partitions, for the tables that ask
// for one. It remembers what is in it, not the rows: a write takes a partition out,
// so that what it would answer is what a read finds.
// Source: Cassandra 5.0 CacheService.initRowCache, SinglePartitionReadCommand.getThroughCache.
type RowCache struct {
	Capacity       int64 // bytes; 0 is none
	Bytes          int64
	Hits, Requests int64

	entries map[rowCacheKey]*list.Element
	recent  list.List // of *cachedRows, the one used last in front
}

type rowCacheKey struct {
	table uuid.UUID
	key   string
}

// cachedRows is the head of a partition.
type cachedRows struct {
	rowCacheKey
	live  int    // rows
	whole bool   // nothing of the partition is left out
	last  []byte // clustering of its last row, nil if there is none
	bytes int64
}

// What a read found in the row cache.
const (
	RowCacheUnused = iota
	RowCacheHit
	RowCacheMiss
	RowCacheShort   // it holds less of the partition than the query asks for
	RowCacheNotHead // a miss, and the query does not begin where the cache would
)

// rowOverhead is about what an entry takes beside its rows.
const rowOverhead = 100

// Len is the number of partitions in the cache.
func (c *RowCache) Len() int { return c.recent.Len() }

// Clear empties the cache; its counters stay.
func (c *RowCache) Clear() {
	c.entries, c.Bytes = nil, 0
	c.recent.Init()
}

// invalidate takes a partition out.
func (c *RowCache) invalidate(table uuid.UUID, key string) {
	if c == nil || c.Capacity == 0 {
		return
	}
	if e := c.entries[rowCacheKey{table, key}]; e != nil {
		c.remove(e)
	}
}

// drop takes all partitions of a table out.
func (c *RowCache) drop(table uuid.UUID) {
	if c == nil {
		return
	}
	for e := c.recent.Front(); e != nil; {
		next := e.Next()
		if e.Value.(*cachedRows).table == table {
			c.remove(e)
		}
		e = next
	}
}

func (c *RowCache) remove(e *list.Element) {
	r := c.recent.Remove(e).(*cachedRows)
	c.Bytes -= r.bytes
	delete(c.entries, r.rowCacheKey)
}

// add puts a partition in front; what was used longest ago goes. One larger than
// the whole cache never comes in.
func (c *RowCache) add(r *cachedRows) {
	if r.bytes > c.Capacity {
		return
	}
	if c.entries == nil {
		c.entries = map[rowCacheKey]*list.Element{}
	}
	c.entries[r.rowCacheKey] = c.recent.PushFront(r)
	c.Bytes += r.bytes
	c.Trim()
}

// Trim drops what a smaller capacity no longer holds.
func (c *RowCache) Trim() {
	for c.Bytes > c.Capacity {
		c.remove(c.recent.Back())
	}
}

// through looks a query up and says what the cache makes of it.
func (c *RowCache) through(s *TableStore, q *Query) int {
	if c == nil || c.Capacity == 0 {
		return RowCacheUnused
	}
	all, rows := s.Table.Options.CachedRows()
	if rows == 0 {
		return RowCacheUnused
	}
	c.Requests++
	if e := c.entries[rowCacheKey{s.Table.ID, q.Key}]; e != nil {
		c.recent.MoveToFront(e)
		c.Hits++ // of what is there, whether it suffices or not
		if !e.Value.(*cachedRows).covers(s.Table, q) {
			return RowCacheShort
		}
		return RowCacheHit
	}
	if whole := all || len(s.Table.Clustering) == 0; !whole && !q.isHead() {
		return RowCacheNotHead
	}
	head := Query{Table: q.Table, Key: q.Key, Token: q.Token, Now: q.Now, GCBefore: q.GCBefore}
	if !all {
		head.Limit = rows
	}
	if f := s.find(&head, false); !f.IsEmpty() {
		r := &cachedRows{rowCacheKey: rowCacheKey{s.Table.ID, q.Key}, live: f.Live, whole: all || f.Live < rows,
			bytes: rowOverhead + PartitionBytes(s.Table, f.Partition)}
		if n := len(f.Rows); n > 0 {
			r.last = f.Rows[n-1].Clustering()
		}
		c.add(r)
	}
	return RowCacheMiss
}

// isHead says whether the query begins with the first row of the partition.
// Source: Cassandra 5.0 ClusteringIndexFilter.isHeadFilter.
func (q *Query) isHead() bool {
	if q.Reversed || q.Names != nil || len(q.Slices) > 1 {
		return false
	}
	return len(q.Slices) == 0 || len(q.Slices[0].From.Prefix) == 0 && !q.Slices[0].From.After
}

// covers says whether the cached head has all that the query may answer with.
// Source: Cassandra 5.0 ColumnFamilyStore.isFilterFullyCoveredBy.
func (r *cachedRows) covers(t *schema.Table, q *Query) bool {
	switch {
	case r.whole:
		return true
	case q.isHead() && q.Limit > 0 && r.live >= q.Limit:
		return true
	case r.last == nil:
		return false
	case q.Names != nil:
		return len(q.Names) > 0 && t.CompareClustering(q.Names[len(q.Names)-1], r.last) <= 0
	case len(q.Slices) == 0:
		return false
	}
	to := q.Slices[len(q.Slices)-1].To
	return len(to.Prefix) > 0 && t.CompareCutRow(to, r.last) <= 0
}
