package cql

import "strings"

func (p *printer) grantStatement(s Statement) {
	begin := func(revoke bool) (to string) {
		if revoke {
			p.s("REVOKE ")
			return " FROM "
		}
		p.s("GRANT ")
		return " TO "
	}
	switch s := s.(type) {
	case *GrantRole:
		to := begin(s.Revoke)
		p.role(s.Role)
		p.s(to)
		p.role(s.Grantee)
	case *GrantPermissions:
		to := begin(s.Revoke)
		p.permissions(s.Permissions)
		p.s(" ON ")
		p.resource(&s.Resource)
		p.s(to)
		p.role(s.Grantee)
	case *ListPermissions:
		p.s("LIST ")
		p.permissions(s.Permissions)
		if s.Resource != nil {
			p.s(" ON ")
			p.resource(s.Resource)
		}
		p.listOf(s.Of, s.NoRecursive)
	case *ListRoles:
		if s.Users {
			p.s("LIST USERS")
			return
		}
		p.s("LIST ROLES")
		p.listOf(s.Of, s.NoRecursive)
	}
}

func (p *printer) permissions(list []string) {
	p.when(list == nil, "ALL PERMISSIONS")
	p.s(strings.Join(list, ", "))
}

func (p *printer) listOf(of *RoleName, noRecursive bool) {
	if of != nil {
		p.s(" OF ")
		p.role(*of)
	}
	p.when(noRecursive, " NORECURSIVE")
}

func (p *printer) resource(r *Resource) {
	switch r.Kind {
	case AllKeyspaces:
		p.s("ALL KEYSPACES")
	case KeyspaceResource:
		p.s("KEYSPACE ")
		p.name(r.Name.Name)
	case TableResource:
		p.s("TABLE ")
		p.qualified(r.Name)
	case AllTablesResource:
		p.s("ALL TABLES IN KEYSPACE ")
		p.name(r.Name.Name)
	case AllMBeans:
		p.s("ALL MBEANS")
	case MBeanResource:
		p.s("MBEAN ")
		p.constant(r.Text)
	case MBeansResource:
		p.s("MBEANS ")
		p.constant(r.Text)
	case AllRoles:
		p.s("ALL ROLES")
	case RoleResource:
		p.s("ROLE ")
		p.role(r.Role)
	case AllFunctions:
		p.s("ALL FUNCTIONS")
	case KeyspaceFunctions:
		p.s("ALL FUNCTIONS IN KEYSPACE ")
		p.name(r.Name.Name)
	case FunctionResource:
		p.s("FUNCTION ")
		p.function(r.Name)
		p.s("(")
		p.types(r.Types)
		p.s(")")
	}
}
