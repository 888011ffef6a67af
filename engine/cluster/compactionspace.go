package cluster

import (
	"fmt"
	"math"
	"slices"

	"ringlab/engine/event"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// Room that compactions leave on a disk. Source: Cassandra 5.0
// min_free_space_per_drive, max_space_usable_for_compactions_in_percentage.
const (
	minFreeSpace = 50 << 20
	usableSpace  = 0.95
)

// fit leaves the largest files out of a compaction until its output fits on the
// disk; false if it cannot.
// Source: Cassandra 5.0 CompactionTask.buildCompactionCandidatesForAvailableDiskSpace.
func (c *Cluster) fit(node int, k *Compaction) bool {
	n := c.Nodes[node]
	free := 0.0
	switch {
	case n.Data == DiskFull:
	case c.Set.DiskSpace <= 0:
		return true
	default:
		free = math.Floor(float64(max(c.Set.DiskSpace-n.DiskBytes()-minFreeSpace, 0))*usableSpace + 0.5)
	}
	for _, other := range n.running {
		free -= max(float64(other.BytesIn)-other.readAt(c.now), 0)
	}
	dropped := 0
	for float64(k.expected()) > free {
		largest := k.leaveOut()
		if largest == nil {
			n.Aborted++
			n.NoSpace = c.noSpace(k)
			c.log(node, "WARN", n.NoSpace)
			if c.Listening() {
				c.emit(event.Record{Kind: event.CompactAbort, Node: node, Peer: -1, What: k.Table.Keyspace + "." + k.Table.Name, Text: c.noSpace(k)})
			}
			return false
		}
		if c.Listening() {
			c.emit(event.Record{Kind: event.CompactReduce, Node: node, Peer: -1, What: k.Table.Keyspace + "." + k.Table.Name,
				Text: fmt.Sprintf("Not enough space for compaction, %dMiB estimated. Reducing scope.", k.expected()>>20)})
		}
		k.Inputs = slices.DeleteFunc(k.Inputs, func(t *storage.SSTable) bool { return t == largest })
		dropped++
	}
	if dropped > 0 {
		n.Reduced++
		n.Dropped += dropped
	}
	return true
}

// expected is the size of a compaction's output if nothing is merged away.
func (k *Compaction) expected() int64 {
	bytes := int64(0)
	for _, t := range k.Inputs {
		if !k.expired[t] {
			bytes += t.DataBytes
		}
	}
	return bytes
}

// leaveOut is the file to leave out of a compaction for which there is no room:
// the largest, of L0 where levels are; nil if that would leave nothing to do.
// Source: Cassandra 5.0 CompactionTask, LeveledCompactionTask.reduceScopeForLimitedSpace.
func (k *Compaction) leaveOut() *storage.SSTable {
	leveled := k.Table.Options.CompactionClass() == schema.Leveled
	if k.chosen || leveled && k.Level > 1 {
		return nil
	}
	var largest *storage.SSTable
	candidates := 0
	for _, t := range k.Inputs {
		if k.expired[t] || leveled && t.Level > 0 {
			continue
		}
		candidates++
		if largest == nil || t.DataBytes > largest.DataBytes {
			largest = t
		}
	}
	if candidates < 2 {
		return nil
	}
	return largest
}

func (c *Cluster) noSpace(k *Compaction) string {
	files := int64(1)
	if k.pick.MaxBytes > 0 {
		files = max(1, k.expected()/k.pick.MaxBytes)
	}
	return fmt.Sprintf("Not enough space for compaction of %s.%s, estimated sstables = %d, expected write size = %d", k.Table.Keyspace, k.Table.Name, files, k.expected())
}

// DiskBytes is what a node's files take.
func (n *Node) DiskBytes() int64 {
	total := int64(0)
	for _, s := range n.Stores {
		total += s.DiskBytes()
	}
	return total
}

// CompactionsAborted is how often a compaction was not begun, for want of space.
func (c *Cluster) CompactionsAborted() int {
	total := 0
	for _, n := range c.Nodes {
		total += n.Aborted
	}
	return total
}
