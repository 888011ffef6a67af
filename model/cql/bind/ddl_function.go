package bind

import (
	"slices"
	"strings"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// createFunction is CREATE FUNCTION.
// Source: Cassandra 5.0 CreateFunctionStatement.
func createFunction(s *cql.CreateFunction, env *Env) (*plan.SchemaChange, error) {
	keyspace, err := openRoutine(s.Func, env)
	if err != nil {
		return nil, err
	}
	name := s.Func.Name.Text
	written, names := make([]cql.TypeExpr, len(s.Args)), make([]string, len(s.Args))
	for i, a := range s.Args {
		written[i], names[i] = a.Type, a.Name.Text
	}
	if err := mayCreateRoutine(env, keyspace, name, written, s.OrReplace); err != nil {
		return nil, err
	}
	switch {
	case s.IfNotExists && s.OrReplace:
		return nil, plan.Invalid("Cannot use both 'OR REPLACE' and 'IF NOT EXISTS' directives")
	case s.Language.Text != "java":
		return nil, plan.Invalid("Currently only Java UDFs are available in Cassandra. For more information - CASSANDRA-18252 and CASSANDRA-17281")
	case len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names):
		return nil, plan.Invalid("Duplicate argument names for given function %s with argument names [%s]", name, strings.Join(names, ", "))
	}
	if err := refuseFrozen("Argument", keyspace, written...); err != nil {
		return nil, err
	}
	if err := refuseFrozen("Return type", keyspace, s.Returns); err != nil {
		return nil, err
	}
	k := env.Schema.Keyspace(keyspace)
	if k == nil {
		return nil, plan.Invalid("Keyspace '%s' doesn't exist", keyspace)
	}
	f := &schema.Function{Keyspace: keyspace, Name: name, ArgNames: names, CalledOnNull: s.CalledOnNull, Language: s.Language.Text, Body: s.Body.Text,
		Made: env.Schema.Version + 1}
	if f.Args, err = resolveAll(k, written); err != nil {
		return nil, err
	}
	if f.Returns, err = (typeResolver{keyspace: keyspace, known: k}).resolve(s.Returns, false); err != nil {
		return nil, err
	}
	if f.Compiled, err = compileFunction(k, f); err != nil {
		return nil, err
	}
	signature := schema.Signature(name, f.Args)
	before := k.Functions[signature]
	if before == nil {
		if k.Aggregates[signature] != nil {
			return nil, plan.Invalid("Function '%s' cannot replace an aggregate", name)
		}
	} else if s.IfNotExists {
		return unchanged(env), nil
	} else if err := checkReplacedFunction(s, before, f); err != nil {
		return nil, err
	}
	next := k.Clone()
	next.Functions[signature] = f
	return routineChanged(env, next, before != nil, "FUNCTION", name, f.Args), nil
}

func checkReplacedFunction(s *cql.CreateFunction, before, f *schema.Function) error {
	switch {
	case !s.OrReplace:
		return plan.Invalid("Function '%s' already exists", f.Name)
	case f.CalledOnNull != before.CalledOnNull && f.CalledOnNull:
		return plan.Invalid("Function '%s' must have CALLED ON NULL INPUT directive", f.Name)
	case f.CalledOnNull != before.CalledOnNull:
		return plan.Invalid("Function '%s' must have RETURNS NULL ON NULL INPUT directive", f.Name)
	case !replaces(f.Returns, before.Returns):
		return plan.Invalid("Cannot replace function '%s', the new return type %s is not compatible with the return type %s of existing function",
			f.Name, schema.BareType(f.Returns), schema.BareType(before.Returns))
	}
	return nil
}

// replaces says whether a result of that type may replace the other one.
// Source: Cassandra 5.0 AbstractType.isCompatibleWith, BytesType, UTF8Type.
func replaces(t, previous *types.Type) bool {
	return t.Equal(previous) || t.Kind == types.KindBlob || t.Kind == types.KindText && previous.Kind == types.KindAscii
}

// dropFunction is DROP FUNCTION. Source: Cassandra 5.0 DropFunctionStatement.
func dropFunction(s *cql.DropFunction, env *Env) (*plan.SchemaChange, error) {
	d := routineDrop{what: "Function", name: s.Func, types: s.Types, hasTypes: s.HasTypes, ifExists: s.IfExists}
	k, args, err := d.open(env)
	if err != nil || k == nil {
		return unchanged(env), err
	}
	for _, f := range k.FunctionsNamed(s.Func.Name.Text) {
		if s.HasTypes && schema.Signature(f.Name, args) != schema.Signature(f.Name, f.Args) {
			continue
		}
		if users := k.AggregatesOn(f); len(users) > 0 {
			names := texts(users, func(a *schema.Aggregate) string { return a.Keyspace + "." + a.Name })
			return nil, plan.Invalid("Function '%s' is still referenced by aggregates %s", d.text(k.Name, writtenTypes(s.Types, k.Name)), names)
		}
		next := k.Clone()
		delete(next.Functions, schema.Signature(f.Name, f.Args))
		return routineDropped(env, next, "FUNCTION", f.Name, f.Args), nil
	}
	return d.missing(env, k.Name)
}

// dropAggregate is DROP AGGREGATE. Source: Cassandra 5.0 DropAggregateStatement.
func dropAggregate(s *cql.DropAggregate, env *Env) (*plan.SchemaChange, error) {
	d := routineDrop{what: "Aggregate", name: s.Func, types: s.Types, hasTypes: s.HasTypes, ifExists: s.IfExists}
	k, args, err := d.open(env)
	if err != nil || k == nil {
		return unchanged(env), err
	}
	for _, a := range k.AggregatesNamed(s.Func.Name.Text) {
		if s.HasTypes && schema.Signature(a.Name, args) != schema.Signature(a.Name, a.Args) {
			continue
		}
		next := k.Clone()
		delete(next.Aggregates, schema.Signature(a.Name, a.Args))
		return routineDropped(env, next, "AGGREGATE", a.Name, a.Args), nil
	}
	return d.missing(env, k.Name)
}

// routineDrop is what DROP FUNCTION and DROP AGGREGATE have in common.
type routineDrop struct {
	what     string
	name     cql.QualifiedName
	types    []cql.TypeExpr
	hasTypes bool
	ifExists bool
}

// open checks the statement up to the search; a nil keyspace without error means
// that there is nothing to drop.
func (d *routineDrop) open(env *Env) (*schema.Keyspace, []*types.Type, error) {
	keyspace, err := openRoutine(d.name, env)
	if err != nil {
		return nil, nil, err
	}
	if err := d.mayDrop(env, keyspace); err != nil {
		return nil, nil, err
	}
	k, name := env.Schema.Keyspace(keyspace), d.name.Name.Text
	if k == nil {
		_, err := d.missing(env, keyspace)
		return nil, nil, err
	}
	if len(k.FunctionsNamed(name))+len(k.AggregatesNamed(name)) > 1 && !d.hasTypes {
		what := strings.ToUpper(d.what)
		return nil, nil, plan.Invalid("'DROP %s %s' matches multiple function definitions; specify the argument types by issuing a statement like "+
			"'DROP %s %s (type, type, ...)'. You can use cqlsh 'DESCRIBE %s %s' command to find all overloads", what, name, what, name, what, name)
	}
	if err := refuseFrozen("Argument", keyspace, d.types...); err != nil {
		return nil, nil, err
	}
	args, err := resolveAll(k, d.types)
	return k, args, err
}

// text is the routine as refusals name it.
func (d *routineDrop) text(keyspace, types string) string {
	text := keyspace + "." + d.name.Name.Text
	if d.hasTypes {
		text += "(" + types + ")"
	}
	return text
}

func (d *routineDrop) missing(env *Env, keyspace string) (*plan.SchemaChange, error) {
	types := texts(d.types, typeText)
	if env.Schema.Keyspace(keyspace) != nil {
		types = writtenTypes(d.types, keyspace)
	}
	if d.ifExists {
		return unchanged(env), nil
	}
	return nil, plan.Invalid("%s '%s' doesn't exist", d.what, d.text(keyspace, types))
}

// openRoutine is the keyspace of a function or aggregate that a statement may
// create or drop.
func openRoutine(q cql.QualifiedName, env *Env) (string, error) {
	keyspace, err := keyspaceOf(q, env)
	switch {
	case err != nil:
		return "", err
	case schema.LocalSystem(keyspace):
		return "", plan.Invalid("System keyspace '%s' is not user-modifiable", keyspace)
	case schema.System(keyspace):
		return "", plan.Unsupported("functions in the keyspace "+keyspace, "create them in a keyspace of your own")
	}
	return keyspace, checkKeyspaceName(keyspace)
}

// refuseFrozen refuses frozen<> around what functions take unfrozen.
// Source: Cassandra 5.0 CQL3Type.Raw.isImplicitlyFrozen.
func refuseFrozen(what, keyspace string, list ...cql.TypeExpr) error {
	for _, t := range list {
		if err := checkFrozen(t); err != nil {
			return err
		}
	}
	for _, t := range list {
		if t.Frozen && t.Kind != cql.TupleType && t.Kind != cql.VectorType {
			text := writtenIn(t, keyspace)
			return plan.Invalid("%s '%s' cannot be frozen; remove frozen<> modifier from '%s'", what, text, text)
		}
	}
	return nil
}

func resolveAll(k *schema.Keyspace, list []cql.TypeExpr) ([]*types.Type, error) {
	out := make([]*types.Type, len(list))
	for i, t := range list {
		var err error
		if out[i], err = (typeResolver{keyspace: k.Name, known: k}).resolve(t, false); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// writtenTypes are types as written, with the keyspace before user types.
func writtenTypes(list []cql.TypeExpr, keyspace string) string {
	return texts(list, func(t cql.TypeExpr) string { return writtenIn(t, keyspace) })
}

// texts joins the texts of things with commas.
func texts[T any](list []T, text func(T) string) string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = text(t)
	}
	return strings.Join(out, ", ")
}

func routineChanged(env *Env, next *schema.Keyspace, replaced bool, target, name string, args []*types.Type) *plan.SchemaChange {
	change := "CREATED"
	if replaced {
		change = "UPDATED"
	}
	return routineEvent(changed(env.Schema.With(next), change, target, next.Name, name), args)
}

func routineDropped(env *Env, next *schema.Keyspace, target, name string, args []*types.Type) *plan.SchemaChange {
	return routineEvent(changed(env.Schema.With(next), "DROPPED", target, next.Name, name), args)
}

// routineEvent adds the argument types to the event of a change.
func routineEvent(c *plan.SchemaChange, args []*types.Type) *plan.SchemaChange {
	c.Event.Args = make([]string, len(args))
	for i, t := range args {
		c.Event.Args[i] = schema.BareType(t)
	}
	return c
}
