package schema

import "fmt"

// Class is the class of a refusal; the binder gives it its protocol code.
type Class uint8

// The classes of refusals that option checks raise.
const (
	Syntax Class = iota // SyntaxException
	Config              // ConfigurationException
	Server              // ServerError: a defect of Cassandra that a client sees
)

// Problem is a refused option with Cassandra's own text.
type Problem struct {
	Class   Class
	Message string
}

func (p *Problem) Error() string { return p.Message }

func syntaxf(format string, args ...any) error {
	return &Problem{Syntax, fmt.Sprintf(format, args...)}
}

func configf(format string, args ...any) error {
	return &Problem{Config, fmt.Sprintf(format, args...)}
}
