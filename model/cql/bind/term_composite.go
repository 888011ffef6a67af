package bind

import (
	"ringlab/model/cql"
	"ringlab/model/types"
)

// composite checks the literals of collections, tuples, user types and vectors.
// Source: Cassandra 5.0 Lists, Sets, Maps, Tuples, UserTypes and Vectors.Literal.
func (p *preparation) composite(t cql.Term, s spec) (term, error) {
	switch t := t.(type) {
	case *cql.ListLit:
		return p.array(t, s)
	case *cql.SetLit:
		if s.typ.Kind == types.KindMap && len(t.Elems) == 0 {
			return term{value: types.EncodeMap(nil)}, nil
		}
		if s.typ.Kind != types.KindSet {
			return term{}, invalid("Invalid set literal for %s of type %s", s.name, s.typ)
		}
		return p.elements(t.Elems, s, setLater, "set")
	case *cql.MapLit:
		return p.mapping(t, s)
	case *cql.UDTLit:
		return p.udt(t, s)
	case *cql.TupleLit:
		return p.tuple(t, s)
	}
	return term{}, invalid("Unsupported term %s", t)
}

// close makes a value of its parts at once if all of them are known.
func (p *preparation) close(kind laterKind, s spec, terms []term) (term, error) {
	l := &later{kind: kind, spec: s, terms: terms}
	for _, t := range terms {
		if t.later != nil {
			return term{later: l}, nil
		}
	}
	v, _, err := l.bind(p.env)
	return term{value: v}, err
}

// array is [a, b, …]: a list or a vector by what it is meant for.
// Source: Cassandra 5.0 ArrayLiteral, Lists.Literal, Vectors.Literal.
func (p *preparation) array(l *cql.ListLit, s spec) (term, error) {
	switch s.typ.Kind {
	case types.KindList:
		return p.elements(l.Elems, s, listLater, "list")
	case types.KindVector:
		if len(l.Elems) != s.typ.Dim {
			return term{}, invalid("Invalid vector literal for %s of type %s; expected %d elements, but given %d", s.name, s.typ, s.typ.Dim, len(l.Elems))
		}
		of := elementSpec(s)
		terms := make([]term, len(l.Elems))
		for i, e := range l.Elems {
			if p.test(e, of) == notAssignable {
				return term{}, invalid("Invalid vector literal for %s: value %s is not of type %s", s.name, e, of.typ)
			}
			var err error
			if terms[i], err = p.prepare(e, of); err != nil {
				return term{}, err
			}
		}
		return p.close(vectorLater, s, terms)
	}
	return term{}, noArray(s.typ)
}

// noArray refuses a list literal where neither a list nor a vector can stand.
// Testing it for such a place is an error already.
// Source: Cassandra 5.0 ArrayLiteral.forReceiver.
func noArray(t *types.Type) error {
	return invalid("Unexpected receiver type '%s'; only list and vector are expected", t)
}

func (p *preparation) elements(elems []cql.Term, s spec, kind laterKind, name string) (term, error) {
	of := elementSpec(s)
	for _, e := range elems {
		if p.test(e, of) == notAssignable {
			return term{}, invalid("Invalid %s literal for %s: value %s is not of type %s", name, s.name, e, of.typ)
		}
	}
	terms := make([]term, len(elems))
	for i, e := range elems {
		var err error
		if terms[i], err = p.inCollection(e, of, s, name); err != nil {
			return term{}, err
		}
	}
	return p.close(kind, s, terms)
}

// inCollection prepares an element, which must not be a marker.
func (p *preparation) inCollection(e cql.Term, of, s spec, name string) (term, error) {
	t, err := p.prepare(e, of)
	if err == nil && t.hasMarker() {
		return term{}, invalid("Invalid %s literal for %s: bind variables are not supported inside collection literals", name, s.name)
	}
	return t, err
}

func (p *preparation) mapping(m *cql.MapLit, s spec) (term, error) {
	if s.typ.Kind != types.KindMap {
		return term{}, invalid("Invalid map literal for %s of type %s", s.name, typeName(s.typ))
	}
	k, v := keySpec(s), elementSpec(s)
	for _, e := range m.Entries {
		if p.test(e.Key, k) == notAssignable {
			return term{}, invalid("Invalid map literal for %s: key %s is not of type %s", s.name, e.Key, k.typ)
		}
		if p.test(e.Value, v) == notAssignable {
			return term{}, invalid("Invalid map literal for %s: value %s is not of type %s", s.name, e.Value, v.typ)
		}
	}
	terms := make([]term, 0, 2*len(m.Entries))
	for _, e := range m.Entries {
		key, err := p.inCollection(e.Key, k, s, "map")
		if err != nil {
			return term{}, err
		}
		value, err := p.inCollection(e.Value, v, s, "map")
		if err != nil {
			return term{}, err
		}
		terms = append(terms, key, value)
	}
	return p.close(mapLater, s, terms)
}

// typeName is a type as refusals show it.
func typeName(t *types.Type) string { return t.String() }

// checkUDT tests the fields of a user type literal.
// Source: Cassandra 5.0 UserTypes.Literal.validateAssignableTo.
func (p *preparation) checkUDT(u *cql.UDTLit, s spec) error {
	if s.typ.Kind != types.KindUDT {
		return invalid("Invalid user type literal for %s of type %s", s.name, s.typ)
	}
	for i, field := range s.typ.Names {
		v := fieldOf(u, field)
		if v == nil {
			continue
		}
		if of := fieldSpec(s, i); p.test(v, of) == notAssignable {
			return invalid("Invalid user type literal for %s: field %s is not of type %s", s.name, field, of.typ)
		}
	}
	return nil
}

// fieldOf is the value of a field, nil if it was not written; the last one wins.
func fieldOf(u *cql.UDTLit, field string) cql.Term {
	for i := len(u.Fields) - 1; i >= 0; i-- {
		if u.Fields[i].Field.Text == field {
			return u.Fields[i].Value
		}
	}
	return nil
}

func (p *preparation) udt(u *cql.UDTLit, s spec) (term, error) {
	if err := p.checkUDT(u, s); err != nil {
		return term{}, err
	}
	terms := make([]term, len(s.typ.Names))
	for i, field := range s.typ.Names {
		v := fieldOf(u, field)
		if v == nil {
			v = &cql.Null{}
		}
		var err error
		if terms[i], err = p.prepare(v, fieldSpec(s, i)); err != nil {
			return term{}, err
		}
	}
	names := make([]string, len(u.Fields))
	for i, f := range u.Fields {
		names[i] = f.Field.Text
	}
	cql.SortByHash(names)
	for _, n := range names {
		if s.typ.Field(n) < 0 {
			return term{}, invalid("Unknown field '%s' in value of user defined type %s", n, s.typ.Name)
		}
	}
	return p.close(udtLater, s, terms)
}

// checkTuple tests the components of a tuple literal.
// Source: Cassandra 5.0 Tuples.validateTupleAssignableTo.
func (p *preparation) checkTuple(t *cql.TupleLit, s spec) error {
	if !isTuple(s.typ) {
		return invalid("Invalid tuple type literal for %s of type %s", s.name, s.typ)
	}
	for i, e := range t.Elems {
		if i >= len(s.typ.Elems) {
			return invalid("Invalid tuple literal for %s: too many elements. Type %s expects %d but got %d", s.name, s.typ, len(s.typ.Elems), len(t.Elems))
		}
		if of := fieldSpec(s, i); p.test(e, of) == notAssignable {
			return invalid("Invalid tuple literal for %s: component %d is not of type %s", s.name, i, of.typ)
		}
	}
	return nil
}

func (p *preparation) tuple(t *cql.TupleLit, s spec) (term, error) {
	if len(t.Elems) == 1 && !isTuple(s.typ) {
		return p.prepare(t.Elems[0], s)
	}
	if err := p.checkTuple(t, s); err != nil {
		return term{}, err
	}
	terms := make([]term, len(t.Elems))
	for i, e := range t.Elems {
		var err error
		if terms[i], err = p.prepare(e, fieldSpec(s, i)); err != nil {
			return term{}, err
		}
	}
	return p.close(tupleLater, s, terms)
}
