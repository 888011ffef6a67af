package cluster

import (
	"cmp"
	"encoding/binary"
	"net/netip"
	"slices"
	"strings"

	"ringlab/engine/event"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// A node that was started with -Dcassandra.test.fail_writes_ks fails every write
// to that keyspace when it applies it: the commit log and memtables stay as they
// were, and the coordinator is told that it failed, without a reason. What Paxos
// and the batchlog keep is of other keyspaces and is written.
// Source: Cassandra 5.0 Keyspace.applyInternal.

// failsWrites says whether nodes are told to fail writes to a table.
func (c *Cluster) failsWrites(t *schema.Table) bool {
	return c.Set.FailWrites != "" && c.Set.FailWrites == t.Keyspace
}

// failHere emits that a node failed a write.
func (c *Cluster) failHere(op *Op, node, coord int, t *schema.Table) {
	if c.Listening() {
		c.emit(event.Record{Kind: event.Drop, Node: coord, Peer: node, Op: opID(op), What: "MUTATION_REQ", Text: "the node fails writes to " + t.Keyspace + ", as test.fail_writes_ks says"})
	}
}

// applyOrFail applies all parts of a write at a node, or fails it.
func (c *Cluster) applyOrFail(r *request, node int) (failed bool) {
	if c.failsWrites(r.table) {
		c.failHere(r.op, node, r.coord, r.table)
		return true
	}
	c.applyAll(r, node)
	return false
}

// applyAlone is applyOrFail at the level NODE_LOCAL, where nobody else is asked.
func (c *Cluster) applyAlone(r *request, node int) *Failure {
	if !c.applyOrFail(r, node) {
		return nil
	}
	r.cl, r.need, r.replicas, r.state = r.op.CL, 1, []int{node}, []replicaState{replicaFailed}
	return c.writeFailure(r)
}

// writeFailed takes a replica's word that it failed a write: it gets a hint, and
// the client an error as soon as those that are left are too few for the level.
// With ANY the hint is enough, except for what the batchlog has kept.
// Source: Cassandra 5.0 AbstractWriteResponseHandler.onFailure, StorageProxy.mutate.
func (c *Cluster) writeFailed(r *request, index int) {
	r.state[index] = replicaFailed
	if !r.unhinted && r.commit == nil {
		c.hintAll(r, r.replicas[index])
	}
	if r.answered {
		c.settle(r)
		return
	}
	failed, all := 0, 0
	for i, node := range r.replicas {
		if c.counts(r.cl, r.coord, node) {
			if all++; r.state[i] == replicaFailed {
				failed++
			}
		}
	}
	if r.need+failed <= all {
		return
	}
	r.answered = true
	c.settle(r)
	if r.cl == plan.Any && r.as != writeBatch {
		c.reached(r)
		return
	}
	c.finish(r.op, c.writeFailure(r))
}

// writeFailure is the error of a write that too many replicas have failed.
func (c *Cluster) writeFailure(r *request) *Failure {
	f := &Failure{Code: plan.WriteFailure, CL: r.cl, Received: r.got, BlockFor: r.need, WriteType: r.as, Failures: map[string]string{}}
	var failed []int
	for i, node := range r.replicas {
		if r.state[i] == replicaFailed {
			failed = append(failed, node)
		}
	}
	c.sortByHash(failed)
	var from []string
	for _, node := range failed {
		from = append(from, "UNKNOWN from /"+c.Nodes[node].Address+":7000")
		f.Failures[c.Nodes[node].Name] = "UNKNOWN"
	}
	f.Message = "Operation failed - received " + itoa(r.got) + " responses and " + itoa(len(from)) + " failures: " + strings.Join(from, ", ")
	if r.commit != nil && r.run.read { // which finishes what others began
		f.Code, f.CL = plan.ReadFailure, r.run.cas.Serial
	}
	return f
}

// sortByHash puts nodes into the order in which a Java hash map of their
// addresses gives them back.
// Source: java.net.InetSocketAddress.hashCode, java.util.concurrent.ConcurrentHashMap.
func (c *Cluster) sortByHash(nodes []int) {
	buckets := uint32(16)
	for 4*len(nodes) > 3*int(buckets) {
		buckets *= 2
	}
	place := func(node int) uint32 {
		a, err := netip.ParseAddr(c.Nodes[node].Address)
		if err != nil || !a.Is4() {
			return 0
		}
		b := a.As4()
		h := binary.BigEndian.Uint32(b[:]) + 7000
		return (h ^ h>>16) & (buckets - 1)
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(place(a), place(b)) })
}

// leaderFailed tells the coordinator of an update of counters that its leader
// failed it. A coordinator that leads itself tells nobody: the client waits for
// the timeout.
// Source: Cassandra 5.0 StorageProxy.counterWriteTask, CounterMutationVerbHandler.
func (c *Cluster) leaderFailed(r *request) {
	c.failHere(r.op, r.coord, r.op.Coord, r.table)
	if r.asked == nil {
		c.watch(r)
		return
	}
	c.send(r.op, task{kind: taskCounterDone, from: int32(r.coord), to: int32(r.asked.coord), req: r, flag: true}, 0, 33)
}

// leaderFailedAt is the arrival of that at the coordinator: whatever level was
// asked for, the error is about ONE.
func (c *Cluster) leaderFailedAt(wait *request) {
	wait.cl, wait.as = plan.One, writeCounter
	wait.states(1)
	wait.state[0] = replicaFailed
	c.finish(wait.op, c.writeFailure(wait))
}
