package cluster

import (
	"sort"

	"ringlab/engine/event"
	"ringlab/engine/sim"
)

// latencies keeps a table's recent read latencies at one coordinator, for
// speculative retry.
type latencies struct {
	samples   []sim.Time
	threshold sim.Time
	computed  sim.Time
	known     bool
}

// learnLatency remembers how long the replicas of a read took.
func (c *Cluster) learnLatency(r *request) {
	l := c.latencyOf(r)
	if len(l.samples) < 1024 {
		l.samples = append(l.samples, c.now-r.start)
	}
}

func (c *Cluster) latencyOf(r *request) *latencies {
	n := c.Nodes[r.coord]
	l := n.latency[r.table.ID]
	if l == nil {
		l = &latencies{computed: c.now}
		n.latency[r.table.ID] = l
	}
	return l
}

// threshold is how long a read waits before it asks one more replica: the 99th
// percentile of recent latencies, renewed every read timeout, half of the
// timeout before anything is known. Source: Cassandra 5.0
// ColumnFamilyStore.updateSpeculationThreshold, PercentileSpeculativeRetryPolicy.
func (c *Cluster) threshold(r *request) (sim.Time, bool) {
	kind, value := speculation(r.table.Options.SpeculativeRetry)
	switch kind {
	case "never":
		return 0, false
	case "always":
		return 0, true
	case "fixed":
		return sim.Time(value * 1000), true
	}
	l := c.latencyOf(r)
	if c.now-l.computed >= c.Set.ReadTimeout && len(l.samples) > 0 {
		sort.Slice(l.samples, func(i, j int) bool { return l.samples[i] < l.samples[j] })
		at := int(float64(len(l.samples)-1) * value / 100)
		// Cassandra's histogram answers with the upper bound of a bucket 1.2 wide.
		l.threshold = bucketBound(l.samples[at]) + 1
		l.known, l.computed, l.samples = true, c.now, l.samples[:0]
	}
	if !l.known {
		return c.Set.ReadTimeout / 2, true
	}
	return l.threshold, true
}

// bucketBound is the first offset of EstimatedHistogram that is not below t.
func bucketBound(t sim.Time) sim.Time {
	o := sim.Time(1)
	for o < t {
		o = max(o+1, (o*12+5)/10)
	}
	return o
}

// armSpeculation sets the timer of a read.
func (c *Cluster) armSpeculation(r *request) {
	wait, ok := c.threshold(r)
	if !ok || wait > c.Set.ReadTimeout {
		return
	}
	c.queue.Push(c.now+wait, task{kind: taskSpeculate, from: int32(r.coord), to: int32(r.coord), req: r})
}

// onSpeculate asks one more replica: for a digest if data has come, else for data.
func (c *Cluster) onSpeculate(t *task) {
	r := t.req
	if r.settled || r.answered || r.full || r.repair >= 0 || len(r.rest) == 0 || c.Nodes[r.coord].Down {
		return
	}
	extra := r.rest[0]
	r.rest = r.rest[1:]
	r.contacts = append(r.contacts, contact{node: extra, digest: r.hasData()})
	c.Store(r.coord, r.table).Metrics.Speculative++
	c.tr(r.op, r.coord, threadClient, "speculating read retry on Full(/%s:7000,%s)", c.Nodes[extra].Address, c.rangeText(r.query))
	if c.Listening() {
		c.emit(event.Record{Kind: event.Speculate, Node: r.coord, Peer: extra, Op: r.op.ID, What: "read"})
	}
	c.askOne(r, len(r.contacts)-1)
}
