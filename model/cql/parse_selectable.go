package cql

// afterColumn are the tokens that may follow a column in the SELECT clause; after
// others the column itself is refused.
var afterColumn = set(tEOF, tSemi, tComma, tRParen, tRBracket, tRBrace, tColon, tDot, tLBracket, tPlus, tMinus, tStar,
	tSlash, tPercent, kFrom, kAs, kOrder, kPer, kLimit, kAllow)

// selSimple reads an expression without modifiers.
// Source: Cassandra 5.0 Parser.g rules selectionGroupWithoutField, simpleUnaliasedSelector.
func (p *parser) selSimple() Selectable {
	k := p.kind()
	p.fetchedSelector(k)
	switch {
	case isConstant(k):
		return &SelTerm{Term: p.constant()}
	case k == kNull:
		return &SelTerm{Term: &Null{Pos: p.next().pos()}}
	case k == tQMark || k == tColon:
		return &SelTerm{Term: p.marker()}
	case k == tLParen:
		return p.selParens()
	case k == tLBracket:
		if n := p.kindAt(1); n != tRBracket && !beginsTerm(n) {
			p.fetched(2)
		}
		pos := p.next().pos()
		return &SelList{Elems: p.selectables(tRBracket), Pos: pos}
	case k == tLBrace:
		return p.selBraces()
	case k == kToken:
		return p.selCall()
	case k.isName():
		return p.selName(k)
	}
	p.noViable(0)
	return nil
}

// fetchedSelector notes that ANTLR's decision by trial reads two tokens further.
func (p *parser) fetchedSelector(k kind) {
	if k.isName() || k == kToken || isConstant(k) {
		p.fetched(2)
	}
}

// selectables reads expressions between commas up to the closing token.
func (p *parser) selectables(closing kind) []Selectable {
	if p.accept(closing) {
		return nil
	}
	if !beginsTerm(p.kind()) {
		p.mismatch(closing.String())
	}
	list := append(make([]Selectable, 0, 2), p.selectable())
	for p.accept(tComma) {
		list = append(list, p.selectable())
	}
	p.expect(closing)
	return list
}

// selName reads what begins with an identifier: a column or a function.
// Source: Cassandra 5.0 Parser.g rules sident, selectionFunction.
func (p *parser) selName(k kind) Selectable {
	switch n := p.kindAt(1); n {
	case tLParen:
		switch {
		case k == kWritetime || k == kMaxwritetime || k == kTtl:
			return p.selTime(k)
		case k == kCast:
			return p.selCast()
		case k == kCount && p.kindAt(2) == tStar:
			pos := p.next().pos()
			p.keywords(tLParen, tStar, tRParen)
			return &SelCountRows{Pos: pos}
		case !namesFunction(k):
			p.noViable(1)
		case k == kCount:
			p.arguments(2)
		}
		return p.selCall()
	case tDot:
		f := p.kindAt(2)
		if !f.isName() && f != kToken {
			p.noViable(2)
		}
		if n := p.kindAt(3); n == tLParen && namesFunction(f) {
			return p.selCall()
		} else if n == tLParen || !afterColumn.has(n) {
			p.noViable(3)
		}
	default:
		if !afterColumn.has(n) {
			p.noViable(1)
		}
	}
	return &SelColumn{Name: p.nameOf(p.next())}
}

// selCall reads [ks.]f(args). Source: Cassandra 5.0 Parser.g rule selectionFunctionArgs.
func (p *parser) selCall() Selectable {
	c := &SelCall{Pos: p.here(), Func: p.functionName()}
	p.expect(tLParen)
	c.Args = p.selectables(tRParen)
	return c
}

// selTime reads writetime, maxwritetime or ttl of a column.
func (p *parser) selTime(k kind) Selectable {
	t := &SelTime{Pos: p.next().pos()}
	switch k {
	case kMaxwritetime:
		t.Kind = MaxWriteTime
	case kTtl:
		t.Kind = TTL
	}
	p.expect(tLParen)
	t.Of = p.selModifiers(&SelColumn{Name: p.name()})
	if k := p.kind(); !afterColumn.has(k) {
		p.noViable(0)
	}
	p.expect(tRParen)
	return t
}

// selCast reads CAST(expr AS type).
func (p *parser) selCast() Selectable {
	c := &SelCast{Pos: p.next().pos()}
	p.expect(tLParen)
	c.Expr = p.selectable()
	p.expect(kAs)
	c.Type = p.nativeType()
	p.expect(tRParen)
	return c
}

// selParens reads (type) expr, or expressions in parentheses.
// Source: Cassandra 5.0 Parser.g rules selectionTypeHint, selectionTupleOrNestedSelector.
func (p *parser) selParens() Selectable {
	if end, ok := p.scanType(p.pos + 1); ok && p.kindFrom(end) == tRParen && p.startsSelectable(end+1) {
		var h Selectable
		if p.attempt(func() { h = p.selTypeHint() }) {
			return h
		}
	}
	t := &SelTuple{Pos: p.next().pos()}
	t.Elems = append(t.Elems, p.selectable())
	for p.accept(tComma) {
		t.Elems = append(t.Elems, p.selectable())
	}
	p.expect(tRParen)
	return t
}

func (p *parser) selTypeHint() Selectable {
	pos := p.next().pos()
	typ := p.typeExpr()
	p.expect(tRParen)
	p.enter()
	h := &SelTypeHint{Type: typ, Expr: p.selSimple(), Pos: pos}
	p.depth--
	return h
}

// startsSelectable tells whether the token at index i begins an expression that
// a type in parentheses can stand in front of.
func (p *parser) startsSelectable(i int) bool {
	k := p.kindFrom(i)
	switch k {
	case kNull, tQMark, tLParen, tLBracket, tLBrace, kToken:
		return true
	case tColon: // else the colon of a map
		return p.kindFrom(i + 1).isName()
	case kAs, kPer:
		return p.kindFrom(i+1) == tLParen
	}
	return isConstant(k) || k.isName()
}

// selBraces reads a set or a map.
// Source: Cassandra 5.0 Parser.g rules selectionMapOrSet, selectionMap, selectionSet.
func (p *parser) selBraces() Selectable {
	if n := p.kindAt(1); n != tRBrace && !beginsTerm(n) {
		p.fetched(2)
		p.noViable(1)
	}
	pos := p.next().pos()
	if p.accept(tRBrace) {
		return &SelSet{Pos: pos}
	}
	first := p.selectable()
	if !p.is(tColon) {
		if !p.is(tComma) && !p.is(tRBrace) {
			p.noViable(0)
		}
		s := &SelSet{Elems: []Selectable{first}, Pos: pos}
		for p.accept(tComma) {
			s.Elems = append(s.Elems, p.selectable())
		}
		p.expect(tRBrace)
		return s
	}
	m := &SelMap{Pos: pos}
	for key := first; ; key = p.selectable() {
		p.expect(tColon)
		m.Entries = append(m.Entries, SelEntry{Key: key, Value: p.selectable()})
		if !p.accept(tComma) {
			p.expect(tRBrace)
			return m
		}
	}
}
