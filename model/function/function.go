// Package function holds Cassandra's native functions: what they are called,
// which types they take, and what they compute. Binders choose among them and
// queries evaluate them. Everything is a function of its arguments and of a
// Context, which gives the clock, new identifiers and tokens.
// Source: Cassandra 5.0 NativeFunctions, AbstractFunction.
package function

import (
	"strings"
	"sync"

	"github.com/google/uuid"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Context is what impure functions ask for. A nil field is an error only of the
// functions that need it.
type Context struct {
	Now   func() int64     // µs since the epoch
	NewID func() uuid.UUID // for uuid()
}

// Function is one function with one signature: a native one, or a user-defined
// one as calls see it.
type Function struct {
	Keyspace  string // of a user-defined function; "" is system
	Name      string // without keyspace; of native functions in lower case
	Args      []*types.Type
	Out       *types.Type
	Aggregate bool // Eval is nil: see NewAggregate
	Impure    bool // equal arguments give different results
	Factory   bool // made for its arguments by a factory, so never an exact match
	Symbol    byte // of an operation, else 0
	Eval      func(c *Context, args [][]byte) ([]byte, error)

	New func() plan.Fold // of a user-defined aggregate
	Of  []*Function      // which a user-defined aggregate calls: for each row and, if there is one, at the end
}

// FullName is keyspace.name without quotes, as most refusals show it.
// Source: Cassandra 5.0 FunctionName.toString.
func (f *Function) FullName() string {
	if f.Keyspace == "" {
		return "system." + f.Name
	}
	return f.Keyspace + "." + f.Name
}

// ColumnName is the name of a result column that calls the function.
// Source: Cassandra 5.0 AbstractFunction.columnName and its overrides.
func (f *Function) ColumnName(args []string) string {
	switch {
	case f.Keyspace != "":
	case f.Symbol == 'n':
		return "-" + args[0]
	case f.Symbol != 0:
		return args[0] + " " + string(f.Symbol) + " " + args[1]
	case f.Name == "count_rows" || f.Name == "countRows":
		return "count"
	case strings.HasPrefix(f.Name, "cast_as_") || strings.HasPrefix(f.Name, "castAs"):
		return "cast(" + args[0] + " as " + f.Out.String() + ")"
	}
	return f.FullName() + "(" + strings.Join(args, ", ") + ")"
}

// String is the signature as refusals list it: system.abs : (int) -> int.
func (f *Function) String() string {
	names := make([]string, len(f.Args))
	for i, a := range f.Args {
		names[i] = schema.BareType(a)
	}
	keyspace := "system"
	if f.Keyspace != "" {
		keyspace = schema.Quote(f.Keyspace)
	}
	return keyspace + "." + schema.Quote(f.Name) + " : (" + strings.Join(names, ", ") + ") -> " + schema.BareType(f.Out)
}

// OperationName is the function behind an operator.
func OperationName(symbol byte) string { return operationNames[symbol] }

// Negation is the name of the function behind a unary minus.
const Negation = "_negate"

// Lookup gives the functions of fixed signature with that name, in an order
// that never changes; nil if there are none.
func Lookup(name string) []*Function { return registry()[name] }

var registry = sync.OnceValue(func() map[string][]*Function {
	m := map[string][]*Function{}
	add := func(f *Function, legacy ...string) {
		m[f.Name] = append(m[f.Name], f)
		for _, l := range legacy {
			c := *f
			c.Name = l
			m[l] = append(m[l], &c)
		}
	}
	addOperations(add)
	addMath(add)
	addCasts(add)
	addTimes(add)
	addBlobs(add)
	addAggregates(add)
	return m
})

// anyNull reports a null among the arguments.
func anyNull(args [][]byte) bool {
	for _, a := range args {
		if a == nil {
			return true
		}
	}
	return false
}
