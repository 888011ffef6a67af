package host

import (
	"fmt"

	"ringlab/engine/admin"
	"ringlab/engine/answer"
)

// Edge runs the commands of a lab that reach out of it: the name without its
// colon, and the words behind it. It is called by the goroutine that owns the lab.
type Edge func(name string, a admin.Args) ([]*answer.Answer, error)

// Reach has the commands that reach out of the lab run by a function.
func (s *Store) Reach(e Edge) { s.edge = e }

// Edge runs a command that reaches out of the lab, but not a second time where
// the journal is replayed.
func (s *Store) Edge(name string, a admin.Args) ([]*answer.Answer, error) {
	if s.edge == nil || s.inputs.again {
		return Files{}.Edge(name, a)
	}
	return s.edge(name, a)
}

// Edge refuses: nothing is there but the lab.
func (Files) Edge(name string, _ admin.Args) ([]*answer.Answer, error) {
	switch name {
	case "serve":
		return nil, fmt.Errorf("there is no screen to serve beside: `ringlab serve FILE` runs a script and lets drivers connect to its lab")
	case "clients":
		return nil, fmt.Errorf("no driver can connect here: `:serve` in the workbench and `ringlab serve` let them")
	}
	return nil, fmt.Errorf("a script is compared from outside: `ringlab verify --against HOST FILE`")
}

// Past says whether the lab stands before commands that were undone: the next
// command drops those.
func (s *Store) Past() bool {
	b := s.tree.Current()
	return b.At < b.Len()
}
