package admin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/nodetool"
	"ringlab/engine/sim"
)

func init() {
	register(
		&Command{Name: "compact", Group: "storage", Usage: "[NODE] [ks[.table]] [--split-output] | [NODE] --user-defined ks.table GENERATION…",
			Help: "start a major compaction, or one of chosen SSTables, and let it finish", Run: compact},
		&Command{Name: "compactionstats", Group: "storage", Usage: "[NODE]", Help: "running compactions with their progress; of a node its counts", Run: compactionStats},
		&Command{Name: "compactionhistory", Group: "storage", Usage: "", Help: "finished compactions", Run: compactionHistory},
		&Command{Name: "compaction-duel", Group: "storage", Usage: "[NODE] ks.table [STCS] [LCS] [TWCS] [UCS] [option=value …]",
			Help: "what other compaction strategies would have made of a table's flushes", Run: compactionDuel},
		&Command{Name: "setcompactionthroughput", Group: "storage", Usage: "MEBIBYTES", Help: "limit what a node's compactions read in a second; 0 for no limit", Run: setCompactionThroughput},
	)
}

func compact(ctx *Context, a Args) ([]*answer.Answer, error) {
	if a.Has("--user-defined") {
		return compactFiles(ctx, a.Without("--user-defined"))
	}
	split := a.Has("--split-output") || a.Has("-s")
	a.Words = a.Without("--split-output", "-s")
	nodes, tables, err := targets(ctx, a)
	if err != nil {
		return nil, err
	}
	aborted := ctx.Cluster.CompactionsAborted()
	var started []*cluster.Compaction
	for _, n := range nodes {
		for _, t := range tables {
			if !n.Down {
				started = append(started, ctx.Cluster.Compact(n.Index, t, split)...)
			}
		}
	}
	switch {
	case len(started) == 0 && ctx.Cluster.CompactionsAborted() > aborted:
		return nil, fmt.Errorf("there is not enough space for the compaction; `:set disk_space` says how much the nodes have, `:disk` which disks are full")
	case len(started) == 0:
		return message("Nothing to compact: there are no free SSTables; `:flush` writes the memtables to some."), nil
	}
	return letFinish(ctx, started), nil
}

// compactFiles reads [NODE] ks.table GENERATION…; a generation may be written as
// the file's name, nb-3-big-Data.db.
func compactFiles(ctx *Context, words []string) ([]*answer.Answer, error) {
	nodes := ctx.Cluster.Members()
	if len(words) > 0 {
		if n, ok := ctx.Cluster.Find(words[0]); ok {
			nodes, words = []*cluster.Node{n}, words[1:]
		}
	}
	if len(words) < 2 {
		return nil, usageError(byName["compact"])
	}
	t, err := tableOrIndex(ctx, words[0])
	if err != nil {
		return nil, err
	}
	var gens []int
	for _, w := range words[1:] {
		text := w
		if parts := strings.Split(w, "-"); len(parts) == 4 && parts[0] == "nb" && parts[2] == "big" {
			text = parts[1]
		}
		g, err := strconv.Atoi(text)
		if err != nil || g < 1 {
			return nil, fmt.Errorf("%q is no generation of an sstable; `:sstables %s.%s` lists them", w, t.Keyspace, t.Name)
		}
		gens = append(gens, g)
	}
	var started []*cluster.Compaction
	for _, n := range nodes {
		if n.Down || len(nodes) > 1 && len(ctx.Cluster.Store(n.Index, t).SSTables) == 0 {
			continue
		}
		k, err := ctx.Cluster.CompactFiles(n.Index, t, gens)
		if err != nil {
			return nil, err
		}
		started = append(started, k)
	}
	if len(started) == 0 {
		return nil, fmt.Errorf("no node that is up has an sstable of %s.%s", t.Keyspace, t.Name)
	}
	return letFinish(ctx, started), nil
}

// letFinish lets time pass until the compactions are over and says what they did.
func letFinish(ctx *Context, started []*cluster.Compaction) []*answer.Answer {
	from, in, out := 0, int64(0), int64(0)
	ctx.Cluster.Finish(started)
	for _, k := range started {
		from += len(k.Gens())
		in += k.BytesIn
		out += k.BytesOut
	}
	return message("Compacted %s, %s to %s.", plural(from, "sstable"), bytesText(in), bytesText(out))
}

// compactionStats lists the compactions that run or wait on all nodes, or says of
// one node what nodetool compactionstats says first.
func compactionStats(ctx *Context, a Args) ([]*answer.Answer, error) {
	c := ctx.Cluster
	switch len(a.Words) {
	case 0:
	case 1:
		n, ok := c.Find(a.Words[0])
		if !ok {
			return nil, fmt.Errorf("there is no node %s", a.Words[0])
		}
		return table("name value", compactionCounts(ctx, n)), nil
	default:
		return nil, usageError(byName["compactionstats"])
	}
	rows := [][]string{}
	for _, n := range c.Members() {
		for _, k := range append(slices.Clone(n.Running()), n.Waiting()...) {
			done := c.Progress(k)
			left := "waits"
			if k.End > 0 {
				left = remaining(k.End - c.Now())
			}
			rows = append(rows, []string{n.Name, k.Type, k.Table.Keyspace, k.Table.Name, gens(k.Gens()), strconv.FormatInt(int64(done*float64(k.BytesIn)), 10),
				strconv.FormatInt(k.BytesIn, 10), "bytes", fmt.Sprintf("%.2f%%", done*100), left})
		}
	}
	return table("node compaction_type keyspace table inputs completed total unit progress remaining", rows), nil
}

// compactionCounts are a node's counts, with nodetool's words in its order.
// Source: Cassandra 5.0 CompactionStats.
func compactionCounts(ctx *Context, n *cluster.Node) [][]string {
	pending := 0
	var tables [][]string
	for _, s := range n.SortedStores() {
		if left := ctx.Cluster.Compacting(n.Index, s.Table).Next.Pending; left > 0 {
			pending += left
			tables = append(tables, []string{"- " + s.Table.Keyspace + "." + s.Table.Name, strconv.Itoa(left)})
		}
	}
	set := ctx.Cluster.Set
	rows := [][]string{{"concurrent compactors", strconv.Itoa(set.ConcurrentCompactors)}, {"pending tasks", strconv.Itoa(pending)}}
	rows = append(rows, tables...)
	return append(rows, [][]string{
		{"compactions completed", strconv.Itoa(n.Finished)},
		{"data compacted", strconv.FormatInt(n.BytesCompacted, 10)},
		{"compactions aborted", strconv.Itoa(n.Aborted)},
		{"compactions reduced", strconv.Itoa(n.Reduced)},
		{"sstables dropped from compaction", strconv.Itoa(n.Dropped)},
		{"compaction throughput (MiB/s)", fmt.Sprintf("%.1f", float64(set.CompactionThroughput)/(1<<20))},
		{"peak disk use", strconv.FormatInt(n.PeakDisk, 10)},
	}...)
}

// remaining is a length of time as nodetool prints it.
// Source: Cassandra 5.0 CompactionStats.
func remaining(t sim.Time) string {
	s := int64(max(t, 0) / sim.Second)
	return fmt.Sprintf("%dh%02dm%02ds", s/3600, s/60%60, s%60)
}

func compactionHistory(ctx *Context, _ Args) ([]*answer.Answer, error) {
	rows := [][]string{}
	for _, n := range ctx.Cluster.Members() {
		for _, k := range n.Done {
			rows = append(rows, []string{n.Name, k.Table.Keyspace, k.Table.Name, answer.Clock(int64(k.End)), strconv.FormatInt(k.BytesIn, 10),
				strconv.FormatInt(k.BytesOut, 10), nodetool.RowsMerged(k.Merged), "{compaction_type:" + k.Type + "}", gens(k.Gens()), gens(k.OutputGens()), sim.Time(k.End - k.Start).String(), k.Why})
		}
	}
	return table("node keyspace_name columnfamily_name compacted_at bytes_in bytes_out rows_merged compaction_properties inputs outputs took why", rows), nil
}

func setCompactionThroughput(ctx *Context, a Args) ([]*answer.Answer, error) {
	if len(a.Words) != 1 {
		return nil, usageError(byName["setcompactionthroughput"])
	}
	n, err := parseCount(a.Words[0], "the throughput in mebibytes a second")
	if err != nil {
		return nil, err
	}
	if n > 1<<20 {
		return nil, fmt.Errorf("%d MiB/s is more than any disk has; 0 is no limit", n)
	}
	err = ctx.Cluster.Change(func(s *cluster.Settings) error {
		s.CompactionThroughput = int64(n) << 20
		return nil
	})
	if err != nil {
		return nil, err
	}
	return message("Current compaction throughput: %d MiB/s.", n), nil
}

func gens(list []int) string {
	var out []string
	for _, g := range list {
		out = append(out, strconv.Itoa(g))
	}
	return strings.Join(out, "+")
}
