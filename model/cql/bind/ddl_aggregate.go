package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// createAggregate is CREATE AGGREGATE.
// Source: Cassandra 5.0 CreateAggregateStatement.
func createAggregate(s *cql.CreateAggregate, env *Env) (*plan.SchemaChange, error) {
	keyspace, err := openRoutine(s.Func, env)
	if err != nil {
		return nil, err
	}
	name, k := s.Func.Name.Text, env.Schema.Keyspace(keyspace)
	if err := mayCreateRoutine(env, keyspace, name, s.Types, s.OrReplace); err != nil {
		return nil, err
	}
	if k == nil {
		return nil, plan.Config("Keyspace %s doesn't exist", keyspace)
	}
	for _, t := range append([]cql.TypeExpr{s.StateType}, s.Types...) {
		if err := checkFrozen(t); err != nil {
			return nil, err
		}
	}
	// The permissions ask for the types before anything else is checked.
	a := &schema.Aggregate{Keyspace: keyspace, Name: name, StateFunc: s.StateFunc.Text, Made: env.Schema.Version + 1}
	if a.Args, err = resolveAll(k, s.Types); err != nil {
		return nil, err
	}
	if a.StateType, err = (typeResolver{keyspace: keyspace, known: k}).resolve(s.StateType, false); err != nil {
		return nil, err
	}
	if err := mayAggregate(env, k, a, s.FinalFunc); err != nil {
		return nil, err
	}
	if s.IfNotExists && s.OrReplace {
		return nil, plan.Invalid("Cannot use both 'OR REPLACE' and 'IF NOT EXISTS' directives")
	}
	if err := refuseFrozen("Argument", keyspace, s.Types...); err != nil {
		return nil, err
	}
	if err := refuseFrozen("State type", keyspace, s.StateType); err != nil {
		return nil, err
	}
	step, err := aggregateFunctions(s, k, a)
	if err != nil {
		return nil, err
	}
	if err := initialState(s, env, k, a); err != nil {
		return nil, err
	}
	if !step.CalledOnNull && a.InitCond == nil {
		return nil, plan.Invalid("Cannot create aggregate '%s' without INITCOND because state function %s.%s does not accept 'null' arguments",
			name, keyspace, step.Name)
	}
	signature := schema.Signature(name, a.Args)
	before := k.Aggregates[signature]
	switch {
	case k.Functions[signature] != nil:
		return nil, plan.Invalid("Aggregate '%s' cannot replace a function", name)
	case before == nil:
	case s.IfNotExists:
		return unchanged(env), nil
	case !s.OrReplace:
		return nil, plan.Invalid("Aggregate '%s' already exists", name)
	case !replaces(a.Returns, before.Returns):
		return nil, plan.Invalid("Cannot replace aggregate '%s', the new return type %s isn't compatible with the return type %s of existing function",
			name, schema.BareType(a.Returns), schema.BareType(before.Returns))
	}
	next := k.Clone()
	next.Aggregates[signature] = a
	return routineChanged(env, next, before != nil, "AGGREGATE", name, a.Args), nil
}

// aggregateFunctions finds the state and the final function and settles what the
// aggregate gives.
func aggregateFunctions(s *cql.CreateAggregate, k *schema.Keyspace, a *schema.Aggregate) (*schema.Function, error) {
	text := func(name cql.Name, args ...cql.TypeExpr) string {
		return k.Name + "." + name.Text + "(" + writtenTypes(args, k.Name) + ")"
	}
	called := text(s.StateFunc, append([]cql.TypeExpr{s.StateType}, s.Types...)...)
	signature := schema.Signature(s.StateFunc.Text, append([]*types.Type{a.StateType}, a.Args...))
	step := k.Functions[signature]
	switch {
	case step == nil && k.Aggregates[signature] != nil:
		return nil, plan.Invalid("State function %s isn't a scalar function", called)
	case step == nil:
		return nil, plan.Invalid("State function %s doesn't exist", called)
	case !step.Returns.Equal(a.StateType):
		return nil, plan.Invalid("State function %s return type must be the same as the first argument type - check STYPE, argument and return types", called)
	}
	a.Returns, a.Step = step.Returns, step
	if s.FinalFunc == nil {
		return step, nil
	}
	a.FinalFunc = s.FinalFunc.Text
	signature = schema.Signature(a.FinalFunc, []*types.Type{a.StateType})
	final := k.Functions[signature]
	switch {
	case final == nil && k.Aggregates[signature] != nil:
		return nil, plan.Invalid("Final function %s isn't a scalar function", text(*s.FinalFunc, s.StateType))
	case final == nil:
		return nil, plan.Invalid("Final function %s doesn't exist", text(*s.FinalFunc, s.StateType))
	}
	a.Returns, a.Final = final.Returns, final
	return step, nil
}

// initialState reads INITCOND. Cassandra prints the term and parses it again,
// and its print does not double the quotes inside of strings.
// Source: Cassandra 5.0 Terms.asBytes.
func initialState(s *cql.CreateAggregate, env *Env, k *schema.Keyspace, a *schema.Aggregate) error {
	if s.InitCond == nil {
		return nil
	}
	text := s.InitCond.String()
	if _, err := cql.Parse("SELECT " + text + " FROM x"); err != nil {
		return plan.Syntax("Failed parsing CQL term: [%s] reason: SyntaxException %s", text, err)
	}
	p := &preparation{env: env, table: &schema.Table{Keyspace: k.Name}}
	t, err := p.prepare(s.InitCond, spec{name: "(dummy)", typ: a.StateType})
	if err != nil {
		return err
	}
	if a.InitCond, _, err = t.bind(env); err != nil {
		return err
	}
	_, null := s.InitCond.(*cql.Null)
	if !null && len(a.InitCond) == 0 && a.StateType.EmptyMeaningless() {
		return plan.Invalid("INITCOND must not be empty for all types except TEXT, ASCII, BLOB")
	}
	return nil
}
