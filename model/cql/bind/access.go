package bind

import (
	"slices"
	"strings"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// bindAccess answers statements on roles, permissions and identities as a node
// with AllowAllAuthenticator does: every client is anonymous, and anonymous
// clients may neither see nor change them. What Cassandra checks before that is
// checked here too. ok is false for all other statements.
// Source: Cassandra 5.0 ClientState.ensureNotAnonymous.
func bindAccess(st cql.Statement, env *Env) (ok bool, err error) {
	switch s := st.(type) {
	case *cql.CreateRole:
		err = checkRole(s.Name, s.Options, env, "Only superusers can create a role with superuser status", isSuperuser(s.Options))
	case *cql.AlterRole:
		err = checkRole(s.Name, s.Options, env, "Only superusers are allowed to alter superuser status", hasOption(s.Options, cql.RoleSuperuser))
	case *cql.DropRole:
		if s.Name.Name.Text == superuser {
			err = unauthorized("Only superusers can drop a role with superuser status")
		}
	case *cql.GrantPermissions:
		err = checkPermissions(s, env)
	case *cql.ListPermissions:
		if s.Resource != nil {
			err = checkResource(*s.Resource, env)
		}
	case *cql.GrantRole, *cql.ListRoles, *cql.AddIdentity, *cql.DropIdentity:
	default:
		return false, nil
	}
	if err == nil {
		err = unauthorized("You have to be logged in and not anonymous to perform this request")
	}
	return true, err
}

// superuser is the role that every node makes when it starts first.
// Source: Cassandra 5.0 CassandraRoleManager.DEFAULT_SUPERUSER_NAME.
const superuser = "cassandra"

func unauthorized(message string) error {
	return &plan.Error{Code: plan.Unauthorized, Message: message}
}

func hasOption(options []cql.RoleOption, kind cql.RoleOptionKind) bool {
	return slices.ContainsFunc(options, func(o cql.RoleOption) bool { return o.Kind == kind })
}

func isSuperuser(options []cql.RoleOption) bool {
	return slices.ContainsFunc(options, func(o cql.RoleOption) bool { return o.Kind == cql.RoleSuperuser && o.Value.Text == "true" })
}

// roleOptionNames are the options that a role manager may not support.
var roleOptionNames = map[cql.RoleOptionKind]string{cql.RolePassword: "PASSWORD", cql.RoleHashedPassword: "HASHED_PASSWORD", cql.RoleOptions: "OPTIONS"}

// checkRole checks CREATE and ALTER of a role; raises says that they need a
// superuser, with the text of the refusal. Passwords and options need
// PasswordAuthenticator.
// Source: Cassandra 5.0 CreateRoleStatement, AlterRoleStatement, RoleOptions.validate, CassandraRoleManager.supportedOptions.
func checkRole(name cql.RoleName, options []cql.RoleOption, env *Env, refusal string, raises bool) error {
	if raises {
		return unauthorized(refusal)
	}
	for _, o := range options {
		if option := roleOptionNames[o.Kind]; option != "" {
			return plan.Invalid("org.apache.cassandra.auth.CassandraRoleManager doesn't support %s", option)
		}
	}
	for _, o := range options {
		if o.Kind == cql.RoleDatacenters && env.Topology != nil && !allKnown(o.List, env.Topology.DataCenters()) {
			return plan.Invalid("Invalid value(s) for DATACENTERS '%s',All values must be valid datacenters", "["+texts(o.List, func(c *cql.Constant) string { return c.Text })+"]")
		}
	}
	if name.Name.Text == "" {
		return plan.Invalid("Role name can't be an empty string")
	}
	return nil
}

func allKnown(list []*cql.Constant, known []string) bool {
	return !slices.ContainsFunc(list, func(c *cql.Constant) bool { return !slices.Contains(known, c.Text) })
}

// checkPermissions checks GRANT and REVOKE: at least one of the permissions has
// to be one that the resource can have.
// Source: Cassandra 5.0 Parser.g filterPermissions.
func checkPermissions(s *cql.GrantPermissions, env *Env) error {
	if err := checkName(s.Resource, env); err != nil {
		return err
	}
	if s.Resource.Kind == cql.FunctionResource && findRoutine(s.Resource, env) == nil {
		return plan.Syntax("Failed parsing statement: reason: NoSuchElementException No value present")
	}
	class, applicable := resourceClass(s.Resource.Kind)
	fits := func(p string) bool { return slices.Contains(strings.Fields(applicable), p) }
	if s.Permissions != nil && !slices.ContainsFunc(s.Permissions, fits) {
		return plan.Syntax("Resource type %s does not support any of the requested permissions", class)
	}
	return checkResource(s.Resource, env)
}

// checkName checks what Cassandra's parser checks of a resource.
// Source: Cassandra 5.0 Parser.g rules functionResource, jmxResource.
func checkName(r cql.Resource, env *Env) error {
	switch r.Kind {
	case cql.FunctionResource:
		if r.Name.Keyspace.Text == "" {
			return plan.Invalid("In this context function name must be explictly qualified by a keyspace")
		}
		for _, t := range r.Types {
			if _, err := resolveType(env, r.Name.Keyspace.Text, t); err != nil {
				return err
			}
		}
		if k := r.Name.Keyspace.Text; env.Schema.Keyspace(k) == nil && !schema.System(k) {
			return plan.Config("Keyspace %s doesn't exist", k)
		}
	case cql.MBeanResource, cql.MBeansResource:
		_, properties, ok := strings.Cut(r.Text.Text, ":")
		switch {
		case !ok || !strings.Contains(properties, "=") && properties != "*":
			return plan.Syntax("%s is not a valid JMX object name", r.Text.Text)
		case r.Kind == cql.MBeansResource && !strings.ContainsAny(r.Text.Text, "*?"):
			return plan.Syntax("Plural form used, but non-pattern JMX object name specified (%s)", r.Text.Text)
		}
	}
	return nil
}

// checkResource wants a keyspace for a table's name.
func checkResource(r cql.Resource, env *Env) error {
	if err := checkName(r, env); err != nil || r.Kind != cql.TableResource {
		return err
	}
	_, err := keyspaceOf(r.Name, env)
	return err
}

// resourceClass is the class of a resource and the permissions it can have.
// Source: Cassandra 5.0 DataResource, RoleResource, FunctionResource and JMXResource.applicablePermissions.
func resourceClass(k cql.ResourceKind) (class, permissions string) {
	switch k {
	case cql.TableResource:
		return "DataResource", "ALTER DROP SELECT MODIFY AUTHORIZE UNMASK SELECT_MASKED"
	case cql.AllKeyspaces, cql.KeyspaceResource, cql.AllTablesResource:
		return "DataResource", "CREATE ALTER DROP SELECT MODIFY AUTHORIZE UNMASK SELECT_MASKED"
	case cql.AllRoles:
		return "RoleResource", "CREATE ALTER DROP AUTHORIZE DESCRIBE"
	case cql.RoleResource:
		return "RoleResource", "ALTER DROP AUTHORIZE DESCRIBE"
	case cql.AllFunctions, cql.KeyspaceFunctions:
		return "FunctionResource", "CREATE ALTER DROP AUTHORIZE EXECUTE"
	case cql.FunctionResource:
		return "FunctionResource", "ALTER DROP AUTHORIZE EXECUTE"
	}
	return "JMXResource", "AUTHORIZE DESCRIBE EXECUTE MODIFY SELECT"
}

// createTrigger refuses every trigger, since no class of any is there.
// Source: Cassandra 5.0 CreateTriggerStatement.
func createTrigger(s *cql.CreateTrigger, env *Env) (*plan.SchemaChange, error) {
	keyspace, err := triggerKeyspace(s.Table, env)
	if err != nil {
		return nil, err
	}
	k := env.Schema.Keyspace(keyspace)
	switch {
	case schema.System(keyspace):
	case k == nil:
		return nil, plan.Invalid("Keyspace '%s' doesn't exist", keyspace)
	case k.Tables[s.Table.Name.Text] == nil:
		return nil, plan.Invalid("Table '%s' doesn't exist", s.Table.Name)
	case k.Tables[s.Table.Name.Text].IsView():
		return nil, plan.Invalid("Cannot CREATE TRIGGER for a materialized view")
	}
	return nil, plan.Invalid("Trigger class '%s' couldn't be loaded", s.Class.Text)
}

// dropTrigger finds no trigger. Source: Cassandra 5.0 DropTriggerStatement.
func dropTrigger(s *cql.DropTrigger, env *Env) (*plan.SchemaChange, error) {
	keyspace, err := triggerKeyspace(s.Table, env)
	switch {
	case err != nil:
		return nil, err
	case s.IfExists:
		return unchanged(env), nil
	}
	return nil, plan.Invalid("Trigger '%s' on '%s.%s' doesn't exist", s.Name, keyspace, s.Table.Name)
}

func triggerKeyspace(q cql.QualifiedName, env *Env) (string, error) {
	keyspace, err := keyspaceOf(q, env)
	switch {
	case err != nil:
		return "", err
	case schema.LocalSystem(keyspace):
		return "", plan.Invalid("System keyspace '%s' is not user-modifiable", keyspace)
	}
	return keyspace, checkKeyspaceName(keyspace)
}
