package session

import (
	"fmt"

	"ringlab/engine/answer"
	"ringlab/engine/sim"
)

// Together is a block of statements that are in flight at once: each client's
// own statements stay in order, those of different clients overlap.
type Together struct {
	start   sim.Time
	entries []entry
}

// entry is one statement of the block.
type entry struct {
	client *Client
	level  Client // the client's settings when the statement was written
	after  sim.Time
	text   string
	file   string
	line   int
	run    func() *answer.Answer // of a statement that its own client runs; nil: CQL
	steps  steps                 // of run, so far
	at     sim.Time              // when run began
}

// OpenTogether begins a block.
func (c *Core) OpenTogether() error {
	if c.Together != nil {
		return fmt.Errorf(":together is open already; :end closes it")
	}
	c.Together = &Together{start: c.Cluster.Now()}
	return nil
}

// AddTogether adds a statement to the open block, to start that much later than
// the block itself. file and line say where it stands.
func (c *Core) AddTogether(text string, after sim.Time, file string, line int) {
	c.Together.entries = append(c.Together.entries, entry{client: c.Current, level: *c.Current, after: after, text: text, file: file, line: line})
}

// RunTogether adds a statement that is run by calling run, as AddTogether adds
// one of CQL. run may be called several times: once for each operation that the
// statement waits for, and once more.
func (c *Core) RunTogether(text string, run func() *answer.Answer, after sim.Time, file string, line int) {
	c.AddTogether(text, after, file, line)
	c.Together.entries[len(c.Together.entries)-1].run = run
}

// CloseTogether runs the block and gives the answers in the order written.
func (c *Core) CloseTogether() ([]*answer.Answer, error) {
	t := c.Together
	if t == nil {
		return nil, fmt.Errorf(":end closes a :together, but none is open")
	}
	c.Together = nil
	answers := make([]*answer.Answer, len(t.entries))
	flights := make([]*flight, len(t.entries))
	for {
		left, moved, wake := t.round(c, flights, answers)
		if left == 0 {
			last := c.Cluster.Now()
			for _, a := range answers {
				last = max(last, sim.Time(a.AtMicros+a.Latency))
			}
			c.Cluster.Advance(last)
			return answers, nil
		}
		if moved {
			continue
		}
		if at, ok := c.Cluster.NextAt(); wake >= 0 && (!ok || wake <= at) {
			c.Cluster.Advance(wake)
		} else if !c.Cluster.Step() {
			return answers, fmt.Errorf("the block cannot go on: nothing is left to do")
		}
	}
}

// round starts what may start and collects what is done. It says how many
// statements are left, whether anything moved, and when the next one that only
// waits for its time may start (-1 for none).
func (t *Together) round(c *Core, flights []*flight, answers []*answer.Answer) (left int, moved bool, wake sim.Time) {
	wake = -1
	busy := map[*Client]bool{}
	free := map[*Client]sim.Time{} // when a client has its last answer
	for i := range t.entries {
		e := &t.entries[i]
		switch {
		case answers[i] != nil:
			free[e.client] = sim.Time(answers[i].AtMicros + answers[i].Latency)
			continue
		case flights[i] != nil:
			if op := flights[i].op; op != nil && !op.Done {
				left++
				busy[e.client] = true
				continue
			}
			if e.run != nil {
				e.steps.landed(flights[i])
				flights[i], answers[i] = t.upTo(c, e)
				moved = true
				continue
			}
			a := flights[i].end()
			a.AtMicros -= int64(clientDelay)
			a.Latency += 2 * int64(clientDelay)
			answers[i], moved = a, true
			answers[i].File, answers[i].Line = e.file, e.line
			continue
		}
		left++
		if busy[e.client] {
			continue
		}
		busy[e.client] = true
		if at := max(t.start+e.after, free[e.client]) + clientDelay; at > c.Cluster.Now() {
			if wake < 0 || at < wake {
				wake = at
			}
			continue
		}
		if moved = true; e.run != nil {
			e.at = c.Cluster.Now()
			flights[i], answers[i] = t.upTo(c, e)
			continue
		}
		settings := e.level
		settings.Keyspace = e.client.Keyspace
		flights[i] = c.start(&settings, e.text)
		e.client.Keyspace = settings.Keyspace
	}
	return left, moved, wake
}
