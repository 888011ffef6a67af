package metrics

import "math"

// tick is how often a rate is renewed, µs.
const tick = 5 * 1000000

// The shares of a tick in means over fifteen minutes and over two hours.
var (
	fifteen  = 1 - math.Exp(-5.0/60/15)
	twoHours = 1 - math.Exp(-5.0/60/120)
)

// average is a moving average of how often something happens, renewed with every
// tick. Source: com.codahale.metrics EWMA, Cassandra 5.0 RestorableMeter.
type average struct {
	last  int64 // of the last tick
	fresh int64 // counted since
	begun bool  // a first tick has been
	rate  float64
}

// ticks brings the average up to now; share is that of a tick.
func (a *average) ticks(now int64, share float64) {
	age := now - a.last
	if age <= tick {
		return
	}
	a.last = now - age%tick
	n := age / tick
	instant := float64(a.fresh) / tick
	a.fresh = 0
	if a.begun {
		a.rate += float64(share * (instant - a.rate))
	} else {
		a.rate, a.begun = instant, true
	}
	a.rate *= math.Pow(1-share, float64(n-1)) // nothing happened in the other ticks
}

// Meter counts what happens and how often. Times are virtual µs.
// Source: com.codahale.metrics Meter, which Cassandra 5.0 counts with.
type Meter struct {
	Count int64
	start int64
	average
}

// NewMeter is a meter that begins at now.
func NewMeter(now int64) Meter { return Meter{start: now, average: average{last: now}} }

// Mark counts one.
func (m *Meter) Mark(now int64) {
	m.ticks(now, fifteen)
	m.Count++
	m.fresh++
}

// FifteenMinutes is the mean rate of about fifteen minutes, a minute. It looks
// without changing anything.
func (m Meter) FifteenMinutes(now int64) float64 {
	m.ticks(now, fifteen)
	return m.rate * 60 * 1000000
}

// Mean is the rate since the beginning, an hour.
func (m Meter) Mean(now int64) float64 {
	if m.Count == 0 || now <= m.start {
		return 0
	}
	return float64(m.Count) / float64(now-m.start) * 3600 * 1000000
}

// Reads counts how often a file is read. Times are virtual µs.
// Source: Cassandra 5.0 RestorableMeter.
type Reads struct{ average }

// NewReads counts from now on.
func NewReads(now int64) Reads { return Reads{average{last: now}} }

// Mark counts one.
func (r *Reads) Mark(now int64) {
	r.ticks(now, twoHours)
	r.fresh++
}

// TwoHours is the mean rate of about two hours, a second. It looks without
// changing anything.
func (r Reads) TwoHours(now int64) float64 {
	r.ticks(now, twoHours)
	return r.rate * 1000000
}
