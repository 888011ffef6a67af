package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/model/cql/bind"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// keepTraced is how many traced operations are kept.
const keepTraced = 64

// Session is one traced operation as system_traces shows it.
// Source: Cassandra 5.0 TraceState, TraceKeyspace.
type Session struct {
	ID         uuid.UUID
	Op         *cluster.Op
	Request    string
	Parameters []schema.Option
	Started    int64 // µs of the coordinator's clock
	ahead      int64 // µs by which the nodes' clocks were ahead of virtual time, counted from 1970
}

// keepTrace remembers a traced statement that has been answered.
func (c *Core) keepTrace(f *flight) {
	s := &Session{Op: f.op, Request: "Execute CQL3 query", Started: c.Cluster.Clock(f.op.Coord) - int64(c.Cluster.Now()-f.op.Start)}
	s.ahead = c.Cluster.Unix() - int64(c.Cluster.Now())
	s.Parameters = f.traceParameters()
	if f.request != nil && f.request.Verb != Query {
		s.Request = map[Verb]string{Execute: "Execute CQL3 prepared query", Batch: "Execute batch of CQL3 queries"}[f.request.Verb]
	}
	c.keepSession(f.ans, s)
}

// traceParameters are the parameters of a traced statement: of a prepared one
// with the values that it was executed with, of a batch without its statements.
// Source: Cassandra 5.0 QueryMessage, ExecuteMessage and BatchMessage.traceQuery.
func (f *flight) traceParameters() []schema.Option {
	k := f.client
	out := []schema.Option{{Key: "consistency_level", Value: f.op.CL.String()}, {Key: "serial_consistency_level", Value: k.Serial.String()}}
	if f.request != nil && f.request.Verb == Batch {
		return out
	}
	out = append(out, schema.Option{Key: "query", Value: f.ans.Statement})
	if k.Paging {
		out = append(out, schema.Option{Key: "page_size", Value: strconv.Itoa(k.PageSize)})
	}
	if f.bound != nil && f.bound.Meta != nil {
		for i, v := range f.bound.Meta.Variables {
			out = append(out, schema.Option{Key: fmt.Sprintf("bound_var_%d_%s", i, v.Name), Value: f.request.boundText(i, v)})
		}
	}
	slices.SortFunc(out, func(a, b schema.Option) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// boundText is the value of a variable as a constant, cut behind a thousand
// characters as Cassandra does.
func (r *Request) boundText(i int, v bind.Variable) string {
	var b []byte
	switch at := slices.IndexFunc(r.Values, func(x BoundValue) bool { return x.Name == v.Name }); {
	case r.Named && at >= 0:
		b = r.Values[at].Bytes
	case !r.Named && i < len(r.Values):
		b = r.Values[i].Bytes
	}
	if b == nil {
		return "null"
	}
	text := v.Type.Literal(b)
	if len(text) > 1000 {
		text = strings.ToValidUTF8(text[:1000], "") + "...'"
	}
	return text
}

// tracePrepared remembers that a statement was prepared and traced: drivers wait
// until they find it. Source: Cassandra 5.0 PrepareMessage.execute.
func (c *Core) tracePrepared(a *answer.Answer, node int, text string) {
	op := c.Cluster.Begin("prepare", node, plan.One, true)
	c.Cluster.TraceParsed(op, text)
	op.Done, op.End = true, c.Cluster.Now()
	s := &Session{Op: op, Request: "Preparing CQL3 query", Started: c.Cluster.Clock(node), Parameters: []schema.Option{{Key: "query", Value: text}}}
	s.ahead = c.Cluster.Unix() - int64(c.Cluster.Now())
	c.keepSession(a, s)
}

// keepSession names a session and keeps it in the place of the oldest.
func (c *Core) keepSession(a *answer.Answer, s *Session) {
	s.ID = uuid.UUID(types.NewTimeUUID(types.TicksOfMillis(0)+uint64(s.Started)*10, s.Op.ID^0x8080808080808080))
	a.Session = s.ID.String()
	if c.traced = append(c.traced, s); len(c.traced) > keepTraced {
		c.traced = append(c.traced[:0:0], c.traced[1:]...)
	}
}

// TraceSession is a traced operation by its session; nil if it is not kept.
func (c *Core) TraceSession(id string) *Session {
	for _, s := range c.traced {
		if strings.EqualFold(s.ID.String(), id) {
			return s
		}
	}
	return nil
}

// Rows are a session as SHOW SESSION lists it: activity, time of the node that
// did it, that node, µs since the session reached it, and the client.
// Source: cqlsh 6.2 cqlshlib/tracing.py.
func (c *Core) Rows(s *Session) [][]string {
	coordinator := c.Cluster.Nodes[s.Op.Coord].Address
	row := func(activity string, at int64, source string, elapsed int64) []string {
		return []string{activity, clockText(at), source, strconv.FormatInt(elapsed, 10), clientAddress}
	}
	out := [][]string{row(s.Request, s.Started, coordinator, 0)}
	for _, e := range s.Op.Trace() {
		n, _ := c.Cluster.Find(e.Source)
		out = append(out, row(types.Text.Text([]byte(e.Activity))+" ["+e.Thread+"]", s.ahead+e.At+n.Skew, n.Address, e.Elapsed))
	}
	took := s.took()
	return append(out, row("Request complete", s.Started+took, coordinator, took))
}

// took is the duration of a session, µs: at least one, since drivers take 0 for
// a session that is not complete (parsing takes no virtual time).
func (s *Session) took() int64 { return max(1, int64(s.Op.End-s.Op.Start)) }

// clockText is a time with microseconds, as Python writes it.
func clockText(micros int64) string {
	text := types.Timestamp.Text(types.EncodeInt64(micros / 1000)) // …:05.123000+0000
	return text[:len(text)-len("000+0000")] + fmt.Sprintf("%03d", micros%1000)
}

// LastTrace is the trace of an operation by number, of the last one with 0; nil
// if none is kept.
func (c *Core) LastTrace(id int) []answer.TraceEvent {
	for i := len(c.traced) - 1; i >= 0; i-- {
		if op := c.traced[i].Op; id == 0 || op.ID == uint64(id) {
			return op.Trace()
		}
	}
	if c.Recorder != nil {
		if r := c.Recorder.Find(id); r != nil {
			return r.Trace()
		}
	}
	return nil
}

func (c *Core) addSessions(t *systemTable, _ int) {
	for _, s := range c.traced {
		t.add("session_id", s.ID, "client", clientAddress, "command", "QUERY", "coordinator", c.Cluster.Nodes[s.Op.Coord].Address,
			"coordinator_port", storagePort, "duration", int(s.took()), "parameters", s.Parameters, "request", s.Request,
			"started_at", types.EncodeInt64(s.Started/1000))
	}
}

// addEvents names each event by the time at which its node wrote it.
func (c *Core) addEvents(t *systemTable, _ int) {
	for _, s := range c.traced {
		for i, e := range s.Op.Trace() {
			n, _ := c.Cluster.Find(e.Source)
			at := s.ahead + e.At + n.Skew
			t.add("session_id", s.ID, "event_id", types.NewTimeUUID(types.TicksOfMillis(0)+uint64(at)*10, uint64(i)^0x8080808080808080),
				"activity", e.Activity, "source", n.Address, "source_elapsed", int(e.Elapsed), "source_port", storagePort, "thread", e.Thread)
		}
	}
}
