package serve

import (
	"time"

	"ringlab/engine/session"
)

// clock is the machine's, as the lab that is served follows it. It belongs to the
// goroutine that owns the lab.
type clock struct {
	begun time.Time
	from  int64 // virtual time then, µs
	unix  int64 // of the nodes then, µs since 1970: that of the machine, unless they are ahead of it
}

func startClock(core *session.Core) clock {
	return clock{begun: time.Now(), from: int64(core.Cluster.Now()), unix: max(core.Cluster.Unix(), time.Now().UnixMicro())}
}

// passed is the machine's time since the clock began, µs.
func (c *clock) passed() int64 { return time.Since(c.begun).Microseconds() }

// ahead is by how much the nodes' clocks are ahead of the machine's, µs.
func (c *clock) ahead() int64 { return c.unix + c.passed() - time.Now().UnixMicro() }

// virtual is what virtual time is, where it follows the machine's.
func (c *clock) virtual() int64 { return c.from + c.passed() }

// nodes says what the nodes' clocks are to say at a request, in µs since the
// lab's epoch; nil where they do. Requests take virtual time, which therefore
// runs ahead of the machine's under load; the clocks of nodes, which TTLs and
// timestamps come from, stay with it, as those of drivers do.
func (c *clock) nodes(core *session.Core) *int64 {
	passed := c.passed()
	want := c.unix + passed
	if have := core.Cluster.Unix(); want-have < 1000 && have-want < 1000 && int64(core.Cluster.Now()) <= c.from+passed {
		return nil
	}
	at := want - core.Epoch*1000000
	return &at
}

// resume follows the machine's clock from where the lab is now: a command may
// have moved it.
func (c *clock) resume(core *session.Core) {
	c.unix = max(core.Cluster.Unix(), c.unix+c.passed())
	c.begun, c.from = time.Now(), int64(core.Cluster.Now())
}
