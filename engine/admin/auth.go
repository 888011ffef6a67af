package admin

import (
	"fmt"
	"regexp"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
)

// authSetting is a part of authentication and authorization that is off or on,
// by the name of its class. A real node takes it when it starts, a lab at once.
func authSetting(off, on string, f func(*cluster.Auth) *bool) setting {
	return setting{
		get: func(s *cluster.Settings) string {
			if *f(&s.Auth) {
				return on
			}
			return off
		},
		set: func(s *cluster.Settings, v string) error {
			auth := s.Auth
			switch strings.TrimPrefix(v, authPackage) {
			case on:
				*f(&auth) = true
			case off:
				*f(&auth) = false
			default:
				return fmt.Errorf("%q is neither %s nor %s, the two that a lab has", v, off, on)
			}
			if err := checkAuth(auth); err != nil {
				return err
			}
			s.Auth = auth
			return nil
		},
	}
}

const authPackage = "org.apache.cassandra.auth."

// checkAuth wants authentication where anything is asked of roles.
// Source: Cassandra 5.0 AuthConfig.applyAuth.
func checkAuth(a cluster.Auth) error {
	switch {
	case a.Passwords:
	case a.Permissions:
		return fmt.Errorf(authPackage + "CassandraAuthorizer has authorization enabled which requires " + authPackage + "AllowAllAuthenticator to enable authentication; " +
			"`:set authenticator PasswordAuthenticator` comes first, and goes last")
	case a.Datacenters:
		return fmt.Errorf("CassandraNetworkAuthorizer can't be used with AllowAllAuthenticator; `:set authenticator PasswordAuthenticator` comes first, and goes last")
	}
	return nil
}

func setRoleManager(_ *cluster.Settings, v string) error {
	if strings.TrimPrefix(v, authPackage) != "CassandraRoleManager" {
		return fmt.Errorf("%q is no role manager of a lab, which has CassandraRoleManager", v)
	}
	return nil
}

// loginLine is cqlsh's LOGIN, and with HASHED what the journal keeps of one.
// Source: cqlshmain.py of 5.0, rule loginCommand.
var loginLine = regexp.MustCompile(`(?is)^LOGIN\s+("(?:[^"]|"")+"|'(?:[^']|'')*'|[\w$]+)(?:\s+(HASHED\s+)?('(?:[^']|'')*'))?\s*$`)

// login has the client act as another role once the password is right, in the
// keyspace where it is.
func login(ctx *Context, line string) ([]*answer.Answer, error) {
	m := loginLine.FindStringSubmatch(strings.TrimRight(line, "; \t\r\n"))
	if m == nil {
		return shellError("Improper LOGIN command.")
	}
	user, hashed, password := unquoted(m[1]), m[2] != "", unquoted(m[3])
	switch {
	case !ctx.Cluster.Set.Auth.Passwords:
		return nil, fmt.Errorf("nobody logs in under AllowAllAuthenticator, where every client may do everything; `:set authenticator PasswordAuthenticator` changes that")
	case m[3] == "":
		return nil, fmt.Errorf("LOGIN %s wants the password too, in quotes; `:client NAME user=%s` acts as a role without it", m[1], user)
	}
	check := ctx.Login
	if hashed {
		check = ctx.LoginHashed
	}
	if err := check(user, password); err != nil {
		return []*answer.Answer{{Error: &answer.Error{Code: err.Code.String(), Name: err.Code.Name(), Message: err.Message}}}, nil
	}
	ctx.Current.User = user
	return message(""), nil
}

// Conceal is a line as it may be kept: with the hashes of passwords instead of
// them. Of a wrong one nothing is kept.
func Conceal(ctx *Context, text string) string {
	m := loginLine.FindStringSubmatch(strings.Trim(text, "; \t\r\n"))
	if m == nil || m[2] != "" || m[3] == "" {
		return ctx.Conceal(text)
	}
	return "LOGIN " + m[1] + " HASHED '" + ctx.Proof(unquoted(m[1]), unquoted(m[3])) + "'"
}

// unquoted takes the quotes off a name or a string.
func unquoted(text string) string {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return text
	}
	quote := text[:1]
	return strings.ReplaceAll(text[1:len(text)-1], quote+quote, quote)
}
