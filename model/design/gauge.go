package design

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ringlab/model/figure"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Level is how a gauge stands.
type Level uint8

// The levels of gauges.
const (
	Good Level = iota
	Fair
	Bad
)

// String is the level as a word.
func (l Level) String() string { return [...]string{"good", "fair", "bad"}[l] }

// Gauge is one goal of a model, and how far a table reaches it.
type Gauge struct {
	Goal  string // spread evenly, few partitions a read, manageable partitions
	Level Level
	Text  string
}

// gauge sets the three gauges of a table.
func (t *Table) gauge() {
	t.Gauges = []Gauge{t.spread(), t.reads(), t.manageable()}
}

// spread judges the partition key: how many there are, and whether one of them
// takes all writes of a moment.
func (t *Table) spread() Gauge {
	g := Gauge{Goal: "spread evenly"}
	time, few, whose := true, true, ""
	for _, c := range t.keys() {
		if c.from == nil { // a bucket
			few = false
			continue
		}
		if c.Type.Kind != types.KindDate && c.Type.Kind != types.KindTimestamp {
			time = false
		}
		if c.Type.Kind != types.KindBoolean && c.Type.Kind != types.KindTinyInt {
			few = false
		}
		for _, a := range c.from.Entity.identity() {
			if a == c.from {
				whose = c.from.Entity.Name
			}
		}
		for _, k := range c.from.Entity.Keys {
			if len(k) == 1 && k[0] == c.from.Name {
				whose = c.from.Entity.Name
			}
		}
	}
	key := names(t.keys())
	switch {
	case few:
		g.Level, g.Text = Bad, key+" has few values: as few partitions, on as few nodes, however many nodes there are"
	case time:
		g.Level, g.Text = Bad, "all writes of one "+key+" go to one partition, and so to the same replicas, while the others wait"
	case whose != "":
		g.Text = "a partition for each " + whose + "; their tokens spread over all nodes"
	default:
		g.Level, g.Text = Fair, "as even as the values of "+key+" are: if half of the rows have the same, half of the rows are one partition"
	}
	return g
}

// reads counts the partitions that the questions read.
func (t *Table) reads() Gauge {
	g := Gauge{Goal: "few partitions a read", Text: "1 partition"}
	for _, q := range t.Queries {
		for _, term := range q.Terms {
			if term.Op == In {
				g.Level, g.Text = Fair, "1 partition for each value of "+term.Name+" that is asked for; the coordinator waits for all of them"
			}
		}
		if q.Bucket == "" || g.Level == Fair {
			continue
		}
		for _, term := range q.Terms {
			if term.Op == Range {
				g.Level, g.Text = Fair, fmt.Sprintf("1 partition for each %s that the range of %s touches", q.Bucket, term.Name)
			}
		}
		if g.Level == Good {
			g.Text = "1 partition, the " + q.Bucket + " that is asked for; all rows are as many reads as " + q.Bucket + "s"
		}
	}
	return g
}

// Cells are the values of n rows in a partition, by the e-library's talk, which
// takes away the partition key's columns alone, and as they are stored.
func (t *Table) Cells() (deck, stored string) {
	all, k, c, s := len(t.Columns), len(t.keys()), len(t.clustering()), len(t.marked(Static))
	n := "n"
	if c == 0 {
		n = "1"
	}
	one := func(key int) string {
		text := fmt.Sprintf("%s × (%d − %d − %d) + %d", n, all, key, s, s)
		if c == 0 {
			text += fmt.Sprintf(" = %d", all-key-s+s)
		}
		return text
	}
	return one(k), one(k + c)
}

// MostRows are the rows of a partition of fewer than a million cells, by the
// talk and as they are stored; -1 where rows have no cells, or a partition has
// one row.
func (t *Table) MostRows() (deck, stored int64) {
	all, k, c, s := len(t.Columns), len(t.keys()), len(t.clustering()), len(t.marked(Static))
	most := func(per int) int64 {
		if per <= 0 || c == 0 {
			return -1
		}
		return int64((schema.GuideCells - 1 - s) / per)
	}
	return most(all - k - s), most(all - k - c - s)
}

// Bytes are the size of a partition without rows and of each row, by the
// published formula: values, clustering, and a timestamp of 8 bytes a value.
func (t *Table) Bytes() (partition, row int) {
	for _, c := range t.Columns {
		switch c.Mark {
		case Key:
			partition += c.Bytes
		case Static:
			partition += c.Bytes + 8
		case Plain:
			row += c.Bytes + 8
		default:
			row += c.Bytes
		}
	}
	return partition, row
}

// Limit is when a growing partition passes a limit.
type Limit struct {
	What string
	Rows float64 // at which it is passed
	Days float64 // from empty; +Inf: never
}

// volume is the largest that the questions say of the table: rows in all, rows a
// day, and days that rows are kept or fall into one bucket, +Inf without end.
func (t *Table) volume() (rows, perDay, days float64) {
	days = math.Inf(1)
	for _, q := range t.Queries {
		rows, perDay = max(rows, q.Rows), max(perDay, q.PerDay)
	}
	if keep := t.keep(); keep > 0 {
		days = keep
	}
	if t.bucket != "" {
		days = min(days, units[t.bucket])
	}
	return rows, perDay, days
}

// Growth says when a partition passes the limits; nil if nothing is said of how
// many rows come.
func (t *Table) Growth() []Limit {
	_, perDay, until := t.volume()
	if perDay == 0 || len(t.clustering()) == 0 {
		return nil
	}
	var out []Limit
	_, cells := t.MostRows()
	empty, row := t.Bytes()
	for _, l := range []Limit{{"1,000,000 cells", float64(cells + 1), 0}, {"100,000 rows", schema.GuideRows, 0}, {"100 MB", math.Ceil(float64(schema.GuideBytes-empty) / float64(row)), 0}} {
		if l.Rows <= 0 {
			continue
		}
		if l.Days = l.Rows / perDay; l.Days > until {
			l.Days = math.Inf(1)
		}
		out = append(out, l)
	}
	return out
}

// manageable judges how large a partition becomes.
func (t *Table) manageable() Gauge {
	g := Gauge{Goal: "manageable partitions"}
	if len(t.clustering()) == 0 {
		g.Text = "1 row"
		return g
	}
	rows, perDay, days := t.volume()
	empty, row := t.Bytes()
	_, most := t.MostRows()
	if perDay > 0 && !math.IsInf(days, 1) {
		rows = max(rows, math.Ceil(perDay*days))
	}
	switch {
	case rows > 0 && (perDay == 0 || !math.IsInf(days, 1)):
		size := rows*float64(row) + float64(empty)
		g.Text = fmt.Sprintf("%s rows, about %s", figure.Whole(rows), bytes(size))
		if t.bucket != "" && perDay > 0 {
			g.Text += " in a " + t.bucket
		}
		if over := max(rows/schema.GuideRows, size/schema.GuideBytes, rows/float64(max(most+1, 1))); over > 1 && most >= 0 {
			g.Level = Bad
			g.Text += fmt.Sprintf(", %.1f times the limit of %s%s", over, t.tightest(rows), t.advice(perDay))
		} else {
			g.Text += ": within 100,000 rows and 100 MB"
		}
	case perDay > 0:
		first := Limit{Days: math.Inf(1)}
		for _, l := range t.Growth() {
			if l.Days < first.Days {
				first = l
			}
		}
		g.Level = Fair
		if first.Days < 365 {
			g.Level = Bad
		}
		g.Text = fmt.Sprintf("passes %s on day %s, then grows without end%s", first.What, figure.Whole(math.Ceil(first.Days)), t.advice(perDay))
	default:
		g.Level = Fair
		g.Text = "nothing bounds it: say how many rows come to one, as in `50 a day` or `500 rows`"
		if most >= 0 {
			g.Text = fmt.Sprintf("at most %s rows for fewer than 1,000,000 cells; %s", figure.Whole(float64(most)), g.Text)
		}
	}
	return g
}

// tightest is the limit that so many rows pass by most.
func (t *Table) tightest(rows float64) string {
	_, most := t.MostRows()
	_, row := t.Bytes()
	name, over := "100,000 rows", rows/schema.GuideRows
	if o := rows * float64(row) / schema.GuideBytes; o > over {
		name, over = "100 MB", o
	}
	if o := rows / float64(most+1); most >= 0 && o > over {
		name = "1,000,000 cells"
	}
	return name
}

// advice is the longest bucket that keeps a partition within the limits.
func (t *Table) advice(perDay float64) string {
	if perDay == 0 {
		return "; `sorted`, `bucketed by month` or another equality makes them smaller"
	}
	_, row := t.Bytes()
	_, most := t.MostRows()
	limit := math.Min(schema.GuideRows, float64(schema.GuideBytes)/float64(max(row, 1)))
	if most >= 0 {
		limit = math.Min(limit, float64(most))
	}
	for _, unit := range []string{"year", "month", "week", "day", "hour"} {
		if unit != t.bucket && perDay*units[unit] <= limit {
			return fmt.Sprintf("; `bucketed by %s` holds it at %s rows", unit, figure.Whole(math.Ceil(perDay*units[unit])))
		}
	}
	return "; not even a bucket of an hour holds it: take another column into the partition key"
}

// bytes prints a size in units of 1,000.
func bytes(v float64) string {
	unit := 0
	for v >= 1000 && unit < 4 {
		v, unit = v/1000, unit+1
	}
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0") + " " + [...]string{"B", "KB", "MB", "GB", "TB"}[unit]
}
