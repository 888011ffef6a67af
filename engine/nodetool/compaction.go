package nodetool

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"ringlab/engine/cluster"
	"ringlab/engine/sim"
	"ringlab/model/types"
)

// compactionStats. Source: Cassandra 5.0 CompactionStats.
func compactionStats(k *call) error {
	if k.has("-V") {
		return beyond("compactionstats -V", "leave -V out")
	}
	n := k.node
	size := func(bytes int64) string {
		if k.has("-H") {
			return fileSize(bytes)
		}
		return fmt.Sprint(bytes)
	}
	g := &grid{between: " "}
	pending := 0
	var tables [][]string
	for _, s := range n.SortedStores() {
		if left := k.Compacting(n.Index, s.Table).Next.Pending; left > 0 {
			pending += left
			tables = append(tables, []string{s.Table.Keyspace, s.Table.Name, strconv.Itoa(left)})
		}
	}
	g.add("concurrent compactors", strconv.Itoa(k.Set.ConcurrentCompactors))
	g.add("pending tasks", strconv.Itoa(pending))
	for _, t := range tables {
		g.add(t...)
	}
	g.add("compactions completed", fmt.Sprint(n.Compactions.Count))
	g.add("data compacted", size(n.BytesCompacted))
	g.add("compactions aborted", strconv.Itoa(n.Aborted))
	g.add("compactions reduced", strconv.Itoa(n.Reduced))
	g.add("sstables dropped from compaction", strconv.Itoa(n.Dropped))
	g.add("15 minute rate", fixed(n.Compactions.FifteenMinutes(k.now()), 2)+"/minute")
	g.add("mean rate", fixed(n.Compactions.Mean(k.now()), 2)+"/hour")
	limit := "throttling disabled (0)"
	if k.Set.CompactionThroughput > 0 {
		limit = decimal(float64(k.Set.CompactionThroughput) / (1 << 20))
	}
	g.add("compaction throughput (MiB/s)", limit)
	if running := n.Running(); len(running) > 0 {
		g.add("id", "compaction type", "keyspace", "table", "completed", "total", "unit", "progress")
		left := int64(0)
		for _, c := range running {
			done := int64(k.Progress(c) * float64(c.BytesIn))
			progress := "n/a"
			if c.BytesIn > 0 {
				progress = fixed(float64(done)/float64(c.BytesIn)*100, 2) + "%"
			}
			g.add(compactionID(k.Cluster, n, c).String(), c.Type, c.Table.Keyspace, c.Table.Name, size(done), size(c.BytesIn), "bytes", progress)
			left += c.BytesIn - done
		}
		remaining := "n/a"
		if k.Set.CompactionThroughput > 0 {
			s := left / k.Set.CompactionThroughput
			remaining = fmt.Sprintf("%dh%02dm%02ds", s/3600, s%3600/60, s%60)
		}
		g.add("active compaction remaining time", remaining)
	}
	g.print(k)
	return nil
}

// compactionID is the time uuid of a compaction: of when it began, told apart by
// its number on the node.
func compactionID(c *cluster.Cluster, n *cluster.Node, k *cluster.Compaction) uuid.UUID {
	const toUnix = 0x01b21dd213814000 // 100 ns from 1582-10-15 to 1970
	at := uint64(c.Epoch()*1e7+int64(k.Start)*10+int64(k.ID()%10)) + toUnix
	var id uuid.UUID
	binary.BigEndian.PutUint32(id[0:], uint32(at))
	binary.BigEndian.PutUint16(id[4:], uint16(at>>32))
	binary.BigEndian.PutUint16(id[6:], uint16(at>>48)|0x1000)
	copy(id[8:14], n.Host[8:14])
	binary.BigEndian.PutUint16(id[14:], uint16(k.ID()))
	id[8] = id[8]&0x3f | 0x80
	return id
}

// historyKept is how long a compaction stands in the history, as long as it is
// among the node's last. Source: Cassandra 5.0 SystemKeyspace.CompactionHistory.
const historyKept = 7 * sim.Day

// compactionHistory. Source: Cassandra 5.0 CompactionHistoryPrinter.
func compactionHistory(k *call) error {
	if err := k.plain(); err != nil {
		return err
	}
	k.line("Compaction History: ")
	var done []*cluster.Compaction
	for _, c := range k.node.Done {
		if c.End > k.Now()-historyKept {
			done = append(done, c)
		}
	}
	if len(done) == 0 {
		k.print("There is no compaction history")
		return nil
	}
	slices.SortStableFunc(done, func(a, b *cluster.Compaction) int { return cmp.Compare(b.End/sim.Millisecond, a.End/sim.Millisecond) })
	g := &grid{between: " "}
	g.add("id", "keyspace_name", "columnfamily_name", "compacted_at", "bytes_in", "bytes_out", "rows_merged", "compaction_properties")
	for _, c := range done {
		g.add(compactionID(k.Cluster, k.node, c).String(), c.Table.Keyspace, c.Table.Name, localTime(k.Epoch()*1000+int64(c.End/sim.Millisecond)),
			fmt.Sprint(c.DiskIn), fmt.Sprint(c.DiskOut), RowsMerged(c.Merged), "{compaction_type:"+c.Type+"}")
	}
	g.print(k)
	return nil
}

// RowsMerged says how many partitions came from how many files: {1:3, 2:1}.
func RowsMerged(counts []int64) string {
	var out []string
	for i, n := range counts {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d:%d", i+1, n))
		}
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// localTime is a moment, in ms of Unix time, as Java's LocalDateTime prints it in
// UTC: without seconds or their fraction where these are 0.
func localTime(millis int64) string {
	days := millis / 86400000
	rest := millis % 86400000
	year, month, day := types.Civil(days)
	text := fmt.Sprintf("%04d-%02d-%02dT%02d:%02d", year, month, day, rest/3600000, rest/60000%60)
	switch s, ms := rest/1000%60, rest%1000; {
	case ms > 0:
		text += fmt.Sprintf(":%02d.%03d", s, ms)
	case s > 0:
		text += fmt.Sprintf(":%02d", s)
	}
	return text
}

// setCompactionThroughput. Source: Cassandra 5.0 SetCompactionThroughput.
func setCompactionThroughput(k *call) error {
	n, err := strconv.ParseInt(k.args[0], 10, 32)
	switch {
	case err != nil:
		return misused("compaction_throughput: can not convert \"%s\" to a Integer", k.args[0])
	case n < 0:
		return misused("Invalid data rate: value must be non-negative")
	}
	k.everywhere()
	return k.Change(func(s *cluster.Settings) error {
		s.CompactionThroughput = n << 20
		return nil
	})
}

// getCompactionThroughput. Source: Cassandra 5.0 GetCompactionThroughput.
func getCompactionThroughput(k *call) error {
	rate := float64(k.Set.CompactionThroughput) / (1 << 20)
	if k.has("-d") {
		k.line("Current compaction throughput: " + decimal(rate) + " MiB/s")
		return nil
	}
	if rate != math.Trunc(rate) {
		return failed("Use the -d flag to quiet this error and get the exact throughput in MiB/s")
	}
	k.printf("Current compaction throughput: %d MB/s\n", int64(rate))
	return nil
}
