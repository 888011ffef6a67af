package cluster

import (
	"ringlab/engine/sim"
	"ringlab/engine/storage"
)

// repairWrite is what a read repair has written to a replica.
type repairWrite struct {
	node  int
	part  *storage.Partition
	acked bool
}

// unacked is what those replicas lacked together that have not answered yet, nil for nothing.
func (c *Cluster) unacked(r *request, writes []repairWrite) *storage.Partition {
	var parts []*storage.Partition
	for _, w := range writes {
		if !w.acked {
			parts = append(parts, w.part)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return storage.Merge(r.table, parts, r.query.Reversed)
}

// armMoreWrites sets the timer after which the repair of a partition is written to more
// replicas: additional_write_policy, no time at all for NONE, whose threshold overflows,
// and half of the write timeout for a percentile, as before anything is known of writes.
// Source: Cassandra 5.0 BlockingPartitionRepair.maybeSendAdditionalWrites,
// NeverSpeculativeRetryPolicy, ColumnFamilyStore.additionalWriteLatencyMicros.
func (c *Cluster) armMoreWrites(r *request, p int) {
	wait := sim.Time(0)
	switch kind, value := speculation(r.table.Options.AdditionalWritePolicy); kind {
	case "fixed":
		wait = sim.Time(value * 1000)
	case "percentile":
		wait = c.Set.WriteTimeout / 2
	}
	t := task{kind: taskMoreWrites, from: int32(r.coord), to: int32(r.coord), req: r, gen: uint64(p)}
	if wait == 0 {
		c.onMoreWrites(&t)
		return
	}
	c.queue.Push(c.now+wait, t)
}

// onMoreWrites writes what was not acknowledged to the live replicas that the read did not
// ask, for a local level to those of its data center. Their answers count like the others.
func (c *Cluster) onMoreWrites(t *task) {
	r, p := t.req, int(t.gen)
	if r.answered || r.settled || r.op.Done || r.waits[p] <= 0 || c.Nodes[r.coord].Down {
		return
	}
	part := c.unacked(r, r.writes[p])
	if part == nil {
		return
	}
	natural, pending := c.writeTo(c.Placement(r.table.Keyspace), r.table.Keyspace, part.Token)
	for _, node := range append(append([]int(nil), natural...), pending...) {
		if !c.Alive.Alive(r.coord, node) || r.cl.IsLocal() && c.Nodes[node].DC != c.Nodes[r.coord].DC || r.wroteTo(node, p) {
			continue
		}
		c.tr(r.op, r.coord, threadClient, "Sending speculative read-repair-mutation to Full(/%s:7000,%s)", c.Nodes[node].Address, c.tokenRange(part.Token))
		c.postRepair(r, node, p, part)
	}
}

// wroteTo says whether a replica takes part in the repair of a partition: it was asked, or written to.
func (r *request) wroteTo(node, p int) bool {
	for _, k := range r.contacts {
		if k.node == node {
			return true
		}
	}
	for _, w := range r.writes[p] {
		if w.node == node {
			return true
		}
	}
	return false
}
