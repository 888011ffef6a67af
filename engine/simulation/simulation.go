// Package simulation is ringlab's main test: random schemas, clients, faults and
// changes of the ring, drawn from a seed, and checkers that know nothing of the
// engine but its answers. A script that a checker refuses is made short and printed
// as a .lab file. The package is for tests; the program does not import it.
package simulation

import (
	"fmt"
	"os"
	"strconv"
)

// Script is a lab's life: a ring, and what happens on it.
type Script struct {
	Seed    uint64
	Ring    string // as `:ring new` takes it
	RF      map[string]int
	Simple  bool // SimpleStrategy: levels count all replicas, whatever their data center
	Moves   bool // the ring changes
	Down    bool // clustering order
	Repairs bool // read_repair is BLOCKING
	Grace   int64
	Steps   []Step
}

// Step is one thing that happens: the lines of a client, a fault, a change. A block
// of statements in flight at once is one step. Epoch steps end all faults.
type Step struct {
	Lines []string
	Ops   []Op // what the statements of the lines mean, in their order
	Epoch bool
}

// Op is the meaning of one statement to the checkers.
type Op struct {
	Kind   Kind
	Key    int
	Lo, Hi int   // rows: a write's is Lo, a delete's and a read's are Lo to Hi, both included
	At     int64 // timestamp of a write
	Value  int64 // written, or to be added to a counter
	If     int64 // a condition's value; absent for IF NOT EXISTS
	Limit  int   // of a read, 0 for none
	Back   bool  // a read against the clustering order
	CL     string
	Batch  int // statements of the batch that this one is a part of, 0 for none
}

// Kind is what an Op does.
type Kind int

// The kinds of operations, by table: data, lwt and hits.
const (
	Insert Kind = iota
	Delete
	Read
	ReadAll
	Compare    // UPDATE … IF v = or INSERT … IF NOT EXISTS
	ReadSerial // of an lwt register
	Add
	ReadCount
)

// absent is a register's value when there is no row.
const absent = -1

// Finding is what a checker did not accept.
type Finding struct {
	Checker string // the rule's name
	Text    string // what was seen, and what should have been
	Lines   []string
}

func (f *Finding) String() string { return f.Checker + ": " + f.Text }

// Seeds are the seeds to run: RINGLAB_SEED=N runs that one, RINGLAB_SEEDS=N the first
// N, else there are a few. It is an error if one of the variables is no number.
func Seeds(few int) ([]uint64, error) {
	for _, name := range []string{"RINGLAB_SEED", "RINGLAB_SEEDS"} {
		text := os.Getenv(name)
		if text == "" {
			continue
		}
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			return nil, fmt.Errorf("%s=%s is no number", name, text)
		}
		if name == "RINGLAB_SEED" {
			return []uint64{n}, nil
		}
		few = int(n)
	}
	out := make([]uint64, few)
	for i := range out {
		out[i] = uint64(i + 1)
	}
	return out, nil
}
