package metrics

import "math"

// tick is how often a rate is renewed, µs.
const tick = 5 * 1000000

// fifteen is the share of a tick in a mean over fifteen minutes.
var fifteen = 1 - math.Exp(-5.0/60/15)

// Meter counts what happens and how often. Times are virtual µs.
// Source: com.codahale.metrics Meter, EWMA, which Cassandra 5.0 counts with.
type Meter struct {
	Count int64
	start int64
	last  int64 // of the last tick
	begun bool  // a first tick has been
	rate  float64
	fresh int64 // counted since the last tick
}

// NewMeter is a meter that begins at now.
func NewMeter(now int64) Meter { return Meter{start: now, last: now} }

// Mark counts one.
func (m *Meter) Mark(now int64) {
	m.ticks(now)
	m.Count++
	m.fresh++
}

func (m *Meter) ticks(now int64) {
	age := now - m.last
	if age <= tick {
		return
	}
	m.last = now - age%tick
	n := age / tick
	instant := float64(m.fresh) / tick
	m.fresh = 0
	if m.begun {
		m.rate += float64(fifteen * (instant - m.rate))
	} else {
		m.rate, m.begun = instant, true
	}
	m.rate *= math.Pow(1-fifteen, float64(n-1)) // nothing happened in the other ticks
}

// FifteenMinutes is the mean rate of about fifteen minutes, a minute. It looks
// without changing anything.
func (m Meter) FifteenMinutes(now int64) float64 {
	m.ticks(now)
	return m.rate * 60 * 1000000
}

// Mean is the rate since the beginning, an hour.
func (m Meter) Mean(now int64) float64 {
	if m.Count == 0 || now <= m.start {
		return 0
	}
	return float64(m.Count) / float64(now-m.start) * 3600 * 1000000
}
