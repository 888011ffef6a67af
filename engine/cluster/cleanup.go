package cluster

import (
	"slices"

	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

// Cleaned is what a cleanup did to a table on a node.
type Cleaned struct {
	Table   *schema.Table
	Files   int // that held something that is not the node's
	Dropped int // of them, without anything that is
	Rows    int64
	Bytes   int64    // of files before less those after
	Took    sim.Time // at the pace of compactions
}

// Cleanup rewrites a node's files of a table without what lies in ranges that the
// node holds no replica of. Memtables stay as they are.
// Source: Cassandra 5.0 StorageService.forceKeyspaceCleanup, CompactionManager.CleanupStrategy.
func (c *Cluster) Cleanup(node int, t *schema.Table) (Cleaned, error) {
	out := Cleaned{Table: t}
	if m := c.movement; m != nil && m.future != nil {
		for _, h := range c.handovers(m, t.Keyspace) {
			if slices.Contains(h.gained(), node) {
				return out, refusal("Node is involved in cluster membership changes. Not safe to run cleanup.")
			}
		}
	}
	c.interrupt(node, t)
	s, minimum := c.Store(node, t), c.Partitioner().Minimum()
	mine := ring.Normalize(c.Placement(t.Keyspace).RangesOf(node), minimum)
	now := c.Seconds(node)
	read := int64(0)
	for _, file := range slices.Clone(s.SSTables) {
		inside, foreign := file.Section(mine, minimum)
		if len(foreign) == 0 || file.Pending != 0 || file.Suspect {
			continue
		}
		if len(inside) > 0 {
			if bad := file.CorruptIn(file.Parts); bad != nil {
				c.corrupted(node, t, bad, logCompaction)
				return out, refusal("%s", unserializable)
			}
		}
		out.Files++
		out.Bytes += file.DataBytes
		out.Rows += file.Rows
		var left []*storage.SSTable
		if len(inside) > 0 {
			read += file.DataBytes
			part := *file
			part.Parts = inside
			inputs := map[*storage.SSTable]bool{file: true}
			may := func(p *storage.Partition, ts int64) bool { return s.Purgeable(p, ts, inputs) }
			parts, stats, _ := storage.Compact(s.Table, []*storage.SSTable{&part}, now, now-int64(s.Table.Options.GCGrace), may)
			if len(parts) > 0 {
				m := c.making(s, "cleanup", file)
				s.NextGen++
				kept := storage.NewSSTable(s.Table, m, parts, stats)
				kept.Level, kept.RepairedAt = file.Level, file.RepairedAt
				left = append(left, kept)
				out.Bytes -= kept.DataBytes
				out.Rows -= kept.Rows
			}
		}
		if len(left) == 0 {
			out.Dropped++
		}
		s.Exchange(file, left...)
		for _, p := range foreign {
			c.removeEntries(node, c.indexesOf(s.Table), s.Table, p, &storage.Partition{Del: storage.Live}, now)
		}
		if c.Listening() {
			text := itoa(file.Gen) + " -> nothing"
			if len(left) > 0 {
				text = itoa(file.Gen) + " -> " + itoa(left[0].Gen)
			}
			c.emit(event.Record{Kind: event.Cleanup, Node: node, Peer: -1, What: t.Keyspace + "." + t.Name, Text: text})
		}
	}
	rate := c.Set.CompactionThroughput
	if rate <= 0 {
		rate = diskRate
	}
	out.Took = c.Nodes[node].service(sim.Time(read * int64(sim.Second) / rate))
	c.background(node, s)
	return out, nil
}
