package bind

import (
	"slices"
	"strings"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// tableBuilder makes the columns of a new table.
// Source: Cassandra 5.0 CreateTableStatement.builder.
type tableBuilder struct {
	stmt     *cql.CreateTable
	options  schema.Options
	keyspace *schema.Keyspace
	types    map[string]*types.Type
	static   map[string]bool
	reversed map[string]bool // those whose class is ReversedType
	counters map[string]bool // those that are written as counter, not as its class
	rest     []string        // columns outside the primary key, in order of name
}

func (b *tableBuilder) build(env *Env, attrs []schema.Setting) (*schema.Table, error) {
	for _, check := range []func() error{b.resolveColumns, b.checkKey, b.checkOrder, b.checkStorage, b.checkCounters} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	id, err := tableID(env, attrs)
	if err != nil {
		return nil, err
	}
	t := &schema.Table{ID: id, Keyspace: b.keyspace.Name, Name: b.stmt.Table.Name.Text, Dropped: map[string]schema.Dropped{},
		Options: b.options, Counter: b.hasCounters()}
	add := func(name string, kind schema.Kind, position int) *schema.Column {
		c := &schema.Column{ID: t.NextID, Name: name, Type: b.types[name], Kind: kind, Position: position}
		t.NextID++
		return c
	}
	key := b.stmt.PrimaryKeys[0]
	for i, n := range key.Partition {
		t.Key = append(t.Key, add(n.Text, schema.PartitionKey, i))
	}
	for i, n := range key.Clustering {
		c := add(n.Text, schema.Clustering, i)
		c.Desc = b.descending(n.Text)
		t.Clustering = append(t.Clustering, c)
	}
	for _, n := range b.rest {
		if b.static[n] {
			t.Static = append(t.Static, add(n, schema.Static, -1))
		} else {
			t.Regular = append(t.Regular, add(n, schema.Regular, -1))
		}
	}
	if b.stmt.CompactStorage {
		return compact(t.Finish(), env.Classic), nil
	}
	return t.Finish(), nil
}

func (b *tableBuilder) resolveColumns() error {
	r := typeResolver{keyspace: b.keyspace.Name, known: b.keyspace}
	written, names := map[string]cql.ColumnDef{}, make([]string, len(b.stmt.Columns))
	for i, c := range b.stmt.Columns {
		written[c.Name.Text], names[i] = c, c.Name.Text
	}
	cql.SortByHash(names) // that of a map of the parser
	for _, n := range names {
		t, err := r.resolve(written[n].Type, false)
		if err != nil {
			return err
		}
		b.types[n] = t
		if b.reversed[n] = isReversed(written[n].Type); b.reversed[n] && !b.clusters(n) {
			return plan.Unsupported("ReversedType outside of clustering columns", "Cassandra 5.0 takes it and cannot read its schema from then on, so leave it out")
		}
		b.counters[n] = t.IsCounter() && written[n].Type.Kind == cql.NativeType
		b.static[n] = written[n].Static
	}
	for _, c := range b.stmt.Columns {
		if nestsMultiCell(b.types[c.Name.Text]) {
			return plan.Invalid("Non-frozen UDTs with nested non-frozen collections are not supported")
		}
	}
	return nil
}

// isReversed says whether a type is written as the class ReversedType.
func isReversed(t cql.TypeExpr) bool {
	c, err := types.ParseMarshal(t.Name.Text)
	if t.Kind != cql.CustomType || err != nil {
		return false
	}
	_, reversed := c.Base()
	return reversed
}

// clusters says whether a column is a clustering column.
func (b *tableBuilder) clusters(name string) bool {
	return slices.ContainsFunc(b.stmt.PrimaryKeys, func(k cql.PrimaryKey) bool {
		return slices.ContainsFunc(k.Clustering, func(c cql.Name) bool { return c.Text == name })
	})
}

// nestsMultiCell finds a user type of many cells with a field of many cells.
func nestsMultiCell(t *types.Type) bool {
	return t.Kind == types.KindUDT && t.IsMultiCell() && slices.ContainsFunc(t.Elems, (*types.Type).IsMultiCell)
}

func (b *tableBuilder) keyNames() []cql.Name {
	key := b.stmt.PrimaryKeys[0]
	return slices.Concat(key.Partition, key.Clustering)
}

func (b *tableBuilder) checkKey() error {
	table := b.stmt.Table.Name.Text
	seen := map[string]bool{}
	for _, n := range b.keyNames() {
		t := b.types[n.Text]
		switch {
		case t == nil:
			return plan.Invalid("Unknown column '%s' referenced in PRIMARY KEY for table '%s'", n, table)
		case seen[n.Text]:
			return plan.Invalid("Duplicate column '%s' in PRIMARY KEY clause for table '%s'", n, table)
		case t.IsMultiCell() && t.IsCollection():
			return plan.Invalid("Invalid non-frozen collection type %s for PRIMARY KEY column '%s'", t, n)
		case t.IsMultiCell(): // the name has a dot, so Cassandra quotes it as one
			return plan.Invalid("Invalid non-frozen user-defined type %s for PRIMARY KEY column '%s'",
				schema.Quote(t.Keyspace+"."+t.Name), n)
		case t.IsCounter():
			return plan.Invalid("counter type is not supported for PRIMARY KEY column '%s'", n)
		case t.ContainsDuration():
			return plan.Invalid("duration type is not supported for PRIMARY KEY column '%s'", n)
		case b.static[n.Text]:
			return plan.Invalid("Static column '%s' cannot be part of the PRIMARY KEY", n)
		}
		seen[n.Text] = true
	}
	for _, c := range b.stmt.Columns {
		if !seen[c.Name.Text] {
			b.rest = append(b.rest, c.Name.Text)
		}
	}
	slices.Sort(b.rest)
	return nil
}

func (b *tableBuilder) checkOrder() error {
	clustering := b.stmt.PrimaryKeys[0].Clustering
	isClustering := func(name string) bool {
		return slices.ContainsFunc(clustering, func(n cql.Name) bool { return n.Text == name })
	}
	var strange []string
	ordered := map[string]bool{}
	for _, o := range b.stmt.Clustering {
		ordered[o.Column.Text] = true
		if !isClustering(o.Column.Text) {
			strange = append(strange, o.Column.Text)
		}
	}
	if len(strange) > 0 {
		return plan.Invalid("Only clustering key columns can be defined in CLUSTERING ORDER directive: [%s] are not clustering columns",
			strings.Join(strange, ", "))
	}
	for i, o := range b.stmt.Clustering {
		switch c := clustering[i]; {
		case c.Text == o.Column.Text:
		case ordered[c.Text]:
			return plan.Invalid("The order of columns in the CLUSTERING ORDER directive must match that of the clustering columns "+
				"(%s must appear before %s)", c, o.Column)
		default:
			return plan.Invalid("Missing CLUSTERING ORDER for column %s", c)
		}
	}
	return nil
}

func (b *tableBuilder) descending(name string) bool {
	return b.reversed[name] || slices.ContainsFunc(b.stmt.Clustering, func(o cql.ClusteringOrder) bool { return o.Column.Text == name && o.Descending })
}

// checkStorage refuses static columns without clustering, and columns that COMPACT
// STORAGE cannot hold.
// Source: Cassandra 5.0 CreateTableStatement.validateCompactTable.
func (b *tableBuilder) checkStorage() error {
	clustering := b.stmt.PrimaryKeys[0].Clustering
	static := slices.ContainsFunc(b.rest, func(n string) bool { return b.static[n] })
	switch {
	case !b.stmt.CompactStorage && static && len(clustering) == 0:
		return plan.Invalid("Static columns are only useful (and thus allowed) if the table has at least one clustering column")
	case !b.stmt.CompactStorage:
		return nil
	case slices.ContainsFunc(b.rest, func(n string) bool { return b.types[n].IsMultiCell() }):
		return plan.Invalid("Non-frozen collections and UDTs are not supported with COMPACT STORAGE")
	case static:
		return plan.Invalid("Static columns are not supported in COMPACT STORAGE tables")
	case len(clustering) == 0 && len(b.rest) == 0:
		return plan.Invalid("No definition found that is not part of the PRIMARY KEY")
	case len(clustering) > 0 && len(b.rest) > 1:
		return plan.Invalid("COMPACT STORAGE with composite PRIMARY KEY allows no more than one column not part of the PRIMARY KEY (got: %s)",
			strings.Join(b.rest, ", "))
	}
	return nil
}

func (b *tableBuilder) hasCounters() bool {
	return slices.ContainsFunc(b.rest, func(n string) bool { return b.counters[n] })
}

func (b *tableBuilder) checkCounters() error {
	switch {
	case !b.hasCounters():
		return nil
	case slices.ContainsFunc(b.rest, func(n string) bool { return !b.types[n].IsCounter() }):
		return plan.Invalid("Cannot mix counter and non counter columns in the same table")
	case b.options.DefaultTTL > 0:
		return plan.Invalid("Cannot set default_time_to_live on a table with counters")
	}
	return nil
}
