package cql

// createTable reads CREATE TABLE behind TABLE.
// Source: Cassandra 5.0 Parser.g rules createTableStatement, tableDefinition.
func (p *parser) createTable(pos Pos) Statement {
	s := &CreateTable{Pos: pos, IfNotExists: p.ifNotExists()}
	s.Table = p.tableName()
	p.expect(tLParen)
	p.tableColumn(s)
	for p.accept(tComma) {
		if k := p.kind(); k.isName() || k == kPrimary {
			p.tableColumn(s)
		}
	}
	p.expect(tRParen)
	if p.accept(kWith) {
		p.tableProperty(s)
		for p.accept(kAnd) {
			p.tableProperty(s)
		}
	}
	return s
}

// tableColumn is Parser.g's rule tableColumns.
func (p *parser) tableColumn(s *CreateTable) {
	if p.is(kPrimary) {
		s.PrimaryKeys = append(s.PrimaryKeys, p.primaryKey())
		return
	}
	c := ColumnDef{Name: p.name(), Type: p.typeExpr()}
	c.Static = p.accept(kStatic)
	c.Mask = p.optionalMask()
	s.Columns = append(s.Columns, c)
	if p.is(kPrimary) {
		pk := PrimaryKey{Partition: []Name{c.Name}, Inline: true, Pos: p.next().pos()}
		p.expect(kKey)
		s.PrimaryKeys = append(s.PrimaryKeys, pk)
	}
}

// primaryKey reads PRIMARY KEY (…).
// Source: Cassandra 5.0 Parser.g rules tablePartitionKey, viewPrimaryKey.
func (p *parser) primaryKey() PrimaryKey {
	pk := PrimaryKey{Pos: p.expect(kPrimary).pos()}
	p.keywords(kKey, tLParen)
	if p.accept(tLParen) {
		pk.Grouped = true
		pk.Partition = p.names()
		p.expect(tRParen)
	} else {
		pk.Partition = []Name{p.name()}
	}
	for p.accept(tComma) {
		pk.Clustering = append(pk.Clustering, p.name())
	}
	p.expect(tRParen)
	return pk
}

// optionalMask reads MASKED WITH …, or nothing.
func (p *parser) optionalMask() *Mask {
	if p.is(kMasked) {
		return p.mask()
	}
	return nil
}

// mask reads MASKED WITH DEFAULT or MASKED WITH f(args).
// Source: Cassandra 5.0 Parser.g rules columnMask, columnMaskArguments.
func (p *parser) mask() *Mask {
	m := &Mask{Pos: p.expect(kMasked).pos()}
	p.expect(kWith)
	if p.is(kDefault) && p.kindAt(1) != tLParen && p.kindAt(1) != tDot {
		p.next()
		m.Default = true
		return m
	}
	m.Func = p.functionName()
	p.expect(tLParen)
	m.Args = p.terms(tRParen)
	return m
}

// tableProperty is Parser.g's rule tableProperty.
func (p *parser) tableProperty(s *CreateTable) {
	switch k := p.kind(); {
	case k == kCompact && p.kindAt(1) == kStorage:
		p.keywords(kCompact, kStorage)
		s.CompactStorage = true
	case k == kClustering && p.kindAt(1) == kOrder:
		s.Clustering = append(s.Clustering, p.clusteringOrder()...)
	default:
		s.Properties = append(s.Properties, p.property())
	}
}

// clusteringOrder reads CLUSTERING ORDER BY (c ASC|DESC, …).
// Source: Cassandra 5.0 Parser.g rules tableClusteringOrder, viewClusteringOrder.
func (p *parser) clusteringOrder() (list []ClusteringOrder) {
	p.keywords(kClustering, kOrder, kBy, tLParen)
	for {
		o := ClusteringOrder{Column: p.name()}
		if !p.accept(kAsc) {
			if !p.accept(kDesc) {
				p.noViable(0)
			}
			o.Descending = true
		}
		list = append(list, o)
		if !p.accept(tComma) {
			p.expect(tRParen)
			return list
		}
	}
}

// alterTable reads ALTER TABLE behind TABLE.
// Source: Cassandra 5.0 Parser.g rule alterTableStatement.
func (p *parser) alterTable(pos Pos) Statement {
	s := &AlterTable{Pos: pos, IfExists: p.ifExists()}
	s.Table = p.tableName()
	switch {
	case p.is(kAlter):
		p.alterColumn(s)
	case p.accept(kAdd):
		s.Kind, s.IfColumn = AlterAdd, p.ifNotExists()
		p.addColumns(s)
	case p.is(kDrop):
		p.dropColumns(s)
	case p.accept(kRename):
		s.Kind, s.IfColumn = AlterRename, p.ifExists()
		s.Renames = p.renames()
	case p.accept(kWith):
		s.Kind, s.Properties = AlterWith, p.properties()
	default:
		p.noViable(0)
	}
	return s
}

func (p *parser) alterColumn(s *AlterTable) {
	p.next()
	s.IfColumn = p.ifExists()
	c := ColumnDef{Name: p.columnName()}
	switch {
	case !s.IfColumn && p.accept(kType):
		s.Kind, c.Type = AlterColumnType, p.typeExpr()
	case p.is(kMasked):
		s.Kind, c.Mask = AlterMask, p.mask()
	case p.accept(kDrop):
		s.Kind = AlterDropMask
		p.expect(kMasked)
	default:
		p.noViable(0)
	}
	s.Columns = []ColumnDef{c}
}

func (p *parser) addColumns(s *AlterTable) {
	column := func() {
		c := ColumnDef{Name: p.name(), Type: p.typeExpr()}
		c.Static = p.accept(kStatic)
		c.Mask = p.optionalMask()
		s.Columns = append(s.Columns, c)
	}
	if !p.accept(tLParen) {
		column()
		return
	}
	column()
	for p.accept(tComma) {
		column()
	}
	p.expect(tRParen)
}

func (p *parser) dropColumns(s *AlterTable) {
	p.next()
	if p.is(kCompact) && p.kindAt(1) == kStorage {
		p.keywords(kCompact, kStorage)
		s.Kind = AlterDropCompact
		return
	}
	s.Kind, s.IfColumn = AlterDrop, p.ifExists()
	if p.accept(tLParen) {
		s.Dropped = p.names()
		p.expect(tRParen)
	} else {
		s.Dropped = []Name{p.name()}
	}
	if p.accept(kUsing) {
		p.expect(kTimestamp)
		if !p.is(tInteger) {
			p.mismatch(tInteger.String())
		}
		s.Timestamp = p.constant()
	}
}

// renames reads from TO to, with AND between them.
func (p *parser) renames() (list []Rename) {
	for {
		from := p.name()
		p.expect(kTo)
		list = append(list, Rename{From: from, To: p.name()})
		if !p.accept(kAnd) {
			return list
		}
	}
}
