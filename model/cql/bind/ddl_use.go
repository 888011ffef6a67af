package bind

import (
	"ringlab/model/access"
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// use is USE.
// Source: Cassandra 5.0 ClientState.setKeyspace.
func use(s *cql.Use, env *Env) (*plan.Use, error) {
	name := s.Keyspace.Text
	if env.Guard != nil {
		if err := env.Guard.Login(); err != nil {
			return nil, err
		}
	}
	if env.keyspace(name) == nil {
		return nil, plan.Invalid("Keyspace '%s' does not exist", name)
	}
	return &plan.Use{Keyspace: name}, nil
}

// truncate refuses system keyspaces, whose tables Cassandra would empty: it
// loses its own identity by that.
// Source: Cassandra 5.0 TruncateStatement, Schema.validateTable.
func truncate(s *cql.Truncate, env *Env) (*plan.Truncate, error) {
	keyspace, err := keyspaceOf(s.Table, env)
	if err != nil {
		return nil, err
	}
	if err := env.authorize(access.Modify, access.TableOf(keyspace, s.Table.Name.Text)); err != nil {
		return nil, err
	}
	t, err := truncated(keyspace, s, env)
	if err != nil {
		return nil, err
	}
	if schema.System(keyspace) {
		return nil, madeUp(keyspace, t.Name, "Truncation")
	}
	return &plan.Truncate{Table: t}, nil
}

// truncated is the table to truncate.
func truncated(keyspace string, s *cql.Truncate, env *Env) (*schema.Table, error) {
	k := env.keyspace(keyspace)
	if k == nil {
		return nil, plan.Invalid("keyspace %s does not exist", keyspace)
	}
	t := k.Tables[s.Table.Name.Text]
	switch {
	case t == nil:
		return nil, plan.Invalid("table %s does not exist", s.Table.Name)
	case t.IsView():
		return nil, plan.Invalid("Cannot TRUNCATE materialized view directly; must truncate base table instead")
	}
	return t, nil
}
