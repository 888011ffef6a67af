// Package cluster is the ring at work: nodes, the messages between them,
// coordinators with every consistency level, hints, read repair and failure
// detection, all driven by one queue of virtual time. It reads no clock and
// starts nothing by itself; pending work is data.
package cluster

import (
	"fmt"

	"github.com/google/uuid"

	"ringlab/engine/event"
	"ringlab/engine/gossip"
	"ringlab/engine/materialize"
	"ringlab/engine/network"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

// Options set up a ring.
type Options struct {
	Partitioner ring.Partitioner
	Nodes       []ring.Node
	Seed        uint64
	Epoch       int64 // Unix seconds at virtual time 0

	// ClassicSize weighs a partition of a file for the classic rules; without it
	// none is too large for them.
	ClassicSize func(*schema.Table, *storage.Partition) ClassicSize
}

// Cluster is one simulated ring.
type Cluster struct {
	Nodes  []*Node
	Ring   *ring.TokenMap
	Net    *network.Net
	Alive  *gossip.View
	Schema *schema.Schema // the newest
	Set    Settings

	epoch int64
	clock clock // how the nodes' clocks follow virtual time
	seed  uint64
	flaw  flaw
	now   sim.Time
	queue sim.Queue[task]
	fifo  [fifos]deadlines // timeouts, one queue a duration

	placements  map[string]*ring.Placement // by keyspace
	strategies  map[string]ring.Strategy
	spaces      map[string][]*tokenSpace           // what each node owns of a keyspace, nil until asked for
	streaming   map[uint64]*Stream                 // on their way
	streams     uint64                             // begun so far
	movement    *Movement                          // of the ring, nil for none
	moves       uint64                             // movements begun so far
	members     int                                // nodes that belong to the ring or are joining it
	repairs     map[uint64]*Repair                 // under way
	repaired    uint64                             // repairs begun so far
	checks      sim.Queue[check]                   // when time alone may start a compaction
	picks       *sim.Source                        // where a strategy picks at random
	views       map[uuid.UUID][]*materialize.View  // by base table; nil if there are none
	indexes     map[uuid.UUID][]*materialize.Index // by base table; nil if no index is a table
	everybody   []*listener
	listeners   []func(*event.Record) // those of everybody who are not muted
	seq         uint64
	ops         uint64
	ids         *sim.Source
	forward     sim.Stream
	draws       *sim.Source // leaders of counters, places of batchlogs, waits of Paxos
	classicSize func(*schema.Table, *storage.Partition) ClassicSize
}

// Settings are the knobs with Cassandra's names and defaults.
type Settings struct {
	Classic string // 1.0, 1.2 or 2.1: tables WITH COMPACT STORAGE follow the rules before 4.0; "" is 5.0

	WriteTimeout, ReadTimeout, RangeTimeout, TruncateTimeout sim.Time
	CounterTimeout, ContentionTimeout                        sim.Time
	HintsEnabled                                             bool
	HintWindow                                               sim.Time
	HintTick                                                 sim.Time // how often the dispatcher looks
	BatchTick                                                sim.Time // how often a node looks for batches that nobody finished
	HintThrottle                                             int64    // bytes a second, 0 = none
	MemtableSpace                                            int64    // bytes of heap a node's memtables may use
	CleanupThreshold                                         float64
	CompactionThroughput                                     int64 // bytes a second, 0 = as fast as the disk
	ConcurrentCompactors                                     int
	DiskSpace                                                int64 // bytes of a node's disk, 0 = as much as it takes
	DiskFailurePolicy, CommitFailurePolicy                   string
	CommitLogSegment                                         int64
	StreamThroughput                                         int64 // bytes a second that a node sends, 0 = as fast as the disk
	InterDCStreamThroughput                                  int64 // the same to another data center
	RepairTimeout                                            sim.Time
	TombstoneWarn, TombstoneFail                             int
	MaxMutation                                              int64
	AutoCompaction                                           bool
	FailWrites                                               string // the keyspace to which nodes fail all writes, "" for none
	Guardrails                                               Guardrails
	Auth                                                     Auth
	InMemoryCompactionLimit                                  int64          // bytes of a row; 1.0 and 1.2
	LargePartitionWarning                                    int64          // bytes of a partition in a new file; 2.1
	RowCacheSize                                             int64          // bytes a node, 0 = none
	Format                                                   storage.Format // of the files that are written from now on
}

// DefaultSettings are those of Cassandra 5.0, on a node with 2 GiB of heap.
func DefaultSettings() Settings {
	return Settings{
		WriteTimeout: 2 * sim.Second, ReadTimeout: 5 * sim.Second, RangeTimeout: 10 * sim.Second, TruncateTimeout: sim.Minute,
		CounterTimeout: 5 * sim.Second, ContentionTimeout: 1800 * sim.Millisecond,
		HintsEnabled: true, HintWindow: 3 * sim.Hour, HintTick: 10 * sim.Second, BatchTick: 10 * sim.Second, HintThrottle: 1 << 20,
		MemtableSpace: 512 << 20, CleanupThreshold: 1.0 / 3, CompactionThroughput: 64 << 20, ConcurrentCompactors: 2,
		StreamThroughput: 24 << 20, InterDCStreamThroughput: 24 << 20, RepairTimeout: 120 * sim.Second,
		DiskFailurePolicy: PolicyStop, CommitFailurePolicy: PolicyStop,
		CommitLogSegment: 32 << 20, TombstoneWarn: 1000, TombstoneFail: 100000, MaxMutation: 16 << 20, AutoCompaction: true,
		InMemoryCompactionLimit: 64 << 20, LargePartitionWarning: 100 << 20, // as the files of those versions were shipped
	}
}

// Node is one member.
type Node struct {
	Index int
	ring.Node
	Host  uuid.UUID
	State State

	Down      bool
	DownAt    sim.Time
	UpAt      sim.Time       // when it was started last
	Pause     sim.Time       // paused until then
	Slow      int64          // service times are multiplied by this; 0 and 1 mean normal
	Skew      int64          // µs by which its clock is ahead
	known     *schema.Schema // the schema it has where that is not the newest: it was down or cut off
	Stores    map[uuid.UUID]*storage.TableStore
	paxos     map[paxosKey]*paxosState
	batchlog  []*batchLog // batches that it keeps for their coordinators, oldest first
	Log       storage.CommitLog
	Snapshots []*Snapshot // oldest first
	SystemLog []LogLine   // its last lines, oldest first
	disks
	handoff
	RowCache    storage.RowCache
	Hints       map[int]*HintQueue // by target
	Created     map[int]int64      // hints stored since the beginning, by target
	Sent        map[int]int64
	tables      map[uuid.UUID]*compacting
	running     []*Compaction
	waiting     []*Compaction          // for a compactor
	asking      []uuid.UUID            // tables that wanted to compact when no compactor was free
	compactions map[uint64]*Compaction // running and waiting
	begun       uint64
	repairs     int                          // that it was asked for
	counters    map[counterCell]counterValue // its counter cache
	applied     uint64
	Done        []*Compaction // finished, newest last, at most 64
	CompactionCounts
	Counts
	sending  sim.Time // until when its streams take what it may send
	lastTime int64    // last write timestamp handed out, µs
	latency  map[uuid.UUID]*latencies
}

// New sets up a ring whose nodes are all up and empty.
func New(o Options) (*Cluster, error) {
	tm, err := ring.NewTokenMap(o.Partitioner, o.Nodes)
	if err != nil {
		return nil, err
	}
	c := &Cluster{
		Ring: tm, Schema: schema.Empty(), Set: DefaultSettings(), epoch: o.Epoch, seed: o.Seed, classicSize: o.ClassicSize,
		placements: map[string]*ring.Placement{}, strategies: map[string]ring.Strategy{}, spaces: map[string][]*tokenSpace{},
		ids: sim.NewStream(o.Seed, "ids").Source(0), forward: sim.NewStream(o.Seed, "forward"),
		draws: sim.NewStream(o.Seed, "draws").Source(0),
		picks: sim.NewStream(o.Seed, "compaction").Source(0),
	}
	dcs := make([]string, len(o.Nodes))
	for i, n := range o.Nodes {
		dcs[i] = n.DC
		c.Nodes = append(c.Nodes, newNode(i, n, c.NewID()))
	}
	c.members = len(c.Nodes)
	c.Net = network.New(o.Seed, dcs)
	c.Alive = gossip.New(o.Seed, len(o.Nodes))
	return c, nil
}

// NewID is the next random uuid of the lab.
func (c *Cluster) NewID() uuid.UUID {
	var id uuid.UUID
	a, b := c.ids.Uint64(), c.ids.Uint64()
	for i := 0; i < 8; i++ {
		id[i], id[8+i] = byte(a>>(8*i)), byte(b>>(8*i))
	}
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}

// Now is the virtual time.
func (c *Cluster) Now() sim.Time { return c.now }

// Epoch is the Unix second of virtual time 0.
func (c *Cluster) Epoch() int64 { return c.epoch }

// Partitioner is the ring's.
func (c *Cluster) Partitioner() ring.Partitioner { return c.Ring.Partitioner() }

// Clock is what a node's clock says, in µs of Unix time.
func (c *Cluster) Clock(node int) int64 { return c.Unix() + c.Nodes[node].Skew }

// Unix is the time by which the nodes set their clocks, in µs since 1970.
func (c *Cluster) Unix() int64 {
	return c.epoch*1000000 + int64(c.clock.at) + int64(c.now-c.clock.from)/max(c.clock.slow, 1)
}

// clock says how the time of the nodes' clocks follows virtual time: since the
// moment from, at which they said at, µs since the epoch, by one µs in slow ones.
// The zero value is that both are the same.
type clock struct {
	from, at sim.Time
	slow     int64
}

// SetUnix sets the time of the nodes' clocks, in µs since 1970, and how many µs
// pass while theirs moves by one. They never go back.
func (c *Cluster) SetUnix(at, slow int64) {
	c.clock = clock{from: c.now, at: sim.Time(max(at, c.Unix()) - c.epoch*1000000), slow: slow}
}

// Seconds is a node's clock in seconds.
func (c *Cluster) Seconds(node int) int64 { return c.Clock(node) / 1000000 }

// Timestamp is the next write timestamp of a coordinator: its clock, but never
// the same twice. Source: Cassandra 5.0 ClientState.getTimestamp.
func (c *Cluster) Timestamp(node int, skew int64) int64 {
	n := c.Nodes[node]
	n.lastTime = max(n.lastTime+1, c.Clock(node)+skew)
	return n.lastTime
}

// Name is a node's name; -1 is the lab.
func (c *Cluster) Name(node int) string {
	if node < 0 {
		return "lab"
	}
	return c.Nodes[node].Name
}

// Find is the node of that name that belongs to the ring or is joining it.
func (c *Cluster) Find(name string) (*Node, bool) {
	for _, n := range c.Nodes {
		if n.Name == name && n.IsMember() {
			return n, true
		}
	}
	return nil, false
}

// Listen adds somebody who is told every event from now on, but none between
// mute(true) and mute(false). The record is valid during the call only.
func (c *Cluster) Listen(f func(*event.Record)) (mute func(on bool)) {
	me := &listener{tell: f}
	c.everybody = append(c.everybody, me)
	c.listeners = append(c.listeners, f)
	return func(on bool) {
		if me.muted == on {
			return
		}
		me.muted = on
		c.listeners = nil
		for _, l := range c.everybody {
			if !l.muted {
				c.listeners = append(c.listeners, l.tell)
			}
		}
	}
}

type listener struct {
	tell  func(*event.Record)
	muted bool
}

// Listening says whether records are built at all.
func (c *Cluster) Listening() bool { return len(c.listeners) > 0 }

// emit tells the listeners; callers check Listening first.
func (c *Cluster) emit(r event.Record) uint64 {
	c.seq++
	r.Seq, r.At = c.seq, c.now
	for _, f := range c.listeners {
		f(&r)
	}
	return c.seq
}

// Events is the number of events built so far.
func (c *Cluster) Events() uint64 { return c.seq }

// followKeyspace updates what depends on a keyspace after it changed.
func (c *Cluster) followKeyspace(old, now *schema.Keyspace) {
	if old == now {
		return
	}
	delete(c.placements, old.Name)
	delete(c.strategies, old.Name)
	delete(c.spaces, old.Name)
	if c.movement != nil {
		delete(c.movement.futures, old.Name)
	}
	for _, name := range old.TableNames() {
		t := old.Tables[name]
		var next *schema.Table
		if now != nil {
			next = now.Tables[name]
		}
		for _, n := range c.Nodes {
			store := n.Stores[t.ID]
			switch {
			case store == nil:
			case next == nil || next.ID != t.ID:
				n.Log.Forget(t.ID)
				delete(n.Stores, t.ID)
				delete(n.tables, t.ID)
			case next != t:
				store.SetTable(next.Stored())
			}
		}
	}
}

// Store is a node's store of a table, made on first use.
func (c *Cluster) Store(node int, t *schema.Table) *storage.TableStore {
	n := c.Nodes[node]
	s := n.Stores[t.ID]
	if s == nil {
		if current := c.Schema.Table(t.Keyspace, t.Name); current != nil && current.ID == t.ID {
			t = current
		}
		s = storage.NewTableStore(t.Stored())
		s.RowCache, s.Partitioner = &n.RowCache, c.Partitioner().Name()
		n.Stores[t.ID] = s
	}
	return s
}

// Strategy is a keyspace's replication strategy.
func (c *Cluster) Strategy(keyspace string) ring.Strategy {
	if s, ok := c.strategies[keyspace]; ok {
		return s
	}
	k := c.Schema.Keyspace(keyspace)
	if k == nil {
		return ring.LocalStrategy(0)
	}
	s := strategyOf(k)
	c.strategies[keyspace] = s
	return s
}

// Placement says where a keyspace's replicas are.
func (c *Cluster) Placement(keyspace string) *ring.Placement {
	p := c.placements[keyspace]
	if p == nil {
		p = ring.NewPlacement(c.Ring, c.Strategy(keyspace))
		c.placements[keyspace] = p
	}
	return p
}

// strategyOf reads the stored replication of a keyspace, which was checked when
// it was made.
func strategyOf(k *schema.Keyspace) ring.Strategy {
	number := func(s string) int {
		n := 0
		fmt.Sscan(s, &n)
		return n
	}
	if k.Class() == ring.ClassNetworkTopology {
		var dcs []ring.DatacenterRF
		for _, o := range k.Replication {
			if o.Key != "class" {
				dcs = append(dcs, ring.DatacenterRF{DC: o.Key, RF: number(o.Value)})
			}
		}
		return ring.NetworkTopologyStrategy(dcs...)
	}
	rf := 1
	for _, o := range k.Replication {
		if o.Key == "replication_factor" {
			rf = number(o.Value)
		}
	}
	return ring.SimpleStrategy(rf)
}
