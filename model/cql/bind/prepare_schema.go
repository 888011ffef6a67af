package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
)

// prepareSchema checks a statement about the schema as far as Cassandra does
// before it runs: the keyspace that it lacks, what a new table declares, the
// options of a table each for itself, and the table to truncate.
// Source: Cassandra 5.0 CQLStatement.Raw.prepare, CQLStatement.validate,
// CreateTableStatement.validate, AlterTableStatement.AlterOptions.validate.
func prepareSchema(st cql.Statement, env *Env) error {
	switch s := st.(type) {
	case *cql.CreateTable:
		attrs, err := checkDeclarations(s)
		if err != nil {
			return err
		}
		if _, err := keyspaceOf(s.Table, env); err != nil {
			return err
		}
		if len(s.PrimaryKeys) == 0 {
			return noPrimaryKey(s)
		}
		_, err = newTableOptions(s, attrs)
		return refusal(err)
	case *cql.AlterTable:
		attrs, err := settings(s.Properties)
		if err != nil {
			return err
		}
		if _, err := keyspaceOf(s.Table, env); err != nil {
			return err
		}
		return refusal(checkAlter(s, attrs))
	case *cql.Truncate:
		keyspace, err := keyspaceOf(s.Table, env)
		if err == nil {
			_, err = truncated(keyspace, s, env)
		}
		return err
	}
	name, ok := subject(st)
	if !ok {
		return nil
	}
	_, err := keyspaceOf(name, env)
	return err
}

func noPrimaryKey(s *cql.CreateTable) error {
	return plan.Invalid("No PRIMARY KEY specifed for table '%s' (exactly one required)", s.Table)
}

// subject is the name of what a statement makes, changes or drops in a keyspace.
func subject(st cql.Statement) (cql.QualifiedName, bool) {
	switch s := st.(type) {
	case *cql.DropTable:
		return s.Table, true
	case *cql.CreateType:
		return s.Type, true
	case *cql.AlterType:
		return s.Type, true
	case *cql.DropType:
		return s.Type, true
	case *cql.CreateView:
		return s.View, true
	case *cql.AlterView:
		return s.View, true
	case *cql.DropView:
		return s.View, true
	case *cql.CreateFunction:
		return s.Func, true
	case *cql.DropFunction:
		return s.Func, true
	case *cql.CreateAggregate:
		return s.Func, true
	case *cql.DropAggregate:
		return s.Func, true
	case *cql.CreateTrigger:
		return s.Table, true
	case *cql.DropTrigger:
		return s.Table, true
	case *cql.CreateIndex:
		return s.Table, true
	case *cql.DropIndex:
		return s.Index, true
	}
	return cql.QualifiedName{}, false
}
