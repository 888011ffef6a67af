package session

import (
	"strconv"

	"github.com/google/uuid"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
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
}

// keepTrace remembers a traced statement that has been answered.
func (c *Core) keepTrace(f *flight) {
	k := f.client
	s := &Session{Op: f.op, Request: "Execute CQL3 query", Started: c.Cluster.Clock(f.op.Coord) - int64(c.Cluster.Now()-f.op.Start)}
	s.ID = uuid.UUID(types.NewTimeUUID(types.TicksOfMillis(0)+uint64(s.Started)*10, f.op.ID^0x8080808080808080))
	s.Parameters = []schema.Option{{Key: "consistency_level", Value: f.op.CL.String()}, {Key: "query", Value: f.ans.Statement},
		{Key: "serial_consistency_level", Value: k.Serial.String()}}
	if k.Paging {
		s.Parameters = append(s.Parameters, schema.Option{Key: "page_size", Value: strconv.Itoa(k.PageSize)})
	}
	if c.traced = append(c.traced, s); len(c.traced) > keepTraced {
		c.traced = append(c.traced[:0:0], c.traced[1:]...)
	}
}

// Sessions are the traced operations that are kept, oldest first.
func (c *Core) Sessions() []*Session { return c.traced }

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
			"coordinator_port", storagePort, "duration", int(s.Op.End-s.Op.Start), "parameters", s.Parameters, "request", s.Request,
			"started_at", types.EncodeInt64(s.Started/1000))
	}
}

// addEvents names each event by the time at which its node wrote it.
func (c *Core) addEvents(t *systemTable, _ int) {
	for _, s := range c.traced {
		for i, e := range s.Op.Trace() {
			n, _ := c.Cluster.Find(e.Source)
			at := c.Epoch*1000000 + e.At + n.Skew
			t.add("session_id", s.ID, "event_id", types.NewTimeUUID(types.TicksOfMillis(0)+uint64(at)*10, uint64(i)^0x8080808080808080),
				"activity", e.Activity, "source", n.Address, "source_elapsed", int(e.Elapsed), "source_port", storagePort, "thread", e.Thread)
		}
	}
}
