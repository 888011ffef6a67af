package nodetool

import (
	"fmt"
	"slices"
	"strings"

	"ringlab/engine/cluster"
	"ringlab/engine/session"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/ring"
)

// The node that a lab takes for usual has 2 GiB of heap. Its caches have the
// capacities that Cassandra gives them there, in bytes.
// Source: Cassandra 5.0 DatabaseDescriptor.applySimpleConfig.
const (
	heapSize         = 2 << 30
	keyCacheSize     = 100 << 20
	counterCacheSize = 50 << 20
	networkCacheSize = 128 << 20
)

// Info is what a node says of itself. Heap is that of its memtables alone.
type Info struct {
	Node       *cluster.Node
	Load       int64 // bytes of its files
	Plain      int64 // the same if nothing were compressed
	Generation int64 // second at which its gossip began
	Uptime     int64 // seconds
	Heap       int64
	OffHeap    int64
	KeyCache   storage.CacheCounts
	Repaired   float64 // percent of the files' bytes
	Tokens     []string
	Failed     bool // the change of the ring that it had begun
}

// InfoOf gathers what a node says of itself.
func InfoOf(c *cluster.Cluster, n *cluster.Node) Info {
	i := Info{Node: n, Load: n.DiskBytes(), Generation: c.Epoch() + int64(n.UpAt/sim.Second), Uptime: int64((c.Now() - n.UpAt) / sim.Second),
		Repaired: 100}
	var files []*storage.SSTable
	for _, s := range n.SortedStores() {
		i.Heap += s.Mem.Heap
		i.OffHeap += offHeap(s).total()
		cache := s.KeyCache()
		i.KeyCache.Entries += cache.Entries
		i.KeyCache.Bytes += cache.Bytes
		i.KeyCache.Hits += cache.Hits
		i.KeyCache.Requests += cache.Requests
		for _, f := range s.SSTables {
			i.Plain += f.DiskBytes() - f.OnDisk + f.DataBytes
		}
		files = append(files, s.SSTables...)
	}
	i.Repaired = repairedOf(files).percent()
	if m := c.Movement(); m != nil && m.Node == n.Index {
		i.Failed = m.Err != nil
	}
	for _, t := range n.Tokens {
		i.Tokens = append(i.Tokens, c.Partitioner().Format(t))
	}
	return i
}

// Rows are the lines of nodetool info, name and value; with all tokens if there
// are several and they are asked for. Source: Cassandra 5.0 Info.
func (i Info) Rows(allTokens bool) [][2]string {
	none := storage.CacheCounts{}
	cache := func(c storage.CacheCounts, capacity int64, save int) string {
		rate := "NaN"
		if c.Requests > 0 {
			rate = fixed(float64(c.Hits)/float64(c.Requests), 3)
		}
		return fmt.Sprintf("entries %d, size %s, capacity %s, %d hits, %d requests, %s recent hit rate, %d save period in seconds",
			c.Entries, fileSize(c.Bytes), fileSize(capacity), c.Hits, c.Requests, rate, save)
	}
	row := &i.Node.RowCache
	rows := [][2]string{
		{"ID", i.Node.Host.String()},
		{"Gossip active", fmt.Sprint(!i.Node.Down && !i.Node.Quiet)},
		{"Native Transport active", fmt.Sprint(!i.Node.Down && !i.Node.Quiet)},
		{"Load", fileSize(i.Load)},
		{"Uncompressed load", fileSize(i.Plain)},
		{"Generation No", fmt.Sprint(i.Generation)},
		{"Uptime (seconds)", fmt.Sprint(i.Uptime)},
		{"Heap Memory (MB)", fmt.Sprintf("%.2f / %.2f", float64(i.Heap)/(1<<20), float64(heapSize)/(1<<20))},
		{"Off Heap Memory (MB)", fmt.Sprintf("%.2f", float64(i.OffHeap)/(1<<20))},
		{"Data Center", i.Node.DC},
		{"Rack", i.Node.Rack},
		{"Exceptions", "0"},
		{"Key Cache", cache(i.KeyCache, keyCacheSize, 14400)},
		{"Row Cache", cache(storage.CacheCounts{Entries: int64(row.Len()), Bytes: row.Bytes, Hits: row.Hits, Requests: row.Requests}, row.Capacity, 0)},
		{"Counter Cache", cache(none, counterCacheSize, 7200)},
		{"Network Cache", "size 0 bytes, overflow size: 0 bytes, capacity " + fileSize(networkCacheSize)},
		{"Percent Repaired", decimal(i.Repaired) + "%"},
	}
	if len(i.Tokens) == 1 || allTokens {
		for _, t := range i.Tokens {
			rows = append(rows, [2]string{"Token", t})
		}
	} else {
		rows = append(rows, [2]string{"Token", fmt.Sprintf("(invoke with -T/--tokens to see all %d tokens)", len(i.Tokens))})
	}
	bootstrap := "COMPLETED"
	if i.Node.State == cluster.Joining {
		bootstrap = "IN_PROGRESS"
	}
	leaving := i.Node.State == cluster.Leaving
	return append(rows, [][2]string{{"Bootstrap state", bootstrap}, {"Bootstrap failed", "false"}, {"Decommissioning", fmt.Sprint(leaving && !i.Failed)},
		{"Decommission failed", fmt.Sprint(leaving && i.Failed)}}...)
}

func info(k *call) error {
	for _, r := range InfoOf(k.Cluster, k.node).Rows(k.has("-T")) {
		k.printf("%-23s: %s\n", r[0], r[1])
	}
	return nil
}

// GossipState is what a node knows of another one: generation and heartbeat, then
// the states in gossip's order, name, version and value.
type GossipState struct {
	Node                  int
	Address               string
	Generation, Heartbeat int64
	States                [][3]string
}

// GossipInfo is what a node knows of all, itself included. Quiet gossip is not
// simulated round by round: the heartbeat is the seconds since the node's start,
// and the versions are those that a node gives its states when it starts. A node
// that goes down in a lab says nothing, so that its last states stay.
// Source: Cassandra 5.0 FailureDetector.getAllEndpointStates, Gossiper.
func GossipInfo(core *session.Core, asked int) []GossipState {
	c := core.Cluster
	var out []GossipState
	for _, n := range c.Members() {
		token := ""
		if len(n.Tokens) > 0 {
			token = c.Partitioner().Format(slices.MinFunc(n.Tokens, func(a, b ring.Token) int { return a.Compare(b) }))
		}
		beat := int64((c.Now() - n.UpAt) / sim.Second)
		if n.Down {
			beat = int64((n.DownAt - n.UpAt) / sim.Second)
		}
		g := GossipState{Node: n.Index, Address: n.Address, Generation: c.Epoch() + int64(n.UpAt/sim.Second), Heartbeat: beat + 32}
		own := n.Index == asked
		add := func(name, version, value string) { g.States = append(g.States, [3]string{name, version, value}) }
		if own {
			add("STATUS", "20", statusName(n)+","+token)
		}
		add("LOAD", fmt.Sprint(33+beat/60*60), fmt.Sprintf("%d.0", n.DiskBytes()))
		add("SCHEMA", "25", core.SchemaVersion(n.Index).String())
		add("DC", "12", n.DC)
		add("RACK", "14", n.Rack)
		add("RELEASE_VERSION", "5", session.ReleaseVersion)
		if own {
			add("INTERNAL_IP", "24", n.Address)
			add("RPC_ADDRESS", "4", n.Address)
		}
		add("NET_VERSION", "1", "12")
		add("HOST_ID", "2", n.Host.String())
		add("RPC_READY", "31", "true")
		add("INTERNAL_ADDRESS_AND_PORT", "22", n.Address+":7000")
		add("NATIVE_ADDRESS_AND_PORT", "3", n.Address+":9042")
		add("STATUS_WITH_PORT", "19", statusName(n)+","+token)
		add("SSTABLE_VERSIONS", "6", formats(n, c.Set.Format))
		add("TOKENS", "18", "<hidden>")
		out = append(out, g)
	}
	return out
}

// formats are the versions of a node's files, of new ones if it has none.
// Source: Cassandra 5.0 SSTablesGlobalTracker.
func formats(n *cluster.Node, newest storage.Format) string {
	var used [3]bool
	any := false
	for _, s := range n.SortedStores() {
		for _, f := range s.SSTables {
			used[f.Format], any = true, true
		}
	}
	if !any {
		used[newest] = true
	}
	var out []string
	for i, in := range used {
		if f := storage.Format(i); in {
			out = append(out, f.Family()+"-"+f.String())
		}
	}
	return strings.Join(out, ",")
}

func gossipInfo(k *call) error {
	if k.has("-r") {
		return beyond("names of hosts", "the nodes have none; leave -r out")
	}
	for _, g := range GossipInfo(k.core, k.node.Index) {
		k.printf("/%s\n  generation:%d\n  heartbeat:%d\n", k.address(g.Node), g.Generation, g.Heartbeat)
		for _, s := range g.States {
			k.printf("  %s:%s:%s\n", s[0], s[1], s[2])
		}
	}
	k.line("")
	return nil
}

// failureDetector gives phi for the other nodes: the silence since their last
// heartbeat, in mean intervals, by log10(e). Heartbeats come once a second, for
// each pair at a moment of its own. Source: Cassandra 5.0 FailureDetector.getPhiValues.
func failureDetector(k *call) error {
	k.printf("%10s,%16s\n", "Endpoint", "Phi")
	for _, n := range k.Members() {
		i := n.Index
		if i == k.node.Index {
			continue
		}
		last := k.Now() - (k.Now()+sim.Time(i*37+k.node.Index*61)%10*100*sim.Millisecond)%sim.Second
		if n.Down || !k.Net.Reachable(k.node.Index, i) {
			last = min(last, n.DownAt)
		}
		k.printf("%10s,%16.8f\n", "/"+k.address(i), float64(k.Now()-last)/float64(sim.Second)*0.4342944819032518)
	}
	return nil
}

// statusName is a node's state as gossip spells it. Source: Cassandra 5.0 VersionedValue.
func statusName(n *cluster.Node) string {
	if n.State == cluster.Joining {
		return "BOOT"
	}
	return n.State.String()
}

// pools are the thread pools in the order of a real node, each with what a lab
// counts of its work. Work that a lab does not do takes no threads.
var pools = []struct {
	name string
	done func(k *call) int64
}{
	{"RequestResponseStage", func(k *call) int64 { return k.node.Answered }},
	{"MutationStage", func(k *call) int64 { return k.node.Mutations }},
	{"ReadStage", func(k *call) int64 { return k.node.Reads }},
	{"CompactionExecutor", func(k *call) int64 { return k.node.Compactions.Count }},
	{"SecondaryIndexExecutor", nil},
	{"MemtableReclaimMemory", flushes},
	{"PendingRangeCalculator", nil},
	{"GossipStage", nil},
	{"SecondaryIndexManagement", nil},
	{"HintsDispatcher", nil},
	{"StatusPropagationExecutor", nil},
	{"MigrationStage", nil},
	{"MemtablePostFlush", flushes},
	{"PerDiskMemtableFlushWriter_0", flushes},
	{"ValidationExecutor", nil},
	{"Sampler", nil},
	{"ViewBuildExecutor", nil},
	{"MemtableFlushWriter", flushes},
	{"TracingStage", nil},
	{"CacheCleanupExecutor", nil},
	{"Native-Transport-Auth-Requests", nil},
	{"Native-Transport-Requests", func(k *call) int64 { return k.node.Statements }},
}

func flushes(k *call) int64 {
	n := int64(0)
	for _, s := range k.node.SortedStores() {
		n += int64(s.Flushes)
	}
	return n
}

// messageTypes are the verbs in the order of a real node.
var messageTypes = strings.Fields(`READ_RSP RANGE_REQ PING_REQ PAXOS2_COMMIT_REMOTE_RSP PAXOS2_COMMIT_AND_PREPARE_RSP _SAMPLE VALIDATION_RSP
	SCHEMA_PULL_RSP SYNC_RSP PAXOS2_CLEANUP_START_PREPARE_REQ PAXOS2_PREPARE_REFRESH_REQ SCHEMA_VERSION_REQ HINT_RSP BATCH_REMOVE_RSP PAXOS2_CLEANUP_RSP
	PAXOS2_CLEANUP_FINISH_PREPARE_RSP PAXOS_COMMIT_REQ SNAPSHOT_RSP COUNTER_MUTATION_REQ PAXOS2_PROPOSE_REQ GOSSIP_DIGEST_SYN PAXOS_PREPARE_REQ PREPARE_MSG
	PAXOS2_PREPARE_REFRESH_RSP PAXOS_COMMIT_RSP HINT_REQ BATCH_REMOVE_REQ STATUS_RSP READ_REPAIR_RSP PAXOS2_PROPOSE_RSP GOSSIP_DIGEST_ACK2 CLEANUP_MSG
	REQUEST_RSP TRUNCATE_RSP UNUSED_CUSTOM_VERB REPLICATION_DONE_RSP SNAPSHOT_REQ ECHO_REQ PAXOS2_REPAIR_REQ PAXOS2_CLEANUP_COMPLETE_RSP
	PREPARE_CONSISTENT_REQ FAILURE_RSP BATCH_STORE_RSP SCHEMA_PUSH_RSP MUTATION_RSP FINALIZE_PROPOSE_MSG ECHO_RSP PAXOS2_REPAIR_RSP INTERNAL_RSP
	FAILED_SESSION_MSG PAXOS2_CLEANUP_COMPLETE_REQ _TRACE SCHEMA_VERSION_RSP FINALIZE_COMMIT_MSG SNAPSHOT_MSG PREPARE_CONSISTENT_RSP PAXOS_PROPOSE_REQ
	PAXOS_PREPARE_RSP MUTATION_REQ PAXOS2_CLEANUP_RSP2 READ_REQ PING_RSP PAXOS2_COMMIT_REMOTE_REQ RANGE_RSP VALIDATION_REQ SYNC_REQ PAXOS2_PREPARE_RSP
	_TEST_1 GOSSIP_SHUTDOWN PAXOS2_CLEANUP_START_PREPARE_RSP TRUNCATE_REQ _TEST_2 GOSSIP_DIGEST_ACK PAXOS2_CLEANUP_REQ SCHEMA_PUSH_REQ
	FINALIZE_PROMISE_MSG PAXOS2_CLEANUP_FINISH_PREPARE_REQ PAXOS2_PREPARE_REQ BATCH_STORE_REQ COUNTER_MUTATION_RSP REPAIR_RSP
	PAXOS2_COMMIT_AND_PREPARE_REQ STATUS_REQ SCHEMA_PULL_REQ READ_REPAIR_REQ REPLICATION_DONE_REQ PAXOS_PROPOSE_RSP`)

// tpStats. In a lab nothing waits in a queue of a pool: work takes its time at
// once. Source: Cassandra 5.0 TpStatsPrinter.
func tpStats(k *call) error {
	if err := k.plain(); err != nil {
		return err
	}
	g := &grid{between: " "}
	g.add("Pool Name", "Active", "Pending", "Completed", "Blocked", "All time blocked")
	for _, p := range pools {
		n := int64(0)
		if p.done != nil {
			n = p.done(k)
		}
		g.add(p.name, "0", "0", fmt.Sprint(n), "0", "0")
	}
	g.print(k)
	k.line("\nLatencies waiting in queue (micros) per dropped message types")
	g = &grid{between: " "}
	g.add("Message type", "Dropped    ", "50%     ", "95%     ", "99%     ", "Max")
	for _, m := range messageTypes {
		g.add(m, fmt.Sprint(k.node.DroppedMessages[m]), "0.0", "0.0", "0.0", "0.0")
	}
	g.print(k)
	return nil
}

// plain refuses -F.
func (k *call) plain() error {
	switch f, ok := k.options["-F"]; {
	case !ok || f == "":
		return nil
	case f != "json" && f != "yaml":
		return misused("arguments for -F are json,yaml only.")
	default:
		return beyond("-F "+f, "leave -F out; `--output json` gives the rows of the lab command of the same name")
	}
}

// offHeapBytes is what a table's files take outside of the heap.
type offHeapBytes struct{ filter, summary, compression int64 }

func (o offHeapBytes) total() int64 { return o.filter + o.summary + o.compression }

// offHeap adds up what the files take outside of the heap: the bits of filters, the
// index summaries, and 8 bytes for each chunk of a compressed file. A compaction's
// output is written to its end twice, since it is opened before it is finished.
// Source: Cassandra 5.0 BloomFilter.offHeapSize, CompressionMetadata.offHeapSize,
// SSTableRewriter.
func offHeap(s *storage.TableStore) (o offHeapBytes) {
	for _, t := range s.SSTables {
		if bytes := t.Filter.Bytes(); bytes > 0 {
			o.filter += bytes - 8
		}
		if t.Format != storage.DA {
			o.summary += t.SummaryBytes(s.Table)
		}
		if t.Packing().IsOn() {
			o.compression += t.Offsets() * 8
		}
	}
	return o
}
