package native

import "strings"

// The messages that set a connection up.

// Startup opens a connection: its options, in order.
type Startup struct{ Options []Option }

// Option is a name with its value.
type Option struct{ Name, Value string }

// Get finds an option by its name in any case.
func (s *Startup) Get(name string) (string, bool) {
	for _, o := range s.Options {
		if strings.EqualFold(o.Name, name) {
			return o.Value, true
		}
	}
	return "", false
}

// Options asks what the server can do.
type Options struct{}

// Supported is what the server can do: names with their values, in order.
type Supported struct{ Options []Choice }

// Choice is a name with the values that it can have.
type Choice struct {
	Name   string
	Values []string
}

// Ready says that a connection is set up, or events are registered.
type Ready struct{}

// Register asks for kinds of events.
type Register struct{ Events []string }

// Authenticate asks for credentials as a class of Cassandra takes them.
type Authenticate struct{ Class string }

// AuthResponse carries credentials: for passwords 0, the user, 0, the password.
type AuthResponse struct{ Token []byte }

// AuthChallenge asks for more.
type AuthChallenge struct{ Token []byte }

// AuthSuccess lets the client in.
type AuthSuccess struct{ Token []byte }

// The opcodes of the messages.
func (*Startup) Opcode() Opcode       { return OpStartup }
func (*Options) Opcode() Opcode       { return OpOptions }
func (*Supported) Opcode() Opcode     { return OpSupported }
func (*Ready) Opcode() Opcode         { return OpReady }
func (*Register) Opcode() Opcode      { return OpRegister }
func (*Authenticate) Opcode() Opcode  { return OpAuthenticate }
func (*AuthResponse) Opcode() Opcode  { return OpAuthResponse }
func (*AuthChallenge) Opcode() Opcode { return OpAuthChallenge }
func (*AuthSuccess) Opcode() Opcode   { return OpAuthSuccess }

func (m *Startup) appendBody(b []byte, _ Version) []byte {
	b = appendShort(b, len(m.Options))
	for _, o := range m.Options {
		b = appendString(appendString(b, o.Name), o.Value)
	}
	return b
}

func readStartup(r *reader) Message {
	m := &Startup{}
	for i, n := 0, r.short(); i < n && r.err == nil; i++ {
		m.Options = append(m.Options, Option{r.string(), r.string()})
	}
	return m
}

func (m *Supported) appendBody(b []byte, _ Version) []byte {
	b = appendShort(b, len(m.Options))
	for _, o := range m.Options {
		b = appendStrings(appendString(b, o.Name), o.Values)
	}
	return b
}

func readSupported(r *reader) Message {
	m := &Supported{}
	for i, n := 0, r.short(); i < n && r.err == nil; i++ {
		m.Options = append(m.Options, Choice{r.string(), r.strings()})
	}
	return m
}

func (*Options) appendBody(b []byte, _ Version) []byte         { return b }
func (*Ready) appendBody(b []byte, _ Version) []byte           { return b }
func (m *Register) appendBody(b []byte, _ Version) []byte      { return appendStrings(b, m.Events) }
func (m *Authenticate) appendBody(b []byte, _ Version) []byte  { return appendString(b, m.Class) }
func (m *AuthResponse) appendBody(b []byte, _ Version) []byte  { return appendBytes(b, m.Token) }
func (m *AuthChallenge) appendBody(b []byte, _ Version) []byte { return appendBytes(b, m.Token) }
func (m *AuthSuccess) appendBody(b []byte, _ Version) []byte   { return appendBytes(b, m.Token) }
