package cluster

import (
	"slices"
	"sort"

	"ringlab/engine/event"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/ring"
)

// mismatch starts the second round of a read whose digests differ: full data
// from all that were asked. Source: Cassandra 5.0 AbstractReadRepair.startRepair.
func (c *Cluster) mismatch(r *request) {
	c.tr(r.op, r.coord, threadClient, "Digest mismatch: Mismatch for key DecoratedKey(%s, %x)", c.Partitioner().Format(r.query.Token), r.query.Key)
	if c.Listening() {
		c.emit(event.Record{Kind: event.Mismatch, Node: r.coord, Peer: -1, Op: r.op.ID, What: r.table.Keyspace + "." + r.table.Name,
			Text: r.table.KeyText([]byte(r.query.Key))})
	}
	if r.table.Options.ReadRepair == "BLOCKING" {
		c.Nodes[r.coord].Mismatches++
	}
	// The replicas whose answer came take part; one that was asked too late does not.
	kept := make([]contact, 0, len(r.contacts))
	for _, k := range r.contacts {
		if k.resp != nil {
			kept = append(kept, contact{node: k.node})
		}
	}
	r.contacts, r.full, r.got = kept, true, 0
	c.ask(r)
}

// reconcile merges the data of all contacts and repairs those that lack some of
// it. Source: Cassandra 5.0 DataResolver, BlockingReadRepair.
func (c *Cluster) reconcile(r *request) {
	if len(r.contacts) == 1 {
		c.deliver(r, r.contacts[0].resp.found)
		return
	}
	turn, beyond := r.mayMerge()
	if !turn {
		return
	}
	if beyond {
		c.deliver(r, r.contacts[0].resp.found)
		return
	}
	if c.protect(r) {
		return
	}
	merged, short := c.mergeFound(r)
	if short && c.fetchMore(r) {
		return
	}
	r.merged = merged[:len(merged)-r.hidden]
	if !(r.table.Options.ReadRepair == "BLOCKING") {
		c.deliver(r, r.merged)
		return
	}
	// Every partition waits for as many acknowledgements as the level needs, less
	// the replicas that lacked nothing of it.
	waits := make([]int, len(merged))
	beside := make([][]int, len(merged))
	for p := range waits {
		beside[p], waits[p] = c.repairPlan(r, merged[p].Token)
	}
	any := false
	lacking := make([][]repairWrite, len(merged))
	for i := range r.contacts {
		diffs := c.differences(r, r.contacts[i].resp.found, merged)
		dirty := false
		for p, d := range diffs {
			if d == nil {
				waits[p]--
				continue
			}
			dirty, any = true, true
			lacking[p] = append(lacking[p], repairWrite{node: r.contacts[i].node, part: d})
			c.sendRepair(r, r.contacts[i].node, p, d)
		}
		if dirty {
			r.op.Repaired++
		}
	}
	for p, all := range lacking {
		for _, node := range beside[p] {
			if len(all) == 0 {
				waits[p]--
				continue
			}
			full := c.unacked(r, all)
			lacking[p] = append(lacking[p], repairWrite{node: node, part: full})
			c.sendRepair(r, node, p, full)
		}
	}
	r.repair, r.waits, r.writes = 0, waits, lacking
	for _, w := range waits {
		if w > 0 {
			r.repair++
		}
	}
	if !any || r.repair == 0 {
		c.deliver(r, r.merged)
		return
	}
	for p := range waits {
		if waits[p] > 0 {
			c.armMoreWrites(r, p)
		}
	}
}

// differences are the writes that a copy lacks, one a merged partition, nil
// where it lacks nothing.
func (c *Cluster) differences(r *request, have, merged []*storage.Found) []*storage.Partition {
	out := make([]*storage.Partition, len(merged))
	byKey := make(map[string]*storage.Partition, len(have))
	for _, f := range have {
		byKey[f.Key] = f.Partition
	}
	for i, m := range merged {
		h := byKey[m.Key]
		if h == nil {
			h = &storage.Partition{Key: m.Key, Token: m.Token, Del: storage.Live}
		}
		out[i] = storage.Diff(r.table, m.Partition, h, r.wanted())
	}
	return out
}

// wanted says which cells a read repairs: those that the query selects, and the
// deletions of all collections that it reads.
// Source: Cassandra 5.0 RowIteratorMergeListener.isQueried.
func (r *request) wanted() func(*storage.Cell) bool {
	q := r.query
	if q.Columns == nil {
		return nil
	}
	return func(c *storage.Cell) bool {
		col := q.Table.ColumnByID(c.Column)
		switch {
		case c.Complex:
			return col == nil || q.Fetches(col)
		case !q.Columns[c.Column]:
			return false
		case q.Parts == nil || !c.HasPath:
			return true
		}
		return col == nil || q.Parts.Has(col, c.Path)
	}
}

// repairPlan says who a read repair of a partition writes to beside those that were
// asked, and how many acknowledgements it waits for. It writes to as many replicas as a
// write at the level would wait for: of ranges that were read together only common
// replicas were asked, and while the ring changes a write waits for more than a read.
// For EACH_QUORUM without data centers in the replication, that is a quorum of all
// replicas in the coordinator's one. Who is written to in vain lacks what any of the
// replicas lacked.
// Source: Cassandra 5.0 ReplicaPlans.writeReadRepair, eachQuorumForRead,
// RowIteratorMergeListener.buildFullDiff.
func (c *Cluster) repairPlan(r *request, token ring.Token) (beside []int, need int) {
	each := r.cl == plan.EachQuorum
	if c.movement == nil && (!each || len(r.strategy.DCs()) > 0) {
		return nil, r.need // those that were asked are enough
	}
	natural, pending := c.writeTo(c.Placement(r.table.Keyspace), r.table.Keyspace, token)
	need = c.blockForWrite(r.cl, r.strategy, r.coord, pending)
	asked := func(node int) bool {
		return slices.ContainsFunc(r.contacts, func(k contact) bool { return k.node == node })
	}
	left, all := map[string]int{}, need-len(r.contacts)
	if each {
		if len(r.strategy.DCs()) == 0 {
			left[c.Nodes[r.coord].DC] = quorum(r.strategy.RF())
		}
		for _, dc := range r.strategy.DCs() {
			left[dc] = quorum(r.strategy.RFIn(dc))
		}
		for _, node := range pending {
			left[c.Nodes[node].DC]++
		}
		for _, k := range r.contacts {
			left[c.Nodes[k.node].DC]--
		}
	}
	for _, node := range slices.Concat(natural, pending) {
		dc := c.Nodes[node].DC
		switch {
		case asked(node) || !c.Alive.Alive(r.coord, node):
		case each:
			if left[dc]--; left[dc] >= 0 {
				beside = append(beside, node)
			}
		case all > 0 && c.counts(r.cl, r.coord, node):
			all--
			beside = append(beside, node)
		}
	}
	return beside, need
}

// sendRepair writes a difference to a replica. The coordinator repairs itself by
// a message to itself.
func (c *Cluster) sendRepair(r *request, node, p int, d *storage.Partition) {
	c.tr(r.op, r.coord, threadResponse, "Sending read-repair-mutation to Full(/%s:7000,%s)", c.Nodes[node].Address, c.tokenRange(d.Token))
	c.postRepair(r, node, p, d)
}

// postRepair sends a repair's write.
func (c *Cluster) postRepair(r *request, node, p int, d *storage.Partition) {
	if c.Listening() {
		c.emit(event.Record{Kind: event.Repair, Node: r.coord, Peer: node, Op: r.op.ID, What: r.table.Keyspace + "." + r.table.Name})
	}
	t := task{kind: taskRepair, from: int32(r.coord), to: int32(node), req: r, part: d, gen: uint64(p)}
	if node == r.coord {
		c.sendSelf(r.op, t, 1, messageSize(r.table, d))
		return
	}
	c.send(r.op, t, 0, messageSize(r.table, d))
}

func (c *Cluster) onRepair(t *task) {
	r := t.req
	if !c.arrive(r.op, t, 0) || c.now > r.start+c.Set.ReadTimeout {
		return
	}
	if c.failsWrites(r.table) {
		c.failHere(r.op, int(t.to), r.coord, r.table)
		return // the coordinator waits in vain
	}
	c.logged(r.op, int(t.to))
	c.apply(r.op, int(t.to), r.table, t.part, messageSize(r.table, t.part))
	k := task{kind: taskRepairAck, from: t.to, to: int32(r.coord), req: r, gen: t.gen}
	if int(t.to) == r.coord {
		c.sendSelf(r.op, k, c.Nodes[t.to].service(serviceWrite), 33)
		return
	}
	c.send(r.op, k, c.Nodes[t.to].service(serviceWrite), 33)
}

func (c *Cluster) onRepairAck(t *task) {
	r := t.req
	if !c.arrive(r.op, t, 33) || r.settled || r.answered || r.repair <= 0 {
		return
	}
	if r.op.Traced {
		c.tr(r.op, r.coord, threadResponse, "Processing response from /%s:7000", c.Nodes[t.from].Address)
	}
	r.got++
	for i := range r.writes[t.gen] {
		if w := &r.writes[t.gen][i]; w.node == int(t.from) {
			w.acked = true
		}
	}
	if r.waits[t.gen]--; r.waits[t.gen] == 0 {
		if r.repair--; r.repair == 0 {
			c.deliver(r, r.merged)
		}
	}
}

// mergeFound merges the contacts' data and cuts the result off where the limit
// is reached. short says that this place lies behind the end of what some
// replica gave before a limit stopped it: what it holds there is not known.
// Source: Cassandra 5.0 DataResolver, ShortReadRowsProtection.
func (c *Cluster) mergeFound(r *request) (merged []*storage.Found, short bool) {
	q := r.query
	type group struct {
		token  ring.Token
		copies []*storage.Partition
	}
	byKey := map[string]*group{}
	var order []*group
	for i := range r.contacts {
		for _, f := range r.contacts[i].resp.found {
			g := byKey[f.Key]
			if g == nil {
				g = &group{token: f.Token}
				byKey[f.Key] = g
				order = append(order, g)
			}
			p := f.Partition
			if c.flaw == flawRanges && i > 0 {
				bare := *p
				bare.Ranges, p = nil, &bare
			}
			g.copies = append(g.copies, p)
		}
	}
	sort.SliceStable(order, func(i, j int) bool {
		if x := order[i].token.Compare(order[j].token); x != 0 {
			return x < 0
		}
		return order[i].copies[0].Key < order[j].copies[0].Key
	})
	if c.flaw == flawMap {
		order = order[:0]
		for _, g := range byKey {
			order = append(order, g)
		}
	}
	left := q.Limit
	for _, g := range order {
		if q.Limit > 0 && left <= 0 {
			break
		}
		limit := atMost(left, q.PerPartition)
		if q.Distinct {
			limit = 1
		}
		f := &storage.Found{Partition: storage.Merge(r.table, g.copies, q.Reversed)}
		if filter := r.filter(); filter != nil {
			filter.count(q, f, limit, filter.trusting)
		} else {
			short = c.trim(r, f, limit) || short
		}
		if limit > 0 && len(f.Rows) > 0 && f.Live >= limit {
			c.leaveOpen(r, f)
		}
		if q.Limit > 0 {
			left -= f.Live
		}
		merged = append(merged, f)
	}
	if r.op.groups != nil && !r.plain {
		return c.mergeGroups(r, merged)
	}
	if r.filter() != nil {
		return merged, false // all have given what passes
	}
	// A replica that stopped at its limit gave nothing of later partitions.
	for i := range r.contacts {
		found := r.contacts[i].resp.found
		live, _ := count(found)
		if q.Limit == 0 || live < r.asks().Limit || len(found) == 0 || len(merged) == 0 {
			continue
		}
		if end, last := found[len(found)-1], merged[len(merged)-1]; end.Before(last.Partition) || left > 0 {
			short = true
		}
	}
	return merged, short
}

// leaveOpen takes away the deleted slices that do not end before the last row of a
// partition: merging stopped there, before it came to their end, and nobody is told of them.
// Source: Cassandra 5.0 RowIteratorMergeListener.onMergedRangeTombstoneMarkers, closeOpenMarker.
func (c *Cluster) leaveOpen(r *request, f *storage.Found) {
	if len(f.Ranges) == 0 {
		return
	}
	p := *f.Partition
	p.Ranges = nil
	last := schema.Cut{Prefix: f.Rows[len(f.Rows)-1].Clustering(), After: r.query.Reversed}
	for _, rt := range f.Ranges {
		if !r.query.Reversed && r.table.CompareCuts(rt.To, last) <= 0 || r.query.Reversed && r.table.CompareCuts(rt.From, last) >= 0 {
			p.Ranges = append(p.Ranges, rt)
		}
	}
	f.Partition = &p
}

// trim cuts a merged partition off behind its limit-th live row (0 = no limit)
// and counts what is live. It says whether some contact's copy was cut off
// before that place.
func (c *Cluster) trim(r *request, f *storage.Found, limit int) (short bool) {
	q := r.query
	cutOff(f, limit, func(row storage.Row) bool { return row.HasLive(q.Now, q.Table.Strict()) })
	if f.Live == 0 && !f.Static.IsZero() && f.Static.HasLive(q.Now, false) && q.StaticAlone(f.Key) {
		f.Live = 1
	}
	for i := range r.contacts {
		for _, have := range r.contacts[i].resp.found {
			if have.Key != f.Key || !have.Cut || q.Distinct || r.op.groups != nil && !r.plain {
				continue
			}
			if len(have.Rows) == 0 || limit > 0 && f.Live < limit {
				return true
			}
			order := r.table.CompareClustering(have.Rows[len(have.Rows)-1].Clustering(), f.Rows[len(f.Rows)-1].Clustering())
			if q.Reversed {
				order = -order
			}
			if order < 0 {
				return true
			}
		}
	}
	return false
}

// fetchMore asks all contacts again for more rows than before, since what they
// gave turned out to be deleted on another one. It says whether it did.
// Source: Cassandra 5.0 ShortReadProtection.
func (c *Cluster) fetchMore(r *request) bool {
	q := *r.asks()
	if q.Limit > 1<<24 || q.PerPartition > 1<<24 || r.times > 1<<24 {
		return false
	}
	r.times = 2 * r.groupTimes()
	if q.Limit > 0 {
		q.Limit *= 2
	}
	if q.PerPartition > 0 {
		q.PerPartition *= 2
	}
	extra := max(r.query.Limit, r.query.PerPartition)
	if r.op.groups != nil {
		extra = r.op.groups.Limit()
	}
	for i := range r.contacts {
		c.tr(r.op, r.coord, threadResponse, "Requesting %d extra rows from Full(/%s:7000,%s) for short read protection", extra,
			c.Nodes[r.contacts[i].node].Address, c.rangeText(r.query))
		r.contacts[i].resp = nil
	}
	r.wide, r.full, r.got, r.missing = &q, true, 0, 0
	c.ask(r)
	return true
}

// cutOff cuts a partition off behind its limit-th row that counts (0: none) and
// adds those to Live.
func cutOff(f *storage.Found, limit int, counts func(storage.Row) bool) {
	for n, row := range f.Rows {
		if limit > 0 && f.Live == limit {
			p := *f.Partition
			p.Rows = p.Rows[:n]
			f.Partition, f.Cut = &p, true
			return
		}
		if counts(row) {
			f.Live++
		}
	}
}
