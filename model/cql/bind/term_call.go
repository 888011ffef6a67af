package bind

import (
	"strings"

	"ringlab/model/cql"
	"ringlab/model/function"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// argument is an argument of a function before the function is chosen: a term,
// or an expression of a SELECT clause.
type argument interface {
	test(p *preparation, s spec) fit
	likely(p *preparation) *types.Type
	isMarker() bool
	listed() int      // elements of a list literal, -1 for anything else
	descending() bool // a clustering column in descending order
	String() string
}

type termArgument struct{ cql.Term }

func (a termArgument) test(p *preparation, s spec) fit   { return p.test(a.Term, s) }
func (a termArgument) likely(p *preparation) *types.Type { return p.likelyType(a.Term) }
func (a termArgument) isMarker() bool                    { _, ok := a.Term.(*cql.Marker); return ok }

func (a termArgument) listed() int {
	if l, ok := a.Term.(*cql.ListLit); ok {
		return len(l.Elems)
	}
	return -1
}

func (a termArgument) descending() bool { return false }

// called is a function as it was called: keyspace may be "".
type called struct{ keyspace, name string }

func (c called) String() string {
	if c.keyspace == "" {
		return c.name
	}
	return c.keyspace + "." + c.name
}

func nativeCall(name string) called { return called{"system", name} }

// calledBy takes a term apart into function and arguments.
// Source: Cassandra 5.0 FunctionCall.Raw.newOperation, newNegation, newCast.
func calledBy(t cql.Term) (called, []cql.Term) {
	switch t := t.(type) {
	case *cql.FunctionCall:
		return called{t.Func.Keyspace.Text, t.Func.Name.Text}, t.Args
	case *cql.Cast:
		return nativeCall("cast_as_" + typeText(t.Type)), []cql.Term{t.Term}
	case *cql.BinaryOp:
		return nativeCall(function.OperationName(t.Op)), []cql.Term{t.Left, t.Right}
	case *cql.UnaryMinus:
		return nativeCall(function.Negation), []cql.Term{t.Term}
	}
	return called{}, nil
}

// resolveCall finds the function that a term calls; nil without error if there
// is none of that name.
func (p *preparation) resolveCall(t cql.Term, s spec) (*function.Function, error) {
	name, terms := calledBy(t)
	args := make([]argument, len(terms))
	for i, a := range terms {
		args[i] = termArgument{a}
	}
	return p.function(name, args, s)
}

// function chooses among the functions of a name by the arguments and, if it is
// known, the receiver.
// Source: Cassandra 5.0 FunctionResolver.get.
func (p *preparation) function(name called, args []argument, receiver spec) (*function.Function, error) {
	candidates, err := p.candidates(name, args, receiver.typ)
	switch {
	case err != nil || len(candidates) == 0:
		return nil, err
	case len(candidates) == 1:
		return candidates[0], p.checkArguments(candidates[0], args)
	}
	return p.pick(name, candidates, args, receiver)
}

func (p *preparation) candidates(name called, args []argument, receiver *types.Type) ([]*function.Function, error) {
	if name.keyspace != "" && name.keyspace != "system" {
		return p.userFunctions(name.keyspace, name.name), nil
	}
	var found []*function.Function
	if name.keyspace == "" {
		found = p.userFunctions(p.table.Keyspace, name.name)
	}
	if name.name == "token" {
		if schema.Virtual(p.table.Keyspace) {
			f, err := localToken(p.table)
			return append(found, f), err
		}
		return append(found, tokenFunction(p.table, p.env.Partitioner)), nil
	}
	if native := function.Lookup(name.name); native != nil {
		return append(found, native...), nil
	}
	if !function.HasFactory(name.name) {
		return found, nil
	}
	known := make([]function.Argument, len(args))
	for i, a := range args {
		known[i] = function.Argument{Text: a.String(), Type: a.likely(p), List: a.listed(), Desc: a.descending()}
	}
	f, err := function.Make(name.name, known, receiver)
	if err != nil {
		return nil, err
	}
	return append(found, f), nil
}

func argumentSpec(f *function.Function, i int) spec {
	return spec{name: "arg" + string(rune('0'+i)) + "(" + f.FullName() + ")", typ: f.Args[i]}
}

func (p *preparation) checkArguments(f *function.Function, args []argument) error {
	if len(args) != len(f.Args) {
		return invalid("Invalid number of arguments in call to function %s: %d required but %d provided", f.FullName(), len(f.Args), len(args))
	}
	for i, a := range args {
		if a.test(p, argumentSpec(f, i)) == notAssignable {
			return invalid("Type error: %s cannot be passed as argument %d of function %s of type %s", a, i, f.FullName(), f.Args[i])
		}
	}
	return nil
}

func (p *preparation) fitArguments(f *function.Function, args []argument) fit {
	if len(args) != len(f.Args) {
		return notAssignable
	}
	worst := exact
	for i, a := range args {
		if worst = all(worst, a.test(p, argumentSpec(f, i))); worst == notAssignable {
			break
		}
	}
	return worst
}

func (p *preparation) pick(name called, candidates []*function.Function, args []argument, s spec) (*function.Function, error) {
	receiver := s.typ
	var suitable []*function.Function
	for _, f := range candidates {
		if receiver != nil && fitAny(receiver, f.Out) == notAssignable {
			continue
		}
		switch p.fitArguments(f, args) {
		case exact:
			return f, nil
		case weakly:
			suitable = append(suitable, f)
		}
	}
	op := function.Operator(name.name)
	switch {
	case len(suitable) == 1:
		return suitable[0], nil
	case len(suitable) == 0 && op != 0:
		return nil, invalid("the '%c' operation is not supported between %s and %s", op, args[0], args[1])
	case len(suitable) == 0:
		return nil, invalid("Invalid call to function %s, none of its type signatures match (known type signatures: %s)", name, signatures(candidates))
	case op != 0:
		descending := s.column != nil && s.column.Desc // the class of its type is no argument's
		if receiver != nil && !descending && !args[0].isMarker() && !args[1].isMarker() {
			for _, f := range suitable {
				if receiver.Equal(f.Args[0]) && receiver.Equal(f.Args[1]) {
					return f, nil
				}
			}
		}
		return nil, invalid("Ambiguous '%c' operation with args %s and %s: use type hint to disambiguate, example '(int) ?'", op, args[0], args[1])
	case name.name == function.Negation:
		return nil, invalid("Ambiguous negation: use type casts to disambiguate")
	}
	return nil, invalid("Ambiguous call to function %s (can be matched by following signatures: %s): use type casts to disambiguate", name, signatures(suitable))
}

func signatures(fs []*function.Function) string {
	texts := make([]string, len(fs))
	for i, f := range fs {
		texts[i] = f.String()
	}
	return strings.Join(texts, ", ")
}

// call checks a function call, cast or operation outside the SELECT clause.
// Source: Cassandra 5.0 FunctionCall.Raw.prepare.
func (p *preparation) call(t cql.Term, s spec) (term, error) {
	name, args := calledBy(t)
	f, err := p.resolveCall(t, s)
	switch {
	case err != nil:
		return term{}, err
	case f == nil:
		return term{}, invalid("Unknown function %s called", name)
	case f.Aggregate:
		return term{}, invalid("Aggregation function are not supported in the where clause")
	}
	out := f.Out
	if s.typ.Frozen {
		out = out.Freeze()
	}
	if fitType(s.typ, out) == notAssignable {
		if op := function.Operator(f.Name); op != 0 {
			return term{}, invalid("Type error: cannot assign result of operation %c (type %s) to %s (type %s)", op, f.Out, s.name, s.typ)
		}
		return term{}, invalid("Type error: cannot assign result of function %s (type %s) to %s (type %s)", f.FullName(), f.Out, s.name, s.typ)
	}
	terms := make([]term, len(args))
	for i, a := range args {
		if terms[i], err = p.prepare(a, argumentSpec(f, i)); err != nil {
			return term{}, err
		}
	}
	p.calls(f)
	return term{later: &later{kind: callLater, spec: s, terms: terms, fn: f}}, nil
}

// testCall says how well the result of a call suits a receiver. What is wrong
// with the call itself is told later, by call.
// Source: Cassandra 5.0 FunctionCall.Raw.testAssignment.
func (p *preparation) testCall(t cql.Term, s spec) fit {
	f, err := p.resolveCall(t, s)
	switch {
	case err != nil || f == nil || f.Keyspace == "" && function.HasFactory(f.Name):
		return weakly
	case s.typ.Equal(f.Out):
		return exact
	case compatible(s.typ, f.Out):
		return weakly
	}
	return notAssignable
}

// tokenFunction is token() of a table. Source: Cassandra 5.0 TokenFct.
func tokenFunction(t *schema.Table, p ring.Partitioner) *function.Function {
	args := make([]*types.Type, len(t.Key))
	for i, c := range t.Key {
		args[i] = c.Type
	}
	return &function.Function{Name: "token", Args: args, Out: tokenType(p), Factory: true,
		Eval: func(_ *function.Context, values [][]byte) ([]byte, error) {
			for _, v := range values {
				if v == nil {
					return nil, nil
				}
			}
			return tokenBytes(p, p.Token(schema.PartitionKeyBytes(values))), nil
		}}
}

// localToken is token() of a virtual table: its keys are their own tokens.
// Source: Cassandra 5.0 LocalPartitioner.
func localToken(t *schema.Table) (*function.Function, error) {
	if len(t.Key) > 1 {
		return nil, plan.Unsupported("token() of "+t.String(), "select the columns of the key")
	}
	of := t.Key[0].Type
	return &function.Function{Name: "token", Args: []*types.Type{of}, Out: of, Factory: true,
		Eval: func(_ *function.Context, values [][]byte) ([]byte, error) { return values[0], nil }}, nil
}

// tokenType is the type of a partitioner's tokens in CQL.
// Source: Cassandra 5.0 IPartitioner.getTokenValidator.
func tokenType(p ring.Partitioner) *types.Type {
	switch p.Name() {
	case "Murmur3Partitioner":
		return types.BigInt
	case "ByteOrderedPartitioner":
		return types.Blob
	case "OrderPreservingPartitioner":
		return types.Text
	}
	return types.Varint
}

// tokenBytes is a token as a value of tokenType.
func tokenBytes(p ring.Partitioner, t ring.Token) []byte {
	text := p.Format(t)
	kind := tokenType(p)
	if v, err := kind.FromString(text); err == nil {
		return v
	}
	return []byte(text)
}
