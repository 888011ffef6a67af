package cql

// createKeyspace reads CREATE KEYSPACE behind KEYSPACE.
func (p *parser) createKeyspace(pos Pos) Statement {
	s := &CreateKeyspace{Pos: pos, IfNotExists: p.ifNotExists()}
	s.Keyspace = p.keyspaceName()
	p.expect(kWith)
	s.Properties = p.properties()
	return s
}

// alterKeyspace reads ALTER KEYSPACE behind KEYSPACE.
func (p *parser) alterKeyspace(pos Pos) Statement {
	s := &AlterKeyspace{Pos: pos, IfExists: p.ifExists()}
	s.Keyspace = p.keyspaceName()
	p.expect(kWith)
	s.Properties = p.properties()
	return s
}

// createType reads CREATE TYPE behind TYPE.
// Source: Cassandra 5.0 Parser.g rules createTypeStatement, typeColumns.
func (p *parser) createType(pos Pos) Statement {
	s := &CreateType{Pos: pos, IfNotExists: p.ifNotExists()}
	s.Type = p.typeName()
	p.expect(tLParen)
	s.Fields = append(s.Fields, p.field())
	for p.accept(tComma) {
		if p.kind().isName() {
			s.Fields = append(s.Fields, p.field())
		}
	}
	p.expect(tRParen)
	return s
}

func (p *parser) field() ColumnDef { return ColumnDef{Name: p.name(), Type: p.typeExpr()} }

// alterType reads ALTER TYPE behind TYPE.
// Source: Cassandra 5.0 Parser.g rule alterTypeStatement.
func (p *parser) alterType(pos Pos) Statement {
	s := &AlterType{Pos: pos, IfExists: p.ifExists()}
	s.Type = p.typeName()
	switch {
	case p.accept(kAlter):
		s.Kind, s.Field.Name = AlterColumnType, p.name()
		p.expect(kType)
		s.Field.Type = p.typeExpr()
	case p.accept(kAdd):
		s.Kind, s.IfField = AlterAdd, p.ifNotExists()
		s.Field = p.field()
	case p.accept(kRename):
		s.Kind, s.IfField = AlterRename, p.ifExists()
		s.Renames = p.renames()
	default:
		p.noViable(0)
	}
	return s
}

// createIndex reads CREATE [CUSTOM] INDEX from CUSTOM or INDEX on.
// Source: Cassandra 5.0 Parser.g rules createIndexStatement, indexIdent.
func (p *parser) createIndex(pos Pos) Statement {
	s := &CreateIndex{Pos: pos, Custom: p.accept(kCustom)}
	p.expect(kIndex)
	s.IfNotExists = p.ifNotExists()
	if p.is(tQMark) {
		p.invalid(p.toks[p.pos], "Bind variables cannot be used for index names")
	}
	if p.kind().isName() {
		s.Name = p.name()
	}
	p.expect(kOn)
	s.Table = p.tableName()
	p.expect(tLParen)
	if !p.is(tRParen) {
		s.Targets = append(s.Targets, p.indexTarget())
		for p.accept(tComma) {
			s.Targets = append(s.Targets, p.indexTarget())
		}
	}
	p.expect(tRParen)
	if p.accept(kUsing) {
		s.Using = p.stringConstant()
	}
	if p.accept(kWith) {
		s.Properties = p.properties()
	}
	return s
}

var indexTargets = map[kind]IndexTargetKind{
	kKeys: KeysTarget, kValues: ValuesTarget, kEntries: EntriesTarget, kFull: FullTarget,
}

func (p *parser) indexTarget() IndexTarget {
	t := IndexTarget{Pos: p.here()}
	k := p.kind()
	if t.Kind = indexTargets[k]; t.Kind == SimpleTarget || k.isUnreserved() && p.kindAt(1) != tLParen {
		t.Kind, t.Column = SimpleTarget, p.columnName()
		return t
	}
	p.next()
	p.expect(tLParen)
	t.Column = p.columnName()
	p.expect(tRParen)
	return t
}

// createView reads CREATE MATERIALIZED VIEW behind VIEW.
// Source: Cassandra 5.0 Parser.g rules createMaterializedViewStatement, viewProperty.
func (p *parser) createView(pos Pos) Statement {
	s := &CreateView{Pos: pos, IfNotExists: p.ifNotExists()}
	s.View = p.tableName()
	p.keywords(kAs, kSelect)
	s.Selectors = p.selectors()
	p.expect(kFrom)
	s.Base = p.tableName()
	if p.accept(kWhere) {
		s.Where = p.where()
	}
	s.PrimaryKey = p.primaryKey()
	if !p.accept(kWith) {
		return s
	}
	for {
		switch k := p.kind(); {
		case k == kCompact && p.kindAt(1) == kStorage:
			p.invalid(p.toks[p.pos], "COMPACT STORAGE tables are not allowed starting with version 4.0")
		case k == kClustering && p.kindAt(1) == kOrder:
			s.Clustering = append(s.Clustering, p.clusteringOrder()...)
		default:
			s.Properties = append(s.Properties, p.property())
		}
		if !p.accept(kAnd) {
			return s
		}
	}
}

// alterView reads ALTER MATERIALIZED VIEW behind VIEW.
func (p *parser) alterView(pos Pos) Statement {
	s := &AlterView{Pos: pos, IfExists: p.ifExists()}
	s.View = p.tableName()
	p.expect(kWith)
	s.Properties = p.properties()
	return s
}

// stringConstant reads a string. Source: Cassandra 5.0 Lexer.g rule STRING_LITERAL.
func (p *parser) stringConstant() *Constant {
	if !p.is(tString) {
		p.mismatch(tString.String())
	}
	return p.constant()
}
