package cluster

import (
	"fmt"
	"slices"
	"strings"

	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

// ClassicSize is what a partition takes in the layouts before 3.0, in bytes.
type ClassicSize struct {
	Row  int64 // behind its key and length: deletion, number of columns and columns
	File int64 // in a data file of 2.1: key, deletion, columns and end
}

// largeRow is a row that a compaction of the classic system reads twice.
type largeRow struct {
	key    string
	token  ring.Token
	inputs int
	bytes  int64 // of all inputs, in the classic layout
	now    int64 // of all inputs, as they lie in the files
}

// largeRows are the rows that a compaction of 1.0 or 1.2 does not hold in memory:
// those whose inputs together pass in_memory_compaction_limit_in_mb. A first pass
// computes their index, filter and size, a second one writes them. A row of one
// input is copied as it is while other files have its key too.
// Source: Cassandra 1.0 CompactionController.getCompactedRow, LazilyCompactedRow, EchoedRow.
func (c *Cluster) largeRows(s *storage.TableStore, k *Compaction) []largeRow {
	if c.Set.Classic != "1.0" && c.Set.Classic != "1.2" || c.classicSize == nil {
		return nil
	}
	rows := map[string]*largeRow{}
	inside := map[*storage.SSTable]bool{}
	for _, in := range k.Inputs {
		inside[in] = true
		for _, p := range in.Parts {
			r := rows[p.Key]
			if r == nil {
				r = &largeRow{key: p.Key, token: p.Token}
				rows[p.Key] = r
			}
			r.inputs++
			r.bytes += c.classicSize(s.Table, p).Row
		}
	}
	for key, r := range rows {
		if r.bytes <= c.Set.InMemoryCompactionLimit || r.inputs == 1 && elsewhere(s, inside, r) {
			delete(rows, key)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	var out []largeRow
	for _, in := range k.Inputs {
		in.Weights(s.Table, func(w storage.Weight) {
			if r := rows[w.Key]; r != nil {
				r.now += w.Bytes
				if r.inputs--; r.inputs == 0 {
					out = append(out, *r)
				}
			}
		})
	}
	slices.SortFunc(out, func(a, b largeRow) int {
		if order := a.token.Compare(b.token); order != 0 {
			return order
		}
		return strings.Compare(a.key, b.key)
	})
	return out
}

// elsewhere says whether a file outside of a compaction may have a row's key.
// Source: Cassandra 1.0 ColumnFamilyStore.isKeyInRemainingSSTables.
func elsewhere(s *storage.TableStore, inside map[*storage.SSTable]bool, r *largeRow) bool {
	for _, t := range s.SSTables {
		if inside[t] {
			continue
		}
		if _, found := t.Lookup(r.token, r.key); found != "bloom" && found != "range" {
			return true
		}
	}
	return false
}

// tellLargeRows logs them as their compaction starts.
func (c *Cluster) tellLargeRows(node int, k *Compaction) {
	for _, r := range k.large {
		c.log(node, "INFO", fmt.Sprintf("Compacting large row %s/%s:%s (%d bytes) incrementally", k.Table.Keyspace, k.Table.Name, k.Table.KeyText([]byte(r.key)), r.bytes))
	}
}

// warnLargePartitions is the warning of 2.1 for partitions of a new file above
// compaction_large_partition_warning_threshold_mb.
// Source: Cassandra 2.1 SSTableWriter.maybeLogLargePartitionWarning.
func (c *Cluster) warnLargePartitions(node int, t *schema.Table, f *storage.SSTable) {
	if c.Set.Classic != "2.1" || c.classicSize == nil {
		return
	}
	for _, p := range f.Parts {
		if n := c.classicSize(t, p).File; n > c.Set.LargePartitionWarning {
			c.log(node, "WARN", fmt.Sprintf("Compacting large partition %s/%s:%s (%d bytes)", t.Keyspace, t.Name, t.KeyText([]byte(p.Key)), n))
		}
	}
}
