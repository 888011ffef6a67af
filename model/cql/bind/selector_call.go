package bind

import (
	"fmt"
	"strings"

	"ringlab/model/cql"
	"ringlab/model/function"
	"ringlab/model/plan"
	"ringlab/model/types"
)

// callSelector is a function call or an operation.
// Source: Cassandra 5.0 AbstractFunctionSelector.newFactory.
func (p *preparation) callSelector(s *selectable, sel *selection) (selector, error) {
	args := make([]selector, len(s.args))
	for i, a := range s.args {
		var err error
		if args[i], err = p.selector(a, s.fn.Args[i], sel); err != nil {
			return selector{}, err
		}
	}
	p.calls(s.fn)
	return p.apply(s.fn, args)
}

// apply puts a function on top of its arguments.
func (p *preparation) apply(f *function.Function, args []selector) (selector, error) {
	names, aggregate := make([]string, len(args)), false
	for i, a := range args {
		names[i] = a.name
		aggregate = aggregate || a.aggregate
	}
	if f.Aggregate && aggregate {
		return selector{}, invalid("aggregate functions cannot be used as arguments of aggregate functions")
	}
	legacy := f.Out == types.TimeUUID && (function.HasFactory(f.Name) && !strings.HasPrefix(f.Name, "collection_") || strings.HasPrefix(f.Name, "blob"))
	if len(args) > 0 && args[0].column != nil && args[0].column.Desc {
		legacy = false // its ReversedType stays
	}
	return selector{name: f.ColumnName(names), typ: f.Out, aggregate: f.Aggregate || aggregate, legacy: legacy, build: func(env *Env) (plan.Expr, error) {
		exprs := make([]plan.Expr, len(args))
		for i := range args {
			var err error
			if exprs[i], err = args[i].expr(env); err != nil {
				return nil, err
			}
		}
		switch {
		case f.New != nil:
			return &plan.AggregateExpr{Name: f.Name, Out: f.Out, New: f.New, Args: exprs}, nil
		case f.Aggregate:
			return aggregateOf(f, args, exprs), nil
		}
		return callOf(f, exprs, env)
	}}, nil
}

func aggregateOf(f *function.Function, args []selector, exprs []plan.Expr) plan.Expr {
	e := &plan.AggregateExpr{Name: f.Name, Out: f.Out}
	if f.Name == "count_rows" || f.Name == "countRows" {
		e.Name = "count"
	}
	if len(exprs) > 0 {
		e.Arg, e.In = exprs[0], f.Args[0]
		if f.Name == "count" {
			e.In = args[0].typ
		}
	}
	return e
}

// callOf is the call of a scalar function. One whose arguments are all known is
// computed at once, so that its failure does not depend on rows.
// Source: Cassandra 5.0 AbstractFunctionSelector.createScalarSelector.
func callOf(f *function.Function, exprs []plan.Expr, env *Env) (plan.Expr, error) {
	ctx := env.functions()
	eval := func(args [][]byte) ([]byte, error) { return f.Eval(ctx, args) }
	for _, e := range exprs {
		if c, ok := e.(*plan.ConstExpr); ok && c.Unset {
			return nil, invalid("Invalid unset value for argument in call to function %s", f.Name)
		}
	}
	if !f.Impure && len(exprs) > 0 {
		values := make([][]byte, 0, len(exprs))
		for _, e := range exprs {
			if c, ok := e.(*plan.ConstExpr); ok {
				values = append(values, c.Value)
			}
		}
		if len(values) == len(exprs) {
			v, err := eval(values)
			return &plan.ConstExpr{Value: v}, err
		}
	}
	return &plan.CallExpr{Name: f.Name, Args: exprs, Type: f.Out, Arg: f.Args, Eval: eval}, nil
}

// literalSelector is a list, set, map, tuple or user type made of expressions.
// Source: Cassandra 5.0 Selectable.WithArrayLiteral, WithSet, WithMapOrUdt, BetweenParenthesesOrWithTuple.
func (p *preparation) literalSelector(s *selectable, expected *types.Type, sel *selection) (selector, error) {
	t := s.exact(p)
	if _, list := s.raw.(*cql.SelList); list && expected != nil && expected.Kind == types.KindVector {
		t = expected
	}
	if t == nil {
		t = expected
	}
	if t == nil {
		return selector{}, cannotInfer(s)
	}
	switch r := s.raw.(type) {
	case *cql.SelTuple:
		if len(s.args) == 1 && t.Kind != types.KindTuple {
			inner, err := p.selector(s.args[0], expected, sel)
			return inner.renamed("(" + inner.name + ")"), err
		}
		return p.assembled(t, s.args, t.Elems, "()", tupleLater, sel)
	case *cql.SelList:
		if t.Kind == types.KindVector {
			if t.Dim != len(s.args) {
				return selector{}, invalid("Unable to create a vector selector of type %s from %d elements", t, len(s.args))
			}
			return p.assembled(t, s.args, nil, "[]", vectorLater, sel)
		}
		return p.assembled(t, s.args, nil, "[]", listLater, sel)
	case *cql.SelSet:
		if t.Kind == types.KindMap {
			return p.assembled(t, nil, nil, "{}", mapLater, sel)
		}
		if t.Elems[0] == types.Duration {
			return selector{}, invalid("Durations are not allowed inside sets: %s", t)
		}
		return p.assembled(t, s.args, nil, "{}", setLater, sel)
	case *cql.SelMap:
		return p.mapSelector(r, t, sel)
	}
	return selector{}, cannotInfer(s)
}

// mapSelector is {k: v, …} as a map or, by its type, a user type.
func (p *preparation) mapSelector(r *cql.SelMap, t *types.Type, sel *selection) (selector, error) {
	if t.Kind != types.KindUDT {
		if t.Elems[0] == types.Duration {
			return selector{}, invalid("Durations are not allowed as map keys: %s", t)
		}
		var args []*selectable
		for _, e := range r.Entries {
			for _, raw := range []cql.Selectable{e.Key, e.Value} {
				a, err := p.selectable(raw)
				if err != nil {
					return selector{}, err
				}
				args = append(args, a)
			}
		}
		return p.assembled(t, args, nil, "{}", mapLater, sel)
	}
	fields := make([]selector, len(t.Names))
	texts := make([]string, 0, len(r.Entries))
	for _, e := range r.Entries {
		c, ok := e.Key.(*cql.SelColumn)
		if !ok {
			return selector{}, invalid("%s is not a valid field identifier of type %s ", e.Key, t.Name)
		}
		i := t.Field(c.Name.Text)
		if i < 0 {
			return selector{}, invalid("Unknown field '%s' in value of user defined type %s", c.Name.Text, t.Name)
		}
		a, err := p.selectable(e.Value)
		if err != nil {
			return selector{}, err
		}
		if fields[i], err = p.selector(a, t.Elems[i], sel); err != nil {
			return selector{}, err
		}
		texts = append(texts, c.Name.Text+": "+fields[i].name)
	}
	for i := range fields {
		if fields[i].typ == nil {
			fields[i] = selector{typ: t.Elems[i], build: func(*Env) (plan.Expr, error) { return &plan.ConstExpr{}, nil }}
		}
	}
	return p.join(t, fields, "{"+strings.Join(texts, ", ")+"}", udtLater), nil
}

// assembled makes one value of the values of expressions. ts are the types
// expected of them, nil for those of the collection's elements.
func (p *preparation) assembled(t *types.Type, args []*selectable, ts []*types.Type, brackets string, kind laterKind, sel *selection) (selector, error) {
	parts, texts := make([]selector, len(args)), make([]string, len(args))
	for i, a := range args {
		want := t.Elems[i%len(t.Elems)]
		if ts != nil {
			want = ts[i]
		}
		var err error
		if parts[i], err = p.selector(a, want, sel); err != nil {
			return selector{}, err
		}
		texts[i] = parts[i].name
	}
	if kind == mapLater {
		pairs := texts
		texts = nil
		for i := 0; i < len(pairs); i += 2 {
			texts = append(texts, pairs[i]+": "+pairs[i+1])
		}
	}
	return p.join(t, parts, brackets[:1]+strings.Join(texts, ", ")+brackets[1:], kind), nil
}

func (p *preparation) join(t *types.Type, parts []selector, name string, kind laterKind) selector {
	l := &later{kind: kind, spec: spec{name: name, typ: t}}
	f := &function.Function{Name: name, Out: t, Eval: func(_ *function.Context, values [][]byte) ([]byte, error) {
		if kind == setLater || kind == mapLater { // a list may hold nulls here: ListSelector packs what there is
			for _, v := range values {
				if v == nil {
					return nil, invalid("null is not supported inside collections")
				}
			}
		}
		if kind == vectorLater {
			for i, v := range values {
				if v == nil {
					return nil, plan.Fault(fmt.Sprintf("org.apache.cassandra.serializers.MarshalException: Element at index %d is null (expected type %s)", i, t.Elems[0]))
				}
			}
		}
		return l.assemble(nil, values)
	}}
	aggregate := false
	for _, s := range parts {
		aggregate = aggregate || s.aggregate
	}
	return selector{name: name, typ: t, aggregate: aggregate, build: func(env *Env) (plan.Expr, error) {
		exprs := make([]plan.Expr, len(parts))
		for i := range parts {
			var err error
			if exprs[i], err = parts[i].expr(env); err != nil {
				return nil, err
			}
		}
		if len(exprs) == 0 {
			v, err := l.assemble(env, nil)
			return &plan.ConstExpr{Value: v}, err
		}
		return callOf(f, exprs, env)
	}}
}
