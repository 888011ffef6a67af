package access

// Kind is a level of one of the four trees of resources.
type Kind uint8

// The kinds, each behind what it is a part of.
const (
	AllKeyspaces Kind = iota
	Keyspace
	AllTables // of one keyspace
	Table
	AllRoles
	OneRole
	AllFunctions
	KeyspaceFunctions
	Function
	AllMBeans
	MBean
)

// Resource is what a permission is about. Resources are equal where they are the
// same thing.
// Source: Cassandra 5.0 DataResource, RoleResource, FunctionResource, JMXResource.
type Resource struct {
	Kind     Kind
	Keyspace string // of data and functions
	Object   string // the table, role, function or MBean
	Classes  string // of a function's arguments: their Java classes, joined by ^
	Types    string // the same as CQL writes them, joined by a comma and a blank
}

// TableOf, KeyspaceOf, TablesOf and RoleOf are the resources that statements ask
// for most.
func TableOf(keyspace, table string) Resource {
	return Resource{Kind: Table, Keyspace: keyspace, Object: table}
}

// KeyspaceOf is a keyspace.
func KeyspaceOf(name string) Resource { return Resource{Kind: Keyspace, Keyspace: name} }

// TablesOf are all tables of a keyspace.
func TablesOf(keyspace string) Resource { return Resource{Kind: AllTables, Keyspace: keyspace} }

// FunctionsOf are all functions of a keyspace.
func FunctionsOf(keyspace string) Resource {
	return Resource{Kind: KeyspaceFunctions, Keyspace: keyspace}
}

// RoleOf is a role.
func RoleOf(name string) Resource { return Resource{Kind: OneRole, Object: name} }

// Name is the resource as the tables of system_auth have it.
func (r Resource) Name() string {
	switch r.Kind {
	case AllKeyspaces:
		return "data"
	case Keyspace:
		return "data/" + r.Keyspace
	case AllTables:
		return "data/" + r.Keyspace + "/*"
	case Table:
		return "data/" + r.Keyspace + "/" + r.Object
	case AllRoles:
		return "roles"
	case OneRole:
		return "roles/" + r.Object
	case AllFunctions:
		return "functions"
	case KeyspaceFunctions:
		return "functions/" + r.Keyspace
	case Function:
		return "functions/" + r.Keyspace + "/" + r.Object + "[" + r.Classes + "]"
	case AllMBeans:
		return "mbean"
	}
	return "mbean/" + r.Object
}

// String is the resource as lists and refusals name it.
func (r Resource) String() string {
	switch r.Kind {
	case AllKeyspaces:
		return "<all keyspaces>"
	case Keyspace:
		return "<keyspace " + r.Keyspace + ">"
	case AllTables:
		return "<all tables in " + r.Keyspace + ">"
	case Table:
		return "<table " + r.Keyspace + "." + r.Object + ">"
	case AllRoles:
		return "<all roles>"
	case OneRole:
		return "<role " + r.Object + ">"
	case AllFunctions:
		return "<all functions>"
	case KeyspaceFunctions:
		return "<all functions in " + r.Keyspace + ">"
	case Function:
		return "<function " + r.Keyspace + "." + r.Object + "(" + r.Types + ")>"
	case AllMBeans:
		return "<all mbeans>"
	}
	return "<mbean " + r.Object + ">"
}

// Parent is what the resource is a part of; ok is false for the root of a tree.
func (r Resource) Parent() (parent Resource, ok bool) {
	switch r.Kind {
	case AllKeyspaces, AllRoles, AllFunctions, AllMBeans:
		return Resource{}, false
	case Table:
		return TablesOf(r.Keyspace), true
	case AllTables:
		return KeyspaceOf(r.Keyspace), true
	case Function:
		return FunctionsOf(r.Keyspace), true
	}
	return Resource{Kind: r.Kind - 1}, true
}

// Chain is the resource with all that it is a part of, from the inside out. A
// permission on any of them is one on the resource.
// Source: Cassandra 5.0 Resources.chain.
func (r Resource) Chain() []Resource {
	out := []Resource{r}
	for {
		parent, ok := r.Parent()
		if !ok {
			return out
		}
		out, r = append(out, parent), parent
	}
}

// IsData says whether the resource holds rows.
func (r Resource) IsData() bool { return r.Kind <= Table }

// IsFunction says whether the resource is one of functions.
func (r Resource) IsFunction() bool { return r.Kind >= AllFunctions && r.Kind <= Function }

// Class is the name of the Java class of the resource, without its package.
func (r Resource) Class() string {
	switch {
	case r.IsData():
		return "DataResource"
	case r.IsFunction():
		return "FunctionResource"
	case r.Kind == AllRoles || r.Kind == OneRole:
		return "RoleResource"
	}
	return "JMXResource"
}

// Applicable are the permissions that the resource can have.
// Source: Cassandra 5.0 IResource.applicablePermissions.
func (r Resource) Applicable() Set {
	table := SetOf(Alter, Drop, Select, Modify, Authorize, Unmask, SelectMasked)
	switch r.Kind {
	case Table:
		return table
	case AllKeyspaces, Keyspace, AllTables:
		return table | SetOf(Create)
	case AllRoles:
		return SetOf(Create, Alter, Drop, Authorize, Describe)
	case OneRole:
		return SetOf(Alter, Drop, Authorize, Describe)
	case AllFunctions, KeyspaceFunctions:
		return SetOf(Create, Alter, Drop, Authorize, Execute)
	case Function:
		return SetOf(Alter, Drop, Authorize, Execute)
	}
	return SetOf(Authorize, Describe, Execute, Modify, Select)
}
