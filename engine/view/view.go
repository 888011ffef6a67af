// Package view holds what people look at: an immutable picture of the parts of
// a lab that the visible panes need. The engine fills it, panes only read it.
package view

import "ringlab/engine/answer"

// Need says what the visible panes show, so that the owner of the lab fetches
// just that.
type Need struct {
	Keyspace   string // of the selected table
	Table      string
	Key        string // partition key as text, components joined by ':'; "" for none
	Node       int    // node whose storage is shown, index into View.Nodes
	Op         int    // operation whose trace is shown; 0 is the newest
	Partitions int    // how many partitions to list; 0 means 64
	Sort       string // size, rows, tombstones, growth, key
	Reverse    bool   // the other way round
	Filter     string // partitions whose key has this text; behind a '!' those that have it not
	MaxTokens  int    // ring entries wanted; 0 means 4096; more are thinned evenly
	Sheet      string // SheetReplicas, SheetXRay or none
	Timeline   bool   // the commands of the branch are shown
	Map        bool   // the table is shown as a sorted map in a map
	MapTop     int    // its first row
	MapRow     int    // the row that is scrolled sideways
	MapFrom    int    // first column of that row
	Strip      StripLens
	Placement  PlacementLens
	Levels     bool // Outcomes as a matrix of levels
	Files      int  // columns of the map of a node's files; 0 for none

	Events      bool   // what happened is shown
	EventFilter string // which of it, as `node=n4 kind=hint`
}

// View is one picture. Slices and pointers are shared and never changed after
// it was published.
type View struct {
	Rev       uint64 // differs whenever anything else differs
	Workspace string // base name of the workspace file, "" when nothing is stored
	Now       int64  // virtual µs since Epoch
	Epoch     int64  // Unix seconds at which the lab's clock began
	Seed      uint64
	Speed     string   // "pause", "1x", "0.001x", "max"
	Running   bool     // time flows by itself
	EventSeq  uint64   // events so far
	Commands  int      // commands that are done on the branch
	Undone    int      // commands that were undone, behind them
	Undo      string   // what undo would take back, "" for nothing
	Redo      string   // what redo would do again, "" for nothing
	Branch    string   // "" where there is no journal
	Branches  []string // all of them, in the order in which they began
	Keyspace  string   // the session's USE
	CL        string   // consistency level of the session
	SerialCL  string
	Client    string // "" is the default client
	User      string // the role as which it acts, "" where nobody has to log in
	Language  string // cql or cli
	Notice    string // one line about the lab's state worth showing, or ""

	Partitioner string
	DCs         []string
	Nodes       []Node
	Ring        []Entry // token order, thinned to Need.MaxTokens
	Entries     int     // ring entries in all

	Keyspaces  []Keyspace
	Partitions []Partition // of the needed table, sorted
	Histogram  []Bucket    // partition sizes of the needed table, powers of four
	Selection  *Selection
	Trace      *Trace
	Ops        []Op // newest last, at most 256
	Outcomes   []Outcome
	Storage    *Storage
	Growth     *Growth   // of the selected partition, else of the first of the list; nil without one
	Crossed    []string  // limits that partitions of looked-at tables have passed, the newest last, at most 64
	Crossings  int       // how many there have been
	Sheet      *Sheet    // nil unless it is needed
	Timeline   *Timeline // nil unless it is needed
	Nested     *Nested   // nil unless it is needed

	Strip     *Strip     // nil unless it is needed, as are the next ones
	Placement *Placement // nil without a selected key, too
	Levels    *Levels
	Files     *FileMap
	Chain     *Chain  // from a stale answer to its cause; nil where the shown operation is none
	Events    *Events // nil unless they are needed
	Served    *Served // nil unless drivers can connect
}

// Events are what happened, the newest last.
type Events struct {
	Rows   []Event
	Seen   uint64 // since the ring was made
	Filter string // that they went through
	Err    string // why the filter says nothing, "" if it does
}

// Event is one thing that happened.
type Event struct {
	At         int64 // virtual µs
	Node, Kind string
	Op         int // operation that it belongs to, 0 for none
	Detail     string
}

// Timeline is the current branch, command by command, done and undone.
type Timeline struct {
	Marks []byte // worst mark of each stretch of commands, from the first; at most 1024
	First int    // number of Steps[0]; 0 is the empty lab
	Steps []Step // around the last done command
}

// Step is one command on the timeline.
type Step struct {
	Text  string
	Clock int64 // virtual µs when it began
	Mark  byte  // 0 not run yet, . of the lab, + well, ! a fault begins, s stale, u unavailable, t timeout, x another error
}

// Node is one member of the ring.
type Node struct {
	Name, Address, DC, Rack string
	Up                      bool   // really running and reachable
	Paused                  bool   // stopped by :pause
	State                   string // nodetool's two letters: UN, DN, UJ …
	Detail                  string // "down for 31 s", "212 hints for n4", "skew +3s" or ""
	Tokens                  int
	Token                   string  // first token
	Owns                    float64 // effective ownership of the shown keyspace, 1 = everything
	LoadBytes               int64   // sstables and memtables
	Partitions, Rows        int64   // of the needed table, or of all user tables without one
	Hints                   int64   // hints waiting for this node, on all others
	HintsHeld               int64   // hints this node holds for others
}

// Entry is one token of the ring; the node owns the range that ends there.
type Entry struct {
	Token string
	Pos   float64 // 0..1 around the ring, clockwise from the minimum token
	Node  int
}

// Keyspace is one user keyspace.
type Keyspace struct {
	Name, Replication string // "NTS dc1:3", "Simple 3"
	Tables            []Table
}

// Table is one table of a keyspace.
type Table struct {
	Name, Language, Compaction string // "CQL" or "thrift"; "STCS"
	Key                        string // "PK ((sensor_id, day), ts ↓)"
	Columns                    []Column
	Indexes                    []string // names, in order
	Partitions, Rows           int64    // newest state over all replicas, each partition once; estimated as nodetool does but for the table that is needed
	Bytes                      int64    // of one copy, estimated before compaction
	Create                     string
}

// Column is one column of a table.
type Column struct{ Name, Type, Kind string } // Kind: partition, clustering, static, regular

// Partition is one row of the partition list.
type Partition struct {
	Key        string
	Rows       int64
	Bytes      int64 // of one copy
	Tombstones int64
	Growth     float64 // by what share of its rows it grew in a minute of late: 0.01 is 1%
	Token      string
	Replicas   []int
}

// Bucket is one bar of a histogram.
type Bucket struct {
	UpTo  int64 // upper bound, inclusive, bytes
	Count int64
}

// Selection is the selected partition key and where it lives.
type Selection struct {
	Keyspace, Table, Key, KeyHex string
	Token                        string
	Pos                          float64
	RangeFrom, RangeTo           float64 // ring positions of (start, end]
	RangeText                    string  // "(n2, n3]" in node names
	Replicas                     []Replica
	Levels                       []Level
	Why                          []string // the walk, one line a step
	Err                          string   // why the key cannot be placed
}

// Replica is one copy of the selected partition.
type Replica struct {
	Node       int
	Order      int    // from 1
	State      string // newest, stale, missing, empty
	Detail     string // "1 write behind"
	Rows       int64
	Bytes      int64
	Tombstones int64
	SSTables   int
	Memtable   bool
}

// Level says what one consistency level could do now for the selected key.
type Level struct {
	CL       string
	Required int
	Alive    int
	OK       bool
}

// Trace is one operation as lanes of messages.
type Trace struct {
	Op        int
	Statement string
	Kind      string // read, write …
	CL        string
	OK        bool
	Verdict   string
	Start     int64 // µs
	End       int64 // µs; of the answer to the client
	Last      int64 // µs; of the last thing that happened, late acks included
	Lanes     []Lane
	Text      []answer.TraceEvent
	Why       []string // sentences
	Keyspace  string   // of the table that it is about
	Table     string
	Key       string // partition key as text, "" for several or none
}

// Lane is one node's part in an operation.
type Lane struct {
	Node  int
	Role  string // C coordinator, R replica, CR both
	Marks []Mark
	Note  string // "known down: no message, hint on n1"
}

// Mark is something on a lane.
type Mark struct {
	At   int64  // µs since Trace.Start
	To   int64  // end, µs, for work; equal to At for points
	Kind string // send, arrive, work, ack, digest, data, repair, hint, timeout, reply, drop
	Peer int    // the other node, -1 for none
	Text string
}

// Op is one finished operation in the outcome strips.
type Op struct {
	N       int
	Kind    string // read or write
	CL      string
	Outcome string // fresh, stale, unavailable, timeout, error
	Text    string
}

// Outcome counts operations of one kind and level.
type Outcome struct {
	Kind, CL                                 string
	Fresh, Stale, Unavailable, Timeout, Fail int
	Recent                                   string // one letter an operation, newest right: f s u t e
}

// Storage is one table on one node.
type Storage struct {
	Node               int
	Keyspace, Table    string
	Strategy           string
	MemtableBytes      int64
	MemtableLimit      int64
	MemtablePartitions int
	MemtableOps        int64
	CommitLogBytes     int64
	CommitLogSegments  int
	SSTables           []SSTable    // newest first
	Tiers              []Tier       // as the table's strategy groups the files, the youngest first
	Compactions        []Compaction // running
	Done               []Compaction // finished, newest first, at most 8
	ReadPath           []ReadStep   // of the selected partition
	Flushes            int
	Compacted          int
	BytesWritten       int64 // by flush and compaction
	BytesFlushed       int64
	PeakDisk           int64    // most bytes that the table's files took at once
	Pending            int      // compactions that are estimated to be left
	FilesPerRead       [2]int64 // files read, reads
	SSTablesPerRead    [3]int   // p50, p95, max
	Why                string   // why a compaction runs or none does
	Tombstones         int64
	Trouble            string // what is wrong with the node's disks, "" for nothing
}

// SSTable is one file.
type SSTable struct {
	Gen        int
	Bytes      int64
	Partitions int
	Rows       int64
	Tombstones int64
	Level      int
	Origin     string // flush, compaction, stream
	AgeMicros  int64
	Busy       bool   // in a running compaction
	Rot        string // corrupt, or suspect once a read has failed on it; "" for a sound file
	HasKey     string // for the selected key: hit, bloom no, range no, false positive, ""
}

// Tier is a group of files that a strategy treats as one: a bucket of STCS, a
// level, a time window, a density level.
type Tier struct {
	Name  string
	Gens  []int
	Bytes int64
	Have  int // of what starts a compaction: files, or files that overlap at a key
	Need  int // that many do; 0 if Limit decides
	Limit int64
}

// Compaction is one compaction, running or finished.
type Compaction struct {
	Inputs, Outputs   []int
	Level             int // of the outputs
	BytesIn, BytesOut int64
	Progress          float64 // 0..1
	Detail            string
}

// ReadStep is one storage unit a read of the selected key would visit.
type ReadStep struct {
	Unit   string // memtable or sstable generation
	Result string // hit, bloom no, …
}

// Served is who else uses the lab.
type Served struct {
	Where       string // the first node's address
	Connections int
	Waits       bool // nobody can connect, since the lab stands before commands that were undone
	Total       uint64
	PerSecond   float64   // by the machine's clock
	Recent      []Request // the last ones, oldest first; at most MostServed
}

// MostServed is how many requests of clients a picture holds.
const MostServed = 64

// Request is what a driver has asked for. Its answer has no rows.
type Request struct {
	N                         uint64 // counts from 1
	Client, Node, Level, Verb string // the connection; the coordinator; prepare, execute, batch or nothing
	Answer                    *answer.Answer
}
