package stress

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ringlab/model/schema"
	"ringlab/model/types"
)

// Survey gathers what a table's rows say about how such rows come about: the
// sizes and the range of values, and how many rows lie under one key. Rows come
// in the order of the table, those of a partition together.
type Survey struct {
	table   *schema.Table
	columns []*schema.Column
	stats   []columnStats
	keys    [][]byte // of the row before
	Rows    int
}

// columnStats are the values of one column.
type columnStats struct {
	size, number, below tally
	seen                map[string]struct{}
	under               int64 // values of a clustering column under the current one before it
}

// tally is the least, the greatest, the mean and the deviation of numbers.
type tally struct {
	count      int64
	min, max   int64
	sum, sumSq float64
}

func (t *tally) add(v int64) {
	if t.count == 0 || v < t.min {
		t.min = v
	}
	if t.count == 0 || v > t.max {
		t.max = v
	}
	t.count++
	t.sum += float64(v)
	t.sumSq += float64(float64(v) * float64(v))
}

// mostSeen is how many different values of a column are told apart.
const mostSeen = 1 << 16

// NewSurvey begins a survey; the rows have the values of these columns: the key,
// the clustering columns, and the others.
func NewSurvey(t *schema.Table, columns []*schema.Column) *Survey {
	s := &Survey{table: t, columns: columns, stats: make([]columnStats, len(columns)), keys: make([][]byte, len(t.Key)+len(t.Clustering))}
	for i := range s.stats {
		s.stats[i].seen = map[string]struct{}{}
	}
	return s
}

// Add adds a row.
func (s *Survey) Add(values [][]byte) {
	s.Rows++
	changed := s.Rows == 1
	first := len(s.table.Key)
	for i := range s.keys {
		same := !changed && string(s.keys[i]) == string(values[i])
		if !same && !changed {
			s.close(i)
		}
		if !same && i >= first {
			s.stats[i].under++
		}
		changed = changed || !same
		s.keys[i] = append(s.keys[i][:0], values[i]...)
	}
	for i, v := range values {
		if v != nil {
			s.stats[i].value(s.columns[i].Type, v)
		}
	}
}

// close counts what lay under a value of the key that has changed: the values of
// each clustering column behind it.
func (s *Survey) close(changed int) {
	for i := max(changed+1, len(s.table.Key)); i < len(s.keys); i++ {
		if c := &s.stats[i]; c.under > 0 {
			c.below.add(c.under)
			c.under = 0
		}
	}
}

func (c *columnStats) value(t *types.Type, v []byte) {
	if len(c.seen) < mostSeen {
		c.seen[string(v)] = struct{}{}
	}
	switch t.Kind {
	case types.KindSet, types.KindList:
		elems, _ := types.DecodeCollection(v)
		c.size.add(int64(len(elems)))
	case types.KindAscii, types.KindText, types.KindBlob:
		c.size.add(int64(len(v)))
	case types.KindBigInt, types.KindTime, types.KindTimestamp:
		c.number.add(types.DecodeInt64(v))
	case types.KindInt:
		c.number.add(int64(types.DecodeInt32(v)))
	case types.KindDate:
		c.number.add(int64(types.DecodeInt32(v)) - math.MinInt32)
	case types.KindSmallInt:
		c.number.add(int64(types.DecodeInt16(v)))
	case types.KindTinyInt:
		c.number.add(int64(types.DecodeInt8(v)))
	case types.KindDouble:
		c.real(types.DecodeDouble(v))
	case types.KindFloat:
		c.real(float64(types.DecodeFloat(v)))
	case types.KindVarint:
		if n := types.DecodeVarint(v); n.IsInt64() {
			c.number.add(n.Int64())
		}
	}
}

func (c *columnStats) real(v float64) {
	if v > math.MinInt32 && v < math.MaxInt32 {
		c.number.add(int64(math.Floor(v)))
	}
}

// spec is a distribution like the numbers seen: FIXED, EXP where small ones are
// as many as there, GAUSSIAN where they lie close to their mean, else UNIFORM.
func (t *tally) spec() Spec {
	if t.min == t.max {
		return Spec{Min: t.min, Max: t.min}
	}
	mean := t.sum / float64(t.count)
	deviation := math.Sqrt(max(0, t.sumSq/float64(t.count)-float64(mean*mean)))
	width := float64(t.max - t.min)
	if edge := width / (0.5 * logarithm(width)); width > 20 && math.Abs(mean-float64(t.min)-edge) < edge/4 && mean-float64(t.min) < width/2.5 {
		return newSpec(Exponential, t.min, t.max)
	}
	if t.count >= 30 && width > 3 && deviation > 0 && deviation < width/4.5 { // uniform numbers have width/3.46
		round := func(v float64) float64 { return math.Round(v*100) / 100 }
		return Spec{Kind: Gaussian, Min: t.min, Max: t.max, A: round(mean), B: max(round(deviation), 0.01)}
	}
	return Spec{Kind: Uniform, Min: t.min, Max: t.max}
}

func newSpec(kind Kind, low, high int64) Spec {
	s := Spec{Kind: kind, Min: low, Max: high}
	if err := s.shape(nil, 0); err != nil {
		panic("stress: " + err.Error())
	}
	return s
}

// Profile is what a survey makes of its table: a profile that writes such rows,
// and two queries.
func (s *Survey) Profile() (*Profile, error) {
	t := s.table
	p := &Profile{Keyspace: t.Keyspace, Table: t.Name, Insert: defaultInsert()}
	p.Insert.Batch = "UNLOGGED"
	if t.Counter {
		p.Insert.Batch = "COUNTER"
	}
	s.close(-1)
	for i, c := range s.columns {
		collection := c.Type.Kind == types.KindSet || c.Type.Kind == types.KindList
		switch {
		case !Generates(c.Type):
			return nil, fmt.Errorf("cassandra-stress makes no values of the type %s, which the column %s has: copy the table without it and export that one", c.Type, c.Name)
		case collection && c.Type.Frozen:
			return nil, fmt.Errorf("cassandra-stress adds to collections, which the frozen one of the column %s does not allow: copy the table without it and export that one", c.Name)
		}
		p.Columns = append(p.Columns, s.column(i, c))
	}
	where := func(cs []*schema.Column) string {
		var out []string
		for _, c := range cs {
			out = append(out, schema.Quote(c.Name)+" = ?")
		}
		return "SELECT * FROM " + t.String() + " WHERE " + strings.Join(out, " AND ")
	}
	if len(t.Clustering) > 0 {
		p.Queries = append(p.Queries, Query{Name: "partition1", CQL: where(t.Key) + " LIMIT 100", SameRow: true})
	}
	p.Queries = append(p.Queries, Query{Name: "read1", CQL: where(slices.Concat(t.Key, t.Clustering)), SameRow: true})
	return p, nil
}

func (s *Survey) column(i int, c *schema.Column) ColumnSpec {
	out, st := ColumnSpec{Name: c.Name}, &s.stats[i]
	pick := func(t *tally) *Spec {
		spec := t.spec()
		return &spec
	}
	if st.size.count > 0 {
		out.Size = pick(&st.size)
	}
	values := int64(len(st.seen))
	switch {
	case c.Kind == schema.PartitionKey:
		// As many keys as there is place for: a load says by n and its seeds how many it writes.
	case c.Kind == schema.Clustering && bytesOf(c.Type):
		// As many as there is place for, too: values that are drawn twice count once.
	case c.Type.Kind == types.KindSet || c.Type.Kind == types.KindList || c.Type.Kind == types.KindTimeUUID:
	case st.number.count > 0 && c.Kind == schema.Clustering && st.number.max-st.number.min < 2*max(st.below.max, 1):
		// Values that are drawn twice count once: there have to be many more of them than rows.
		out.Population = &Spec{Kind: Uniform, Min: st.number.min, Max: st.number.min + 100*max(st.below.max, 1)}
		if c.Type.Kind == types.KindTinyInt || c.Type.Kind == types.KindSmallInt {
			out.Population = pick(&st.number)
		}
	case st.number.count > 0:
		out.Population = pick(&st.number)
	case values > 0 && values < mostSeen && values*10 < int64(s.Rows)*9:
		out.Population = &Spec{Kind: Uniform, Min: 1, Max: values}
		if values == 1 {
			out.Population = &Spec{Min: 1, Max: 1}
		}
	}
	if c.Kind == schema.Clustering && st.below.count > 0 {
		out.Cluster = pick(&st.below)
	}
	return out
}

// YAML is the profile as a file; comment is a list of lines above it.
func (p *Profile) YAML(comment, watch []string) string {
	var b strings.Builder
	remark := func(lines []string) {
		for _, l := range lines {
			b.WriteString(strings.TrimRight("# "+l, " ") + "\n")
		}
	}
	remark(comment)
	block := func(key, text string) {
		if text == "" {
			return
		}
		fmt.Fprintf(&b, "%s: |\n", key)
		for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
			b.WriteString(strings.TrimRight("  "+line, " ") + "\n")
		}
	}
	fmt.Fprintf(&b, "keyspace: %s\n", quoted(p.Keyspace))
	block("keyspace_definition", p.KeyspaceDefinition)
	fmt.Fprintf(&b, "table: %s\n", quoted(p.Table))
	block("table_definition", p.TableDefinition)
	if len(p.Extra) > 0 {
		b.WriteString("extra_definitions:\n")
		for _, e := range p.Extra {
			fmt.Fprintf(&b, "  - %s\n", quoted(e))
		}
	}
	b.WriteString("columnspec:\n")
	for _, c := range p.Columns {
		fmt.Fprintf(&b, "  - name: %s\n", quoted(c.Name))
		for _, o := range []struct {
			key string
			of  *Spec
		}{{"size", c.Size}, {"population", c.Population}, {"cluster", c.Cluster}} {
			if o.of != nil {
				fmt.Fprintf(&b, "    %s: %s\n", o.key, o.of)
			}
		}
	}
	fmt.Fprintf(&b, "insert:\n  partitions: %s\n  select: %s\n  batchtype: %s\n", p.Insert.Partitions, p.Insert.Select, p.Insert.Batch)
	b.WriteString("queries:\n")
	for _, q := range p.Queries {
		fmt.Fprintf(&b, "  %s:\n    cql: %s\n    fields: %s\n", q.Name, quoted(q.CQL), fields(q))
	}
	remark(watch)
	return b.String()
}

// quoted is a text in single quotes, unless it is a plain word.
func quoted(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !(c >= 'a' && c <= 'z' || c == '_' || i > 0 && c >= '0' && c <= '9') {
			return "'" + strings.ReplaceAll(s, "'", "''") + "'"
		}
	}
	switch s {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return "'" + s + "'"
	}
	return s
}
