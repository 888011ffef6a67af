package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// createTrigger refuses every trigger, since no class of any is there.
// Source: Cassandra 5.0 CreateTriggerStatement.
func createTrigger(s *cql.CreateTrigger, env *Env) (*plan.SchemaChange, error) {
	if err := mayTrigger(s.Table, env, "Only superusers are allowed to perform CREATE TRIGGER queries"); err != nil {
		return nil, err
	}
	keyspace, err := triggerKeyspace(s.Table, env)
	if err != nil {
		return nil, err
	}
	k := env.Schema.Keyspace(keyspace)
	switch {
	case schema.System(keyspace):
	case k == nil:
		return nil, plan.Invalid("Keyspace '%s' doesn't exist", keyspace)
	case k.Tables[s.Table.Name.Text] == nil:
		return nil, plan.Invalid("Table '%s' doesn't exist", s.Table.Name)
	case k.Tables[s.Table.Name.Text].IsView():
		return nil, plan.Invalid("Cannot CREATE TRIGGER for a materialized view")
	}
	return nil, plan.Invalid("Trigger class '%s' couldn't be loaded", s.Class.Text)
}

// dropTrigger finds no trigger. Source: Cassandra 5.0 DropTriggerStatement.
func dropTrigger(s *cql.DropTrigger, env *Env) (*plan.SchemaChange, error) {
	if err := mayTrigger(s.Table, env, "Only superusers are allowed to perfrom DROP TRIGGER queries"); err != nil {
		return nil, err
	}
	keyspace, err := triggerKeyspace(s.Table, env)
	switch {
	case err != nil:
		return nil, err
	case s.IfExists:
		return unchanged(env), nil
	}
	return nil, plan.Invalid("Trigger '%s' on '%s.%s' doesn't exist", s.Name, keyspace, s.Table.Name)
}

// mayTrigger wants a superuser once the keyspace is known.
func mayTrigger(q cql.QualifiedName, env *Env, refusal string) error {
	if _, err := keyspaceOf(q, env); err != nil {
		return err
	}
	return env.superuser(refusal)
}

func triggerKeyspace(q cql.QualifiedName, env *Env) (string, error) {
	keyspace, err := keyspaceOf(q, env)
	switch {
	case err != nil:
		return "", err
	case schema.LocalSystem(keyspace):
		return "", plan.Invalid("System keyspace '%s' is not user-modifiable", keyspace)
	}
	return keyspace, checkKeyspaceName(keyspace)
}
