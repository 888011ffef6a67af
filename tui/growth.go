package tui

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// growthPicture answers whether a partition will ever become too big: its size
// in days to come on a logarithmic scale, the limits, and what it would be in
// buckets of time.
type growthPicture struct {
	sc      *Scene
	unit    int // of view.Growth
	bucket  int // 1 on the first of the buckets, 0 for none
	noLimit bool
	explain bool
	top     int // of the explanation
	outside func(x, y int) bool
}

func newGrowthPicture(sc *Scene) *growthPicture {
	return &growthPicture{sc: sc, unit: view.GrowthBytes}
}

func (p *growthPicture) paint(sc *Scene, c *draw.Canvas) (int, int) {
	p.sc = sc
	g := sc.V.Growth
	right := "esc closes"
	if c.W >= 90 && g != nil && !g.Exact && g.Err == "" {
		right = "estimated from a part of its rows  " + right
	}
	title := "growth"
	if g != nil {
		title += "  " + pick(c.W >= 90, g.Keyspace+".", "") + g.Table + "  " + showKey(g.Key)
	}
	w, h := min(c.W-pick(c.W < 64, 0, 2), 150), min(c.H-1, 34)
	in, x, y := panel(c, w, h, draw.Truncate(title, max(w-len(right)-8, 6)), right)
	p.outside = func(cx, cy int) bool { return cx < x-1 || cy < y-1 || cx > x+in.W || cy > y+in.H }
	if in.W < 20 || in.H < 4 {
		return -1, -1
	}
	paintKeyLine(in, in.H-1, "growth.bucket", "growth.unit", "growth.tombstones", "growth.limits", "explain", "down")
	body := in.Sub(0, 0, in.W, in.H-1)
	switch {
	case g == nil:
		in.PutIn(1, 0, in.W-2, Dim, "no partition: choose a table that has some in Schema")
		return -1, -1
	case p.explain:
		lines := p.reasons(g, body.W-2)
		p.top = max(0, min(p.top, len(lines)-body.H))
		p.paintLines(body, lines[p.top:])
		return -1, -1
	case g.Err != "":
		p.paintLines(body, p.standing(g))
		return -1, -1
	}
	p.bucket = min(p.bucket, len(g.Buckets))
	if in.W >= 100 {
		side := 52
		p.chart(body.Sub(0, 0, in.W-side-1, body.H), g)
		p.paintLines(body.Sub(in.W-side, 0, side, body.H), p.words(g, side-2, false))
		return -1, -1
	}
	lines := p.words(g, in.W-2, body.H < 16 && p.bucket > 0)
	top := max(body.H-len(lines), min(body.H, max(body.H/2, 6)))
	p.chart(body.Sub(0, 0, in.W, top), g)
	p.paintLines(body.Sub(0, top, in.W, body.H-top), lines)
	return -1, -1
}

func (p *growthPicture) paintLines(c *draw.Canvas, lines []draw.Spans) {
	for i, l := range lines {
		if i < c.H {
			l.Paint(c, 1, i, c.W-2)
		}
	}
}

// unitWords are the units, one and many.
var unitWords = [4]string{"rows", "cells", "bytes", "tombstones"}

// sizeText is a size in a unit, short.
func sizeText(unit int, v float64) string {
	n := int64(math.Round(min(v, 1e18)))
	if unit == view.GrowthBytes {
		return draw.Bytes(n)
	}
	return draw.Count(n)
}

// standing is what a partition holds now.
func (p *growthPicture) standing(g *view.Growth) []draw.Spans {
	rows, cells := g.Have[view.GrowthRows], g.Have[view.GrowthCells]
	now := fmt.Sprintf("%s %s  %s %s  %s", draw.Count(rows), plural(rows, "row", "rows"), draw.Count(cells), plural(cells, "cell", "cells"), draw.Bytes(g.Have[view.GrowthBytes]))
	if n := g.Have[view.GrowthTombstones]; n > 0 {
		now += "  " + draw.Count(n) + plural(n, " tombstone", " tombstones")
	}
	out := []draw.Spans{{{Text: g.PrimaryKey, Style: Text | draw.Bold}}, {{Text: now}}}
	if g.Err != "" {
		out = append(out, draw.Spans{{Text: g.Err, Style: Warn}}, draw.Spans{{Text: "a rate needs two rows written at different times: :advance 1m between them", Style: Dim}})
	}
	return out
}

// words say what the curve shows; where they are to be few, of the bucket alone.
func (p *growthPicture) words(g *view.Growth, w int, few bool) []draw.Spans {
	out := append(p.standing(g), draw.Spans{{Text: "grows " + rateText(p.unit, g)}})
	if few {
		out = out[len(out)-1:]
	}
	end, ends := endText(g, p.unit)
	limits := 0
	for i := range g.Limits {
		l := &g.Limits[i]
		if (l.Unit == view.GrowthTombstones) != (p.unit == view.GrowthTombstones) || p.noLimit || few {
			continue
		}
		text, style := limitText(l)
		if w < 100 && w >= 56 { // two in a line where lines are few
			text, _, _ = strings.Cut(text, ",")
		}
		row := draw.Spans{{Text: draw.Pad(l.Name, 18), Style: Dim}, {Text: text, Style: style}}
		if w >= 44 && w < 56 {
			row = append(row, draw.Line{Text: l.From, Style: Dim, Right: true})
		}
		if w >= 56 && w < 100 && limits%2 == 1 {
			last := out[len(out)-1]
			out[len(out)-1] = append(last[:2:2], draw.Line{Text: "   "}, row[0], row[1])
		} else {
			if w >= 56 {
				row = draw.Spans{row[0], {Text: draw.Pad(text, w/2-20), Style: style}}
			}
			out = append(out, row)
		}
		limits++
	}
	for _, l := range draw.Wrap(end, w) {
		if few {
			break
		}
		out = append(out, draw.Spans{{Text: l, Style: pick(ends, OK, Warn)}})
	}
	if p.bucket == 0 {
		return out
	}
	b := &g.Buckets[p.bucket-1]
	size := sizeText(p.unit, b.Size[p.unit])
	what := fmt.Sprintf("bounded: %s each, %s partitions a year", size, draw.Thousands(int64(b.Year)))
	if b.Over != "" {
		what = fmt.Sprintf("%s each, %s partitions a year: a full one still passes %s", size, draw.Thousands(int64(b.Year)), b.Over)
	}
	price := fmt.Sprintf("price: a week's read touches %s %s", draw.Thousands(int64(b.Week)), plural(int64(b.Week), "partition", "partitions"))
	if w < 50 {
		out = append(out, nil)
	}
	out = append(out, draw.Spans{{Text: b.Key, Style: Replica | draw.Bold}})
	for _, l := range draw.Wrap(what, w) {
		out = append(out, draw.Spans{{Text: l, Style: pick(b.Over == "", OK, Warn)}})
	}
	return append(out, draw.Spans{{Text: price}})
}

// rateText is how fast a partition grows, a minute and a day.
func rateText(unit int, g *view.Growth) string {
	day := g.PerDay * g.Each[unit]
	minute := day / 1440
	what := pick(unit == view.GrowthBytes, "", " "+unitWords[unit])
	text := sizeText(unit, day) + what + "/day"
	if minute >= 1 {
		text = sizeText(unit, minute) + what + "/min, " + text
	}
	return text
}

// limitText is when a limit is passed.
func limitText(l *view.GrowthLimit) (string, draw.Style) {
	switch {
	case l.Days < 0:
		return "never", OK
	case l.Days == 0:
		return "passed", Error
	case l.Date != "":
		return "in " + daysText(l.Days) + ", " + l.Date, Warn
	}
	return "in " + daysText(l.Days), Text
}

// endText says whether a partition stops growing, and at what size.
func endText(g *view.Growth, unit int) (text string, ends bool) {
	switch {
	case g.Bucket != "" && g.End == 0:
		return g.Bucket + " is over: it stays as it is", true
	case g.Bucket != "":
		return fmt.Sprintf("stops with %s, in %s, at about %s", g.Bucket, daysText(g.End), sizeText(unit, g.Final[unit])), true
	case g.TTL > 0:
		return fmt.Sprintf("rows live for %s: at most about %s", daysText(float64(g.TTL)/86400), sizeText(unit, g.Final[unit])), true
	}
	return "no end: nothing in the key or the options stops it", false
}

// daysText is a length of time in the unit that suits it.
func daysText(d float64) string {
	v, unit := timeUnit(d)
	return strconv.FormatFloat(d/v, 'f', pick(d/v < 10 && v != 1.0/86400, 1, 0), 64) + " " + unit
}

// timeUnit is a unit for a length of time in days.
func timeUnit(d float64) (days float64, name string) {
	switch {
	case d >= 1000:
		return 365, "y"
	case d >= 2:
		return 1, "d"
	case d >= 2.0/24:
		return 1.0 / 24, "h"
	case d >= 2.0/1440:
		return 1.0 / 1440, "min"
	}
	return 1.0 / 86400, "s"
}

func (p *growthPicture) key(k tea.KeyPressMsg) (Action, bool) {
	id := lookup(k.String(), "growth", "lists", "everywhere")
	switch id {
	case "back", "quit", "cancel", "open":
		return Action{}, true
	case "up", "down", "top", "bottom":
		if p.explain {
			p.top += map[string]int{"up": -1, "down": 1, "top": -p.top, "bottom": 1 << 10}[id]
			return Action{}, false
		}
		return p.walk(id), false
	case "copy":
		return Action{Copy: p.text()}, false
	case "sim.toggle", "sim.step", "sim.slower", "sim.faster":
		return Action{Perform: id}, false
	}
	p.do(id)
	return Action{}, false
}

// do changes what is shown.
func (p *growthPicture) do(id string) {
	buckets := 0
	if p.sc.V.Growth != nil {
		buckets = len(p.sc.V.Growth.Buckets)
	}
	switch id {
	case "growth.bucket":
		p.bucket = (p.bucket + 1) % (buckets + 1)
	case "growth.unit":
		p.unit = [4]int{view.GrowthRows: view.GrowthCells, view.GrowthCells: view.GrowthBytes, view.GrowthBytes: view.GrowthRows, view.GrowthTombstones: view.GrowthRows}[p.unit]
	case "growth.tombstones":
		p.unit = pick(p.unit == view.GrowthTombstones, view.GrowthBytes, view.GrowthTombstones)
	case "growth.limits":
		p.noLimit = !p.noLimit
	case "explain":
		p.explain = !p.explain
	}
}

// walk goes to another partition of the list.
func (p *growthPicture) walk(id string) Action {
	if len(p.sc.V.Partitions) == 0 || p.sc.V.Growth == nil {
		return Action{}
	}
	parts, l := p.sc.V.Partitions, list{}
	for i := range parts {
		if parts[i].Key == p.sc.V.Growth.Key {
			l.cur = i
		}
	}
	l.move(id, len(parts), len(parts))
	key := parts[l.cur].Key
	return Action{Need: func(n *view.Need) { n.Key = key }}
}

func (p *growthPicture) text() string {
	if p.sc.V.Growth == nil {
		return ""
	}
	out := ""
	for _, l := range p.words(p.sc.V.Growth, 45, false) {
		for _, s := range l {
			out += s.Text
		}
		out += "\n"
	}
	return out
}

func (p *growthPicture) wheel(delta int) { p.top += delta }
func (p *growthPicture) click(x, y int) (Action, bool) {
	return Action{}, p.outside != nil && p.outside(x, y)
}
func (p *growthPicture) pasted(string) {}
