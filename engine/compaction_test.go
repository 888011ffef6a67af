package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/storage"
)

// cutCase is a table whose files a real node wrote: after each of two flushes of
// 3,000 partitions, half of them the same, and after a major compaction.
type cutCase struct {
	compaction string
	files      [3][]int64 // bytes, by generation
	levels     []int      // of the last
}

// TestFilesAreCutAsOnARealNode: flushes of UCS are cut at the shards, compactions
// of UCS at the shards that the output's density asks for, and major compactions
// of LCS behind the size of a file, filling one level after the other. Recorded
// from a node of one rack with 16 tokens; it owns everything, so the shards are the
// same with any tokens.
func TestFilesAreCutAsOnARealNode(t *testing.T) {
	for _, c := range []cutCase{
		{"'LeveledCompactionStrategy', 'sstable_size_in_mb': 1, 'fanout_size': 2", [3][]int64{{3089994}, {3089994, 3090002}, {1049605, 1049476, 1049585, 1049584, 436747}}, []int{1, 1, 2, 2, 2}},
		{"'UnifiedCompactionStrategy', 'min_sstable_size': '0B', 'target_sstable_size': '1MiB'", [3][]int64{{739548, 794056, 782875, 773515},
			{739548, 794056, 782875, 773515, 767358, 805363, 750935, 766346}, {1119650, 1197777, 1174284, 1143286}}, nil},
		{"'UnifiedCompactionStrategy', 'min_sstable_size': '0B', 'base_shard_count': 3, 'sstable_growth': '0', 'target_sstable_size': '1MiB'", [3][]int64{{1016586, 1045436, 1027972},
			{1016586, 1045436, 1027972, 1025839, 1060899, 1003264}, {797153, 748797, 799324, 771477, 750914, 767332}}, nil},
	} {
		for _, ring := range []string{"dc1=1", "dc1=1 vnodes=16"} {
			lab, err := engine.New(engine.Options{Ring: ring})
			if err != nil {
				t.Fatal(err)
			}
			r := &storageRun{lab: lab}
			check := func(what string) {
				if what != "" {
					t.Fatal(what)
				}
			}
			check(r.do([]string{"CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
				"CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH compaction = {'enabled': 'false', 'class': " + c.compaction + "} AND compression = {'enabled': 'false'}"}))
			r.table = lab.Core().Cluster.Schema.Table("ks", "t")
			for step, want := range c.files {
				if step < 2 {
					for i := step * 1500; i < step*1500+3000; i++ {
						check(r.do([]string{fmt.Sprintf("INSERT INTO ks.t (k, v) VALUES (%d, '%s') USING TIMESTAMP %d", i, strings.Repeat("x", 1000+i%7), 1600000000000000+step)}))
					}
					check(r.do([]string{":flush"}))
				} else {
					check(r.do([]string{":compact"}))
				}
				var got []int64
				var levels []int
				for _, f := range r.sorted() {
					got, levels = append(got, f.DataBytes), append(levels, f.Level)
				}
				if step == 2 && c.levels == nil { // several compactions at once
					slices.Sort(got)
					want = slices.Sorted(slices.Values(want))
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s on %s, step %d: files have %v bytes, a real node's %v", c.compaction, ring, step+1, got, want)
				}
				if step == 2 && c.levels != nil && !slices.Equal(levels, c.levels) {
					t.Errorf("%s on %s: levels are %v, a real node's %v", c.compaction, ring, levels, c.levels)
				}
			}
		}
	}
}

// sorted are the table's files by generation.
func (r *storageRun) sorted() []*storage.SSTable {
	files := slices.Clone(r.store().SSTables)
	slices.SortFunc(files, func(a, b *storage.SSTable) int { return a.Gen - b.Gen })
	return files
}
