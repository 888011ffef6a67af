package cql

// selectStatement reads a SELECT.
// Source: Cassandra 5.0 Parser.g rules selectStatement, selectClause.
func (p *parser) selectStatement() *Select {
	s := &Select{Pos: p.next().pos()}
	if p.is(kJson) && p.beginsSelectors(1) && p.tries(func() {
		p.next()
		if !p.distinctSelectors() {
			p.selectors()
		}
	}) {
		p.next()
		s.JSON = true
	}
	if p.distinctSelectors() {
		p.next()
		s.Distinct = true
	}
	s.Selectors = p.selectors()
	p.expect(kFrom)
	s.Table = p.tableName()
	if p.accept(kWhere) {
		s.Where = p.where()
	}
	if p.accept(kGroup) {
		p.expect(kBy)
		s.GroupBy = append(s.GroupBy, p.selectable())
		for p.accept(tComma) {
			s.GroupBy = append(s.GroupBy, p.selectable())
		}
	}
	if p.accept(kOrder) {
		p.expect(kBy)
		s.OrderBy = append(s.OrderBy, p.ordering())
		for p.accept(tComma) {
			s.OrderBy = append(s.OrderBy, p.ordering())
		}
	}
	if p.accept(kPer) {
		p.keywords(kPartition, kLimit)
		s.PerPartitionLimit = p.integer()
	}
	if p.accept(kLimit) {
		s.Limit = p.integer()
	}
	if p.accept(kAllow) {
		p.expect(kFiltering)
		s.AllowFiltering = true
	}
	s.Markers = p.markers
	return s
}

// distinctSelectors tells whether DISTINCT and selectors stand here. If the
// selectors have an error, DISTINCT is taken for a column.
func (p *parser) distinctSelectors() bool {
	return p.is(kDistinct) && p.beginsSelectors(1) && p.tries(func() {
		p.next()
		p.selectors()
	})
}

// tries tells whether a rule reads on from here without an error, and reads
// nothing. Source: ANTLR 3.5 syntactic predicates.
func (p *parser) tries(rule func()) bool {
	before := *p
	ok := p.attempt(rule)
	p.back(before)
	return ok
}

// attempt reads by a rule, or nothing if that gives an error.
func (p *parser) attempt(rule func()) (ok bool) {
	before := *p
	defer func() {
		if r := recover(); r != nil {
			if b, refused := r.(bailout); !refused || b.thrown || b.err == p.lexErr {
				panic(r)
			}
			p.back(before)
		}
	}()
	rule()
	return true
}

// back returns to a place before. What has been read ahead stays read.
func (p *parser) back(before parser) {
	before.ahead = max(before.ahead, p.ahead)
	*p = before
}

// beginsSelectors decides whether JSON or DISTINCT is that word and not a column
// or a function: a selector begins k places ahead. So json - a is JSON of -a.
func (p *parser) beginsSelectors(k int) bool {
	switch n := p.kindAt(k); n {
	case tStar, tMinus, tLParen, tLBracket, tLBrace, tQMark, tColon, kToken, kNull:
		return true
	case kAs:
		return !p.kindAt(k + 1).isName() // json AS x names a column
	default:
		return isConstant(n) || n.isName()
	}
}

// ordering reads one item of ORDER BY.
// Source: Cassandra 5.0 Parser.g rule orderByClause.
func (p *parser) ordering() Ordering {
	o := Ordering{Column: p.columnName()}
	if p.accept(kAnn) {
		p.expect(kOf)
		o.ANN = p.term()
	}
	if !p.accept(kAsc) {
		o.Descending = p.accept(kDesc)
	}
	return o
}

// selectors reads the SELECT clause; nil is *.
// Source: Cassandra 5.0 Parser.g rules selectors, selector.
func (p *parser) selectors() []Selector {
	if p.accept(tStar) {
		return nil
	}
	list := append(make([]Selector, 0, 4), p.selector())
	for p.accept(tComma) {
		list = append(list, p.selector())
	}
	return list
}

func (p *parser) selector() Selector {
	s := Selector{Expr: p.selectable()}
	if p.accept(kAs) {
		alias := p.name()
		s.Alias = &alias
	}
	return s
}

// selectable reads a sum of products.
// Source: Cassandra 5.0 Parser.g rules unaliasedSelector, selectionAddition.
func (p *parser) selectable() Selectable {
	left := p.selProduct()
	for n := 0; p.is(tPlus) || p.is(tMinus); n++ {
		p.chain(n)
		op := p.next()
		left = &SelBinary{Op: p.src[op.start], Left: left, Right: p.selProduct(), Pos: op.pos()}
	}
	return left
}

// selProduct is Parser.g's rule selectionMultiplication.
func (p *parser) selProduct() Selectable {
	left := p.selGroup()
	for n := 0; p.is(tStar) || p.is(tSlash) || p.is(tPercent); n++ {
		p.chain(n)
		op := p.next()
		left = &SelBinary{Op: p.src[op.start], Left: left, Right: p.selGroup(), Pos: op.pos()}
	}
	return left
}

// selGroup reads an expression with its fields and elements, perhaps negated.
// Source: Cassandra 5.0 Parser.g rules selectionGroup, selectionGroupWithField.
func (p *parser) selGroup() Selectable {
	p.enter()
	var s Selectable
	if p.is(tMinus) {
		pos := p.next().pos()
		s = &SelMinus{Expr: p.selGroup(), Pos: pos}
	} else {
		s = p.selSimple()
		if p.is(tDot) || p.is(tLBracket) {
			p.attempt(func() {
				m := p.selModifiers(s)
				if !afterColumn.has(p.kind()) {
					p.noViable(0)
				}
				s = m
			})
		}
	}
	p.depth--
	return s
}

// selModifiers reads .field, [element] and [from..to] behind an expression.
// Source: Cassandra 5.0 Parser.g rules selectorModifier, collectionSubSelection.
func (p *parser) selModifiers(of Selectable) Selectable {
	for n := 0; ; n++ {
		p.chain(n)
		switch p.kind() {
		case tDot:
			p.next()
			of = &SelField{Of: of, Field: p.name()}
		case tLBracket:
			of = p.selBracket(of)
		default:
			return of
		}
	}
}

func (p *parser) selBracket(of Selectable) Selectable {
	pos := p.next().pos()
	var from, to Term
	if !p.is(tRange) {
		from = p.term()
		if !p.is(tRange) {
			p.expect(tRBracket)
			return &SelElement{Of: of, Key: from, Pos: pos}
		}
	}
	p.expect(tRange)
	if from == nil || !p.is(tRBracket) {
		to = p.term()
	}
	p.expect(tRBracket)
	return &SelSlice{Of: of, From: from, To: to, Pos: pos}
}
