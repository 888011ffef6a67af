package cql

// afterTerm are the tokens that may follow a whole term. Because of c = term + c
// the loop over + and - is a decision that looks at them.
var afterTerm = set(tEOF, tSemi, tComma, tRParen, tRBracket, tRBrace, tColon, tRange, kAnd, kGroup, kOrder, kPer,
	kLimit, kAllow, kIf, kPrimary, kWhere, kApply, kInsert, kUpdate, kDelete, kAsc, kDesc)

// afterMarker are the tokens that may follow a ? in a term. As it could also be
// the refused keyspace of a function, the choice looks at them.
var afterMarker = set(tEOF, tSemi, tComma, tRParen, tRBracket, tRBrace, tColon, tRange, tPlus, tMinus, tStar, tSlash, tPercent, kAnd,
	kGroup, kOrder, kPer, kLimit, kAllow, kIf, kPrimary, kWhere, kApply, kInsert, kUpdate, kDelete, kAs, kAsc, kDesc)

// term reads a value expression.
// Source: Cassandra 5.0 Parser.g rules term, termAddition.
func (p *parser) term() Term {
	left := p.product()
	for n := 0; ; n++ {
		p.chain(n)
		switch k := p.kind(); k {
		case tPlus:
			if p.prepends() {
				return left
			}
			fallthrough
		case tMinus:
			op := p.next()
			left = &BinaryOp{Op: p.src[op.start], Left: left, Right: p.product(), Pos: op.pos()}
		default:
			if !afterTerm.has(k) {
				p.noViable(0)
			}
			p.fetched(1)
			return left
		}
	}
}

// prepends decides what a + begins: the column of c = term + c, or an operand.
func (p *parser) prepends() bool {
	switch k := p.kindAt(1); {
	case k == tEmptyQuoted:
		return true
	case k == kToken:
		return false
	case !k.isName():
		return false
	}
	switch k := p.kindAt(2); k {
	case tComma, kWhere:
		return true
	case tLParen, tDot:
		return false
	}
	p.noViable(2)
	return false
}

// product reads operands of * / %.
// Source: Cassandra 5.0 Parser.g rule termMultiplication.
func (p *parser) product() Term {
	left := p.operand()
	for n := 0; ; n++ {
		p.chain(n)
		switch p.kind() {
		case tStar, tSlash, tPercent:
			op := p.next()
			left = &BinaryOp{Op: p.src[op.start], Left: left, Right: p.operand(), Pos: op.pos()}
		default:
			return left
		}
	}
}

// operand reads one operand, perhaps negated.
// Source: Cassandra 5.0 Parser.g rule termGroup.
func (p *parser) operand() Term {
	if p.is(tMinus) {
		op := p.next()
		return &UnaryMinus{Term: p.simpleTerm(), Pos: op.pos()}
	}
	return p.simpleTerm()
}

// simpleTerm reads a value, a function call or a cast.
// Source: Cassandra 5.0 Parser.g rules simpleTerm, value.
func (p *parser) simpleTerm() Term {
	switch k := p.kind(); {
	case isConstant(k):
		return p.constant()
	case k == kNull:
		return &Null{Pos: p.next().pos()}
	case k == tQMark && !afterMarker.has(p.kindAt(1)):
		if p.kindAt(1) != tDot {
			p.noViable(1)
		}
		p.keyspaceName() // of a function: it cannot be a marker
	case k == tQMark || k == tColon:
		return p.marker()
	case k == tLBracket, k == tLBrace, k == tLParen:
		p.enter()
		t := p.compound(k)
		p.depth--
		return t
	case k == kCast && p.kindAt(1) == tLParen:
		p.enter()
		t := p.castTerm()
		p.depth--
		return t
	case k.isName() || k == kToken:
		p.enter()
		t := p.functionCall()
		p.depth--
		return t
	}
	p.noViable(0)
	return nil
}

// castTerm reads CAST(term AS type).
func (p *parser) castTerm() Term {
	pos := p.next().pos()
	p.expect(tLParen)
	t := p.simpleTerm()
	p.expect(kAs)
	typ := p.nativeType()
	p.expect(tRParen)
	return &Cast{Term: t, Type: typ, Pos: pos}
}

// functionCall reads [ks.]f(args). Source: Cassandra 5.0 Parser.g rule function.
func (p *parser) functionCall() Term {
	k, n := p.kind(), p.kindAt(1)
	switch {
	case n == tLParen && namesFunction(k):
		p.arguments(2)
	case n != tDot || k == kToken:
		p.noViable(1)
	case !namesFunction(p.kindAt(2)):
		p.noViable(2)
	case p.kindAt(3) != tLParen:
		p.noViable(3)
	default:
		p.arguments(4)
	}
	f := &FunctionCall{Pos: p.here(), Func: p.functionName()}
	p.expect(tLParen)
	f.Args = p.terms(tRParen)
	return f
}

// arguments looks at the token k places ahead, behind the parenthesis of a call:
// by it the choice between calls without and with arguments is made.
func (p *parser) arguments(k int) {
	if n := p.kindAt(k); n != tRParen && !beginsTerm(n) {
		p.noViable(k)
	}
}

// namesFunction is Parser.g's rule allowedFunctionName.
func namesFunction(k kind) bool {
	return k == tIdent || k == tQuoted || k.isNative() || k.isBasic() || k == kToken || k == kCount
}

// functionName reads [ks.]f without a look behind it.
// Source: Cassandra 5.0 Parser.g rule functionName.
func (p *parser) functionName() (q QualifiedName) {
	if p.kind() != kToken && p.kindAt(1) == tDot {
		q.Keyspace = p.keyspaceName()
		p.next()
	}
	q.Name = p.plainFunctionName()
	return q
}

// plainFunctionName is Parser.g's rule allowedFunctionName.
func (p *parser) plainFunctionName() Name {
	if !namesFunction(p.kind()) {
		p.noViable(0)
	}
	return p.nameOf(p.next())
}
