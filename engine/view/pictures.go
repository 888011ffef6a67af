package view

// StripLens is how somebody looks at the ring laid out as a strip.
type StripLens struct {
	Width    int     // columns; 0 for no strip
	From, To float64 // the part of the ring that is shown, 0..1; To 0 means all
	Cursor   int     // column whose range is described
	Compare  bool    // other numbers of vnodes, too
}

// Strip is the ring from its minimum token to its maximum, in columns of one width.
type Strip struct {
	From, To           float64
	FromToken, ToToken string
	Columns            []StripColumn
	MostKeys           int // in one column
	Partitions         int // with a known place
	Shares             []float64
	Keys               []int64 // partitions by their first replica's node, as Shares: one a node
	Even               float64 // what each node would own, were it even
	At                 *RangeAt
	Spreads            []Spread
	Moved              []string // what the last change of the ring moved, in words
	Before             []int    // owners of the columns before that change; nil without one
	Why                []string
}

// StripColumn is one column of a strip.
type StripColumn struct {
	Owner  int // node that owns the most of it
	Tokens int // that lie in it
	Keys   int // partitions whose token lies in it
	Moved  bool
}

// RangeAt is the range that lies under the cursor.
type RangeAt struct {
	Start, End string // tokens of (start, end]
	Owner      int
	Share      float64 // of the whole ring
	Replicas   []int
	Keys       int
}

// Spread says how even a ring is with a number of vnodes.
type Spread struct {
	VNodes      int
	Least, Most float64 // share of the smallest and largest node, in units of the even share
	Ranges      int
	Now         bool  // of the ring as it is
	Skipped     bool  // too many tokens to work out while somebody waits
	Owners      []int // of the strip's columns, as StripColumn.Owner; nil when skipped
}

// PlacementLens is how somebody looks at the copies of the selected key.
type PlacementLens struct {
	On   bool
	Lost string // what is lost in thought: nodes, DC/RACK and DC, joined by blanks
}

// Placement is how the replicas of the selected key were found, and what they
// survive.
type Placement struct {
	Class  string
	Order  []string // the first nodes along the ring from the token
	Walk   []WalkStep
	DCs    []DCPlan
	Losses []Loss
	Simple []int // what SimpleStrategy would take with as many replicas
	Lost   string
	Now    string // what is possible with what is lost in thought
	NowOK  bool
	Why    []string
}

// WalkStep is one node that the walk meets.
type WalkStep struct {
	Node  int
	Place string // "dc1 rack2"
	Order int    // from 1; 0 for one that is passed over
	Why   string
}

// DCPlan is a data center with its racks.
type DCPlan struct {
	Name  string
	RF    int
	Racks []RackPlan
}

// RackPlan is a rack with its nodes.
type RackPlan struct {
	Name  string
	Nodes []NodePlan
}

// NodePlan is one node of a rack.
type NodePlan struct {
	Node  int
	Order int  // as replica, from 1; 0 for none
	Lost  bool // in thought
}

// Loss says what is still possible without a rack or a data center.
type Loss struct {
	What, Text string
	OK         bool
}

// Levels are the consistency levels against each other, for the keyspace of the
// shown operation or of the selected table.
type Levels struct {
	Keyspace string
	RF       int
	Names    []string      // levels, rows and columns alike
	Cells    [][]LevelCell // by write level, then read level
	Counted  int           // reads that the shares were counted over
	Answers  []WouldAnswer // what each read level would give now, for the selected key
	Newest   string        // about the newest stale read, or ""
	Marks    []TimeMark
	Why      []string
}

// LevelCell is what a read at one level may see of a write at another.
type LevelCell struct {
	Sum    int    // W + R
	State  string // newest, stale, unavailable, refused (the write)
	Fresh  int    // of the reads really made
	Reads  int
	Newest int // number of the newest such read, 0 for none
}

// WouldAnswer is what a read at a level would give now.
type WouldAnswer struct {
	CL    string
	Nodes []int
	State string // newest, stale, unavailable, empty
	Text  string
}

// TimeMark is something on the timeline of outcomes.
type TimeMark struct {
	At   int64 // virtual µs
	Op   int   // 0 for a node
	Text string
	Mark byte // as in Step
}

// FileMap is a node's memtable and files against the ranges of the node.
type FileMap struct {
	Node   int
	Ranges []RangePart
	Rows   []FileRow // memtable first, then files, newest first
	Key    int       // column of the selected key, -1 for none
	Last   string    // what the last compaction gained, "" without one
	Why    []string
}

// RangePart is a stretch of the map's columns.
type RangePart struct {
	Name  string
	Width int
}

// FileRow is one line of the map.
type FileRow struct {
	Name, Origin string
	Heat         []byte // per column: 0 nothing to 4 the most
	Bytes        int64
	AgeMicros    int64
	Keys         int
	HasKey       string // hit, bloom no, range no, false positive, ""
	Busy         bool   // in a running compaction
	Level        int
}

// Chain leads from a stale answer to its cause, link by link.
type Chain struct {
	Op     int // the stale read
	Node   int // replica that answered without the newest write
	Missed int // write that it missed, 0 if that is not known any more
	From   int64
	To     int64    // when the replica was down, virtual µs; To 0 while it lasts; From -1 if it was not down
	Text   []string // one sentence a link
}
