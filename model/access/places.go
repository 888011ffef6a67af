package access

import (
	"slices"
	"strings"
)

// Networks are the data centers that roles are confined to. The key is the name
// of the role as a resource, as CassandraNetworkAuthorizer writes it.
func (r *Roles) Networks() []Places { return r.networks }

// Datacenters are those that a role is confined to, none for all of them.
func (r *Roles) Datacenters(role string) []string { return namesOf(r.networks, RoleOf(role).Name()) }

// SetDatacenters confines a role to data centers, or to none with an empty list.
func (r *Roles) SetDatacenters(role string, names []string) {
	r.networks = put(r.networks, RoleOf(role).Name(), names)
}

// CIDRs are the groups of addresses that roles are confined to.
func (r *Roles) CIDRs() []Places { return r.cidrs }

// SetCIDRs confines a role to groups of addresses, or to none with an empty list.
func (r *Roles) SetCIDRs(role string, names []string) { r.cidrs = put(r.cidrs, role, names) }

// Forget takes away what a role is confined to.
// Source: Cassandra 5.0 DropRoleStatement: INetworkAuthorizer.drop, ICIDRAuthorizer.dropCidrPermissionsForRole.
func (r *Roles) Forget(role string) {
	r.networks = drop(r.networks, RoleOf(role).Name())
	r.cidrs = drop(r.cidrs, role)
}

// Identities are those of certificates, with their roles.
func (r *Roles) Identities() []Pair { return r.identities }

// HasIdentity says whether an identity has a role.
func (r *Roles) HasIdentity(identity string) bool {
	return slices.ContainsFunc(r.identities, func(p Pair) bool { return p.Key == identity })
}

// AddIdentity gives an identity that has none a role.
func (r *Roles) AddIdentity(identity, role string) {
	r.identities = insert(r.identities, Pair{identity, role})
}

// DropIdentity takes an identity away.
func (r *Roles) DropIdentity(identity string) {
	r.identities = slices.DeleteFunc(r.identities, func(p Pair) bool { return p.Key == identity })
}

func place(list []Places, key string) (int, bool) {
	return slices.BinarySearchFunc(list, key, func(p Places, key string) int { return strings.Compare(p.Key, key) })
}

func namesOf(list []Places, key string) []string {
	if at, has := place(list, key); has {
		return list[at].Names
	}
	return nil
}

func put(list []Places, key string, names []string) []Places {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	at, has := place(list, key)
	if has {
		list[at].Names = names
		return list
	}
	return slices.Insert(list, at, Places{key, names})
}

func drop(list []Places, key string) []Places {
	if at, has := place(list, key); has {
		return slices.Delete(list, at, at+1)
	}
	return list
}
