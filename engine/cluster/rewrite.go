package cluster

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"ringlab/engine/compaction"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// Granularity is which garbage of other files' making a compaction leaves out.
// Source: Cassandra 5.0 CompactionParams.TombstoneOption.
type Granularity uint8

// The granularities.
const (
	GarbageNone Granularity = iota
	GarbageRow              // what deletions of partitions, ranges and rows shadow
	GarbageCell             // cells that are deleted or overwritten, too
)

// granularity is that of a table's compactions: its option
// provide_overlapping_tombstones.
func granularity(o schema.Options) Granularity {
	switch strings.ToUpper(o.CompactionText("provide_overlapping_tombstones")) {
	case "ROW":
		return GarbageRow
	case "CELL":
		return GarbageCell
	}
	return GarbageNone
}

// shadows are the files whose content a compaction that begins now looks at for
// its inputs' garbage; nil for none.
// Source: Cassandra 5.0 CompactionController.refreshOverlaps, shadowSources.
func (c *Cluster) shadows(node int, k *Compaction) *storage.Shadows {
	s := c.Nodes[node].Stores[k.Table.ID]
	if k.garbage == GarbageNone || s == nil || k.keepsTombstones() {
		return nil
	}
	out := &storage.Shadows{Cells: k.garbage == GarbageCell, Since: math.MaxInt64}
	for _, f := range s.SSTables {
		if slices.Contains(k.Inputs, f) {
			out.Since = min(out.Since, f.File().MinTimestamp)
		} else {
			out.Files = append(out.Files, f)
		}
	}
	return out
}

// keepsTombstones says whether a compaction's inputs are not repaired, where the
// table's option only_purge_repaired_tombstones asks for that.
func (k *Compaction) keepsTombstones() bool { return onlyRepaired(k.Table) && k.side != repaired }

func onlyRepaired(t *schema.Table) bool {
	return strings.EqualFold(t.Options.CompactionText("only_purge_repaired_tombstones"), "true")
}

// CollectGarbage compacts each of a node's files of a table by itself, the one
// whose newest data is oldest first, and leaves out what the others shadow. Up to jobs
// files are done at once, with 0 as many as there are compactors.
// Source: Cassandra 5.0 CompactionManager.performGarbageCollection.
func (c *Cluster) CollectGarbage(node int, t *schema.Table, g Granularity, jobs int) error {
	var files []*storage.SSTable
	for _, f := range c.trusted(c.Store(node, t)) {
		if !onlyRepaired(t) || sideOf(f) == repaired {
			files = append(files, f)
		}
	}
	slices.SortStableFunc(files, func(a, b *storage.SSTable) int { return cmp.Compare(a.File().MaxTimestamp, b.File().MaxTimestamp) })
	return c.rewrite(node, t, files, jobs, func(f compaction.File, table *compaction.Table, s *storage.TableStore) *Compaction {
		k := c.compactionOf(node, s, compaction.Pick{Files: []compaction.File{f}, Level: f.Level, Why: "nodetool garbagecollect"}, table)
		k.Type, k.garbage = typeGarbage, g
		return k
	})
}

// Upgrade writes a node's files of a table anew: without all, those of another format
// only. before, in ms of Unix time, leaves out files that are not older; 0 for none.
func (c *Cluster) Upgrade(node int, t *schema.Table, all bool, before int64, jobs int) error {
	return c.renew(node, t, jobs, func(f *storage.SSTable) bool {
		return (all || f.Format != c.Set.Format) && (before == 0 || c.epoch*1000+f.Created/1000 < before)
	})
}

// Recompress writes those of a node's files of a table anew that are compressed
// otherwise than the table says now. Flushes for whose compressor a faster one stood
// in are among them.
func (c *Cluster) Recompress(node int, t *schema.Table, jobs int) error {
	now := storage.PackingOf(t.Options, false)
	return c.renew(node, t, jobs, func(f *storage.SSTable) bool { return !f.Packing().Same(&now) })
}

// renew writes some of a node's files of a table anew, the largest first, as its
// strategy writes one that is chosen. Nothing is purged.
// Source: Cassandra 5.0 CompactionManager.performSSTableRewrite.
func (c *Cluster) renew(node int, t *schema.Table, jobs int, which func(*storage.SSTable) bool) error {
	var files []*storage.SSTable
	for _, f := range c.trusted(c.Store(node, t)) {
		if which(f) {
			files = append(files, f)
		}
	}
	slices.SortStableFunc(files, func(a, b *storage.SSTable) int { return cmp.Compare(b.OnDisk, a.OnDisk) })
	return c.rewrite(node, t, files, jobs, func(f compaction.File, table *compaction.Table, s *storage.TableStore) *Compaction {
		table.GCBefore = math.MinInt64
		pick := c.compacting(node, s).strategy.Chosen(table, []compaction.File{f})
		if pick.Level = f.Level; pick.Cut == compaction.BySize {
			pick.MaxBytes = math.MaxInt64
		}
		k := c.compactionOf(node, s, pick, table)
		k.Type = typeUpgrade
		return k
	})
}

// rewrite compacts files one by one in that order, up to jobs of them at once, and
// lets time pass until all are done. Running compactions of the table end without a
// result, and none begins before all files are done. The error is what failed first.
// Source: Cassandra 5.0 CompactionManager.parallelAllSSTableOperation.
func (c *Cluster) rewrite(node int, t *schema.Table, files []*storage.SSTable, jobs int, compactionOf func(compaction.File, *compaction.Table, *storage.TableStore) *Compaction) (err error) {
	c.interrupt(node, t)
	s := c.Store(node, t)
	state := c.compacting(node, s)
	for _, f := range files {
		f.Busy = true
	}
	var running []*Compaction
	wait := func(most int) {
		for len(running) > most {
			next, ok := c.NextAt()
			if !ok {
				return
			}
			c.Advance(next)
			running = slices.DeleteFunc(running, func(k *Compaction) bool {
				if k.Finished() && k.Failed != "" && err == nil {
					err = refusal("%s", k.Failed)
				}
				return k.Finished()
			})
		}
	}
	for _, f := range files {
		if jobs > 0 {
			wait(jobs - 1)
		}
		if f.Busy = false; err != nil {
			continue
		}
		table := c.compactionTable(node, s, state, sideOf(f))
		i := slices.IndexFunc(table.Files, func(x compaction.File) bool { return x.Gen == f.Gen })
		k := compactionOf(table.Files[i], table, s)
		k.chosen = true
		if !c.begin(node, k) {
			err = refusal("%s", c.noSpace(k))
			continue
		}
		running = append(running, k)
	}
	wait(0)
	c.background(node, s)
	return err
}
