package bind

import (
	"ringlab/model/cql"
	"ringlab/model/types"
)

// exact is the type of the expression if it can be known, else nil.
// Source: Cassandra 5.0 Selectable.getExactTypeIfKnown.
func (s *selectable) exact(p *preparation) *types.Type {
	switch r := s.raw.(type) {
	case *cql.SelColumn:
		return s.column.Type
	case *cql.SelTerm:
		return p.exactType(r.Term)
	case *cql.SelTime:
		return timeType(r.Kind, s.column.Type)
	case *cql.SelCast, *cql.SelTypeHint:
		return s.typ
	case *cql.SelElement:
		if t := s.args[0].exact(p); t != nil && t.IsCollection() {
			return t.Elems[len(t.Elems)-1]
		}
		return nil
	case *cql.SelSlice:
		if t := s.args[0].exact(p); t != nil && t.IsCollection() {
			return t
		}
		return nil
	case *cql.SelField:
		if t := s.args[0].exact(p); t != nil && t.Kind == types.KindUDT && t.Field(r.Field.Text) >= 0 {
			return t.Elems[t.Field(r.Field.Text)]
		}
		return nil
	case *cql.SelList, *cql.SelSet:
		for _, a := range s.args {
			if t := a.exact(p); t != nil {
				return collectionOf(r, t)
			}
		}
		return nil
	case *cql.SelTuple:
		return s.tupleType(p, (*selectable).exact)
	case *cql.SelMap:
		return nil
	}
	return s.fn.Out
}

func collectionOf(r cql.Selectable, elem *types.Type) *types.Type {
	if _, ok := r.(*cql.SelList); ok {
		return types.ListOf(elem)
	}
	return types.SetOf(elem)
}

func (s *selectable) tupleType(p *preparation, of func(*selectable, *preparation) *types.Type) *types.Type {
	if len(s.args) == 1 {
		return nil
	}
	fields := make([]*types.Type, len(s.args))
	for i, a := range s.args {
		if fields[i] = of(a, p); fields[i] == nil {
			return nil
		}
	}
	return types.TupleOf(fields...)
}

// likely is a type that can hold the expression, or nil.
// Source: Cassandra 5.0 Selectable.getCompatibleTypeIfKnown.
func (s *selectable) likely(p *preparation) *types.Type {
	switch r := s.raw.(type) {
	case *cql.SelTerm:
		return p.likelyType(r.Term)
	case *cql.SelList, *cql.SelSet:
		if t := common(s.args, func(a *selectable) *types.Type { return a.likely(p) }); t != nil {
			return collectionOf(r, t)
		}
		return nil
	case *cql.SelTuple:
		return s.tupleType(p, (*selectable).likely)
	}
	return s.exact(p)
}

// test says how well the expression suits a receiver.
// Source: Cassandra 5.0 Selectable.testAssignment and its overrides.
func (s *selectable) test(p *preparation, to spec) fit {
	switch r := s.raw.(type) {
	case *cql.SelTerm:
		return p.test(r.Term, to)
	case *cql.SelTypeHint:
		return fitType(to.typ, s.typ)
	case *cql.SelList:
		if to.typ.Kind != types.KindList && to.typ.Kind != types.KindVector {
			return notAssignable
		}
		return s.testElements(p, to)
	case *cql.SelSet:
		if to.typ.Kind == types.KindMap && len(s.args) == 0 {
			return weakly
		}
		if to.typ.Kind != types.KindSet {
			return notAssignable
		}
		return s.testElements(p, to)
	case *cql.SelTuple:
		if len(s.args) == 1 && !isTuple(to.typ) {
			return s.args[0].test(p, to)
		}
		return s.testTuple(p, to)
	case *cql.SelMap:
		return s.testMap(p, r, to)
	}
	t := s.exact(p)
	if t == nil {
		return notAssignable
	}
	return fitAny(to.typ, t)
}

func (s *selectable) testElements(p *preparation, to spec) fit {
	if len(s.args) == 0 {
		return weakly
	}
	worst := exact
	for _, a := range s.args {
		worst = all(worst, a.test(p, elementSpec(to)))
	}
	return worst
}

func (s *selectable) testTuple(p *preparation, to spec) fit {
	if !isTuple(to.typ) || len(s.args) > len(to.typ.Elems) {
		return notAssignable
	}
	for i, a := range s.args {
		if a.test(p, fieldSpec(to, i)) == notAssignable {
			return notAssignable
		}
	}
	return weakly
}

func (s *selectable) testMap(p *preparation, r *cql.SelMap, to spec) fit {
	worst := exact
	for _, e := range r.Entries {
		value, err := p.selectable(e.Value)
		if err != nil {
			return notAssignable
		}
		if to.typ.Kind == types.KindUDT {
			c, ok := e.Key.(*cql.SelColumn)
			if !ok || to.typ.Field(c.Name.Text) < 0 || value.test(p, fieldSpec(to, to.typ.Field(c.Name.Text))) == notAssignable {
				return notAssignable
			}
			worst = weakly
			continue
		}
		key, err := p.selectable(e.Key)
		if err != nil || to.typ.Kind != types.KindMap {
			return notAssignable
		}
		worst = all(worst, key.test(p, keySpec(to)), value.test(p, elementSpec(to)))
	}
	return worst
}

// timeType is the type of writetime and its kin on a column.
func timeType(kind cql.TimeKind, of *types.Type) *types.Type {
	t := types.BigInt
	if kind == cql.TTL {
		t = types.Int
	}
	if of.IsMultiCell() && kind != cql.MaxWriteTime {
		return types.ListOf(t).Freeze()
	}
	return t
}
