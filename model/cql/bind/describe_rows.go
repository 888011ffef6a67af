package bind

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

func (d *describer) row(keyspace, kind, name, create string) {
	d.quotedRow(keyspace, kind, schema.Quote(name), create)
}

func (d *describer) quotedRow(keyspace, kind, name, create string) {
	if !d.out.Create {
		create = ""
	}
	d.out.Rows = append(d.out.Rows, [4]string{schema.Quote(keyspace), kind, name, create})
}

// table shows a table, its indexes and its views.
// Source: Cassandra 5.0 DescribeStatement.getTableElements.
func (d *describer) table(k *schema.Keyspace, t *schema.Table) {
	text := schema.CreateTableText
	if d.internals {
		text = schema.CreateTableInternals
	}
	d.row(t.Keyspace, "table", t.Name, text(t))
	names := make([]string, len(t.Indexes))
	for n, i := range t.Indexes {
		names[n] = i.Name
	}
	for _, name := range shown(names) {
		d.index(t, t.Index(name))
	}
	views := k.Views(t.Name)
	slices.SortStableFunc(views, func(a, b *schema.Table) int { return compareShown(a.Name, b.Name) })
	for _, v := range views {
		d.view(v)
	}
}

func (d *describer) view(t *schema.Table) {
	d.row(t.Keyspace, "materialized_view", t.Name, schema.CreateViewText(t, d.internals))
}

func (d *describer) index(t *schema.Table, i *schema.Index) {
	d.row(t.Keyspace, "index", i.Name, schema.CreateIndexText(t, i))
}

func (d *describer) userType(t *types.Type) {
	d.row(t.Keyspace, "type", t.Name, schema.CreateTypeText(t))
}

// keyspace shows a keyspace and, unless only that is wanted, what is in it.
// Source: Cassandra 5.0 DescribeStatement.getKeyspaceElements.
func (d *describer) keyspace(k *schema.Keyspace, only bool) {
	d.row(k.Name, "keyspace", k.Name, schema.CreateKeyspaceText(k))
	if only {
		return
	}
	for _, t := range k.SortedTypes() {
		d.userType(t)
	}
	d.functions(k, "")
	d.aggregates(k, "")
	for _, name := range shown(k.TableNames()) {
		if t := k.Tables[name]; !t.IsView() {
			d.table(k, t)
		}
	}
}

// functions shows the functions of that name, of every name for "".
func (d *describer) functions(k *schema.Keyspace, name string) {
	for _, s := range shown(slices.Collect(maps.Keys(k.Functions))) {
		if f := k.Functions[s]; name == "" || f.Name == name {
			d.quotedRow(f.Keyspace, "function", schema.QuotedSignature(f.Name, f.Args), schema.CreateFunctionText(f))
		}
	}
}

func (d *describer) aggregates(k *schema.Keyspace, name string) {
	for _, s := range shown(slices.Collect(maps.Keys(k.Aggregates))) {
		if a := k.Aggregates[s]; name == "" || a.Name == name {
			d.quotedRow(a.Keyspace, "aggregate", schema.QuotedSignature(a.Name, a.Args), schema.CreateAggregateText(a))
		}
	}
}

// schema shows all keyspaces of users, and with FULL Cassandra's own.
func (d *describer) schema(full bool) *plan.Describe {
	d.out.Create = true
	names := d.env.Schema.Names()
	if full {
		names = d.env.keyspaceNames()
	}
	for _, name := range shown(names) {
		d.keyspace(d.env.keyspace(name), false)
	}
	return &d.out
}

// shown puts names into the order of descriptions, where the case of letters
// makes no difference. Source: Cassandra 5.0 SchemaElement.NAME_COMPARATOR.
func shown(names []string) []string {
	names = slices.Clone(names)
	slices.SortFunc(names, compareShown)
	return names
}

func compareShown(a, b string) int {
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
}

func (d *describer) keyspaces() *plan.Describe {
	for _, name := range shown(d.env.keyspaceNames()) {
		d.row(name, "keyspace", name, "")
	}
	return &d.out
}

// list runs over the keyspace of USE, or over all.
// Source: Cassandra 5.0 DescribeStatement.Listing.
func (d *describer) list(each func(*schema.Keyspace)) (*plan.Describe, error) {
	if d.env.Keyspace != "" {
		k, err := d.find(d.env.Keyspace)
		if err != nil {
			return nil, err
		}
		each(k)
		return &d.out, nil
	}
	for _, name := range shown(d.env.keyspaceNames()) {
		each(d.env.keyspace(name))
	}
	return &d.out, nil
}

func (d *describer) tableNames(k *schema.Keyspace) {
	for _, name := range shown(k.TableNames()) {
		if !k.Tables[name].IsView() {
			d.row(k.Name, "table", name, "")
		}
	}
}

func (d *describer) typeNames(k *schema.Keyspace) {
	for _, name := range shown(k.TypeNames()) {
		d.row(k.Name, "type", name, "")
	}
}
