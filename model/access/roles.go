package access

import (
	"slices"
	"strings"
)

// Role is a row of system_auth.roles.
type Role struct {
	Name         string
	Super, Login bool
	Hash         string // "" for none
	MemberOf     []string
}

// Grant is a row of system_auth.role_permissions.
type Grant struct {
	Role        string
	Resource    Resource
	Permissions Set
}

// Pair is a row of a table that has nothing but its key: a role with one of its
// members, a resource with a role that holds permissions on it, an identity with
// its role.
type Pair struct{ Key, Value string }

// Places is a row of system_auth.network_permissions or cidr_permissions: what a
// role is confined to; nothing is everything.
type Places struct {
	Key   string
	Names []string
}

// Roles are the tables of system_auth. Rows come in the order of their keys. The
// zero value has none.
type Roles struct {
	roles      map[string]*Role
	grants     map[string][]Grant // by role, in the order of the names of resources
	index      []Pair             // resource, role
	members    []Pair             // role, member
	networks   []Places
	cidrs      []Places
	identities []Pair // identity, role
}

// Superuser is the role that a new cluster has, and its password.
// Source: Cassandra 5.0 CassandraRoleManager.DEFAULT_SUPERUSER_NAME.
const Superuser = "cassandra"

// superuserHash is what its password is kept as, whatever the lab.
const superuserHash = "$2a$10$hIiy8ouI0tc8nTDPBAg35eTEmNTBjKqGzDkXKkdZdnLnBLhzUPCJa"

// NewRoles are the tables of a new cluster.
// Source: Cassandra 5.0 CassandraRoleManager.setupDefaultRole.
func NewRoles() *Roles {
	return &Roles{roles: map[string]*Role{Superuser: {Name: Superuser, Super: true, Login: true, Hash: superuserHash}}, grants: map[string][]Grant{}}
}

// Role is a role by its name, nil if there is none.
func (r *Roles) Role(name string) *Role { return r.roles[name] }

// All are all roles.
func (r *Roles) All() []*Role {
	out := make([]*Role, 0, len(r.roles))
	for _, role := range r.roles {
		out = append(out, role)
	}
	slices.SortFunc(out, func(a, b *Role) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Of are the roles that a role has: itself, those that were granted to it, and
// with inherited those that were granted to these, in order of their names.
// Source: Cassandra 5.0 CassandraRoleManager.collectRoles.
func (r *Roles) Of(name string, inherited bool) []*Role {
	role := r.roles[name]
	if role == nil {
		return nil
	}
	found := map[string]*Role{name: role}
	var add func(of *Role)
	add = func(of *Role) {
		for _, m := range of.MemberOf {
			if up := r.roles[m]; up != nil && found[m] == nil {
				if found[m] = up; inherited {
					add(up)
				}
			}
		}
	}
	add(role)
	out := make([]*Role, 0, len(found))
	for _, role := range found {
		out = append(out, role)
	}
	slices.SortFunc(out, func(a, b *Role) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Has says whether a role has another one, itself included.
func (r *Roles) Has(name, other string) bool {
	return slices.ContainsFunc(r.Of(name, true), func(role *Role) bool { return role.Name == other })
}

// IsSuper says whether a role or one that it has is a superuser.
// Source: Cassandra 5.0 Roles.hasSuperuserStatus.
func (r *Roles) IsSuper(name string) bool {
	return slices.ContainsFunc(r.Of(name, true), func(role *Role) bool { return role.Super })
}

// CanLogin says whether a role may log in.
func (r *Roles) CanLogin(name string) bool {
	role := r.roles[name]
	return role != nil && role.Login
}

// Permissions are those that a role has on a resource itself, not on what that
// is a part of. Superusers have all.
// Source: Cassandra 5.0 CassandraAuthorizer.authorize.
func (r *Roles) Permissions(name string, on Resource) Set {
	var out Set
	for _, role := range r.Of(name, true) {
		if role.Super {
			return on.Applicable()
		}
		out |= r.granted(role.Name, on)
	}
	return out
}

func (r *Roles) granted(role string, on Resource) Set {
	if i, ok := r.find(role, on); ok {
		return r.grants[role][i].Permissions
	}
	return 0
}

func (r *Roles) find(role string, on Resource) (int, bool) {
	return slices.BinarySearchFunc(r.grants[role], on.Name(), func(g Grant, name string) int { return strings.Compare(g.Resource.Name(), name) })
}

// Create makes a role.
func (r *Roles) Create(role Role) { r.roles[role.Name] = &role }

// Remove takes a role away, with its members' membership and its identities.
// Source: Cassandra 5.0 CassandraRoleManager.dropRole.
func (r *Roles) Remove(name string) {
	delete(r.roles, name)
	r.members = slices.DeleteFunc(r.members, func(p Pair) bool {
		if p.Key != name {
			return false
		}
		r.leave(name, p.Value)
		return true
	})
	r.identities = slices.DeleteFunc(r.identities, func(p Pair) bool { return p.Value == name })
}

// leave ends the membership of one role in another.
func (r *Roles) leave(name, member string) {
	if m := r.roles[member]; m != nil {
		m.MemberOf = slices.DeleteFunc(m.MemberOf, func(n string) bool { return n == name })
	}
}

// GrantRole makes a role a member of another one.
func (r *Roles) GrantRole(name, member string) {
	m := r.roles[member]
	if at, has := slices.BinarySearch(m.MemberOf, name); !has {
		m.MemberOf = slices.Insert(m.MemberOf, at, name)
	}
	r.members = insert(r.members, Pair{name, member})
}

// RevokeRole ends a membership.
func (r *Roles) RevokeRole(name, member string) {
	r.leave(name, member)
	r.members = remove(r.members, Pair{name, member})
}

// Grant gives permissions to a role; what it had already is left out of those
// that come back.
// Source: Cassandra 5.0 CassandraAuthorizer.grant.
func (r *Roles) Grant(role string, p Set, on Resource) (granted Set) {
	at, has := r.find(role, on)
	if !has {
		if p == 0 {
			return 0
		}
		r.grants[role] = slices.Insert(r.grants[role], at, Grant{Role: role, Resource: on})
	}
	g := &r.grants[role][at]
	if granted = p &^ g.Permissions; granted != 0 {
		g.Permissions |= granted
		r.index = insert(r.index, Pair{on.Name(), role})
	}
	return granted
}

// Revoke takes permissions from a role and gives those that it had. The entry of
// the index goes even where others are left: what is dropped then leaves them
// behind.
// Source: Cassandra 5.0 CassandraAuthorizer.revoke.
func (r *Roles) Revoke(role string, p Set, on Resource) (revoked Set) {
	at, has := r.find(role, on)
	if !has {
		return 0
	}
	g := &r.grants[role][at]
	if revoked = p & g.Permissions; revoked == 0 {
		return 0
	}
	if g.Permissions &^= revoked; g.Permissions == 0 {
		r.cut(role, at)
	}
	r.index = remove(r.index, Pair{on.Name(), role})
	return revoked
}

// cut takes a row of permissions away.
func (r *Roles) cut(role string, at int) {
	if r.grants[role] = slices.Delete(r.grants[role], at, at+1); len(r.grants[role]) == 0 {
		delete(r.grants, role)
	}
}

// RevokeAllFrom takes all permissions from a role.
func (r *Roles) RevokeAllFrom(role string) {
	for _, g := range r.grants[role] {
		r.index = remove(r.index, Pair{g.Resource.Name(), role})
	}
	delete(r.grants, role)
}

// RevokeAllOn takes the permissions on a resource from all roles that the index
// knows.
func (r *Roles) RevokeAllOn(on Resource) {
	name := on.Name()
	r.index = slices.DeleteFunc(r.index, func(p Pair) bool {
		if p.Key != name {
			return false
		}
		if at, has := r.find(p.Value, on); has {
			r.cut(p.Value, at)
		}
		return true
	})
}

// Grants are the permissions of a role, or of all roles with "", on a resource,
// or on all with nil.
func (r *Roles) Grants(role string, on *Resource) []Grant {
	names := []string{role}
	if role == "" {
		names = names[:0]
		for name := range r.grants {
			names = append(names, name)
		}
		slices.Sort(names)
	}
	var out []Grant
	for _, name := range names {
		for _, g := range r.grants[name] {
			if on == nil || g.Resource == *on {
				out = append(out, g)
			}
		}
	}
	return out
}

// Index says which roles hold permissions on a resource.
func (r *Roles) Index() []Pair { return r.index }

// Members are the memberships: a role, and who has it.
func (r *Roles) Members() []Pair { return r.members }

func comparePairs(a, b Pair) int {
	if n := strings.Compare(a.Key, b.Key); n != 0 {
		return n
	}
	return strings.Compare(a.Value, b.Value)
}

func insert(list []Pair, p Pair) []Pair {
	at, has := slices.BinarySearchFunc(list, p, comparePairs)
	if has {
		return list
	}
	return slices.Insert(list, at, p)
}

func remove(list []Pair, p Pair) []Pair {
	if at, has := slices.BinarySearchFunc(list, p, comparePairs); has {
		return slices.Delete(list, at, at+1)
	}
	return list
}
