package cql

// where reads relations with AND between them.
// Source: Cassandra 5.0 Parser.g rules whereClause, relationOrExpression.
func (p *parser) where() []Relation {
	list := append(make([]Relation, 0, 2), p.relation())
	for p.accept(kAnd) {
		list = append(list, p.relation())
	}
	return list
}

// relation reads one restriction.
// Source: Cassandra 5.0 Parser.g rules relation, customIndexExpression.
func (p *parser) relation() Relation {
	r := Relation{Pos: p.here()}
	switch k := p.kind(); {
	case k.isName() || k == tEmptyQuoted:
		p.columnRelation(&r)
	case k == kToken:
		p.next()
		r.Kind = TokenRelation
		r.Columns = p.columnTuple()
		r.Op = p.comparison()
		r.Value = p.term()
	case k == tLParen:
		return p.parenthesised(r)
	case k == tExpr:
		p.next()
		r.Kind = CustomRelation
		if p.is(tQMark) {
			p.invalid(p.toks[p.pos], "Bind variables cannot be used for index names")
		}
		r.Index.Name = p.name()
		p.expect(tComma)
		r.Value = p.term()
		p.expect(tRParen)
	default:
		p.noViable(0)
	}
	return r
}

// columnRelation reads a restriction that begins with a column.
func (p *parser) columnRelation(r *Relation) {
	op := p.kindAt(1)
	switch op {
	case kIn:
		if k := p.kindAt(2); k != tQMark && k != tColon && k != tLParen {
			p.noViable(2)
		}
	case kLike, kIs, kContains, tLBracket:
	default:
		if _, ok := comparisonOp(op); !ok {
			p.noViable(1)
		}
	}
	p.fetched(2)
	r.Columns = []Name{p.columnName()}
	switch op {
	case tLBracket:
		p.next()
		r.Kind = ElementRelation
		r.Key = p.term()
		p.expect(tRBracket)
		r.Op = p.comparison()
		r.Value = p.term()
	case kIs:
		p.next()
		r.Op = IS_NOT
		p.expect(kNot)
		r.Value = &Null{Pos: p.expect(kNull).pos()}
	case kLike:
		p.next()
		r.Op, r.Value = LIKE, p.term()
	case kIn:
		p.next()
		r.Op = IN
		r.InValues, r.InMarker = p.inValues()
	case kContains:
		r.Op, r.Value = p.contains()
	default:
		r.Op = p.comparison()
		r.Value = p.term()
	}
}

// contains reads CONTAINS [KEY] term.
func (p *parser) contains() (Op, Term) {
	p.next()
	op := CONTAINS
	if p.is(kKey) && p.kindAt(1) != tDot {
		p.next()
		op = CONTAINS_KEY
	}
	return op, p.term()
}

// inValues reads (a, b, …), () or a marker.
// Source: Cassandra 5.0 Parser.g rules singleColumnInValues, inMarker.
func (p *parser) inValues() ([]Term, *Marker) {
	switch p.kind() {
	case tQMark, tColon:
		return nil, p.marker()
	case tLParen:
		p.next()
		return p.terms(tRParen), nil
	}
	p.noViable(0)
	return nil, nil
}

// parenthesised reads a relation in parentheses, or one on a tuple of columns.
func (p *parser) parenthesised(r Relation) Relation {
	if k := p.kindAt(1); k.isName() || k == tEmptyQuoted {
		if n := p.kindAt(2); n == tComma || n == tRParen {
			r.Kind = MultiRelation
			r.Columns = p.columnTuple()
			p.multiRelation(&r)
			return r
		}
	}
	p.enter()
	p.next()
	r = p.relation()
	p.expect(tRParen)
	p.depth--
	return r
}

// multiRelation reads what follows (c1, c2, …).
func (p *parser) multiRelation(r *Relation) {
	if !p.accept(kIn) {
		r.Op = p.comparison()
		switch p.kind() {
		case tQMark, tColon:
			r.Value = p.marker()
		case tLParen:
			r.Value = p.tupleLiteral()
		default:
			p.noViable(0)
		}
		return
	}
	r.Op = IN
	if k := p.kind(); k == tQMark || k == tColon {
		r.InMarker = p.marker()
		return
	} else if k != tLParen {
		p.noViable(0)
	}
	first := p.kindAt(1)
	if first != tRParen && first != tLParen && first != tQMark && first != tColon {
		p.noViable(1)
	}
	if p.next(); p.accept(tRParen) {
		return
	}
	for {
		if first == tLParen {
			r.InValues = append(r.InValues, p.tupleLiteral())
		} else if k := p.kind(); k == tQMark || k == tColon {
			r.InValues = append(r.InValues, p.marker())
		} else {
			p.noViable(0)
		}
		if !p.accept(tComma) {
			p.expect(tRParen)
			return
		}
	}
}

// columnTuple reads (c1, c2, …). Source: Cassandra 5.0 Parser.g rule tupleOfIdentifiers.
func (p *parser) columnTuple() []Name {
	p.expect(tLParen)
	list := []Name{p.columnName()}
	for p.accept(tComma) {
		list = append(list, p.columnName())
	}
	p.expect(tRParen)
	return list
}

// comparisonOp is Parser.g's rule relationType.
func comparisonOp(k kind) (Op, bool) {
	switch k {
	case tEq:
		return EQ, true
	case tNeq:
		return NEQ, true
	case tLT:
		return LT, true
	case tLTE:
		return LTE, true
	case tGT:
		return GT, true
	case tGTE:
		return GTE, true
	}
	return 0, false
}

// comparison reads an operator.
func (p *parser) comparison() Op {
	op, ok := comparisonOp(p.kind())
	if !ok {
		p.noViable(0)
	}
	p.next()
	return op
}

// conditions reads the tests of an IF clause.
// Source: Cassandra 5.0 Parser.g rule updateConditions.
func (p *parser) conditions() []Condition {
	list := append(make([]Condition, 0, 1), p.condition())
	for p.accept(kAnd) {
		list = append(list, p.condition())
	}
	return list
}

// condition reads one test. Source: Cassandra 5.0 Parser.g rule columnCondition.
func (p *parser) condition() Condition {
	c := Condition{Pos: p.here(), Column: p.columnName()}
	switch p.kind() {
	case kContains:
		c.Op, c.Value = p.contains()
		return c
	case tLBracket:
		p.next()
		c.Element = p.term()
		p.expect(tRBracket)
	case tDot:
		p.next()
		field := p.name()
		c.Field = &field
	}
	if p.accept(kIn) {
		c.Op = IN
		c.InValues, c.InMarker = p.inValues()
		return c
	}
	c.Op = p.comparison()
	c.Value = p.term()
	return c
}
