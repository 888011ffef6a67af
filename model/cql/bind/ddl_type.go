package bind

import (
	"slices"
	"strings"

	"ringlab/model/access"
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// createType is CREATE TYPE.
// Source: Cassandra 5.0 CreateTypeStatement.
func createType(s *cql.CreateType, env *Env) (*plan.SchemaChange, error) {
	keyspace, err := openType(access.Create, s.Type, s.Fields, env)
	if err != nil {
		return nil, err
	}
	k, name := env.Schema.Keyspace(keyspace), s.Type.Name.Text
	switch {
	case k == nil:
		return nil, plan.Invalid("Keyspace '%s' doesn't exist", keyspace)
	case k.Types[name] != nil && s.IfNotExists:
		return unchanged(env), nil
	case k.Types[name] != nil:
		return nil, plan.Invalid("A user type with name '%s' already exists", name)
	}
	var names []string
	seen := map[string]bool{}
	for _, f := range s.Fields {
		if seen[f.Name.Text] {
			return nil, plan.Invalid("Duplicate field name '%s' in type '%s'", f.Name, name)
		}
		seen[f.Name.Text] = true
		names = append(names, f.Name.Text)
	}
	for _, f := range s.Fields {
		if err := checkField(f.Type); err != nil {
			return nil, err
		}
	}
	fields := make([]*types.Type, len(s.Fields))
	r := typeResolver{keyspace: keyspace, known: k}
	for i, f := range s.Fields {
		if fields[i], err = r.resolve(f.Type, false); err != nil {
			return nil, err
		}
	}
	next := k.Clone()
	next.Types[name] = types.UDTOf(keyspace, name, names, fields)
	return changed(env.Schema.With(next), "CREATED", "TYPE", keyspace, name), nil
}

// openType are the steps that all statements on user types begin with.
func openType(permission access.Permission, q cql.QualifiedName, fields []cql.ColumnDef, env *Env) (keyspace string, err error) {
	if err := checkTypeName(q.Name); err != nil {
		return "", err
	}
	for _, f := range fields {
		if err := checkFrozen(f.Type); err != nil {
			return "", err
		}
	}
	if keyspace, err = keyspaceOf(q, env); err != nil {
		return "", err
	}
	if err := env.authorize(permission, access.TablesOf(keyspace)); err != nil {
		return "", err
	}
	return keyspace, checkKeyspaceName(keyspace)
}

func checkField(t cql.TypeExpr) error {
	switch {
	case isNative(t, "counter"):
		return plan.Invalid("A user type cannot contain counters")
	case t.Kind == cql.UserType && !t.Frozen:
		return plan.Invalid("A user type cannot contain non-frozen UDTs")
	}
	return nil
}

// alterType is ALTER TYPE.
// Source: Cassandra 5.0 AlterTypeStatement.
func alterType(s *cql.AlterType, env *Env) (*plan.SchemaChange, error) {
	var fields []cql.ColumnDef
	if s.Kind == cql.AlterAdd {
		fields = []cql.ColumnDef{s.Field}
	}
	keyspace, err := openType(access.Alter, s.Type, fields, env)
	if err != nil {
		return nil, err
	}
	name := s.Type.Name.Text
	k := env.Schema.Keyspace(keyspace)
	var t *types.Type
	if k != nil {
		t = k.Types[name]
	}
	switch {
	case t == nil && s.IfExists:
		return unchanged(env), nil
	case t == nil:
		return nil, plan.Invalid("Type %s.%s doesn't exist", keyspace, name)
	}
	for _, f := range fields {
		if err := checkField(f.Type); err != nil {
			return nil, err
		}
	}
	after := t
	switch s.Kind {
	case cql.AlterAdd:
		after, err = addField(s, k, t)
	case cql.AlterRename:
		after, err = renameFields(s, t)
	default:
		err = plan.Invalid("Altering field types is no longer supported")
	}
	switch {
	case err != nil:
		return nil, err
	case after.Equal(t):
		return unchanged(env), nil
	}
	return changed(env.Schema.With(k.WithType(after)), "UPDATED", "TYPE", keyspace, name), nil
}

func addField(s *cql.AlterType, k *schema.Keyspace, t *types.Type) (*types.Type, error) {
	field := s.Field.Name.Text
	switch {
	case t.Field(field) >= 0 && s.IfField:
		return t, nil
	case t.Field(field) >= 0:
		return nil, plan.Invalid("Cannot add field %s to type %s: a field with name %s already exists", field, schema.TypeName(t), field)
	}
	added, err := typeResolver{keyspace: k.Name, known: k}.resolve(s.Field.Type, false)
	if err != nil {
		return nil, err
	}
	if added.ReferencesUDT(t.Keyspace, t.Name) {
		return nil, plan.Invalid("Cannot add new field %s of type %s to user type %s as it would create a circular reference",
			field, writtenIn(s.Field.Type, k.Name), schema.TypeName(t))
	}
	if tables := keyedBy(k, t); len(tables) > 0 {
		return nil, plan.Invalid("Cannot add new field %s of type %s to user type %s as the type is being used in partition key "+
			"by the following tables: %s", field, writtenIn(s.Field.Type, k.Name), schema.TypeName(t), strings.Join(tables, ", "))
	}
	names := append(slices.Clone(t.Names), field)
	return types.UDTOf(t.Keyspace, t.Name, names, append(slices.Clone(t.Elems), added)), nil
}

// writtenIn is a type as it was written, with the keyspace of its user types.
// Source: Cassandra 5.0 CQL3Type.Raw.RawUT.prepare.
func writtenIn(t cql.TypeExpr, keyspace string) string {
	var qualify func(t cql.TypeExpr) cql.TypeExpr
	qualify = func(t cql.TypeExpr) cql.TypeExpr {
		if t.Kind == cql.UserType {
			t.Keyspace = cql.Name{Text: keyspace}
		}
		args := make([]cql.TypeExpr, len(t.Args))
		for i, a := range t.Args {
			args[i] = qualify(a)
		}
		t.Args = args
		return t
	}
	return typeText(qualify(t))
}

// keyedBy are the tables with the type in their partition key.
func keyedBy(k *schema.Keyspace, t *types.Type) []string {
	var tables []string
	for _, name := range k.TableNames() {
		table := k.Tables[name]
		if slices.ContainsFunc(table.Key, func(c *schema.Column) bool { return c.Type.ReferencesUDT(t.Keyspace, t.Name) }) {
			tables = append(tables, table.String())
		}
	}
	return tables
}

func renameFields(s *cql.AlterType, t *types.Type) (*types.Type, error) {
	names := slices.Clone(t.Names)
	for _, r := range s.Renames {
		i := t.Field(r.From.Text)
		switch {
		case i < 0 && s.IfField:
			continue
		case i < 0:
			return nil, plan.Invalid("Unkown field %s in user type %s", r.From, schema.TypeName(t))
		}
		names[i] = r.To.Text
	}
	for i, n := range names {
		if slices.Contains(names[i+1:], n) { // Cassandra names the keyspace here
			return nil, plan.Invalid("Duplicate field name %s in type %s", n, t.Keyspace)
		}
	}
	return types.UDTOf(t.Keyspace, t.Name, names, t.Elems), nil
}

// dropType is DROP TYPE.
// Source: Cassandra 5.0 DropTypeStatement.
func dropType(s *cql.DropType, env *Env) (*plan.SchemaChange, error) {
	keyspace, err := openType(access.Drop, s.Type, nil, env)
	if err != nil {
		return nil, err
	}
	k, name := env.Schema.Keyspace(keyspace), s.Type.Name.Text
	switch {
	case (k == nil || k.Types[name] == nil) && s.IfExists:
		return unchanged(env), nil
	case k == nil || k.Types[name] == nil:
		return nil, plan.Invalid("Type '%s.%s' doesn't exist", keyspace, name)
	}
	var users []string
	for _, f := range k.FunctionsUsing(name) {
		users = append(users, f.Keyspace+"."+f.Name)
	}
	if len(users) > 0 {
		return nil, plan.Invalid("Cannot drop user type '%s.%s' as it is still used by functions %s", keyspace, name, strings.Join(users, ", "))
	}
	for _, n := range k.TypeNames() {
		if n != name && k.Types[n].ReferencesUDT(keyspace, name) {
			users = append(users, n)
		}
	}
	if len(users) > 0 {
		return nil, plan.Invalid("Cannot drop user type '%s.%s' as it is still used by user types %s", keyspace, name, strings.Join(users, ", "))
	}
	for _, n := range k.TableNames() {
		if t := k.Tables[n]; !t.IsView() && t.ReferencesType(keyspace, name) {
			users = append(users, n)
		}
	}
	if len(users) > 0 {
		return nil, plan.Invalid("Cannot drop user type '%s.%s' as it is still used by tables %s", keyspace, name, strings.Join(users, ", "))
	}
	next := k.Clone()
	delete(next.Types, name)
	return changed(env.Schema.With(next), "DROPPED", "TYPE", keyspace, name), nil
}
