package cql

// statement reads one statement by its first words.
// Source: Cassandra 5.0 Parser.g rule cqlStatement.
func (p *parser) statement() Statement {
	switch p.kind() {
	case kSelect:
		return p.selectStatement()
	case kInsert:
		return p.insert()
	case kUpdate:
		return p.update()
	case kBegin:
		return p.batch()
	case kDelete:
		return p.deleteStatement()
	case kUse:
		pos := p.next().pos()
		return &Use{Keyspace: p.keyspaceName(), Pos: pos}
	case kTruncate:
		pos := p.next().pos()
		p.accept(kColumnfamily)
		return &Truncate{Table: p.tableName(), Pos: pos}
	case kCreate:
		return p.create()
	case kAlter:
		return p.alter()
	case kDrop:
		return p.drop()
	case kGrant, kRevoke:
		return p.grant()
	case kList:
		return p.list()
	case kAdd:
		return p.addIdentity()
	case kDescribe, kDesc:
		return p.describe()
	}
	p.noViable(0)
	return nil
}

// create reads what begins with CREATE; the second word decides.
func (p *parser) create() Statement {
	pos := p.here()
	switch k := p.kindAt(1); k {
	case kCustom, kIndex:
		p.next()
		return p.createIndex(pos)
	case kOr:
		return p.createOrReplace(pos)
	case kMaterialized:
		p.next()
		p.keywords(kMaterialized, kView)
		return p.createView(pos)
	case kKeyspace, kColumnfamily, kType, kFunction, kAggregate, kTrigger, kUser, kRole:
		p.next()
		p.next()
		switch k {
		case kKeyspace:
			return p.createKeyspace(pos)
		case kColumnfamily:
			return p.createTable(pos)
		case kType:
			return p.createType(pos)
		case kFunction:
			return p.createFunction(pos, false)
		case kAggregate:
			return p.createAggregate(pos, false)
		case kTrigger:
			return p.createTrigger(pos)
		default:
			return p.createRole(pos, k == kUser)
		}
	}
	p.noViable(1)
	return nil
}

// createOrReplace reads CREATE OR REPLACE FUNCTION or AGGREGATE.
func (p *parser) createOrReplace(pos Pos) Statement {
	if p.kindAt(2) != kReplace {
		p.noViable(2)
	}
	k := p.kindAt(3)
	if k != kFunction && k != kAggregate {
		p.noViable(3)
	}
	p.keywords(kCreate, kOr, kReplace, k)
	if k == kFunction {
		return p.createFunction(pos, true)
	}
	return p.createAggregate(pos, true)
}

// alter reads what begins with ALTER; the second word decides.
func (p *parser) alter() Statement {
	pos := p.here()
	k := p.kindAt(1)
	switch k {
	case kColumnfamily, kKeyspace, kType, kMaterialized, kUser, kRole:
		p.next()
		p.next()
	default:
		p.noViable(1)
	}
	switch k {
	case kColumnfamily:
		return p.alterTable(pos)
	case kKeyspace:
		return p.alterKeyspace(pos)
	case kType:
		return p.alterType(pos)
	case kMaterialized:
		p.expect(kView)
		return p.alterView(pos)
	}
	return p.alterRole(pos, k == kUser)
}

// drop reads what begins with DROP; the second word decides.
func (p *parser) drop() Statement {
	pos := p.here()
	k := p.kindAt(1)
	switch k {
	case kKeyspace, kColumnfamily, kIndex, kType, kFunction, kAggregate, kTrigger, kUser, kRole, kMaterialized, kIdentity:
		p.next()
		p.next()
	default:
		p.noViable(1)
	}
	if k == kMaterialized {
		p.expect(kView)
	}
	exists := p.ifExists()
	switch k {
	case kKeyspace:
		return &DropKeyspace{Pos: pos, IfExists: exists, Keyspace: p.keyspaceName()}
	case kColumnfamily:
		return &DropTable{Pos: pos, IfExists: exists, Table: p.tableName()}
	case kMaterialized:
		return &DropView{Pos: pos, IfExists: exists, View: p.tableName()}
	case kIndex:
		return &DropIndex{Pos: pos, IfExists: exists, Index: p.indexName()}
	case kType:
		return &DropType{Pos: pos, IfExists: exists, Type: p.typeName()}
	case kFunction:
		s := &DropFunction{Pos: pos, IfExists: exists, Func: p.describedFunction()}
		s.Types, s.HasTypes = p.optionalTypes()
		return s
	case kAggregate:
		s := &DropAggregate{Pos: pos, IfExists: exists, Func: p.describedFunction()}
		s.Types, s.HasTypes = p.optionalTypes()
		return s
	case kTrigger:
		s := &DropTrigger{Pos: pos, IfExists: exists, Name: p.name()}
		p.expect(kOn)
		s.Table = p.tableName()
		return s
	case kIdentity:
		return &DropIdentity{Pos: pos, IfExists: exists, Identity: p.identity()}
	}
	s := &DropRole{Pos: pos, IfExists: exists, User: k == kUser}
	if s.User {
		s.Name = p.userName()
	} else {
		s.Name = p.roleName()
	}
	return s
}
