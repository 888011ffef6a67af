package nodetool

import (
	"math"
	"strconv"

	"ringlab/engine/cluster"
	"ringlab/model/schema"
)

// rewriteVerbs write files anew.
func rewriteVerbs() []*Verb {
	return []*Verb{
		{Name: "garbagecollect", Usage: "[<keyspace> <tables>...]", Help: "Remove deleted data from one or more tables", most: list, run: garbageCollect,
			options: []option{{names: "-g --granularity", title: "granularity"}, jobs}},
		{Name: "upgradesstables", Usage: "[<keyspace> <tables>...]",
			Help: "Rewrite sstables (for the requested tables) that are not on the current version (thus upgrading them to said current version)",
			most: list, run: upgradeSSTables,
			options: []option{{names: "-a --include-all-sstables"}, {names: "-t --max-timestamp", title: "max_timestamp"}, jobs}},
		{Name: "recompress_sstables", Usage: "[<keyspace> <tables>...]",
			Help: "Rewrite sstables (for the requested tables) that have compression configuration different from the current",
			most: list, run: recompressSSTables, options: []option{jobs}},
		{Name: "relocatesstables", Usage: "<keyspace> <table>", Help: "Relocates sstables to the correct disk", most: list, run: relocateSSTables, options: []option{jobs}},
	}
}

var jobs = option{names: "-j --jobs", title: "jobs", number: true}

// jobsOf is how many files -j asks for at once, 0 for as many as can be.
func (k *call) jobsOf(usual int) int {
	if text, given := k.options["-j"]; given {
		usual, _ = strconv.Atoi(text)
	}
	return max(usual, 0)
}

// checkJobs is jobsOf with a word for more than the node has threads for.
// Source: Cassandra 5.0 NodeProbe.checkJobs.
func (k *call) checkJobs(usual int) int {
	n, most := k.jobsOf(usual), k.Set.ConcurrentCompactors
	if n > most {
		k.printf("jobs (%d) is bigger than configured concurrent_compactors (%d) on the host, using at most %d threads\n", n, most, most)
	}
	return n
}

// garbageCollect. Source: Cassandra 5.0 GarbageCollect, StorageService.garbageCollect.
func garbageCollect(k *call) error {
	granularity := cluster.GarbageRow
	switch text, given := k.options["-g"]; {
	case text == "CELL":
		granularity = cluster.GarbageCell
	case text == "NONE":
		granularity = cluster.GarbageNone
	case given && text != "ROW":
		return failed("No enum constant org.apache.cassandra.schema.CompactionParams.TombstoneOption.%s", text)
	}
	tables, err := k.tables()
	if err != nil {
		return err
	}
	for _, t := range tables {
		if t.IndexOf != nil {
			continue // which the node only logs
		}
		if err := k.CollectGarbage(k.node.Index, t, granularity, k.jobsOf(1)); err != nil {
			return failed("%s", err)
		}
	}
	return nil
}

// upgradeSSTables. Source: Cassandra 5.0 UpgradeSSTable, StorageService.upgradeSSTables.
func upgradeSSTables(k *call) error {
	before := int64(0)
	if text, given := k.options["-t"]; given {
		var err error
		if before, err = strconv.ParseInt(text, 10, 64); err != nil {
			return misused("max_timestamp: can not convert \"%s\" to a long", text)
		}
		if before == math.MaxInt64 {
			before = 0
		}
	}
	tables, err := k.tablesOr(nil)
	if err != nil {
		return err
	}
	n := k.checkJobs(2)
	for _, t := range tables {
		for _, t := range append([]*schema.Table{t}, k.IndexTables(t)...) {
			if err := k.Upgrade(k.node.Index, t, k.has("-a"), before, n); err != nil {
				return failed("%s", err)
			}
		}
	}
	return nil
}

// recompressSSTables. Source: Cassandra 5.0 RecompressSSTables, StorageService.recompressSSTables.
func recompressSSTables(k *call) error {
	tables, err := k.tablesOr(nil)
	if err != nil {
		return err
	}
	n := k.checkJobs(2)
	for _, t := range tables {
		for _, t := range append([]*schema.Table{t}, k.IndexTables(t)...) {
			if err := k.Recompress(k.node.Index, t, n); err != nil {
				return failed("%s", err)
			}
		}
	}
	return nil
}

// relocateSSTables finds every file in its place: a node has one data directory here.
// Source: Cassandra 5.0 RelocateSSTables, CompactionManager.relocateSSTables.
func relocateSSTables(k *call) error {
	_, err := k.tablesOr(nil)
	return err
}
