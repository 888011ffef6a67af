package query

import (
	"fmt"

	"github.com/google/uuid"

	"ringlab/model/cql"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/ring"
)

type oneNode struct{}

func (oneNode) DataCenters() []string { return []string{"datacenter1"} }
func (oneNode) Nodes(string) int      { return 1 }

// session runs the statements of one file.
type session struct {
	store
	env bind.Env
	ids uint32
}

func newSession() *session {
	s := &session{store: store{tables: map[string]map[string]*partition{}, now: 1732172400000000}}
	s.env = bind.Env{Schema: schema.Empty(), Topology: oneNode{}, Partitioner: ring.Murmur3,
		Now: func() int64 { return s.now }}
	s.env.NewID = func() uuid.UUID {
		s.ids++
		return uuid.NewSHA1(uuid.Nil, fmt.Append(nil, s.ids))
	}
	return s
}

// run runs one statement and gives its rows.
func (s *session) run(text string) ([][][]byte, error) {
	s.now += 10_000
	st, err := cql.Parse(text)
	if err != nil {
		return nil, err
	}
	p, err := bind.Bind(st, &s.env)
	if err != nil {
		return nil, err
	}
	switch p := p.(type) {
	case *plan.SchemaChange:
		s.env.Schema = p.After
	case *plan.Use:
		s.env.Keyspace = p.Keyspace
	case *plan.Write:
		return nil, s.write(p)
	case *plan.Select:
		return s.read(p)
	default:
		return nil, fmt.Errorf("the store of these tests does not know %T", p)
	}
	return nil, nil
}
