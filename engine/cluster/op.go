package cluster

import (
	"errors"
	"fmt"

	"ringlab/engine/answer"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/plan"
)

// Op is one statement in flight, or done.
type Op struct {
	ID     uint64
	Kind   string // read, write, range, truncate, cas, counter, batch
	Coord  int
	CL     plan.Consistency
	Start  sim.Time
	End    sim.Time // valid when Done
	Done   bool
	Err    *Failure
	Traced bool

	Majority int              // of a conditional write: replicas that decide
	Applied  bool             // of a conditional write: its conditions held
	Found    []*storage.Found // of a read: per key in order of the keys, or by token
	Acks     int
	Need     int
	Repaired int      // replicas written to by read repair
	Answered []int    // replicas whose data or digest decided a read
	Hinted   []int    // replicas a hint was kept for
	Scanned  *Scanned // more tombstones than tombstone_warn_threshold, nil for none

	space struct { // what the lists begin in
		found    [1]*storage.Found
		answered [3]int
	}
	serial  bool   // a read that finishes rounds of Paxos first
	then    func() // goes on once the operation's read has succeeded
	waiting int
	queue   *inOrder  // of a read of several partitions with a limit
	log     *batchLog // of a logged batch
	trace   []answer.TraceEvent
	reached []sim.Time // per node: when the trace reached it, -1 before
	scan    *scan
	seek    *seek
	filter  *filtering
	groups  Grouping // nil for a read of rows
}

// Writes says whether an operation of that kind changes data.
func Writes(kind string) bool { return kind != "read" && kind != "range" }

// Failure is an error of the cluster: unavailable, timeout, failure. It says
// whether the work may have happened.
type Failure struct {
	Code        plan.Code
	Message     string
	CL          plan.Consistency
	Required    int
	Alive       int
	Received    int
	BlockFor    int
	WriteType   string
	DataPresent bool
	Failures    map[string]string
	Contentions int // of a conditional write that gave up
}

func (f *Failure) Error() string { return f.Message }

// Definite says whether it is certain that nothing was changed.
func (f *Failure) Definite() bool {
	return f.Code == plan.UnavailableErr || f.Code == plan.ReadTimeout || f.Code == plan.ReadFailure || f.Code == plan.InvalidRequest || f.Code == plan.ServerError
}

func unavailable(cl plan.Consistency, dc string, required, alive int) *Failure {
	f := &Failure{Code: plan.UnavailableErr, CL: cl, Required: required, Alive: alive, Message: "Cannot achieve consistency level " + cl.String()}
	if dc != "" {
		f.Message += " in DC " + dc
	}
	return f
}

func timeoutText(received int) string {
	if received == 1 {
		return "Operation timed out - received only 1 responses."
	}
	return fmt.Sprintf("Operation timed out - received only %d responses.", received)
}

// Then makes an operation go on after its read instead of answering the client.
func (op *Op) Then(next func()) { op.then = next }

// Refuse ends an operation that turned out to be invalid, or on which its
// coordinator stumbled.
func (c *Cluster) Refuse(op *Op, err error) {
	code := plan.InvalidRequest
	var e *plan.Error
	if errors.As(err, &e) {
		code = e.Code
	}
	c.finish(op, &Failure{Code: code, Message: err.Error()})
}

// finish answers the client.
func (c *Cluster) finish(op *Op, err *Failure) {
	if op.Done {
		return
	}
	if c.Nodes[op.Coord].Quiet && op.CL != plan.NodeLocal {
		err = c.broken(op, "closed its connections")
	}
	if next := op.then; next != nil && err == nil {
		op.then = nil
		next()
		return
	}
	op.Done, op.End, op.Err = true, c.now, err
	c.countOp(op)
}

// tr adds a trace event if the operation is traced.
func (c *Cluster) tr(op *Op, node int, thread, format string, args ...any) {
	if op == nil || !op.Traced {
		return
	}
	if op.reached == nil {
		op.reached = make([]sim.Time, len(c.Nodes))
		for i := range op.reached {
			op.reached[i] = -1
		}
		op.reached[op.Coord] = op.Start
	}
	for len(op.reached) < len(c.Nodes) { // a node has joined meanwhile
		op.reached = append(op.reached, -1)
	}
	if op.reached[node] < 0 {
		op.reached[node] = c.now
	}
	activity := format
	if len(args) > 0 {
		activity = fmt.Sprintf(format, args...)
	}
	op.trace = append(op.trace, answer.TraceEvent{Source: c.Nodes[node].Name, Activity: activity, Thread: thread, Elapsed: int64(c.now - op.reached[node]), At: int64(c.now)})
}

// Trace is what was traced so far, late events included.
func (op *Op) Trace() []answer.TraceEvent { return op.trace }

// Threads as Cassandra names the pools.
const (
	threadClient   = "Native-Transport-Requests"
	threadMutation = "MutationStage"
	threadCounter  = "CounterMutationStage"
	threadRead     = "ReadStage"
	threadResponse = "RequestResponseStage"
	threadNet      = "Messaging-EventLoop"
)

// TraceParsed adds the events of parsing a statement at its coordinator.
func (c *Cluster) TraceParsed(op *Op, statement string) {
	c.tr(op, op.Coord, threadClient, "Parsing %s", statement)
	c.tr(op, op.Coord, threadClient, "Preparing statement")
}

// Scanned is what the coordinator itself read when it passed more tombstones
// than the threshold.
type Scanned struct {
	Live, Dead int
	Key        string // "" for ranges
}
