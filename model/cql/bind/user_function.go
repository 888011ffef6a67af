package bind

import (
	"cmp"
	"errors"
	"slices"

	"ringlab/model/cql"
	"ringlab/model/function"
	"ringlab/model/java"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
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
		out = append(out, userFunction(k, f))
	}
	for _, a := range k.AggregatesNamed(name) {
		out = append(out, &function.Function{Keyspace: keyspace, Name: name, Args: a.Args, Out: a.Returns, Aggregate: true, Impure: true,
			New: func() plan.Fold { return newUserFold(k, a) }, Of: functionsOf(k, a)})
	}
	return out
}

// functionsOf are the functions that an aggregate calls.
func functionsOf(k *schema.Keyspace, a *schema.Aggregate) []*function.Function {
	u := newUserFold(k, a)
	out := []*function.Function{userFunction(k, u.step)}
	if u.final != nil {
		out = append(out, userFunction(k, u.final))
	}
	return out
}

// compileFunction makes the body of a function ready to run.
// Source: Cassandra 5.0 JavaBasedUDFunction.
func compileFunction(k *schema.Keyspace, f *schema.Function) (*java.Function, error) {
	written := func(text string) (*types.Type, error) {
		return types.Parse(text, func(_, name string) (*types.Type, error) {
			if t := k.Types[name]; t != nil {
				return t, nil
			}
			return nil, errNoType
		})
	}
	on := &java.Context{Names: f.ArgNames, Args: f.Args, Returns: f.Returns, Type: written, Keyspace: f.Keyspace}
	fn, err := java.Compile(f.Name, f.Body, on, f.CalledOnNull)
	if limit, ok := err.(*java.Limit); ok {
		return nil, plan.Unsupported(limit.Error(), "write the body without it")
	}
	if err != nil {
		return nil, plan.Invalid("%s", err)
	}
	return fn, nil
}

var errNoType = errors.New("there is no such type")

// running is the compiled body of a function.
func running(k *schema.Keyspace, f *schema.Function) (*java.Function, error) {
	if fn, ok := f.Compiled.(*java.Function); ok {
		return fn, nil
	}
	return compileFunction(k, f)
}

// callable says whether a function runs with such arguments: RETURNS NULL ON NULL
// INPUT gives null without.
// Source: Cassandra 5.0 UDFunction.isCallableWrtNullable.
func callable(f *schema.Function, args [][]byte) bool {
	return f.CalledOnNull || !slices.ContainsFunc(args, func(a []byte) bool { return a == nil })
}

// userFunction is a function as calls see it.
// Source: Cassandra 5.0 UDFunction.execute.
func userFunction(k *schema.Keyspace, f *schema.Function) *function.Function {
	var fn *java.Function // compiled for the statement's first row, where the schema has it no more
	return &function.Function{Keyspace: f.Keyspace, Name: f.Name, Args: f.Args, Out: f.Returns, Impure: true,
		Eval: func(_ *function.Context, args [][]byte) ([]byte, error) {
			if !callable(f, args) {
				return nil, nil
			}
			if fn == nil {
				compiled, err := running(k, f)
				if err != nil {
					return nil, err
				}
				fn = compiled
			}
			v, err := fn.Call(args)
			return v, failed(f, err)
		}}
}

// failed is how a body's failure is told.
// Source: Cassandra 5.0 FunctionExecutionException.create, UDFunction.async.
func failed(f *schema.Function, err error) error {
	switch e := err.(type) {
	case nil:
		return nil
	case *java.Limit:
		return plan.Unsupported(e.Error(), "write the body of "+f.Keyspace+"."+f.Name+" without it")
	case *java.Failure:
		args := make([]string, len(f.Args))
		for i, t := range f.Args {
			args[i] = t.String()
		}
		text := e.Text
		if e.Stopped {
			called := (&function.Function{Keyspace: f.Keyspace, Name: f.Name, Args: f.Args, Out: f.Returns}).String()
			text = "java.util.concurrent.TimeoutException: User defined function " + called + " ran longer than 1500ms - will stop Cassandra VM"
		}
		return &plan.Error{Code: plan.FunctionError, Message: text, Keyspace: f.Keyspace, Function: f.Name, Args: args}
	}
	return err
}

// userFold is a user-defined aggregate at work: its state stays a value of Java
// from row to row. Source: Cassandra 5.0 UDAggregate.newAggregate.
type userFold struct {
	k           *schema.Keyspace
	a           *schema.Aggregate
	step, final *schema.Function
	fn          *java.Function
	state       any
}

func newUserFold(k *schema.Keyspace, a *schema.Aggregate) *userFold {
	return &userFold{k: k, a: a, step: cmp.Or(a.Step, k.StepOf(a)), final: cmp.Or(a.Final, k.FinalOf(a))}
}

// begin makes the first state.
func (u *userFold) begin() (err error) {
	if u.fn != nil {
		return nil
	}
	if u.fn, err = running(u.k, u.step); err != nil {
		return err
	}
	u.state, err = u.fn.State(u.a.InitCond)
	return failed(u.step, err)
}

// Add folds one row. A row with a null passes a state function by that is not
// called on null, and where the state is null itself it stays so.
func (u *userFold) Add(args [][]byte) error {
	if err := u.begin(); err != nil {
		return err
	}
	if !callable(u.step, args) {
		return nil
	}
	if u.state == nil && !u.step.CalledOnNull {
		return nil
	}
	next, err := u.fn.Fold(u.state, args)
	u.state = next
	return failed(u.step, err)
}

// Result is the state, or what the final function makes of it.
func (u *userFold) Result() ([]byte, error) {
	if err := u.begin(); err != nil {
		return nil, err
	}
	if u.final == nil {
		v, err := u.fn.Bytes(u.state)
		return v, failed(u.step, err)
	}
	if u.state == nil && !u.final.CalledOnNull {
		return nil, nil
	}
	fn, err := running(u.k, u.final)
	if err != nil {
		return nil, err
	}
	v, err := fn.Finish(u.state)
	return v, failed(u.final, err)
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
