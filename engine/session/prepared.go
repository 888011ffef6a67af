package session

import (
	"fmt"
	"math"

	"ringlab/engine/answer"
	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
)

// Prepared is a statement that was checked, to be run with values. It is checked
// again when the schema has changed.
type Prepared struct {
	Text     string
	Keyspace string // of USE when it was prepared, which it keeps
	Meta     *bind.Prepared
	Edge     any // what whoever talks to drivers keeps with it
	tree     cql.Statement
	known    bind.Known
}

// Values are what a client binds to markers, by index: bytes of the variable's
// type, nil for null. Unset marks those that it leaves unset; markers beyond the
// list are unset.
type Values struct {
	Args  [][]byte
	Unset []bool
	Page  Page // Size 0: all rows at once

	Timestamp *int64 // of what is written, µs; nil is the coordinator's
	Second    *int64 // what TTLs are counted from, Unix seconds; nil is the coordinator's
	Bytes     bool   // the answer is for a driver
	Known     bool   // the statement was prepared by an earlier request: this one parses nothing
}

// Prepare checks a statement of the current client without running it. The
// answer holds the refusal if there is one.
// Source: Cassandra 5.0 QueryProcessor.prepare.
func (c *Core) Prepare(text string) (*Prepared, *answer.Answer) {
	a := &answer.Answer{Statement: text, AtMicros: int64(c.Cluster.Now())}
	k := c.Current
	coord, err := c.Coordinator(k)
	if err != nil {
		a.Error = &answer.Error{Name: "NoHostAvailable", Message: err.Error()}
		return nil, a
	}
	a.Coordinator = c.Cluster.Nodes[coord].Name
	st, err := parse(text)
	if err == nil {
		var meta *bind.Prepared
		if meta, err = bind.Prepare(st, c.env(k, coord)); err == nil {
			if meta == nil {
				meta = &bind.Prepared{}
			}
			if err := c.validateAccess(st, k, coord); err != nil {
				a.Error = refusal(err)
				return nil, a
			}
			if n := len(meta.Variables); n > math.MaxUint16 {
				a.Error = refusal(plan.Invalid("Too many markers(?). %d markers exceed the allowed maximum of %d", n, math.MaxUint16))
				return nil, a
			}
			return &Prepared{Text: text, Keyspace: k.Keyspace, Meta: meta, tree: st}, a
		}
	}
	a.Error, a.Fix = refusal(err), fixes(err, text)
	return nil, a
}

// Execute runs a prepared statement of the current client with values.
func (c *Core) Execute(p *Prepared, v Values) *answer.Answer {
	a, _ := c.finishStatement(func() *flight { return c.startPrepared(c.Current, p, &v) })
	return a
}

// Bind runs a statement with values that are written as CQL terms, ? for one that
// is left unset: (1, 'a', ?).
func (c *Core) Bind(values, text string) *answer.Answer {
	p, a := c.Prepare(text)
	if p == nil {
		return a
	}
	coord, err := c.Coordinator(c.Current)
	if err == nil {
		var v Values
		if v.Args, v.Unset, err = bind.Values(values, p.Meta.Variables, c.env(c.Current, coord)); err == nil {
			return c.Execute(p, v)
		}
	}
	a.Error = refusal(err)
	return a
}

// Variables says what a prepared statement wants, for people: name and type of
// each marker.
func (p *Prepared) Variables() []string {
	out := make([]string, len(p.Meta.Variables))
	for i, v := range p.Meta.Variables {
		out[i] = fmt.Sprintf("%s %s", v.Name, v.Type)
	}
	return out
}
