package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/ring"
)

// Known is a statement to be bound many times, to other values each time. It is
// checked once, and again when the schema or the keyspace of USE is another one.
// The zero value is for one statement, always the same.
// Source: Cassandra 5.0 QueryProcessor.preparedStatements, which keeps a CQLStatement.
type Known struct {
	schema      *schema.Schema
	keyspace    string
	classic     bool
	partitioner ring.Partitioner

	read  *selectStatement
	write *writeStatement
}

// Bind is Bind for the statement; a nil Known remembers nothing.
func (k *Known) Bind(st cql.Statement, env *Env) (plan.Plan, error) {
	switch s := st.(type) {
	case *cql.Select:
		out, err := bindSelect(s, env, k)
		p, _, err := planOf(out, err)
		return p, err
	case *cql.Insert:
		p, _, err := writeOf(s, s.Markers, env, k)
		return p, err
	case *cql.Update:
		p, _, err := writeOf(s, s.Markers, env, k)
		return p, err
	case *cql.Delete:
		p, _, err := writeOf(s, s.Markers, env, k)
		return p, err
	}
	return Bind(st, env)
}

// fits says whether what was checked holds in an environment. Where somebody is
// to be asked for permission, everything is checked anew.
func (k *Known) fits(env *Env) bool {
	return k != nil && env.Guard == nil && k.schema == env.Schema && k.keyspace == env.Keyspace && k.classic == env.Classic && k.partitioner == env.Partitioner
}

// selected is the checked SELECT, nil if there is none that holds.
func (k *Known) selected(env *Env) *selectStatement {
	if !k.fits(env) {
		return nil
	}
	return k.read
}

// written is the checked write, nil if there is none that holds.
func (k *Known) written(env *Env) *writeStatement {
	if !k.fits(env) {
		return nil
	}
	return k.write
}

// keep remembers what was checked, unless it holds for this once.
func (k *Known) keep(p *preparation, read *selectStatement, write *writeStatement) {
	if env := p.env; k != nil && env.Guard == nil && !p.once {
		*k = Known{schema: env.Schema, keyspace: env.Keyspace, classic: env.Classic, partitioner: env.Partitioner, read: read, write: write}
	}
}
