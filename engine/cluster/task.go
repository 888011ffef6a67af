package cluster

import (
	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
)

// taskKind is what a pending task does when its time comes.
type taskKind uint8

const (
	taskMutation taskKind = iota // a write arrives at a replica
	taskForward                  // a write arrives at the node that forwards it in its data center
	taskAck                      // a write's response arrives at the coordinator
	taskRead                     // a read arrives at a replica
	taskResponse                 // a read's response arrives at the coordinator
	taskRepair                   // a read repair arrives at a replica
	taskRepairAck
	taskHint // a hint arrives at its target
	taskHintAck
	taskHintTick   // the hint dispatcher looks at one target
	taskSpeculate  // a read has waited long enough to ask one more replica
	taskMoreWrites // so has a read repair, to write to more replicas
	taskDetect     // an observer makes up its mind about a target
	taskPhi        // an observer convicts a paused node
	taskCompacted  // a compaction is done
	taskSchema     // a node compares its schema with its peers
	taskTruncate
	taskTruncateAck
	taskResume     // a paused node goes on
	taskPaxos      // a phase of Paxos arrives at a replica
	taskPaxosReply // and its answer at the proposer
	taskPaxosRetry // a proposer has waited and begins again
	taskBatchStore // a batch arrives at a node that keeps it
	taskBatchStored
	taskBatchRemove // a batch is done and need not be kept
	taskBatchReplay // a node looks for batches that nobody finished
	taskCounter     // an update of counters arrives at its leader
	taskCounterDone
	taskMovement      // a change of the ring was announced long enough
	taskStreamed      // a stream has arrived
	taskRepairPrepare // a repair's steps arrive at a replica, and its answers at the coordinator
	taskRepairPrepared
	taskValidate
	taskValidated
	taskFinalize
	taskRepairDue // a repair has waited long enough
	taskExpire    // a request has waited long enough that shares its time with earlier ones
)

// task is one pending thing: data only, so that it can be shown and saved.
type task struct {
	kind     taskKind
	index    uint8 // replica's place in the request
	flag     bool
	from, to int32
	req      *request
	resp     *response
	part     *storage.Partition
	gen      uint64
}

// verbNames are the verbs of messages as traces show them.
var verbNames = map[taskKind]string{
	taskMutation: "MUTATION_REQ", taskForward: "MUTATION_REQ", taskAck: "MUTATION_RSP", taskRead: "READ_REQ", taskResponse: "READ_RSP",
	taskRepair: "READ_REPAIR_REQ", taskRepairAck: "READ_REPAIR_RSP", taskHint: "HINT_REQ", taskHintAck: "HINT_RSP",
	taskTruncate: "TRUNCATE_REQ", taskTruncateAck: "TRUNCATE_RSP", taskBatchStore: "BATCH_STORE_REQ", taskBatchStored: "BATCH_STORE_RSP",
	taskRepairPrepare: "PREPARE_MSG", taskRepairPrepared: "REPAIR_RSP", taskValidate: "VALIDATION_REQ", taskValidated: "VALIDATION_RSP",
	taskFinalize:    "FINALIZE_COMMIT_MSG",
	taskBatchRemove: "BATCH_REMOVE_REQ", taskCounter: "COUNTER_MUTATION_REQ", taskCounterDone: "COUNTER_MUTATION_RSP",
}

// Service times: modelled, not measured. One write and one read on a node take
// this long before the response leaves; :slow multiplies them.
const (
	serviceWrite = 40 * sim.Microsecond
	serviceRead  = 100 * sim.Microsecond
	serviceFile  = 50 * sim.Microsecond // more for each SSTable read
)

// service is how long work takes on a node.
func (n *Node) service(t sim.Time) sim.Time {
	if n.Slow > 1 {
		return t * sim.Time(n.Slow)
	}
	return t
}

// verb is a message's name, as traces show it where it is sent and received.
func (t *task) verb() string {
	switch {
	case t.kind == taskRead && t.req.kind == reqRange:
		return "RANGE_REQ"
	case t.kind == taskResponse && t.req.kind == reqRange:
		return "RANGE_RSP"
	case t.kind == taskMutation && t.req.commit != nil:
		return "PAXOS_COMMIT_REQ"
	case t.kind == taskAck && t.req.commit != nil:
		return "PAXOS_COMMIT_RSP"
	case t.kind == taskPaxos || t.kind == taskPaxosReply:
		return t.req.verb(t.kind == taskPaxosReply)
	}
	return verbNames[t.kind]
}

// send puts a message on its way; after is how long the sender works first. It
// is lost without a word if the link is cut or drops it. size is for show.
func (c *Cluster) send(op *Op, t task, after sim.Time, size int) {
	from, to := int(t.from), int(t.to)
	verb := ""
	if c.told(op) {
		verb = t.verb()
	}
	if len(c.listeners) > 0 {
		c.emit(event.Record{Kind: event.Send, Node: from, Peer: to, Op: opID(op), What: verb, N: int64(size)})
	}
	if op != nil && op.Traced {
		c.tr(op, from, threadNet, "Sending %s message to /%s:7000 message size %d bytes", verb, c.Nodes[to].Address, size)
	}
	delay, reason, ok := c.Net.Pass(from, to)
	if ok && c.Nodes[to].Down {
		reason, ok = c.Nodes[to].Name+" is down", false
	}
	if !ok {
		if len(c.listeners) > 0 {
			c.emit(event.Record{Kind: event.Drop, Node: from, Peer: to, Op: opID(op), What: verb, Text: reason})
		}
		return
	}
	c.Nodes[from].countSent(size)
	c.queue.Push(c.now+after+delay, t)
}

// sendSelf sends a message of a node to itself: it passes no network and can not be
// lost, but a trace shows it as any other.
func (c *Cluster) sendSelf(op *Op, t task, after sim.Time, size int) {
	if op != nil && op.Traced {
		c.tr(op, int(t.from), threadNet, "Sending %s message to /%s:7000 message size %d bytes", t.verb(), c.Nodes[t.to].Address, size)
	}
	c.queue.Push(c.now+after, t)
}

// toSelf says whether a coordinator that is one of the nodes concerned sends itself such
// a message too, instead of doing the work.
func (t *task) toSelf() bool {
	switch t.kind {
	case taskRepair, taskRepairAck, taskTruncate, taskTruncateAck:
		return t.from == t.to
	}
	return false
}

// told says whether anybody is told of an operation's messages.
func (c *Cluster) told(op *Op) bool { return len(c.listeners) > 0 || op != nil && op.Traced }

func opID(op *Op) uint64 {
	if op == nil {
		return 0
	}
	return op.ID
}

// arrive says whether a message reaches a node that works, and tells about it.
// A paused node takes it when it wakes up.
func (c *Cluster) arrive(op *Op, t *task, size int) bool {
	n := c.Nodes[t.to]
	if n.Down {
		if len(c.listeners) > 0 {
			c.emit(event.Record{Kind: event.Drop, Node: int(t.from), Peer: int(t.to), Op: opID(op), What: t.verb(), Text: n.Name + " is down"})
		}
		return false
	}
	if n.Pause > c.now {
		c.queue.Push(n.Pause, *t)
		return false
	}
	if t.from != t.to {
		if len(c.listeners) > 0 {
			c.emit(event.Record{Kind: event.Receive, Node: int(t.to), Peer: int(t.from), Op: opID(op), What: t.verb(), N: int64(size)})
		}
		if op != nil && op.Traced {
			c.tr(op, int(t.to), threadNet, "%s message received from /%s:7000", t.verb(), c.Nodes[t.from].Address)
		}
	}
	if t.toSelf() {
		c.tr(op, int(t.to), threadNet, "%s message received from /%s:7000", t.verb(), n.Address)
	}
	return n.CommitLog == DiskOK && !n.logStuck || !t.logged() || c.logWrite(int(t.to), int64(size))
}

// logged says whether a message makes a node write to its commit log.
func (t *task) logged() bool {
	switch t.kind {
	case taskMutation, taskForward, taskRepair, taskHint, taskBatchStore, taskPaxos:
		return true
	}
	return false
}

// Step runs the next pending task; false if there is none.
func (c *Cluster) Step() bool {
	at, which, ok := c.pending()
	if ok {
		c.step(at, which)
	}
	return ok
}

// next is the time of the next task.
func (c *Cluster) next() (sim.Time, bool) {
	at, _, ok := c.pending()
	return at, ok
}

// pending is the time of the next task and where it waits: in the queue, -1, or
// as a timeout in one of the fifos.
func (c *Cluster) pending() (at sim.Time, which int, ok bool) {
	at, ok = c.queue.Next()
	which = -1
	for i := range c.fifo {
		if d, has := c.fifo[i].next(); has && (!ok || d < at) {
			at, which, ok = d, i, true
		}
	}
	return at, which, ok
}

// step runs the task that pending found.
func (c *Cluster) step(at sim.Time, which int) {
	if at < c.now {
		panic("cluster: task scheduled " + (c.now - at).String() + " in the past")
	}
	c.now = at
	if which >= 0 {
		c.expire(c.fifo[which].pop())
		return
	}
	_, t := c.queue.Pop()
	c.run(&t)
}

// run does one task.
func (c *Cluster) run(t *task) {
	switch t.kind {
	case taskMutation, taskForward:
		c.onMutation(t)
	case taskAck:
		c.onAck(t)
	case taskRead:
		c.onRead(t)
	case taskResponse:
		c.onResponse(t)
	case taskRepair:
		c.onRepair(t)
	case taskRepairAck:
		c.onRepairAck(t)
	case taskHint:
		c.onHint(t)
	case taskHintAck:
		c.onHintAck(t)
	case taskHintTick:
		c.onHintTick(t)
	case taskMoreWrites:
		c.onMoreWrites(t)
	case taskSpeculate:
		c.onSpeculate(t)
	case taskDetect:
		c.onDetect(t)
	case taskPhi:
		c.onPhi(t)
	case taskCompacted:
		c.onCompacted(t)
	case taskSchema:
		c.onSchema(t)
	case taskTruncate:
		c.onTruncate(t)
	case taskTruncateAck:
		c.onTruncateAck(t)
	case taskPaxos:
		c.onPaxos(t)
	case taskPaxosReply:
		c.onPaxosReply(t)
	case taskPaxosRetry:
		c.onPaxosRetry(t)
	case taskBatchStore:
		c.onBatchStore(t)
	case taskBatchStored:
		c.onBatchStored(t)
	case taskBatchRemove:
		c.onBatchRemove(t)
	case taskBatchReplay:
		c.onBatchReplay(t)
	case taskCounter:
		c.onCounter(t)
	case taskCounterDone:
		c.onCounterDone(t)
	case taskMovement:
		c.onMovement(t)
	case taskStreamed:
		c.onStreamed(t)
	case taskRepairPrepare, taskRepairPrepared, taskValidate, taskValidated, taskFinalize, taskRepairDue:
		c.onRepairStep(t)
	case taskExpire:
		c.expire(t.req)
	case taskResume:
		if c.Nodes[t.to].Pause > c.now {
			return
		}
		if len(c.listeners) > 0 {
			c.emit(event.Record{Kind: event.Pause, Node: int(t.to), Peer: -1, Text: "over"})
		}
		c.noticeAll(Gossip)
	}
}

// Run works until the operation is answered. A statement always ends: every
// request has a timeout.
func (c *Cluster) Run(op *Op) {
	for !op.Done {
		if !c.Step() {
			panic("cluster: nothing left to do, but operation " + op.Kind + " is not answered")
		}
	}
}

// Advance works until virtual time at and stands there.
func (c *Cluster) Advance(at sim.Time) {
	for {
		next, which, ok := c.pending()
		if due, has := c.checks.Next(); has && due <= at && (!ok || due <= next) {
			c.runCheck()
			continue
		}
		if !ok || next > at {
			break
		}
		c.step(next, which)
	}
	c.now = max(c.now, at)
}

// Pending is the number of tasks that wait.
func (c *Cluster) Pending() int { return c.queue.Len() }

// NextAt is when the next task is due; ok is false if nothing waits.
func (c *Cluster) NextAt() (sim.Time, bool) { return c.next() }

// deadlines is a queue of requests that all have the same timeout, so that the
// first in is the first out.
type deadlines struct {
	list []*request
	head int
}

func (d *deadlines) push(r *request) { d.list = append(d.list, r) }

// next is the earliest deadline of a request that still waits for something.
func (d *deadlines) next() (sim.Time, bool) {
	if len(d.list) == 0 {
		return 0, false
	}
	for d.head < len(d.list) && d.list[d.head].settled {
		d.list[d.head] = nil
		d.head++
	}
	if d.head == len(d.list) {
		d.list, d.head = d.list[:0], 0
		return 0, false
	}
	if d.head > 1024 && d.head*2 > len(d.list) {
		n := copy(d.list, d.list[d.head:])
		d.list, d.head = d.list[:n], 0
	}
	return d.list[d.head].deadline, true
}

func (d *deadlines) pop() *request {
	r := d.list[d.head]
	d.list[d.head] = nil
	d.head++
	return r
}
