package cluster

import (
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/ring"
)

type reqKind uint8

const (
	reqWrite reqKind = iota
	reqRead
	reqRange
	reqTruncate
	reqPaxos
	reqBatchlog
	reqCounter
)

// request is one mutation or one read of one partition or range, as its
// coordinator sees it. A read has the part of it that only reads need.
type request struct {
	kind     reqKind
	op       *Op
	coord    int
	table    *schema.Table
	cl       plan.Consistency
	strategy ring.Strategy
	start    sim.Time
	deadline sim.Time
	slot     int   // index of the key or range in the operation
	answered bool  // the coordinator has decided; late responses only count for hints
	settled  bool  // nothing is waited for any more
	pending  int32 // how many of the replicas, the last ones, are not natural yet

	replicas []int
	state    []replicaState
	space    [6]replicaState // of state, for most requests
	need     int
	got      int

	// Writes.
	part     *storage.Partition
	more     []TablePart // of other tables, under the same key
	size     int
	as       string    // write type of the protocol
	unhinted bool      // silent replicas get no hints
	commit   *proposal // of a Paxos round that this write commits
	asked    *request  // of counters: what the coordinator waits for, if the leader is another node

	*reading
	*paxosPhase
}

// reading is what a request for a partition or range needs beside what all do.
type reading struct {
	query    *storage.Query
	wide     *storage.Query // what replicas are asked for after a short read: more than query
	bounds   storage.Bounds
	pieces   int // ranges that a range read covers
	contacts []contact
	rest     []int           // live candidates that were not asked
	full     bool            // second round: full data from all contacts
	failures int             // contacts that could not read
	repair   int             // partitions whose read repair is still waited for; -1 before
	waits    []int           // acks that each of them needs still
	writes   [][]repairWrite // by partition, what was sent
	merged   []*storage.Found
	ready    bool       // waits for its turn to be merged
	hidden   int        // of merged, at its end: what no reader gets
	late     *Failure   // of a range that is not looked at yet
	times    int        // of the groups that are wanted, 0 for once
	hits     int        // rows that an index is to find, 0 for all
	missing  int        // protective reads that are waited for
	plain    bool       // reads the table, not the index of the operation
	protects *request   // whose answers this one completes
	near     [3]contact // what contacts begins in
}

// newRead is a request with its reading.
func newRead(r request, of reading) *request {
	both := &struct {
		request
		reading
	}{r, of}
	both.request.reading = &both.reading
	both.contacts = both.near[:0]
	return &both.request
}

// states makes the list of what the replicas are known to have done.
func (r *request) states(n int) {
	if n <= len(r.space) {
		r.state = r.space[:n]
	} else {
		r.state = make([]replicaState, n)
	}
}

type replicaState uint8

const (
	replicaIdle replicaState = iota
	replicaSent
	replicaAcked
	replicaFailed
	replicaDead // believed down when the request was planned
)

// contact is one replica that a read asks.
type contact struct {
	node   int
	digest bool
	resp   *response
}

// response is what a replica answers to a read.
type response struct {
	failed string           // the reason why nothing was read, as the protocol names it
	digest bool             // found is not sent, only its digest
	found  []*storage.Found // what was read
	paxos  *promise
	groups GroupCut // where the groups of a read end
	one    [1]*storage.Found
	size   int // of the message, if somebody is told
}

// timeout classes, an index into Cluster.fifo.
const (
	fifoWrite = iota
	fifoRead
	fifoRange
	fifoTruncate
	fifoCounter
	fifos
)

func (c *Cluster) watch(r *request) {
	class, t := fifoWrite, c.Set.WriteTimeout
	switch r.kind {
	case reqRead:
		class, t = fifoRead, c.Set.ReadTimeout
	case reqRange:
		class, t = fifoRange, c.Set.RangeTimeout
	case reqTruncate:
		class, t = fifoTruncate, c.Set.TruncateTimeout
	case reqCounter:
		class, t = fifoCounter, c.Set.CounterTimeout
	}
	r.start, r.deadline = c.now, c.now+t
	if r.kind == reqRange && r.op.Start+t < r.deadline {
		// A later round of a scan has what the rounds before it have left.
		// Source: Cassandra 5.0 ReadCallback.await, Dispatcher.RequestTime.computeDeadline.
		r.deadline = max(r.op.Start+t, c.now)
		c.queue.Push(r.deadline, task{kind: taskExpire, from: int32(r.coord), to: int32(r.coord), req: r})
		return
	}
	// A changed timeout may not overtake requests that wait already.
	if d := &c.fifo[class]; d.head < len(d.list) {
		if last := d.list[len(d.list)-1]; last != nil && last.deadline > r.deadline {
			r.deadline = last.deadline
		}
	}
	c.fifo[class].push(r)
}

// expire ends the wait of a request.
func (c *Cluster) expire(r *request) {
	if r.settled {
		return
	}
	r.settled = true
	switch r.kind {
	case reqWrite:
		c.writeExpired(r)
	case reqTruncate:
		c.truncateExpired(r)
	case reqPaxos:
		c.paxosExpired(r)
	case reqBatchlog:
		c.batchlogExpired(r)
	case reqCounter:
		c.counterExpired(r)
	default:
		c.readExpired(r)
	}
}

// asks is the query that replicas run.
func (r *request) asks() *storage.Query {
	if r.wide != nil {
		return r.wide
	}
	return r.query
}
