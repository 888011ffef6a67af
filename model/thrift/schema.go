package thrift

// create reads create and update of keyspaces and column families.
func (p *parser) create(update bool) Statement {
	switch {
	case p.take("KEYSPACE"):
		s := &CreateKeyspace{Update: update, Keyspace: p.name()}
		s.Attributes = p.attributes()
		return s
	case p.take("COLUMN"):
		p.match("FAMILY", identifier, literal, positive, negative)
		s := &CreateFamily{Update: update, Family: p.name()}
		s.Attributes = p.attributes()
		return s
	}
	p.none(1)
	return nil
}

func (p *parser) drop() Statement {
	switch {
	case p.take("KEYSPACE"):
		return &DropKeyspace{p.name()}
	case p.take("COLUMN"):
		p.match("FAMILY", identifier, literal, positive, negative)
		return &DropFamily{p.name()}
	case p.take("INDEX"):
		p.match("ON", identifier, literal, positive, negative)
		s := &DropIndex{Family: p.name()}
		p.match(".", identifier, literal, positive, negative)
		s.Column = p.name()
		return s
	}
	p.none(1)
	return nil
}

// attributes are name = value, each behind with or and.
func (p *parser) attributes() []Attribute {
	var out []Attribute
	for p.take("WITH") || p.take("AND") {
		a := Attribute{Name: p.match(identifier, "=").text}
		p.match("=", identifier, literal, positive, negative, double, "[", "{")
		a.Value = p.attribute()
		out = append(out, a)
	}
	return out
}

func (p *parser) attribute() AttributeValue {
	switch t := p.la(1); t.kind {
	case tokIdentifier, tokString, tokPositive, tokNegative, tokDouble:
		p.pos++
		return AttributeValue{Raw: t.text}
	}
	switch {
	case p.la(1).is("{"):
		return AttributeValue{Form: Map, Map: p.braces(0)}
	case p.take("["):
		v := AttributeValue{Form: Maps, List: [][]Pair{}}
		for p.la(1).is("{") {
			v.List = append(v.List, p.braces(0))
			p.take(",")
		}
		p.match("]", "AND", "WITH", ";", "EOF")
		return v
	}
	p.none(1)
	return AttributeValue{}
}

// deepest is how many braces may stand in each other: far more than any
// attribute has.
const deepest = 64

func (p *parser) braces(depth int) []Pair {
	if depth == deepest {
		p.fail(p.la(1), "braces are nested too deep")
	}
	p.match("{", identifier, literal, positive, negative)
	var out []Pair
	for {
		pair := Pair{Key: p.term(behindKey)}
		p.match(":", identifier, literal, positive, negative, "{")
		if p.la(1).is("{") {
			pair.Nested = p.braces(depth + 1)
		} else {
			pair.Value = p.term(behindPair)
		}
		out = append(out, pair)
		if !p.take(",") {
			break
		}
	}
	p.match("}", "]", ",", "}", "{", "AND", "WITH", ";", "EOF")
	return out
}
