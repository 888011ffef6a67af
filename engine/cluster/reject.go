package cluster

import (
	"strings"

	"ringlab/model/plan"
	"ringlab/ring"
)

// Reject ends a read or a write that every replica of a token refuses to do, each
// with an error that it does not explain: a read once one has failed, a write
// once too many have for its level. Nothing is sent, since nothing would change;
// how long it takes is not modelled.
// Source: Cassandra 5.0 ReadCallback, AbstractWriteResponseHandler, RequestFailureException.
func (c *Cluster) Reject(op *Op, code plan.Code, writeType, keyspace string, token ring.Token) {
	placement := c.Placement(keyspace)
	replicas := placement.Replicas(token)
	if err := c.available(op.CL, placement.Strategy(), op.Coord, replicas); err != nil {
		c.finish(op, err)
		return
	}
	need := c.blockFor(op.CL, placement.Strategy(), op.Coord)
	failing := 1
	if code == plan.WriteFailure {
		failing = max(1, len(replicas)-need+1)
	}
	f := &Failure{Code: code, CL: op.CL, BlockFor: need, WriteType: writeType, Failures: map[string]string{}}
	var from []string
	for _, r := range replicas {
		if len(from) < failing && c.Alive.Alive(op.Coord, r) {
			from = append(from, "UNKNOWN from /"+c.Nodes[r].Address+":7000")
			f.Failures[c.Nodes[r].Name] = "UNKNOWN"
		}
	}
	f.Message = "Operation failed - received 0 responses and " + itoa(len(from)) + " failures: " + strings.Join(from, ", ")
	c.finish(op, f)
}
