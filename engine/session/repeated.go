package session

import (
	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
)

// repeated are the last INSERTs of literals that were typed: scripts and loaders send
// the same ones with other values thousands of times. What a statement means does
// not depend on it.
type repeated struct {
	known [8]*bind.Repeated
	last  int // the one that was learned last
}

// mostRepeated is how long a text may be to be taken for a repeated one, bytes.
const mostRepeated = 1 << 16

// write is what a text means if it is a statement that is known, with other values;
// else nil.
func (r *repeated) write(text string, c *Core, k *Client, coord int) *plan.Write {
	if len(text) > mostRepeated {
		return nil
	}
	for i := range r.known {
		if known := r.known[(r.last+i)%len(r.known)]; known != nil && known.Begins(text) {
			return known.Write(text, c.env(k, coord))
		}
	}
	return nil
}

// learn remembers a statement, if it is one that can be known again.
func (r *repeated) learn(text string, st cql.Statement, p plan.Plan, env *bind.Env) {
	if len(text) > mostRepeated {
		return
	}
	known := bind.NewRepeated(text, st, p, env)
	if known == nil {
		return
	}
	for i, other := range r.known {
		if other != nil && other.Begins(text) { // it was of another schema or keyspace
			r.known[i], r.last = known, i
			return
		}
	}
	r.last = (r.last + len(r.known) - 1) % len(r.known)
	r.known[r.last] = known
}
