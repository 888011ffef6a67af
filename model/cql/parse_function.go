package cql

import "strings"

// createFunction reads CREATE FUNCTION behind FUNCTION.
// Source: Cassandra 5.0 Parser.g rule createFunctionStatement.
func (p *parser) createFunction(pos Pos, replace bool) Statement {
	s := &CreateFunction{Pos: pos, OrReplace: replace, IfNotExists: p.ifNotExists()}
	s.Func = p.functionName()
	p.expect(tLParen)
	if !p.is(tRParen) {
		if !p.kind().isName() {
			p.noViable(0)
		}
		s.Args = append(s.Args, FunctionArg{Name: p.name(), Type: p.typeExpr()})
		for p.accept(tComma) {
			s.Args = append(s.Args, FunctionArg{Name: p.name(), Type: p.typeExpr()})
		}
	}
	p.expect(tRParen)
	switch {
	case p.accept(kReturns):
		p.expect(kNull)
	case p.accept(kCalled):
		s.CalledOnNull = true
	default:
		p.noViable(0)
	}
	p.keywords(kOn, kNull, kInput, kReturns)
	s.Returns = p.typeExpr()
	p.expect(kLanguage)
	s.Language = p.nameOf(p.expect(tIdent))
	s.Language.Text = strings.ToLower(s.Language.Text)
	p.expect(kAs)
	s.Body = p.stringConstant()
	return s
}

// createAggregate reads CREATE AGGREGATE behind AGGREGATE.
// Source: Cassandra 5.0 Parser.g rule createAggregateStatement.
func (p *parser) createAggregate(pos Pos, replace bool) Statement {
	s := &CreateAggregate{Pos: pos, OrReplace: replace, IfNotExists: p.ifNotExists()}
	s.Func = p.functionName()
	p.expect(tLParen)
	s.Types = p.types()
	p.expect(kSfunc)
	s.StateFunc = p.plainFunctionName()
	p.expect(kStype)
	s.StateType = p.typeExpr()
	if p.accept(kFinalfunc) {
		final := p.plainFunctionName()
		s.FinalFunc = &final
	}
	if p.accept(kInitcond) {
		s.InitCond = p.term()
	}
	return s
}

// types reads types between commas and the closing parenthesis.
func (p *parser) types() (list []TypeExpr) {
	if p.accept(tRParen) {
		return nil
	}
	for {
		list = append(list, p.typeExpr())
		if !p.accept(tComma) {
			p.expect(tRParen)
			return list
		}
	}
}

// optionalTypes reads (types), or nothing.
func (p *parser) optionalTypes() (list []TypeExpr, given bool) {
	if !p.accept(tLParen) {
		return nil, false
	}
	return p.types(), true
}

// describedFunction reads [ks.]f where the statement may end behind it.
func (p *parser) describedFunction() QualifiedName {
	if k := p.kind(); k.isName() && k != kToken {
		if n := p.kindAt(1); n != tDot && !afterFunction.has(n) {
			p.noViable(1)
		}
	}
	return p.functionName()
}

// createTrigger reads CREATE TRIGGER behind TRIGGER.
func (p *parser) createTrigger(pos Pos) Statement {
	s := &CreateTrigger{Pos: pos, IfNotExists: p.ifNotExists()}
	s.Name = p.name()
	p.expect(kOn)
	s.Table = p.tableName()
	p.expect(kUsing)
	s.Class = p.stringConstant()
	return s
}

// describeWords are the objects of DESCRIBE that are one word without a name.
var describeWords = map[kind]DescribeKind{
	kCluster: DescribeCluster, kKeyspaces: DescribeKeyspaces, kTables: DescribeTables, kTypes: DescribeTypes,
	kFunctions: DescribeFunctions, kAggregates: DescribeAggregates,
}

// describe reads DESCRIBE or DESC. A word that is also a name stands for the name
// only where the words behind it demand that.
// Source: Cassandra 5.0 Parser.g rule describeStatement.
func (p *parser) describe() Statement {
	s := &Describe{Pos: p.next().pos()}
	k, n := p.kind(), p.kindAt(1)
	ends := n == tEOF || n == tSemi || n == kWith
	word, single := describeWords[k]
	switch {
	case single && n != tDot:
		p.next()
		s.Kind = word
	case k == kFull || k == kSchema:
		s.Kind, s.Full = DescribeSchema, p.accept(kFull)
		p.expect(kSchema)
	case k == kOnly && !ends && n != tDot, k == kKeyspace:
		s.Kind, s.Only = DescribeKeyspace, p.accept(kOnly)
		p.expect(kKeyspace)
		if k := p.kind(); k.isName() || k == tQMark {
			s.Name.Name = p.keyspaceName()
		}
	case k == kColumnfamily:
		p.next()
		s.Kind, s.Name = DescribeTable, p.tableName()
	case k == kIndex:
		p.next()
		s.Kind, s.Name = DescribeIndex, p.tableName()
	case k == kMaterialized:
		p.keywords(kMaterialized, kView)
		s.Kind, s.Name = DescribeView, p.tableName()
	case k == kType && !ends && n != tDot:
		p.next()
		s.Kind, s.Name = DescribeType, p.typeName()
	case k == kFunction && !ends && n != tDot:
		p.next()
		s.Kind, s.Name = DescribeFunction, p.describedFunction()
	case k == kAggregate && !ends && n != tDot:
		p.next()
		s.Kind, s.Name = DescribeAggregate, p.describedFunction()
	case !k.isName():
		p.noViable(0)
	default:
		if !ends && n != tDot {
			p.noViable(1)
		}
		if first := p.name(); p.accept(tDot) {
			s.Name.Keyspace, s.Name.Name = first, p.name()
		} else {
			s.Name.Name = first
		}
	}
	if p.accept(kWith) {
		p.expect(kInternals)
		s.WithInternals = true
	}
	return s
}
