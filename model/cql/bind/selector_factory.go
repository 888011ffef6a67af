package bind

import (
	"strings"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// selector is one result column, checked: its name and type, and how to make the
// expression once values are bound.
// Source: Cassandra 5.0 Selector.Factory.
type selector struct {
	name      string
	typ       *types.Type
	column    *schema.Column // it is just this column
	aggregate bool
	legacy    bool                              // a timeuuid that is shown as LegacyTimeUUIDType
	keys      []*later                          // of an element or slice of a collection, as far as they wait for values
	build     func(env *Env) (plan.Expr, error) // nil for a column
}

// expr makes the expression of the selector.
func (s *selector) expr(env *Env) (plan.Expr, error) {
	if s.build == nil {
		return &plan.ColumnExpr{Column: s.column}, nil
	}
	return s.build(env)
}

// shown is the type that the client is told.
func (s *selector) shown() *types.Type {
	if s.legacy {
		return types.LegacyTimeUUID
	}
	return s.typ
}

// renamed is the selector under another name: no longer just a column.
func (s selector) renamed(name string) selector {
	if s.build == nil {
		column := s.column
		s.build = func(*Env) (plan.Expr, error) { return &plan.ColumnExpr{Column: column}, nil }
	}
	s.name = name
	return s
}

// selection collects the columns that selectors read.
type selection struct {
	columns []*schema.Column
}

func (sel *selection) use(c *schema.Column) {
	if !containsColumn(sel.columns, c) {
		sel.columns = append(sel.columns, c)
	}
}

func cannotInfer(s *selectable) error {
	return invalid("Cannot infer type for term %s in selection clause (try using a cast to force a type)", s)
}

// selector checks an expression against what is expected of it; expected may be
// nil. Source: Cassandra 5.0 Selectable.newSelectorFactory.
func (p *preparation) selector(s *selectable, expected *types.Type, sel *selection) (selector, error) {
	switch r := s.raw.(type) {
	case *cql.SelColumn:
		sel.use(s.column)
		return selector{name: s.column.Name, typ: s.column.Type, column: s.column}, nil
	case *cql.SelTerm:
		return p.termSelector(s, r, expected)
	case *cql.SelTime:
		return p.timeSelector(s, r, sel)
	case *cql.SelCast:
		return p.castSelector(s, r, sel)
	case *cql.SelTypeHint:
		to := spec{name: s.String(), typ: s.typ}
		if s.args[0].test(p, to) == notAssignable {
			return selector{}, invalid("Cannot assign value %s to %s of type %s", s, to.name, s.typ)
		}
		inner, err := p.selector(s.args[0], s.typ, sel)
		inner = inner.renamed(s.hint + inner.name)
		inner.legacy = false
		inner.typ = s.typ
		return inner, err
	case *cql.SelElement:
		return p.elementSelector(s, r, sel)
	case *cql.SelSlice:
		return p.sliceSelector(s, r, expected, sel)
	case *cql.SelField:
		return p.fieldSelector(s, r, sel)
	case *cql.SelList, *cql.SelSet, *cql.SelMap, *cql.SelTuple:
		return p.literalSelector(s, expected, sel)
	}
	return p.callSelector(s, sel)
}

func (p *preparation) termSelector(s *selectable, r *cql.SelTerm, expected *types.Type) (selector, error) {
	t := s.exact(p)
	if t == nil {
		t = expected
	}
	if t == nil {
		return selector{}, cannotInfer(s)
	}
	v, err := p.prepare(r.Term, spec{name: "[selection]", typ: t})
	return selector{name: r.Term.String(), typ: t, build: func(env *Env) (plan.Expr, error) {
		b, unset, err := v.bind(env)
		if unset { // the mark of an unset value is an empty one
			b = []byte{}
		}
		return &plan.ConstExpr{Value: b, Unset: unset}, err
	}}, err
}

func (p *preparation) timeSelector(s *selectable, r *cql.SelTime, sel *selection) (selector, error) {
	c := s.column
	if c.Kind == schema.PartitionKey || c.Kind == schema.Clustering {
		return selector{}, invalid("Cannot use selection function %s on PRIMARY KEY part %s", r.Kind, c.Name)
	}
	of, err := p.selector(s.args[0], nil, sel)
	if err != nil {
		return selector{}, err
	}
	if len(of.keys) > 0 {
		return selector{}, of.keys[0].notTerminal()
	}
	sel.use(c)
	return selector{name: r.Kind.String() + "(" + of.name + ")", typ: timeType(r.Kind, of.typ), build: func(env *Env) (plan.Expr, error) {
		inner, err := of.expr(env)
		if err != nil {
			return nil, err
		}
		e := &plan.TimeExpr{Column: c, TTL: r.Kind == cql.TTL, Max: r.Kind == cql.MaxWriteTime, Of: inner}
		switch x := inner.(type) {
		case *plan.ElementExpr:
			e.Key = x.Key
		case *plan.SliceExpr:
			e.Sliced, e.From, e.To = true, x.From, x.To
		case *plan.FieldExpr:
			e.Key = []byte{byte(x.Index >> 8), byte(x.Index)}
		}
		return e, nil
	}}, nil
}

// castSelector is CAST; one to the type that the value has already is dropped.
// Source: Cassandra 5.0 Selectable.WithCast.newSelectorFactory.
func (p *preparation) castSelector(s *selectable, r *cql.SelCast, sel *selection) (selector, error) {
	of, err := p.selector(s.args[0], nil, sel)
	if err != nil {
		return selector{}, err
	}
	descending := of.column != nil && of.column.Desc // such a column's type is another class
	if s.typ != nil && s.typ.Equal(of.typ) && !descending {
		return of, nil
	}
	f, err := p.function(nativeCall("cast_as_"+strings.ToLower(typeText(r.Type))), []argument{s.args[0]}, spec{})
	if err != nil {
		return selector{}, err
	}
	if f == nil {
		name := ""
		if len(sel.columns) > 0 {
			name = sel.columns[0].Name
		}
		return selector{}, invalid("%s cannot be cast to %s", name, typeText(r.Type))
	}
	return p.apply(f, []selector{of})
}

// elementSelector is collection[key].
// Source: Cassandra 5.0 Selectable.WithElementSelection, ElementsSelector.
func (p *preparation) elementSelector(s *selectable, r *cql.SelElement, sel *selection) (selector, error) {
	of, err := p.selector(s.args[0], nil, sel)
	if err != nil {
		return selector{}, err
	}
	if !of.typ.IsCollection() {
		return selector{}, invalid("Invalid element selection: %s is of type %s is not a collection", s.args[0], of.typ)
	}
	to, err := boundSpec(s.args[0], of, "Element")
	if err != nil {
		return selector{}, err
	}
	key, err := p.prepare(r.Key, to)
	if err != nil {
		return selector{}, err
	}
	in := of.typ
	var keys []*later
	if key.later != nil {
		keys = append(keys, key.later)
	}
	if key.later == nil && key.value == nil && in.IsMultiCell() && of.build == nil {
		return selector{}, &plan.Error{Code: plan.ServerError, Message: `java.lang.NullPointerException: Cannot invoke "java.nio.ByteBuffer.hasArray()" ` +
			`because "buffer1" is null`}
	}
	return selector{name: s.String(), typ: in.Elems[len(in.Elems)-1], aggregate: of.aggregate, keys: keys, build: func(env *Env) (plan.Expr, error) {
		k, unset, err := key.bind(env)
		switch {
		case err != nil:
			return nil, err
		case unset:
			return nil, invalid("Invalid unset value for element selection on %s", of.name)
		case k == nil:
			return nil, invalid("Invalid null value for element selection on %s", of.name)
		}
		inner, err := of.expr(env)
		return &plan.ElementExpr{Of: inner, In: in, Key: k}, err
	}}, nil
}

func boundSpec(of *selectable, s selector, what string) (spec, error) {
	to := spec{name: s.name, typ: s.typ}
	switch s.typ.Kind {
	case types.KindList:
		return to, invalid("%s selection is only allowed on sets and maps, but %s is a list", what, of)
	case types.KindSet:
		return elementSpec(to), nil
	}
	return keySpec(to), nil
}

// sliceSelector is collection[from..to].
// Source: Cassandra 5.0 Selectable.WithSliceSelection.
func (p *preparation) sliceSelector(s *selectable, r *cql.SelSlice, expected *types.Type, sel *selection) (selector, error) {
	of, err := p.selector(s.args[0], expected, sel)
	if err != nil {
		return selector{}, err
	}
	if !of.typ.IsCollection() {
		return selector{}, invalid("Invalid slice selection: %s of type %s is not a collection", s.args[0], of.typ)
	}
	to, err := boundSpec(s.args[0], of, "Slice")
	if err != nil {
		return selector{}, err
	}
	var bounds [2]*term
	var keys []*later
	for i, raw := range []cql.Term{r.From, r.To} {
		if raw == nil {
			continue
		}
		t, err := p.prepare(raw, to)
		if err != nil {
			return selector{}, err
		}
		bounds[i] = &t
		if t.later != nil {
			keys = append(keys, t.later)
		}
	}
	in := of.typ
	return selector{name: s.String(), typ: in, aggregate: of.aggregate, keys: keys, build: func(env *Env) (plan.Expr, error) {
		e := &plan.SliceExpr{In: in}
		for i, to := range []*[]byte{&e.From, &e.To} {
			if bounds[i] == nil {
				continue
			}
			v, unset, err := bounds[i].bind(env)
			if err != nil {
				return nil, err
			}
			if v == nil && !unset {
				return nil, invalid("Invalid null value for slice selection on %s", of.name)
			}
			*to = v
		}
		var err error
		e.Of, err = of.expr(env)
		return e, err
	}}, nil
}

// fieldSelector is udt.field. Source: Cassandra 5.0 Selectable.WithFieldSelection.
func (p *preparation) fieldSelector(s *selectable, r *cql.SelField, sel *selection) (selector, error) {
	var expected *types.Type
	if _, ok := s.args[0].raw.(*cql.SelTuple); ok {
		expected = s.args[0].args[0].exact(p)
	}
	of, err := p.selector(s.args[0], expected, sel)
	if err != nil {
		return selector{}, err
	}
	if of.typ.Kind != types.KindUDT {
		return selector{}, invalid("Invalid field selection: %s of type %s is not a user type", s.args[0], of.typ)
	}
	i := of.typ.Field(r.Field.Text)
	if i < 0 {
		return selector{}, invalid("%s of type %s has no field %s", s.args[0], of.typ, r.Field.Text)
	}
	in := of.typ
	return selector{name: of.name + "." + r.Field.Text, typ: in.Elems[i], aggregate: of.aggregate, build: func(env *Env) (plan.Expr, error) {
		inner, err := of.expr(env)
		return &plan.FieldExpr{Of: inner, In: in, Index: i}, err
	}}, nil
}
