package cluster

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/materialize"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// seek is how an operation finds its rows: by which index, and by which value of
// it.
type seek struct {
	index    *schema.Index
	value    []byte
	estimate int64 // rows of a value
	attached bool  // to the files, which gives no estimate
	alone    bool  // every row that the index finds is one of the answer
}

// UseIndex makes a read find its rows by one of the indexes that can: the one
// whose values have the fewest rows by what the coordinator's own files say.
// alone says that nothing else is asked of the rows.
// Source: Cassandra 5.0 SecondaryIndexManager.getBestIndexQueryPlanFor, Index.QueryPlan.compareTo.
func (c *Cluster) UseIndex(op *Op, sel *plan.Select, alone bool) {
	texts := make([]string, len(sel.Seeks))
	best, least := 0, int64(0)
	for n, s := range sel.Seeks {
		rows := c.rowsOfValue(op.Coord, sel.Table, s.Index)
		texts[n] = s.Index.Name + ":" + strconv.FormatInt(rows, 10)
		if n == 0 || rows < least {
			best, least = n, rows
		}
	}
	if len(texts) == 0 {
		return
	}
	chosen := sel.Seeks[best]
	f := &sel.Filters[chosen.Filter]
	op.seek = &seek{index: chosen.Index, value: f.Value, estimate: least, attached: chosen.Index.IsSAI(), alone: alone}
	names := chosen.Index.Name
	if x := c.index(sel.Table, chosen.Index.Name); x != nil {
		op.seek.value = x.Sought(f.Key, f.Value)
	} else if op.seek.attached { // all of them answer together
		var all []string
		for _, s := range sel.Seeks {
			if s.Index.IsSAI() {
				all = append(all, s.Index.Name)
			}
		}
		names = strings.Join(all, ",")
	}
	c.tr(op, op.Coord, threadClient, "Index mean cardinalities are %s. Scanning with %s.", strings.Join(texts, ","), names)
}

// NoIndex tells that no index of a table finds what a read asks.
// Source: Cassandra 5.0 SecondaryIndexManager.getBestIndexQueryPlanFor.
func (c *Cluster) NoIndex(op *Op, t *schema.Table) {
	if len(t.Indexes) > 0 {
		c.tr(op, op.Coord, threadClient, "No applicable indexes found")
	}
}

// rowsOfValue is how many rows an index expects a value to have.
// Source: Cassandra 5.0 CassandraIndex.getEstimatedResultRows,
// ColumnFamilyStore.getMeanRowCount, StorageAttachedIndex and SASIIndex.
func (c *Cluster) rowsOfValue(node int, t *schema.Table, i *schema.Index) int64 {
	switch {
	case i.IsSAI():
		return math.MaxInt64
	case i.IsSASI():
		return math.MinInt64
	}
	x := c.index(t, i.Name)
	if x == nil {
		return 0
	}
	rows, values := int64(0), int64(0)
	for _, f := range c.Store(node, x.Table).SSTables {
		rows, values = rows+f.Rows, values+int64(len(f.Parts))
	}
	return rows / max(values, 1)
}

// traceAttached adds the events of a read by an index that is attached to the files: each
// partition that it leads to is read for itself.
// Source: Cassandra 5.0 StorageAttachedIndexSearcher.ResultRetriever.
func (c *Cluster) traceAttached(r *request, node int, q *storage.Query, found []*storage.Found) {
	c.tr(r.op, node, threadRead, "Executing read on %s.%s using index %s", q.Table.Keyspace, q.Table.Name, r.op.seek.index.Name)
	if filter := r.filter(); filter != nil {
		found = filter.sieve(q, found, false)
	}
	for _, f := range found {
		one := *f
		one.ByNames = len(q.Table.Clustering) == 0
		c.traceFiles(r.op, node, q, &one)
		c.traceMerged(r.op, node, &one)
	}
	live, dead := q.Passed(found)
	c.tr(r.op, node, threadRead, "Read %d live rows and %d tombstone cells", live, dead)
}

// sought is the index by which an operation finds rows of a table, nil if it
// reads the table itself or the index is not a table.
func (c *Cluster) sought(op *Op, t *schema.Table) *materialize.Index {
	if op.seek == nil {
		return nil
	}
	return c.index(t, op.seek.index.Name)
}

// seekService is how long a replica takes for the rows that an index led to; modelled.
func seekService(found []*storage.Found) sim.Time {
	took := sim.Time(0)
	for _, f := range found {
		took += serviceRead + serviceFile*sim.Time(f.SSTables)
	}
	return took
}

// seekRange finds the rows of a stretch of the ring by an index, in the order of
// the table: the value's whole partition of the hidden table is read, and then
// what its entries lead to, until most rows were found (0 = all).
// Source: Cassandra 5.0 CompositesSearcher.queryDataFromIndex.
func (c *Cluster) seekRange(op *Op, node int, x *materialize.Index, q *storage.Query, b storage.Bounds, most int) (found []*storage.Found, failed bool) {
	iq := c.entriesQuery(op, x, q)
	return c.search(op, node, x, iq, q, &b, most)
}

// seekOne is seekRange for one partition, which gives one answer at least.
func (c *Cluster) seekOne(op *Op, node int, x *materialize.Index, q *storage.Query) (f *storage.Found, failed bool) {
	iq := c.entriesQuery(op, x, q)
	whole := !x.OnStatic() && !x.HasPath()
	switch {
	case whole && len(x.Base.Clustering) == 0:
		iq.Names = [][]byte{x.EntryPrefix(q.Key, nil)}
	case whole && q.Names != nil:
		for _, n := range q.Names {
			iq.Names = append(iq.Names, x.EntryPrefix(q.Key, n))
		}
		slices.SortFunc(iq.Names, x.Table.CompareClustering)
	default:
		key := schema.AppendComponent(nil, []byte(q.Key))
		iq.Slices = []schema.Slice{{From: schema.Cut{Prefix: key}, To: schema.Cut{Prefix: key, After: true}}}
	}
	found, failed := c.search(op, node, x, iq, q, nil, 0)
	if len(found) > 0 {
		return found[0], failed
	}
	return &storage.Found{Partition: &storage.Partition{Key: q.Key, Token: q.Token, Del: storage.Live}}, failed
}

// entriesQuery asks for all entries of the value.
func (c *Cluster) entriesQuery(op *Op, x *materialize.Index, q *storage.Query) *storage.Query {
	iq := &storage.Query{Table: x.Table, Now: q.Now, GCBefore: q.Now, Tell: q.Tell}
	iq.Key, iq.Token = x.Key(op.seek.value)
	return iq
}

// search reads entries and the rows that they lead to; failed says that a file
// could not be read.
func (c *Cluster) search(op *Op, node int, x *materialize.Index, iq, q *storage.Query, b *storage.Bounds, most int) (out []*storage.Found, failed bool) {
	c.tr(op, node, threadRead, "Executing read on %s.%s using index %s", q.Table.Keyspace, q.Table.Name, op.seek.index.Name)
	entriesOf := c.Store(node, x.Table)
	hits := entriesOf.Seek(iq)
	if c.readFails(node, x.Table, hits.SSTables, entriesOf.CorruptRead(iq, hits)) {
		return nil, true
	}
	if op.Traced {
		c.traceFiles(op, node, iq, hits)
	}
	base := c.Store(node, q.Table)
	rows := hits.Rows
	live, dead, statics := 0, 0, 0
	for len(rows) > 0 && (most == 0 || live < most) {
		key := x.BaseKey(rows[0].Clustering())
		n := 1
		for n < len(rows) && x.BaseKey(rows[n].Clustering()) == key {
			n++
		}
		entries := rows[:n]
		rows = rows[n:]
		token := c.Partitioner().Token([]byte(key))
		if b != nil && (!b.In(token) || q.After != nil && token == b.Left && key < q.After.Key) || b == nil && key != q.Key {
			continue
		}
		dq, entries := x.Lead(q.Of(key), op.seek.value, entries)
		if len(entries) == 0 {
			continue
		}
		dq.Key, dq.Token, dq.Limit, dq.PerPartition = key, token, 0, 0
		f := base.Seek(dq)
		if c.readFails(node, q.Table, f.SSTables, base.CorruptRead(dq, f)) {
			return nil, true
		}
		if op.Traced {
			c.traceFiles(op, node, dq, f)
			c.traceMerged(op, node, f)
		}
		kept, stale := x.Sift(f, op.seek.value, entries, q.Now)
		for _, w := range stale {
			c.writeIndex(op, node, x, []materialize.Write{w})
		}
		if kept.IsEmpty() {
			continue
		}
		kept.SSTables += hits.SSTables
		out = append(out, kept)
		live, dead = live+kept.Live, dead+kept.Tombstones
		if q.CountsStatic(kept) {
			statics++
		}
	}
	if op.Traced {
		c.tr(op, node, threadRead, "Read %d live rows and %d tombstone cells", live+statics, dead)
		c.traceMerged(op, node, hits)
	}
	return out, false
}
