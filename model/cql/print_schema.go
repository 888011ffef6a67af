package cql

const (
	notExists = "IF NOT EXISTS "
	exists    = "IF EXISTS "
)

// with writes WITH and its parts: column order, compact storage, properties.
func (p *printer) with(order []ClusteringOrder, compact bool, properties []Property) {
	before := " WITH "
	if len(order) > 0 {
		p.s(before, "CLUSTERING ORDER BY (")
		p.list(len(order), func(i int) {
			p.name(order[i].Column)
			if order[i].Descending {
				p.s(" DESC")
			} else {
				p.s(" ASC")
			}
		})
		p.s(")")
		before = " AND "
	}
	if compact {
		p.s(before, "COMPACT STORAGE")
		before = " AND "
	}
	if len(properties) > 0 {
		p.s(before)
		p.properties(properties)
	}
}

func (p *printer) column(c *ColumnDef) {
	p.name(c.Name)
	p.s(" ")
	p.typeExpr(c.Type)
	p.when(c.Static, " STATIC")
	p.mask(c.Mask)
}

func (p *printer) mask(m *Mask) {
	switch {
	case m == nil:
	case m.Default:
		p.s(" MASKED WITH DEFAULT")
	default:
		p.s(" MASKED WITH ")
		p.function(m.Func)
		p.terms("(", m.Args, ")")
	}
}

func (p *printer) primaryKey(k PrimaryKey) {
	p.s("PRIMARY KEY (")
	p.when(k.Grouped, "(")
	p.names(k.Partition)
	p.when(k.Grouped, ")")
	for _, c := range k.Clustering {
		p.s(", ")
		p.name(c)
	}
	p.s(")")
}

func (p *printer) createTable(s *CreateTable) {
	p.s("CREATE TABLE ")
	p.when(s.IfNotExists, notExists)
	p.qualified(s.Table)
	p.s(" (")
	done := make([]bool, len(s.PrimaryKeys))
	p.list(len(s.Columns), func(i int) {
		c := &s.Columns[i]
		p.column(c)
		for j, k := range s.PrimaryKeys {
			if k.Inline && !done[j] && k.Partition[0] == c.Name {
				p.s(" PRIMARY KEY")
				done[j] = true
				break
			}
		}
	})
	first := len(s.Columns) == 0
	for j, k := range s.PrimaryKeys {
		if !done[j] {
			p.when(!first, ", ")
			p.primaryKey(k)
			first = false
		}
	}
	p.s(")")
	p.with(s.Clustering, s.CompactStorage, s.Properties)
}

func (p *printer) alterTable(s *AlterTable) {
	p.s("ALTER TABLE ")
	p.when(s.IfExists, exists)
	p.qualified(s.Table)
	switch s.Kind {
	case AlterAdd:
		p.s(" ADD ")
		p.when(s.IfColumn, notExists)
		p.when(len(s.Columns) > 1, "(")
		p.list(len(s.Columns), func(i int) { p.column(&s.Columns[i]) })
		p.when(len(s.Columns) > 1, ")")
	case AlterDrop:
		p.s(" DROP ")
		p.when(s.IfColumn, exists)
		p.s("(")
		p.names(s.Dropped)
		p.s(")")
		if s.Timestamp != nil {
			p.s(" USING TIMESTAMP ")
			p.constant(s.Timestamp)
		}
	case AlterRename:
		p.s(" RENAME ")
		p.when(s.IfColumn, exists)
		p.renames(s.Renames)
	case AlterWith:
		p.with(nil, false, s.Properties)
	case AlterColumnType, AlterMask, AlterDropMask:
		p.s(" ALTER ")
		p.when(s.IfColumn, exists)
		c := &s.Columns[0]
		p.name(c.Name)
		switch s.Kind {
		case AlterColumnType:
			p.s(" TYPE ")
			p.typeExpr(c.Type)
		case AlterDropMask:
			p.s(" DROP MASKED")
		}
		p.mask(c.Mask)
	case AlterDropCompact:
		p.s(" DROP COMPACT STORAGE")
	}
}

func (p *printer) renames(list []Rename) {
	for i, r := range list {
		p.when(i > 0, " AND ")
		p.name(r.From)
		p.s(" TO ")
		p.name(r.To)
	}
}

func (p *printer) schemaStatement(s Statement) {
	switch s := s.(type) {
	case *CreateKeyspace:
		p.s("CREATE KEYSPACE ")
		p.when(s.IfNotExists, notExists)
		p.name(s.Keyspace)
		p.with(nil, false, s.Properties)
	case *AlterKeyspace:
		p.s("ALTER KEYSPACE ")
		p.when(s.IfExists, exists)
		p.name(s.Keyspace)
		p.with(nil, false, s.Properties)
	case *CreateType:
		p.s("CREATE TYPE ")
		p.when(s.IfNotExists, notExists)
		p.qualified(s.Type)
		p.s(" (")
		p.list(len(s.Fields), func(i int) { p.column(&s.Fields[i]) })
		p.s(")")
	case *AlterType:
		p.alterType(s)
	case *CreateIndex:
		p.createIndex(s)
	case *CreateView:
		p.s("CREATE MATERIALIZED VIEW ")
		p.when(s.IfNotExists, notExists)
		p.qualified(s.View)
		p.s(" AS SELECT ")
		p.selectors(s.Selectors)
		p.s(" FROM ")
		p.qualified(s.Base)
		p.where(s.Where)
		p.s(" ")
		p.primaryKey(s.PrimaryKey)
		p.with(s.Clustering, false, s.Properties)
	case *AlterView:
		p.s("ALTER MATERIALIZED VIEW ")
		p.when(s.IfExists, exists)
		p.qualified(s.View)
		p.with(nil, false, s.Properties)
	case *DropKeyspace:
		p.drop("KEYSPACE ", s.IfExists, QualifiedName{Name: s.Keyspace})
	case *DropTable:
		p.drop("TABLE ", s.IfExists, s.Table)
	case *DropType:
		p.drop("TYPE ", s.IfExists, s.Type)
	case *DropIndex:
		p.drop("INDEX ", s.IfExists, s.Index)
	case *DropView:
		p.drop("MATERIALIZED VIEW ", s.IfExists, s.View)
	}
}

func (p *printer) drop(what string, ifExists bool, name QualifiedName) {
	p.s("DROP ", what)
	p.when(ifExists, exists)
	p.qualified(name)
}

func (p *printer) alterType(s *AlterType) {
	p.s("ALTER TYPE ")
	p.when(s.IfExists, exists)
	p.qualified(s.Type)
	switch s.Kind {
	case AlterAdd:
		p.s(" ADD ")
		p.when(s.IfField, notExists)
		p.column(&s.Field)
	case AlterRename:
		p.s(" RENAME ")
		p.when(s.IfField, exists)
		p.renames(s.Renames)
	case AlterColumnType:
		p.s(" ALTER ")
		p.name(s.Field.Name)
		p.s(" TYPE ")
		p.typeExpr(s.Field.Type)
	}
}

func (p *printer) createIndex(s *CreateIndex) {
	p.s("CREATE ")
	p.when(s.Custom, "CUSTOM ")
	p.s("INDEX ")
	p.when(s.IfNotExists, notExists)
	if s.Name.Text != "" {
		p.name(s.Name)
		p.s(" ")
	}
	p.s("ON ")
	p.qualified(s.Table)
	p.s(" (")
	p.list(len(s.Targets), func(i int) {
		t := s.Targets[i]
		p.s(t.Kind.String())
		p.when(t.Kind != SimpleTarget, "(")
		p.name(t.Column)
		p.when(t.Kind != SimpleTarget, ")")
	})
	p.s(")")
	if s.Using != nil {
		p.s(" USING ")
		p.constant(s.Using)
	}
	p.with(nil, false, s.Properties)
}
