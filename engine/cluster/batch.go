package cluster

import (
	"fmt"

	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/model/plan"
)

// batchLog is a logged batch as the nodes that keep it for its coordinator know
// it, until it is done.
// Source: Cassandra 5.0 BatchlogManager.
type batchLog struct {
	muts   []Mutation
	coord  int
	places []int
	stored sim.Time
	done   bool
}

// WriteBatch sends the mutations of a batch. A logged batch of several
// mutations is kept by two other nodes first, so that it is completed even if
// its coordinator does not live to do it.
// Source: Cassandra 5.0 StorageProxy.mutateAtomically, StorageProxy.mutate.
func (c *Cluster) WriteBatch(op *Op, muts []Mutation, logged bool) {
	if op.CL == plan.NodeLocal {
		for i := range muts {
			r := &request{op: op, coord: op.Coord, table: muts[i].Table, part: muts[i].Part, more: muts[i].More, size: muts[i].size(), as: writeUnlogged}
			if err := c.applyAlone(r, op.Coord); err != nil {
				c.finish(op, err)
				return
			}
		}
		c.finish(op, nil)
		return
	}
	op.waiting = len(muts)
	switch {
	case len(muts) == 0:
		c.finish(op, nil)
		return
	case logged && len(muts) > 1:
		c.keepBatch(op, muts)
		return
	}
	as := writeUnlogged
	if len(muts) == 1 {
		as = writeSimple
	}
	c.writeMutations(op, muts, as)
}

func (c *Cluster) writeMutations(op *Op, muts []Mutation, as string) {
	if as != writeBatch {
		c.tr(op, op.Coord, threadClient, "Determining replicas for mutation")
	}
	for i := range muts {
		if err := c.writeOne(op, i, muts[i], as); err != nil {
			c.finish(op, err)
			return
		}
	}
}

// keepBatch checks that all mutations can be written and stores the batch.
func (c *Cluster) keepBatch(op *Op, muts []Mutation) {
	c.tr(op, op.Coord, threadClient, "Determining replicas for atomic batch")
	places, err := c.batchPlaces(op)
	for i := 0; i < len(muts) && err == nil; i++ {
		placement := c.Placement(muts[i].Table.Keyspace)
		natural, pending := c.writeTo(placement, muts[i].Table.Keyspace, muts[i].Part.Token)
		err = c.writable(op.CL, placement.Strategy(), op.Coord, natural, pending)
	}
	if err != nil {
		c.finish(op, c.refused(op, err))
		return
	}
	op.log = &batchLog{muts: muts, coord: op.Coord, places: places}
	r := &request{kind: reqBatchlog, op: op, coord: op.Coord, table: muts[0].Table, cl: op.CL, replicas: places, need: len(places)}
	r.states(len(places))
	for i := range muts {
		r.size += muts[i].size()
	}
	c.watch(r)
	for i, node := range places {
		r.state[i] = replicaSent
		k := task{kind: taskBatchStore, from: int32(op.Coord), to: int32(node), req: r, index: uint8(i)}
		if node == op.Coord {
			c.queue.Push(c.now, k)
			continue
		}
		c.send(op, k, 0, r.size)
	}
}

// BatchlogPlaces is how many nodes beside the coordinator keep a batch.
func (c *Cluster) BatchlogPlaces(coord int) int {
	_, local, _ := c.batchCandidates(coord)
	return min(len(local), 2)
}

// batchCandidates are the live nodes of a coordinator's data center, itself left
// out, and those of other racks among them; all counts the dead ones and itself.
func (c *Cluster) batchCandidates(coord int) (all int, local, others []int) {
	me := c.Nodes[coord]
	for _, n := range c.Nodes {
		if n.DC != me.DC || !n.owns() {
			continue
		}
		all++
		if n.Index == coord || !c.Alive.Alive(coord, n.Index) {
			continue
		}
		local = append(local, n.Index)
		if n.Rack != me.Rack {
			others = append(others, n.Index)
		}
	}
	return all, local, others
}

// batchPlaces picks the nodes that keep a batch: two live ones of the local data
// center other than the coordinator, of two other racks if there are any.
// Source: Cassandra 5.0 ReplicaPlans.forBatchlogWrite, filterBatchlogEndpoints.
func (c *Cluster) batchPlaces(op *Op) ([]int, *Failure) {
	all, local, others := c.batchCandidates(op.Coord)
	switch {
	case all <= 2:
		return append([]int{op.Coord}, local...), nil
	case len(local) == 0 && op.CL == plan.Any: // the coordinator alone would do, but two have to answer
		return nil, unavailable(plan.Two, "", 2, 1)
	case len(local) == 0:
		return nil, &Failure{Code: plan.UnavailableErr, CL: plan.Two, Required: 2, Alive: 0,
			Message: fmt.Sprintf("Cannot achieve consistency level %s for batchlog in local DC, required:%d, available:%d", plan.Two, 2, 0)}
	case len(local) <= 2:
		return local, nil
	}
	racks := map[string]bool{}
	for _, n := range others {
		racks[c.Nodes[n].Rack] = true
	}
	from := local
	if len(others) >= 2 {
		from = others
	}
	first := from[c.draw(len(from))]
	var rest []int
	for _, n := range from {
		if n != first && (len(racks) < 2 || len(others) < 2 || c.Nodes[n].Rack != c.Nodes[first].Rack) {
			rest = append(rest, n)
		}
	}
	return []int{first, rest[c.draw(len(rest))]}, nil
}

// onBatchStore keeps a batch at a node.
func (c *Cluster) onBatchStore(t *task) {
	r := t.req
	if !c.arrive(r.op, t, r.size) || c.now > r.start+c.Set.WriteTimeout {
		return
	}
	n := c.Nodes[t.to]
	c.traceBatchlog(r.op, n.Index)
	if r.op.log.stored == 0 {
		r.op.log.stored = c.now
	}
	n.batchlog = append(n.batchlog, r.op.log)
	if len(n.batchlog) == 1 {
		c.queue.Push(c.now+c.Set.BatchTick, task{kind: taskBatchReplay, from: t.to, to: t.to})
	}
	k := task{kind: taskBatchStored, from: t.to, to: int32(r.coord), req: r, index: t.index}
	if n.Index == r.coord {
		c.queue.Push(c.now+n.service(serviceWrite), k)
		return
	}
	c.send(r.op, k, n.service(serviceWrite), 33)
}

// onBatchStored goes on with the mutations once all places have the batch.
func (c *Cluster) onBatchStored(t *task) {
	r := t.req
	if !c.arrive(r.op, t, 33) || r.settled || r.state[t.index] == replicaAcked {
		return
	}
	r.state[t.index] = replicaAcked
	if r.op.Traced && t.from != t.to {
		c.tr(r.op, r.coord, threadResponse, "Processing response from /%s:7000", c.Nodes[t.from].Address)
	}
	if r.got++; r.got < r.need {
		return
	}
	r.settled, r.answered = true, true
	c.writeMutations(r.op, r.op.log.muts, writeBatch)
}

func (c *Cluster) batchlogExpired(r *request) {
	if !c.expired(r) {
		return
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.Timeout, Node: r.coord, Peer: -1, Op: r.op.ID, What: "batchlog", N: int64(r.got), M: int64(r.need)})
	}
	c.finish(r.op, &Failure{Code: plan.WriteTimeout, CL: plan.Two, Received: r.got, BlockFor: r.need, WriteType: writeBatchLog, Message: timeoutText(r.got)})
}

// traceBatchlog tells that a node writes to its table of batches.
func (c *Cluster) traceBatchlog(op *Op, node int) {
	c.tr(op, node, threadMutation, "Appending to commitlog")
	c.tr(op, node, threadMutation, "Adding to batches memtable")
}

// removeBatchlog tells the places that the batch of an operation is done.
func (c *Cluster) removeBatchlog(op *Op) {
	b := op.log
	b.done = true
	for _, node := range b.places {
		k := task{kind: taskBatchRemove, from: int32(b.coord), to: int32(node), req: &request{op: op}}
		if node == b.coord {
			c.queue.Push(c.now, k)
			continue
		}
		c.send(op, k, 0, 49)
	}
}

func (c *Cluster) onBatchRemove(t *task) {
	if op := t.req.op; c.arrive(op, t, 49) {
		c.traceBatchlog(op, int(t.to))
		c.Nodes[t.to].forget(op.log)
	}
}

// forget drops a batch that a node keeps.
func (n *Node) forget(b *batchLog) {
	for i, have := range n.batchlog {
		if have == b {
			n.batchlog = append(n.batchlog[:i:i], n.batchlog[i+1:]...)
			return
		}
	}
}

// onBatchReplay writes again the batches that nobody finished within twice the
// write timeout; replicas that do not answer get hints.
// Source: Cassandra 5.0 BatchlogManager.processBatchlogEntries.
func (c *Cluster) onBatchReplay(t *task) {
	n := c.Nodes[t.to]
	if n.Down || n.Pause > c.now {
		if len(n.batchlog) > 0 {
			c.queue.Push(c.now+c.Set.BatchTick, *t)
		}
		return
	}
	for _, b := range append([]*batchLog(nil), n.batchlog...) {
		if c.now-b.stored < 2*c.Set.WriteTimeout {
			continue
		}
		n.forget(b)
		op := c.Begin("batch", n.Index, plan.One, false)
		op.waiting = len(b.muts)
		for i := range b.muts {
			c.replayMutation(op, i, b.muts[i])
		}
	}
	if len(n.batchlog) > 0 {
		c.queue.Push(c.now+c.Set.BatchTick, *t)
	}
}

// replayMutation sends a mutation of a batch to all its replicas, or keeps hints
// for those that are down.
func (c *Cluster) replayMutation(op *Op, slot int, m Mutation) {
	placement := c.Placement(m.Table.Keyspace)
	if current := c.Schema.Table(m.Table.Keyspace, m.Table.Name); current == nil || current.ID != m.Table.ID {
		return
	}
	natural, pending := c.writeTo(placement, m.Table.Keyspace, m.Part.Token)
	r := &request{kind: reqWrite, op: op, coord: op.Coord, table: m.Table, cl: plan.One, strategy: placement.Strategy(), slot: slot,
		replicas: natural, part: m.Part, more: m.More, size: m.size(), as: writeUnlogged, need: 1}
	r.join(pending)
	r.states(len(r.replicas))
	c.watch(r)
	c.sendWrites(r)
	c.checkWrite(r)
}
