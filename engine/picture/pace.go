package picture

import (
	"ringlab/engine/sim"
	"ringlab/engine/view"
)

// pace remembers how many rows partitions had, so that the list can say which
// ones grow. Write times would not do: they do not tell a new row from one that
// was written again.
type pace struct {
	was, is     map[string]int64 // rows by key, when the pace was taken the last time but one, and the last time
	wasAt, isAt sim.Time
}

// stride is how far the two are apart at least.
const stride = sim.Minute

// look takes in what a list holds now and says of each partition by what share
// of its rows it grew in a minute of the lab's time, since a minute ago or longer
// where nobody looked in between. One that is new has no pace yet.
func (p *pace) look(list []view.Partition, now sim.Time) {
	if p.is == nil || now < p.isAt { // of another table, or before a rewind
		*p = pace{is: rowsOf(list), isAt: now}
	} else if now-p.isAt >= stride {
		p.was, p.wasAt = p.is, p.isAt
		p.is, p.isAt = rowsOf(list), now
	}
	base, at := p.is, p.isAt
	if p.was != nil {
		base, at = p.was, p.wasAt
	}
	minutes := max(1, float64(now-at)/float64(sim.Minute))
	for i := range list {
		grown := 0.0
		if before := base[list[i].Key]; before > 0 {
			grown = max(0, float64(list[i].Rows-before)/float64(before))
		}
		list[i].Growth = grown / minutes
	}
}

// due says whether time alone makes another pace.
func (p *pace) due(now sim.Time) bool { return p.is != nil && (now < p.isAt || now-p.isAt >= stride) }

func rowsOf(list []view.Partition) map[string]int64 {
	rows := make(map[string]int64, len(list))
	for i := range list {
		rows[list[i].Key] = list[i].Rows
	}
	return rows
}
