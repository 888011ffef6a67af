package cql

// RoleOptionKind is one option of CREATE or ALTER ROLE and USER.
type RoleOptionKind uint8

const (
	RolePassword       RoleOptionKind = iota // PASSWORD = Value
	RoleHashedPassword                       // HASHED PASSWORD = Value
	RoleOptions                              // OPTIONS = Map
	RoleSuperuser                            // SUPERUSER = Value (boolean); for users SUPERUSER or NOSUPERUSER
	RoleLogin                                // LOGIN = Value (boolean)
	RoleAllDatacenters                       // ACCESS TO ALL DATACENTERS
	RoleDatacenters                          // ACCESS TO DATACENTERS {List}
	RoleAllCIDRs                             // ACCESS FROM ALL CIDRS
	RoleCIDRs                                // ACCESS FROM CIDRS {List}
)

// RoleOption is one option as written.
// Source: Cassandra 5.0 Parser.g rules roleOption, userPassword.
type RoleOption struct {
	Kind  RoleOptionKind
	Value *Constant
	Map   []PropertyEntry
	List  []*Constant
	Pos   Pos
}

// CreateRole is CREATE ROLE, or CREATE USER where User is true.
type CreateRole struct {
	User        bool
	Name        RoleName
	IfNotExists bool
	Options     []RoleOption
	Pos         Pos
}

// AlterRole is ALTER ROLE, or ALTER USER where User is true.
type AlterRole struct {
	User     bool
	Name     RoleName
	IfExists bool
	Options  []RoleOption
	Pos      Pos
}

// DropRole is DROP ROLE, or DROP USER where User is true.
type DropRole struct {
	User     bool
	Name     RoleName
	IfExists bool
	Pos      Pos
}

// RoleName is a role: an identifier or a string. Literal marks the second form,
// which keeps its case.
// Source: Cassandra 5.0 Parser.g rule roleName.
type RoleName struct {
	Name    Name
	Literal bool
}

// GrantRole is GRANT role TO grantee, or REVOKE role FROM grantee.
type GrantRole struct {
	Revoke        bool
	Role, Grantee RoleName
	Pos           Pos
}

// GrantPermissions is GRANT permissions ON resource TO role, or REVOKE … FROM.
type GrantPermissions struct {
	Revoke      bool
	Permissions []string // upper case; empty means ALL
	Resource    Resource
	Grantee     RoleName
	Pos         Pos
}

// ListPermissions is LIST permissions [ON resource] [OF role] [NORECURSIVE].
type ListPermissions struct {
	Permissions []string // upper case; empty means ALL
	Resource    *Resource
	Of          *RoleName
	NoRecursive bool
	Pos         Pos
}

// ListRoles is LIST ROLES, or LIST USERS where Users is true.
type ListRoles struct {
	Users       bool
	Of          *RoleName
	NoRecursive bool
	Pos         Pos
}

// ResourceKind is what a permission is about.
type ResourceKind uint8

const (
	AllKeyspaces      ResourceKind = iota // ALL KEYSPACES
	KeyspaceResource                      // KEYSPACE Name.Name
	TableResource                         // [TABLE] Name
	AllTablesResource                     // ALL TABLES IN KEYSPACE Name.Name
	AllMBeans                             // ALL MBEANS
	MBeanResource                         // MBEAN Text
	MBeansResource                        // MBEANS Text
	AllRoles                              // ALL ROLES
	RoleResource                          // ROLE Role
	AllFunctions                          // ALL FUNCTIONS
	KeyspaceFunctions                     // ALL FUNCTIONS IN KEYSPACE Name.Name
	FunctionResource                      // FUNCTION Name(Types)
)

// Resource is the object of a permission.
// Source: Cassandra 5.0 Parser.g rule resource.
type Resource struct {
	Kind  ResourceKind
	Name  QualifiedName
	Role  RoleName
	Text  *Constant
	Types []TypeExpr
	Pos   Pos
}

// AddIdentity is ADD IDENTITY 'identity' TO ROLE role.
type AddIdentity struct {
	IfNotExists    bool
	Identity, Role RoleName
	Pos            Pos
}

// DropIdentity is DROP IDENTITY 'identity'.
type DropIdentity struct {
	IfExists bool
	Identity RoleName
	Pos      Pos
}

func (*CreateRole) stmt()       {}
func (*AlterRole) stmt()        {}
func (*DropRole) stmt()         {}
func (*GrantRole) stmt()        {}
func (*GrantPermissions) stmt() {}
func (*ListPermissions) stmt()  {}
func (*ListRoles) stmt()        {}
func (*AddIdentity) stmt()      {}
func (*DropIdentity) stmt()     {}

func (s *CreateRole) Position() Pos       { return s.Pos }
func (s *AlterRole) Position() Pos        { return s.Pos }
func (s *DropRole) Position() Pos         { return s.Pos }
func (s *GrantRole) Position() Pos        { return s.Pos }
func (s *GrantPermissions) Position() Pos { return s.Pos }
func (s *ListPermissions) Position() Pos  { return s.Pos }
func (s *ListRoles) Position() Pos        { return s.Pos }
func (s *AddIdentity) Position() Pos      { return s.Pos }
func (s *DropIdentity) Position() Pos     { return s.Pos }
