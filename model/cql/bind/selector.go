package bind

import (
	"strings"

	"ringlab/model/cql"
	"ringlab/model/function"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// selectable is an expression of a SELECT or GROUP BY clause whose names are
// found and whose functions are chosen.
// Source: Cassandra 5.0 Selectable.
type selectable struct {
	raw    cql.Selectable
	column *schema.Column     // a column, or that of writetime and ttl
	fn     *function.Function // a call or an operation
	args   []*selectable      // arguments, elements, keys and values in turn, or the one inner expression
	typ    *types.Type        // of a cast or hint
	hint   string             // a hint as names show it
}

// selectable finds the names of an expression.
// Source: Cassandra 5.0 Selectable.Raw.prepare.
func (p *preparation) selectable(raw cql.Selectable) (*selectable, error) {
	s := &selectable{raw: raw}
	var err error
	switch r := raw.(type) {
	case *cql.SelColumn:
		s.column, err = p.column(r.Name)
		return s, err
	case *cql.SelTerm:
		return s, nil
	case *cql.SelCountRows:
		return p.callSelectable(s, nativeCall("count_rows"), nil)
	case *cql.SelCall:
		return p.callSelectable(s, called{r.Func.Keyspace.Text, r.Func.Name.Text}, r.Args)
	case *cql.SelBinary:
		return p.callSelectable(s, nativeCall(function.OperationName(r.Op)), []cql.Selectable{r.Left, r.Right})
	case *cql.SelMinus:
		return p.callSelectable(s, nativeCall(function.Negation), []cql.Selectable{r.Expr})
	case *cql.SelTime:
		if s.column, err = p.column(timedColumn(r.Of)); err == nil {
			err = s.inner(p, r.Of)
		}
		return s, err
	case *cql.SelCast:
		s.typ, _ = types.Native(r.Type.Name.Text)
		return s, s.inner(p, r.Expr)
	case *cql.SelTypeHint:
		if err = s.inner(p, r.Expr); err == nil {
			if s.typ, err = p.resolve(r.Type); err == nil {
				s.typ = s.typ.Freeze()
				s.hint = "(" + writtenIn(r.Type, p.table.Keyspace) + ")"
			}
		}
		return s, err
	case *cql.SelElement:
		return s, s.inner(p, r.Of)
	case *cql.SelSlice:
		return s, s.inner(p, r.Of)
	case *cql.SelField:
		return s, s.inner(p, r.Of)
	case *cql.SelList:
		return s, s.inner(p, r.Elems...)
	case *cql.SelSet:
		return s, s.inner(p, r.Elems...)
	case *cql.SelTuple:
		return s, s.inner(p, r.Elems...)
	}
	return s, nil // *cql.SelMap waits for its type
}

func (s *selectable) inner(p *preparation, raws ...cql.Selectable) error {
	for _, r := range raws {
		a, err := p.selectable(r)
		if err != nil {
			return err
		}
		s.args = append(s.args, a)
	}
	return nil
}

// timedColumn is the column under writetime and its kin.
func timedColumn(of cql.Selectable) cql.Name {
	for {
		switch o := of.(type) {
		case *cql.SelColumn:
			return o.Name
		case *cql.SelElement:
			of = o.Of
		case *cql.SelSlice:
			of = o.Of
		case *cql.SelField:
			of = o.Of
		default:
			return cql.Name{}
		}
	}
}

// callSelectable chooses the function of a call. count of a literal counts rows.
// Source: Cassandra 5.0 Selectable.WithFunction.Raw.prepare.
func (p *preparation) callSelectable(s *selectable, name called, raws []cql.Selectable) (*selectable, error) {
	if err := s.inner(p, raws...); err != nil {
		return nil, err
	}
	written := name
	if name.name == "count" && (name.keyspace == "" || name.keyspace == "system") && len(raws) == 1 {
		if t, ok := raws[0].(*cql.SelTerm); ok {
			if _, ok := t.Term.(*cql.Constant); ok {
				name, s.args = nativeCall("count_rows"), nil
			}
		}
	}
	args := make([]argument, len(s.args))
	for i, a := range s.args {
		args[i] = a
	}
	var err error
	if s.fn, err = p.function(name, args, spec{}); err == nil && s.fn == nil {
		err = invalid("Unknown function '%s'", written)
	}
	return s, err
}

// String is the expression as refusals show it.
func (s *selectable) String() string {
	switch r := s.raw.(type) {
	case *cql.SelColumn:
		return s.column.Name
	case *cql.SelTerm:
		return r.Term.String()
	case *cql.SelTime:
		return r.Kind.String() + "(" + s.args[0].String() + ")"
	case *cql.SelCast:
		return "cast(" + s.args[0].String() + " as " + strings.ToLower(typeText(r.Type)) + ")"
	case *cql.SelTypeHint:
		return s.hint + s.args[0].String()
	case *cql.SelElement:
		return s.args[0].String() + "[" + r.Key.String() + "]"
	case *cql.SelSlice:
		return s.args[0].String() + "[" + optional(r.From) + ".." + optional(r.To) + "]"
	case *cql.SelField:
		return s.args[0].String() + "." + r.Field.Text
	case *cql.SelList:
		return "[" + s.join() + "]"
	case *cql.SelSet:
		return "{" + s.join() + "}"
	case *cql.SelTuple:
		return "(" + s.join() + ")"
	case *cql.SelMap:
		return r.String()
	}
	texts := make([]string, len(s.args))
	for i, a := range s.args {
		texts[i] = a.String()
	}
	return s.fn.ColumnName(texts)
}

func (s *selectable) join() string {
	texts := make([]string, len(s.args))
	for i, a := range s.args {
		texts[i] = a.String()
	}
	return strings.Join(texts, ", ")
}

func optional(t cql.Term) string {
	if t == nil {
		return ""
	}
	return t.String()
}

func (s *selectable) isMarker() bool { return false }

func (s *selectable) descending() bool {
	_, ok := s.raw.(*cql.SelColumn)
	return ok && s.column.Desc
}

func (s *selectable) listed() int {
	if _, ok := s.raw.(*cql.SelList); ok {
		return len(s.args)
	}
	return -1
}

// selects says whether a column that fits the predicate takes part.
func (s *selectable) selects(fits func(*schema.Column) bool) bool {
	if _, ok := s.raw.(*cql.SelColumn); ok {
		return fits(s.column)
	}
	for _, a := range s.args {
		if a.selects(fits) {
			return true
		}
	}
	return false
}
