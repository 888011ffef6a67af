package cql

func (p *printer) functionStatement(s Statement) {
	switch s := s.(type) {
	case *CreateFunction:
		p.createFunction(s)
	case *CreateAggregate:
		p.s("CREATE ")
		p.when(s.OrReplace, "OR REPLACE ")
		p.s("AGGREGATE ")
		p.when(s.IfNotExists, notExists)
		p.function(s.Func)
		p.s("(")
		p.types(s.Types)
		p.s(") SFUNC ")
		p.function(QualifiedName{Name: s.StateFunc})
		p.s(" STYPE ")
		p.typeExpr(s.StateType)
		if s.FinalFunc != nil {
			p.s(" FINALFUNC ")
			p.function(QualifiedName{Name: *s.FinalFunc})
		}
		p.optionalTerm(" INITCOND ", s.InitCond)
	case *DropFunction:
		p.dropFunction("FUNCTION ", s.IfExists, s.Func, s.Types, s.HasTypes)
	case *DropAggregate:
		p.dropFunction("AGGREGATE ", s.IfExists, s.Func, s.Types, s.HasTypes)
	case *CreateTrigger:
		p.s("CREATE TRIGGER ")
		p.when(s.IfNotExists, notExists)
		p.name(s.Name)
		p.s(" ON ")
		p.qualified(s.Table)
		p.s(" USING ")
		p.constant(s.Class)
	case *DropTrigger:
		p.s("DROP TRIGGER ")
		p.when(s.IfExists, exists)
		p.name(s.Name)
		p.s(" ON ")
		p.qualified(s.Table)
	}
}

func (p *printer) createFunction(s *CreateFunction) {
	p.s("CREATE ")
	p.when(s.OrReplace, "OR REPLACE ")
	p.s("FUNCTION ")
	p.when(s.IfNotExists, notExists)
	p.function(s.Func)
	p.s("(")
	p.list(len(s.Args), func(i int) {
		p.name(s.Args[i].Name)
		p.s(" ")
		p.typeExpr(s.Args[i].Type)
	})
	if s.CalledOnNull {
		p.s(") CALLED")
	} else {
		p.s(") RETURNS NULL")
	}
	p.s(" ON NULL INPUT RETURNS ")
	p.typeExpr(s.Returns)
	p.s(" LANGUAGE ", s.Language.Text, " AS ")
	p.constant(s.Body)
}

func (p *printer) dropFunction(what string, ifExists bool, name QualifiedName, types []TypeExpr, given bool) {
	p.s("DROP ", what)
	p.when(ifExists, exists)
	p.function(name)
	if given {
		p.s("(")
		p.types(types)
		p.s(")")
	}
}

var describeTexts = [...]string{
	DescribeCluster: "CLUSTER", DescribeSchema: "SCHEMA", DescribeKeyspaces: "KEYSPACES",
	DescribeKeyspace: "KEYSPACE", DescribeTables: "TABLES", DescribeTable: "TABLE", DescribeIndex: "INDEX",
	DescribeView: "MATERIALIZED VIEW", DescribeTypes: "TYPES", DescribeType: "TYPE",
	DescribeFunctions: "FUNCTIONS", DescribeFunction: "FUNCTION", DescribeAggregates: "AGGREGATES",
	DescribeAggregate: "AGGREGATE",
}

func (p *printer) describe(s *Describe) {
	p.s("DESCRIBE ")
	p.when(s.Full, "FULL ")
	p.when(s.Only, "ONLY ")
	p.s(describeTexts[s.Kind])
	if s.Name.Name.Text != "" {
		p.when(s.Kind != DescribeGeneric, " ")
		if s.Kind == DescribeFunction || s.Kind == DescribeAggregate {
			p.function(s.Name)
		} else {
			p.qualified(s.Name)
		}
	}
	p.when(s.WithInternals, " WITH INTERNALS")
}

func (p *printer) role(r RoleName) {
	if r.Literal {
		p.constant(&Constant{Text: r.Name.Text})
		return
	}
	p.name(r.Name)
}

func (p *printer) roleStatement(s Statement) {
	word := func(user bool) string {
		if user {
			return "USER "
		}
		return "ROLE "
	}
	switch s := s.(type) {
	case *CreateRole:
		p.s("CREATE ", word(s.User))
		p.when(s.IfNotExists, notExists)
		p.role(s.Name)
		p.roleOptions(s.Options, s.User)
	case *AlterRole:
		p.s("ALTER ", word(s.User))
		p.when(s.IfExists, exists)
		p.role(s.Name)
		p.roleOptions(s.Options, s.User)
	case *DropRole:
		p.s("DROP ", word(s.User))
		p.when(s.IfExists, exists)
		p.role(s.Name)
	case *AddIdentity:
		p.s("ADD IDENTITY ")
		p.when(s.IfNotExists, notExists)
		p.role(s.Identity)
		p.s(" TO ROLE ")
		p.role(s.Role)
	case *DropIdentity:
		p.s("DROP IDENTITY ")
		p.when(s.IfExists, exists)
		p.role(s.Identity)
	}
}

var roleOptionTexts = [...]string{
	RolePassword: "PASSWORD", RoleHashedPassword: "HASHED PASSWORD", RoleOptions: "OPTIONS",
	RoleSuperuser: "SUPERUSER", RoleLogin: "LOGIN", RoleAllDatacenters: "ACCESS TO ALL DATACENTERS",
	RoleDatacenters: "ACCESS TO DATACENTERS", RoleAllCIDRs: "ACCESS FROM ALL CIDRS",
	RoleCIDRs: "ACCESS FROM CIDRS",
}

func (p *printer) roleOptions(list []RoleOption, user bool) {
	for i, o := range list {
		if user && o.Kind == RoleSuperuser {
			p.s(" ")
			p.when(o.Value.Text != "true", "NO")
			p.s("SUPERUSER")
			continue
		}
		if i == 0 {
			p.s(" WITH ")
		} else {
			p.s(" AND ")
		}
		p.s(roleOptionTexts[o.Kind])
		switch o.Kind {
		case RoleOptions:
			p.s(" = ")
			p.entries(o.Map)
		case RoleDatacenters, RoleCIDRs:
			p.s(" {")
			p.list(len(o.List), func(i int) { p.constant(o.List[i]) })
			p.s("}")
		case RoleAllDatacenters, RoleAllCIDRs:
		default:
			p.when(!user, " =")
			p.s(" ")
			p.constant(o.Value)
		}
	}
}
