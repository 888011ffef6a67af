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
)

// request is one mutation or one read of one partition or range, as its
// coordinator sees it.
type request struct {
	kind     reqKind
	op       *Op
	coord    int
	table    *schema.Table
	cl       plan.Consistency
	strategy ring.Strategy
	start    sim.Time
	deadline sim.Time
	slot     int  // index of the key or range in the operation
	answered bool // the coordinator has decided; late responses only count for hints
	settled  bool // nothing is waited for any more

	replicas []int
	state    []replicaState
	need     int
	got      int

	// Writes.
	part *storage.Partition
	size int

	// Reads.
	query    *storage.Query
	bounds   storage.Bounds
	pieces   int // ranges that a range read covers
	contacts []contact
	rest     []int // live candidates that were not asked
	full     bool  // second round: full data from all contacts
	repair   int   // partitions whose read repair is still waited for; -1 before
	waits    []int // acks that each of them needs still
	merged   []*storage.Found
}

type replicaState uint8

const (
	replicaIdle replicaState = iota
	replicaSent
	replicaAcked
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
	failed bool // too many tombstones
	digest bool
	sum    uint64
	found  []*storage.Found
}

// timeout classes, an index into Cluster.fifo.
const (
	fifoWrite = iota
	fifoRead
	fifoRange
)

func (c *Cluster) watch(r *request) {
	class, t := fifoWrite, c.Set.WriteTimeout
	switch r.kind {
	case reqRead:
		class, t = fifoRead, c.Set.ReadTimeout
	case reqRange:
		class, t = fifoRange, c.Set.RangeTimeout
	case reqTruncate:
		class, t = fifoRange, c.Set.TruncateTimeout
	}
	r.start, r.deadline = c.now, c.now+t
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
	default:
		c.readExpired(r)
	}
}
