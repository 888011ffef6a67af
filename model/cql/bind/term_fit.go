package bind

import (
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/types"
)

// fit says how well a value suits what it is meant for.
// Source: Cassandra 5.0 AssignmentTestable.TestResult.
type fit uint8

const (
	notAssignable fit = iota
	weakly
	exact
)

// compatible says whether values of type from can stand where to is expected.
// Source: Cassandra 5.0 AbstractType.isValueCompatibleWith and its overrides.
func compatible(to, from *types.Type) bool {
	if to.Equal(from) {
		return true
	}
	switch to.Kind {
	case types.KindBlob:
		return true
	case types.KindText:
		return from.Kind == types.KindAscii
	case types.KindVarint:
		return from.Kind == types.KindInt || from.Kind == types.KindBigInt || from.Kind == types.KindTimestamp
	case types.KindBigInt:
		return from.Kind == types.KindTimestamp
	case types.KindTimestamp, types.KindTime:
		return from.Kind == types.KindBigInt || from.Kind == types.KindTimestamp && to.Kind == types.KindTimestamp // DateType
	case types.KindTimeUUID: // LegacyTimeUUIDType
		return from.Kind == types.KindTimeUUID
	case types.KindDate:
		return from.Kind == types.KindInt
	case types.KindUUID:
		return from.Kind == types.KindTimeUUID
	case types.KindTuple:
		if from.Kind != types.KindTuple && from.Kind != types.KindUDT || len(from.Elems) > len(to.Elems) {
			return false
		}
		for i, e := range from.Elems {
			if !compatible(to.Elems[i], e) {
				return false
			}
		}
		return true
	case types.KindList, types.KindSet, types.KindMap:
		if from.Kind != to.Kind || from.Frozen != to.Frozen {
			return false
		}
		for i := range to.Elems {
			if to.Kind == types.KindList || i == 1 {
				if !compatible(to.Elems[i], from.Elems[i]) {
					return false
				}
			} else if !to.Elems[i].Equal(from.Elems[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// fitType tests a value of a known type against a receiver's type as it stands.
func fitType(receiver, t *types.Type) fit {
	switch {
	case receiver.Equal(t):
		return exact
	case compatible(receiver, t):
		return weakly
	}
	return notAssignable
}

// fitAny is fitType where frozen or not makes no difference.
// Source: Cassandra 5.0 AbstractType.testAssignment.
func fitAny(receiver, t *types.Type) fit {
	if t.Frozen {
		receiver = receiver.Freeze()
	}
	return fitType(receiver, t)
}

// all is the worst of several fits.
func all(fits ...fit) fit {
	worst := exact
	for _, f := range fits {
		worst = min(worst, f)
	}
	return worst
}

// test says how well a term suits a receiver, without preparing it.
// Source: Cassandra 5.0 Term.Raw.testAssignment.
func (p *preparation) test(t cql.Term, s spec) fit {
	switch t := t.(type) {
	case *cql.Constant:
		return fit(s.typ.Assign(types.ConstKind(t.Kind), t.Text))
	case *cql.Null:
		if s.typ.IsCounter() {
			return notAssignable
		}
		return weakly
	case *cql.Marker:
		return weakly
	case *cql.TypeHint:
		to, err := p.resolve(t.Type)
		if err != nil {
			return notAssignable
		}
		return fitType(s.typ, to)
	case *cql.FunctionCall, *cql.Cast, *cql.BinaryOp, *cql.UnaryMinus:
		return p.testCall(t, s)
	case *cql.ListLit:
		if s.typ.Kind == types.KindVector {
			if len(t.Elems) != s.typ.Dim {
				return notAssignable
			}
			return p.testAll(t.Elems, elementSpec(s))
		}
		if s.typ.Kind != types.KindList {
			if p.misfit == nil {
				p.misfit = noArray(s.typ)
			}
			return notAssignable
		}
		return p.testElements(t.Elems, s)
	case *cql.SetLit:
		if s.typ.Kind == types.KindMap && len(t.Elems) == 0 {
			return weakly
		}
		if s.typ.Kind != types.KindSet {
			return notAssignable
		}
		return p.testElements(t.Elems, s)
	case *cql.MapLit:
		if s.typ.Kind != types.KindMap {
			return notAssignable
		}
		f := exact
		for _, e := range t.Entries {
			f = all(f, p.test(e.Key, keySpec(s)), p.test(e.Value, elementSpec(s)))
		}
		return f
	case *cql.UDTLit:
		if s.typ.Kind != types.KindUDT {
			return notAssignable
		}
		return p.fitsIf(func() error { return p.checkUDT(t, s) })
	case *cql.TupleLit:
		if len(t.Elems) == 1 && !isTuple(s.typ) {
			return p.test(t.Elems[0], s)
		}
		return p.fitsIf(func() error { return p.checkTuple(t, s) })
	}
	return notAssignable
}

// fitsIf is how a literal suits whose test hides errors.
// Source: Cassandra 5.0 UserTypes.Literal.testAssignment, Tuples.Literal.testAssignment.
func (p *preparation) fitsIf(check func() error) fit {
	before := p.misfit
	err := check()
	failed := p.misfit != before
	p.misfit = before
	if err != nil || failed {
		return notAssignable
	}
	return weakly
}

// isTuple counts UDTs too, which are tuples in Cassandra's class tree.
func isTuple(t *types.Type) bool { return t.Kind == types.KindTuple || t.Kind == types.KindUDT }

func (p *preparation) testElements(elems []cql.Term, s spec) fit {
	if len(elems) == 0 {
		return weakly
	}
	return p.testAll(elems, elementSpec(s))
}

func (p *preparation) testAll(elems []cql.Term, s spec) fit {
	f := exact
	for _, e := range elems {
		f = all(f, p.test(e, s))
	}
	return f
}

// exactType is the type of a term if it has just one, else nil.
// Source: Cassandra 5.0 Term.Raw.getExactTypeIfKnown.
func (p *preparation) exactType(t cql.Term) *types.Type {
	switch t := t.(type) {
	case *cql.TypeHint:
		if to, err := p.resolve(t.Type); err == nil {
			return to
		}
	case *cql.FunctionCall, *cql.Cast, *cql.BinaryOp, *cql.UnaryMinus:
		if f, _ := p.resolveCall(t, spec{}); f != nil {
			return f.Out
		}
	case *cql.SetLit:
		if e := p.firstType(t.Elems); e != nil {
			return types.SetOf(e)
		}
	case *cql.TupleLit:
		var fields []*types.Type
		for _, e := range t.Elems {
			f := p.exactType(e)
			if f == nil {
				return nil
			}
			fields = append(fields, f)
		}
		return types.TupleOf(fields...)
	}
	return nil
}

func (p *preparation) firstType(elems []cql.Term) *types.Type {
	for _, e := range elems {
		if t := p.exactType(e); t != nil {
			return t
		}
	}
	return nil
}

// likelyType is a type that can hold the term, or nil.
// Source: Cassandra 5.0 Term.Raw.getCompatibleTypeIfKnown.
func (p *preparation) likelyType(t cql.Term) *types.Type {
	switch t := t.(type) {
	case *cql.Constant:
		return types.PreferredType(types.ConstKind(t.Kind), t.Text)
	case *cql.SetLit:
		if e := common(t.Elems, p.likelyType); e != nil {
			return types.SetOf(e)
		}
		return nil
	case *cql.MapLit:
		var keys, values []cql.Term
		for _, e := range t.Entries {
			keys, values = append(keys, e.Key), append(values, e.Value)
		}
		k, v := common(keys, p.likelyType), common(values, p.likelyType)
		if k == nil || v == nil {
			return nil
		}
		return types.MapOf(k, v)
	}
	return p.exactType(t)
}

// common is the first type among those of the items that can hold all others.
func common[T any](items []T, of func(T) *types.Type) *types.Type {
	var ts []*types.Type
	for _, i := range items {
		if t := of(i); t != nil {
			ts = append(ts, t)
		}
	}
next:
	for _, t := range ts {
		for _, u := range ts {
			if fitAny(t, u) == notAssignable {
				continue next
			}
		}
		return t
	}
	return nil
}

// resolve finds the type that a type expression of a term names.
func (p *preparation) resolve(t cql.TypeExpr) (*types.Type, error) {
	keyspace := p.env.Keyspace
	if p.table != nil {
		keyspace = p.table.Keyspace
	}
	return resolveType(p.env, keyspace, t)
}

// invalid is an InvalidRequest as an error.
func invalid(format string, args ...any) error { return plan.Invalid(format, args...) }
