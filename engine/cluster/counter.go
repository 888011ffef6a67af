package cluster

import (
	"bytes"
	"encoding/binary"
	"sort"

	"ringlab/engine/event"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/ring"
)

// WriteCounters sends each update of counters to a leader, which turns the
// deltas into a shard of its own and writes that to the other replicas. Updates
// are planned and sent one by one. Source: Cassandra 5.0 StorageProxy.mutateCounter.
func (c *Cluster) WriteCounters(op *Op, muts []Mutation) {
	op.waiting = len(muts)
	if len(muts) == 0 {
		c.finish(op, nil)
	}
	c.tr(op, op.Coord, threadClient, "Determining replicas for mutation")
	for i := range muts {
		if err := c.countOne(op, i, &muts[i]); err != nil {
			c.finish(op, err)
			return
		}
	}
}

func (c *Cluster) countOne(op *Op, slot int, m *Mutation) *Failure {
	placement := c.Placement(m.Table.Keyspace)
	replicas, pending := c.writeTo(placement, m.Table.Keyspace, m.Part.Token)
	leader, err := c.leader(op, placement.Strategy(), replicas)
	if err != nil {
		return c.refused(op, err)
	}
	r := &request{kind: reqWrite, op: op, coord: leader, table: m.Table, cl: op.CL, strategy: placement.Strategy(), slot: slot, replicas: replicas,
		part: m.Part, more: m.More, size: m.size(), as: writeCounter, unhinted: true}
	r.join(pending)
	if leader == op.Coord {
		if err := c.writable(op.CL, r.strategy, leader, replicas, pending); err != nil {
			return c.refused(op, err)
		}
		c.lead(r)
		return nil
	}
	// The coordinator only waits for the leader.
	if err := c.writable(op.CL, r.strategy, op.Coord, replicas, pending); err != nil {
		return c.refused(op, err)
	}
	wait := &request{kind: reqCounter, op: op, coord: op.Coord, table: m.Table, cl: op.CL, need: 1, replicas: []int{leader}, slot: slot}
	r.asked = wait
	op.Need = c.blockForWrite(op.CL, r.strategy, leader, pending)
	c.watch(wait)
	c.tr(op, op.Coord, threadClient, "Enqueuing counter update to Full(/%s:7000,%s)", c.Nodes[leader].Address, c.tokenRange(m.Part.Token))
	c.send(op, task{kind: taskCounter, from: int32(op.Coord), to: int32(leader), req: r}, 0, r.size)
	return nil
}

// refused tells that a write was refused before anything of it was sent.
func (c *Cluster) refused(op *Op, err *Failure) *Failure {
	c.tr(op, op.Coord, threadClient, "Unavailable")
	if c.Listening() {
		c.emit(event.Record{Kind: event.Unavailable, Node: op.Coord, Peer: -1, Op: op.ID, What: op.CL.String(), N: int64(err.Required), M: int64(err.Alive)})
	}
	return err
}

// leader picks a random live replica of the coordinator's data center, and the
// nearest one where that has none.
// Source: Cassandra 5.0 ReplicaPlans.findCounterLeaderReplica.
func (c *Cluster) leader(op *Op, s ring.Strategy, replicas []int) (int, *Failure) {
	live := c.candidates(plan.One, op.Coord, replicas)
	var local []int
	for _, n := range live {
		if c.Nodes[n].DC == c.Nodes[op.Coord].DC {
			local = append(local, n)
		}
	}
	switch {
	case len(local) > 0:
		return local[c.draw(len(local))], nil
	case len(live) == 0 || op.CL.IsLocal():
		return 0, unavailable(op.CL, "", c.blockFor(op.CL, s, op.Coord), 0)
	}
	return live[0], nil
}

// draw is a random number below n.
func (c *Cluster) draw(n int) int {
	if n < 2 {
		return 0
	}
	return int(c.draws.Uint64() % uint64(n))
}

// onCounter is the arrival of an update at its leader.
func (c *Cluster) onCounter(t *task) {
	r := t.req
	if !c.arrive(r.op, t, r.size) || c.now > r.asked.start+c.Set.CounterTimeout {
		return
	}
	natural := len(r.replicas) - int(r.pending)
	if c.writable(r.cl, r.strategy, r.coord, r.replicas[:natural], r.replicas[natural:]) != nil {
		return // the coordinator waits in vain
	}
	c.lead(r)
}

// lead applies an update at its leader, itself, and sends the result on.
// Source: Cassandra 5.0 CounterMutation.applyCounterMutation.
func (c *Cluster) lead(r *request) {
	c.tr(r.op, r.coord, threadCounter, "Acquiring counter locks")
	r.states(len(r.replicas))
	r.need = c.blockForWrite(r.cl, r.strategy, r.coord, r.pendingReplicas())
	if r.asked == nil {
		r.op.Need = r.need
	}
	if c.failsWrites(r.table) {
		c.leaderFailed(r)
		return
	}
	r.part = c.shard(r.op, r.coord, TablePart{r.table, r.part})
	for i, p := range r.more {
		r.more[i].Part = c.shard(r.op, r.coord, p)
	}
	c.watch(r)
	c.sendWrites(r)
	c.checkWrite(r)
}

// shard turns the deltas of an update into what the leader's own shards hold
// after it. Source: Cassandra 5.0 CounterMutation.updateWithCurrentValue.
func (c *Cluster) shard(op *Op, node int, p TablePart) *storage.Partition {
	out := *p.Part
	store := c.Store(node, p.Table)
	all, unknown := c.Nodes[node].knownCounters(p)
	if op.Traced {
		c.tr(op, node, threadCounter, "Fetching %d counter values from cache", all)
		if unknown > 0 {
			c.tr(op, node, threadCounter, "Reading %d counter values from the CF", unknown)
		}
	}
	now := c.Seconds(node)
	names := make([][]byte, len(out.Rows))
	for i, r := range out.Rows {
		names[i] = r.Clustering()
	}
	sort.Slice(names, func(i, j int) bool { return p.Table.CompareClustering(names[i], names[j]) < 0 })
	have := store.At(int64(c.now)).Read(&storage.Query{Table: p.Table, Key: out.Key, Token: out.Token, Names: names, Now: now, GCBefore: now, Tell: op.Traced})
	if op.Traced && unknown > 0 {
		c.traceCounters(op, node, p.Table, have)
	}
	out.Rows = append([]storage.Row(nil), out.Rows...)
	for i, r := range out.Rows {
		out.Rows[i] = c.count(node, p, r, rowOf(have, r.Clustering()))
	}
	if !out.Static.IsZero() {
		out.Static = c.count(node, p, out.Static, have.Static)
	}
	return &out
}

// rowOf is a row of what was read, the zero Row if there is none.
func rowOf(f *storage.Found, clustering []byte) storage.Row {
	for _, r := range f.Rows {
		if bytes.Equal(r.Clustering(), clustering) {
			return r
		}
	}
	return storage.Row{}
}

// count adds a row's deltas to the shards that the node has of it: those of its counter
// cache, else those that it read.
func (c *Cluster) count(node int, p TablePart, update, have storage.Row) storage.Row {
	n := c.Nodes[node]
	var u, h storage.View
	update.Unpack(&u)
	if !have.IsZero() {
		have.Unpack(&h)
	}
	for i := range u.Cells {
		cell := &u.Cells[i]
		if cell.IsTombstone() {
			continue
		}
		mine := storage.CounterShard{ID: n.Host}
		at := cellOfCounter(p, u.Clustering, cell.Column)
		if v, ok := n.counters[at]; ok {
			mine.Clock, mine.Count = v.clock, v.count
		} else {
			mine = shardOf(&h, cell.Column, mine)
		}
		mine.Clock = max(c.Clock(node), mine.Clock+1)
		mine.Count += int64(binary.BigEndian.Uint64(cell.Value))
		n.rememberCounter(at, counterValue{mine.Clock, mine.Count})
		cell.Value = storage.CounterContext([]storage.CounterShard{mine})
	}
	row, _ := u.Pack(nil)
	return row
}

// shardOf is a node's shard of a column, mine where a row has none of it.
func shardOf(row *storage.View, column uint16, mine storage.CounterShard) storage.CounterShard {
	for i := range row.Cells {
		if row.Cells[i].Column != column || row.Cells[i].IsTombstone() {
			continue
		}
		for _, s := range storage.CounterShards(row.Cells[i].Value) {
			if s.ID == mine.ID {
				return s
			}
		}
	}
	return mine
}

// answerCounter tells a coordinator that the leader is done.
func (c *Cluster) answerCounter(r *request) {
	c.send(r.op, task{kind: taskCounterDone, from: int32(r.coord), to: int32(r.asked.coord), req: r}, 0, 33)
}

func (c *Cluster) onCounterDone(t *task) {
	r := t.req
	if !c.arrive(r.op, t, 33) || r.asked.settled {
		return
	}
	r.asked.settled, r.asked.answered = true, true
	if r.op.Traced {
		c.tr(r.op, r.asked.coord, threadResponse, "Processing response from /%s:7000", c.Nodes[t.from].Address)
	}
	if t.flag {
		c.leaderFailedAt(r.asked)
		return
	}
	r.op.Acks = r.got
	if r.op.waiting--; r.op.waiting == 0 {
		c.finish(r.op, nil)
	}
}

// counterExpired answers a client whose update's leader stayed silent. Whatever
// level was asked for, the error is about ONE.
func (c *Cluster) counterExpired(r *request) {
	if !c.expired(r) {
		return
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.Timeout, Node: r.coord, Peer: -1, Op: r.op.ID, What: "counter", N: 0, M: 1})
	}
	c.finish(r.op, &Failure{Code: plan.WriteTimeout, CL: plan.One, Received: 0, BlockFor: 1, WriteType: writeCounter, Message: timeoutText(0)})
}
