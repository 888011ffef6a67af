package cluster

import (
	"fmt"
	"slices"

	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// CAS is a conditional write of one partition.
type CAS struct {
	Query  *storage.Query
	Serial plan.Consistency
	// Decide looks at what was read, under the conditions of the statement. part
	// is what to write with that timestamp (µs), nil if the conditions do not hold.
	Decide func(found *storage.Found, timestamp int64) (part *storage.Partition, err error)
}

// paxosPhase is what a request of Paxos needs beside what all do.
type paxosPhase struct {
	run      *paxosRun
	stage    paxosStage
	proposal *proposal
	answers  []*promise // by participant, nil before it answers
}

// promise is a replica's answer to a phase: whether it went along, and what it
// knows.
type promise struct {
	ok        bool
	promised  ballot
	accepted  *proposal
	committed *proposal
}

type paxosStage uint8

const (
	stagePrepare paxosStage = iota
	stagePropose
)

// paxosRun is a statement on its way through the rounds.
// Source: Cassandra 5.0 StorageProxy.doPaxos, with paxos_variant v1.
type paxosRun struct {
	cas          *CAS
	op           *Op
	table        *schema.Table
	participants []int
	need         int
	ballot       ballot
	newest       ballot // the newest that a replica has told of
	deadline     sim.Time
	contentions  int
	repairing    *proposal // of another proposer, which is being finished
	read         bool      // a SERIAL read: nothing is written
	then         func()    // goes on once a read may be made
}

// CompareAndSet decides a conditional write. When the operation is done,
// op.Applied says whether the conditions held, and op.Found what was read.
// Source: Cassandra 5.0 StorageProxy.cas.
func (c *Cluster) CompareAndSet(op *Op, cas *CAS) {
	cas.Query.Tell = op.Traced
	c.paxos(&paxosRun{cas: cas, op: op, table: cas.Query.Table})
}

// ReadSerial reads partitions after any rounds in progress, which are finished
// one after the other. Source: Cassandra 5.0 StorageProxy.legacyReadWithPaxos.
func (c *Cluster) ReadSerial(op *Op, queries []*storage.Query, serial plan.Consistency) {
	op.serial = true
	var next func(i int)
	next = func(i int) {
		if i == len(queries) {
			op.CL = readLevel(serial)
			c.Read(op, queries)
			return
		}
		q := queries[i]
		c.paxos(&paxosRun{cas: &CAS{Query: q, Serial: serial}, op: op, table: q.Table, read: true, then: func() { next(i + 1) }})
	}
	next(0)
}

// readLevel is the level at which the values for a serial level are read.
func readLevel(serial plan.Consistency) plan.Consistency {
	if serial == plan.LocalSerial {
		return plan.LocalQuorum
	}
	return plan.Quorum
}

// paxos begins: the participants are all replicas, for LOCAL_SERIAL those of the
// coordinator's data center. Source: Cassandra 5.0 ReplicaPlans.forPaxos.
func (c *Cluster) paxos(run *paxosRun) {
	q, op := run.cas.Query, run.op
	run.deadline = c.now + c.Set.ContentionTimeout
	n := 0
	natural, pending := c.writeTo(c.Placement(q.Table.Keyspace), q.Table.Keyspace, q.Token)
	for _, r := range slices.Concat(natural, pending) {
		if !c.counts(run.cas.Serial, op.Coord, r) {
			continue
		}
		n++
		if c.Alive.Alive(op.Coord, r) {
			run.participants = append(run.participants, r)
		}
	}
	run.need = n/2 + 1
	op.Need, op.Majority = run.need, run.need
	if len(run.participants) < run.need {
		c.finish(op, c.refused(op, unavailable(run.cas.Serial, "", run.need, len(run.participants))))
		return
	}
	if len(pending) > 1 {
		err := unavailable(run.cas.Serial, "", n+1, len(run.participants))
		err.Message = fmt.Sprintf("Cannot perform LWT operation as there is more than one (%d) pending range movement", len(pending))
		c.finish(op, c.refused(op, err))
		return
	}
	c.prepare(run)
}

// prepare asks for promises with a new ballot, unless the statement has tried for too
// long: two that finish each other's rounds could go on for ever.
// Source: Cassandra 5.0 StorageProxy.beginAndRepairPaxos.
func (c *Cluster) prepare(run *paxosRun) {
	if c.now >= run.deadline {
		c.tiredOf(run)
		return
	}
	// Clocks of machines never agree to the microsecond, as those of a lab do: two
	// ballots of one moment would write one timestamp, and a DELETE's is one less.
	at := max(c.Timestamp(run.op.Coord, 0), run.newest.at+1) + int64(run.op.Coord)
	c.Nodes[run.op.Coord].lastTime = at
	run.ballot = ballot{at, run.op.Coord, run.cas.Serial}
	c.tr(run.op, run.op.Coord, threadClient, "Preparing %s", c.ballotText(run.ballot))
	c.phase(run, stagePrepare, &proposal{ballot: run.ballot})
}

// phase sends a phase to every participant.
func (c *Cluster) phase(run *paxosRun, stage paxosStage, p *proposal) {
	op := run.op
	r := &request{kind: reqPaxos, op: op, coord: op.Coord, table: run.table, cl: run.cas.Serial, replicas: run.participants, need: run.need,
		paxosPhase: &paxosPhase{run: run, stage: stage, proposal: p, answers: make([]*promise, len(run.participants))}}
	c.watch(r)
	for i, node := range run.participants {
		k := task{kind: taskPaxos, from: int32(op.Coord), to: int32(node), req: r, index: uint8(i)}
		if node == op.Coord {
			c.queue.Push(c.now, k)
			continue
		}
		c.send(op, k, 0, 120)
	}
}

// verb is the verb of a phase's messages.
func (r *request) verb(reply bool) string {
	v := "PAXOS_PREPARE"
	if r.stage == stagePropose {
		v = "PAXOS_PROPOSE"
	}
	if reply {
		return v + "_RSP"
	}
	return v + "_REQ"
}

// onPaxos promises or accepts at a replica.
// Source: Cassandra 5.0 PaxosState.legacyPrepare, legacyPropose.
func (c *Cluster) onPaxos(t *task) {
	r := t.req
	if !c.arrive(r.op, t, 120) || c.now > r.start+c.Set.WriteTimeout {
		return
	}
	n := c.Nodes[t.to]
	key := r.run.cas.Query.Key
	if _, known := n.paxos[paxosKey{r.table.ID, key}]; !known {
		// What is not remembered is read from the table of Paxos.
		c.tr(r.op, n.Index, threadMutation, "Executing single-partition query on paxos")
		c.tr(r.op, n.Index, threadMutation, "Acquiring sstable references")
		c.tr(r.op, n.Index, threadMutation, "Merging memtable contents")
		c.tr(r.op, n.Index, threadMutation, "Read 0 live rows and 0 tombstone cells")
	}
	s := c.paxosOf(n.Index, r.table, key)
	b := r.proposal.ballot
	answer := &promise{promised: s.promised}
	switch r.stage {
	case stagePrepare:
		if answer.ok = b.after(s.promised); answer.ok {
			c.tr(r.op, n.Index, threadMutation, "Promising ballot %s", c.ballotText(b))
			c.tracePaxosTable(r.op, n.Index)
			s.promised = b
			answer.accepted, answer.committed = s.accepted, s.committed
		} else {
			c.tr(r.op, n.Index, threadMutation, "Promise rejected; %s is not sufficiently newer than %s", c.ballotText(b), c.ballotText(s.promised))
		}
	case stagePropose:
		if answer.ok = !s.promised.after(b); answer.ok {
			if r.op.Traced {
				c.tr(r.op, n.Index, threadMutation, "Accepting proposal %s", c.proposalText("Accepted", r.table, key, r.proposal))
			}
			c.tracePaxosTable(r.op, n.Index)
			s.promised, s.accepted = b, r.proposal
		} else {
			c.tr(r.op, n.Index, threadMutation, "Rejecting proposal for %s because in_progress is now %s", c.ballotText(b), c.ballotText(s.promised))
		}
	}
	k := task{kind: taskPaxosReply, from: t.to, to: int32(r.coord), req: r, index: t.index, resp: &response{paxos: answer}}
	if n.Index == r.coord {
		c.queue.Push(c.now+n.service(serviceWrite), k)
		return
	}
	c.send(r.op, k, n.service(serviceWrite), 60)
}

// tracePaxosTable adds that a node wrote down what it has promised, accepted or
// committed. Source: Cassandra 5.0 SystemKeyspace.savePaxosWritePromise.
func (c *Cluster) tracePaxosTable(op *Op, node int) {
	c.tr(op, node, threadMutation, "Appending to commitlog")
	c.tr(op, node, threadMutation, "Adding to paxos memtable")
}

// onPaxosReply counts an answer to a phase.
func (c *Cluster) onPaxosReply(t *task) {
	r := t.req
	if !c.arrive(r.op, t, 60) {
		return
	}
	if t.from != t.to && r.op.Traced {
		c.tr(r.op, r.coord, threadResponse, "Processing response from /%s:7000", c.Nodes[t.from].Address)
	}
	if r.settled || r.op.Done {
		return
	}
	r.answers[t.index] = t.resp.paxos
	if !t.resp.paxos.ok && t.resp.paxos.promised.after(r.run.newest) {
		r.run.newest = t.resp.paxos.promised
	}
	agreed, silent := 0, 0
	for _, a := range r.answers {
		switch {
		case a == nil:
			silent++
		case a.ok:
			agreed++
		}
	}
	r.got = agreed
	switch {
	case r.stage == stagePrepare && !t.resp.paxos.ok:
		r.settled = true
		c.contend(r)
	case agreed >= r.need || c.flaw == flawQuorum && r.stage == stagePropose && agreed > 0:
		r.settled = true
		if r.stage == stagePrepare {
			c.promised(r)
		} else {
			c.accepted(r)
		}
	case silent > 0:
	case agreed > 0:
		r.settled = true
		c.unknown(r)
	default:
		r.settled = true
		c.contend(r)
	}
}

// unknown ends a statement whose proposal some have accepted, but too few.
// Source: Cassandra 5.0 StorageProxy.proposePaxos.
func (c *Cluster) unknown(r *request) {
	c.finish(r.op, &Failure{Code: plan.CASUnknown, CL: r.cl, Received: r.got, BlockFor: r.need,
		Message: fmt.Sprintf("CAS operation result is unknown - proposal accepted by %d but not a quorum.", r.got)})
}

// promised goes on once a quorum has promised: it finishes what another proposer
// began, tells those that missed the newest commit, or reads.
// Source: Cassandra 5.0 StorageProxy.beginAndRepairPaxos.
func (c *Cluster) promised(r *request) {
	run := r.run
	var open, newest *proposal
	for _, a := range r.answers {
		if a == nil {
			continue
		}
		if a.accepted != nil && (open == nil || a.accepted.ballot.after(open.ballot)) {
			open = a.accepted
		}
		if a.committed != nil && (newest == nil || a.committed.ballot.after(newest.ballot)) {
			newest = a.committed
		}
	}
	if open != nil && open.part != nil && (newest == nil || open.ballot.after(newest.ballot)) {
		c.tr(run.op, run.op.Coord, threadClient, "Finishing incomplete paxos round %s", c.ballotText(open.ballot))
		run.repairing = &proposal{ballot: run.ballot, part: storage.Restamp(run.table, open.part, run.ballot.at)}
		c.phase(run, stagePropose, run.repairing)
		return
	}
	missing := false
	for i, a := range r.answers {
		if a != nil && newest != nil && (a.committed == nil || newest.ballot.after(a.committed.ballot)) {
			missing = true
			c.commitTo(run, newest, []int{r.replicas[i]}, nil, plan.Any, false)
		}
	}
	if missing {
		c.tr(run.op, run.op.Coord, threadClient, "Repairing replicas that missed the most recent commit")
		c.prepare(run)
		return
	}
	if run.read {
		c.tr(run.op, run.op.Coord, threadClient, "CAS precondition is met; proposing client-requested updates for %s", c.ballotText(run.ballot))
		c.phase(run, stagePropose, &proposal{ballot: run.ballot})
		return
	}
	c.tr(run.op, run.op.Coord, threadClient, "Reading existing values for CAS precondition")
	cl := run.op.CL
	run.op.CL, run.op.Answered = readLevel(run.cas.Serial), nil
	run.op.Then(func() {
		run.op.CL = cl
		c.decide(run)
	})
	c.Read(run.op, []*storage.Query{run.cas.Query})
}

// decide looks at the conditions and proposes the writes, or nothing.
func (c *Cluster) decide(run *paxosRun) {
	part, err := run.cas.Decide(run.op.Found[0], run.ballot.at)
	if err != nil {
		c.Refuse(run.op, err)
		return
	}
	run.op.Applied = part != nil
	if part == nil {
		if run.op.Traced {
			columns := run.cas.Query.Columns
			if run.op.Found[0].IsEmpty() {
				columns = map[uint16]bool{}
			}
			c.tr(run.op, run.op.Coord, threadClient, "CAS precondition does not match current values %s",
				partitionText(run.table, run.op.Found[0].Partition, columns, true))
		}
	}
	c.tr(run.op, run.op.Coord, threadClient, "CAS precondition is met; proposing client-requested updates for %s", c.ballotText(run.ballot))
	p := &proposal{ballot: run.ballot}
	if part != nil {
		p.part = storage.Restamp(run.table, part, run.ballot.at)
	}
	c.phase(run, stagePropose, p)
}

// accepted goes on once a quorum has accepted.
func (c *Cluster) accepted(r *request) {
	run := r.run
	switch {
	case run.repairing != nil:
		// Finishing another round waits for the level of this statement's own commit.
		p := run.repairing
		run.repairing = nil
		run.op.Then(func() { c.prepare(run) })
		c.commit(run, p, false)
	case run.read:
		c.tr(run.op, run.op.Coord, threadClient, "CAS applied successfully")
		run.then()
	case r.proposal.part == nil:
		c.tr(run.op, run.op.Coord, threadClient, "CAS did not apply")
		c.finish(run.op, nil)
	default:
		c.commit(run, r.proposal, true)
	}
}

// commit writes what was decided, at the statement's own level.
// Source: Cassandra 5.0 StorageProxy.commitPaxos.
func (c *Cluster) commit(run *paxosRun, p *proposal, hints bool) {
	op, q, cl := run.op, run.cas.Query, run.op.CL
	if run.read {
		cl = readLevel(run.cas.Serial)
	}
	placement := c.Placement(q.Table.Keyspace)
	replicas, pending := c.writeTo(placement, q.Table.Keyspace, q.Token)
	if err := c.writable(cl, placement.Strategy(), op.Coord, replicas, pending); err != nil {
		c.finish(op, c.refused(op, err))
		return
	}
	op.waiting = 1
	r := c.commitTo(run, p, replicas, pending, cl, hints)
	if cl == plan.Any {
		if r.answered = true; hints {
			c.tr(op, op.Coord, threadClient, "CAS applied successfully")
		}
		c.finish(op, nil)
		return
	}
	c.checkWrite(r)
}

// commitTo sends a decided proposal to replicas; those that are down get hints
// if it is the statement's own. With ANY nobody waits for it.
func (c *Cluster) commitTo(run *paxosRun, p *proposal, replicas, pending []int, cl plan.Consistency, hints bool) *request {
	op, q := run.op, run.cas.Query
	placement := c.Placement(q.Table.Keyspace)
	r := &request{kind: reqWrite, op: op, coord: op.Coord, table: q.Table, cl: cl, strategy: placement.Strategy(), replicas: replicas, part: p.part,
		size: messageSize(q.Table, p.part), as: writeSimple, commit: p, answered: cl == plan.Any, unhinted: !hints,
		paxosPhase: &paxosPhase{run: run}}
	r.join(pending)
	r.states(len(r.replicas))
	r.need = c.blockForWrite(cl, r.strategy, op.Coord, pending)
	c.watch(r)
	for i, node := range r.replicas {
		k := task{kind: taskMutation, from: int32(op.Coord), to: int32(node), req: r, index: uint8(i)}
		switch {
		case !c.Alive.Alive(op.Coord, node):
			if r.state[i] = replicaDead; hints {
				c.hintAll(r, node)
			}
		case node == op.Coord:
			r.state[i] = replicaSent
			k.flag = c.applyOrFail(r, node)
			k.kind = taskAck
			c.queue.Push(c.now+c.Nodes[node].service(serviceWrite), k)
		default:
			r.state[i] = replicaSent
			c.send(op, k, 0, r.size)
		}
	}
	return r
}

// contend waits up to 100 ms and begins again with a newer ballot, unless the
// statement has tried for too long.
func (c *Cluster) contend(r *request) {
	run := r.run
	run.contentions++
	run.repairing = nil
	if wait := c.now + sim.Time(c.draw(100))*sim.Millisecond; wait < run.deadline {
		c.tr(run.op, run.op.Coord, threadClient, "Some replicas have already promised a higher ballot than ours; aborting")
		c.queue.Push(wait, task{kind: taskPaxosRetry, from: int32(run.op.Coord), to: int32(run.op.Coord), req: r})
		return
	}
	c.tiredOf(run)
}

// tiredOf ends a statement that has tried for the contention timeout.
func (c *Cluster) tiredOf(run *paxosRun) {
	if c.Listening() {
		c.emit(event.Record{Kind: event.Timeout, Node: run.op.Coord, Peer: -1, Op: run.op.ID, What: "paxos", N: 0, M: int64(run.need)})
	}
	c.finish(run.op, run.timeout(run.cas.Serial, writeCAS, 0, run.need))
}

// timeout is the error of a statement one of whose phases found too few replicas.
// What a SERIAL read did to decide others' rounds does not count as read.
// Source: Cassandra 5.0 StorageProxy.cas, legacyReadWithPaxos, CasWriteTimeoutException.
func (run *paxosRun) timeout(cl plan.Consistency, as string, received, need int) *Failure {
	if run.read {
		return &Failure{Code: plan.ReadTimeout, CL: run.cas.Serial, BlockFor: run.need, Message: timeoutText(0)}
	}
	return &Failure{Code: plan.WriteTimeout, CL: cl, Received: received, BlockFor: need, WriteType: as, Contentions: run.contentions,
		Message: fmt.Sprintf("CAS operation timed out: received %d of %d required responses after %d contention retries", received, need, run.contentions)}
}

func (c *Cluster) onPaxosRetry(t *task) {
	if c.arrive(t.req.op, t, 0) && !t.req.op.Done {
		c.prepare(t.req.run)
	}
}

// paxosExpired answers a client whose phase found too few replicas.
// Source: Cassandra 5.0 AbstractPaxosCallback.await.
func (c *Cluster) paxosExpired(r *request) {
	if r.op.Done {
		return
	}
	if c.Nodes[r.coord].Down {
		c.lost(r)
		return
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.Timeout, Node: r.coord, Peer: -1, Op: r.op.ID, What: "paxos", N: int64(r.got), M: int64(r.need)})
	}
	if r.stage == stagePropose && r.got > 0 && !r.run.read {
		c.unknown(r)
		return
	}
	c.finish(r.op, r.run.timeout(r.cl, writeCAS, r.got, r.need))
}
