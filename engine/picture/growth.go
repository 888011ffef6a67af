package picture

import (
	"fmt"
	"math"
	"slices"

	"github.com/google/uuid"

	"ringlab/engine/growth"
	"ringlab/engine/sim"
	"ringlab/engine/view"
	"ringlab/model/schema"
)

// grower keeps the forecast of one partition until it has changed enough, and
// which limits partitions have passed.
type grower struct {
	table *schema.Table
	key   string
	at    int64 // changes of the table when it was made
	now   sim.Time
	made  *view.Growth

	passed map[uuid.UUID]map[string]uint // limits of each partition that passed some, a bit each; a table is in it once it was looked at
	lines  []string
	count  int
}

// growSample is the number of rows of a place up to which a forecast reads all.
const growSample = 1000

// curvePoints is the number of points of a curve.
const curvePoints = 241

// growth is the forecast of the selected partition, or of the first of the list.
func (p *Painter) growth(t *schema.Table, key string) *view.Growth {
	if key == "" && len(p.parts.list) > 0 {
		key = p.parts.list[0].Key
	}
	if key == "" {
		return nil
	}
	c, g := p.core.Cluster, &p.grow
	at := changes(c, t)
	if g.made != nil && g.table == t && g.key == key {
		few := g.made.Have[view.GrowthRows] / 100
		if at == g.at && (g.now == c.Now() || c.Now() >= g.now && float64(c.Now()-g.now) < g.made.Days*864e6/2) || at > g.at && at-g.at < few {
			return g.made
		}
	}
	seen := g.table == t && g.key == key
	g.table, g.key, g.at, g.now = t, key, at, c.Now()
	g.made = p.forecast(t, key)
	g.note(t, key, g.made.Have, [4]bool{true, true, true, true}, !seen)
	return g.made
}

// forecast looks at a partition and goes on with it.
func (p *Painter) forecast(t *schema.Table, text string) *view.Growth {
	c := p.core.Cluster
	w := &view.Growth{Keyspace: t.Keyspace, Table: t.Name, Key: text, PrimaryKey: growth.PrimaryKey(t), TTL: int(t.Options.DefaultTTL)}
	key, err := p.key(t, text)
	if err != nil {
		w.Err = err.Error()
		return w
	}
	part, err := growth.Find(c, t, key, growSample)
	w.Node, w.Exact, w.Span = part.Node, part.Exact, int64(part.Span())
	for u := range w.Have {
		w.Have[u] = growth.Unit(u).Of(&part.Lifetime)
	}
	if err != nil {
		w.Err = err.Error()
		return w
	}
	perDay, ok := part.PerDay()
	if !ok {
		w.Err = "the write times of its rows show no rate"
		return w
	}
	seconds := c.Epoch() + int64(c.Now()/sim.Second)
	f := growth.Project(&part, t, perDay, seconds*1e6)
	w.PerDay, w.Bucket, w.Days = perDay, f.Bucket, horizon(&f)
	if f.Bucket != "" {
		w.End = f.End
	}
	for _, l := range growth.Limits {
		g := view.GrowthLimit{Name: l.Name, From: l.From, Unit: int(l.Unit), Value: l.Value, Days: f.When(l)}
		switch {
		case math.IsInf(g.Days, 1):
			g.Days = -1
		case g.Days > 0 && g.Days < 3.65e6:
			g.Date = growth.Date(seconds, g.Days)
		}
		w.Limits = append(w.Limits, g)
	}
	for u := range w.Curve {
		w.Each[u] = f.Each(growth.Unit(u))
		if f.Bucket != "" || !math.IsInf(f.Most, 1) {
			w.Final[u] = f.At(growth.Unit(u), math.Inf(1))
		}
		for i := range curvePoints {
			w.Curve[u] = append(w.Curve[u], f.At(growth.Unit(u), float64(w.Days*float64(i))/(curvePoints-1)))
		}
	}
	for _, b := range growth.Buckets(&f, &part, t) {
		g := view.GrowthBucket{Name: b.Name, Key: b.Key, Year: b.Year, Week: b.Week, Over: b.Over}
		for u := range g.Size {
			g.Size[u] = b.Rows * w.Each[u]
		}
		w.Buckets = append(w.Buckets, g)
	}
	return w
}

// horizon is how many days a curve covers: to the last limit of rows, bytes and
// cells and a little more, or as long as the partition grows; a year where
// nothing ends.
func horizon(f *growth.Forecast) float64 {
	days := 0.0
	for _, l := range growth.Limits {
		if at := f.When(l); l.Unit != growth.Tombstones && !math.IsInf(at, 1) {
			days = max(days, at)
		}
	}
	switch {
	case days > 0:
		return min(days*1.12, 36500)
	case f.End > 0 && !math.IsInf(f.End, 1):
		return f.End * 1.25
	case !math.IsInf(f.Most, 1) && f.PerDay > 0:
		return f.Most / f.PerDay * 1.5
	}
	return 365
}

// watch notes which partitions of a list have passed a limit since the last time.
func (g *grower) watch(t *schema.Table, list []view.Partition) {
	if g.passed == nil {
		g.passed = map[uuid.UUID]map[string]uint{}
	}
	known := g.passed[t.ID] != nil
	if !known {
		g.passed[t.ID] = map[string]uint{}
	}
	for i := range list {
		part := &list[i]
		have := [4]int64{part.Rows, 0, part.Bytes, part.Tombstones}
		g.note(t, part.Key, have, [4]bool{true, false, true, true}, !known)
	}
}

// note writes one line for each limit that a partition has passed since the last
// time, of the units that are known; quietly where it was not looked at before.
// A limit counts as passed until a tenth below it: sizes are estimates.
func (g *grower) note(t *schema.Table, key string, have [4]int64, units [4]bool, quiet bool) {
	table := g.passed[t.ID]
	if table == nil {
		return
	}
	old, bits := table[key], uint(0)
	for i, l := range growth.Limits {
		bit, size := uint(1)<<i, float64(have[l.Unit])
		switch {
		case !units[l.Unit]:
			bits |= old & bit
		case old&bit != 0:
			if size >= l.Value*0.9 {
				bits |= bit
			}
		case size >= l.Value:
			bits |= bit
			if !quiet && l.Unit != growth.Tombstones {
				g.tell(fmt.Sprintf("%s.%s %s has passed %s (%s)", t.Keyspace, t.Name, key, l.Name, l.From))
			}
		}
	}
	if bits != 0 {
		table[key] = bits
	} else {
		delete(table, key)
	}
}

// tell adds a line to those of the workbench's log.
func (g *grower) tell(line string) {
	if len(g.lines) == 64 {
		g.lines = slices.Clone(g.lines[1:])
	}
	g.lines = append(g.lines[:len(g.lines):len(g.lines)], line)
	g.count++
}
