package admin

import (
	"fmt"
	"math"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/growth"
	"ringlab/engine/sim"
	"ringlab/model/schema"
)

func init() {
	register(&Command{Name: "project", Group: "load, review", Usage: "ks.table [KEY] [for=3y] [rate=ROWS/d] [partitions=N]",
		Help: "how a partition goes on growing, and when it passes 100,000 rows, 100 MB, 1,000,000 cells and 200 MB", Run: project})
}

// project goes on with the growth of one partition, the one with most rows
// unless it is named. Its rate is that of the write times of its rows, or given;
// a rate is that of the whole table where partitions says over how many the rows
// are spread. Rows with a default time to live go after it.
func project(ctx *Context, a Args) ([]*answer.Answer, error) {
	for k := range a.Named {
		if k != "for" && k != "rate" && k != "partitions" {
			return nil, usageError(byName["project"])
		}
	}
	if len(a.Words) < 1 || len(a.Words) > 2 {
		return nil, usageError(byName["project"])
	}
	t, err := ctx.Table(a.Words[0])
	if err != nil {
		return nil, err
	}
	var key []byte
	if len(a.Words) > 1 {
		if key, err = PartitionKey(t, a.Words[1]); err != nil {
			return nil, err
		}
	}
	g, err := growth.Find(ctx.Cluster, t, key, 0)
	if err != nil {
		return nil, err
	}
	rows := [][]string{
		{"partition", "", strings.TrimSpace(g.Key), "on " + g.Node},
		{"rows", "", num(float64(g.Rows)), "now"},
		{"bytes", "", num(float64(g.Bytes)), "now, before compression"},
	}
	perRow := float64(g.Bytes) / float64(g.Rows)
	rows = append(rows, []string{"bytes a row", fmt.Sprintf("%s / %s", num(float64(g.Bytes)), num(float64(g.Rows))), num(perRow), ""})
	perDay, how, err := growthRate(&g, a)
	if err != nil {
		return nil, err
	}
	rows = append(rows, []string{"rows a day", how, num(perDay), ""})
	now := ctx.Cluster.Epoch() + int64(ctx.Cluster.Now()/sim.Second)
	f := growth.Project(&g, t, perDay, now*1e6)
	if _, given := a.Named["rate"]; given { // of what is to come, not of what was written in a stretch of time
		f.End, f.Bucket = math.Inf(1), ""
	}
	if f.Bucket != "" {
		rows = append(rows, []string{"stops in", "the end of " + f.Bucket, num(math.Round(f.End*100) / 100), "days: all rows were written in it"})
	}
	if ttl := t.Options.DefaultTTL; ttl > 0 {
		rows = append(rows, []string{"most rows", fmt.Sprintf("%s × %d s / 86,400", num(perDay), ttl), num(f.Most), "at a time: a row lives for default_time_to_live"})
	}
	for _, l := range growth.Limits {
		if l.Unit != growth.Tombstones || g.Tombstones > 0 {
			rows = append(rows, limitRow(&f, l, now))
		}
	}
	if text := a.Named["for"]; text != "" {
		d, err := parseTime(text)
		if err != nil {
			return nil, fmt.Errorf("for=%s: %w", text, err)
		}
		days := float64(d) / float64(sim.Day)
		then, sum := f.RowsAt(days), fmt.Sprintf("%s + %s × %s", num(float64(g.Rows)), num(perDay), num(days))
		switch {
		case then < float64(g.Rows)+float64(perDay*min(days, f.End)):
			sum = "no more than live at a time"
		case f.End < days:
			sum = fmt.Sprintf("%s + %s × %s", num(float64(g.Rows)), num(perDay), num(f.End))
		}
		rows = append(rows, []string{"rows in " + text, sum, num(math.Round(then)), over(then, schema.GuideRows, "100,000")},
			[]string{"bytes in " + text, fmt.Sprintf("%s × %s", num(math.Round(then)), num(perRow)), num(math.Round(then * perRow)), over(then*perRow, schema.GuideBytes, "100 MB")})
	}
	return table("what formula value note", rows), nil
}

// limitRow says when a limit is reached, in days and as a date.
func limitRow(f *growth.Forecast, l growth.Limit, now int64) []string {
	limit := num(l.Value)
	if each := f.Each(l.Unit); l.Unit != growth.Rows {
		limit += " / " + num(each)
	}
	formula := fmt.Sprintf("(%s − %s) / %s", limit, num(float64(f.Have.Rows)), num(f.PerDay))
	days := f.When(l)
	switch {
	case days == 0:
		return []string{l.Name, formula, "passed", ""}
	case math.IsInf(days, 1) && f.Bucket != "" && f.Most > f.RowsAt(f.End):
		return []string{l.Name, formula, "never", "it stops before"}
	case math.IsInf(days, 1):
		return []string{l.Name, formula, "never", "rows expire before"}
	case days > float64(endOfTime/sim.Day):
		return []string{l.Name, formula, num(math.Round(days)), "days"}
	}
	return []string{l.Name, formula, num(days), "days, on " + growth.Date(now, days)}
}

// over says how often a value holds its limit.
func over(v, limit float64, name string) string {
	if v <= limit {
		return "within " + name
	}
	return fmt.Sprintf("%.1f × %s", v/limit, name)
}

// growthRate is the rate in rows a day, and how it was found.
func growthRate(g *growth.Partition, a Args) (perDay float64, how string, err error) {
	spread := numbers{a.Named, &[]string{}}
	partitions := spread.or("partitions", 1)
	if text, ok := a.Named["rate"]; ok {
		count, unit, _ := strings.Cut(text, "/")
		every := sim.Time(sim.Day)
		if unit != "" {
			if every, err = parseTime("1" + unit); err != nil {
				return 0, "", fmt.Errorf("rate=%s: %q is not a unit of time; write 5000/d or 10/s", text, unit)
			}
		}
		rate := numbers{map[string]string{"rate": count}, spread.missing}.get("rate")
		if len(*spread.missing) > 0 || rate == 0 || partitions < 1 {
			return 0, "", fmt.Errorf("rate is a number above 0 and a unit of time, 5000/d, and partitions a number from 1 on, not rate=%s partitions=%s", text, num(partitions))
		}
		how = num(rate)
		if every != sim.Day {
			how += fmt.Sprintf(" × 86,400 s / %s", every)
			rate *= float64(sim.Day) / float64(every)
		}
		if partitions > 1 {
			how += " / " + num(partitions)
		}
		return rate / partitions, how, nil
	}
	if _, ok := a.Named["partitions"]; ok {
		return 0, "", fmt.Errorf("partitions divides the rate of a whole table: give it too, as in rate=5000/d")
	}
	perDay, ok := g.PerDay()
	if !ok {
		return 0, "", fmt.Errorf("the write times of %s in partition %s show no rate; give one, as in rate=5000/d", plural(int(g.Rows), "row"), g.Key)
	}
	return perDay, fmt.Sprintf("%s × 86,400 s / %s between the first and the last write", num(float64(g.Rows-1)), g.Span()), nil
}
