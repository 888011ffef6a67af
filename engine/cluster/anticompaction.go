package cluster

import (
	"slices"

	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/ring"
)

// compared says which files a repair compares and sends: all, or those that it has
// set aside.
func (c *Cluster) compared(r *Repair) func(*storage.SSTable) bool {
	switch {
	case r.Preview == PreviewUnrepaired:
		return func(t *storage.SSTable) bool { return t.RepairedAt == 0 }
	case r.Preview == PreviewRepaired:
		return func(t *storage.SSTable) bool { return t.RepairedAt != 0 }
	case !r.incremental():
		return func(t *storage.SSTable) bool { return true }
	}
	return func(t *storage.SSTable) bool { return t.Pending == r.id }
}

// anticompact sets aside what a node holds of an incremental repair's ranges and no
// repair has seen yet: memtables are flushed, compactions end without a result,
// and files that reach beyond the ranges are cut in two. It says how long that
// takes, and whether all files could be read and written. Source: Cassandra 5.0 PendingAntiCompaction, CompactionManager.antiCompactGroup.
func (c *Cluster) anticompact(r *Repair, node int) (took sim.Time, ok bool) {
	var mine []ring.Range
	for _, s := range r.sessions {
		if slices.Contains(s.replicas, node) {
			mine = append(mine, s.ranges...)
		}
	}
	minimum := c.Partitioner().Minimum()
	ranges := ring.Normalize(mine, minimum)
	rewritten := int64(0)
	for _, t := range r.Tables {
		c.Flush(node, t)
		c.interrupt(node, t)
		s := c.Store(node, t)
		if s.Mem.Partitions() > 0 { // it could not be flushed
			return 0, false
		}
		for _, file := range slices.Clone(s.SSTables) {
			if sideOf(file) != unrepaired {
				continue
			}
			inside, outside := file.Section(ranges, minimum)
			switch {
			case len(inside) == 0:
			case len(outside) == 0:
				whole := *file
				whole.Pending = r.id
				s.Exchange(file, &whole)
			case c.fileFails(node, t, file.Parts, file) || c.unwritable(node, t):
				return 0, false
			default:
				m := c.making(s, "anticompaction", file)
				m.Logs = storage.LogsOf([]*storage.SSTable{file})
				in := file.Part(s.Table, m, inside)
				in.Pending = r.id
				m.Gen++
				out := file.Part(s.Table, m, outside)
				s.NextGen += 2
				s.Exchange(file, in, out)
				rewritten += file.DataBytes
				if c.Listening() {
					c.emit(event.Record{Kind: event.Anticompact, Node: node, Peer: r.Coord, What: t.Keyspace + "." + t.Name,
						Text: itoa(file.Gen) + " -> " + itoa(in.Gen) + " for the repair, " + itoa(out.Gen)})
				}
			}
		}
	}
	rate := c.Set.CompactionThroughput
	if rate <= 0 {
		rate = diskRate
	}
	return sim.Time(rewritten * int64(sim.Second) / rate), true
}

// promote marks what a repair has compared and brought as repaired.
// Source: Cassandra 5.0 PendingRepairManager.RepairFinishedCompactionTask.
func (c *Cluster) promote(r *Repair, node int) { c.settleFiles(r, node, r.repairedAt) }

// release gives the files of a repair that failed back.
func (c *Cluster) release(r *Repair, node int) { c.settleFiles(r, node, 0) }

func (c *Cluster) settleFiles(r *Repair, node int, repairedAt int64) {
	for _, t := range r.Tables {
		s := c.Nodes[node].Stores[t.ID]
		if s == nil {
			continue
		}
		for _, file := range slices.Clone(s.SSTables) {
			if file.Pending == r.id {
				settled := *file
				settled.Pending, settled.RepairedAt = 0, repairedAt
				s.Exchange(file, &settled)
			}
		}
		c.background(node, s)
	}
}
