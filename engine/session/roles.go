package session

import (
	"hash/fnv"
	"slices"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/sim"
	"ringlab/model/access"
	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

func isSystem(keyspace string) bool { return schema.System(keyspace) }

// access runs a statement on roles, permissions or identities: permissions are
// asked for first, then the statement is checked, then it is done.
// Source: Cassandra 5.0 QueryProcessor.processStatement.
func (c *Core) access(f *flight, p *plan.Access, coord int) {
	s := &accessStatement{Access: p, core: c, guard: c.guard(f.client, coord), answer: f.ans, keyspace: f.client.Keyspace}
	err := s.authorize()
	if err == nil {
		err = s.validate()
	}
	if err == nil {
		err = s.execute()
	}
	if err != nil {
		f.ans.Error = refusal(err)
		return
	}
	switch p.Verb {
	case plan.ListRoles, plan.ListUsers, plan.ListPermissions:
		return
	}
	c.Cluster.Advance(c.Cluster.Now() + rolesDelay)
	f.ans.Latency = int64(rolesDelay)
}

// validateAccess checks a statement on roles that is prepared only; others pass.
// Whether the client may do it is asked when it runs.
// Source: Cassandra 5.0 QueryProcessor.parseAndPrepare.
func (c *Core) validateAccess(st cql.Statement, k *Client, coord int) error {
	p, ok, err := bind.Access(st, c.env(k, coord))
	if !ok || err != nil {
		return err
	}
	s := &accessStatement{Access: p, core: c, guard: c.guard(k, coord), keyspace: k.Keyspace}
	return s.validate()
}

// rolesDelay is how long a change of roles takes to reach every node; modelled.
const rolesDelay = 2 * sim.Millisecond

// accessStatement is one such statement on its way.
type accessStatement struct {
	*plan.Access
	core     *Core
	guard    *guard
	answer   *answer.Answer
	keyspace string // of USE
}

func (s *accessStatement) exists(role string) bool { return s.core.Roles.Role(role) != nil }

// located gives a table without a keyspace that of USE.
// Source: Cassandra 5.0 AuthorizationStatement.maybeCorrectResource.
func (s *accessStatement) located() error {
	if r := s.Resource; r != nil && r.Kind == access.Table && r.Keyspace == "" {
		if s.keyspace == "" {
			return plan.Invalid("No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename")
		}
		at := *r
		at.Keyspace = s.keyspace
		s.Resource = &at
	}
	return nil
}

// authorize asks for the permissions that the statement needs.
// Source: Cassandra 5.0 CreateRoleStatement.authorize and its likes.
func (s *accessStatement) authorize() error {
	switch s.Verb {
	case plan.CreateRole:
		if err := s.guard.privileged(access.Create, access.Resource{Kind: access.AllRoles}); err != nil {
			return err
		}
		if o := s.Options.Superuser; o != nil && *o && !s.guard.isSuper() {
			return unauthorized("Only superusers can create a role with superuser status")
		}
	case plan.AlterRole:
		return s.authorizeAlter()
	case plan.DropRole:
		if err := s.guard.privileged(access.Drop, access.RoleOf(s.Role)); err != nil {
			return err
		}
		if s.core.Roles.IsSuper(s.Role) && !s.guard.isSuper() {
			return unauthorized("Only superusers can drop a role with superuser status")
		}
	case plan.GrantRole, plan.RevokeRole:
		return s.guard.privileged(access.Authorize, access.RoleOf(s.Role))
	case plan.AddIdentity:
		return s.guard.privileged(access.Create, access.RoleOf(s.guard.user))
	case plan.DropIdentity:
		return s.guard.privileged(access.Drop, access.RoleOf(s.guard.user))
	case plan.GrantPermissions, plan.RevokePermissions:
		if err := s.located(); err != nil {
			return err
		}
		if err := s.guard.Permit(access.Authorize, *s.Resource); err != nil {
			return err
		}
		for _, p := range s.Permissions.List() {
			if err := s.guard.Permit(p, *s.Resource); err != nil {
				return err
			}
		}
	}
	return nil
}

// authorizeAlter: superusers may change others as they like, a role its own
// password, and another role with ALTER what makes nobody mightier.
// Source: Cassandra 5.0 AlterRoleStatement.authorize.
func (s *accessStatement) authorizeAlter() error {
	o, super := &s.Options, s.guard.isSuper()
	switch {
	case o.Superuser != nil && s.core.Roles.Has(s.guard.user, s.Role):
		return unauthorized("You aren't allowed to alter your own superuser status or that of a role granted to you")
	case o.Superuser != nil && !super:
		return unauthorized("Only superusers are allowed to alter superuser status")
	case o.Datacenters != nil && !super:
		return unauthorized("Only superusers are allowed to alter access to datacenters.")
	case o.CIDRs != nil && !super:
		return unauthorized("Only superusers are allowed to alter access from CIDR groups.")
	case super:
		return nil
	case s.guard.user != s.Role:
		return s.guard.privileged(access.Alter, access.RoleOf(s.Role))
	case o.Login != nil:
		return unauthorized("You aren't allowed to alter LOGIN")
	case o.Custom:
		return unauthorized("You aren't allowed to alter OPTIONS")
	case o.Password != nil && s.guard.nobody():
		return unauthorized("You aren't allowed to alter PASSWORD")
	case o.Hash != nil && s.guard.nobody():
		return unauthorized("You aren't allowed to alter HASHED_PASSWORD")
	}
	return nil
}

// validate checks the statement against the roles and the schema.
// Source: Cassandra 5.0 CreateRoleStatement.validate and its likes.
func (s *accessStatement) validate() error {
	if s.Verb == plan.CreateRole || s.Verb == plan.AlterRole {
		if err := s.validateOptions(); err != nil {
			return err
		}
	}
	if err := s.guard.known(); err != nil {
		return err
	}
	switch s.Verb {
	case plan.CreateRole:
		if s.exists(s.Role) && !s.Lenient {
			return plan.Invalid("%s already exists", s.Role)
		}
	case plan.AlterRole:
		if !s.exists(s.Role) && !s.Lenient {
			return plan.Invalid("Role %s doesn't exist", s.Role)
		}
	case plan.DropRole:
		if !s.exists(s.Role) && !s.Lenient {
			return plan.Invalid("%s doesn't exist", s.Role)
		}
		if s.guard.user == s.Role {
			return plan.Invalid("Cannot DROP primary role for current login")
		}
	case plan.GrantRole, plan.RevokeRole:
		for _, name := range []string{s.Role, s.Grantee} {
			if !s.exists(name) {
				return plan.Invalid("%s doesn't exist", name)
			}
		}
	case plan.GrantPermissions, plan.RevokePermissions:
		if !s.exists(s.Grantee) {
			return plan.Invalid("Role %s doesn't exist", s.Grantee)
		}
		if err := s.located(); err != nil {
			return err
		}
		if err := s.found("Resource "); err != nil {
			return err
		}
		return s.limited()
	case plan.ListPermissions:
		if s.Resource != nil {
			if err := s.located(); err != nil {
				return err
			}
			if err := s.found(""); err != nil {
				return err
			}
		}
		return s.listed()
	case plan.ListRoles, plan.ListUsers:
		return s.listed()
	case plan.AddIdentity:
		switch {
		case !s.exists(s.Role):
			return plan.Invalid("Can not add identity for non-existent role '%s'", s.Role)
		case s.core.Roles.HasIdentity(s.Identity) && !s.Lenient:
			return plan.Invalid("%s already exists", s.Identity)
		}
	case plan.DropIdentity:
		if !s.core.Roles.HasIdentity(s.Identity) && !s.Lenient {
			return plan.Invalid("identity '%s' doesn't exist", s.Identity)
		}
	}
	return nil
}

// limited refuses most permissions on Cassandra's own keyspaces.
// Source: Cassandra 5.0 GrantPermissionsStatement.validate, Permission.INVALID_FOR_SYSTEM_KEYSPACES.
func (s *accessStatement) limited() error {
	r := s.Resource
	if s.Verb == plan.GrantPermissions && r.IsData() && isSystem(r.Keyspace) && !schema.Virtual(r.Keyspace) &&
		s.Permissions&^access.SetOf(access.Select, access.Describe, access.Alter) != 0 {
		return unauthorized("Granting permissions on system keyspaces is strictly limited, this operation is not permitted")
	}
	return nil
}

// listed wants the role whose roles or permissions are listed.
func (s *accessStatement) listed() error {
	if s.Of && !s.exists(s.Grantee) {
		return plan.Invalid("%s doesn't exist", access.RoleOf(s.Grantee))
	}
	return nil
}

// found wants the resource.
func (s *accessStatement) found(before string) error {
	there, err := s.core.resourceExists(*s.Resource, s.guard.coord)
	if err != nil {
		return err
	}
	if !there {
		return plan.Invalid("%s%s doesn't exist", before, s.Resource)
	}
	return nil
}

// resourceExists says whether there is what a permission is about.
// Source: Cassandra 5.0 IResource.exists.
func (c *Core) resourceExists(r access.Resource, coord int) (bool, error) {
	k := c.Cluster.SchemaOf(coord).Keyspace(r.Keyspace)
	switch r.Kind {
	case access.Keyspace, access.AllTables:
		return k != nil || isSystem(r.Keyspace), nil
	case access.Table:
		if isSystem(r.Keyspace) {
			return systemTableExists(r.Keyspace, r.Object), nil
		}
		return k != nil && k.Tables[r.Object] != nil, nil
	case access.OneRole:
		return c.Roles.Role(r.Object) != nil, nil
	case access.KeyspaceFunctions:
		if r.Keyspace == "system" {
			return false, plan.Invalid("Altering permissions on builtin functions is not supported")
		}
		return k != nil || isSystem(r.Keyspace), nil
	case access.Function:
		if r.Keyspace == "system" {
			return false, plan.Invalid("Altering permissions on builtin functions is not supported")
		}
		return k != nil && slices.Contains(functionsOf(k), r), nil
	case access.MBean:
		return beanExists(r.Object)
	}
	return true, nil
}

// validateOptions checks what is said of a role.
// Source: Cassandra 5.0 RoleOptions.validate, DCPermissions.validate, CIDRPermissions.validate.
func (s *accessStatement) validateOptions() error {
	o := &s.Options
	const manager = "org.apache.cassandra.auth.CassandraRoleManager doesn't support "
	switch {
	case o.Password != nil && s.guard.nobody():
		return plan.Invalid(manager + "PASSWORD")
	case o.Hash != nil && s.guard.nobody():
		return plan.Invalid(manager + "HASHED_PASSWORD")
	case o.Custom:
		return plan.Invalid(manager + "OPTIONS")
	case o.Hash != nil && !access.ValidHash(*o.Hash):
		return plan.Invalid("Invalid hashed password value. Please use jBcrypt.")
	case s.Verb == plan.CreateRole && s.Role == "":
		return plan.Invalid("Role name can't be an empty string")
	case s.Verb == plan.AlterRole && o.Empty() && o.Datacenters == nil && o.CIDRs == nil:
		return plan.Invalid("ALTER [ROLE|USER] can't be empty")
	}
	if o.Datacenters != nil {
		known := s.core.DataCenters()
		if slices.ContainsFunc(*o.Datacenters, func(dc string) bool { return !slices.Contains(known, dc) }) {
			return plan.Invalid("Invalid value(s) for DATACENTERS '%s',All values must be valid datacenters", javaSet(*o.Datacenters))
		}
	}
	if o.CIDRs != nil && len(*o.CIDRs) > 0 { // nodetool makes the groups, and there are none
		return plan.Invalid("Invalid CIDR group(s): %s. Available CIDR Groups are: []", javaSet(*o.CIDRs))
	}
	return nil
}

func javaSet(names []string) string {
	return "[" + strings.Join(schema.HashOrder(slices.Compact(slices.Sorted(slices.Values(names)))), ", ") + "]"
}

// salt is what a role's password is hashed with: drawn by the role and the
// moment, so that the same lab has the same hashes.
func (c *Core) salt(role string) (salt [access.SaltSize]byte) {
	h := fnv.New64a()
	h.Write([]byte(role))
	s := sim.NewStream(c.Spec.Seed, "auth.salt").Source(h.Sum64() ^ uint64(c.Cluster.Now()))
	for i := 0; i < len(salt); i += 8 {
		for k, v := 0, s.Uint64(); k < 8; k, v = k+1, v>>8 {
			salt[i+k] = byte(v)
		}
	}
	return salt
}
