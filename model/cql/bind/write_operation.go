package bind

import (
	"math"
	"slices"

	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// operation is what a statement does to one column, before values are bound.
// Source: Cassandra 5.0 Operation.
type operation struct {
	column   *schema.Column
	kind     plan.AssignKind
	key      term // of an element, or a constant for a field
	value    term
	negative bool // counters: take away
	tuple    bool // a tuple literal for a UDT, on which Cassandra stumbles
}

// bind appends the assignment; an unset value gives none.
func (o *operation) bind(out []plan.Assign, env *Env) ([]plan.Assign, error) {
	a := plan.Assign{Column: o.column, Kind: o.kind}
	t := o.column.Type
	switch o.kind {
	case plan.Remove:
		return append(out, a), nil
	case plan.SetElement, plan.RemoveElement:
		return o.bindElement(out, a, env)
	case plan.Add:
		return o.bindCounter(out, a, env)
	}
	v, unset, err := o.value.bind(env)
	switch {
	case err == nil && unset && o.kind == plan.Append && t.Kind == types.KindList: // Lists.Appender does not look
		return out, notCollectionValue(t)
	case err != nil || unset:
		return out, err
	case o.tuple:
		return out, &plan.Error{Code: plan.ServerError, Message: "java.lang.ClassCastException: class org.apache.cassandra.cql3.Tuples$Value " +
			"cannot be cast to class org.apache.cassandra.cql3.UserTypes$Value (org.apache.cassandra.cql3.Tuples$Value and " +
			"org.apache.cassandra.cql3.UserTypes$Value are in unnamed module of loader 'app')"}
	}
	switch {
	case !t.IsMultiCell():
		a.Value = v
	case o.kind == plan.Set:
		a.Elems = cells(t, v)
	case v == nil:
		return out, nil
	case o.kind == plan.Discard && t.Kind == types.KindList:
		a.Elems = slices.DeleteFunc(cells(t, v), func(e []byte) bool { return e == nil }) // no cell is null
	case o.kind == plan.Discard && t.Kind == types.KindMap:
		a.Elems, _ = types.DecodeCollection(v)
	default:
		a.Elems = cells(t, v)
	}
	if t.IsMultiCell() && t.Kind == types.KindList && hasNull([][][]byte{a.Elems}) {
		return out, &plan.Error{Code: plan.ServerError, Message: `java.lang.NullPointerException: Cannot invoke "java.nio.ByteBuffer.remaining()" because "value" is null`}
	}
	if t.IsMultiCell() && o.kind != plan.Set && len(a.Elems) == 0 && o.kind != plan.Discard {
		return out, nil
	}
	return append(out, a), nil
}

// notCollectionValue is the internal error of Cassandra for the mark of an unset
// value where it takes a collection for granted.
func notCollectionValue(t *types.Type) error {
	const value = "org.apache.cassandra.cql3.Constants$Value"
	want := "org.apache.cassandra.cql3." + map[types.Kind]string{types.KindList: "Lists", types.KindSet: "Sets", types.KindMap: "Maps"}[t.Kind] + "$Value"
	return plan.Fault("java.lang.ClassCastException: class " + value + " cannot be cast to class " + want +
		" (" + value + " and " + want + " are in unnamed module of loader 'app')")
}

// cells are the elements of a value, as plan.Assign holds them.
func cells(t *types.Type, v []byte) [][]byte {
	if v == nil {
		return nil
	}
	switch t.Kind {
	case types.KindMap:
		kv, _ := types.DecodeMap(v)
		return kv
	case types.KindUDT:
		fields, _ := t.DecodeTuple(v)
		var out [][]byte
		for i, f := range fields {
			if f != nil {
				out = append(out, fieldIndex(i), f)
			}
		}
		return out
	}
	elems, _ := types.DecodeCollection(v)
	return elems
}

// fieldIndex is the cell path of a field of a UDT.
func fieldIndex(i int) []byte { return []byte{byte(i >> 8), byte(i)} }

// bindElement is c[key] = value, c.field = value or their deletion.
// Source: Cassandra 5.0 Lists.SetterByIndex, Maps.SetterByKey, UserTypes.SetterByField and the discarders.
func (o *operation) bindElement(out []plan.Assign, a plan.Assign, env *Env) ([]plan.Assign, error) {
	key, unset, err := o.key.bind(env)
	if err != nil {
		return out, err
	}
	var v []byte
	var unsetValue bool
	if o.kind == plan.SetElement {
		if v, unsetValue, err = o.value.bind(env); err != nil {
			return out, err
		}
	}
	what := map[types.Kind]string{types.KindList: "value for list index", types.KindMap: "map key", types.KindSet: "set element"}[o.column.Type.Kind]
	switch {
	case unset && o.kind == plan.RemoveElement && o.column.Type.Kind != types.KindMap:
		return out, nil
	case unset:
		return out, invalid("Invalid unset %s", what)
	case key == nil:
		return out, invalid("Invalid null %s", what)
	case len(key) == 0 && o.column.Type.Kind == types.KindList:
		return out, plan.Fault("java.lang.IndexOutOfBoundsException")
	case unsetValue:
		return out, nil
	}
	a.Key, a.Value = key, v
	return append(out, a), nil
}

// bindCounter is c = c + n or c = c - n.
// Source: Cassandra 5.0 Constants.Adder, Constants.Substracter.
func (o *operation) bindCounter(out []plan.Assign, a plan.Assign, env *Env) ([]plan.Assign, error) {
	v, unset, err := o.value.bind(env)
	switch {
	case err != nil || unset:
		return out, err
	case v == nil:
		return out, invalid("Invalid null value for counter increment")
	case len(v) == 0: // what a bigint may be, but no number
		return out, &plan.Error{Code: plan.ServerError, Message: "java.lang.IndexOutOfBoundsException"}
	}
	if o.negative {
		n := types.DecodeInt64(v)
		if n == math.MinInt64 {
			return out, invalid("The negation of %d overflows supported counter precision (signed 8 bytes integer)", n)
		}
		v = types.EncodeInt64(-n)
	}
	a.Value = v
	return append(out, a), nil
}
