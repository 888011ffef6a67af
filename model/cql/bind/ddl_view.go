package bind

import (
	"slices"

	"ringlab/model/access"
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// experimental warns whoever makes a materialized view.
const experimental = "Materialized views are experimental and are not recommended for production use."

// createView is CREATE MATERIALIZED VIEW.
// Source: Cassandra 5.0 CreateViewStatement.
func createView(s *cql.CreateView, env *Env) (*plan.SchemaChange, error) {
	attrs, err := checkViewDeclarations(s)
	if err != nil {
		return nil, err
	}
	keyspace, err := keyspaceOf(s.View, env)
	switch in := s.Base.Keyspace.Text; {
	case err != nil:
		return nil, err
	case in != "" && in != keyspace:
		return nil, plan.Invalid("Cannot create a materialized view on a table in a different keyspace")
	case hasMarkers(s.Where):
		return nil, plan.Invalid("Bind variables are not allowed in CREATE MATERIALIZED VIEW statements")
	}
	if err := openView(keyspace); err != nil {
		return nil, err
	}
	if err := env.authorize(access.Alter, access.TableOf(keyspace, s.Base.Name.Text)); err != nil {
		return nil, err
	}
	k, name := env.Schema.Keyspace(keyspace), s.View.Name.Text
	if k == nil {
		return nil, plan.Invalid("Keyspace '%s' doesn't exist", keyspace)
	}
	base, existing := k.Tables[s.Base.Name.Text], k.Tables[name]
	switch {
	case base == nil || base.IsView():
		return nil, plan.Invalid("Base table '%s' doesn't exist", s.Base.Name)
	case base.Compact:
		return nil, plan.Unsupported("materialized views of tables WITH COMPACT STORAGE", "copy the data into a table without it")
	case existing != nil && !existing.IsView():
		return nil, plan.Invalid("Cannot create materialized view '%s' - a table with the same name already exists", name)
	case existing != nil && s.IfNotExists:
		return warned(unchanged(env)), nil
	case existing != nil:
		return nil, plan.Exists(keyspace, name, "Cannot add already existing table \"%s\" to keyspace \"%s\"", name, keyspace)
	case base.Counter:
		return nil, plan.Invalid("Materialized views are not supported on counter tables")
	case base.Options.GCGrace == 0:
		return nil, plan.Invalid("Cannot create materialized view '%s' for base table '%s' with gc_grace_seconds of 0, since this value is "+
			"used to TTL undelivered updates. Setting gc_grace_seconds too low might cause undelivered updates to expire before being replayed.",
			name, base.Name)
	}
	b := viewBuilder{stmt: s, env: env, base: base}
	t, err := b.build(attrs)
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
	return warned(changed(env.Schema.With(next), "CREATED", "TABLE", keyspace, name)), nil
}

func warned(c *plan.SchemaChange) *plan.SchemaChange {
	c.Warnings = append(c.Warnings, experimental)
	return c
}

// mayChangeView asks for what a view needs if there is one: to alter its table.
// Source: Cassandra 5.0 AlterViewStatement.authorize, DropViewStatement.authorize.
func mayChangeView(t *schema.Table, env *Env) error {
	if t == nil || !t.IsView() {
		return nil
	}
	return env.authorize(access.Alter, access.TableOf(t.Keyspace, t.View.Base))
}

// openView refuses changes of Cassandra's own keyspaces.
func openView(keyspace string) error {
	switch {
	case schema.LocalSystem(keyspace):
		return plan.Invalid("System keyspace '%s' is not user-modifiable", keyspace)
	case schema.System(keyspace):
		return plan.Unsupported("views in the keyspace "+keyspace, "create them in a keyspace of your own")
	}
	return checkKeyspaceName(keyspace)
}

// checkViewDeclarations refuses what Cassandra's parser refuses beyond the grammar.
func checkViewDeclarations(s *cql.CreateView) ([]schema.Setting, error) {
	for i, o := range s.Clustering {
		if slices.ContainsFunc(s.Clustering[:i], func(p cql.ClusteringOrder) bool { return p.Column.Text == o.Column.Text }) {
			return nil, plan.Invalid("Duplicate column '%s' in CLUSTERING ORDER BY clause for view '%s'", o.Column, s.View)
		}
	}
	return settings(s.Properties)
}

// hasMarkers finds bind markers in a WHERE clause.
func hasMarkers(relations []cql.Relation) bool {
	isMarker := func(t cql.Term) bool { _, ok := t.(*cql.Marker); return ok }
	return slices.ContainsFunc(relations, func(r cql.Relation) bool {
		return r.InMarker != nil || isMarker(r.Value) || isMarker(r.Key) || slices.ContainsFunc(r.InValues, isMarker)
	})
}

// viewOf finds the view that is to be changed; nil if there is none and that is
// no error.
func viewOf(name cql.QualifiedName, ifExists bool, env *Env) (*schema.Table, error) {
	keyspace, err := keyspaceOf(name, env)
	if err != nil {
		return nil, err
	}
	if err := openView(keyspace); err != nil {
		return nil, err
	}
	t := env.Schema.Table(keyspace, name.Name.Text)
	if err := mayChangeView(t, env); err != nil {
		return nil, err
	}
	switch {
	case t != nil && t.IsView():
		return t, nil
	case ifExists:
		return nil, nil
	}
	return nil, plan.Invalid("Materialized view '%s.%s' doesn't exist", keyspace, name.Name)
}

// alterView is ALTER MATERIALIZED VIEW.
// Source: Cassandra 5.0 AlterViewStatement.
func alterView(s *cql.AlterView, env *Env) (*plan.SchemaChange, error) {
	attrs, err := settings(s.Properties)
	if err != nil {
		return nil, err
	}
	t, err := viewOf(s.View, s.IfExists, env)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return unchanged(env), nil
	}
	fresh, err := schema.NewOptions(attrs)
	if err != nil {
		return nil, err
	}
	if err := checkOptions(attrs, fresh); err != nil {
		return nil, err
	}
	if findSetting(attrs, "id") != nil {
		return nil, plan.Config("Cannot alter table id.")
	}
	options, err := t.Options.With(attrs)
	switch {
	case err != nil:
		return nil, err
	case options.GCGrace == 0:
		return nil, plan.Invalid("Cannot alter gc_grace_seconds of a materialized view to 0, since this value is used to TTL undelivered updates. " +
			"Setting gc_grace_seconds too low might cause undelivered updates to expire before being replayed.")
	case options.DefaultTTL > 0:
		return nil, plan.Invalid("Forbidden default_time_to_live detected for a materialized view. Data in a materialized view always expire " +
			"at the same time than the corresponding data in the parent table. default_time_to_live must be set to zero, see CASSANDRA-12868 for more information")
	case options.Equal(t.Options):
		return unchanged(env), nil
	}
	after := t.Clone()
	after.Options = options
	next := env.Schema.Keyspace(t.Keyspace).Clone()
	next.Tables[t.Name] = after.Finish()
	return changed(env.Schema.With(next), "UPDATED", "TABLE", t.Keyspace, t.Name), nil
}

// dropView is DROP MATERIALIZED VIEW.
// Source: Cassandra 5.0 DropViewStatement.
func dropView(s *cql.DropView, env *Env) (*plan.SchemaChange, error) {
	t, err := viewOf(s.View, s.IfExists, env)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return unchanged(env), nil
	}
	next := env.Schema.Keyspace(t.Keyspace).Clone()
	delete(next.Tables, t.Name)
	return changed(env.Schema.With(next), "DROPPED", "TABLE", t.Keyspace, t.Name), nil
}
