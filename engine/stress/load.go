package stress

import (
	"math"
	"slices"
	"strings"

	"ringlab/engine/sim"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Load is a profile at work on a table: a stream of operations.
type Load struct {
	Profile *Profile
	Table   *schema.Table
	Columns []*schema.Column // what a row has values of beside its key, in order of name
	Options Options

	key, clustering, values []*generator
	descendants, averages   []int64 // rows below a value of each clustering column, and values of each

	mix        *mix
	seeds      seeds
	partitions Distribution
	selects    *ratio
	populates  *ratio
	random     *sim.Source
	queries    []reader
	left       int64
	taken      map[int64]bool // seeds of the batch
	shared     *partition
}

// Options say what a load does.
type Options struct {
	N        int64 // operations: partitions written and queries run
	Ops      []OpRatio
	Sequence *[2]int64 // seeds of the partitions in order; nil for the default
	Seeds    *Spec     // where the seeds are drawn from; nil for the default
	Seed     uint64    // of the lab
	Readable bool      // texts are of letters and digits, not of all 7-bit characters
}

// OpRatio is one of ops(insert=3,read1=1).
type OpRatio struct {
	Name  string
	Ratio float64
}

// Operation is one statement or batch. What it holds is valid until its next
// use for another one.
type Operation struct {
	Op         int // index in Options.Ops
	Query      int // index in Profile.Queries, -1 for insert
	Partitions int64
	Rows       []plan.Row // their values are those of Load.Columns
	Args       [][]byte   // of a query, by marker; nil is null

	memory arena
}

// reader binds the markers of a query.
type reader struct {
	args   []int // key columns from -1 down, clustering columns, then values
	same   bool
	values bool // a marker is no column of the key
}

// NewLoad makes the load of a profile on its table. Complaints about the profile
// are *ProfileError.
func NewLoad(p *Profile, t *schema.Table, o Options) (*Load, error) {
	l := &Load{Profile: p, Table: t, Options: o, left: o.N, taken: map[int64]bool{}}
	if err := l.generators(); err != nil {
		return nil, err
	}
	if err := l.rows(); err != nil {
		return nil, err
	}
	draw := func(name string) int64 { return int64(sim.NewStream(o.Seed, "stress."+name).Uint64(0, 0)) }
	l.random = sim.NewStream(o.Seed, "stress.choice").Source(0)
	l.partitions, l.selects, l.populates = p.Insert.Partitions.New(), p.Insert.Select.new(), p.Insert.RowPopulation.new()
	l.partitions.Seed(draw("partitions"))
	l.selects.of.Seed(draw("select"))
	l.populates.of.Seed(draw("population"))
	l.mix = newMix(o.Ops, draw("clustering"), sim.NewStream(o.Seed, "stress.mix").Source(0))
	l.seeds = newSeeds(o, draw("seeds"))
	l.queries = make([]reader, len(p.Queries))
	l.shared = newPartition(l)
	return l, nil
}

// generators makes what the values of each column come from.
func (l *Load) generators() error {
	t, p := l.Table, l.Profile
	specs := map[string]ColumnSpec{}
	for _, c := range p.Columns {
		if t.Column(c.Name) == nil {
			return c.At.complain("%s.%s has no column %s; it has %s", t.Keyspace, t.Name, c.Name, columnNames(t.Columns()))
		}
		if c.Cluster != nil && t.Column(c.Name).Kind != schema.Clustering {
			return c.clusterAt.complain("%s is no clustering column of %s.%s, so that nothing can be counted with cluster; its clustering columns are %s", c.Name, t.Keyspace,
				t.Name, columnNames(t.Clustering))
		}
		specs[c.Name] = c
	}
	l.Columns = slices.Concat(t.Static, t.Regular)
	slices.SortFunc(l.Columns, func(a, b *schema.Column) int { return strings.Compare(a.Name, b.Name) })
	for _, group := range []struct {
		of []*schema.Column
		to *[]*generator
	}{{t.Key, &l.key}, {t.Clustering, &l.clustering}, {l.Columns, &l.values}} {
		for _, c := range group.of {
			spec := specs[c.Name]
			if err := l.check(c, spec); err != nil {
				return err
			}
			*group.to = append(*group.to, newGenerator(c, c.Type, spec, l.Options.Readable))
		}
	}
	return nil
}

func (l *Load) check(c *schema.Column, spec ColumnSpec) error {
	at := spec.At
	if at.Line == 0 {
		at = l.Profile.Where("table")
	}
	collection := c.Type.Kind == types.KindSet || c.Type.Kind == types.KindList
	switch {
	case !Generates(c.Type):
		return at.complain("the column %s has the type %s, of which cassandra-stress makes no values; a table without it can be loaded", c.Name, c.Type)
	case collection && (c.Kind == schema.PartitionKey || c.Kind == schema.Clustering):
		return at.complain("the column %s of the key is a collection; keys of simple types can be loaded", c.Name)
	case collection && spec.Size != nil && (spec.Size.Max > 65535 || spec.Size.Max*spec.Size.Max > mostBytes && bytesOf(c.Type.Elems[0])):
		return at.complain("the size of %s counts its elements and their bytes: %d of them do not fit into a mutation", c.Name, spec.Size.Max)
	case (c.Kind == schema.PartitionKey || c.Kind == schema.Clustering) && spec.Size != nil && spec.Size.Max > 65535:
		return at.complain("a value of the key has at most 65535 bytes; size of %s goes to %d", c.Name, spec.Size.Max)
	}
	return nil
}

// bytesOf says whether a type's values have sizes.
func bytesOf(t *types.Type) bool {
	return t.Kind == types.KindAscii || t.Kind == types.KindText || t.Kind == types.KindBlob
}

// rows works out how many rows partitions have.
// Source: Cassandra 5.0 PartitionGenerator.
func (l *Load) rows() error {
	n := len(l.clustering)
	l.descendants, l.averages = make([]int64, n), make([]int64, n)
	for i, g := range l.clustering {
		l.averages[i] = max(average(g.cluster), 1)
	}
	for i := n - 1; i >= 0; i-- {
		l.descendants[i] = 1
		if i < n-1 {
			l.descendants[i] = l.averages[i+1] * l.descendants[i+1]
		}
	}
	if most := l.MostRows(); most > mostRows {
		at := l.Profile.Where("columnspec")
		return at.complain("a partition may have %.0f rows by the clusters of its columns; %d are the most, since it is written at once: "+
			"a select ratio does not help, more operations on fewer seeds (seq=1..N) do", most, mostRows)
	}
	in := l.Profile.Insert
	most := l.MostRows() * float64(in.Partitions.Max) * min(1, float64(in.Select.Spec.Max)/in.Select.Divisor)
	if size := most * l.rowBytes(); size > mostOperation {
		at := in.At
		if at.Line == 0 {
			at = l.Profile.Where("table")
		}
		return at.complain("one operation may write %.0f rows of %.0f bytes, which is more than %d MiB: fewer partitions, a select ratio or smaller clusters make it less",
			most, l.rowBytes(), mostOperation>>20)
	}
	return nil
}

// rowBytes is about how many bytes a row's values have.
func (l *Load) rowBytes() float64 {
	size := 0.0
	for _, g := range slices.Concat(l.key, l.clustering, l.values) {
		size += g.bytes()
	}
	return size
}

// MostRows is how many rows a partition has at most.
func (l *Load) MostRows() float64 {
	most := 1.0
	for _, g := range l.clustering {
		most *= float64(Max(g.cluster))
	}
	return most
}

// Own names the columns of which values are not those of cassandra-stress,
// because it draws them without a seed, and why.
func (l *Load) Own() []string {
	var out []string
	for _, g := range slices.Concat(l.clustering, l.values) {
		_, evenly := g.identity.(*quantized)
		switch {
		case g.elem != nil && Min(g.size) != Max(g.size):
			out = append(out, g.column.Name+" (sizes of collections)")
		case g.kind == types.KindTimeUUID && g.column.Kind == schema.Clustering && Min(g.cluster) != Max(g.cluster):
			out = append(out, g.column.Name+" (counts of timeuuids)")
		case evenly:
			out = append(out, g.column.Name+" (QEXTREME)")
		case g.kind == types.KindDouble || g.kind == types.KindFloat:
			if o, is := g.identity.(*offset); is && o.curve.kind == Extreme {
				out = append(out, g.column.Name+" (last bits of EXTREME)")
			}
		}
	}
	return out
}

// Bind says what the markers of a query stand for, by the names of columns.
func (l *Load) Bind(query int, markers []string) error {
	q := l.Profile.Queries[query]
	r := reader{same: q.SameRow}
	for _, name := range markers {
		i, ok := l.index(name)
		if !ok {
			return q.At.complain("the query %s has a marker for %s, which is no column of %s.%s; a marker takes a column's values", q.Name, name, l.Table.Keyspace, l.Table.Name)
		}
		r.values = r.values || i >= len(l.clustering)
		r.args = append(r.args, i)
	}
	l.queries[query] = r
	return nil
}

func (l *Load) index(name string) (int, bool) {
	for i, g := range l.key {
		if g.column.Name == name {
			return -1 - i, true
		}
	}
	for i, g := range slices.Concat(l.clustering, l.values) {
		if g.column.Name == name {
			return i, true
		}
	}
	return 0, false
}

// Next makes the next operation; false when all have been made.
// Source: Cassandra 5.0 PartitionOperation.ready, StressAction.Consumer.
func (l *Load) Next(op *Operation) bool {
	if l.left <= 0 {
		return false
	}
	op.memory.reset()
	op.Rows, op.Args, op.Partitions = op.Rows[:0], op.Args[:0], 1
	op.Op = l.mix.next()
	op.Query = l.Profile.query(l.Options.Ops[op.Op].Name)
	if op.Query >= 0 {
		l.left--
		l.read(op)
		return true
	}
	op.Partitions = min(max(l.partitions.Next(), 1), l.left)
	clear(l.taken)
	for tries := 0; int64(len(l.taken)) < op.Partitions && tries < 1000; tries++ {
		seed := l.seeds.next()
		if l.taken[seed] { // a batch writes no partition twice
			continue
		}
		l.taken[seed], tries = true, 0
		l.shared.write(op, seed, l.selects.next(), l.populates.next())
	}
	op.Partitions = int64(len(l.taken)) // fewer where there are no more seeds
	l.left -= op.Partitions
	return true
}

// Left is how many operations are still to be made.
func (l *Load) Left() int64 { return l.left }

// read binds a query to rows of a partition.
// Source: Cassandra 5.0 SchemaQuery, SchemaStatement.
func (l *Load) read(op *Operation) {
	r := &l.queries[op.Query]
	want := 1
	if !r.same {
		want = len(r.args)
	}
	rows := l.shared.read(op, l.seeds.next(), want, r.values)
	for _, a := range r.args {
		row := &rows[0]
		if a >= 0 && !r.same && len(rows) > 1 {
			row = &rows[l.random.Uint64()%uint64(len(rows))]
		}
		op.Args = append(op.Args, value(row, a))
	}
	op.Rows = op.Rows[:0]
}

// value is what a marker takes from a row.
func value(r *plan.Row, i int) []byte {
	switch {
	case i < 0:
		return r.Key[-1-i]
	case i < len(r.Clustering):
		return r.Clustering[i]
	}
	return r.Values[i-len(r.Clustering)]
}

func columnNames(cs []*schema.Column) string {
	if len(cs) == 0 {
		return "none"
	}
	var out []string
	for _, c := range cs {
		out = append(out, c.Name)
	}
	return strings.Join(out, ", ")
}

// chance is a draw from [0, 1).
func chance(s *sim.Source) float64 { return float64(s.Uint64()>>11) / (1 << 53) }

// mix picks operations: runs of the same one, by their ratios.
// Source: Cassandra 5.0 SampledOpDistribution, SettingsCommandUser.
type mix struct {
	ops       []OpRatio
	total     float64
	runs      Distribution
	random    *sim.Source
	current   int
	remaining int64
}

func newMix(ops []OpRatio, seed int64, random *sim.Source) *mix {
	m := &mix{ops: ops, random: random, runs: Spec{Kind: Gaussian, Min: 1, Max: 10, A: 5.5, B: 1.5}.New()}
	m.runs.Seed(seed)
	for _, o := range ops {
		m.total += o.Ratio
	}
	return m
}

func (m *mix) next() int {
	if len(m.ops) == 1 {
		return 0
	}
	for m.remaining == 0 {
		m.remaining = m.runs.Next()
		at := chance(m.random) * m.total
		for m.current = 0; m.current < len(m.ops)-1; m.current++ {
			if at -= m.ops[m.current].Ratio; at < 0 {
				break
			}
		}
	}
	m.remaining--
	return m.current
}

// seeds gives partitions their seeds: in order and over again where nothing but
// inserts run, else drawn around the middle.
// Source: Cassandra 5.0 SeedManager, SettingsPopulation.get.
type seeds struct{ from Distribution }

// spread makes seeds differ in all their bits; it follows from the default size
// of the set of partitions that are written in several visits.
// Source: Cassandra 5.0 SeedManager.sampleMultiplier.
const spread = 10_000_000_000_000_001

func newSeeds(o Options, seed int64) seeds {
	inserts := len(o.Ops) == 1 && o.Ops[0].Name == "insert"
	switch {
	case o.Sequence != nil:
		return seeds{&sequence{start: o.Sequence[0], count: o.Sequence[1] - o.Sequence[0] + 1}}
	case o.Seeds == nil && inserts:
		return seeds{&sequence{start: 1, count: o.N}}
	}
	s := o.Seeds
	if s == nil {
		all := Spec{Kind: Gaussian, Min: 1, Max: o.N}
		if o.N > 1 {
			all.A, all.B = float64(1+o.N)/2, float64(o.N-1)/2/3
		}
		s = &all
	}
	d := s.New()
	d.Seed(seed)
	return seeds{d}
}

func (s seeds) next() int64 { return s.from.Next() * spread }

// atMost is a number of rows as Java casts it.
func atMost(n float64) int64 { return int64(min(n, math.MaxInt32)) }
