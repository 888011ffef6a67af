package bind

import (
	"ringlab/model/cql"
	"ringlab/model/function"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// userFunctions are the functions and aggregates of a keyspace with that name,
// as calls see them.
func (p *preparation) userFunctions(keyspace, name string) []*function.Function {
	k := p.env.Schema.Keyspace(keyspace)
	if k == nil {
		return nil
	}
	var out []*function.Function
	for _, f := range k.FunctionsNamed(name) {
		out = append(out, userFunction(f))
	}
	for _, a := range k.AggregatesNamed(name) {
		state := &function.State{Initial: a.InitCond, Step: userFunction(k.StepOf(a))}
		if a.FinalFunc != "" {
			state.Final = userFunction(k.FinalOf(a))
		}
		out = append(out, &function.Function{Keyspace: keyspace, Name: name, Args: a.Args, Out: a.Returns, Aggregate: true, Impure: true, State: state})
	}
	return out
}

// userFunction is a function whose calls are refused, since its body is Java.
// Only where Cassandra would not run the body either, with a null argument under
// RETURNS NULL ON NULL INPUT, there is a result.
// Source: Cassandra 5.0 UDFunction.isCallableWrtNullable, execute.
func userFunction(f *schema.Function) *function.Function {
	return &function.Function{Keyspace: f.Keyspace, Name: f.Name, Args: f.Args, Out: f.Returns, Impure: true,
		Eval: func(_ *function.Context, args [][]byte) ([]byte, error) {
			for _, a := range args {
				if a == nil && !f.CalledOnNull {
					return nil, nil
				}
			}
			return nil, plan.Unsupported("calls of the user-defined function "+f.Keyspace+"."+f.Name+", whose body is Java", "compute its result in the client")
		}}
}

// foldOf is the aggregation of a user-defined aggregate. As no body can be run,
// the state stays what it was: a row either passes the state function by or is
// refused by it.
// Source: Cassandra 5.0 UDAggregate.newAggregate.
func foldOf(f *function.Function, exprs []plan.Expr) plan.Expr {
	state := f.State
	step := &plan.CallExpr{Name: state.Step.Name, Args: exprs, Type: state.Step.Out, Arg: f.Args, Eval: func(args [][]byte) ([]byte, error) {
		return state.Step.Eval(nil, append([][]byte{state.Initial}, args...))
	}}
	fold := &plan.AggregateExpr{Name: f.Name, Arg: step, In: state.Step.Out, Out: state.Step.Out, User: true, Initial: state.Initial}
	if state.Final == nil {
		return fold
	}
	return &plan.CallExpr{Name: state.Final.Name, Args: []plan.Expr{fold}, Type: f.Out, Arg: state.Final.Args,
		Eval: func(args [][]byte) ([]byte, error) { return state.Final.Eval(nil, args) }}
}

// findRoutine is the function or aggregate that a resource names, nil if there
// is none.
func findRoutine(r cql.Resource, env *Env) any {
	k := env.Schema.Keyspace(r.Name.Keyspace.Text)
	if k == nil {
		return nil
	}
	args, err := resolveAll(k, r.Types)
	if err != nil {
		return nil
	}
	signature := schema.Signature(r.Name.Name.Text, args)
	if f := k.Functions[signature]; f != nil {
		return f
	}
	if a := k.Aggregates[signature]; a != nil {
		return a
	}
	return nil
}
