package session

import (
	"slices"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// Loader writes rows of a table, all columns of each, by the thousands: as an
// UPDATE with a marker for every column, or where there is nothing but a key, an
// INSERT, and several rows as a batch. The statement is checked once; then its
// values become mutations directly wherever the result is the same.
// Source: Cassandra 5.0 StressProfile.getInsert, SchemaInsert.
type Loader struct {
	core    *Core
	table   *schema.Table
	columns []*schema.Column // of the values of a row
	kind    plan.BatchKind
	one     *Prepared
	several *Prepared // a batch of two
	direct  bool
	cells   []plan.Assign
	blank   plan.Write // what all writes have in common
	packed  []byte     // a clustering
}

// MostInBatch is how many statements a batch may have.
// Source: Cassandra 5.0 BatchStatement.
const MostInBatch = 65535

// NewLoader checks the statement; the answer holds the refusal if there is one.
func (c *Core) NewLoader(t *schema.Table, columns []*schema.Column, kind plan.BatchKind, batches bool) (*Loader, *answer.Error) {
	l := &Loader{core: c, table: t, columns: columns, kind: kind}
	text := l.statement()
	var refused *answer.Answer
	if l.one, refused = c.Prepare(text); l.one == nil {
		return nil, refused.Error
	}
	if batches {
		begin := [...]string{"BEGIN BATCH ", "BEGIN UNLOGGED BATCH ", "BEGIN COUNTER BATCH "}[kind]
		if l.several, refused = c.Prepare(begin + text + "; " + text + "; APPLY BATCH"); l.several == nil {
			return nil, refused.Error
		}
	}
	l.direct = !t.Counter && len(t.Static) == 0 && len(t.Indexes) == 0
	l.cells = make([]plan.Assign, len(columns))
	l.blank = plan.Write{Table: t, Liveness: len(columns) == 0}
	for i, col := range columns {
		l.cells[i] = plan.Assign{Column: col, Kind: plan.Set}
		if adds(col) {
			l.cells[i].Kind = plan.Append
		}
	}
	return l, nil
}

// adds says whether a column is written by adding to what it has.
func adds(c *schema.Column) bool {
	return c.Type.Kind == types.KindSet || c.Type.Kind == types.KindList || c.Type.Kind == types.KindCounter
}

// Statement is what a row is written with.
func (l *Loader) Statement() string { return l.one.Text }

func (l *Loader) statement() string {
	t := l.table
	var sets, keys, marks []string
	for _, c := range l.columns {
		name := schema.Quote(c.Name)
		if adds(c) {
			sets = append(sets, name+" = "+name+" + ?")
		} else {
			sets = append(sets, name+" = ?")
		}
	}
	for _, c := range slices.Concat(t.Key, t.Clustering) {
		keys, marks = append(keys, schema.Quote(c.Name)), append(marks, "?")
	}
	if len(sets) == 0 {
		return "INSERT INTO " + t.String() + " (" + strings.Join(keys, ", ") + ") VALUES (" + strings.Join(marks, ", ") + ")"
	}
	return "UPDATE " + t.String() + " SET " + strings.Join(sets, ", ") + " WHERE " + strings.Join(keys, " = ? AND ") + " = ?"
}

// Pending is a statement of a load on its way, or its place for the next one.
type Pending struct {
	f   flight
	ans answer.Answer
}

// Done works until the statement is answered and gives its answer, which is
// valid until the next statement.
func (p *Pending) Done() *answer.Answer {
	if p.f.op != nil {
		p.f.core.Cluster.Run(p.f.op)
	}
	return p.f.end()
}

// Ended is when the answer left the coordinator; the beginning, of a statement
// that was refused.
func (p *Pending) Ended() sim.Time {
	if p.f.op == nil || !p.f.op.Done {
		return sim.Time(p.f.ans.AtMicros)
	}
	return p.f.op.End
}

// Query begins a prepared statement.
func (p *Pending) Query(c *Core, q *Prepared, args [][]byte) {
	coord, ok := p.start(c, q.Text)
	if !ok {
		return
	}
	env := c.env(c.Current, coord)
	env.Args = args
	bound, err := q.known.Bind(q.tree, env)
	if err != nil {
		p.ans.Error = refusal(err)
		return
	}
	c.begin(&p.f, bound, coord)
}

// start begins a statement at the client's coordinator.
func (p *Pending) start(c *Core, text string) (coord int, ok bool) {
	p.ans = answer.Answer{Statement: text, AtMicros: int64(c.Cluster.Now())}
	p.f = flight{core: c, client: c.Current, bulk: true, ans: &p.ans}
	coord, err := c.Coordinator(c.Current)
	if err != nil {
		p.ans.Error = &answer.Error{Name: "NoHostAvailable", Message: err.Error()}
		return 0, false
	}
	p.ans.Coordinator = c.Cluster.Nodes[coord].Name
	return coord, true
}

// Write begins the write of rows, at most MostInBatch. The rows may be used
// again once it has begun.
func (p *Pending) Write(l *Loader, rows []plan.Row) {
	text := l.one.Text
	if len(rows) > 1 {
		text = l.several.Text
	}
	coord, ok := p.start(l.core, text)
	if !ok {
		return
	}
	err := writable(l.core.Current.CL, &l.blank)
	switch {
	case err != nil:
	case l.direct && l.fit(rows):
		l.mutate(&p.f, rows, coord)
	default:
		err = l.bind(&p.f, rows, coord)
	}
	if err != nil {
		p.ans.Error = refusal(err)
	}
}

// bind begins the write of rows as any statement is begun.
func (l *Loader) bind(f *flight, rows []plan.Row, coord int) error {
	env := l.core.env(l.core.Current, coord)
	batch := &plan.Batch{Kind: l.kind}
	for i := range rows {
		r := &rows[i]
		env.Args = slices.Concat(r.Values, r.Key, r.Clustering)
		bound, err := l.one.known.Bind(l.one.tree, env)
		if err != nil {
			return err
		}
		batch.Writes = append(batch.Writes, bound.(*plan.Write))
	}
	if len(rows) == 1 {
		l.core.begin(f, batch.Writes[0], coord)
	} else {
		l.core.begin(f, batch, coord)
	}
	return nil
}

// fit says whether all values are in order, so that binding them one by one
// would find nothing to refuse.
func (l *Loader) fit(rows []plan.Row) bool {
	for i := range rows {
		r := &rows[i]
		size := 0
		for _, v := range r.Key {
			size += len(v) + 3
		}
		if size > 65535 || len(r.Key) == 1 && len(r.Key[0]) == 0 {
			return false
		}
		for _, v := range r.Clustering {
			if len(v) > 65535 {
				return false
			}
		}
	}
	for k, group := range [][]*schema.Column{l.table.Key, l.table.Clustering, l.columns} {
		for c, col := range group {
			if col.Type.Kind != types.KindTime { // every other type takes all that a load makes
				continue
			}
			for i := range rows {
				v := [][][]byte{rows[i].Key, rows[i].Clustering, rows[i].Values}[k][c]
				if v != nil && col.Type.Validate(v) != nil {
					return false
				}
			}
		}
	}
	return true
}

// mutate makes one mutation of each partition and sends them.
func (l *Loader) mutate(f *flight, rows []plan.Row, coord int) {
	c := l.core
	f.table = l.table
	kind := "write"
	if len(rows) > 1 {
		kind = "batch"
	}
	c.open(f, kind, coord)
	timestamp, now := c.Cluster.Timestamp(coord, f.client.Skew), c.Cluster.Seconds(coord)
	if len(rows) == 1 {
		c.Cluster.Write(f.op, l.table, []*storage.Partition{l.part(rows, timestamp, now, coord)})
		return
	}
	var parts []*storage.Partition
	again := false
	var have map[string]bool
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && !rows[n].New {
			n++
		}
		p := l.part(rows[:n], timestamp, now, coord)
		if n < len(rows) && have == nil {
			have = map[string]bool{}
		}
		if have != nil {
			again = again || have[p.Key]
			have[p.Key] = true
		}
		parts, rows = append(parts, p), rows[n:]
	}
	var muts []cluster.Mutation
	if again { // one mutation for each key
		gather := &collector{}
		for _, p := range parts {
			gather.add(l.table, p)
		}
		muts = gather.mutations()
	} else {
		muts = make([]cluster.Mutation, len(parts))
		for i, p := range parts {
			muts[i] = cluster.Mutation{Table: l.table, Part: p}
		}
	}
	if err := sizeOf(f, muts); err != nil {
		c.Cluster.Refuse(f.op, err)
		return
	}
	if l.kind != plan.LoggedBatch {
		f.ans.Warnings = append(f.ans.Warnings, scattered(muts)...)
	}
	c.Cluster.WriteBatch(f.op, muts, l.kind == plan.LoggedBatch)
}

// part packs the rows of one partition.
func (l *Loader) part(rows []plan.Row, timestamp, now int64, coord int) *storage.Partition {
	c := l.core
	low := &c.lower
	*low = Lowerer{write: &l.blank, timestamp: timestamp, now: now, ttl: int32(l.table.Options.DefaultTTL),
		next: c.desk(coord).lists, buf: low.buf, space: low.space}
	part := newPartition(len(rows))
	key := rows[0].Key[0]
	if len(rows[0].Key) > 1 {
		key = ring.CompositeKey(rows[0].Key)
	}
	part.Key, part.Token, part.Del = string(key), c.Cluster.Partitioner().Token(key), storage.Live
	for i := range rows {
		for k, v := range rows[i].Values {
			a := &l.cells[k]
			if a.Kind == plan.Set {
				a.Value = v
				continue
			}
			a.Elems = nil
			if v != nil {
				a.Elems, _ = types.DecodeCollection(v)
			}
		}
		l.packed = l.packed[:0]
		for _, v := range rows[i].Clustering {
			l.packed = schema.AppendComponent(l.packed, v)
		}
		if r := low.row(l.packed, false, l.cells); !r.IsZero() {
			part.Rows = append(part.Rows, r)
		}
	}
	if len(part.Rows) < 2 {
		return part
	}
	byClustering := func(a, b storage.Row) int { return l.table.CompareClustering(a.Clustering(), b.Clustering()) }
	if !slices.IsSortedFunc(part.Rows, byClustering) {
		slices.SortStableFunc(part.Rows, byClustering)
	}
	for i := 1; i < len(part.Rows); i++ {
		if byClustering(part.Rows[i-1], part.Rows[i]) == 0 { // values that differ in bytes but not in order
			return l.merged(part)
		}
	}
	return part
}

// merged joins rows of one clustering.
func (l *Loader) merged(part *storage.Partition) *storage.Partition {
	alone := make([]*storage.Partition, len(part.Rows))
	for i := range part.Rows {
		p := *part
		p.Rows = part.Rows[i : i+1 : i+1]
		alone[i] = &p
	}
	return storage.Merge(l.table, alone, false)
}
