package session

import (
	"ringlab/engine/answer"
	"ringlab/model/plan"
)

// steps lets a statement that waits for one operation after the other share the
// ring with others: it is run until it would wait, and run again from its
// beginning, with the answers that there are, when the operation is done.
type steps struct {
	done   []*flight
	at     int     // how many of them this run has taken
	flight *flight // what this run waits for, nil for nothing
}

// next is what the statement's next operation gave; if it is not done, or not
// begun, the answer is an error that ends this run.
func (s *steps) next(begin func() *flight) (*answer.Answer, *flight) {
	if s.at < len(s.done) {
		f := s.done[s.at]
		s.at++
		a := *f.ans
		return &a, f
	}
	if s.flight == nil {
		s.flight = begin()
	}
	return &answer.Answer{Error: &answer.Error{Name: "InFlight"}}, s.flight
}

// landed takes the answer of the operation that is done.
func (s *steps) landed(f *flight) {
	a := f.end()
	a.Latency += 2 * int64(clientDelay)
	s.done = append(s.done, f)
}

// upTo runs a statement of the block up to its next operation, or to its answer.
func (t *Together) upTo(c *Core, e *entry) (*flight, *answer.Answer) {
	for {
		was := c.Current
		settings := e.level
		settings.Keyspace = e.client.Keyspace
		e.steps.at, e.steps.flight = 0, nil
		c.Current, c.steps = &settings, &e.steps
		a := e.run()
		c.Current, c.steps = was, nil
		f := e.steps.flight
		switch {
		case f == nil:
			e.client.Keyspace = settings.Keyspace
			if settings.CL != e.level.CL {
				t.level(e.client, settings.CL)
			}
			a.AtMicros, a.Latency = int64(e.at-clientDelay), int64(c.Cluster.Now()-e.at+2*clientDelay)
			a.File, a.Line = e.file, e.line
			return nil, a
		case f.op != nil:
			return f, nil
		}
		e.steps.landed(f) // it was refused, or needs no time
	}
}

// level sets the consistency level of a client and of what it has still to do.
func (t *Together) level(k *Client, cl plan.Consistency) {
	k.CL = cl
	for i := range t.entries {
		if t.entries[i].client == k {
			t.entries[i].level.CL = cl
		}
	}
}
