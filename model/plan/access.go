package plan

import "ringlab/model/access"

// AccessVerb is what a statement on roles, permissions or identities does.
type AccessVerb uint8

// The verbs.
const (
	CreateRole AccessVerb = iota
	AlterRole
	DropRole
	GrantRole
	RevokeRole
	GrantPermissions
	RevokePermissions
	ListPermissions
	ListRoles
	ListUsers
	AddIdentity
	DropIdentity
)

// Access is a statement on roles, permissions or identities. Whether its roles
// and its resource exist is for whoever runs it to see.
// Source: Cassandra 5.0 AuthenticationStatement, AuthorizationStatement.
type Access struct {
	Verb        AccessVerb
	Role        string // that is made, changed, dropped, granted, revoked, or given to an identity
	Grantee     string // who gets or loses, or with Of whose roles or permissions are listed
	Of          bool
	Lenient     bool // IF EXISTS, IF NOT EXISTS
	Inherited   bool // LIST … OF: what comes from other roles or larger resources too
	Options     access.Options
	Permissions access.Set       // those that the resource can have
	Resource    *access.Resource // nil: LIST PERMISSIONS of all; a table may be without its keyspace
	Identity    string
}

func (*Access) plan() {}
