package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// resolveType gives the type that was written, seen from a statement on a
// keyspace, which counts only where user types are named.
// Source: Cassandra 5.0 CQL3Type.Raw.prepare.
func resolveType(env *Env, keyspace string, t cql.TypeExpr) (*types.Type, error) {
	if err := checkFrozen(t); err != nil {
		return nil, err
	}
	r := typeResolver{keyspace: keyspace, known: env.Schema.Keyspace(keyspace)}
	return r.resolve(t, false)
}

// typeResolver looks up user types in the only keyspace that a statement may
// take them from.
type typeResolver struct {
	keyspace string
	known    *schema.Keyspace // nil if it does not exist
}

// resolve freezes what stands inside something frozen. Tuples and vectors
// always are.
func (r typeResolver) resolve(t cql.TypeExpr, frozen bool) (*types.Type, error) {
	frozen = frozen || t.Frozen
	switch t.Kind {
	case cql.NativeType:
		return native(t.Name.Text)
	case cql.CustomType:
		return customType(t.Name.Text)
	case cql.UserType:
		return r.userType(t, frozen)
	case cql.TupleType:
		return r.tuple(t)
	case cql.VectorType:
		return r.vector(t)
	}
	if err := checkCollection(t, frozen); err != nil {
		return nil, err
	}
	elems := make([]*types.Type, len(t.Args))
	for i := len(t.Args) - 1; i >= 0; i-- { // values before keys
		e, err := r.resolve(t.Args[i], frozen)
		if err != nil {
			return nil, err
		}
		elems[i] = e
	}
	var c *types.Type
	switch t.Kind {
	case cql.ListType:
		c = types.ListOf(elems[0])
	case cql.SetType:
		c = types.SetOf(elems[0])
	default:
		c = types.MapOf(elems[0], elems[1])
	}
	if frozen {
		c = c.Freeze()
	}
	return c, nil
}

func native(name string) (*types.Type, error) {
	if t, ok := types.Native(name); ok {
		return t, nil
	}
	return nil, plan.Invalid("Unknown type %s", name)
}

// checkCollection refuses elements that a collection cannot hold.
// Source: Cassandra 5.0 CQL3Type.Raw.RawCollection.prepare.
func checkCollection(t cql.TypeExpr, frozen bool) error {
	value := t.Args[len(t.Args)-1]
	switch {
	case !frozen && multiCell(value):
		return nested(t, value)
	case isNative(value, "counter"):
		return plan.Invalid("Counters are not allowed inside collections: %s", typeText(t))
	case t.Kind == cql.SetType && isNative(value, "duration"):
		return plan.Invalid("Durations are not allowed inside sets: %s", typeText(t))
	case t.Kind != cql.MapType:
		return nil
	}
	key := t.Args[0]
	switch {
	case isNative(key, "counter"):
		return plan.Invalid("Counters are not allowed inside collections: %s", typeText(t))
	case isNative(key, "duration"):
		return plan.Invalid("Durations are not allowed as map keys: %s", typeText(t))
	case !frozen && multiCell(key):
		return nested(t, key)
	}
	return nil
}

func nested(outer, inner cql.TypeExpr) error {
	what := "UDTs"
	if inner.Kind != cql.UserType {
		what = "collections"
	}
	return plan.Invalid("Non-frozen %s are not allowed inside collections: %s", what, typeText(outer))
}

// multiCell says whether a type as written has a cell for each of its elements.
func multiCell(t cql.TypeExpr) bool {
	switch t.Kind {
	case cql.ListType, cql.SetType, cql.MapType, cql.UserType:
		return !t.Frozen
	}
	return false
}

func isNative(t cql.TypeExpr, name string) bool {
	return t.Kind == cql.NativeType && t.Name.Text == name
}

// Source: Cassandra 5.0 CQL3Type.Raw.RawUT.prepare.
func (r typeResolver) userType(t cql.TypeExpr, frozen bool) (*types.Type, error) {
	if ks := t.Keyspace.Text; ks != "" && ks != r.keyspace {
		return nil, plan.Invalid("Statement on keyspace %s cannot refer to a user type in keyspace %s; "+
			"user types can only be used in the keyspace they are defined in", r.keyspace, ks)
	}
	var udt *types.Type
	if r.known != nil {
		udt = r.known.Types[t.Name.Text]
	}
	switch {
	case r.known == nil && !schema.System(r.keyspace) && r.keyspace != "":
		return nil, plan.Config("Keyspace %s doesn't exist", r.keyspace)
	case udt == nil && r.keyspace == "":
		return nil, plan.Invalid("Unknown type %s", t.Name.Text)
	case udt == nil:
		return nil, plan.Invalid("Unknown type %s.%s", r.keyspace, t.Name.Text)
	case frozen:
		return udt.Freeze(), nil
	}
	return udt, nil
}

// Source: Cassandra 5.0 CQL3Type.Raw.RawTuple.prepare.
func (r typeResolver) tuple(t cql.TypeExpr) (*types.Type, error) {
	fields := make([]*types.Type, len(t.Args))
	for i, a := range t.Args {
		if isNative(a, "counter") {
			return nil, plan.Invalid("Counters are not allowed inside tuples")
		}
		f, err := r.resolve(a, true)
		if err != nil {
			return nil, err
		}
		fields[i] = f
	}
	return types.TupleOf(fields...), nil
}

// vector resolves a vector; its elements may be counters, which are then like
// any other value. Source: Cassandra 5.0 CQL3Type.Raw.RawVector.prepare, VectorType.
func (r typeResolver) vector(t cql.TypeExpr) (*types.Type, error) {
	elem, err := r.resolve(t.Args[0], t.Args[0].Frozen)
	switch {
	case err != nil:
		return nil, err
	case t.Dim <= 0:
		return nil, plan.Invalid("vectors may only have positive dimensions; given %d", t.Dim)
	}
	return types.VectorOf(elem, t.Dim), nil
}
