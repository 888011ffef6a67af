// Package compaction decides which SSTables are compacted together, one file a
// strategy. A strategy sees what a Table shows of the files, remembers what a
// Memory holds, reads no clock and moves no data.
package compaction

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"ringlab/ring"
)

// Position is a partition's place in file order.
type Position struct {
	Token ring.Token
	Key   string
}

// Compare returns -1, 0 or 1 as a stands before, at or after b.
func (a Position) Compare(b Position) int {
	if c := a.Token.Compare(b.Token); c != 0 {
		return c
	}
	return strings.Compare(a.Key, b.Key)
}

// NoDeletion is the MaxLocal of a file in which something lives on.
const NoDeletion = math.MaxInt64

// File is what a strategy sees of an SSTable.
type File struct {
	Gen         int
	Bytes       int64 // on-disk length of the data
	Disk        int64 // of all components
	Hot         float64
	Level       int
	Busy        bool // input of a running compaction
	First, Last Position
	Span        float64 // share of the token space between first and last that the node owns, 0..1
	Created     int64   // ms

	MinTimestamp, MaxTimestamp int64 // µs, as the writes have them
	MaxLocal                   int64 // seconds; NoDeletion if anything neither expires nor is deleted

	Drops    Drops
	Cells    int64               // mean cells a partition times partitions
	Keys     int                 // partitions
	SampleOf func() []ring.Token // of every 128th key, as in the index summary
}

// Table is what a strategy sees of a table on a node.
type Table struct {
	Files        []File  // oldest generation first, busy ones too
	Beside       []File  // the other side of repair: never picked, but tombstones must not go while these hold what they hide
	Now          int64   // ms
	GCBefore     int64   // seconds: tombstones older than that may go
	MemTimestamp int64   // the oldest of the memtable, µs; math.MaxInt64 if it is empty
	Coverage     float64 // share of the token space that the node owns
	SpanOf       func(first, last ring.Token) float64
	FlushBytes   float64         // moving average of flushes' bytes; NaN before the first
	Draw         func(n int) int // a random number in [0, n)
}

// free are the files that no compaction holds.
func (t *Table) free() []File {
	var out []File
	for _, f := range t.Files {
		if !f.Busy {
			out = append(out, f)
		}
	}
	return out
}

// Memory is what strategies remember of a table between picks. It is lost when
// the node restarts or the table's options change.
type Memory struct {
	compacted [LevelCount]*Position // of each level, where its last compaction ended
	rounds    [LevelCount]int       // of each level, compactions since its own last one

	newestWindow int64 // ms
	checked      int64 // when expired files were last looked for, ms
	skipped      bool  // the last pick did not look for them
	flushBytes   int64 // on which density levels are based
}

// Cut is how a compaction's output is cut into files.
type Cut uint8

// The ways to cut.
const (
	Whole    Cut = iota // one file
	BySize              // behind MaxBytes
	ByLevels            // behind MaxBytes, filling one level after the other
	Halves              // the half, a quarter, an eighth …
	ByShards            // where the token space is cut
)

// Pick is what a strategy wants compacted.
type Pick struct {
	Files    []File // nil: nothing
	Level    int    // of the output
	Cut      Cut
	MaxBytes int64 // of BySize and ByLevels
	Fanout   int   // of ByLevels
	Shards   int   // of ByShards
	Single   bool  // a single file, for its tombstones' sake
	Pending  int   // compactions that are estimated to be left, this one too
	Why      string
}

// Tier is a group of files that a strategy treats as one: a bucket, level,
// window or density level.
type Tier struct {
	Name  string
	Files []File
	Bytes int64
	Have  int // of what counts for a compaction: files, or files that overlap
	Need  int // that many start a compaction; 0 if the tier goes by bytes
	Limit int64
}

// Strategy is a compaction strategy with its table options.
type Strategy interface {
	// Name is the strategy's short name: STCS, LCS, TWCS, UCS.
	Name() string
	// Next picks the next background compaction.
	Next(t *Table, m *Memory) Pick
	// Major picks what compacts all free files, one pick for each compaction.
	// split cuts a size-tiered output into halves.
	Major(t *Table, split bool) []Pick
	// Chosen is the pick for files that somebody chose.
	Chosen(t *Table, files []File) Pick
	// Tiers groups the files, the youngest first.
	Tiers(t *Table, m *Memory) []Tier
	// Due is the next millisecond after t.Now at which time alone may change
	// what Next picks; math.MaxInt64 if there is none.
	Due(t *Table, m *Memory) int64
}

// bytesOf is the on-disk length of files together.
func bytesOf(files []File) int64 {
	n := int64(0)
	for _, f := range files {
		n += f.Bytes
	}
	return n
}

// byAge sorts by newest timestamp, oldest first.
func byAge(files []File) []File {
	out := append([]File(nil), files...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].MaxTimestamp < out[j].MaxTimestamp })
	return out
}

// overlap says whether two files have tokens in common.
func overlap(a, b *File) bool {
	return a.First.Token.Compare(b.Last.Token) <= 0 && b.First.Token.Compare(a.Last.Token) <= 0
}

// size is a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 10<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 10<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
