package bind

import (
	"errors"
	"strings"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/ring"
)

// bindDDL gives the meaning of statements that define or describe the schema,
// of USE and of TRUNCATE; ok is false for all others.
func bindDDL(st cql.Statement, env *Env) (p plan.Plan, ok bool, err error) {
	switch s := st.(type) {
	case *cql.CreateKeyspace:
		p, err = result(createKeyspace(s, env))
	case *cql.AlterKeyspace:
		p, err = result(alterKeyspace(s, env))
	case *cql.DropKeyspace:
		p, err = result(dropKeyspace(s, env))
	case *cql.CreateTable:
		p, err = result(createTable(s, env))
	case *cql.AlterTable:
		p, err = result(alterTable(s, env))
	case *cql.DropTable:
		p, err = result(dropTable(s, env))
	case *cql.CreateType:
		p, err = result(createType(s, env))
	case *cql.AlterType:
		p, err = result(alterType(s, env))
	case *cql.DropType:
		p, err = result(dropType(s, env))
	case *cql.CreateView:
		p, err = result(createView(s, env))
	case *cql.AlterView:
		p, err = result(alterView(s, env))
	case *cql.DropView:
		p, err = result(dropView(s, env))
	case *cql.CreateFunction:
		p, err = result(createFunction(s, env))
	case *cql.DropFunction:
		p, err = result(dropFunction(s, env))
	case *cql.CreateAggregate:
		p, err = result(createAggregate(s, env))
	case *cql.DropAggregate:
		p, err = result(dropAggregate(s, env))
	case *cql.CreateTrigger:
		p, err = result(createTrigger(s, env))
	case *cql.DropTrigger:
		p, err = result(dropTrigger(s, env))
	case *cql.CreateIndex:
		p, err = result(createIndex(s, env))
	case *cql.DropIndex:
		p, err = result(dropIndex(s, env))
	case *cql.Use:
		p, err = result(use(s, env))
	case *cql.Truncate:
		p, err = result(truncate(s, env))
	case *cql.Describe:
		p, err = result(describe(s, env))
	default:
		return nil, false, nil
	}
	return p, true, err
}

// result keeps a nil pointer from becoming a plan.
func result[P plan.Plan](p P, err error) (plan.Plan, error) {
	if err != nil {
		return nil, refusal(err)
	}
	return p, nil
}

// refusal gives refusals of the schema and the ring their protocol code.
func refusal(err error) error {
	var problem *schema.Problem
	if errors.As(err, &problem) {
		code := plan.ConfigError
		switch problem.Class {
		case schema.Syntax:
			code = plan.SyntaxErr
		case schema.Server:
			code = plan.ServerError
		}
		return &plan.Error{Code: code, Message: problem.Message}
	}
	var config *ring.ConfigError
	if errors.As(err, &config) {
		return &plan.Error{Code: plan.Code(config.Code), Message: config.Message}
	}
	return err
}

// unchanged is the answer to a statement that changes nothing.
func unchanged(env *Env) *plan.SchemaChange { return &plan.SchemaChange{After: env.Schema} }

// changed is the next schema with its event.
func changed(after *schema.Schema, change, target, keyspace, name string) *plan.SchemaChange {
	return &plan.SchemaChange{After: after, Event: &plan.SchemaEvent{Change: change, Target: target, Keyspace: keyspace, Name: name}}
}

// keyspaceOf is the keyspace of a name: the one written, else that of USE.
// Source: Cassandra 5.0 ClientState.getKeyspace.
func keyspaceOf(q cql.QualifiedName, env *Env) (string, error) {
	switch {
	case q.Keyspace.Text != "":
		return q.Keyspace.Text, nil
	case env.Keyspace != "":
		return env.Keyspace, nil
	}
	return "", plan.Invalid("No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename")
}

// checkKeyspaceName refuses names that no keyspace can have.
// Source: Cassandra 5.0 AlterSchemaStatement.validateKeyspaceName.
func checkKeyspaceName(keyspace string) error {
	if !schema.ValidName(keyspace) {
		return plan.Invalid("Keyspace name must not be empty, more than 48 characters long, "+
			"or contain non-alphanumeric-underscore characters (got '%s')", keyspace)
	}
	return nil
}

// madeUp refuses to write to Cassandra's own tables, once a statement runs. A node
// whose clients are not authorized one by one lets everybody, and may not start
// again after it; what stands for the running node takes nothing there either.
// Source: Cassandra 5.0 AbstractVirtualTable.apply, truncate.
func madeUp(keyspace, table, what string) error {
	switch {
	case strings.HasSuffix(table, "_cache_keys"):
		return plan.Unsupported("emptying caches", "nothing is cached here")
	case schema.Virtual(keyspace):
		return plan.Invalid("%s is not supported by table %s.%s", what, keyspace, table)
	}
	return plan.Unsupported("writes to the tables of "+keyspace, "their rows are made up when they are read; change what they tell of")
}
