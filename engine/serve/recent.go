package serve

import (
	"slices"
	"time"

	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/engine/view"
)

// recent are the last requests, for a screen.
type recent struct {
	ring  [view.MostServed]view.Request
	total uint64
	rate  rate
}

// add takes a request and its answer, but not the rows.
func (r *recent) add(core *session.Core, c *conn, q *session.Request, out *session.Reply) {
	a := out.Answer
	short := &answer.Answer{Statement: q.Text, Error: a.Error, Warnings: a.Warnings, Verdict: a.Verdict, Stale: a.Stale, Op: a.Op, AtMicros: a.AtMicros, Latency: a.Latency, Coordinator: a.Coordinator}
	what := ""
	switch q.Verb {
	case session.Prepare:
		what = "prepare"
	case session.Execute:
		what, short.Statement = "execute", a.Statement
	case session.Batch:
		what, short.Statement = "batch", a.Statement
	}
	level := ""
	if q.Verb != session.Prepare {
		level = q.CL.String()
	}
	r.total++
	r.rate.mark(time.Now().Unix())
	r.ring[r.total%view.MostServed] = view.Request{N: r.total, Client: c.name, Node: core.Cluster.Name(q.Node), Level: level, Verb: what, Answer: short}
}

func (r *recent) perSecond() float64 { return r.rate.each(time.Now().Unix()) }

// list gives them, oldest first.
func (r *recent) list() []view.Request {
	out := make([]view.Request, 0, len(r.ring))
	for _, q := range r.ring {
		if q.N > 0 {
			out = append(out, q)
		}
	}
	slices.SortFunc(out, func(a, b view.Request) int { return int(a.N) - int(b.N) })
	return out
}
