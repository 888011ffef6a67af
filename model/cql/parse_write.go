package cql

// insert reads INSERT INTO table (…) VALUES (…) or JSON ….
// Source: Cassandra 5.0 Parser.g rules insertStatement, normalInsertStatement.
func (p *parser) insert() Statement {
	pos := p.next().pos()
	p.expect(kInto)
	table := p.tableName()
	if p.accept(kJson) {
		return p.insertJSON(pos, table)
	} else if !p.is(tLParen) {
		p.noViable(0)
	}
	s := &Insert{Table: table, Pos: pos}
	p.next()
	s.Columns = append(make([]Name, 0, 4), p.columnName())
	for p.accept(tComma) {
		s.Columns = append(s.Columns, p.columnName())
	}
	p.keywords(tRParen, kValues, tLParen)
	s.Values = append(make([]Term, 0, len(s.Columns)), p.term())
	for p.accept(tComma) {
		s.Values = append(s.Values, p.term())
	}
	p.expect(tRParen)
	s.IfNotExists = p.ifNotExists()
	s.Using = p.using()
	s.Markers = p.markers
	return s
}

// insertJSON is Parser.g's rule jsonInsertStatement.
func (p *parser) insertJSON(pos Pos, table QualifiedName) Statement {
	s := &InsertJSON{Table: table, Pos: pos}
	switch p.kind() {
	case tString:
		s.Value = p.constant()
	case tQMark, tColon:
		s.Value = p.marker()
	default:
		p.noViable(0)
	}
	if p.accept(kDefault) {
		switch {
		case p.accept(kNull):
			s.DefaultNull = true
		case p.accept(kUnset):
			s.DefaultUnset = true
		default:
			p.noViable(0)
		}
	}
	s.IfNotExists = p.ifNotExists()
	s.Using = p.using()
	s.Markers = p.markers
	return s
}

// using reads USING TIMESTAMP … AND TTL …, or nothing.
// Source: Cassandra 5.0 Parser.g rules usingClause, usingClauseObjective.
func (p *parser) using() (a Attributes) {
	if !p.accept(kUsing) {
		return a
	}
	for {
		switch {
		case p.accept(kTimestamp):
			a.replace(false, a.Timestamp)
			a.Timestamp = p.integer()
		case p.accept(kTtl):
			a.replace(true, a.TTL)
			a.TTL = p.integer()
		default:
			p.noViable(0)
		}
		if !p.accept(kAnd) {
			return a
		}
	}
}

// replace remembers a marker whose attribute is given anew.
func (a *Attributes) replace(ttl bool, old Term) {
	if m, ok := old.(*Marker); ok {
		a.Replaced = append(a.Replaced, ReplacedAttribute{TTL: ttl, Marker: m})
	}
}

// update reads an UPDATE. Source: Cassandra 5.0 Parser.g rule updateStatement.
func (p *parser) update() Statement {
	s := &Update{Pos: p.next().pos()}
	s.Table = p.tableName()
	s.Using = p.using()
	p.expect(kSet)
	settings := settings{}
	s.Set = append(make([]Assignment, 0, 2), p.assignment(&settings))
	for p.accept(tComma) {
		s.Set = append(s.Set, p.assignment(&settings))
	}
	p.expect(kWhere)
	s.Where = p.where()
	s.IfExists, s.Conditions = p.ifClause()
	s.Markers = p.markers
	return s
}

// ifClause reads IF EXISTS or IF conditions, or nothing.
func (p *parser) ifClause() (exists bool, conditions []Condition) {
	if !p.accept(kIf) {
		return false, nil
	}
	if p.is(kExists) {
		switch k := p.kindAt(1); k {
		case tEOF, tSemi, kApply, kInsert, kUpdate, kDelete:
			p.next()
			return true, nil
		case kIn, kContains, tLBracket, tDot:
		default:
			if _, ok := comparisonOp(k); !ok {
				p.noViable(1)
			}
		}
	}
	return false, p.conditions()
}

// deleteStatement reads a DELETE.
// Source: Cassandra 5.0 Parser.g rules deleteStatement, deleteSelection, deleteOp.
func (p *parser) deleteStatement() Statement {
	s := &Delete{Pos: p.next().pos()}
	if k := p.kind(); k.isName() || k == tEmptyQuoted {
		s.Deletions = append(s.Deletions, p.deletion())
		for p.accept(tComma) {
			s.Deletions = append(s.Deletions, p.deletion())
		}
	}
	p.expect(kFrom)
	s.Table = p.tableName()
	if p.accept(kUsing) {
		p.expect(kTimestamp)
		s.Using.Timestamp = p.integer()
	}
	p.expect(kWhere)
	s.Where = p.where()
	s.IfExists, s.Conditions = p.ifClause()
	s.Markers = p.markers
	return s
}

func (p *parser) deletion() (d Deletion) {
	if k := p.kind(); k.isName() || k == tEmptyQuoted {
		switch p.kindAt(1) {
		case tComma, kFrom, tLBracket, tDot:
		default:
			p.noViable(1)
		}
	}
	d.Column = p.columnName()
	switch {
	case p.accept(tLBracket):
		d.Element = p.term()
		p.expect(tRBracket)
	case p.accept(tDot):
		field := p.name()
		d.Field = &field
	}
	return d
}

// batch reads BEGIN BATCH … APPLY BATCH.
// Source: Cassandra 5.0 Parser.g rules batchStatement, batchStatementObjective.
func (p *parser) batch() Statement {
	s := &Batch{Pos: p.next().pos()}
	switch {
	case p.accept(kUnlogged):
		s.Kind = UnloggedBatch
	case p.accept(kCounter):
		s.Kind = CounterBatch
	}
	p.expect(kBatch)
	s.Using = p.using()
	for {
		switch p.kind() {
		case kInsert:
			s.Statements = append(s.Statements, p.insert())
		case kUpdate:
			s.Statements = append(s.Statements, p.update())
		case kDelete:
			s.Statements = append(s.Statements, p.deleteStatement())
		default:
			p.keywords(kApply, kBatch)
			for _, inner := range s.Statements {
				clearMarkers(inner)
			}
			s.Markers = p.markers
			return s
		}
		p.accept(tSemi)
	}
}

// clearMarkers takes the markers off a statement inside a batch.
func clearMarkers(s Statement) {
	switch s := s.(type) {
	case *Insert:
		s.Markers = nil
	case *InsertJSON:
		s.Markers = nil
	case *Update:
		s.Markers = nil
	case *Delete:
		s.Markers = nil
	}
}
