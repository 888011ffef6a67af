package session

import (
	"fmt"
	"slices"
	"strings"

	"ringlab/model/access"
	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// execute does what the statement says.
// Source: Cassandra 5.0 CassandraRoleManager, CassandraAuthorizer, CassandraNetworkAuthorizer.
func (s *accessStatement) execute() error {
	roles := s.core.Roles
	switch s.Verb {
	case plan.CreateRole:
		return s.create()
	case plan.AlterRole:
		return s.alter()
	case plan.DropRole:
		if s.exists(s.Role) {
			roles.Remove(s.Role)
			roles.RevokeAllFrom(s.Role)
			roles.RevokeAllOn(access.RoleOf(s.Role))
			roles.Forget(s.Role)
		}
	case plan.GrantRole:
		switch {
		case roles.Has(s.Grantee, s.Role):
			return plan.Invalid("%s is a member of %s", s.Grantee, s.Role)
		case roles.Has(s.Role, s.Grantee):
			return plan.Invalid("%s is a member of %s", s.Role, s.Grantee)
		}
		roles.GrantRole(s.Role, s.Grantee)
	case plan.RevokeRole:
		if !slices.ContainsFunc(roles.Of(s.Grantee, false), func(r *access.Role) bool { return r.Name == s.Role }) {
			return plan.Invalid("%s is not a member of %s", s.Grantee, s.Role)
		}
		roles.RevokeRole(s.Role, s.Grantee)
	case plan.GrantPermissions, plan.RevokePermissions:
		return s.grant()
	case plan.ListPermissions:
		return s.listPermissions()
	case plan.ListRoles, plan.ListUsers:
		return s.listRoles()
	case plan.AddIdentity:
		if !roles.HasIdentity(s.Identity) {
			roles.AddIdentity(s.Identity, s.Role)
		}
	case plan.DropIdentity:
		roles.DropIdentity(s.Identity)
	}
	return nil
}

// hash is the hash of the password that is said, if one is.
func (s *accessStatement) hash() (string, bool) {
	switch o := &s.Options; {
	case o.Hash != nil:
		return *o.Hash, true
	case o.Password != nil:
		return access.HashPassword(*o.Password, s.core.salt(s.Role)), true
	}
	return "", false
}

// create makes a role; who makes it may do everything with it.
// Source: Cassandra 5.0 CreateRoleStatement.execute.
func (s *accessStatement) create() error {
	if s.exists(s.Role) {
		return nil
	}
	role := access.Role{Name: s.Role, Super: s.Options.Superuser != nil && *s.Options.Superuser, Login: s.Options.Login != nil && *s.Options.Login}
	role.Hash, _ = s.hash()
	roles := s.core.Roles
	roles.Create(role)
	if s.core.Cluster.Set.Auth.Datacenters {
		var names []string
		if s.Options.Datacenters != nil {
			names = *s.Options.Datacenters
		}
		if err := quoted("UPDATE system_auth.network_permissions SET dcs = {} WHERE role = 'roles/%s'", s.Role); err != nil {
			return err
		}
		roles.SetDatacenters(s.Role, names)
	}
	if err := quoted("UPDATE system_auth.cidr_permissions SET cidr_groups = {} WHERE role = '%s'", s.Role); err != nil {
		return err
	}
	roles.SetCIDRs(s.Role, *s.Options.CIDRs)
	s.core.own(s.guard.user, access.RoleOf(s.Role))
	return nil
}

// quoted is what Cassandra says of a role with a quote in its name, which it puts
// into statements of its own as it is: the role is there already by then.
// Source: Cassandra 5.0 CassandraNetworkAuthorizer.setRoleDatacenters, CIDRPermissionsManager.setCidrGroupsForRole.
func quoted(statement, role string) error {
	if !strings.Contains(role, "'") {
		return nil
	}
	_, err := cql.Parse(fmt.Sprintf(statement, role))
	return err
}

// own gives whoever makes a thing all permissions on it.
// Source: Cassandra 5.0 CreateRoleStatement.grantPermissionsToCreator, AlterSchemaStatement.grantPermissionsOnResource.
func (c *Core) own(user string, r access.Resource) {
	if c.Cluster.Set.Auth.Permissions {
		c.Roles.Grant(user, r.Applicable(), r)
	}
}

// alter changes a role.
// Source: Cassandra 5.0 AlterRoleStatement.execute.
func (s *accessStatement) alter() error {
	role := s.core.Roles.Role(s.Role)
	if role == nil {
		return nil
	}
	if hash, said := s.hash(); said {
		role.Hash = hash
	}
	if v := s.Options.Superuser; v != nil {
		role.Super = *v
	}
	if v := s.Options.Login; v != nil {
		role.Login = *v
	}
	if v := s.Options.Datacenters; v != nil {
		if !s.core.Cluster.Set.Auth.Datacenters {
			return plan.Invalid("ACCESS TO DATACENTERS operations not supported by AllowAllNetworkAuthorizer")
		}
		s.core.Roles.SetDatacenters(s.Role, *v)
	}
	if v := s.Options.CIDRs; v != nil {
		s.core.Roles.SetCIDRs(s.Role, *v)
	}
	return nil
}

// grant grants or revokes permissions and warns of those that change nothing.
// Source: Cassandra 5.0 GrantPermissionsStatement.execute, RevokePermissionsStatement.execute.
func (s *accessStatement) grant() error {
	revoke := s.Verb == plan.RevokePermissions
	if !s.core.Cluster.Set.Auth.Permissions {
		operation := "GRANT"
		if revoke {
			operation = "REVOKE"
		}
		return &plan.Error{Code: plan.ServerError, Message: "java.lang.UnsupportedOperationException: " + operation + " operation is not supported by AllowAllAuthorizer"}
	}
	done, not := access.Set(0), " was already granted "
	if revoke {
		done, not = s.core.Roles.Revoke(s.Grantee, s.Permissions, *s.Resource), " was not granted "
	} else {
		done = s.core.Roles.Grant(s.Grantee, s.Permissions, *s.Resource)
	}
	if idle := s.Permissions &^ done; idle != 0 {
		s.answer.Warnings = append(s.answer.Warnings, "Role '"+s.Grantee+"'"+not+strings.Join(idle.Names(), ", ")+" on "+s.Resource.String())
	}
	return nil
}

// listRoles lists roles to whoever may see them: all with DESCRIBE on all roles,
// else those that one has oneself.
// Source: Cassandra 5.0 ListRolesStatement.execute, ListUsersStatement.formatResults.
func (s *accessStatement) listRoles() error {
	roles := s.core.Roles
	var list []*access.Role
	all := !s.core.Cluster.Set.Auth.Permissions || roles.Permissions(s.guard.user, access.Resource{Kind: access.AllRoles}).Has(access.Describe)
	switch {
	case all && !s.Of:
		list = roles.All()
	case all || s.Of && roles.Has(s.guard.user, s.Grantee):
		list = roles.Of(s.Grantee, s.Inherited)
	case s.Of:
		return unauthorized("You are not authorized to view roles granted to %s ", s.Grantee)
	default:
		list = roles.Of(s.guard.user, s.Inherited)
	}
	if len(list) == 0 {
		return nil
	}
	text := func(name string) plan.Selector { return plan.Selector{Name: name, Type: types.Text} }
	flag := func(name string) plan.Selector { return plan.Selector{Name: name, Type: types.Boolean} }
	if s.Verb == plan.ListUsers {
		var rows [][][]byte
		for _, r := range list {
			if r.Login {
				rows = append(rows, [][]byte{[]byte(r.Name), types.EncodeBool(roles.IsSuper(r.Name)), s.datacenters(r.Name)})
			}
		}
		s.rows("users", rows, text("name"), flag("super"), text("datacenters"))
		return nil
	}
	var rows [][][]byte
	for _, r := range list {
		rows = append(rows, [][]byte{[]byte(r.Name), types.EncodeBool(r.Super), types.EncodeBool(r.Login), types.EncodeMap(nil), s.datacenters(r.Name)})
	}
	options := plan.Selector{Name: "options", Type: types.MapOf(types.Text, types.Text).Freeze()}
	s.rows("roles", rows, text("role"), flag("super"), flag("login"), options, text("datacenters"))
	return nil
}

// datacenters are those that a role has access to, as lists say it.
// Source: Cassandra 5.0 DCPermissions.toString.
func (s *accessStatement) datacenters(role string) []byte {
	all, names := s.core.datacentersOf(role)
	switch {
	case all:
		return []byte("ALL")
	case names == nil:
		return []byte("n/a")
	}
	return []byte(strings.Join(names, ", "))
}

// listPermissions lists permissions to whoever may see them.
// Source: Cassandra 5.0 ListPermissionsStatement.execute, CassandraAuthorizer.list.
func (s *accessStatement) listPermissions() error {
	roles, user := s.core.Roles, s.guard.user
	if !s.core.Cluster.Set.Auth.Permissions {
		return plan.Invalid("LIST PERMISSIONS operation is not supported by AllowAllAuthorizer")
	}
	describes := func(r access.Resource) bool { return roles.Permissions(user, r).Has(access.Describe) }
	if !roles.IsSuper(user) && !(s.Of && roles.Has(user, s.Grantee)) && !describes(access.Resource{Kind: access.AllRoles}) &&
		!(s.Of && describes(access.RoleOf(s.Grantee))) {
		whose := "everyone"
		if s.Of {
			whose = s.Grantee
		}
		return unauthorized("You are not authorized to view %s's permissions", whose)
	}
	on := []*access.Resource{s.Resource}
	if s.Resource != nil && s.Inherited {
		on = nil
		for _, r := range s.Resource.Chain() {
			on = append(on, &r)
		}
	}
	of := []string{""}
	if s.Of {
		of = nil
		for _, r := range roles.Of(s.Grantee, true) {
			of = append(of, r.Name)
		}
	}
	var found []access.Grant
	for _, name := range of {
		for _, r := range on {
			found = append(found, roles.Grants(name, r)...)
		}
	}
	slices.SortFunc(found, func(a, b access.Grant) int {
		if n := strings.Compare(a.Role, b.Role); n != 0 {
			return n
		}
		return strings.Compare(a.Resource.Name(), b.Resource.Name())
	})
	var rows [][][]byte
	for _, g := range found {
		for _, p := range (g.Permissions & s.Permissions).List() {
			rows = append(rows, [][]byte{[]byte(g.Role), []byte(g.Role), []byte(g.Resource.String()), []byte(p.String())})
		}
	}
	if rows == nil {
		return nil
	}
	columns := make([]plan.Selector, 4)
	for i, name := range []string{"role", "username", "resource", "permission"} {
		columns[i] = plan.Selector{Name: name, Type: types.Text}
	}
	s.rows("permissions", rows, columns...)
	return nil
}

// rows puts a list into the answer.
func (s *accessStatement) rows(table string, rows [][][]byte, columns ...plan.Selector) {
	out := printer{columns: columns, raw: s.core.Raw, bare: s.answer.Bytes, expected: len(rows)}
	for _, r := range rows {
		out.row(r)
	}
	out.give(s.answer, &schema.Table{Keyspace: "system_auth", Name: table})
}

// made settles the permissions that a change of the schema brings: whoever makes
// a keyspace, a table or a function owns it, and what is dropped takes the
// permissions on it along.
// Source: Cassandra 5.0 AlterSchemaStatement.createdResources, AuthSchemaChangeListener.
func (c *Core) made(user string, keyspace string, before, after *schema.Schema) {
	if !c.Cluster.Set.Auth.Permissions {
		return
	}
	now := after.Keyspace(keyspace)
	have, had := resourcesOf(now), resourcesOf(before.Keyspace(keyspace))
	for _, r := range had {
		if !slices.Contains(have, r) {
			c.Roles.RevokeAllOn(r)
		}
	}
	for _, r := range have {
		view := r.Kind == access.Table && now.Tables[r.Object].IsView()
		if !slices.Contains(had, r) && r.Kind != access.AllTables && !view {
			c.own(user, r)
		}
	}
}

// resourcesOf are a keyspace and what is in it.
func resourcesOf(k *schema.Keyspace) []access.Resource {
	if k == nil {
		return nil
	}
	out := []access.Resource{access.KeyspaceOf(k.Name), access.TablesOf(k.Name), access.FunctionsOf(k.Name)}
	for _, name := range k.TableNames() {
		out = append(out, access.TableOf(k.Name, name))
	}
	return append(out, functionsOf(k)...)
}

func functionsOf(k *schema.Keyspace) []access.Resource {
	var out []access.Resource
	for _, f := range k.Functions {
		out = append(out, bind.FunctionResource(k.Name, f.Name, f.Args))
	}
	for _, a := range k.Aggregates {
		out = append(out, bind.FunctionResource(k.Name, a.Name, a.Args))
	}
	slices.SortFunc(out, func(a, b access.Resource) int { return strings.Compare(a.Name(), b.Name()) })
	return out
}

// systemTableExists says whether Cassandra has such a table of its own.
func systemTableExists(keyspace, table string) bool {
	k := bind.SystemSchema().Keyspace(keyspace)
	return k != nil && k.Tables[table] != nil
}

// beanExists says whether a node has an MBean, or one that a pattern fits. The
// lab has none of its own: what is known are the domains of those of a node.
func beanExists(name string) (bool, error) {
	domain, _, _ := strings.Cut(name, ":")
	if strings.HasPrefix(domain, "org.apache.cassandra.") || strings.HasPrefix(domain, "java.") || strings.ContainsAny(domain, "*?") {
		return false, plan.Unsupported("permissions on single MBeans", "grant on ALL MBEANS: a lab has no JMX")
	}
	return false, nil
}
