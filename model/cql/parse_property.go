package cql

// properties reads options with AND between them.
// Source: Cassandra 5.0 Parser.g rule properties.
func (p *parser) properties() []Property {
	list := []Property{p.property()}
	for p.accept(kAnd) {
		list = append(list, p.property())
	}
	return list
}

// property reads name = value.
// Source: Cassandra 5.0 Parser.g rules property, propertyValue.
func (p *parser) property() Property {
	if !p.kind().isName() {
		p.noViable(0)
	}
	if p.kindAt(1) != tEq {
		p.noViable(1)
	}
	k := p.kindAt(2)
	if !isConstant(k) && !k.isUnreserved() && k != tLBrace {
		p.noViable(2)
	}
	prop := Property{Name: p.name()}
	p.next()
	prop.Value.Pos = p.here()
	switch {
	case k == tLBrace:
		prop.Value.Kind, prop.Value.Map = MapProperty, p.propertyMap()
	case isConstant(k):
		prop.Value.Constant = p.constant()
		prop.Value.Text = prop.Value.Constant.Text
	default:
		prop.Value.Kind, prop.Value.Text = KeywordProperty, p.name().Text
	}
	return prop
}

// propertyMap reads {k: v, …} of constants.
// Source: Cassandra 5.0 Parser.g rule fullMapLiteral, convertPropertyMap.
func (p *parser) propertyMap() []PropertyEntry {
	open := p.expect(tLBrace)
	if p.accept(tRBrace) {
		return nil
	}
	var list []MapEntry
	for {
		key := p.term()
		p.expect(tColon)
		list = append(list, MapEntry{Key: key, Value: p.term()})
		if !p.accept(tComma) {
			p.expect(tRBrace)
			break
		}
	}
	out := make([]PropertyEntry, 0, len(list))
	seen := make(map[string]bool, len(list))
	for _, e := range list {
		key, ok := e.Key.(*Constant)
		if !ok {
			p.invalid(open, "Invalid property name: "+e.Key.String()+bindHint(e.Key))
		}
		value, ok := e.Value.(*Constant)
		if !ok {
			p.invalid(open, "Invalid property value: "+e.Value.String()+" for property: "+key.String()+bindHint(e.Value))
		}
		if seen[key.Text] {
			p.invalid(open, "Multiple definition for property "+key.Text)
		}
		seen[key.Text] = true
		out = append(out, PropertyEntry{Key: key, Value: value})
	}
	return out
}

func bindHint(t Term) string {
	if _, ok := t.(*Marker); ok {
		return " (bind variables are not supported in DDL queries)"
	}
	return ""
}
