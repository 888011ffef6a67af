package session

import (
	"slices"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/query"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// conditional begins a write with conditions, or a batch in which at least one
// has some: all are about one partition.
// Source: Cassandra 5.0 ModificationStatement.executeWithCondition, CQL3CasRequest.
func (c *Core) conditional(f *flight, writes []*plan.Write, batch bool, coord int) {
	k, table := f.client, writes[0].Table
	if err := c.serializable(k, table); err != nil {
		f.ans.Error = refusal(err)
		return
	}
	f.table, f.key = table, writes[0].Keys[0]
	c.open(f, "cas", coord)
	now := f.seconds(coord)
	cas := &casRequest{core: c, writes: writes, batch: batch, now: now, names: c.desk(coord).lists}
	f.finish = func(a *answer.Answer) { cas.answer(a, f.op) }
	key := writes[0].Keys[0]
	q := cas.query(key, c.Cluster.Partitioner().Token(key))
	stored(q)
	c.Cluster.CompareAndSet(f.op, &cluster.CAS{Query: q, Serial: k.Serial, Decide: cas.decide})
}

// serializable refuses levels that a conditional write cannot have.
// Source: Cassandra 5.0 ConsistencyLevel.validateForCas, validateForCasCommit.
func (c *Core) serializable(k *Client, t *schema.Table) error {
	switch {
	case !k.Serial.IsSerial():
		return plan.Invalid("Invalid consistency for conditional update. Must be one of SERIAL or LOCAL_SERIAL")
	case k.CL.IsSerial():
		return plan.Invalid("%s is not supported as conditional update commit consistency. Use ANY if you mean \"make sure it is accepted "+
			"but I don't care how many replicas commit it for non-SERIAL reads\"", k.CL)
	case k.CL == plan.EachQuorum:
		if ks := c.Cluster.Schema.Keyspace(t.Keyspace); ks != nil && ks.Class() != "NetworkTopologyStrategy" {
			return plan.Invalid("consistency level %s not compatible with replication strategy (org.apache.cassandra.locator.%s)", k.CL, ks.Class())
		}
	}
	return nil
}

// casRequest is a conditional write while Paxos decides it.
type casRequest struct {
	core   *Core
	writes []*plan.Write
	batch  bool
	now    int64 // seconds
	names  func(front bool) []byte
}

// query is what has to be read: the rows that conditions are about, or, where
// they are only about the static row, the first row of the partition. Regular
// columns are read where rows are written, static ones where they are tested, or written
// by a statement with conditions.
// Source: Cassandra 5.0 CQL3CasRequest.readCommand, columnsToRead, BatchStatement.
func (r *casRequest) query(key []byte, token ring.Token) *storage.Query {
	t := r.writes[0].Table
	q := &storage.Query{Table: t, Key: string(key), Token: token, Now: r.now, GCBefore: r.now - int64(t.Options.GCGrace), Columns: map[uint16]bool{}, Fetch: storage.FetchNone}
	add := func(columns []*schema.Column) {
		for _, c := range columns {
			q.Columns[c.ID] = true
		}
	}
	for _, w := range r.writes {
		if len(w.Rows) > 0 || len(w.Slices) > 0 || len(t.Clustering) == 0 {
			add(t.Regular)
		}
		if w.If == nil {
			continue
		}
		if len(w.Static) > 0 {
			add(t.Static)
		}
		for i := range w.If.Tests {
			q.Columns[w.If.Tests[i].Column.ID] = true
		}
		if !w.If.Static && !onlyStaticTests(w.If) {
			q.Names = append(q.Names, w.If.Row)
		}
	}
	if len(q.Names) == 0 {
		q.Names, q.Limit = nil, 1
		return q
	}
	slices.SortFunc(q.Names, t.CompareClustering)
	q.Names = slices.CompactFunc(q.Names, func(a, b []byte) bool { return t.CompareClustering(a, b) == 0 })
	return q
}

// onRows says whether any condition is about a row.
func (r *casRequest) onRows() bool {
	return slices.ContainsFunc(r.writes, func(w *plan.Write) bool { return w.If != nil && !w.If.Static && !onlyStaticTests(w.If) })
}

// onlyStaticTests says whether conditions look at nothing but static columns.
func onlyStaticTests(c *plan.Conditions) bool {
	return len(c.Tests) > 0 && c.Tests[0].Column.Kind == schema.Static
}

// decide looks at the conditions; where they hold it gives what to write.
func (r *casRequest) decide(found *storage.Found, timestamp int64) (*storage.Partition, error) {
	t := r.writes[0].Table
	found = seen(t, []*storage.Found{found})[0]
	static, rows := r.rows(found)
	// Those on the static row come first, then those of the rows in their order.
	order := slices.Clone(r.writes)
	slices.SortStableFunc(order, func(a, b *plan.Write) int {
		if a.If == nil || b.If == nil || a.If.Static || b.If.Static {
			return rank(a) - rank(b)
		}
		return t.CompareClustering(a.If.Row, b.If.Row)
	})
	for _, w := range order {
		if w.If == nil {
			continue
		}
		if ok, err := query.Holds(w.If, rows[string(w.If.Row)], static); err != nil || !ok {
			return nil, err
		}
	}
	return r.update(found, timestamp)
}

// rank orders the conditions of a batch: on the static row, on rows, none.
func rank(w *plan.Write) int {
	switch {
	case w.If == nil:
		return 2
	case w.If.Static:
		return 0
	}
	return 1
}

// update is what the statements write, with the ballot's timestamp. Deletions of
// the partition and of ranges do not touch what is written beside them.
// Source: Cassandra 5.0 CQL3CasRequest.makeUpdates.
func (r *casRequest) update(found *storage.Found, timestamp int64) (*storage.Partition, error) {
	t := r.writes[0].Table
	var parts []*storage.Partition
	del := storage.Live
	var ranges []storage.RangeTombstone
	for _, w := range r.writes {
		if w.Refused != nil {
			return nil, w.Refused
		}
		if len(w.Keys) == 0 {
			continue
		}
		lists := []*storage.Found{found}
		out, err := r.core.lower.Lower(w, lists, r.core.Cluster.Partitioner(), timestamp, r.now, r.names)
		if err != nil {
			return nil, err
		}
		p := out[0]
		if !p.Del.IsLive() {
			del = p.Del
		}
		ranges = append(ranges, p.Ranges...)
		p.Del, p.Ranges = storage.Live, nil
		parts = append(parts, p)
	}
	merged := *storage.Join(t, parts)
	merged.Del, merged.Ranges = del, ranges
	_, parts = toStore(t, []*storage.Partition{&merged})
	return parts[0], nil
}

// rows are the static row and the rows that were read, nil and missing where
// nothing of them is live.
func (r *casRequest) rows(found *storage.Found) (static *query.Row, rows map[string]*query.Row) {
	rows = map[string]*query.Row{}
	if found == nil {
		return nil, rows
	}
	f := r.feeder(found)
	if len(f.stat) > 0 {
		static = &query.Row{Cells: f.stat}
	}
	for _, row := range found.Rows {
		if !row.HasLive(r.now, false) {
			continue
		}
		if cells, live := f.live(nil, row); live {
			rows[string(row.Clustering())] = &query.Row{HasRow: true, Cells: cells}
		}
	}
	return static, rows
}

// feeder unpacks what was read, of the columns that were asked for.
func (r *casRequest) feeder(found *storage.Found) *feeder {
	t := r.writes[0].Table
	f := &feeder{sel: &plan.Select{Table: t}, now: r.now, want: r.query([]byte(found.Key), found.Token).Columns}
	if !found.Static.IsZero() {
		f.stat = f.cells(nil, found.Static.Read(&f.view))
	}
	return f
}

// answer is [applied], and where the conditions did not hold what is there.
// Source: Cassandra 5.0 ModificationStatement.buildCasResultSet, buildCasFailureResultSet.
func (r *casRequest) answer(a *answer.Answer, op *cluster.Op) {
	a.LWT = true
	t := r.writes[0].Table
	out := printer{columns: []plan.Selector{{Name: "[applied]", Type: types.Boolean}}, raw: r.core.Raw, bare: a.Bytes}
	if op.Applied {
		out.row([][]byte{{1}})
		out.give(a, t)
		return
	}
	sel := &plan.Select{Table: t}
	if !r.onRows() {
		sel.Limit = 1
	}
	direct := map[*schema.Column]bool{}
	for _, c := range r.shown() {
		if !direct[c] {
			direct[c] = true
			sel.Selection = append(sel.Selection, plan.Selector{Name: c.Name, Type: c.Type, Expr: &plan.ColumnExpr{Column: c}})
		}
	}
	applied := out.columns
	out.columns = append(applied[:1:1], sel.Selection...)
	run := query.New(sel, r.now)
	found := 0
	run.Emit = func(values [][]byte) {
		found++
		out.row(append([][]byte{{0}}, values...))
	}
	if there := seen(t, op.Found)[0]; there != nil {
		f := r.feeder(there)
		f.sel = sel
		f.partition(run.Add, there)
	}
	if _, err := run.Finish(); err != nil || found == 0 {
		out = printer{columns: applied, raw: out.raw, bare: out.bare}
		out.row([][]byte{{0}})
	}
	out.give(a, t)
}

// shown are the columns of an answer whose conditions did not hold: those of the
// conditions, with the primary key in a batch; all with IF EXISTS and its like.
func (r *casRequest) shown() []*schema.Column {
	t := r.writes[0].Table
	var out []*schema.Column
	if r.batch {
		out = append(append(out, t.Key...), t.Clustering...)
		if t.Family != nil && len(t.Clustering) == 0 && r.core.Cluster.Set.Classic == "" {
			out = append(out, t.Stored().Clustering...) // hidden, and never with a value, but 5.0 shows it here
		}
	}
	for _, w := range r.writes {
		if w.If == nil {
			continue
		}
		if len(w.If.Tests) == 0 {
			return t.Columns()
		}
		for i := range w.If.Tests {
			out = append(out, w.If.Tests[i].Column)
		}
	}
	return out
}
