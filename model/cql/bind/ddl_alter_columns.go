package bind

import (
	"slices"
	"strconv"
	"strings"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// add is ADD of one or more columns.
// Source: Cassandra 5.0 AlterTableStatement.AddColumns.
func (a *alteration) add() error {
	r := typeResolver{keyspace: a.keyspace.Name, known: a.keyspace}
	for _, c := range a.stmt.Columns {
		t, err := r.resolve(c.Type, false)
		if err != nil {
			return err
		}
		switch {
		case a.exists(c.Name.Text) && !a.stmt.IfColumn:
			return plan.Invalid("Column with name '%s' already exists", c.Name)
		case a.exists(c.Name.Text):
			continue
		case a.before.Compact && (len(a.before.Clustering) > 0 || !a.env.Classic):
			return plan.Invalid("Cannot add new column to a COMPACT STORAGE table")
		case c.Static && len(a.before.Clustering) == 0:
			return plan.Invalid("Static columns are only useful (and thus allowed) if the table has at least one clustering column")
		case a.before.Compact && t.IsMultiCell():
			return plan.Invalid("Cannot use non-frozen collections with COMPACT STORAGE column %s", c.Name)
		case nestsMultiCell(t):
			return plan.Invalid("Non-frozen UDTs with nested non-frozen collections are not supported for column %s", c.Name)
		}
		if err := a.addColumn(c, t); err != nil {
			return err
		}
	}
	return validateTable(a.after)
}

func (a *alteration) exists(name string) bool {
	return slices.ContainsFunc(a.after.Columns(), func(c *schema.Column) bool { return c.Name == name })
}

// addColumn gives a column that existed before its old ID back, so that cells
// written after the drop count again.
func (a *alteration) addColumn(def cql.ColumnDef, t *types.Type) error {
	c := &schema.Column{ID: a.after.NextID, Name: def.Name.Text, Type: t, Kind: schema.Regular, Position: -1}
	if def.Static {
		c.Kind = schema.Static
	}
	if dropped, again := a.before.Dropped[c.Name]; again {
		old := dropped.Column
		switch {
		case !serializationCompatible(t, old.Type):
			return plan.Invalid("Cannot re-add previously dropped column '%s' of type %s, incompatible with previous type %s",
				c.Name, t, old.Type)
		case old.Kind != c.Kind:
			return plan.Invalid("Cannot re-add previously dropped column '%s' of kind %s, incompatible with previous kind %s",
				c.Name, strings.ToUpper(c.Kind.String()), strings.ToUpper(old.Kind.String()))
		case a.before.Counter:
			return plan.Invalid("Cannot re-add previously dropped counter column %s", c.Name)
		}
		c.ID = old.ID
	} else {
		a.after.NextID++
	}
	if def.Static {
		a.after.Static = append(a.after.Static, c)
	} else {
		a.after.Regular = append(a.after.Regular, c)
	}
	a.changed = true
	return nil
}

// drop is DROP of one or more columns.
// Source: Cassandra 5.0 AlterTableStatement.DropColumns.
func (a *alteration) drop() error {
	at, err := a.dropTime()
	if err != nil {
		return err
	}
	for _, name := range byHash(a.stmt.Dropped, func(n cql.Name) cql.Name { return n }) {
		c := a.before.Column(name.Text)
		switch {
		case c == nil && a.stmt.IfColumn:
			continue
		case a.before.Compact && a.env.Classic:
			return plan.Invalid("Cannot drop columns from a COMPACT STORAGE table")
		case c == nil:
			return plan.Invalid("Column %s was not found in table '%s'", name, a.before)
		case c.Kind == schema.PartitionKey || c.Kind == schema.Clustering:
			return plan.Invalid("Cannot drop PRIMARY KEY column %s", name)
		case a.before.Compact && !a.before.Family.Static(): // its only column
			return plan.Fault("java.lang.IndexOutOfBoundsException: 0 not in range [0..0)")
		case a.before.Compact:
			return plan.Unsupported("dropping columns of a table WITH COMPACT STORAGE", "copy what is left into a table without it")
		case c.Type.Kind == types.KindUDT && c.Type.IsMultiCell():
			return plan.Invalid("Cannot drop non-frozen column %s of user type %s", name, c.Type)
		case len(a.before.IndexesOn(c.Name)) > 0:
			return plan.Invalid("Cannot drop column %s because it has dependent secondary indexes (%s)", name, a.indexesOn(c))
		case len(a.keyspace.Views(a.before.Name)) > 0:
			return plan.Invalid("Cannot drop column %s on base table %s with materialized views", name, a.before.Name)
		}
		gone := func(o *schema.Column) bool { return o.Name == c.Name }
		a.after.Static = slices.DeleteFunc(a.after.Static, gone)
		a.after.Regular = slices.DeleteFunc(a.after.Regular, gone)
		old := *c
		old.Type = schema.Expand(c.Type)
		a.after.Dropped[c.Name] = schema.Dropped{Column: &old, At: at}
		a.changed = true
	}
	return nil
}

// dropTime is that of USING TIMESTAMP, else the coordinator's clock.
func (a *alteration) dropTime() (int64, error) {
	c := a.stmt.Timestamp
	switch {
	case c != nil:
		at, err := strconv.ParseInt(c.Text, 10, 64)
		if err != nil {
			return 0, plan.Syntax(`Failed parsing statement: reason: NumberFormatException For input string: "%s"`, c.Text)
		}
		return at, nil
	case a.env.Now != nil:
		return a.env.Now(), nil
	}
	return 0, nil
}

// rename is RENAME of primary key columns.
// Source: Cassandra 5.0 AlterTableStatement.RenameColumns.
func (a *alteration) rename() error {
	for _, r := range byHash(a.stmt.Renames, func(r cql.Rename) cql.Name { return r.From }) {
		c := a.before.Column(r.From.Text)
		switch {
		case c == nil: // IF EXISTS makes no difference here
			return plan.Invalid("Undefined column name %s in table %s", r.From.CQL(), a.before)
		case c.Kind != schema.PartitionKey && c.Kind != schema.Clustering && (!a.before.Compact || len(a.before.Clustering) == 0 || !a.env.Classic):
			return plan.Invalid("Cannot rename non PRIMARY KEY column %s", r.From)
		case a.before.Column(r.To.Text) != nil || a.exists(r.To.Text):
			return plan.Invalid("Cannot rename column %s to %s in table '%s'; another column with that name already exists",
				r.From, r.To, a.before)
		case len(a.before.IndexesOn(c.Name)) > 0:
			return plan.Invalid("Can't rename column %s because it has dependent secondary indexes (%s)", r.From, a.indexesOn(c))
		}
		renamed := *c
		renamed.Name = r.To.Text
		switch c.Kind {
		case schema.PartitionKey:
			a.after.Key[c.Position] = &renamed
		case schema.Clustering:
			a.after.Clustering[c.Position] = &renamed
		default:
			a.after.Regular[0] = &renamed
		}
		if a.renamed == nil {
			a.renamed = map[string]string{}
		}
		a.renamed[c.Name], a.changed = r.To.Text, true
	}
	return nil
}

// indexesOn names the indexes of a column. Cassandra's order is that of hashes,
// which differ from run to run; here it is that of names.
func (a *alteration) indexesOn(c *schema.Column) string {
	var names []string
	for _, i := range a.before.IndexesOn(c.Name) {
		names = append(names, i.Name)
	}
	return strings.Join(names, ", ")
}

// byHash gives items in the order of their names in Java's hash maps, which the
// parser collects them in.
func byHash[T any](items []T, name func(T) cql.Name) []T {
	at, names := map[string]T{}, make([]string, 0, len(items))
	for _, i := range items {
		n := name(i).Text
		if _, twice := at[n]; !twice {
			names = append(names, n)
		}
		at[n] = i
	}
	cql.SortByHash(names)
	out := make([]T, len(names))
	for i, n := range names {
		out[i] = at[n]
	}
	return out
}
