package cluster

// Auth says whether clients have to log in and what is asked of their roles; the
// zero value is a default installation, where everybody may do everything.
// Source: Cassandra 5.0 cassandra.yaml, AuthConfig.
type Auth struct {
	Passwords   bool // authenticator: PasswordAuthenticator
	Permissions bool // authorizer: CassandraAuthorizer
	Datacenters bool // network_authorizer: CassandraNetworkAuthorizer
}

// Name writes the settings of a node that differ from a default installation, as
// system_views.settings shows them where the file names the classes alone.
func (a Auth) Name(settings map[string]string) {
	class := func(on bool, setting, name, parameters string) {
		if on {
			settings[setting+".class_name"], settings[setting+".parameters"] = name, parameters
		}
	}
	class(a.Passwords, "authenticator", "PasswordAuthenticator", "{}")
	class(a.Permissions, "authorizer", "CassandraAuthorizer", "{}")
	class(a.Datacenters, "network_authorizer", "CassandraNetworkAuthorizer", "{}")
}
