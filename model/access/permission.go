// Package access is who may do what: permissions, the resources that they are
// about, and the roles that hold them, as the tables of system_auth keep them.
// It knows neither statements nor nodes.
package access

import "math/bits"

// Permission is one thing that a role may do with a resource, in the order in
// which lists of permissions are sorted.
// Source: Cassandra 5.0 Permission.
type Permission uint8

// The permissions.
const (
	Create Permission = iota
	Alter
	Drop
	Select
	Modify    // INSERT, UPDATE, DELETE, TRUNCATE
	Authorize // GRANT and REVOKE
	Describe  // on all roles: LIST ROLES of others
	Execute   // user-defined functions and aggregates
	Unmask
	SelectMasked
	permissions
)

var permissionNames = [permissions]string{"CREATE", "ALTER", "DROP", "SELECT", "MODIFY", "AUTHORIZE", "DESCRIBE", "EXECUTE", "UNMASK", "SELECT_MASKED"}

func (p Permission) String() string { return permissionNames[p] }

// ParsePermission finds a permission by its name in upper case.
func ParsePermission(name string) (Permission, bool) {
	for p, n := range permissionNames {
		if n == name {
			return Permission(p), true
		}
	}
	return 0, false
}

// Set is a set of permissions.
type Set uint16

// All are all permissions there are.
const All Set = 1<<permissions - 1

// SetOf is the set of these permissions.
func SetOf(list ...Permission) Set {
	var s Set
	for _, p := range list {
		s |= 1 << p
	}
	return s
}

// Has says whether a permission is in the set.
func (s Set) Has(p Permission) bool { return s&(1<<p) != 0 }

// List are the permissions of the set, in their order.
func (s Set) List() []Permission {
	out := make([]Permission, 0, bits.OnesCount16(uint16(s)))
	for p := range permissions {
		if s.Has(p) {
			out = append(out, p)
		}
	}
	return out
}

// Names are the names of the permissions of the set, in their order.
func (s Set) Names() []string {
	var out []string
	for _, p := range s.List() {
		out = append(out, p.String())
	}
	return out
}
