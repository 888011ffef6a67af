package admin

import (
	"fmt"
	"math"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

func init() {
	register(&Command{Name: "project", Group: "load, review", Usage: "ks.table [KEY] [for=3y] [rate=ROWS/d] [partitions=N]",
		Help: "how a partition goes on growing, and when it passes 100,000 rows and 100 MB", Run: project})
}

// grown is a partition that grows.
type grown struct {
	key   string
	node  string
	rows  int
	bytes int64
	// Write times of its oldest and newest row, in microseconds; 0 without rows
	// that INSERT wrote.
	oldest, newest int64
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
	g, err := growing(ctx.Cluster, t, a.Words[1:])
	if err != nil {
		return nil, err
	}
	rows := [][]string{
		{"partition", "", strings.TrimSpace(g.key), "on " + g.node},
		{"rows", "", num(float64(g.rows)), "now"},
		{"bytes", "", num(float64(g.bytes)), "now, before compression"},
	}
	perRow := float64(g.bytes) / float64(g.rows)
	rows = append(rows, []string{"bytes a row", fmt.Sprintf("%s / %s", num(float64(g.bytes)), num(float64(g.rows))), num(perRow), ""})
	perDay, how, err := growth(g, a)
	if err != nil {
		return nil, err
	}
	rows = append(rows, []string{"rows a day", how, num(perDay), ""})
	now := ctx.Cluster.Epoch() + int64(ctx.Cluster.Now()/sim.Second)
	most := math.Inf(1)
	if ttl := t.Options.DefaultTTL; ttl > 0 {
		most = float64(perDay * float64(ttl) / 86400)
		rows = append(rows, []string{"most rows", fmt.Sprintf("%s × %d s / 86,400", num(perDay), ttl), num(most), "at a time: a row lives for default_time_to_live"})
	}
	byRows := limitRow("100,000 rows", rowLimit, float64(g.rows), perDay, most, now)
	byBytes := limitRow("100 MB", byteLimit/perRow, float64(g.rows), perDay, most, now)
	byBytes[1] = strings.Replace(byBytes[1], num(byteLimit/perRow), "100,000,000 / "+num(perRow), 1)
	rows = append(rows, byRows, byBytes)
	if text := a.Named["for"]; text != "" {
		d, err := parseTime(text)
		if err != nil {
			return nil, fmt.Errorf("for=%s: %w", text, err)
		}
		days := float64(d) / float64(sim.Day)
		then, sum := float64(g.rows)+float64(perDay*days), fmt.Sprintf("%s + %s × %s", num(float64(g.rows)), num(perDay), num(days))
		if cap := max(most, float64(g.rows)); then > cap {
			then, sum = cap, "no more than live at a time"
		}
		rows = append(rows, []string{"rows in " + text, sum, num(math.Round(then)), over(then, rowLimit, "100,000")},
			[]string{"bytes in " + text, fmt.Sprintf("%s × %s", num(math.Round(then)), num(perRow)), num(math.Round(then * perRow)), over(then*perRow, byteLimit, "100 MB")})
	}
	return table("what formula value note", rows), nil
}

// limitRow says when a number of rows is reached, in days and as a date.
func limitRow(what string, limit, have, perDay, most float64, now int64) []string {
	days := (limit - have) / perDay
	formula := fmt.Sprintf("(%s − %s) / %s", num(limit), num(have), num(perDay))
	switch {
	case have >= limit:
		return []string{what, formula, "passed", ""}
	case most < limit:
		return []string{what, formula, "never", "rows expire before"}
	case days > float64(endOfTime/sim.Day):
		return []string{what, formula, num(math.Round(days)), "days"}
	}
	date := types.Date.Text(types.EncodeDate((now + int64(days*86400)) / 86400))
	return []string{what, formula, num(days), "days, on " + date}
}

// over says how often a value holds its limit.
func over(v, limit float64, name string) string {
	if v <= limit {
		return "within " + name
	}
	return fmt.Sprintf("%.1f × %s", v/limit, name)
}

// growth is the rate in rows a day, and how it was found.
func growth(g grown, a Args) (perDay float64, how string, err error) {
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
	seconds := (float64(g.newest) - float64(g.oldest)) / 1e6
	if g.rows < 2 || seconds <= 0 || seconds > float64(endOfTime/sim.Second) {
		return 0, "", fmt.Errorf("the write times of %s in partition %s show no rate; give one, as in rate=5000/d", plural(g.rows, "row"), g.key)
	}
	return float64(g.rows-1) * 86400 / seconds, fmt.Sprintf("%s × 86,400 s / %s between the first and the last write", num(float64(g.rows-1)), sim.Time(g.newest-g.oldest)), nil
}

// growing finds the partition: the named one, or that with most rows, on the
// replica that holds most of it.
func growing(c *cluster.Cluster, t *schema.Table, words []string) (grown, error) {
	var key string
	var token ring.Token
	if len(words) > 0 {
		k, err := PartitionKey(t, words[0])
		if err != nil {
			return grown{}, err
		}
		key, token = string(k), c.Partitioner().Token(k)
	} else {
		most := -1
		for _, n := range c.Nodes {
			c.Store(n.Index, t).EachKey(func(k string, tok ring.Token, rows int) bool {
				if rows > most || rows == most && k < key {
					key, token, most = k, tok, rows
				}
				return true
			})
		}
		if most < 0 {
			return grown{}, fmt.Errorf("%s is empty: there is nothing that grows", t)
		}
	}
	g := grown{key: t.KeyText([]byte(key))}
	for _, n := range c.Nodes {
		if h := c.Store(n.Index, t).Holding(key, token); h.Rows > g.rows {
			g.node, g.rows, g.bytes = n.Name, h.Rows, h.Bytes
			g.oldest, g.newest = writeTimes(h.Part)
		}
	}
	if g.rows == 0 {
		return g, fmt.Errorf("%s has no rows in partition %s", t, g.key)
	}
	return g, nil
}

// writeTimes are those of the oldest and newest INSERT of a partition.
func writeTimes(p *storage.Partition) (oldest, newest int64) {
	var v storage.View
	first := true
	for _, r := range p.Rows {
		r.Unpack(&v)
		at := v.Liveness.Timestamp
		if at == storage.NoTimestamp {
			continue
		}
		if first || at < oldest {
			oldest = at
		}
		if first || at > newest {
			newest = at
		}
		first = false
	}
	return oldest, newest
}
