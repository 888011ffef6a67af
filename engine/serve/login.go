package serve

import (
	"bytes"
	"fmt"

	"ringlab/engine/host"
	"ringlab/engine/native"
	"ringlab/engine/session"
	"ringlab/model/plan"
)

// asks says whether a client has to log in: because the lab's authenticator
// wants it, or because the door was given a list of users.
func (s *Server) asks() bool { return s.users != nil || s.roles.Load() }

// authenticate checks a user and a password.
// Source: Cassandra 5.0 AuthResponse.execute, PasswordAuthenticator.PlainTextSaslAuthenticator.
func (c *conn) authenticate(f *native.Frame, answer func(native.Message, *framing)) {
	m, ok := f.Body.(*native.AuthResponse)
	if !ok {
		answer(problem("Unexpected message %s, expecting SASL_RESPONSE", f.Body.Opcode()), nil)
		return
	}
	user, password, refused := credentials(m.Token)
	if refused == nil {
		refused = c.admit(user, password)
	}
	if refused != nil {
		answer(&native.Error{Code: refused.Code, Message: refused.Message}, nil)
		return
	}
	c.user = user
	c.ready()
	answer(&native.AuthSuccess{}, nil)
}

// credentials reads 0, the user, 0, the password.
// Source: Cassandra 5.0 PasswordAuthenticator.PlainTextSaslAuthenticator.decodeCredentials.
func credentials(token []byte) (user, password string, refused *plan.Error) {
	bad := func(message string) (string, string, *plan.Error) {
		return "", "", &plan.Error{Code: plan.BadCredentials, Message: message}
	}
	parts := bytes.Split(token, []byte{0})
	n := len(parts)
	switch {
	case n > 3:
		return bad(`Credential format error: username or password is empty or contains NUL(\0) character`)
	case n < 2 || len(parts[n-1]) == 0:
		return bad("Password must not be null")
	case n < 3 || len(parts[1]) == 0:
		return bad("Authentication ID must not be null")
	}
	return string(parts[1]), string(parts[2]), nil
}

// admit says why a user may not come in, nil if it may. The lab is asked for the
// hash; what bcrypt takes of time keeps nobody else waiting.
func (c *conn) admit(user, password string) *plan.Error {
	s := c.door.server
	if s.users != nil {
		if !s.users.check(user, password) {
			return &plan.Error{Code: plan.BadCredentials, Message: fmt.Sprintf("Provided username %s and/or password are incorrect", user)}
		}
		return nil
	}
	type found struct {
		hash string
		may  bool
	}
	told := make(chan found, 1)
	posted := s.keeper.Post(func() {
		hash, may := s.keeper.Store().Lab.Core().Credentials(user)
		told <- found{hash, may}
	})
	if posted {
		select {
		case f := <-told:
			return session.Admit(user, password, f.hash, f.may)
		case <-s.gone:
		}
	}
	return &plan.Error{Code: plan.BadCredentials, Message: "Unable to perform authentication: the server is shutting down"}
}

// switchOn has the lab ask for passwords and permissions, as commands of its
// journal.
func switchOn(store *host.Store) error {
	for _, text := range []string{":set authenticator PasswordAuthenticator", ":set authorizer CassandraAuthorizer"} {
		out, receipt := store.Run(text)
		store.Commit(receipt, func(error) {})
		for _, a := range out {
			if a.Error != nil {
				return fmt.Errorf("%s: %s", text, a.Error.Message)
			}
		}
	}
	return nil
}

// guarded says why a lab that other machines can reach is open to them, nil if
// it is not.
func (o *Options) guarded(core *session.Core) error {
	auth := core.Cluster.Set.Auth
	switch {
	case o.Listen.Addr().IsLoopback() || o.Insecure || o.Users != nil:
		return nil
	case !auth.Passwords:
		return fmt.Errorf("%s can be reached from other machines, and everybody there could change the lab: say --insecure if that is meant, or listen on 127.0.0.1", o.Listen)
	case core.FirstPassword():
		return fmt.Errorf("%s can be reached from other machines, and the superuser cassandra still has its first password, which everybody knows: "+
			"ALTER ROLE cassandra WITH PASSWORD changes it; or say --insecure if that is meant, or listen on 127.0.0.1", o.Listen)
	}
	return nil
}
