package cql

// compound reads a literal in brackets of type k, which may be a cast.
func (p *parser) compound(k kind) Term {
	if k == tLParen {
		return p.tupleOrHint()
	}
	if k == tLBrace {
		return p.braces()
	}
	pos := p.next().pos()
	return &ListLit{Elems: p.terms(tRBracket), Pos: pos}
}

// terms reads terms between commas up to the closing token.
func (p *parser) terms(closing kind) []Term {
	if p.accept(closing) {
		return nil
	}
	if !beginsTerm(p.kind()) {
		p.mismatch(closing.String())
	}
	list := append(make([]Term, 0, 4), p.term())
	for p.accept(tComma) {
		list = append(list, p.term())
	}
	p.expect(closing)
	return list
}

// beginsTerm tells whether a term, or an expression of the SELECT clause, can
// begin with such a token.
func beginsTerm(k kind) bool {
	switch k {
	case kNull, kToken, tQMark, tColon, tMinus, tLParen, tLBracket, tLBrace:
		return true
	}
	return isConstant(k) || k.isName()
}

// tupleOrHint reads (a, b, …) or (type) term.
func (p *parser) tupleOrHint() Term {
	pos := p.here()
	first := p.kindAt(1)
	if end, ok := p.scanType(p.pos + 1); ok && p.kindFrom(end) == tRParen && (first != tString || p.startsTerm(end+1)) {
		p.next()
		typ := p.typeExpr()
		p.expect(tRParen)
		return &TypeHint{Type: typ, Term: p.simpleTerm(), Pos: pos}
	}
	if first.isName() {
		if n := p.kindAt(2); n != tLParen && n != tDot {
			p.noViable(2)
		}
	}
	return p.tupleLiteral()
}

// startsTerm tells whether the token at index i begins a term that can be cast.
func (p *parser) startsTerm(i int) bool {
	n := p.kindFrom(i + 1)
	switch k := p.kindFrom(i); k {
	case kNull, tQMark, tLParen, tLBracket, tLBrace:
		return true
	case tColon: // else the colon of a map
		return n.isName() && p.kindFrom(i+2) != tLParen && p.kindFrom(i+2) != tDot
	default:
		return isConstant(k) || (k.isName() || k == kToken) && (n == tLParen || n == tDot)
	}
}

// tupleLiteral reads (a, b, …), with at least one element.
// Source: Cassandra 5.0 Parser.g rule tupleLiteral.
func (p *parser) tupleLiteral() *TupleLit {
	pos := p.expect(tLParen).pos()
	list := append(make([]Term, 0, 2), p.term())
	for p.accept(tComma) {
		list = append(list, p.term())
	}
	p.expect(tRParen)
	return &TupleLit{Elems: list, Pos: pos}
}

// braces reads a set, a map or a user type's value.
// Source: Cassandra 5.0 Parser.g rules collectionLiteral, usertypeLiteral.
func (p *parser) braces() Term {
	if p.kindAt(1).isName() {
		switch p.kindAt(2) {
		case tColon:
			return p.userType(p.next().pos())
		case tLParen, tDot:
		default:
			p.noViable(2)
		}
	}
	if n := p.kindAt(1); n != tRBrace && !beginsTerm(n) {
		p.noViable(1)
	}
	pos := p.next().pos()
	if p.accept(tRBrace) {
		return &SetLit{Pos: pos}
	}
	first := p.term()
	switch p.kind() {
	case tColon:
		return p.mapRest(pos, first)
	case tComma, tRBrace:
	default:
		p.noViable(0)
	}
	set := &SetLit{Elems: []Term{first}, Pos: pos}
	for p.accept(tComma) {
		set.Elems = append(set.Elems, p.term())
	}
	p.expect(tRBrace)
	return set
}

func (p *parser) userType(pos Pos) Term {
	u := &UDTLit{Pos: pos}
	for {
		field := p.name()
		p.expect(tColon)
		u.Fields = append(u.Fields, FieldValue{Field: field, Value: p.term()})
		if !p.accept(tComma) {
			p.expect(tRBrace)
			return u
		}
	}
}

func (p *parser) mapRest(pos Pos, key Term) Term {
	m := &MapLit{Pos: pos}
	for {
		p.expect(tColon)
		m.Entries = append(m.Entries, MapEntry{Key: key, Value: p.term()})
		if !p.accept(tComma) {
			p.expect(tRBrace)
			return m
		}
		key = p.term()
	}
}
