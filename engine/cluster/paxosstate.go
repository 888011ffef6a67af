package cluster

import (
	"github.com/google/uuid"

	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// ballot orders the proposals of a partition: by time, then by proposer.
type ballot struct {
	at     int64 // µs
	node   int
	serial plan.Consistency // at which it was made
}

func (b ballot) after(o ballot) bool { return b.at > o.at || b.at == o.at && b.node > o.node }

// proposal is what a proposer wants a partition to become; no parts is nothing.
type proposal struct {
	ballot ballot
	part   *storage.Partition
}

// paxosKey is a partition of a table.
type paxosKey struct {
	table uuid.UUID
	key   string
}

// paxosState is what a replica remembers of a partition's rounds.
// Source: Cassandra 5.0 PaxosState.
type paxosState struct {
	promised  ballot
	accepted  *proposal
	committed *proposal
}

// learn takes a proposal that was decided.
func (s *paxosState) learn(p *proposal) {
	if s.committed == nil || p.ballot.after(s.committed.ballot) {
		s.committed = p
	}
	if s.accepted != nil && !s.accepted.ballot.after(p.ballot) {
		s.accepted = nil
	}
}

func (c *Cluster) paxosOf(node int, t *schema.Table, key string) *paxosState {
	k := paxosKey{t.ID, key}
	s := c.Nodes[node].paxos[k]
	if s == nil {
		s = &paxosState{}
		c.Nodes[node].paxos[k] = s
	}
	s.forget(c.Clock(node) - max(3*3600, int64(t.Options.GCGrace))*1000000)
	return s
}

// forget lets go of what was written before a moment, µs: a node keeps it for gc_grace,
// three hours at least. A proposal that nobody decided is as if it had not been then.
// Source: Cassandra 5.0 SystemKeyspace.legacyPaxosTtlSec, PaxosState.
func (s *paxosState) forget(before int64) {
	if s.promised.at < before {
		s.promised = ballot{}
	}
	if s.accepted != nil && s.accepted.ballot.at < before {
		s.accepted = nil
	}
	if s.committed != nil && s.committed.ballot.at < before {
		s.committed = nil
	}
}
