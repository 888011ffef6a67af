package session

import (
	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/event"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/plan"
)

// Recorder keeps what the last operations did, for people: their events, their
// outcome, and whether they returned the newest value. It exists only while
// somebody looks.
type Recorder struct {
	Ops    []*Recorded // oldest first
	Downs  []Outage    // oldest first
	Counts map[OutcomeKey]*Outcome
	Log    event.Journal // everything that happened, the newest
	byOp   map[uint64]*Recorded
	mute   func(on bool)
	muted  bool // a load runs: its operations are counted only
}

// Outage is a time in which a node was down.
type Outage struct {
	Node     int
	From, To sim.Time // To is 0 while it lasts
}

// Recorded is one operation.
type Recorded struct {
	ID        uint64
	Statement string
	Kind      string
	CL        plan.Consistency
	Coord     int
	Start     sim.Time
	End       sim.Time
	Done      bool
	Outcome   string // fresh, stale, unavailable, timeout, error
	Verdict   string
	Answered  []int
	Hinted    []int
	Need      int
	RF        int
	Keyspace  string
	Table     string
	Key       string // partition key as text, "" for several or none
	Records   []event.Record
	op        *cluster.Op
}

// Trace is the operation's trace events so far.
func (r *Recorded) Trace() []answer.TraceEvent {
	if r.op == nil {
		return nil
	}
	return r.op.Trace()
}

// AppliedOn says whether a replica has applied a write, as far as its events are
// kept.
func (r *Recorded) AppliedOn(node int) bool {
	for i := range r.Records {
		if e := &r.Records[i]; e.Kind == event.Write && e.Node == node {
			return true
		}
	}
	return false
}

// Repaired says whether a read has written to replicas that were behind.
func (r *Recorded) Repaired() bool {
	for i := range r.Records {
		if r.Records[i].Kind == event.Repair {
			return true
		}
	}
	return false
}

// OutcomeKey names a counter of outcomes.
type OutcomeKey struct {
	Kind string
	CL   plan.Consistency
}

// Outcome counts how operations of one kind and level ended.
type Outcome struct {
	Fresh, Stale, Unavailable, Timeout, Error int
	Recent                                    []byte // newest last, at most 64
}

const (
	keepOps     = 256
	keepRecords = 2000 // per operation
)

// NewRecorder listens to a lab.
func NewRecorder(c *Core) *Recorder {
	r := &Recorder{}
	r.reset(c.Cluster)
	return r
}

func (r *Recorder) reset(c *cluster.Cluster) {
	r.Ops, r.byOp, r.Counts = nil, map[uint64]*Recorded{}, map[OutcomeKey]*Outcome{}
	r.Downs, r.muted, r.Log = nil, false, event.Journal{}
	r.mute = c.Listen(func(e *event.Record) {
		r.Log.Add(e)
		if e.Op == 0 {
			r.outage(e)
			return
		}
		if op := r.byOp[e.Op]; op != nil && len(op.Records) < keepRecords {
			op.Records = append(op.Records, *e)
		}
	})
}

// outage notes that a node stopped or started.
func (r *Recorder) outage(e *event.Record) {
	switch e.Kind {
	case event.NodeDown:
		if r.Downs = append(r.Downs, Outage{Node: e.Node, From: e.At}); len(r.Downs) > keepOps {
			r.Downs = r.Downs[1:]
		}
	case event.NodeUp:
		for i := range r.Downs {
			if o := &r.Downs[i]; o.Node == e.Node && o.To == 0 {
				o.To = e.At
			}
		}
	}
}

// Find is the operation with that number, the newest with 0.
func (r *Recorder) Find(id int) *Recorded {
	if id == 0 && len(r.Ops) > 0 {
		return r.Ops[len(r.Ops)-1]
	}
	return r.byOp[uint64(id)]
}

func (r *Recorder) began(f *flight) {
	op := &Recorded{ID: f.op.ID, Statement: f.ans.Statement, Kind: f.op.Kind, CL: f.op.CL, Coord: f.op.Coord, Start: f.op.Start, op: f.op}
	if f.table != nil {
		op.Keyspace, op.Table = f.table.Keyspace, f.table.Name
	}
	r.Ops = append(r.Ops, op)
	r.byOp[op.ID] = op
	if len(r.Ops) > keepOps { // append moves the list once it has no room left: not for each operation
		delete(r.byOp, r.Ops[0].ID)
		r.Ops[0] = nil
		r.Ops = r.Ops[1:]
	}
}

// Mute says that operations are counted, but not kept with their events; a nil
// recorder has nothing to mute.
func (r *Recorder) Mute(on bool) {
	if r != nil && r.muted != on {
		r.muted = on
		r.mute(on)
	}
}

func (r *Recorder) ended(f *flight, a *answer.Answer) {
	op := r.byOp[f.op.ID]
	if op == nil {
		if !f.bulk || !cluster.Writes(f.op.Kind) { // whether a read of a load was stale is not known
			return
		}
		op = &Recorded{Kind: f.op.Kind, CL: f.op.CL}
	}
	op.Done, op.End, op.Answered, op.Hinted, op.Need = true, f.op.End, f.op.Answered, f.op.Hinted, f.op.Need
	op.Verdict = a.Verdict
	if len(f.queries) == 1 {
		f.key = []byte(f.queries[0].Key)
	}
	if f.table != nil && f.key != nil {
		op.Key = f.table.KeyText(f.key)
	}
	key := OutcomeKey{"read", op.CL}
	if cluster.Writes(op.Kind) {
		key.Kind = "write"
	}
	o := r.Counts[key]
	if o == nil {
		o = &Outcome{}
		r.Counts[key] = o
	}
	mark := byte('f')
	op.Outcome = "fresh"
	switch {
	case f.op.Err != nil && f.op.Err.Code == plan.UnavailableErr:
		o.Unavailable++
		mark, op.Outcome = 'u', "unavailable"
	case f.op.Err != nil && (f.op.Err.Code == plan.ReadTimeout || f.op.Err.Code == plan.WriteTimeout):
		o.Timeout++
		mark, op.Outcome = 't', "timeout"
	case f.op.Err != nil:
		o.Error++
		mark, op.Outcome = 'e', "error"
	case a.Stale:
		o.Stale++
		mark, op.Outcome = 's', "stale"
	default:
		o.Fresh++
	}
	if o.Recent = append(o.Recent, mark); len(o.Recent) > 64 {
		o.Recent = o.Recent[1:]
	}
}

// stale says whether the replicas together know newer rows than a read gave:
// something no client can see. It looks at single-partition reads only.
func (c *Core) stale(op *cluster.Op, q []*storage.Query) (lag bool) {
	for i, query := range q {
		if i >= len(op.Found) || op.Found[i] == nil {
			continue
		}
		var copies []*storage.Partition
		for _, n := range c.Cluster.Placement(query.Table.Keyspace).Replicas(query.Token) {
			full := *query
			copies = append(copies, c.Cluster.Store(n, query.Table).Peek(&full).Partition)
		}
		truth := storage.Merge(query.Table, copies, query.Reversed)
		if d := storage.Diff(query.Table, truth, op.Found[i].Partition, nil); d != nil {
			return true
		}
	}
	return false
}
