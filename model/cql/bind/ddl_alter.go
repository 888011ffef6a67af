package bind

import (
	"ringlab/model/access"
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// alterTable is ALTER TABLE.
// Source: Cassandra 5.0 AlterTableStatement.
func alterTable(s *cql.AlterTable, env *Env) (*plan.SchemaChange, error) {
	attrs, err := settings(s.Properties)
	if err != nil {
		return nil, err
	}
	for _, c := range s.Columns {
		if err := checkFrozen(c.Type); err != nil && s.Kind == cql.AlterAdd {
			return nil, err
		}
	}
	keyspace, err := keyspaceOf(s.Table, env)
	if err != nil {
		return nil, err
	}
	name := s.Table.Name.Text
	if err := env.authorize(access.Alter, access.TableOf(keyspace, name)); err != nil {
		return nil, err
	}
	if err := checkAlter(s, attrs); err != nil {
		return nil, err
	}
	if err := checkKeyspaceName(keyspace); err != nil {
		return nil, err
	}
	t := env.Schema.Table(keyspace, name)
	switch {
	case t == nil && s.IfExists:
		return unchanged(env), nil
	case t == nil:
		return nil, plan.Invalid("Table '%s.%s' doesn't exist", keyspace, name)
	case t.IsView():
		return nil, plan.Invalid("Cannot use ALTER TABLE on a materialized view; use ALTER MATERIALIZED VIEW instead")
	}
	a := alteration{stmt: s, env: env, keyspace: env.Schema.Keyspace(keyspace), before: t, after: t.Clone()}
	if err := a.apply(attrs); err != nil {
		return nil, err
	}
	if !a.changed {
		return unchanged(env), nil
	}
	next := a.keyspace.Clone()
	next.Tables[name] = a.after.Finish()
	if t.Family != nil {
		var err error
		if next.Tables[name], err = alterFamily(t, a.after); err != nil {
			return nil, err
		}
	}
	switch s.Kind {
	case cql.AlterAdd:
		addToViews(next, t, a.after)
	case cql.AlterRename:
		if err := renameInViews(next, a.after, a.renamed, env); err != nil {
			return nil, err
		}
	}
	out := changed(env.Schema.With(next), "UPDATED", "TABLE", keyspace, name)
	if s.Kind == cql.AlterAdd {
		out.Warnings = tableWarnings(next.Tables[name])
	}
	return out, nil
}

// checkAlter are the checks before the table is looked up.
func checkAlter(s *cql.AlterTable, attrs []schema.Setting) error {
	switch s.Kind {
	case cql.AlterMask:
		return plan.Invalid(maskingOff)
	case cql.AlterAdd:
		for _, c := range s.Columns {
			if c.Mask != nil {
				return plan.Invalid(maskingOff)
			}
		}
	case cql.AlterWith:
		if err := schema.CheckMemtable(attrs); err != nil {
			return err
		}
		_, err := schema.NewOptions(attrs)
		return err
	}
	return nil
}

// alteration is one ALTER TABLE at work.
type alteration struct {
	stmt     *cql.AlterTable
	env      *Env
	keyspace *schema.Keyspace
	before   *schema.Table
	after    *schema.Table // a clone, to be finished
	changed  bool
	renamed  map[string]string // old names of columns to new ones
}

func (a *alteration) apply(attrs []schema.Setting) error {
	switch a.stmt.Kind {
	case cql.AlterAdd:
		return a.add()
	case cql.AlterDrop:
		return a.drop()
	case cql.AlterRename:
		return a.rename()
	case cql.AlterWith:
		return a.with(attrs)
	case cql.AlterColumnType:
		return plan.Invalid("Altering column types is no longer supported")
	case cql.AlterDropMask:
		if n := a.stmt.Columns[0].Name; a.before.Column(n.Text) == nil && !a.stmt.IfColumn {
			return plan.Invalid("Column with name '%s' doesn't exist on table '%s'", n, a.before.Name)
		}
	case cql.AlterDropCompact:
		return plan.Invalid("DROP COMPACT STORAGE is disabled. Enable in cassandra.yaml to use.")
	}
	return nil
}

// with checks the properties as if they were those of a new table, and then
// sets them. Bounds between a new and an old value are not checked again.
// Source: Cassandra 5.0 AlterTableStatement.AlterOptions.
func (a *alteration) with(attrs []schema.Setting) error {
	fresh, err := schema.NewOptions(attrs)
	if err != nil {
		return err
	}
	if err := checkOptions(attrs, fresh); err != nil {
		return err
	}
	if findSetting(attrs, "id") != nil {
		if _, err := tableID(nil, attrs); err != nil {
			return err
		}
		return plan.Config("Cannot alter table id.")
	}
	if a.after.Options, err = a.before.Options.With(attrs); err != nil {
		return err
	}
	if a.before.Counter && a.after.Options.DefaultTTL > 0 {
		return plan.Invalid("Cannot set default_time_to_live on a table with counters")
	}
	if a.after.Options.GCGrace == 0 && len(a.keyspace.Views(a.before.Name)) > 0 {
		return plan.Invalid("Cannot alter gc_grace_seconds of the base table of a materialized view to 0, since this value is used to TTL undelivered updates. " +
			"Setting gc_grace_seconds too low might cause undelivered updates to expire before being replayed.")
	}
	a.changed = !a.after.Options.Equal(a.before.Options)
	return nil
}
