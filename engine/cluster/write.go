package cluster

import (
	"strings"

	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// Begin opens an operation at a coordinator.
func (c *Cluster) Begin(kind string, coord int, cl plan.Consistency, traced bool) *Op {
	c.ops++
	return &Op{ID: c.ops, Kind: kind, Coord: coord, CL: cl, Start: c.now, Traced: traced}
}

// Write sends one mutation per partition and waits for the level on each. As in
// Cassandra, mutations are planned and sent one by one, so that when a later
// one is unavailable the earlier ones are on their way.
// Source: Cassandra 5.0 StorageProxy.mutate.
func (c *Cluster) Write(op *Op, t *schema.Table, parts []*storage.Partition) {
	if op.CL == plan.NodeLocal {
		for _, p := range parts {
			if err := c.applyAlone(&request{op: op, coord: op.Coord, table: t, part: p, as: writeSimple}, op.Coord); err != nil {
				c.finish(op, err)
				return
			}
		}
		c.finish(op, nil)
		return
	}
	op.waiting = len(parts)
	if len(parts) == 0 {
		c.finish(op, nil)
	}
	as := writeSimple
	if len(parts) > 1 {
		as = writeUnlogged
	}
	c.tr(op, op.Coord, threadClient, "Determining replicas for mutation")
	for i, p := range parts {
		if err := c.writeOne(op, i, Mutation{Table: t, Part: p}, as); err != nil {
			c.finish(op, err)
			return
		}
	}
}

// The write types of the protocol. Source: Cassandra 5.0 WriteType.
const (
	writeSimple   = "SIMPLE"
	writeBatch    = "BATCH"
	writeUnlogged = "UNLOGGED_BATCH"
	writeCounter  = "COUNTER"
	writeBatchLog = "BATCH_LOG"
	writeCAS      = "CAS"
)

// Mutation is what is written under one partition key of a keyspace: a part of a
// partition of one table, and in a batch perhaps of others. A replica applies it
// as a whole. Source: Cassandra 5.0 Mutation.
type Mutation struct {
	Table *schema.Table
	Part  *storage.Partition
	More  []TablePart
}

// TablePart is a part of a mutation.
type TablePart struct {
	Table *schema.Table
	Part  *storage.Partition
}

// size is about what the mutation takes on the wire.
func (m *Mutation) size() int {
	n := messageSize(m.Table, m.Part)
	for _, p := range m.More {
		n += messageSize(p.Table, p.Part)
	}
	return n
}

// messageSize is about what a mutation takes on the wire; it is modelled.
func messageSize(t *schema.Table, p *storage.Partition) int {
	n := 60 + len(p.Key) + p.Static.Size()
	for _, r := range p.Rows {
		n += r.Size()
	}
	return n + 30*len(p.Ranges)
}

func (c *Cluster) writeOne(op *Op, slot int, m Mutation, as string) *Failure {
	placement := c.Placement(m.Table.Keyspace)
	replicas, pending := c.writeTo(placement, m.Table.Keyspace, m.Part.Token)
	if err := c.writable(op.CL, placement.Strategy(), op.Coord, replicas, pending); err != nil {
		c.tr(op, op.Coord, threadClient, "Unavailable")
		if c.Listening() {
			c.emit(event.Record{Kind: event.Unavailable, Node: op.Coord, Peer: -1, Op: op.ID, What: op.CL.String(), N: int64(err.Required), M: int64(err.Alive)})
		}
		return err
	}
	r := &request{kind: reqWrite, op: op, coord: op.Coord, table: m.Table, cl: op.CL, strategy: placement.Strategy(), slot: slot,
		replicas: replicas, part: m.Part, more: m.More, size: m.size(), as: as}
	if int64(r.size) > c.Set.MaxMutation {
		return &Failure{Code: plan.InvalidRequest, Message: oversized(m.Table, m.Part, r.size, c.Set.MaxMutation)}
	}
	r.join(pending)
	r.states(len(r.replicas))
	r.need = c.blockForWrite(op.CL, r.strategy, op.Coord, pending)
	op.Need = r.need
	c.watch(r)
	c.sendWrites(r)
	if op.CL == plan.Any && r.got == 0 && len(op.Hinted) > 0 {
		r.got++ // a hint is enough
	}
	c.checkWrite(r)
	return nil
}

// sendWrites sends a mutation to every live replica: the coordinator applies it
// itself, each node of its data center gets a message, and each other data
// center one message, to a node that forwards it. Dead replicas get a hint.
// Source: Cassandra 5.0 StorageProxy.sendToHintedReplicas.
func (c *Cluster) sendWrites(r *request) {
	local := -1
	dc := c.Nodes[r.coord].DC
	remote := false
	for i, node := range r.replicas {
		switch {
		case !c.Alive.Alive(r.coord, node):
			r.state[i] = replicaDead
			c.hintAll(r, node)
		case node == r.coord:
			local = i
		case c.Nodes[node].DC == dc:
			r.state[i] = replicaSent
			c.send(r.op, task{kind: taskMutation, from: int32(r.coord), to: int32(node), req: r, index: uint8(i)}, 0, r.size)
		default:
			remote = true
		}
	}
	if remote {
		c.sendForwarded(r)
	}
	if local >= 0 {
		if r.state[local] = replicaSent; !c.logWrite(r.coord, int64(r.size)) {
			return
		}
		failed := c.applyOrFail(r, r.coord)
		c.queue.Push(c.now+c.Nodes[r.coord].service(serviceWrite), task{kind: taskAck, from: int32(r.coord), to: int32(r.coord), req: r, index: uint8(local), flag: failed})
	}
}

// sendForwarded sends one message to each other data center.
func (c *Cluster) sendForwarded(r *request) {
	dc := c.Nodes[r.coord].DC
	var done []string
next:
	for i, node := range r.replicas {
		there := c.Nodes[node].DC
		if there == dc || r.state[i] != replicaIdle {
			continue
		}
		for _, d := range done {
			if d == there {
				continue next
			}
		}
		done = append(done, there)
		var live []int
		for j := i; j < len(r.replicas); j++ {
			if c.Nodes[r.replicas[j]].DC == there && r.state[j] == replicaIdle {
				live = append(live, j)
				r.state[j] = replicaSent
			}
		}
		first := live[c.forward.Intn(uint64(r.coord), r.op.ID<<16|uint64(r.slot)&0xffff, len(live))]
		if r.op.Traced {
			c.tr(r.op, r.coord, threadClient, "Sending mutation to remote replica Full(/%s:7000,%s)", c.Nodes[r.replicas[first]].Address, c.tokenRange(r.part.Token))
		}
		c.send(r.op, task{kind: taskForward, from: int32(r.coord), to: int32(r.replicas[first]), req: r, index: uint8(first), flag: len(live) > 1}, 0, r.size)
	}
}

// onMutation applies a write at a replica.
func (c *Cluster) onMutation(t *task) {
	r := t.req
	if !c.arrive(r.op, t, r.size) {
		return
	}
	if c.now > r.start+c.Set.WriteTimeout {
		if c.Listening() {
			c.emit(event.Record{Kind: event.Drop, Node: int(t.from), Peer: int(t.to), Op: r.op.ID, What: t.verb(), Text: "it arrived after the write timeout"})
		}
		c.Nodes[t.to].countDropped(t.verb())
		return
	}
	if t.kind == taskForward && t.flag {
		dc := c.Nodes[t.to].DC
		for i, node := range r.replicas {
			if node != int(t.to) && c.Nodes[node].DC == dc && r.state[i] == replicaSent {
				c.tr(r.op, int(t.to), threadMutation, "Enqueuing forwarded write to /%s:7000", c.Nodes[node].Address)
				c.send(r.op, task{kind: taskMutation, from: t.to, to: int32(node), req: r, index: uint8(i)}, 0, r.size)
			}
		}
	}
	failed := c.applyOrFail(r, int(t.to))
	if r.op.Traced {
		what := "response"
		if r.commit != nil {
			what = "acknowledge"
		}
		c.tr(r.op, int(t.to), threadMutation, "Enqueuing %s to /%s:7000", what, c.Nodes[r.coord].Address)
	}
	c.send(r.op, task{kind: taskAck, from: t.to, to: int32(r.coord), req: r, index: t.index, flag: failed}, c.Nodes[t.to].service(serviceWrite), 33)
}

// applyAll applies all parts of a write at a node, but not what a round of Paxos decided
// before the table was truncated.
// Source: Cassandra 5.0 PaxosState.commit.
func (c *Cluster) applyAll(r *request, node int) {
	if r.commit != nil && r.commit.ballot.at/1000 <= c.Store(node, r.table).Truncated/1000 {
		if r.op.Traced {
			c.tr(r.op, node, threadMutation, "Not committing proposal %s as ballot timestamp predates last truncation time", c.proposalText("Committed", r.table, r.part.Key, r.commit))
		}
		c.tracePaxosTable(r.op, node)
		c.paxosOf(node, r.table, r.part.Key).learn(r.commit)
		return
	}
	if r.commit != nil && r.op.Traced {
		c.tr(r.op, node, threadMutation, "Committing proposal %s", c.proposalText("Committed", r.table, r.part.Key, r.commit))
	}
	c.logged(r.op, node)
	c.apply(r.op, node, r.table, r.part, r.size)
	for _, p := range r.more {
		c.apply(r.op, node, p.Table, p.Part, messageSize(p.Table, p.Part))
	}
	if r.commit != nil {
		c.tracePaxosTable(r.op, node)
		c.paxosOf(node, r.table, r.part.Key).learn(r.commit)
	}
}

// logged traces that a mutation, of all its tables, goes to the commit log.
func (c *Cluster) logged(op *Op, node int) {
	c.tr(op, node, threadMutation, "Appending to commitlog")
}

// hintAll keeps all parts of a write for a replica.
func (c *Cluster) hintAll(r *request, node int) {
	c.hint(r.op, r.coord, node, r.table, r.part)
	for _, p := range r.more {
		c.hint(r.op, r.coord, node, p.Table, p.Part)
	}
}

// apply writes to a node's commit log and memtable.
func (c *Cluster) apply(op *Op, node int, t *schema.Table, p *storage.Partition, size int) {
	n := c.Nodes[node]
	s := c.Store(node, t)
	if len(c.views) > 0 {
		if views := c.views[t.ID]; views != nil {
			c.updateViews(op, node, views, s, p)
		}
	}
	n.Log.Append(t.ID, int64(size), c.Set.CommitLogSegment)
	indexes := c.indexesOf(t)
	if indexes == nil {
		s.Apply(p)
	}
	s.Metrics.Write.Add(int64(n.service(serviceWrite)), int64(c.now))
	n.Mutations++
	if op != nil && op.Traced {
		c.tr(op, node, threadMutation, "Adding to %s memtable", t.Name)
	}
	if indexes != nil {
		c.applyIndexed(op, node, indexes, s, p)
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.Write, Node: node, Peer: -1, Op: opID(op), What: t.Keyspace + "." + t.Name, N: int64(size)})
	}
	c.maybeFlush(node)
}

// onAck counts a replica's response to a write.
func (c *Cluster) onAck(t *task) {
	r := t.req
	if !c.arrive(r.op, t, 33) || r.state[t.index] == replicaAcked {
		return
	}
	if t.from != t.to {
		c.Nodes[t.to].Answered++
	}
	if r.settled {
		if r.op.Traced && t.from != t.to && c.now <= r.deadline { // the client has its answer
			c.tr(r.op, r.coord, threadResponse, "Processing response from /%s:7000", c.Nodes[t.from].Address)
		}
		return
	}
	if t.flag {
		c.writeFailed(r, int(t.index))
		return
	}
	r.state[t.index] = replicaAcked
	if r.op.Traced && t.from != t.to {
		c.tr(r.op, r.coord, threadResponse, "Processing response from /%s:7000", c.Nodes[t.from].Address)
	}
	if c.counts(r.cl, r.coord, int(t.from)) {
		r.got++
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.Ack, Node: r.coord, Peer: int(t.from), Op: r.op.ID, What: "write", N: int64(r.got), M: int64(r.need)})
	}
	c.checkWrite(r)
}

// checkWrite answers when the level is reached.
func (c *Cluster) checkWrite(r *request) {
	if !r.answered && c.writeEnough(r) {
		r.answered = true
		c.reached(r)
	}
	if r.answered {
		c.settle(r)
	}
}

// settle lets an answered request go when every replica has answered.
func (c *Cluster) settle(r *request) {
	for _, s := range r.state {
		if s == replicaSent || s == replicaIdle {
			return
		}
	}
	r.settled = true
}

// reached counts a write that has reached its level and ends the operation with
// its last one.
func (c *Cluster) reached(r *request) {
	if r.asked != nil {
		c.answerCounter(r)
		return
	}
	r.op.Acks = r.got
	if r.op.waiting--; r.op.waiting > 0 {
		return
	}
	if r.op.log != nil {
		c.removeBatchlog(r.op)
	}
	if r.commit != nil && !r.unhinted {
		c.tr(r.op, r.coord, threadClient, "CAS applied successfully")
	}
	c.finish(r.op, nil)
}

// writeEnough says whether the level is reached.
func (c *Cluster) writeEnough(r *request) bool {
	if r.cl != plan.EachQuorum || len(r.strategy.DCs()) == 0 {
		return r.got >= r.need
	}
	for _, dc := range r.strategy.DCs() {
		n := 0
		for i, node := range r.replicas {
			if r.state[i] == replicaAcked && c.Nodes[node].DC == dc {
				n++
			}
		}
		if n < quorum(r.strategy.RFIn(dc))+c.pendingIn(r, dc) {
			return false
		}
	}
	return true
}

// writeExpired is called when the write timeout has passed with replicas silent:
// each of them gets a hint, and the client, if it still waits, a timeout.
func (c *Cluster) writeExpired(r *request) {
	if c.Nodes[r.coord].Down {
		c.lost(r)
		return
	}
	for i, node := range r.replicas {
		if r.state[i] == replicaSent && !r.unhinted {
			c.hintAll(r, node)
		}
	}
	if r.answered {
		return
	}
	r.answered = true
	if r.asked != nil {
		// A leader that waits in vain answers its coordinator all the same.
		c.answerCounter(r)
		return
	}
	received := min(r.got, r.need-1)
	c.tr(r.op, r.coord, threadClient, "Write timeout; received %d of %d required replies", received, r.need)
	if c.Listening() {
		c.emit(event.Record{Kind: event.Timeout, Node: r.coord, Peer: -1, Op: r.op.ID, What: "write", N: int64(received), M: int64(r.need)})
	}
	if r.commit != nil {
		c.finish(r.op, r.run.timeout(r.cl, r.as, received, r.need))
		return
	}
	c.finish(r.op, &Failure{Code: plan.WriteTimeout, CL: r.cl, Received: received, BlockFor: r.need, WriteType: r.as, Message: timeoutText(received)})
}

// Truncate empties a table on every node; all must be alive.
// Source: Cassandra 5.0 StorageProxy.truncateBlocking.
func (c *Cluster) Truncate(op *Op, t *schema.Table) {
	all := c.owners()
	for _, node := range all {
		if !c.Alive.Alive(op.Coord, node) {
			c.finish(op, &Failure{Code: plan.TruncateError, Message: "Error during truncate: Cannot achieve consistency level ALL"})
			return
		}
	}
	r := &request{kind: reqTruncate, op: op, coord: op.Coord, table: t, cl: plan.All, replicas: all, need: len(all), state: make([]replicaState, len(all))}
	op.waiting = 1
	c.watch(r)
	c.tr(op, op.Coord, threadClient, "Enqueuing truncate messages to hosts [%s]", c.addresses(all))
	for _, node := range all {
		k := task{kind: taskTruncate, from: int32(op.Coord), to: int32(node), req: r}
		if node == op.Coord {
			c.sendSelf(op, k, 1, truncateSize)
		} else {
			c.send(op, k, 0, truncateSize)
		}
	}
}

// truncateSize is about what the messages of a TRUNCATE take on the wire, in bytes.
const truncateSize = 42

// addresses are nodes as a set of them is printed.
func (c *Cluster) addresses(nodes []int) string {
	out := make([]string, len(nodes))
	for i, n := range nodes {
		out[i] = "/" + c.Nodes[n].Address + ":7000"
	}
	return strings.Join(out, ", ")
}

// onTruncate truncates a table at a node, which writes to its own tables when that was.
// Source: Cassandra 5.0 TruncateVerbHandler, SystemKeyspace.saveTruncationRecord.
func (c *Cluster) onTruncate(t *task) {
	r := t.req
	if !c.arrive(r.op, t, truncateSize) {
		return
	}
	if r.op.Traced {
		c.tr(r.op, int(t.to), threadMutation, "Applying truncation of %s.%s", r.table.Keyspace, r.table.Name)
		c.tr(r.op, int(t.to), threadMutation, "Appending to commitlog")
		c.tr(r.op, int(t.to), threadMutation, "Adding to local memtable")
		c.tr(r.op, int(t.to), threadMutation, "Enqueuing response to truncate operation to /%s:7000", c.Nodes[r.coord].Address)
	}
	c.Store(int(t.to), r.table).Truncate(c.Clock(int(t.to)))
	c.Nodes[t.to].Log.Flushed(r.table.ID)
	c.dropCompactions(int(t.to), r.table)
	c.Nodes[t.to].forgetCounters(r.table)
	c.truncateViews(int(t.to), r.table)
	c.truncateIndexes(int(t.to), r.table)
	if c.Listening() {
		c.emit(event.Record{Kind: event.Truncate, Node: int(t.to), Peer: -1, Op: r.op.ID, What: r.table.Keyspace + "." + r.table.Name})
	}
	k := task{kind: taskTruncateAck, from: t.to, to: int32(r.coord), req: r}
	if int(t.to) == r.coord {
		c.sendSelf(r.op, k, sim.Millisecond, truncateSize)
	} else {
		c.send(r.op, k, sim.Millisecond, truncateSize)
	}
}

func (c *Cluster) onTruncateAck(t *task) {
	r := t.req
	if !c.arrive(r.op, t, truncateSize) || r.settled {
		return
	}
	if r.op.Traced {
		c.tr(r.op, r.coord, threadResponse, "Processing response from /%s:7000", c.Nodes[t.from].Address)
	}
	if r.got++; r.got == r.need {
		r.settled, r.answered = true, true
		c.finish(r.op, nil)
	}
}

func (c *Cluster) truncateExpired(r *request) {
	c.finish(r.op, &Failure{Code: plan.TruncateError, Message: "Error during truncate: Truncate timed out - received only " + itoa(r.got) + " responses"})
}

// expired says whether a request is answered by its timeout, which is to tell the
// client so: it was not answered before, and its coordinator still runs.
func (c *Cluster) expired(r *request) bool {
	switch {
	case r.answered || r.op.Done:
		return false
	case c.Nodes[r.coord].Down:
		c.lost(r)
		return false
	}
	r.answered = true
	return true
}

// lost ends an operation whose coordinator went down while it ran: the client
// sees its connection break and cannot know what became of the work.
func (c *Cluster) lost(r *request) {
	r.answered = true
	c.finish(r.op, c.broken(r.op, "went down"))
}

func (c *Cluster) broken(op *Op, how string) *Failure {
	return &Failure{Code: plan.ServerError, CL: op.CL, Message: "the coordinator " + c.Nodes[op.Coord].Name + " " + how + " while the statement ran"}
}
