package bind

import (
	"strings"

	"ringlab/model/access"
	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Access gives the meaning of statements on roles, permissions and
// identities; ok is false for all others. What Cassandra's parser checks of them
// is checked here, all else by whoever keeps the roles.
func Access(st cql.Statement, env *Env) (p *plan.Access, ok bool, err error) {
	switch s := st.(type) {
	case *cql.CreateRole:
		p = &plan.Access{Verb: plan.CreateRole, Role: s.Name.Name.Text, Lenient: s.IfNotExists}
		if p.Options, err = roleOptions(s.Options); err != nil {
			return nil, true, err
		}
		if s.User { // may log in
			login := true
			p.Options.Login = &login
		}
		if p.Options.CIDRs == nil { // which a new role always has
			p.Options.CIDRs = &[]string{}
		}
	case *cql.AlterRole:
		p = &plan.Access{Verb: plan.AlterRole, Role: s.Name.Name.Text, Lenient: s.IfExists}
		p.Options, err = roleOptions(s.Options)
	case *cql.DropRole:
		p = &plan.Access{Verb: plan.DropRole, Role: s.Name.Name.Text, Lenient: s.IfExists}
	case *cql.GrantRole:
		p = &plan.Access{Verb: plan.GrantRole, Role: s.Role.Name.Text, Grantee: s.Grantee.Name.Text}
		if s.Revoke {
			p.Verb = plan.RevokeRole
		}
	case *cql.GrantPermissions:
		p, err = bindGrant(s, env)
	case *cql.ListPermissions:
		p, err = bindListPermissions(s, env)
	case *cql.ListRoles:
		p = &plan.Access{Verb: plan.ListRoles, Inherited: !s.NoRecursive}
		if s.Users {
			p.Verb, p.Inherited = plan.ListUsers, false
		} else if s.Of != nil {
			p.Of, p.Grantee = true, s.Of.Name.Text
		}
	case *cql.AddIdentity:
		p = &plan.Access{Verb: plan.AddIdentity, Identity: s.Identity.Name.Text, Role: s.Role.Name.Text, Lenient: s.IfNotExists}
	case *cql.DropIdentity:
		p = &plan.Access{Verb: plan.DropIdentity, Identity: s.Identity.Name.Text, Lenient: s.IfExists}
	default:
		return nil, false, nil
	}
	return p, true, err
}

// roleOptions gathers what CREATE and ALTER ROLE say.
// Source: Cassandra 5.0 RoleOptions, Parser.g rule roleOption.
func roleOptions(list []cql.RoleOption) (out access.Options, err error) {
	names := map[cql.RoleOptionKind]string{cql.RolePassword: "PASSWORD", cql.RoleHashedPassword: "HASHED_PASSWORD", cql.RoleOptions: "OPTIONS",
		cql.RoleSuperuser: "SUPERUSER", cql.RoleLogin: "LOGIN"}
	seen := map[cql.RoleOptionKind]bool{}
	for _, o := range list {
		if seen[o.Kind] && names[o.Kind] != "" {
			return out, plan.Syntax("Multiple definition for property '%s'", names[o.Kind])
		}
		seen[o.Kind] = true
		switch o.Kind {
		case cql.RolePassword:
			out.Password = &o.Value.Text
		case cql.RoleHashedPassword:
			out.Hash = &o.Value.Text
		case cql.RoleOptions:
			out.Custom = true
		case cql.RoleSuperuser, cql.RoleLogin:
			v := strings.EqualFold(o.Value.Text, "true")
			if o.Kind == cql.RoleLogin {
				out.Login = &v
			} else {
				out.Superuser = &v
			}
		case cql.RoleAllDatacenters:
			out.Datacenters = &[]string{}
		case cql.RoleAllCIDRs:
			out.CIDRs = &[]string{}
		case cql.RoleDatacenters, cql.RoleCIDRs:
			var names []string
			for _, c := range o.List {
				names = append(names, c.Text)
			}
			if o.Kind == cql.RoleCIDRs {
				out.CIDRs = &names
			} else {
				out.Datacenters = &names
			}
		}
	}
	return out, nil
}

// bindGrant checks GRANT and REVOKE of permissions: at least one of them has to
// be one that the resource can have.
// Source: Cassandra 5.0 Parser.g filterPermissions.
func bindGrant(s *cql.GrantPermissions, env *Env) (*plan.Access, error) {
	p := &plan.Access{Verb: plan.GrantPermissions, Grantee: s.Grantee.Name.Text, Permissions: permissionSet(s.Permissions)}
	if s.Revoke {
		p.Verb = plan.RevokePermissions
	}
	on, err := resource(s.Resource, env)
	if err != nil {
		return nil, err
	}
	if on.IsFunction() && on.Keyspace == "system" {
		return nil, builtIn()
	}
	if on.Kind == access.Function && findRoutine(s.Resource, env) == nil {
		return nil, plan.Syntax("Failed parsing statement: [%s] reason: NoSuchElementException No value present", env.Text)
	}
	if p.Permissions &= on.Applicable(); p.Permissions == 0 {
		return nil, plan.Syntax("Resource type %s does not support any of the requested permissions", on.Class())
	}
	p.Resource = &on
	return p, nil
}

// builtIn refuses permissions on what everybody may call.
// Source: Cassandra 5.0 FunctionResource.validate.
func builtIn() error {
	return plan.Invalid("Altering permissions on builtin functions is not supported")
}

func bindListPermissions(s *cql.ListPermissions, env *Env) (*plan.Access, error) {
	p := &plan.Access{Verb: plan.ListPermissions, Permissions: permissionSet(s.Permissions), Inherited: !s.NoRecursive}
	if s.Of != nil {
		p.Of, p.Grantee = true, s.Of.Name.Text
	}
	if s.Resource != nil {
		on, err := resource(*s.Resource, env)
		if err != nil {
			return nil, err
		}
		p.Resource = &on
	}
	return p, nil
}

// permissionSet reads the names of permissions; none are all.
func permissionSet(names []string) access.Set {
	if names == nil {
		return access.All
	}
	var out access.Set
	for _, n := range names {
		if p, ok := access.ParsePermission(n); ok {
			out |= access.SetOf(p)
		}
	}
	return out
}

// resource is the object of a permission. A table without a keyspace keeps none:
// it gets that of USE after other things have been checked.
// Source: Cassandra 5.0 Parser.g rules resource, functionResource, jmxResource.
func resource(r cql.Resource, env *Env) (access.Resource, error) {
	kinds := map[cql.ResourceKind]access.Kind{cql.AllKeyspaces: access.AllKeyspaces, cql.KeyspaceResource: access.Keyspace, cql.AllTablesResource: access.AllTables,
		cql.TableResource: access.Table, cql.AllRoles: access.AllRoles, cql.RoleResource: access.OneRole, cql.AllFunctions: access.AllFunctions,
		cql.KeyspaceFunctions: access.KeyspaceFunctions, cql.FunctionResource: access.Function, cql.AllMBeans: access.AllMBeans,
		cql.MBeanResource: access.MBean, cql.MBeansResource: access.MBean}
	out := access.Resource{Kind: kinds[r.Kind]}
	switch r.Kind {
	case cql.TableResource:
		out.Keyspace, out.Object = r.Name.Keyspace.Text, r.Name.Name.Text
	case cql.KeyspaceResource, cql.AllTablesResource, cql.KeyspaceFunctions:
		out.Keyspace = r.Name.Name.Text
	case cql.RoleResource:
		out.Object = r.Role.Name.Text
	case cql.FunctionResource:
		return routineResource(r, env)
	case cql.MBeanResource, cql.MBeansResource:
		out.Object = r.Text.Text
		_, properties, ok := strings.Cut(out.Object, ":")
		switch {
		case !ok || !strings.Contains(properties, "=") && properties != "*":
			return out, plan.Syntax("%s is not a valid JMX object name", out.Object)
		case out.Object == "*:*":
			return out, plan.Syntax("Please use ALL MBEANS instead of wildcard pattern")
		case r.Kind == cql.MBeansResource && !strings.ContainsAny(out.Object, "*?"):
			return out, plan.Syntax("Plural form used, but non-pattern JMX object name specified (%s)", out.Object)
		}
	}
	return out, nil
}

// routineResource is a function or an aggregate by its name and types.
// Source: Cassandra 5.0 FunctionResource.functionFromCql.
func routineResource(r cql.Resource, env *Env) (out access.Resource, err error) {
	keyspace := r.Name.Keyspace.Text
	if keyspace == "" {
		return out, plan.Invalid("In this context function name must be explictly qualified by a keyspace")
	}
	args := make([]*types.Type, len(r.Types))
	for i, t := range r.Types {
		if args[i], err = resolveType(env, keyspace, t); err != nil {
			return out, err
		}
	}
	if env.Schema.Keyspace(keyspace) == nil && !schema.System(keyspace) {
		return out, plan.Config("Keyspace %s doesn't exist", keyspace)
	}
	return FunctionResource(keyspace, r.Name.Name.Text, args), nil
}
