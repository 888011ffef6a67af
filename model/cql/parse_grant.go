package cql

import "strings"

var permissions = set(kCreate, kAlter, kDrop, kSelect, kModify, kAuthorize, kDescribe, kExecute, kUnmask, kSelectMasked)

// grant reads GRANT and REVOKE of permissions or of a role.
// Source: Cassandra 5.0 Parser.g rules grantPermissionsStatement, grantRoleStatement.
func (p *parser) grant() Statement {
	first := p.next()
	pos, revoke, to := first.pos(), first.kind == kRevoke, kTo
	if revoke {
		to = kFrom
	}
	k, n := p.kind(), p.kindAt(1)
	if (k == kAll || permissions.has(k)) && n != to {
		s := &GrantPermissions{Pos: pos, Revoke: revoke, Permissions: p.permissions()}
		p.expect(kOn)
		s.Resource = p.resource()
		p.expect(to)
		s.Grantee = p.roleName()
		return s
	}
	s := &GrantRole{Pos: pos, Revoke: revoke, Role: p.roleName()}
	p.expect(to)
	s.Grantee = p.roleName()
	return s
}

// permissions reads ALL [PERMISSIONS] (nil) or a list of permissions.
// Source: Cassandra 5.0 Parser.g rule permissionOrAll.
func (p *parser) permissions() (list []string) {
	if p.accept(kAll) {
		p.accept(kPermissions)
		return nil
	}
	for {
		if !permissions.has(p.kind()) {
			p.noViable(0)
		}
		list = append(list, strings.ToUpper(p.next().text(p.src)))
		p.accept(kPermission)
		if !p.accept(tComma) {
			return list
		}
	}
}

// resource reads what a permission is about.
// Source: Cassandra 5.0 Parser.g rules dataResource, roleResource, functionResource, jmxResource.
func (p *parser) resource() Resource {
	r := Resource{Pos: p.here()}
	n := p.kindAt(1)
	switch k := p.kind(); {
	case k == kAll && n != tDot && (n.isUnreserved() || n == kTables):
		p.next()
		p.allResource(&r)
	case k == kKeyspace:
		p.next()
		r.Kind, r.Name.Name = KeyspaceResource, p.keyspaceName()
	case k == kRole && !p.endsResource(n):
		p.next()
		r.Kind, r.Role = RoleResource, p.roleName()
	case k == kFunction && !p.endsResource(n):
		p.next()
		r.Kind, r.Name = FunctionResource, p.functionName()
		p.expect(tLParen)
		r.Types = p.types()
	case (k == kMbean || k == kMbeans) && !p.endsResource(n):
		if r.Kind = MBeanResource; p.next().kind == kMbeans {
			r.Kind = MBeansResource
		}
		r.Text = p.stringConstant()
	default:
		p.accept(kColumnfamily)
		r.Kind, r.Name = TableResource, p.tableName()
	}
	return r
}

// endsResource tells whether the word in front of n is itself a table's name.
func (p *parser) endsResource(n kind) bool {
	return n == tDot || afterTable.has(n) && !n.isUnreserved()
}

// allResource reads what follows ALL.
func (p *parser) allResource(r *Resource) {
	in := false
	switch {
	case p.accept(kKeyspaces):
		r.Kind = AllKeyspaces
	case p.accept(kMbeans):
		r.Kind = AllMBeans
	case p.accept(kRoles):
		r.Kind = AllRoles
	case p.accept(kTables):
		r.Kind, in = AllTablesResource, true
	case p.accept(kFunctions):
		if r.Kind = AllFunctions; p.is(kIn) {
			r.Kind, in = KeyspaceFunctions, true
		}
	default:
		p.noViable(0)
	}
	if in {
		p.keywords(kIn, kKeyspace)
		r.Name.Name = p.keyspaceName()
	}
}

// list reads LIST ROLES, USERS or permissions.
// Source: Cassandra 5.0 Parser.g rules listPermissionsStatement, listRolesStatement, listUsersStatement.
func (p *parser) list() Statement {
	pos := p.here()
	switch k := p.kindAt(1); {
	case k == kUsers:
		p.next()
		p.next()
		return &ListRoles{Users: true, Pos: pos}
	case k == kRoles:
		p.next()
		p.next()
		s := &ListRoles{Pos: pos}
		s.Of, s.NoRecursive = p.listOf()
		return s
	case k != kAll && !permissions.has(k):
		p.noViable(1)
	}
	p.next()
	s := &ListPermissions{Pos: pos, Permissions: p.permissions()}
	if p.accept(kOn) {
		r := p.resource()
		s.Resource = &r
	}
	s.Of, s.NoRecursive = p.listOf()
	return s
}

// listOf reads [OF role] [NORECURSIVE].
func (p *parser) listOf() (of *RoleName, noRecursive bool) {
	if p.accept(kOf) {
		name := p.roleName()
		of = &name
	}
	return of, p.accept(kNorecursive)
}
