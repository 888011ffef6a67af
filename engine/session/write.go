package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ringlab/engine/cluster"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// write begins a write without conditions.
// Source: Cassandra 5.0 ModificationStatement.executeWithoutCondition.
func (c *Core) write(f *flight, w *plan.Write, coord int) {
	if err := writable(f.client.CL, w); err != nil {
		f.ans.Error = refusal(err)
		return
	}
	kind := "write"
	if w.Table.Counter {
		kind = "counter"
	}
	f.table = w.Table
	if len(w.Keys) == 1 {
		f.key = w.Keys[0]
	}
	c.open(f, kind, coord)
	if w.Unindexable {
		c.Cluster.Reject(f.op, plan.WriteFailure, "SIMPLE", w.Table.Keyspace, c.Cluster.Partitioner().Token(w.Keys[0]))
		return
	}
	timestamp, now := f.timestamp(coord), f.seconds(coord)
	if readsBefore(w) {
		c.readLists(f.op, w, now, func() { c.lowered(f.op, w, coord, timestamp, now) })
		return
	}
	c.lowered(f.op, w, coord, timestamp, now)
}

// lowered sends the mutations of a write.
func (c *Core) lowered(op *cluster.Op, w *plan.Write, coord int, timestamp, now int64) {
	parts, err := c.lower.Lower(w, op.Found, c.Cluster.Partitioner(), timestamp, now, c.desk(coord).lists)
	switch {
	case err != nil:
		c.Cluster.Refuse(op, err)
	case w.Table.Counter:
		t, parts := toStore(w.Table, parts)
		muts := make([]cluster.Mutation, len(parts))
		for i, p := range parts {
			muts[i] = cluster.Mutation{Table: t, Part: p}
		}
		c.Cluster.WriteCounters(op, muts)
	default:
		t, parts := toStore(w.Table, parts)
		c.Cluster.Write(op, t, parts)
	}
}

// open begins an operation of a statement.
func (c *Core) open(f *flight, kind string, coord int) { c.openAt(f, kind, coord, f.client.CL) }

// openAt is open with another level than the client's.
func (c *Core) openAt(f *flight, kind string, coord int, cl plan.Consistency) {
	f.op = c.Cluster.Begin(kind, coord, cl, f.client.Tracing || c.ForceTrc)
	c.record(f)
	c.parsed(f)
}

// writable refuses levels that a write cannot have.
// Source: Cassandra 5.0 ConsistencyLevel.validateForWrite, validateCounterForWrite.
func writable(cl plan.Consistency, w *plan.Write) error {
	switch {
	case w.Table.Counter && cl == plan.Any:
		return plan.Invalid("Consistency level ANY is not yet supported for counter table %s", w.Table.Name)
	case w.Table.Counter && cl.IsSerial():
		return plan.Invalid("Counter operations are inherently non-serializable")
	case cl.IsSerial():
		return plan.Invalid("You must use conditional updates for serializable writes")
	case cl == plan.Any && readsBefore(w):
		return plan.Invalid("Write operation require a read but consistency ANY is not supported on reads")
	}
	return nil
}

// readingLists reads the lists that a write needs, if any, and goes on.
func (c *Core) readingLists(op *cluster.Op, w *plan.Write, now int64, next func()) {
	if readsBefore(w) {
		c.readLists(op, w, now, next)
		return
	}
	op.Found = nil
	next()
}

// batch begins a batch without conditions: its statements share a timestamp, and
// what they write under one key of a keyspace is one mutation.
// Source: Cassandra 5.0 BatchStatement.executeWithoutConditions, BatchUpdatesCollector.
func (c *Core) batch(f *flight, b *plan.Batch, coord int) {
	counters := len(b.Writes) > 0 && b.Writes[0].Table.Counter
	if len(b.Writes) > 0 {
		f.table = b.Writes[0].Table
	}
	c.open(f, "batch", coord)
	for _, w := range b.Writes {
		if w.Unindexable {
			c.Cluster.Reject(f.op, plan.WriteFailure, [...]string{"BATCH", "UNLOGGED_BATCH", "COUNTER"}[b.Kind], w.Table.Keyspace, c.Cluster.Partitioner().Token(w.Keys[0]))
			return
		}
	}
	timestamp, now := f.timestamp(coord), f.seconds(coord)
	gather := &collector{}
	var step func(i int)
	step = func(i int) {
		if i == len(b.Writes) {
			c.sendBatch(f, b, gather, counters)
			return
		}
		w := b.Writes[i]
		c.readingLists(f.op, w, now, func() {
			parts, err := c.lower.Lower(w, f.op.Found, c.Cluster.Partitioner(), timestamp, now, c.desk(coord).lists)
			if err != nil {
				c.Cluster.Refuse(f.op, err)
				return
			}
			t, parts := toStore(w.Table, parts)
			for _, p := range parts {
				gather.add(t, p)
			}
			step(i + 1)
		})
	}
	step(0)
}

func (c *Core) sendBatch(f *flight, b *plan.Batch, gather *collector, counters bool) {
	f.op.Found = nil
	muts := gather.mutations()
	if err := sizeOf(f, muts); err != nil && !b.Classic {
		c.Cluster.Refuse(f.op, err)
		return
	}
	switch {
	case counters:
		c.Cluster.WriteCounters(f.op, muts)
	default:
		if b.Classic {
			f.ans.Warnings = nil
		} else if b.Kind != plan.LoggedBatch {
			f.ans.Warnings = append(f.ans.Warnings, scattered(muts)...)
		}
		c.Cluster.WriteBatch(f.op, muts, b.Kind == plan.LoggedBatch)
	}
}

// collector joins what the statements of a batch write into mutations.
type collector struct {
	order []*collected
	at    map[string]*collected // by keyspace and key
	keys  int                   // of all statements, those that come again too
}

// collected is what a batch writes under one key of a keyspace.
type collected struct {
	tables []*schema.Table
	parts  [][]*storage.Partition // by table
}

func (g *collector) add(t *schema.Table, p *storage.Partition) {
	g.keys++
	name := t.Keyspace + "." + p.Key
	at := g.at[name]
	if at == nil {
		if g.at == nil {
			g.at = map[string]*collected{}
		}
		at = &collected{}
		g.at[name] = at
		g.order = append(g.order, at)
	}
	for i, have := range at.tables {
		if have.ID == t.ID {
			at.parts[i] = append(at.parts[i], p)
			return
		}
	}
	at.tables, at.parts = append(at.tables, t), append(at.parts, []*storage.Partition{p})
}

// oneKeyspace says whether all writes go to one keyspace.
func (g *collector) oneKeyspace() bool {
	return !slices.ContainsFunc(g.order, func(x *collected) bool { return x.tables[0].Keyspace != g.order[0].tables[0].Keyspace })
}

// oneTable says whether all writes go to one table.
func (g *collector) oneTable() bool {
	return !slices.ContainsFunc(g.order, func(x *collected) bool { return len(x.tables) > 1 || x.tables[0].ID != g.order[0].tables[0].ID })
}

// sort puts the writes of a batch to one keyspace into the order of the hash map that a batch
// collects them in. The first that cannot be written is the one that a client hears of,
// and what comes before it has been written. The map of a batch of one table is made
// for the keys of all its statements, that of others for one key, and grows.
// Source: Cassandra 5.0 SingleTableUpdatesCollector, BatchUpdatesCollector.toMutations.
func (g *collector) sort() {
	capacity := 2
	if g.oneTable() {
		capacity = types.MapCapacity(g.keys)
	}
	for 4*len(g.order) > 3*capacity {
		capacity *= 2
	}
	slices.SortStableFunc(g.order, func(a, b *collected) int {
		return cmp.Compare(types.BytesPlace(a.parts[0][0].Key, capacity), types.BytesPlace(b.parts[0][0].Key, capacity))
	})
}

// mutations are the collected writes, those of one table joined.
func (g *collector) mutations() []cluster.Mutation {
	if len(g.order) > 1 && g.oneKeyspace() {
		g.sort()
	}
	out := make([]cluster.Mutation, len(g.order))
	for i, x := range g.order {
		for k, t := range x.tables {
			p := storage.Join(t, x.parts[k])
			if k == 0 {
				out[i].Table, out[i].Part = t, p
				continue
			}
			out[i].More = append(out[i].More, cluster.TablePart{Table: t, Part: p})
		}
	}
	return out
}

// The thresholds of batches. Source: Cassandra 5.0 Config.
const (
	batchSizeWarn      = 5 << 10  // batch_size_warn_threshold
	batchSizeFail      = 50 << 10 // batch_size_fail_threshold
	unloggedPartitions = 10       // unlogged_batch_across_partitions_warn_threshold
)

// sizeOf warns of a large batch of several mutations and refuses a very large one.
// Source: Cassandra 5.0 BatchStatement.verifyBatchSize.
func sizeOf(f *flight, muts []cluster.Mutation) error {
	if len(muts) <= 1 {
		return nil
	}
	size := int64(0)
	for i := range muts {
		size += storage.UpdateSize(muts[i].Part)
		for _, p := range muts[i].More {
			size += storage.UpdateSize(p.Part)
		}
	}
	switch {
	case size > batchSizeFail:
		return plan.Invalid("Batch too large")
	case size > batchSizeWarn:
		f.ans.Warnings = append(f.ans.Warnings, fmt.Sprintf("Batch for %s is of size %d, exceeding specified threshold of %d by %d.",
			tablesOf(muts), size, batchSizeWarn, size-batchSizeWarn))
	}
	return nil
}

// scattered warns of an unlogged batch over many partitions.
// Source: Cassandra 5.0 BatchStatement.verifyBatchType.
func scattered(muts []cluster.Mutation) []string {
	if len(muts) <= unloggedPartitions {
		return nil
	}
	tables, plural := tablesOf(muts), ""
	if strings.Contains(tables, ", ") {
		plural = "s"
	}
	return []string{fmt.Sprintf("Unlogged batch covering %d partitions detected against table%s %s. You should use a logged batch for atomicity, "+
		"or asynchronous writes for performance.", len(muts), plural, tables)}
}

// tablesOf names the tables of mutations, in the order of a Java HashSet.
func tablesOf(muts []cluster.Mutation) string {
	var names []string
	seen := map[string]bool{}
	add := func(t *schema.Table) {
		if name := t.Keyspace + "." + t.Name; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for i := range muts {
		add(muts[i].Table)
		for _, p := range muts[i].More {
			add(p.Table)
		}
	}
	return "[" + strings.Join(schema.HashOrder(names), ", ") + "]"
}
