package cql

// roleName reads an identifier or a string. Source: Cassandra 5.0 Parser.g rule roleName.
func (p *parser) roleName() RoleName {
	switch k := p.kind(); {
	case k == tString:
		c := p.constant()
		return RoleName{Name: Name{Text: c.Text, Pos: c.Pos}, Literal: true}
	case k == tQMark:
		p.invalid(p.toks[p.pos], "Bind variables cannot be used for role names")
	}
	return RoleName{Name: p.name()}
}

// userName reads an identifier or a string, in its own case.
// Source: Cassandra 5.0 Parser.g rule username.
func (p *parser) userName() RoleName {
	return p.plainIdentity("Quoted strings are are not supported for user names and USER is deprecated, please use ROLE")
}

// identity is Parser.g's rule identity.
func (p *parser) identity() RoleName {
	return p.plainIdentity("Quoted strings are are not supported for identity")
}

func (p *parser) plainIdentity(quotedRefusal string) RoleName {
	t := p.toks[p.pos]
	switch p.kind() {
	case tQuoted:
		p.invalid(t, quotedRefusal)
	case tIdent, tString:
		p.next()
		return RoleName{Name: Name{Text: t.text(p.src), Pos: t.pos()}, Literal: true}
	}
	p.noViable(0)
	return RoleName{}
}

// createRole reads CREATE ROLE or USER behind that word.
// Source: Cassandra 5.0 Parser.g rules createRoleStatement, createUserStatement.
func (p *parser) createRole(pos Pos, user bool) Statement {
	s := &CreateRole{Pos: pos, User: user, IfNotExists: p.ifNotExists()}
	s.Name, s.Options = p.roleBody(user)
	return s
}

// alterRole reads ALTER ROLE or USER behind that word.
// Source: Cassandra 5.0 Parser.g rules alterRoleStatement, alterUserStatement.
func (p *parser) alterRole(pos Pos, user bool) Statement {
	s := &AlterRole{Pos: pos, User: user, IfExists: p.ifExists()}
	s.Name, s.Options = p.roleBody(user)
	return s
}

func (p *parser) roleBody(user bool) (name RoleName, opts []RoleOption) {
	if user {
		name, opts = p.userName(), p.userOptions()
	} else if name = p.roleName(); p.accept(kWith) {
		opts = append(opts, p.roleOption())
		for p.accept(kAnd) {
			opts = append(opts, p.roleOption())
		}
	}
	p.onePassword(opts)
	return name, opts
}

// onePassword refuses a plain and a hashed password together.
func (p *parser) onePassword(opts []RoleOption) {
	plain, hashed := false, false
	for _, o := range opts {
		plain = plain || o.Kind == RolePassword
		hashed = hashed || o.Kind == RoleHashedPassword
	}
	if plain && hashed {
		p.invalid(p.toks[p.pos], "Options 'password' and 'hashed password' are mutually exclusive")
	}
}

// userOptions reads [WITH [HASHED] PASSWORD '…'] [SUPERUSER | NOSUPERUSER].
func (p *parser) userOptions() (opts []RoleOption) {
	if p.accept(kWith) {
		o := RoleOption{Pos: p.here()}
		if p.accept(kHashed) {
			o.Kind = RoleHashedPassword
		} else if !p.is(kPassword) {
			p.noViable(0)
		}
		p.expect(kPassword)
		o.Value = p.stringConstant()
		opts = append(opts, o)
	}
	if k := p.kind(); k == kSuperuser || k == kNosuperuser {
		t := p.next()
		value := &Constant{Kind: BooleanConstant, Text: "true", Pos: t.pos()}
		if k == kNosuperuser {
			value.Text = "false"
		}
		opts = append(opts, RoleOption{Kind: RoleSuperuser, Value: value, Pos: t.pos()})
	}
	return opts
}

// roleOption is Parser.g's rule roleOption.
func (p *parser) roleOption() RoleOption {
	o := RoleOption{Pos: p.here()}
	switch p.kind() {
	case kPassword:
		p.keywords(kPassword, tEq)
		o.Kind, o.Value = RolePassword, p.stringConstant()
	case kHashed:
		p.keywords(kHashed, kPassword, tEq)
		o.Kind, o.Value = RoleHashedPassword, p.stringConstant()
	case kOptions:
		p.keywords(kOptions, tEq)
		o.Kind, o.Map = RoleOptions, p.propertyMap()
	case kSuperuser, kLogin:
		if o.Kind = RoleSuperuser; p.next().kind == kLogin {
			o.Kind = RoleLogin
		}
		if p.expect(tEq); !p.is(tBoolean) {
			p.mismatch(tBoolean.String())
		}
		o.Value = p.constant()
	case kAccess:
		p.next()
		p.access(&o)
	default:
		p.noViable(0)
	}
	return o
}

// access reads TO [ALL] DATACENTERS or FROM [ALL] CIDRS.
func (p *parser) access(o *RoleOption) {
	all, some, word := RoleAllDatacenters, RoleDatacenters, kDatacenters
	if p.accept(kFrom) {
		all, some, word = RoleAllCIDRs, RoleCIDRs, kCidrs
	} else if !p.accept(kTo) {
		p.noViable(0)
	}
	if p.accept(kAll) {
		o.Kind = all
		p.expect(word)
		return
	}
	if !p.is(word) {
		p.noViable(0)
	}
	o.Kind = some
	p.keywords(word, tLBrace)
	o.List = append(o.List, p.stringConstant())
	for p.accept(tComma) {
		o.List = append(o.List, p.stringConstant())
	}
	p.expect(tRBrace)
}

// addIdentity reads ADD IDENTITY. Source: Cassandra 5.0 Parser.g rule addIdentityStatement.
func (p *parser) addIdentity() Statement {
	s := &AddIdentity{Pos: p.next().pos()}
	p.expect(kIdentity)
	s.IfNotExists = p.ifNotExists()
	s.Identity = p.identity()
	p.keywords(kTo, kRole)
	s.Role = p.identity()
	return s
}
