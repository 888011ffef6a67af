package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
)

// Part is one statement of a batch that a client sends as a message: with its
// own values and the keyspace in which its names are looked up.
type Part struct {
	Statement cql.Statement
	Keyspace  string
	Args      [][]byte
	Unset     []bool
}

// BindMessage gives the meaning of a batch that a client sends as a message.
// Source: Cassandra 5.0 BatchMessage.execute.
func BindMessage(kind plan.BatchKind, parts []Part, env *Env) (*plan.Batch, error) {
	for _, p := range parts {
		switch p.Statement.(type) {
		case *cql.Insert, *cql.InsertJSON, *cql.Update, *cql.Delete:
		default:
			return nil, invalid("Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.")
		}
	}
	st := &batchStatement{kind: kind}
	envs := make([]Env, len(parts))
	for i, p := range parts {
		envs[i] = *env
		envs[i].Keyspace, envs[i].Args, envs[i].Unset = p.Keyspace, p.Args, p.Unset
		prepared, out, err := prepareWrite(p.Statement, &envs[i])
		if err != nil {
			return nil, err
		}
		st.statements, st.preparations = append(st.statements, out), append(st.preparations, prepared)
	}
	if err := st.mayWrite(); err != nil {
		return nil, err
	}
	if err := st.validate(); err != nil {
		return nil, err
	}
	return st.bind(func(i int) *Env { return &envs[i] }, env)
}

// Markers counts the variables of a statement.
func Markers(st cql.Statement) int {
	switch s := st.(type) {
	case *cql.Select:
		return len(s.Markers)
	case *cql.Insert:
		return len(s.Markers)
	case *cql.InsertJSON:
		return len(s.Markers)
	case *cql.Update:
		return len(s.Markers)
	case *cql.Delete:
		return len(s.Markers)
	case *cql.Batch:
		return len(s.Markers)
	}
	return 0
}

// Qualified says whether a statement means the same in every keyspace. Of those
// that change no rows, none says so of itself.
// Source: Cassandra 5.0 QualifiedStatement.isFullyQualified, BatchStatement.Raw.
func Qualified(st cql.Statement) bool {
	switch s := st.(type) {
	case *cql.Select:
		return s.Table.Keyspace.Text != ""
	case *cql.Insert:
		return s.Table.Keyspace.Text != ""
	case *cql.InsertJSON:
		return s.Table.Keyspace.Text != ""
	case *cql.Update:
		return s.Table.Keyspace.Text != ""
	case *cql.Delete:
		return s.Table.Keyspace.Text != ""
	case *cql.Truncate:
		return s.Table.Keyspace.Text != ""
	case *cql.Batch:
		for _, inner := range s.Statements {
			if !Qualified(inner) {
				return false
			}
		}
		return true
	}
	return false
}
