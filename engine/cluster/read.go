package cluster

import (
	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/plan"
)

// Read reads partitions by key, each on its own and all at once. queries are in
// the order of the answer. Source: Cassandra 5.0 StorageProxy.fetchRows.
func (c *Cluster) Read(op *Op, queries []*storage.Query) {
	if len(queries) <= len(op.space.found) {
		op.Found = op.space.found[:len(queries)]
	} else {
		op.Found = make([]*storage.Found, len(queries))
	}
	if len(queries) == 0 {
		c.finish(op, nil)
		return
	}
	if op.CL == plan.NodeLocal {
		for i, q := range queries {
			store := c.Store(op.Coord, q.Table)
			var f *storage.Found
			failed, asked := false, q
			if op.filter != nil {
				q = unlimited(q)
			}
			if x := c.sought(op, q.Table); x != nil {
				f, failed = c.seekOne(op, op.Coord, x, q)
			} else {
				f = store.At(int64(c.now)).Read(q)
				failed = c.readFails(op.Coord, q.Table, f.SSTables, store.CorruptRead(q, f))
			}
			if failed {
				c.finish(op, c.readFailure(op.Coord, op.CL, 1, 0, false, op.Coord, reasonUnknown))
				return
			}
			if op.filter != nil {
				f = op.filter.one(asked, f, true)
			}
			c.countRead(op.Coord, &store.Metrics, serviceRead+serviceFile*sim.Time(f.SSTables), q, f)
			op.Found[i] = f
		}
		op.Answered = []int{op.Coord}
		c.finish(op, nil)
		return
	}
	op.waiting = len(queries)
	var few [4]*request
	requests := few[:0]
	for i, q := range queries {
		placement := c.Placement(q.Table.Keyspace)
		r := newRead(request{kind: reqRead, op: op, coord: op.Coord, table: q.Table, cl: op.CL, strategy: placement.Strategy(), slot: i,
			replicas: placement.Replicas(q.Token)}, reading{query: q, repair: -1})
		if err := c.plan(r, nil); err != nil {
			c.refuse(op, err)
			return
		}
		requests = append(requests, r)
	}
	if len(requests) > 1 && queries[0].Limit > 0 {
		op.queue = &inOrder{requests: append([]*request(nil), requests...), limit: queries[0].Limit}
	}
	for _, r := range requests {
		c.watch(r)
		c.ask(r)
	}
}

// refuse ends an operation that cannot be tried.
func (c *Cluster) refuse(op *Op, err *Failure) {
	if c.Listening() {
		c.emit(event.Record{Kind: event.Unavailable, Node: op.Coord, Peer: -1, Op: op.ID, What: op.CL.String(), N: int64(err.Required), M: int64(err.Alive)})
	}
	c.finish(op, err)
}

// ask sends the requests of a round; remote ones leave before the local read.
func (c *Cluster) ask(r *request) {
	for i := range r.contacts {
		if k := &r.contacts[i]; k.node == r.coord && r.asksItself() {
			c.traceAsk(r, &task{kind: taskRead, to: int32(k.node), req: r})
			c.traceSelf(r, "Sending RANGE_REQ message to", 60)
		}
	}
	for i := range r.contacts {
		if k := &r.contacts[i]; k.node != r.coord {
			c.askOne(r, i)
		}
	}
	for i := range r.contacts {
		if r.contacts[i].node == r.coord {
			c.askOne(r, i)
		}
	}
	if r.kind == reqRead && !r.full && r.cl != plan.EachQuorum && len(r.rest) > 0 {
		c.armSpeculation(r)
	}
}

func (c *Cluster) askOne(r *request, i int) {
	k := &r.contacts[i]
	t := task{kind: taskRead, from: int32(r.coord), to: int32(k.node), req: r, index: uint8(i), flag: k.digest && !r.full, gen: r.round()}
	if k.node == r.coord {
		if r.asksItself() {
			c.traceSelf(r, "RANGE_REQ message received from", 0)
		}
		c.readAt(&t)
		return
	}
	c.traceAsk(r, &t)
	c.send(r.op, t, 0, 60+len(r.query.Key))
}

// onRead reads at a replica.
func (c *Cluster) onRead(t *task) {
	r := t.req
	if !c.arrive(r.op, t, 60+len(r.query.Key)) {
		return
	}
	timeout := c.Set.ReadTimeout
	if r.kind == reqRange {
		timeout = c.Set.RangeTimeout
	}
	if c.now > r.start+timeout {
		verb := verbNames[t.kind]
		if r.kind == reqRange {
			verb = "RANGE_REQ"
		}
		c.Nodes[t.to].countDropped(verb)
		return
	}
	c.readAt(t)
}

// readAt reads a node's storage and sends the answer to the coordinator, marked
// with the round of the question: a node that was asked late may answer when the
// second round has begun with other contacts.
func (c *Cluster) readAt(asked *task) {
	r, digest, node := asked.req, asked.flag, int(asked.to)
	n := c.Nodes[node]
	store := c.Store(node, r.table)
	resp := &response{digest: digest}
	took := serviceRead
	x := c.sought(r.op, r.table)
	if r.plain {
		x = nil
	}
	filter, query := r.filter(), r.asks()
	if filter != nil {
		query = unlimited(query)
	}
	failed := false
	if r.kind == reqRead && x != nil {
		var f *storage.Found
		f, failed = c.seekOne(r.op, node, x, query)
		resp.one[0] = f
		resp.found = resp.one[:]
		took += seekService(resp.found)
		c.countRead(node, &store.Metrics, took, query, f)
	} else if r.kind == reqRead {
		f := store.At(int64(c.now)).Read(query)
		failed = c.readFails(node, r.table, f.SSTables, store.CorruptRead(query, f))
		resp.one[0] = f
		resp.found = resp.one[:]
		took += serviceFile * sim.Time(f.SSTables)
		c.countRead(node, &store.Metrics, took, query, f)
		c.traceRead(r.op, node, query, f)
	} else if x != nil {
		resp.found, failed = c.seekRange(r.op, node, x, query, r.bounds, r.hits)
		took += seekService(resp.found)
	} else {
		resp.found = store.At(int64(c.now)).ScanAfter(query, r.bounds)
		failed = c.readFails(node, r.table, len(store.SSTables), store.CorruptScanAfter(query, r.bounds, resp.found))
		if r.op.Traced && r.op.seek != nil {
			c.traceAttached(r, node, query, resp.found)
		} else if r.op.Traced {
			live, dead := query.Passed(resp.found)
			c.tr(r.op, node, threadRead, "Executing seq scan across %d sstables for %s", len(store.SSTables), c.positionsText(r.bounds, r.pieces > 1))
			c.tr(r.op, node, threadRead, "Read %d live rows and %d tombstone cells", live, dead)
		}
		took += serviceFile * sim.Time(len(store.SSTables))
	}
	if failed || filter != nil && filter.stumbles(query, resp.found) {
		resp.failed = reasonUnknown
	}
	live, dead := count(resp.found)
	if r.kind == reqRange {
		c.countScan(node, &store.Metrics, r.query, resp.found)
	}
	if c.Listening() {
		c.emit(event.Record{Kind: event.Read, Node: node, Peer: -1, Op: r.op.ID, What: r.table.Keyspace + "." + r.table.Name, N: int64(live), M: int64(dead)})
	}
	if dead > c.Set.TombstoneWarn && node == r.coord && r.op.Scanned == nil { // other replicas only write it to their log
		r.op.Scanned = &Scanned{Live: live, Dead: dead, Key: r.query.Key}
	}
	if c.Set.TombstoneFail > 0 && dead > c.Set.TombstoneFail && resp.failed == "" {
		resp.failed = reasonTombstones
	}
	if resp.failed != "" {
		resp.found, resp.digest = nil, false
	}
	if filter != nil && resp.failed == "" {
		// Where several copies of a range are merged, the coordinator goes on asking
		// until it has all that passes.
		if shown := len(r.contacts) == 1 || r.kind == reqRead && !r.full; r.kind == reqRead {
			resp.one[0] = filter.one(r.query, resp.one[0], shown)
		} else {
			resp.found = filter.sieve(r.query, resp.found, shown)
		}
	}
	if resp.failed == "" {
		c.cutGroups(r, resp)
	}
	if c.told(r.op) {
		resp.size = responseSize(resp)
	}
	t := task{kind: taskResponse, from: int32(node), to: int32(r.coord), req: r, index: asked.index, resp: resp, gen: asked.gen}
	if node == r.coord {
		if r.asksItself() {
			c.tr(r.op, node, threadRead, "Enqueuing response to /%s:7000", n.Address)
			c.traceSelf(r, "Sending RANGE_RSP message to", resp.size)
		}
		c.queue.Push(c.now+n.service(took), t)
		return
	}
	if r.op.Traced {
		c.tr(r.op, node, threadRead, "Enqueuing response to /%s:7000", c.Nodes[r.coord].Address)
	}
	c.send(r.op, t, n.service(took), resp.size)
}

// round tells the responses of the first round from those of the full read.
func (r *request) round() uint64 {
	if r.full {
		return 1
	}
	return 0
}

func responseSize(p *response) int {
	n := 33
	if p.digest {
		return n + 16
	}
	for _, f := range p.found {
		n += 20 + len(f.Key) + f.Static.Size()
		for _, row := range f.Rows {
			n += row.Size()
		}
	}
	return n
}

func count(found []*storage.Found) (live, dead int) {
	for _, f := range found {
		live += f.Live
		dead += f.Tombstones
	}
	return live, dead
}

// agree says whether two answers have the same digest.
func agree(a, b []*storage.Found) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Agrees(b[i].Partition) {
			return false
		}
	}
	return true
}

// onResponse takes a replica's answer.
func (c *Cluster) onResponse(t *task) {
	r := t.req
	if !c.arrive(r.op, t, t.resp.size) {
		return
	}
	if r.settled || t.gen != r.round() || r.op.Done {
		if r.kind == reqRange && r.op.Done && r.op.Err == nil && r.op.Traced { // which needed no more rows
			c.tr(r.op, r.coord, threadResponse, "Processing response from /%s:7000", c.Nodes[t.from].Address)
		}
		return
	}
	k := &r.contacts[t.index]
	if k.resp != nil {
		return
	}
	if t.from != t.to {
		c.Nodes[t.to].Answered++
	}
	if t.from == t.to && r.asksItself() {
		c.traceSelf(r, "RANGE_RSP message received from", 0)
	}
	if r.op.Traced && (t.from != t.to || r.asksItself()) {
		c.tr(r.op, r.coord, threadResponse, "Processing response from /%s:7000", c.Nodes[t.from].Address)
	}
	if t.resp.failed != "" {
		c.failed(r, int(t.from), t.resp.failed)
		return
	}
	k.resp = t.resp
	r.got++
	if c.Listening() {
		what := "data"
		if t.resp.digest {
			what = "digest"
		}
		c.emit(event.Record{Kind: event.Ack, Node: r.coord, Peer: int(t.from), Op: r.op.ID, What: what, N: int64(r.got), M: int64(r.need)})
	}
	c.checkRead(r)
}

// Reasons why a replica could not do what it was asked.
// Source: Cassandra 5.0 RequestFailureReason.
const (
	reasonUnknown    = "UNKNOWN"
	reasonTombstones = "READ_TOO_MANY_TOMBSTONES"
)

// failed takes the answer of a replica that could not read. The read goes on if
// those that were asked beside it are enough.
// Source: Cassandra 5.0 ReadCallback.onFailure.
func (c *Cluster) failed(r *request, node int, reason string) {
	if r.answered {
		return
	}
	r.failures++
	if !r.full && r.kind == reqRead && r.need+r.failures <= len(r.contacts) {
		return
	}
	failure := c.readFailure(r.coord, r.cl, r.need, r.got, r.hasData(), node, reason)
	if r.early() {
		if r.late == nil {
			r.late = failure
		}
		return
	}
	r.settled, r.answered = true, true
	c.finish(r.op, failure)
}

// readFailure is the error of a read that a replica failed.
func (c *Cluster) readFailure(coord int, cl plan.Consistency, need, got int, data bool, node int, reason string) *Failure {
	return &Failure{Code: plan.ReadFailure, CL: cl, Received: got, BlockFor: need, DataPresent: data, Failures: map[string]string{c.Nodes[node].Name: reason},
		Message: "Operation failed - received " + itoa(got) + " responses and 1 failures: " + reason + " from /" + c.Nodes[node].Address + ":7000"}
}

func (r *request) hasData() bool {
	for i := range r.contacts {
		if p := r.contacts[i].resp; p != nil && !p.digest {
			return true
		}
	}
	return false
}

// checkRead decides when enough has come.
func (c *Cluster) checkRead(r *request) {
	if r.full || r.kind == reqRange {
		for i := range r.contacts {
			if r.contacts[i].resp == nil {
				return
			}
		}
		if !r.early() {
			c.reconcile(r)
		}
		return
	}
	if r.got < r.need || !r.hasData() {
		return
	}
	if r.protects == nil {
		c.learnLatency(r)
	}
	data := -1
	for i := range r.contacts {
		if p := r.contacts[i].resp; p != nil && !p.digest {
			data = i
			break
		}
	}
	if r.need > 1 && c.flaw != flawDigests {
		for i := range r.contacts {
			if p := r.contacts[i].resp; p != nil && !agree(p.found, r.contacts[data].resp.found) {
				c.mismatch(r)
				return
			}
		}
	}
	c.deliver(r, r.contacts[data].resp.found)
}

// deliver hands a request's rows to its operation.
func (c *Cluster) deliver(r *request, found []*storage.Found) {
	if r.answered {
		return
	}
	r.answered, r.settled = true, true
	if r.protects != nil {
		c.completed(r, found)
		return
	}
	if r.op.Answered == nil {
		r.op.Answered = r.op.space.answered[:0]
	}
	for i := range r.contacts {
		if r.contacts[i].resp != nil && !contains(r.op.Answered, r.contacts[i].node) {
			r.op.Answered = append(r.op.Answered, r.contacts[i].node)
		}
	}
	r.op.Acks = r.got
	if r.kind == reqRange {
		c.scanned(r, found)
		return
	}
	if len(found) > 0 {
		r.op.Found[r.slot] = found[0]
	}
	if r.op.waiting--; r.op.waiting == 0 {
		c.finish(r.op, nil)
	} else if r.op.queue != nil {
		c.advanceReads(r.op)
	}
}

// readExpired is called when the read timeout has passed.
func (c *Cluster) readExpired(r *request) {
	if !c.expired(r) {
		return
	}
	f := &Failure{Code: plan.ReadTimeout, CL: r.cl, Received: r.got, BlockFor: r.need, DataPresent: r.hasData()}
	if r.repair >= 0 {
		f.Received, f.DataPresent = min(r.got, r.need-1), true
		c.tr(r.op, r.coord, threadClient, "Timed out while read-repairing after receiving all %d data and digest responses", r.need)
	} else {
		what := "including data"
		if !f.DataPresent {
			what = "only digests"
		}
		c.tr(r.op, r.coord, threadClient, "Timed out; received %d of %d responses (%s)", r.got, r.need, what)
	}
	f.Message = timeoutText(f.Received)
	if c.Listening() {
		c.emit(event.Record{Kind: event.Timeout, Node: r.coord, Peer: -1, Op: r.op.ID, What: "read", N: int64(f.Received), M: int64(r.need)})
	}
	c.finish(r.op, f)
}
