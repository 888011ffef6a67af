// Package simulation is ringlab's main test: random schemas, clients, faults and
// changes of the ring, drawn from a seed, and checkers that know nothing of the
// engine but its answers. A script that a checker refuses is made short and printed
// as a .lab file. The package is for tests; the program does not import it.
package simulation

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Script is a lab's life: a ring, and what happens on it.
type Script struct {
	Seed    uint64
	Ring    string // as `:ring new` takes it
	RF      map[string]int
	Simple  bool // SimpleStrategy: levels count all replicas, whatever their data center
	Moves   bool // the ring changes
	Rough   bool // the ring changes at any moment, and little of the data is promised
	ByReads bool // reads at ALL make the replicas equal, before a repair has nothing to do
	Down    bool // clustering order
	Repairs bool // read_repair is BLOCKING
	Grace   int64
	Steps   []Step
}

// Step is one thing that happens: the lines of a client, a fault, a change. A block
// of statements in flight at once is one step. Epoch steps end all faults first; what
// has to meet a ring at rest is a part of them.
type Step struct {
	Lines []string
	Ops   []Op // what the statements of the lines mean, in their order
	Epoch bool
	RF    map[string]int // replication from here on, nil for no change
}

// Op is the meaning of one statement to the checkers.
type Op struct {
	Kind   Kind
	Map    bool // of the table of maps, whose entries are rows to the checkers
	Key    int
	Lo, Hi int   // rows: a write's is Lo, a delete's and a read's are Lo to Hi, both included
	At     int64 // timestamp of a write
	Value  int64 // written, or to be added to a counter
	If     int64 // a condition's value; absent for IF NOT EXISTS
	Limit  int   // of a read, 0 for none
	Back   bool  // a read against the clustering order
	CL     string
	Of     int  // operations of its statement, 0 for one
	Batch  bool // its statement is a batch
}

// Kind is what an Op does.
type Kind int

// The kinds of operations, by table: data and maps, lwt, hits and wide.
const (
	Insert Kind = iota
	Delete
	Read
	ReadAll
	Compare    // UPDATE … IF v =, INSERT … IF NOT EXISTS or DELETE … IF EXISTS
	ReadSerial // of an lwt register
	Add
	ReadCount
	Other // something that only has to end, and to be the same on all replicas at last
)

const (
	absent  = -1 // a register's value when there is no row
	present = -2 // a condition: there is a row
)

// Finding is what a checker did not accept.
type Finding struct {
	Checker string // the rule's name
	Text    string // what was seen, and what should have been
	Lines   []string
}

func (f *Finding) String() string { return f.Checker + ": " + f.Text }

// Seeds are the seeds to run: RINGLAB_SEED=N runs that one, RINGLAB_SEEDS=N the first
// N, RINGLAB_SEEDS=M-N those from M to N, else there are a few. It is an error if one
// of the variables is no number.
func Seeds(few int) ([]uint64, error) {
	first, last := "1", strconv.Itoa(few)
	name, text := "RINGLAB_SEED", os.Getenv("RINGLAB_SEED")
	if text != "" {
		first, last = text, text
	} else if name, text = "RINGLAB_SEEDS", os.Getenv("RINGLAB_SEEDS"); text != "" {
		var between bool
		if first, last, between = strings.Cut(text, "-"); !between {
			first, last = "1", text
		}
	}
	from, err := strconv.ParseUint(first, 10, 32)
	to, err2 := strconv.ParseUint(last, 10, 32)
	if err != nil || err2 != nil {
		return nil, fmt.Errorf("%s=%s is no number", name, text)
	}
	var out []uint64
	for seed := from; seed <= to; seed++ {
		out = append(out, seed)
	}
	return out, nil
}
