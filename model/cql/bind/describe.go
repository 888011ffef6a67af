package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// describe answers a DESCRIBE.
// Source: Cassandra 5.0 DescribeStatement.
func describe(s *cql.Describe, env *Env) (*plan.Describe, error) {
	d := describer{env: env, internals: s.WithInternals}
	switch s.Kind {
	case cql.DescribeCluster:
		return d.cluster(), nil
	case cql.DescribeSchema:
		return d.schema(s.Full), nil
	case cql.DescribeKeyspaces:
		return d.keyspaces(), nil
	case cql.DescribeTables:
		return d.list(func(k *schema.Keyspace) { d.tableNames(k) })
	case cql.DescribeTypes:
		return d.list(func(k *schema.Keyspace) { d.typeNames(k) })
	case cql.DescribeFunctions:
		return d.list(func(k *schema.Keyspace) { d.functions(k, "") })
	case cql.DescribeAggregates:
		return d.list(func(k *schema.Keyspace) { d.aggregates(k, "") })
	case cql.DescribeGeneric:
		return d.generic(s.Name)
	}
	d.out.Create = true
	if s.Kind == cql.DescribeKeyspace {
		k, err := d.named(s.Name.Name.Text)
		if err != nil {
			return nil, err
		}
		d.keyspace(k, s.Only)
		return &d.out, nil
	}
	k, err := d.named(s.Name.Keyspace.Text)
	if in := s.Name.Keyspace.Text; schema.System(in) && (s.Kind == cql.DescribeFunction || s.Kind == cql.DescribeAggregate) {
		k, err = &schema.Keyspace{Name: in}, nil // has none that users made
	}
	if err != nil {
		return nil, err
	}
	return d.element(s.Kind, k, s.Name.Name.Text)
}

// describer collects the rows of one answer.
type describer struct {
	env       *Env
	internals bool
	out       plan.Describe
}

// named is the keyspace of that name, or that of USE for "".
func (d *describer) named(name string) (*schema.Keyspace, error) {
	if name == "" {
		name = d.env.Keyspace
	}
	if name == "" {
		return nil, plan.Invalid("No keyspace specified and no current keyspace")
	}
	return d.find(name)
}

// find gives a keyspace.
// Source: Cassandra 5.0 DescribeStatement.validateKeyspace.
func (d *describer) find(name string) (*schema.Keyspace, error) {
	if k := d.env.keyspace(name); k != nil {
		return k, nil
	}
	return nil, plan.Invalid("'%s' not found in keyspaces", name)
}

// element describes one thing of a keyspace.
func (d *describer) element(kind cql.DescribeKind, k *schema.Keyspace, name string) (*plan.Describe, error) {
	switch kind {
	case cql.DescribeTable:
		if k.Tables[name] == nil || k.Tables[name].IsView() {
			return nil, plan.Invalid("Table '%s' not found in keyspace '%s'", name, k.Name)
		}
		d.table(k, k.Tables[name])
	case cql.DescribeType:
		if k.Types[name] == nil {
			return nil, plan.Invalid("User defined type '%s' not found in '%s'", name, k.Name)
		}
		d.userType(k.Types[name])
	case cql.DescribeIndex:
		t, i := k.FindIndex(name)
		if i == nil {
			return nil, plan.Invalid("Table for existing index '%s' not found in '%s'", name, k.Name)
		}
		d.index(t, i)
	case cql.DescribeView:
		if k.Tables[name] == nil || !k.Tables[name].IsView() {
			return nil, plan.Invalid("Materialized view '%s' not found in '%s'", name, k.Name)
		}
		d.view(k.Tables[name])
	case cql.DescribeFunction:
		if d.functions(k, name); len(d.out.Rows) == 0 {
			return nil, plan.Invalid("User defined function '%s' not found in '%s'", name, k.Name)
		}
	case cql.DescribeAggregate:
		if d.aggregates(k, name); len(d.out.Rows) == 0 {
			return nil, plan.Invalid("User defined aggregate '%s' not found in '%s'", name, k.Name)
		}
	}
	return &d.out, nil
}

// generic looks for a keyspace, then for a table, then for an index.
// Source: Cassandra 5.0 DescribeStatement.generic.
func (d *describer) generic(q cql.QualifiedName) (*plan.Describe, error) {
	d.out.Create = true
	name, in := q.Name.Text, q.Keyspace.Text
	if in == "" {
		if k := d.env.keyspace(name); k != nil {
			d.keyspace(k, false)
			return &d.out, nil
		}
		if in = d.env.Keyspace; in == "" {
			in = name
		}
	}
	k, err := d.find(in)
	if err != nil {
		return nil, err
	}
	t, i := k.FindIndex(name)
	switch {
	case k.Tables[name] != nil && k.Tables[name].IsView():
		d.view(k.Tables[name])
	case k.Tables[name] != nil:
		d.table(k, k.Tables[name])
	case i != nil:
		d.index(t, i)
	default:
		return nil, plan.Invalid("'%s' not found in keyspace '%s'", name, in)
	}
	return &d.out, nil
}

// cluster shows ranges only under USE of a keyspace that is not Cassandra's own.
func (d *describer) cluster() *plan.Describe {
	d.out.Cluster = true
	if !schema.System(d.env.Keyspace) {
		d.out.Keyspace = d.env.Keyspace
	}
	return &d.out
}
