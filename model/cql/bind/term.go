package bind

import (
	"fmt"
	"strconv"

	"ringlab/model/cql"
	"ringlab/model/function"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// spec is what a value is meant for: a column, an element of one, a function's
// argument. Its name is only for refusals and for the metadata of markers.
// Source: Cassandra 5.0 ColumnSpecification.
type spec struct {
	name   string
	typ    *types.Type
	column *schema.Column // nil if it is no column itself
}

func columnSpec(c *schema.Column) spec { return spec{c.Name, c.Type, c} }

func elementSpec(s spec) spec {
	return spec{name: "value(" + s.name + ")", typ: s.typ.Elems[len(s.typ.Elems)-1]}
}
func keySpec(s spec) spec   { return spec{name: "key(" + s.name + ")", typ: s.typ.Elems[0]} }
func indexSpec(s spec) spec { return spec{name: "idx(" + s.name + ")", typ: types.Int} }

func fieldSpec(s spec, i int) spec {
	if s.typ.Kind == types.KindUDT {
		return spec{name: s.name + "." + s.typ.Names[i], typ: s.typ.Elems[i]}
	}
	return spec{name: s.name + "[" + strconv.Itoa(i) + "]", typ: s.typ.Elems[i]}
}

// preparation is the state of one statement while it is checked, before values
// are bound.
type preparation struct {
	env     *Env
	table   *schema.Table
	markers []spec               // by index, as far as they have been met
	called  []*function.Function // user-defined ones, where somebody is to be asked for them
	misfit  error                // of a list literal where none can be, found while testing
	once    bool                 // what was prepared holds for this environment alone
}

// term is a checked value expression. Most are known at once; the others wait
// for bound values or are computed each time.
// Source: Cassandra 5.0 Term.
type term struct {
	value []byte // nil is null
	later *later // nil: value is the value
}

type laterKind uint8

const (
	marker laterKind = iota
	listLater
	setLater
	mapLater
	tupleLater
	udtLater
	vectorLater
	callLater
	jsonLater
)

// later is a term that is settled when values are bound.
type later struct {
	kind  laterKind
	spec  spec
	index int    // marker
	terms []term // elements, or keys and values in turn, or arguments
	fn    *function.Function

	json   *jsonRow // INSERT JSON: the value of a column of an object
	column *schema.Column
	unset  bool
}

// bind gives the value, nil for null; unset says that a marker was left unset.
// Source: Cassandra 5.0 Term.bindAndGet.
func (t term) bind(env *Env) (value []byte, unset bool, err error) {
	if t.later == nil {
		return t.value, false, nil
	}
	return t.later.bind(env)
}

// hasMarker reports whether a bound value takes part.
func (t term) hasMarker() bool {
	if t.later == nil {
		return false
	}
	if t.later.kind == marker {
		return true
	}
	for _, e := range t.later.terms {
		if e.hasMarker() {
			return true
		}
	}
	return false
}

func (l *later) bind(env *Env) ([]byte, bool, error) {
	switch l.kind {
	case marker:
		return l.bound(env)
	case jsonLater:
		return l.json.value(l.column, l.unset, env)
	}
	values := make([][]byte, len(l.terms))
	for i, t := range l.terms {
		v, unset, err := t.bind(env)
		if err != nil {
			return nil, false, err
		}
		switch l.kind {
		case listLater, setLater, mapLater:
			if v == nil && !unset {
				return nil, false, plan.Invalid("null is not supported inside collections")
			}
			if unset {
				if l.kind == mapLater && i%2 == 0 {
					return nil, false, plan.Invalid("unset value is not supported for map keys")
				}
				return nil, true, nil
			}
		case vectorLater:
			if v == nil || unset || len(v) == 0 && l.spec.typ.Elems[0].EmptyMeaningless() {
				return nil, false, plan.Invalid("null is not supported inside vectors")
			}
		case tupleLater:
			if unset {
				return nil, false, plan.Invalid("Invalid unset value for tuple field number %d", i)
			}
		case udtLater:
			if unset && l.spec.typ.Frozen {
				return nil, false, plan.Invalid("Invalid unset value for field '%s' of user defined type %s", l.spec.typ.Names[i], l.spec.typ.Name)
			}
			if unset { // the mark of an unset value is an empty one
				v = []byte{}
			}
		case callLater:
			if unset {
				return nil, false, plan.Invalid("Invalid unset value for argument in call to function %s", l.fn.Name)
			}
		}
		values[i] = v
	}
	v, err := l.assemble(env, values)
	return v, false, err
}

// assemble makes one value of its parts.
func (l *later) assemble(env *Env, values [][]byte) ([]byte, error) {
	switch l.kind {
	case listLater:
		return types.EncodeCollection(values), nil
	case setLater:
		return types.EncodeCollection(l.spec.typ.Elems[0].SortUnique(values)), nil
	case mapLater:
		return types.EncodeMap(l.spec.typ.Elems[0].SortMap(values)), nil
	case vectorLater:
		return l.spec.typ.EncodeVector(values), nil
	case callLater:
		v, err := l.fn.Eval(env.functions(), values)
		if err == nil && v != nil && l.fn.Keyspace == "" && l.fn.Out.Validate(v) != nil {
			return nil, plan.Fault(fmt.Sprintf("java.lang.RuntimeException: Return of function %s (%x) is not a valid value for its declared return type %s", l.fn, v, l.fn.Out))
		}
		return v, err
	}
	return types.EncodeTuple(values), nil
}

// bound is the value of a marker, checked against its type.
// Source: Cassandra 5.0 Constants.Marker.bindAndGet, Lists.Value.fromSerialized.
func (l *later) bound(env *Env) ([]byte, bool, error) {
	if l.index < len(env.Unset) && env.Unset[l.index] {
		return nil, true, nil
	}
	if l.index >= len(env.Args) || env.Args[l.index] == nil {
		return nil, false, nil
	}
	v, t := env.Args[l.index], l.spec.typ
	if t.IsCollection() && len(v) >= 4 && types.DecodeInt32(v) < 0 {
		return nil, false, plan.Invalid("The data cannot be deserialized as a %s", [...]string{"list", "set", "map"}[t.Kind-types.KindList])
	}
	if err := t.ValidateNullable(v); err != nil {
		if fault, ok := err.(*types.Fault); ok {
			return nil, false, plan.Fault(fault.Msg)
		}
		if t.Kind == types.KindUDT { // UserTypes.Marker does not catch it
			return nil, false, &plan.Error{Code: plan.ServerError, Message: "org.apache.cassandra.serializers.MarshalException: " + err.Error()}
		}
		return nil, false, plan.Invalid("%s", err.Error())
	}
	switch t.Kind {
	case types.KindList:
		if elems, ok := types.DecodeCollection(v); ok && meaningless(t.Elems[0], elems) {
			v = types.EncodeCollection(elems)
		}
	case types.KindSet:
		if elems, ok := types.DecodeCollection(v); ok {
			v = types.EncodeCollection(t.Elems[0].SortUnique(elems))
		}
	case types.KindMap:
		if kv, ok := types.DecodeMap(v); ok {
			v = types.EncodeMap(t.Elems[0].SortMap(kv))
		}
	}
	return v, false, nil
}

// raw is what was bound to a marker, nil if nothing was.
func (l *later) raw(env *Env) []byte {
	if l.index >= len(env.Args) || l.index < len(env.Unset) && env.Unset[l.index] {
		return nil
	}
	return env.Args[l.index]
}

// meaningless makes members of a bound list null that are empty and say nothing, as
// reading the list does, and says whether there are any.
// Source: Cassandra 5.0 Lists.Value.fromSerialized.
func meaningless(t *types.Type, members [][]byte) (some bool) {
	for i, m := range members {
		if m != nil && len(m) == 0 && t.EmptyMeaningless() {
			members[i], some = nil, true
		}
	}
	return some
}

// members are the elements of the list that is bound to IN ?; unlike those of a
// column's list they may be null. ok is false where there is no list.
// Source: Cassandra 5.0 Lists.Value.fromSerialized, ListSerializer.deserialize.
func (l *later) members(env *Env) (elems [][]byte, unset, ok bool, err error) {
	if l.index >= len(env.Args) || env.Args[l.index] == nil || l.index < len(env.Unset) && env.Unset[l.index] {
		_, unset, err = l.bound(env)
		return nil, unset, false, err
	}
	elems, ok = types.DecodeCollection(env.Args[l.index])
	if !ok || len(elems) == 0 {
		_, _, err = l.bound(env)
		return nil, false, err == nil, err
	}
	for _, e := range elems {
		if e == nil {
			continue
		}
		if err := l.spec.typ.Elems[0].Validate(e); err != nil {
			return nil, false, false, plan.Invalid("%s", err.Error())
		}
	}
	meaningless(l.spec.typ.Elems[0], elems)
	return elems, false, true, nil
}

// functions is the context in which functions are evaluated.
func (env *Env) functions() *function.Context {
	return &function.Context{Now: env.Now, NewID: env.NewID}
}

// prepare checks a value expression against what it is meant for.
// Source: Cassandra 5.0 Term.Raw.prepare.
func (p *preparation) prepare(t cql.Term, s spec) (term, error) {
	switch t := t.(type) {
	case *cql.Constant:
		return p.constant(t, s)
	case *cql.Null:
		if s.typ.IsCounter() {
			return term{}, plan.Invalid("Invalid null value for counter increment/decrement")
		}
		return term{}, nil
	case *cql.Marker:
		return p.marker(t, s), nil
	case *cql.TypeHint:
		return p.hint(t, s)
	case *cql.FunctionCall, *cql.Cast, *cql.BinaryOp, *cql.UnaryMinus:
		return p.call(t, s)
	}
	return p.composite(t, s)
}

// constant checks and reads a literal.
// Source: Cassandra 5.0 Constants.Literal.prepare.
func (p *preparation) constant(c *cql.Constant, s spec) (term, error) {
	kind := types.ConstKind(c.Kind)
	if !s.typ.Accepts(kind) && s.typ.Assign(kind, c.Text) == types.NotAssignable {
		return term{}, plan.Invalid("%s", types.InvalidConstant(kind, c.Text, s.name, s.typ))
	}
	v, err := s.typ.FromConstant(kind, c.Text)
	if err == types.ErrNow {
		p.once = true
		v = types.EncodeInt64(p.env.Now() / 1000)
	} else if fault, ok := err.(*types.Fault); ok {
		return term{}, plan.Fault(fault.Msg)
	} else if err != nil {
		return term{}, plan.Invalid("%s", err.Error())
	}
	if v == nil {
		v = []byte{}
	}
	return term{value: v}, nil
}

// hint checks (type) value. Source: Cassandra 5.0 TypeCast.prepare.
func (p *preparation) hint(h *cql.TypeHint, s spec) (term, error) {
	t, err := p.resolve(h.Type)
	if err != nil {
		return term{}, err
	}
	if p.test(h.Term, spec{name: h.String(), typ: t}) == notAssignable {
		return term{}, plan.Invalid("Cannot cast value %s to type %s", h.Term, typeText(h.Type))
	}
	if fitType(s.typ, t) == notAssignable {
		return term{}, plan.Invalid("Cannot assign value %s to %s of type %s", h, s.name, s.typ)
	}
	return p.prepare(h.Term, s)
}
