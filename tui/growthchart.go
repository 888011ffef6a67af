package tui

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// axisWidth is what the names of the decades take, with the axis.
const axisWidth = 6

// chart draws the size in days to come: decades upward, days to the right.
func (p *growthPicture) chart(c *draw.Canvas, g *view.Growth) {
	curve := g.Curve[p.unit]
	margin := p.margin(g)
	plot := c.Sub(axisWidth, 0, c.W-axisWidth-margin-1, c.H-1)
	if plot.W < 8 || plot.H < 2 || len(curve) < 2 {
		return
	}
	scale := p.scale(g, plot.H*4)
	if scale.high <= scale.low {
		c.PutIn(1, 0, c.W-2, Dim, "no "+unitWords[p.unit]+", so none to come")
		return
	}
	for y := range plot.H {
		c.Put(axisWidth-1, y, Border, "┆")
	}
	last := -1
	for e := scale.high; e >= scale.low; e-- {
		if y := scale.dot(math.Pow(10, float64(e))) / 4; y > last && y < plot.H {
			c.Right(axisWidth-2, y, Dim, decade(e))
			last = y
		}
	}
	if !p.noLimit {
		p.chartLimits(c.Sub(axisWidth, 0, plot.W+margin, plot.H), plot.W, g, scale)
	}
	dots := draw.NewDots(plot.W, plot.H)
	before := -1
	for x := range plot.W * 2 {
		v := curve[x*(len(curve)-1)/max(plot.W*2-1, 1)]
		y := scale.dot(v)
		if v > 0 {
			from := y
			if before >= 0 {
				from = before
			}
			for _, d := range between(from, y) {
				dots.Set(x, d, p.heat(g, v))
			}
			before = y
		}
	}
	if p.bucket > 0 {
		b := &g.Buckets[p.bucket-1]
		if v := b.Size[p.unit]; v > 0 {
			y := scale.dot(v) / 4
			plot.Fill(0, y, plot.W, pick(b.Over == "", Replica, Warn), "▁")
			plot.Right(plot.W, max(y-1, 0), Replica, " "+b.Name+" ")
		}
	}
	dots.Paint(plot, 0, 0)
	p.chartDays(c, plot.W, g.Days)
}

// chartLimits draws a broken line at each limit of the unit, with its name
// behind it.
func (p *growthPicture) chartLimits(c *draw.Canvas, w int, g *view.Growth, s logScale) {
	taken := map[int]bool{}
	for i := range g.Limits {
		l := &g.Limits[i]
		if l.Unit != p.unit || math.Log10(l.Value) > float64(s.high) || math.Log10(l.Value) < float64(s.low) {
			continue
		}
		y := s.dot(l.Value) / 4
		if !taken[y] {
			c.Fill(0, y, w, Warn, "┄")
			c.PutIn(w+1, y, c.W-w-1, Warn, limitName(l))
			taken[y] = true
		}
	}
}

// limitName is a limit's name without a unit that the chart has anyway.
func limitName(l *view.GrowthLimit) string {
	return strings.TrimSuffix(l.Name, " "+unitWords[l.Unit])
}

// margin is what the limits' names take at the right.
func (p *growthPicture) margin(g *view.Growth) int {
	w := 0
	for i := range g.Limits {
		if l := &g.Limits[i]; l.Unit == p.unit && !p.noLimit {
			w = max(w, draw.Width(limitName(l))+1)
		}
	}
	return w
}

// heat is the style of a size: beyond a limit it stands out.
func (p *growthPicture) heat(g *view.Growth, v float64) draw.Style {
	style := Accent
	for i := range g.Limits {
		if l := &g.Limits[i]; l.Unit == p.unit && v >= l.Value {
			if style == Warn {
				return Error
			}
			style = Warn
		}
	}
	return style
}

// chartDays writes the days below the chart, from now.
func (p *growthPicture) chartDays(c *draw.Canvas, w int, days float64) {
	unit, name := timeUnit(days)
	y := c.H - 1
	ticks := max(1, min(5, w/14))
	for i := range ticks {
		at := axisWidth + i*w/ticks
		v := days * float64(i) / float64(ticks) / unit
		text := strconv.FormatFloat(v, 'f', pick(days/unit < float64(2*ticks) && i > 0, 1, 0), 64)
		if i == 0 {
			text = "0 " + map[string]string{"y": "years", "d": "days", "h": "hours", "min": "minutes", "s": "seconds"}[name]
		}
		c.PutIn(at, y, max(c.W-at, 0), Dim, text)
	}
}

// logScale places sizes between two powers of ten on dots, the high one on top.
type logScale struct{ low, high, dots int }

func (p *growthPicture) scale(g *view.Growth, dots int) logScale {
	low, high := math.Inf(1), 0.0
	take := func(v float64) {
		if v > 0 {
			low, high = min(low, v), max(high, v)
		}
	}
	curve := g.Curve[p.unit]
	take(curve[0])
	take(curve[len(curve)-1])
	if p.bucket > 0 {
		take(g.Buckets[p.bucket-1].Size[p.unit])
	}
	if high == 0 {
		return logScale{}
	}
	if !p.noLimit { // limits within reach
		for i := range g.Limits {
			if l := &g.Limits[i]; l.Unit == p.unit && l.Value < high*1000 {
				high = max(high, l.Value)
			}
		}
	}
	s := logScale{low: int(math.Floor(math.Log10(low))), high: int(math.Ceil(math.Log10(high))), dots: dots}
	s.high = max(s.high, s.low+1)
	return s
}

// dot is the row of dots of a size, from the top.
func (s logScale) dot(v float64) int {
	if v <= 0 || s.high <= s.low {
		return s.dots - 1
	}
	f := (float64(s.high) - math.Log10(v)) / float64(s.high-s.low)
	return max(0, min(int(math.Round(f*float64(s.dots-1))), s.dots-1))
}

// between lists the dots from behind one to another, at least that one.
func between(from, to int) []int {
	out := []int{to}
	for y := to; y != from; y += pick(from > to, 1, -1) {
		out = append(out, y)
	}
	return out
}

// decade is a power of ten in at most four characters.
func decade(e int) string {
	if e < 0 {
		return "<1"
	}
	return strconv.Itoa(int(math.Pow(10, float64(e%3)))) + []string{"", "K", "M", "G", "T", "P", "E"}[min(e/3, 6)]
}

// reasons are the rule behind the picture and its numbers.
func (p *growthPicture) reasons(g *view.Growth, w int) []draw.Spans {
	var out []draw.Spans
	say := func(style draw.Style, format string, args ...any) {
		for _, l := range draw.Wrap(fmt.Sprintf(format, args...), max(w, 10)) {
			out = append(out, draw.Spans{{Text: l, Style: style}})
		}
	}
	if g.Err != "" {
		return p.standing(g)
	}
	num := func(v float64) string {
		if v < 1 {
			return strconv.FormatFloat(v, 'g', 3, 64)
		}
		return strconv.FormatFloat(v, 'f', pick(v == math.Trunc(v), 0, 2), 64)
	}
	rows := g.Have[view.GrowthRows]
	say(Title, "rate = (rows − 1) / (last write − first write)")
	say(Text, "(%s − 1) × 86,400 s / %s s = %s rows a day, by the write times of its rows", draw.Thousands(rows), num(float64(g.Span)/1e6), num(g.PerDay))
	say(Title, "size after d days = (rows + rate × d) × size of a row")
	for _, u := range []int{view.GrowthBytes, view.GrowthCells, view.GrowthTombstones} {
		if g.Have[u] > 0 {
			say(Text, "%s %s / %s rows = %s a row", draw.Thousands(g.Have[u]), unitWords[u], draw.Thousands(rows), num(g.Each[u]))
		}
	}
	say(Title, "day of a limit = (limit / size of a row − rows) / rate")
	for i := range g.Limits {
		l := &g.Limits[i]
		if l.Days <= 0 || g.Each[l.Unit] == 0 {
			continue
		}
		say(Text, "(%s / %s − %s) / %s = %s days: %s, %s", draw.Thousands(int64(l.Value)), num(g.Each[l.Unit]), draw.Thousands(rows), num(g.PerDay), num(l.Days), l.Name, l.From)
	}
	if end, ends := endText(g, p.unit); ends {
		say(OK, "%s", end)
	}
	say(Dim, "Bytes are those of one copy in a file before compression, as nodetool tablehistograms counts them.%s", pick(g.Exact, "", " Estimated from a part of the rows of each file."))
	say(Dim, "Cassandra 5.0: SortedTableWriter (partition_size_warn_threshold), ReadCommand (tombstone_warn_threshold). :project %s.%s prints the same.", g.Keyspace, g.Table)
	return out
}

// growthLine is what the list of partitions says of how one grows.
func growthLine(g *view.Growth, w int) []draw.Spans {
	if g == nil || g.Err != "" {
		return nil
	}
	text := showKey(g.Key) + " grows " + rateText(view.GrowthBytes, g)
	if end, ends := endText(g, view.GrowthBytes); ends {
		text += ", " + end
	}
	for i := range g.Limits {
		if l := &g.Limits[i]; l.Name == "100 MB" {
			limit, _ := limitText(l)
			text += "; 100 MB " + limit
		}
	}
	var out []draw.Spans
	for _, l := range draw.Wrap(text, max(w, 10)) {
		out = append(out, draw.Spans{{Text: l, Style: Dim}})
	}
	return out
}

// paintKeyLine names bindings as long as there is room.
func paintKeyLine(c *draw.Canvas, y int, ids ...string) {
	x := 1
	for _, id := range ids {
		b := bindingByID[id]
		key, label := keyText(b.Keys[0]), b.Label
		if id == "down" {
			key, label = "↑ ↓", "another partition"
		}
		if x+c.Width(key)+c.Width(label)+3 > c.W {
			return
		}
		x = c.Put(c.Put(x, y, Key, key)+1, y, Dim, label) + 2
	}
}
