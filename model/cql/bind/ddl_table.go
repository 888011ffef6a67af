package bind

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"ringlab/model/access"
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// createTable is CREATE TABLE.
// Source: Cassandra 5.0 CreateTableStatement.
func createTable(s *cql.CreateTable, env *Env) (*plan.SchemaChange, error) {
	attrs, err := checkDeclarations(s)
	if err != nil {
		return nil, err
	}
	keyspace, err := keyspaceOf(s.Table, env)
	if err != nil {
		return nil, err
	}
	if len(s.PrimaryKeys) == 0 {
		return nil, noPrimaryKey(s)
	}
	if err := env.authorize(access.Create, access.TablesOf(keyspace)); err != nil {
		return nil, err
	}
	options, err := newTableOptions(s, attrs)
	if err != nil {
		return nil, err
	}
	if err := checkKeyspaceName(keyspace); err != nil {
		return nil, err
	}
	k, name := env.Schema.Keyspace(keyspace), s.Table.Name.Text
	switch {
	case k == nil:
		return nil, plan.Invalid("Keyspace '%s' doesn't exist", keyspace)
	case k.Tables[name] != nil && k.Tables[name].IsView():
		return nil, &plan.Error{Code: plan.ServerError, Message: "java.lang.RuntimeException: javax.management.InstanceAlreadyExistsException: " +
			"org.apache.cassandra.db:type=Tables,keyspace=" + keyspace + ",table=" + name}
	case k.Tables[name] != nil && s.IfNotExists:
		return unchanged(env), nil
	case k.Tables[name] != nil:
		return nil, plan.Exists(keyspace, name, "Cannot add already existing table \"%s\" to keyspace \"%s\"", name, keyspace)
	}
	if err := checkOptions(attrs, options); err != nil {
		return nil, err
	}
	b := tableBuilder{stmt: s, options: options, keyspace: k, types: map[string]*types.Type{}, static: map[string]bool{}, reversed: map[string]bool{}, counters: map[string]bool{}}
	t, err := b.build(env, attrs)
	if err != nil {
		return nil, err
	}
	if err := validateTable(t); err != nil {
		return nil, err
	}
	if err := checkID(t, attrs, env); err != nil {
		return nil, err
	}
	next := k.Clone()
	next.Tables[name] = t
	return changed(env.Schema.With(next), "CREATED", "TABLE", keyspace, name), nil
}

// dropTable is DROP TABLE.
// Source: Cassandra 5.0 DropTableStatement.
func dropTable(s *cql.DropTable, env *Env) (*plan.SchemaChange, error) {
	keyspace, err := keyspaceOf(s.Table, env)
	if err != nil {
		return nil, err
	}
	name := s.Table.Name.Text
	if err := env.authorize(access.Drop, access.TableOf(keyspace, name)); err != nil {
		return nil, err
	}
	if err := checkKeyspaceName(keyspace); err != nil {
		return nil, err
	}
	t, k := env.Schema.Table(keyspace, name), env.Schema.Keyspace(keyspace)
	switch {
	case t == nil && s.IfExists:
		return unchanged(env), nil
	case t == nil:
		return nil, plan.Invalid("Table '%s.%s' doesn't exist", keyspace, name)
	case t.IsView():
		return nil, plan.Invalid("Cannot use DROP TABLE on a materialized view. Please use DROP MATERIALIZED VIEW instead.")
	case len(k.Views(name)) > 0:
		return nil, plan.Invalid("Cannot drop a table when materialized views still depend on it (%s)", keyspace)
	}
	next := k.Clone()
	delete(next.Tables, name)
	return changed(env.Schema.With(next), "DROPPED", "TABLE", keyspace, name), nil
}

// checkDeclarations refuses what Cassandra's parser refuses beyond the grammar,
// in the order of the text.
// Source: Cassandra 5.0 CreateTableStatement.Raw.
func checkDeclarations(s *cql.CreateTable) ([]schema.Setting, error) {
	type declaration struct {
		at   int
		name string // "" for a primary key
	}
	var all []declaration
	for _, c := range s.Columns {
		all = append(all, declaration{c.Name.Pos.Offset, c.Name.Text})
	}
	for _, k := range s.PrimaryKeys {
		all = append(all, declaration{k.Pos.Offset, ""})
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].at < all[j].at })
	seen := map[string]bool{}
	for _, d := range all {
		switch {
		case seen[d.name] && d.name == "":
			return nil, plan.Invalid("Multiple PRIMARY KEY specified for table '%s' (exactly one required)", s.Table)
		case seen[d.name]:
			return nil, plan.Invalid("Duplicate column '%s' declaration for table '%s'", d.name, s.Table)
		}
		seen[d.name] = true
	}
	ordered := map[string]bool{}
	for _, o := range s.Clustering {
		if ordered[o.Column.Text] {
			return nil, plan.Invalid("Duplicate column '%s' in CLUSTERING ORDER BY clause for table '%s'", o.Column, s.Table)
		}
		ordered[o.Column.Text] = true
	}
	for _, c := range s.Columns {
		if err := checkFrozen(c.Type); err != nil {
			return nil, err
		}
	}
	return settings(s.Properties)
}

const maskingOff = "Cannot mask columns because dynamic data masking is not enabled. " +
	"You can enable it with the dynamic_data_masking_enabled property on cassandra.yaml"

func newTableOptions(s *cql.CreateTable, attrs []schema.Setting) (schema.Options, error) {
	if err := schema.CheckMemtable(attrs); err != nil {
		return schema.Options{}, err
	}
	options, err := schema.NewOptions(attrs)
	if err == nil && slices.ContainsFunc(s.Columns, func(c cql.ColumnDef) bool { return c.Mask != nil }) {
		err = plan.Invalid(maskingOff)
	}
	return options, err
}

// checkOptions refuses unknown properties and values out of bounds.
// Source: Cassandra 5.0 TableAttributes.validate.
func checkOptions(attrs []schema.Setting, options schema.Options) error {
	if err := schema.CheckNames(attrs); err != nil {
		return err
	}
	return options.Check()
}

// tableID is the ID that WITH id gives, or a new one.
func tableID(env *Env, attrs []schema.Setting) (uuid.UUID, error) {
	s := findSetting(attrs, "id")
	if s == nil {
		return env.NewID(), nil
	}
	if s.IsMap {
		return uuid.UUID{}, plan.Syntax("Invalid value for property 'id'. It should be a string")
	}
	id, ok := lenientUUID(s.Text)
	if !ok {
		return id, plan.Config("Invalid table id")
	}
	return id, nil
}

// lenientUUID reads a UUID whose five parts may be shorter than they should be, or
// longer: of those the last digits count.
// Source: java.util.UUID.fromString.
func lenientUUID(text string) (id uuid.UUID, ok bool) {
	parts := strings.Split(text, "-")
	if len(text) > 36 || len(parts) != 5 {
		return id, false
	}
	at := 0
	for i, size := range [...]int{4, 2, 2, 2, 6} {
		n, err := strconv.ParseInt(parts[i], 16, 64)
		if err != nil || n < 0 {
			return id, false
		}
		for b := size - 1; b >= 0; b-- {
			id[at+b] = byte(n)
			n >>= 8
		}
		at += size
	}
	return id, true
}

// checkID refuses a new table or view that is given the ID of another one, on which
// Cassandra stumbles: in the same keyspace a new table counts before its views.
// Source: Cassandra 5.0 Tables.Builder.build, Keyspaces.Builder.build.
func checkID(t *schema.Table, attrs []schema.Setting, env *Env) error {
	if findSetting(attrs, "id") == nil {
		return nil
	}
	for _, keyspace := range env.Schema.Names() {
		k := env.Schema.Keyspace(keyspace)
		if schema.LocalSystem(keyspace) {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(k.Tables)) {
			have := k.Tables[name]
			if have.ID != t.ID {
				continue
			}
			later, earlier := t, have
			if keyspace == t.Keyspace && have.IsView() && !t.IsView() {
				later, earlier = have, t
			}
			return plan.Fault(fmt.Sprintf("java.lang.IllegalArgumentException: Multiple entries with same key: %s=%s and %s=%s", t.ID, later, t.ID, earlier))
		}
	}
	return nil
}

// maxTableName is what fits into a directory's name of 255 characters beside the
// table's ID. Cassandra 5.0 takes longer ones and fails with a server error.
const maxTableName = 222

// validateTable is the last check of a new or altered table.
// Source: Cassandra 5.0 TableMetadata.validate.
func validateTable(t *schema.Table) error {
	where := t.Keyspace + "." + t.Name
	if !schema.ValidTableName(t.Name) {
		return plan.Config("%s: Table name must not be empty, more than 48 characters long, "+
			"or contain non-alphanumeric-underscore characters (got \"%s\")", where, t.Name)
	}
	if len(t.Name) > maxTableName {
		return plan.Unsupported(fmt.Sprintf("table names of more than %d characters", maxTableName), "Cassandra 5.0 fails to make directories for them, so choose a shorter one")
	}
	for _, c := range t.CreateOrder() {
		switch {
		case c.Kind == schema.PartitionKey || c.Kind == schema.Clustering:
		case t.Counter && !c.Type.IsCounter():
			return plan.Config("%s: Cannot have a non counter column (\"%s\") in a counter table", where, c.Name)
		case !t.Counter && c.Type.IsCounter():
			return plan.Config("%s: Cannot have a counter column (\"%s\") in a non counter table", where, c.Name)
		}
	}
	return nil
}
