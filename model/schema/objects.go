package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"ringlab/model/types"
)

// View is what makes a table a materialized view: its base, whether it was
// defined with SELECT *, and its WHERE clause as CQL text. Holds says whether the
// clause lets a row of the base pass, by the values of its partition key and
// clustering; nil where it lets all pass.
// Source: Cassandra 5.0 ViewMetadata, View.matchesViewFilter.
type View struct {
	Base   string
	BaseID uuid.UUID
	All    bool
	Where  string
	Holds  func(key, clustering [][]byte) bool
	Strict bool // a column outside the base's primary key is part of the view's
}

// Strict says whether a row exists only by its own liveness, whatever cells it
// has: that of a view whose key holds another column of the base.
// Source: Cassandra 5.0 TableMetadata.enforceStrictLiveness.
func (t *Table) Strict() bool { return t.View != nil && t.View.Strict }

// IsView says whether the table is a materialized view.
func (t *Table) IsView() bool { return t.View != nil }

// Views are the materialized views of a base table in order of name.
func (k *Keyspace) Views(base string) []*Table {
	var out []*Table
	for _, name := range k.TableNames() {
		if t := k.Tables[name]; t.IsView() && t.View.Base == base {
			out = append(out, t)
		}
	}
	return out
}

// Function is a user-defined function. Source: Cassandra 5.0 UDFunction.
type Function struct {
	Keyspace     string
	Name         string
	ArgNames     []string
	Args         []*types.Type
	Returns      *types.Type
	CalledOnNull bool
	Language     string
	Body         string
	Made         uint64 // version of the schema that it came with: overloads are listed in this order
	Compiled     any    // the body in the form in which it runs; nil after a change of a user type that it takes or gives
}

// Aggregate is a user-defined aggregate. InitCond is the initial state, nil for
// null. Source: Cassandra 5.0 UDAggregate.
type Aggregate struct {
	Keyspace  string
	Name      string
	Args      []*types.Type
	StateFunc string
	StateType *types.Type
	FinalFunc string // "" for none
	Returns   *types.Type
	InitCond  []byte
	Made      uint64 // as of functions

	// The functions as they were when the aggregate was made: it goes on with them
	// when they are replaced. Nil after a change of a user type that it uses.
	Step, Final *Function
}

// Signature is what tells overloads apart: name(type, type).
func Signature(name string, args []*types.Type) string {
	return name + "(" + argumentTypes(args) + ")"
}

// BareType is the name of a type as functions show it: a tuple without the
// frozen around it. Source: Cassandra 5.0 CQL3Type.Tuple.toString(withFrozen).
func BareType(t *types.Type) string {
	if t.Kind == types.KindTuple {
		return strings.TrimSuffix(strings.TrimPrefix(t.String(), "frozen<"), ">")
	}
	return t.String()
}

func argumentTypes(args []*types.Type) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = BareType(a)
	}
	return strings.Join(texts, ", ")
}

// FunctionsUsing are the functions that take or give a user type, oldest first.
// Source: Cassandra 5.0 UserFunctions.referencingUserType.
func (k *Keyspace) FunctionsUsing(udt string) []*Function {
	return k.functions(func(f *Function) bool {
		uses := func(t *types.Type) bool { return t.ReferencesUDT(k.Name, udt) }
		return uses(f.Returns) || slices.ContainsFunc(f.Args, uses)
	})
}

// FunctionsNamed are the overloads of a function, oldest first.
func (k *Keyspace) FunctionsNamed(name string) []*Function {
	return k.functions(func(f *Function) bool { return f.Name == name })
}

func (k *Keyspace) functions(which func(*Function) bool) []*Function {
	var out []*Function
	for _, f := range k.Functions {
		if which(f) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *Function) int { return cmp.Compare(a.Made, b.Made) })
	return out
}

// AggregatesOn are the aggregates that call a function, oldest first.
// Source: Cassandra 5.0 UserFunctions.aggregatesUsingFunction.
func (k *Keyspace) AggregatesOn(f *Function) []*Aggregate {
	return k.aggregates(func(a *Aggregate) bool { return k.StepOf(a) == f || k.FinalOf(a) == f })
}

// AggregatesNamed are the overloads of an aggregate, oldest first.
func (k *Keyspace) AggregatesNamed(name string) []*Aggregate {
	return k.aggregates(func(a *Aggregate) bool { return a.Name == name })
}

func (k *Keyspace) aggregates(which func(*Aggregate) bool) []*Aggregate {
	var out []*Aggregate
	for _, a := range k.Aggregates {
		if which(a) {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b *Aggregate) int { return cmp.Compare(a.Made, b.Made) })
	return out
}

// StepOf is the state function of an aggregate of the keyspace.
func (k *Keyspace) StepOf(a *Aggregate) *Function {
	return k.Functions[Signature(a.StateFunc, append([]*types.Type{a.StateType}, a.Args...))]
}

// FinalOf is the final function of an aggregate of the keyspace, nil for none.
func (k *Keyspace) FinalOf(a *Aggregate) *Function {
	if a.FinalFunc == "" {
		return nil
	}
	return k.Functions[Signature(a.FinalFunc, []*types.Type{a.StateType})]
}
