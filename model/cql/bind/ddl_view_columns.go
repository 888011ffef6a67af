package bind

import (
	"slices"
	"strings"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// viewBuilder makes the table of a new materialized view.
// Source: Cassandra 5.0 CreateViewStatement.apply.
type viewBuilder struct {
	stmt     *cql.CreateView
	env      *Env
	base     *schema.Table
	selected map[string]bool
}

func (b *viewBuilder) build(attrs []schema.Setting) (*schema.Table, error) {
	for _, check := range []func() error{b.checkSelection, b.checkKey, b.checkOrder, b.checkPrimaryKey, b.checkWhere} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	if err := schema.CheckMemtable(attrs); err != nil {
		return nil, err
	}
	options, err := schema.NewOptions(attrs)
	if err != nil {
		return nil, err
	}
	if err := checkOptions(attrs, options); err != nil {
		return nil, err
	}
	if options.DefaultTTL != 0 {
		return nil, plan.Invalid("Cannot set default_time_to_live for a materialized view. Data in a materialized view always expire " +
			"at the same time than the corresponding data in the parent table.")
	}
	id, err := tableID(b.env, attrs)
	if err != nil {
		return nil, err
	}
	t := &schema.Table{ID: id, Keyspace: b.base.Keyspace, Name: b.stmt.View.Name.Text, Dropped: map[string]schema.Dropped{}, Options: options}
	t.View = &schema.View{Base: b.base.Name, BaseID: b.base.ID, All: len(b.stmt.Selectors) == 0, Where: whereText(b.stmt.Where)}
	b.columns(t)
	t.View.Strict = len(b.keyNames()) > len(b.base.Key)+len(b.base.Clustering)
	return t.Finish(), viewFilter(t, b.base, b.env)
}

// columns gives the view its columns: each has the type of the base's, and its
// order too unless another is asked for.
func (b *viewBuilder) columns(t *schema.Table) {
	add := func(name string, kind schema.Kind, position int) *schema.Column {
		of := b.base.Column(name)
		c := &schema.Column{ID: t.NextID, Name: name, Type: of.Type, Kind: kind, Position: position, Desc: of.Desc}
		t.NextID++
		return c
	}
	for i, n := range b.stmt.PrimaryKey.Partition {
		t.Key = append(t.Key, add(n.Text, schema.PartitionKey, i))
	}
	for i, n := range b.stmt.PrimaryKey.Clustering {
		c := add(n.Text, schema.Clustering, i)
		if len(b.stmt.Clustering) > 0 {
			c.Desc = b.stmt.Clustering[i].Descending
		}
		t.Clustering = append(t.Clustering, c)
	}
	for _, c := range b.base.Columns() {
		if b.selected[c.Name] && !b.inKey(c.Name) {
			t.Regular = append(t.Regular, add(c.Name, schema.Regular, -1))
		}
	}
}

func (b *viewBuilder) keyNames() []cql.Name {
	return slices.Concat(b.stmt.PrimaryKey.Partition, b.stmt.PrimaryKey.Clustering)
}

func (b *viewBuilder) inKey(name string) bool {
	return slices.ContainsFunc(b.keyNames(), func(n cql.Name) bool { return n.Text == name })
}

// checkSelection wants columns by name, none of them static.
func (b *viewBuilder) checkSelection() error {
	b.selected = map[string]bool{}
	var statics []string
	selects := func(c *schema.Column) {
		b.selected[c.Name] = true
		if c.Kind == schema.Static {
			statics = append(statics, c.Name)
		}
	}
	if len(b.stmt.Selectors) == 0 {
		for _, c := range b.base.Columns() {
			selects(c)
		}
	}
	for _, s := range b.stmt.Selectors {
		column, ok := s.Expr.(*cql.SelColumn)
		switch {
		case s.Alias != nil:
			return plan.Invalid("Cannot use aliases when defining a materialized view (got org.apache.cassandra.cql3.selection.RawSelector@0)")
		case !ok:
			return plan.Invalid("Can only select columns by name when defining a materialized view (got %s)", selectorClass(s.Expr))
		}
		c := b.base.Column(column.Name.Text)
		if c == nil {
			return undefinedColumn(b.base, column.Name)
		}
		selects(c)
	}
	if len(statics) > 0 {
		return plan.Invalid("Cannot include static column '%s' in materialized view '%s'", statics[0], b.stmt.View.Name)
	}
	return nil
}

// selectorClass is a selector as the refusal shows it: most have no text of
// their own, and Java's stands for them.
func selectorClass(e cql.Selectable) string {
	name := ""
	switch e.(type) {
	case *cql.SelElement, *cql.SelSlice:
		return e.String()
	case *cql.SelTerm:
		name = "WithTerm"
	case *cql.SelTime:
		name = "WritetimeOrTTL"
	case *cql.SelCast:
		name = "WithCast"
	case *cql.SelTypeHint:
		name = "WithTypeHint"
	case *cql.SelField:
		name = "WithFieldSelection"
	case *cql.SelList:
		name = "WithArrayLiteral"
	case *cql.SelSet:
		name = "WithSet"
	case *cql.SelMap:
		name = "WithMapOrUdt"
	case *cql.SelTuple:
		name = "BetweenParenthesesOrWithTuple"
	default:
		name = "WithFunction"
	}
	return "org.apache.cassandra.cql3.selection.Selectable$" + name + "$Raw@0"
}

func (b *viewBuilder) checkKey() error {
	seen := map[string]bool{}
	for _, n := range b.keyNames() {
		c := b.base.Column(n.Text)
		if c == nil || !b.selected[n.Text] {
			return plan.Invalid("Unknown column '%s' referenced in PRIMARY KEY for materialized view '%s'", n, b.stmt.View.Name)
		}
		switch t := c.Type; {
		case seen[n.Text]:
			return plan.Invalid("Duplicate column '%s' in PRIMARY KEY clause for materialized view '%s'", n, b.stmt.View.Name)
		case t.IsMultiCell() && t.IsCollection():
			return plan.Invalid("Invalid non-frozen collection type '%s' for PRIMARY KEY column '%s'", t.MarshalName(), n)
		case t.IsMultiCell():
			return plan.Invalid("Invalid non-frozen user-defined type '%s' for PRIMARY KEY column '%s'", t.MarshalName(), n)
		case t.ContainsDuration():
			return plan.Invalid("duration type is not supported for PRIMARY KEY column '%s'", n)
		}
		seen[n.Text] = true
	}
	return nil
}

func (b *viewBuilder) checkOrder() error {
	same := slices.EqualFunc(b.stmt.Clustering, b.stmt.PrimaryKey.Clustering, func(o cql.ClusteringOrder, n cql.Name) bool { return o.Column.Text == n.Text })
	if len(b.stmt.Clustering) > 0 && !same {
		return plan.Invalid("Clustering key columns must exactly match columns in CLUSTERING ORDER BY directive")
	}
	return nil
}

// checkPrimaryKey wants the base's primary key, so that no two rows of the base
// become one, and at most one column more.
func (b *viewBuilder) checkPrimaryKey() error {
	var missing, extra []string
	for _, c := range slices.Concat(b.base.Key, b.base.Clustering) {
		if !b.inKey(c.Name) {
			missing = append(missing, c.Name)
		}
	}
	if len(missing) > 0 {
		return plan.Invalid("Cannot create materialized view '%s' without primary key columns %s from base table '%s'",
			b.stmt.View.Name, strings.Join(missing, ", "), b.base.Name)
	}
	for _, n := range b.keyNames() {
		if c := b.base.Column(n.Text); c.Kind != schema.PartitionKey && c.Kind != schema.Clustering {
			extra = append(extra, n.Text)
		}
	}
	if len(extra) > 1 {
		cql.SortByHash(extra)
		return plan.Invalid("Cannot include more than one non-primary key column in materialized view primary key (got %s)", strings.Join(extra, ", "))
	}
	return nil
}

// checkWhere wants a restriction of every column of the primary key and none of
// others but IS NOT NULL.
func (b *viewBuilder) checkWhere() error {
	isKind := func(k cql.RelationKind) bool {
		return slices.ContainsFunc(b.stmt.Where, func(r cql.Relation) bool { return r.Kind == k })
	}
	switch {
	case isKind(cql.TokenRelation):
		return plan.Invalid("Cannot use token relation when defining a materialized view")
	case isKind(cql.CustomRelation):
		return plan.Invalid("WHERE clause for materialized view '%s' cannot contain custom index expressions", b.stmt.View.Name)
	}
	w, notNull, err := viewWhere(b.stmt.Where, b.base, b.env)
	if err != nil {
		return err
	}
	var free []string
	for _, n := range b.keyNames() {
		c := b.base.Column(n.Text)
		if !notNull[n.Text] && w.key.find(c) == nil && w.clustering.find(c) == nil && w.other.find(c) == nil {
			free = append(free, n.Text)
		}
	}
	if len(free) > 0 {
		cql.SortByHash(free)
		return plan.Invalid("Primary key columns %s must be restricted with 'IS NOT NULL' or otherwise", strings.Join(free, ", "))
	}
	if !w.other.empty() {
		return plan.Invalid("Non-primary key columns can only be restricted with 'IS NOT NULL' (got: %s restricted illegally)",
			strings.ReplaceAll(names(w.other.columns), ", ", ","))
	}
	return nil
}
