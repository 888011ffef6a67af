package admin

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/engine/sim"
	"ringlab/engine/stress"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// stressRun is a load that runs: so many clients, each of which sends its next
// statement when the one before was answered.
type stressRun struct {
	ctx     *Context
	args    *stressArgs
	load    *stress.Load
	table   *schema.Table
	loader  *session.Loader // nil without inserts
	queries []*session.Prepared

	clients []stressClient
	results []stressResult // by operation
	begun   int64          // statements and batches
	sent    int64          // operations: partitions and queries
	rows    int64
	stop    string // why the rest is not run
	warning string
	warned  int
}

// stressClient is one of the clients and what it waits for.
type stressClient struct {
	op      stress.Operation
	busy    bool
	pending session.Pending
	began   sim.Time
	free    sim.Time // when the answer before was back
	from    int      // rows that were sent before, of a batch too large for one
	tries   int
}

// stressTries is how often an operation is tried.
// Source: Cassandra 5.0 SettingsErrors.
const stressTries = 10

// stressProgress is after how many rows the screen is asked whether to go on.
const stressProgress = 512

func (r *stressRun) run() ([]*answer.Answer, error) {
	c := r.ctx.Cluster
	began := c.Now()
	r.clients = make([]stressClient, min(int64(r.args.threads), r.args.n))
	for i := range r.clients {
		r.clients[i].free = began
	}
	r.ctx.Recorder.Mute(true)
	defer r.ctx.Recorder.Mute(false)
	told := int64(0)
	r.tell(began)
	for i := 0; r.stop == ""; i = (i + 1) % len(r.clients) {
		k := &r.clients[i]
		if r.finish(k); r.stop != "" || r.begun == r.args.stop {
			break
		}
		if r.rows-told >= stressProgress || r.begun%stressProgress == 0 && r.begun > 0 {
			if told = r.rows; !r.tell(began) {
				r.stop = fmt.Sprintf("Cancelled after %d statements and batches, %d of %d operations; what was written stays.", r.begun, r.sent, r.args.n)
				break
			}
		}
		if !r.load.Next(&k.op) {
			break
		}
		at := max(c.Now(), k.free+session.ClientDelay, r.args.paced(began, r.sent)+session.ClientDelay) // when it has reached its coordinator
		r.begun++
		r.sent += k.op.Partitions
		k.busy, k.began, k.from, k.tries = true, at-session.ClientDelay, 0, 1
		c.Advance(at)
		r.send(k)
	}
	end := began
	for i := range r.clients {
		r.finish(&r.clients[i])
		end = max(end, r.clients[i].free)
	}
	c.Advance(max(end, c.Now()))
	a := r.report(c.Now() - began)
	if r.warned > 0 {
		if r.warned > 1 {
			r.warning += fmt.Sprintf(" (%d more such warnings)", r.warned-1)
		}
		a.Warnings = []string{r.warning}
	}
	if r.stop != "" {
		return []*answer.Answer{a}, Complain("%s", r.stop)
	}
	return []*answer.Answer{a}, nil
}

// tell asks whoever watches whether to go on.
func (r *stressRun) tell(began sim.Time) bool {
	return r.ctx.Outside == nil || r.ctx.Outside.Progress(Progress{What: "stress", Done: int(r.sent), Of: int(r.args.n), Rows: int(r.rows),
		Virtual: r.ctx.Cluster.Now() - began, Repeat: int(r.begun)})
}

// send begins what a client has to do next.
func (r *stressRun) send(k *stressClient) {
	if q := k.op.Query; q >= 0 {
		k.pending.Query(r.ctx.Core, r.queries[q], k.op.Args)
		return
	}
	k.pending.Write(r.loader, k.batch())
}

// batch are the rows of the client's statement.
func (k *stressClient) batch() []plan.Row {
	return k.op.Rows[k.from:min(len(k.op.Rows), k.from+session.MostInBatch)]
}

// finish works until a client's operation is done: its tries, and its further
// batches.
func (r *stressRun) finish(k *stressClient) {
	c := r.ctx.Cluster
	for k.busy {
		a := k.pending.Done()
		k.free = k.pending.Ended() + session.ClientDelay
		if len(a.Warnings) > 0 {
			if r.warned++; r.warned == 1 {
				r.warning = a.Warnings[0]
			}
		}
		again := false
		switch {
		case a.Error == nil && k.op.Query < 0:
			k.from += len(k.batch())
			again = k.from < len(k.op.Rows)
		case a.Error != nil && k.tries < stressTries && a.Error.Code < plan.SyntaxErr.String():
			k.tries++
			again = true
		}
		if again {
			c.Advance(max(c.Now(), k.free+session.ClientDelay))
			r.send(k)
			continue
		}
		k.busy = false
		r.record(k, a)
	}
}

// record counts an operation that is done.
func (r *stressRun) record(k *stressClient, a *answer.Answer) {
	s := &r.results[k.op.Op]
	s.ops++
	if a.Error != nil {
		s.errors++
		if r.stop == "" && !r.args.ignore {
			r.stop = fmt.Sprintf("Operation x%d of %s: Error executing: (%s): %s; errors=ignore goes on", k.tries, r.load.Options.Ops[k.op.Op].Name, a.Error.Name, a.Error.Message)
		}
		return
	}
	rows, partitions := int64(len(k.op.Rows)), k.op.Partitions
	if k.op.Query >= 0 {
		rows = int64(len(a.Rows))
		partitions = min(1, rows)
	}
	s.rows += rows
	s.partitions += partitions
	r.rows += rows
	s.latency(k.free - k.began)
}

// stressResult counts the operations of one kind.
type stressResult struct {
	ops, partitions, rows, errors int64
	latencies                     map[sim.Time]int64
}

func (s *stressResult) latency(t sim.Time) {
	if s.latencies == nil {
		s.latencies = map[sim.Time]int64{}
	}
	s.latencies[t]++
}

func (s *stressResult) add(o *stressResult) {
	s.ops, s.partitions, s.rows, s.errors = s.ops+o.ops, s.partitions+o.partitions, s.rows+o.rows, s.errors+o.errors
	for t, n := range o.latencies {
		if s.latencies == nil {
			s.latencies = map[sim.Time]int64{}
		}
		s.latencies[t] += n
	}
}

// spread is the mean and the given percentiles of the latencies, in µs.
func (s *stressResult) spread(percentiles []float64) (mean float64, out []sim.Time) {
	times := make([]sim.Time, 0, len(s.latencies))
	all, sum := int64(0), int64(0)
	for t, n := range s.latencies {
		times = append(times, t)
		all, sum = all+n, sum+int64(t)*n
	}
	slices.Sort(times)
	out = make([]sim.Time, len(percentiles))
	for i, p := range percentiles {
		left := int64(math.Ceil(p / 100 * float64(all)))
		for _, t := range times {
			if left -= s.latencies[t]; left <= 0 {
				out[i] = t
				break
			}
		}
	}
	return float64(sum) / float64(max(all, 1)), out
}

// report is the summary in the words of cassandra-stress; all times are virtual.
// Source: Cassandra 5.0 StressMetrics.summarise.
func (r *stressRun) report(took sim.Time) *answer.Answer {
	total := stressResult{}
	for i := range r.results {
		total.add(&r.results[i])
	}
	all, names := []*stressResult{&total}, []string{"total"}
	if len(r.results) > 1 {
		for i := range r.results {
			all, names = append(all, &r.results[i]), append(names, r.load.Options.Ops[i].Name)
		}
	}
	a := &answer.Answer{Columns: []answer.Column{{Name: "results", Type: "text"}}, Rows: [][]answer.Cell{}}
	for _, n := range names {
		a.Columns = append(a.Columns, answer.Column{Name: n, Type: "text"})
	}
	line := func(name string, of func(s *stressResult) string) {
		row := []answer.Cell{{Text: name}}
		for _, s := range all {
			row = append(row, answer.Cell{Text: of(s)})
		}
		a.Rows = append(a.Rows, row)
	}
	rate := func(n func(s *stressResult) int64, unit string) func(*stressResult) string {
		return func(s *stressResult) string {
			return num(math.Round(float64(n(s))*float64(sim.Second)/float64(max(took, 1)))) + " " + unit
		}
	}
	line("Op rate", rate(func(s *stressResult) int64 { return s.ops }, "op/s"))
	line("Partition rate", rate(func(s *stressResult) int64 { return s.partitions }, "pk/s"))
	line("Row rate", rate(func(s *stressResult) int64 { return s.rows }, "row/s"))
	ms := func(micros float64) string { return strconv.FormatFloat(micros/1000, 'f', 1, 64) + " ms" }
	line("Latency mean", func(s *stressResult) string { mean, _ := s.spread(nil); return ms(mean) })
	for _, p := range []struct {
		name string
		of   float64
	}{{"median", 50}, {"95th percentile", 95}, {"99th percentile", 99}, {"99.9th percentile", 99.9}, {"max", 100}} {
		line("Latency "+p.name, func(s *stressResult) string { _, at := s.spread([]float64{p.of}); return ms(float64(at[0])) })
	}
	count := func(n func(s *stressResult) int64) func(*stressResult) string {
		return func(s *stressResult) string { return num(float64(n(s))) }
	}
	line("Total partitions", count(func(s *stressResult) int64 { return s.partitions }))
	line("Total rows", count(func(s *stressResult) int64 { return s.rows }))
	line("Total errors", count(func(s *stressResult) int64 { return s.errors }))
	all = all[:1]
	line("Total operation time", func(*stressResult) string { return clockTime(took) })
	if own := r.load.Own(); len(own) > 0 && r.loader != nil {
		line("Values of ringlab's own", func(*stressResult) string { return strings.Join(own, ", ") })
	}
	for i := range a.Rows {
		for len(a.Rows[i]) < len(a.Columns) {
			a.Rows[i] = append(a.Rows[i], answer.Cell{})
		}
	}
	return a
}

// clockTime is a stretch of time as hours, minutes and seconds.
func clockTime(t sim.Time) string {
	return fmt.Sprintf("%02d:%02d:%06.3f", t/sim.Hour, t%sim.Hour/sim.Minute, float64(t%sim.Minute)/float64(sim.Second))
}
