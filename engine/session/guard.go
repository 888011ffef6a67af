package session

import (
	"cmp"
	"fmt"
	"slices"

	"ringlab/model/access"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
)

// User is the role as which a client acts: that of its login, for a client that
// is typed the first superuser unless it says otherwise, and anonymous while
// nobody has to log in.
func (c *Core) User(k *Client) string {
	switch {
	case !c.Cluster.Set.Auth.Passwords:
		return anonymous
	case k.link != nil:
		return k.link.User
	}
	return cmp.Or(k.User, access.Superuser)
}

// Acting is the role as which the current client acts, "" where nobody has to
// log in.
func (c *Core) Acting() string {
	if !c.Cluster.Set.Auth.Passwords {
		return ""
	}
	return c.User(c.Current)
}

// anonymous is who acts under AllowAllAuthenticator.
// Source: Cassandra 5.0 AuthenticatedUser.ANONYMOUS_USERNAME.
const anonymous = "anonymous"

// guard says what a client may do at a coordinator. What roles hold is looked up
// each time: what a node remembers of it for a while is not modelled, nor how it
// is replicated.
// Source: Cassandra 5.0 ClientState, AuthenticatedUser.
type guard struct {
	core  *Core
	user  string
	coord int
}

// guardOf is nil while nobody has to log in.
func (c *Core) guardOf(k *Client, coord int) bind.Guard {
	if !c.Cluster.Set.Auth.Passwords {
		return nil
	}
	return c.guard(k, coord)
}

func (c *Core) guard(k *Client, coord int) *guard { return &guard{c, c.User(k), coord} }

func unauthorized(format string, args ...any) *plan.Error {
	return &plan.Error{Code: plan.Unauthorized, Message: fmt.Sprintf(format, args...)}
}

// nobody says whether the client has no role at all.
func (g *guard) nobody() bool { return !g.core.Cluster.Set.Auth.Passwords }

// isSuper says whether the client's role is a superuser; anonymous is none.
func (g *guard) isSuper() bool { return !g.nobody() && g.core.Roles.IsSuper(g.user) }

// Login refuses clients that have not logged in, or have no access to the data
// center of their coordinator.
// Source: Cassandra 5.0 ClientState.validateLogin.
func (g *guard) Login() error {
	if g.user == "" {
		return unauthorized("You have not logged in")
	}
	if dc := g.core.Cluster.Nodes[g.coord].DC; !g.core.reaches(g.user, dc) {
		return unauthorized("You do not have access to this datacenter (%s)", dc)
	}
	return nil
}

// known refuses anonymous clients.
// Source: Cassandra 5.0 ClientState.ensureNotAnonymous.
func (g *guard) known() error {
	if err := g.Login(); err != nil {
		return err
	}
	if g.nobody() {
		return unauthorized("You have to be logged in and not anonymous to perform this request")
	}
	return nil
}

// Superuser wants a superuser; while nobody has to log in, everybody is one.
// Source: Cassandra 5.0 ClientState.ensureIsSuperuser.
func (g *guard) Superuser(refusal string) error {
	if g.nobody() || g.isSuper() {
		return nil
	}
	return unauthorized("%s", refusal)
}

// Permit wants a permission on a resource or on what that is a part of. What is
// granted on all keyspaces is not for Cassandra's own.
// Source: Cassandra 5.0 ClientState.ensurePermission.
func (g *guard) Permit(p access.Permission, on access.Resource) error {
	if !g.core.Cluster.Set.Auth.Permissions || on.IsFunction() && on.Keyspace == "system" {
		return nil
	}
	if on.Kind == access.Function && g.isSuper() {
		// Superusers have what a function can be given, and that is asked of the function.
		if k := g.core.Cluster.SchemaOf(g.coord).Keyspace(on.Keyspace); k == nil || !slices.Contains(functionsOf(k), on) {
			return &plan.Error{Code: plan.ServerError, Message: "java.util.NoSuchElementException: No value present"}
		}
	}
	chain := on.Chain()
	if on.IsData() && on.Kind != access.AllKeyspaces && isSystem(on.Keyspace) && !g.isSuper() {
		chain = chain[:len(chain)-1]
	}
	for _, r := range chain {
		if g.core.Roles.Permissions(g.user, r).Has(p) {
			return nil
		}
	}
	return unauthorized("User %s has no %s permission on %s or any of its parents", g.user, p, on)
}

// privileged is Permit in the words of statements on roles.
// Source: Cassandra 5.0 AuthenticationStatement.checkPermission.
func (g *guard) privileged(p access.Permission, on access.Resource) error {
	if g.Permit(p, on) != nil {
		return unauthorized("User %s does not have sufficient privileges to perform the requested operation", g.user)
	}
	return nil
}

// reaches says whether a role has access to a data center.
// Source: Cassandra 5.0 AuthenticatedUser.hasLocalAccess, CassandraNetworkAuthorizer.authorize.
func (c *Core) reaches(role, dc string) bool {
	if !c.Cluster.Set.Auth.Datacenters {
		return true
	}
	all, names := c.datacentersOf(role)
	if all {
		return true
	}
	return slices.Contains(names, dc)
}

// datacentersOf are those that a role has access to: all of them, or the names
// of some.
func (c *Core) datacentersOf(role string) (all bool, names []string) {
	switch {
	case !c.Cluster.Set.Auth.Datacenters:
		return true, nil
	case !c.Roles.CanLogin(role):
		return false, nil
	case c.Roles.IsSuper(role):
		return true, nil
	}
	names = c.Roles.Datacenters(role)
	return len(names) == 0, names
}

// Login says why a role may not log in with a password, nil if it may.
// Source: Cassandra 5.0 PasswordAuthenticator.authenticate, ClientState.login.
func (c *Core) Login(user, password string) *plan.Error {
	hash, may := c.Credentials(user)
	return Admit(user, password, hash, may)
}

// FirstPassword says whether the first superuser can still log in with the
// password that everybody knows.
func (c *Core) FirstPassword() bool { return c.Login(access.Superuser, access.Superuser) == nil }

// LoginHashed is Login with the hash of the password, as the journal keeps it.
func (c *Core) LoginHashed(user, hash string) *plan.Error {
	have, may := c.Credentials(user)
	switch {
	case hash == "" || hash != have:
		return incorrect(user)
	case !may:
		return notPermitted(user)
	}
	return nil
}

// Proof is the hash of a role's password if the password is right, else "".
func (c *Core) Proof(user, password string) string {
	if hash, _ := c.Credentials(user); hash != "" && access.CheckPassword(password, hash) {
		return hash
	}
	return ""
}

func incorrect(user string) *plan.Error {
	return &plan.Error{Code: plan.BadCredentials, Message: "Provided username " + user + " and/or password are incorrect"}
}

func notPermitted(user string) *plan.Error {
	return &plan.Error{Code: plan.BadCredentials, Message: user + " is not permitted to log in"}
}

// Credentials are what a login is checked against: the hash of the password, ""
// for none, and whether the role may log in.
func (c *Core) Credentials(user string) (hash string, mayLogin bool) {
	if role := c.Roles.Role(user); role != nil {
		hash = role.Hash
	}
	return hash, c.Roles.CanLogin(user)
}

// Admit checks a login against credentials. It takes the time that bcrypt takes.
func Admit(user, password, hash string, mayLogin bool) *plan.Error {
	if hash == "" || !access.CheckPassword(password, hash) {
		return incorrect(user)
	}
	if !mayLogin {
		return notPermitted(user)
	}
	return nil
}
