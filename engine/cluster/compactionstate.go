package cluster

import (
	"math"
	"slices"

	"ringlab/engine/compaction"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// compacting is what a node's compaction knows of one table.
type compacting struct {
	options  []schema.Option // that the strategy was made of
	strategy compaction.Strategy
	memory   [2]compaction.Memory // by side
	flushed  flushAverage
	last     compaction.Pick // what the strategy said last
	due      sim.Time        // of the check that waits, 0 for none
}

// side tells the files that a repair has seen from the others: what compacts one
// kind never takes one of the other, so that repaired stays repaired.
// Source: Cassandra 5.0 CompactionStrategyManager, CompactionStrategyHolder.
type side int

const (
	unrepaired side = iota
	repaired
	inRepair // not compacted until the repair is over
)

// sides are those whose files are compacted, of all.
var (
	sides    = [...]side{unrepaired, repaired}
	allSides = [...]side{unrepaired, repaired, inRepair}
)

func sideOf(t *storage.SSTable) side {
	switch {
	case t.Pending != 0:
		return inRepair
	case t.RepairedAt != 0:
		return repaired
	}
	return unrepaired
}

// compacting is a table's compaction on a node. It begins anew when the table's
// options change. Source: Cassandra 5.0 CompactionStrategyManager.
func (c *Cluster) compacting(node int, s *storage.TableStore) *compacting {
	k := c.lookCompacting(node, s)
	c.Nodes[node].tables[s.Table.ID] = k
	return k
}

// lookCompacting is compacting for who only looks.
func (c *Cluster) lookCompacting(node int, s *storage.TableStore) *compacting {
	k := c.Nodes[node].tables[s.Table.ID]
	if k != nil && slices.Equal(k.options, s.Table.Options.Compaction) {
		return k
	}
	begun := &compacting{options: s.Table.Options.Compaction, strategy: CompactionStrategy(s.Table.Options), flushed: flushAverage(math.NaN())}
	if k != nil {
		begun.flushed = k.flushed
	}
	for _, side := range sides {
		begun.memory[side] = compaction.NewMemory(begun.strategy, c.filesOf(node, s, side), c.Clock(node)/1000)
	}
	return begun
}

// flushAverage is the moving average of flushes in bytes, NaN before the first.
// Source: Cassandra 5.0 TableMetrics.flushSizeOnDisk, ExpMovingAverage.decayBy1000.
type flushAverage float64

func (a *flushAverage) note(bytes int64) {
	if math.IsNaN(float64(*a)) {
		*a = flushAverage(bytes)
	} else {
		*a += flushAverage(0.0046 * (float64(bytes) - float64(*a)))
	}
}

// filesOf are a store's files of one side as a strategy sees them, oldest
// generation first.
func (c *Cluster) filesOf(node int, s *storage.TableStore, side side) []compaction.File {
	space := c.spaceOf(node, s.Table)
	out := make([]compaction.File, 0, len(s.SSTables))
	for i := len(s.SSTables) - 1; i >= 0; i-- {
		if sideOf(s.SSTables[i]) != side {
			continue
		}
		f := s.SSTables[i].File()
		f.Created += c.epoch * 1000
		f.Hot = s.SSTables[i].Hotness(s.Table, int64(c.now))
		f.Span = space.span(f.First.Token, f.Last.Token)
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b compaction.File) int { return a.Gen - b.Gen })
	return out
}

// compactionTable is what a strategy sees of one side of a table.
func (c *Cluster) compactionTable(node int, s *storage.TableStore, k *compacting, side side) *compaction.Table {
	space := c.spaceOf(node, s.Table)
	var beside []compaction.File
	for _, other := range allSides {
		if other != side {
			beside = append(beside, c.filesOf(node, s, other)...)
		}
	}
	return &compaction.Table{Files: c.filesOf(node, s, side), Beside: beside, Now: c.Clock(node) / 1000, GCBefore: c.Seconds(node) - int64(s.Table.Options.GCGrace),
		MemTimestamp: s.Mem.MinTimestamp(), Coverage: space.coverage(), FlushBytes: float64(k.flushed), SpanOf: space.span,
		Draw: func(n int) int { return int(c.picks.Uint64() % uint64(n)) }}
}

// Compacting is what people are shown of a table's compaction on a node: tiers of
// unrepaired files, then those of repaired ones.
type Compacting struct {
	Tiers []compaction.Tier
	Next  compaction.Pick // what would be picked now
	Last  compaction.Pick // what was picked last, if that was something
}

// Compacting looks at a table's compaction without changing anything.
func (c *Cluster) Compacting(node int, t *schema.Table) Compacting {
	s := c.Store(node, t)
	k := c.lookCompacting(node, s)
	out := Compacting{Last: k.last}
	for _, side := range sides {
		table := c.compactionTable(node, s, k, side)
		if side == repaired && len(table.Files) == 0 {
			break
		}
		table.Draw = func(int) int { return 0 }
		memory := k.memory[side]
		tiers := k.strategy.Tiers(table, &memory)
		for i := range tiers {
			if side == repaired {
				tiers[i].Name = "repaired " + tiers[i].Name
			}
		}
		out.Tiers = append(out.Tiers, tiers...)
		if next := k.strategy.Next(table, &memory); side == unrepaired {
			out.Next = next
		} else {
			next.Pending += out.Next.Pending
			if out.Next.Files == nil && next.Files != nil {
				out.Next = next
			}
			out.Next.Pending = next.Pending
		}
	}
	return out
}
