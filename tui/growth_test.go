package tui

import (
	"math"
	"strings"

	"ringlab/engine/view"
)

// momentGrowth is the forecast of a partition that gets 8,640 rows of 33.2 bytes
// a day; with days in the key it stops with the day, and none has no rate.
func momentGrowth(how string) *view.Growth {
	const perDay, rows = 8640, 1622
	g := &view.Growth{Keyspace: "sensor", Table: "readings", Key: "a-17:2026-11-21", Node: "n3", PrimaryKey: "PRIMARY KEY (sensor_id, ts)",
		Have: [4]int64{rows, rows, 53890, 9}, Exact: true, Each: [4]float64{1, 1, 53890.0 / rows, 9.0 / rows}, PerDay: perDay, Span: 16_210_000_000, Days: 780}
	if strings.Contains(how, "none") {
		g.Err = "the write times of its rows show no rate"
		return g
	}
	limits := []view.GrowthLimit{{Name: "100,000 rows", From: "Signal", Unit: view.GrowthRows, Value: 1e5}, {Name: "100 MB", From: "Signal", Unit: view.GrowthBytes, Value: 1e8},
		{Name: "1,000,000 cells", From: "e-library", Unit: view.GrowthCells, Value: 1e6}, {Name: "200 MB", From: "e-library", Unit: view.GrowthBytes, Value: 2e8},
		{Name: "1,000 tombstones", From: "a read warns", Unit: view.GrowthTombstones, Value: 1e3}, {Name: "100,000 tombstones", From: "a read fails", Unit: view.GrowthTombstones, Value: 1e5}}
	most := math.Inf(1)
	if strings.Contains(how, "days") {
		g.PrimaryKey, g.Bucket, g.End, g.Days = "PRIMARY KEY ((sensor_id, day), ts)", "day 2026-11-21", 0.81, 1.02
		most = rows + perDay*g.End
		for u := range g.Final {
			g.Final[u] = most * g.Each[u]
		}
	}
	for i := range limits {
		l := &limits[i]
		if l.Days = (l.Value/g.Each[l.Unit] - rows) / perDay; l.Value/g.Each[l.Unit] > most {
			l.Days = -1
		} else {
			l.Date = "2027-11-13"
		}
	}
	g.Limits = limits
	for u := range g.Curve {
		for i := range 241 {
			g.Curve[u] = append(g.Curve[u], math.Min(rows+perDay*g.Days*float64(i)/240, most)*g.Each[u])
		}
	}
	for _, b := range []struct {
		name string
		days float64
	}{{"hour", 1.0 / 24}, {"day", 1}, {"week", 7}, {"month", 30}} {
		k := view.GrowthBucket{Name: b.name, Key: "PRIMARY KEY ((sensor_id, " + b.name + "), ts)", Year: math.Ceil(365 / b.days), Week: math.Ceil(7 / b.days)}
		for u := range k.Size {
			k.Size[u] = perDay * b.days * g.Each[u]
		}
		if k.Size[0] > 1e5 {
			k.Over = "100,000 rows"
		}
		g.Buckets = append(g.Buckets, k)
	}
	return g
}
