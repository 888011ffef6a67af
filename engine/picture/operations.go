package picture

import (
	"fmt"
	"sort"

	"ringlab/engine/cluster"
	"ringlab/engine/event"
	"ringlab/engine/session"
	"ringlab/engine/view"
	"ringlab/model/plan"
)

// operations fills outcome strips and the trace of one operation.
func (p *Painter) operations(v *view.View, need view.Need) {
	rec := p.core.Recorder
	for _, op := range rec.Ops {
		kind := "read"
		if cluster.Writes(op.Kind) {
			kind = "write"
		}
		v.Ops = append(v.Ops, view.Op{N: int(op.ID), Kind: kind, CL: op.CL.String(), Outcome: op.Outcome, Text: op.Statement})
	}
	keys := make([]session.OutcomeKey, 0, len(rec.Counts))
	for k := range rec.Counts {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if keys[i].Kind != keys[j].Kind {
			return keys[i].Kind > keys[j].Kind
		}
		return keys[i].CL < keys[j].CL
	})
	for _, k := range keys {
		o := rec.Counts[k]
		v.Outcomes = append(v.Outcomes, view.Outcome{Kind: k.Kind, CL: k.CL.String(), Fresh: o.Fresh, Stale: o.Stale, Unavailable: o.Unavailable,
			Timeout: o.Timeout, Fail: o.Error, Recent: string(o.Recent)})
	}
	if op := rec.Find(need.Op); op != nil {
		v.Trace = p.trace(op)
		v.Chain = p.chain(op)
	}
}

// trace draws one operation as lanes.
func (p *Painter) trace(op *session.Recorded) *view.Trace {
	c := p.core.Cluster
	t := &view.Trace{Op: int(op.ID), Statement: op.Statement, Kind: op.Kind, CL: op.CL.String(), OK: succeeded(op),
		Verdict: op.Verdict, Start: int64(op.Start), End: int64(op.End), Last: int64(op.End), Text: op.Trace(),
		Keyspace: op.Keyspace, Table: op.Table, Key: op.Key}
	if t.Verdict == "" && op.Done {
		t.Verdict = op.Outcome
	}
	lanes := map[int]*view.Lane{}
	var order []int
	lane := func(n int) *view.Lane {
		l := lanes[n]
		if l == nil {
			l = &view.Lane{Node: n, Role: "R"}
			lanes[n] = l
			order = append(order, n)
		}
		return l
	}
	lane(op.Coord).Role = "C"
	for _, r := range op.Records {
		at := int64(r.At - op.Start)
		t.Last = max(t.Last, int64(r.At))
		add := func(n int, m view.Mark) { l := lane(n); l.Marks = append(l.Marks, m) }
		switch r.Kind {
		case event.Send:
			kind := "send"
			switch r.What {
			case "MUTATION_RSP", "READ_REPAIR_RSP":
				kind = "ack"
			case "READ_RSP", "RANGE_RSP":
				kind = "data"
			}
			add(r.Node, view.Mark{At: at, To: at, Kind: kind, Peer: r.Peer, Text: r.What})
		case event.Receive:
			add(r.Node, view.Mark{At: at, To: at, Kind: "arrive", Peer: r.Peer, Text: r.What})
		case event.Write, event.Read:
			add(r.Node, view.Mark{At: at, To: at + 60, Kind: "work", Peer: -1, Text: r.Line(c.Name)})
			if r.Node == op.Coord {
				lane(r.Node).Role = "CR"
			}
		case event.Ack:
			kind := "ack"
			if r.What == "digest" || r.What == "data" {
				kind = r.What
			}
			add(r.Node, view.Mark{At: at, To: at, Kind: kind, Peer: r.Peer, Text: r.Line(c.Name)})
		case event.Repair:
			add(r.Node, view.Mark{At: at, To: at, Kind: "repair", Peer: r.Peer, Text: "read repair"})
		case event.HintStored:
			add(r.Node, view.Mark{At: at, To: at, Kind: "hint", Peer: r.Peer, Text: "hint"})
			if l := lane(r.Peer); len(l.Marks) == 0 {
				l.Note = "known down: no message, hint on " + c.Name(r.Node)
			}
		case event.Drop:
			add(r.Node, view.Mark{At: at, To: at, Kind: "drop", Peer: r.Peer, Text: r.Text})
			if l := lane(r.Peer); len(l.Marks) == 0 {
				l.Note = "never arrived: " + r.Text
			}
		case event.Timeout:
			add(r.Node, view.Mark{At: at, To: at, Kind: "timeout", Peer: -1, Text: r.Line(c.Name)})
		case event.Unavailable:
			t.Why = append(t.Why, fmt.Sprintf("%s needs %d live replicas, %s sees %d: refused before anything was sent.", r.What, r.N, c.Name(r.Node), r.M))
		}
	}
	if op.Done {
		l := lane(op.Coord)
		l.Marks = append(l.Marks, view.Mark{At: int64(op.End - op.Start), To: int64(op.End - op.Start), Kind: "reply", Peer: -1, Text: "reply"})
	}
	sort.Slice(order, func(i, j int) bool {
		a, b := order[i], order[j]
		if (a == op.Coord) != (b == op.Coord) {
			return a == op.Coord
		}
		return a < b
	})
	for _, n := range order {
		l := lanes[n]
		sort.SliceStable(l.Marks, func(i, j int) bool { return l.Marks[i].At < l.Marks[j].At })
		t.Lanes = append(t.Lanes, *l)
	}
	t.Why = append(t.Why, p.reasons(op)...)
	return t
}

// reasons are the sentences under a trace; each number comes from the model.
func (p *Painter) reasons(op *session.Recorded) []string {
	c := p.core.Cluster
	var out []string
	keyspace := op.Keyspace
	if len(op.Hinted) > 0 {
		out = append(out, fmt.Sprintf("%s kept a hint for %s; it is sent about 10 s after that node is seen alive again.", c.Nodes[op.Coord].Name, names(c, op.Hinted)))
	}
	if op.Outcome == "stale" {
		out = append(out, "No client can see that.")
	}
	if keyspace == "" || c.Schema.Keyspace(keyspace) == nil || op.CL == plan.NodeLocal {
		return out
	}
	rf := c.Strategy(keyspace).RF()
	if other := p.lastOther(op); other != nil && succeeded(op) && op.Need > 0 && other.Need > 0 {
		w, r := op, other
		if op.Kind != "write" {
			w, r = other, op
		}
		out = append(out, overlap(w.CL.String(), w.Need, r.CL.String(), r.Need, rf))
	}
	return out
}

// lastOther is the newest operation of the other kind on the same keyspace that
// succeeded: for a read of those before it, since later writes are none of its
// business; for a write of all.
func (p *Painter) lastOther(op *session.Recorded) *session.Recorded {
	ops := p.core.Recorder.Ops
	for i := len(ops) - 1; i >= 0; i-- {
		o := ops[i]
		if writes := cluster.Writes(op.Kind); cluster.Writes(o.Kind) != writes && succeeded(o) && o.Keyspace == op.Keyspace && (writes || o.ID < op.ID) {
			return o
		}
	}
	return nil
}

// succeeded says whether an operation kept what its level promises.
func succeeded(op *session.Recorded) bool {
	return op.Done && (op.Outcome == "fresh" || op.Outcome == "stale")
}
