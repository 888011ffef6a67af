// Package bind settles what a statement of model/cql means: names are looked
// up, types checked and restrictions sorted out against a schema. The result is
// a plan, or a refusal with Cassandra's class, code and text.
package bind

import (
	"github.com/google/uuid"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/ring"
)

// Env is what names are resolved against.
type Env struct {
	Schema      *schema.Schema
	Text        string   // of the statement, which some refusals repeat
	Keyspace    string   // of USE, "" for none
	Args        [][]byte // bound values of markers by index; nil entry = null
	Unset       []bool   // markers bound to UNSET
	Topology    Topology // data centers and node counts, for replication options
	Partitioner ring.Partitioner
	Now         func() int64     // µs of the coordinator's clock, for now() and friends; never nil when binding statements that need it
	NewID       func() uuid.UUID // deterministic ids (tables, uuid())
	Classic     bool             // tables WITH COMPACT STORAGE follow the rules before 4.0
	Guard       Guard            // nil: the client may do everything, as under AllowAllAuthorizer
	PageSize    int              // >0: paging is on (matters for ORDER BY with IN)
}

// Topology is the part of the ring that replication options are checked
// against.
type Topology interface {
	DataCenters() []string
	Nodes(dc string) int // dc "" = all
}

// Bind gives the meaning of a statement, or the error a real node would answer.
// Statements that ringlab does not know are refused by name.
func Bind(st cql.Statement, env *Env) (plan.Plan, error) {
	if p, ok, err := bindDDL(st, env); ok || err != nil {
		return p, err
	}
	if p, ok, err := bindDML(st, env); ok || err != nil {
		return p, err
	}
	if p, ok, err := Access(st, env); ok {
		return result(p, err)
	}
	return nil, plan.Unsupported("this statement", "see the documentation for those that it knows")
}
