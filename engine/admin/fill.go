package admin

import (
	"fmt"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/stress"
	"ringlab/model/schema"
)

func init() {
	register(&Command{Name: "fill", Group: "load, review", Usage: "ks.table rows=1000 [partitions=50] [cl=LEVEL]", Run: fill,
		Words: []string{"rows=", "partitions=", "cl="},
		Help:  "sample data: so many rows in so many partitions, with the values of cassandra-stress for the table's columns, but texts of letters and digits; the same seed gives the same rows"})
}

// fill writes rows with the profile that an export of the empty table makes.
func fill(ctx *Context, a Args) ([]*answer.Answer, error) {
	for k := range a.Named {
		if k != "rows" && k != "partitions" && k != "cl" && k != "stop" {
			return nil, usageError(byName["fill"])
		}
	}
	if len(a.Words) != 1 {
		return nil, usageError(byName["fill"])
	}
	t, err := ctx.Table(a.Words[0])
	if err != nil {
		return nil, err
	}
	count := func(key, def string) (int64, error) {
		if v, ok := a.Named[key]; ok {
			def = v
		}
		return stressCount(def, key, 1)
	}
	rows, err := count("rows", "1000")
	if err != nil {
		return nil, err
	}
	partitions, err := count("partitions", fmt.Sprint(rows))
	if err != nil {
		return nil, err
	}
	if len(t.Clustering) == 0 {
		if _, ok := a.Named["partitions"]; ok && partitions != rows {
			return nil, fmt.Errorf("%s has no clustering column: a partition is one row, so that rows=%d are as many partitions", t, rows)
		}
		partitions = rows
	}
	if partitions > rows {
		return nil, fmt.Errorf("%d partitions have at least as many rows, not %d", partitions, rows)
	}
	profile, err := fillProfile(t, rows, partitions)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%s n=%d ops(insert=1) texts=readable seq=1..%d", profile, partitions, partitions)
	for _, key := range []string{"cl", "stop"} {
		if v := a.Named[key]; v != "" {
			text += " " + key + "=" + v
		}
	}
	out, err := byName["stress"].Run(ctx, Args{Raw: text})
	if err != nil {
		return nil, fmt.Errorf("%s", strings.Replace(err.Error(), "the profile, ", "", 1))
	}
	return out, nil
}

// fillProfile is a profile that gives a partition so many rows: as many values
// of its last clustering column, one of each before. What does not divide evenly
// is drawn, as many rows or one more.
func fillProfile(t *schema.Table, rows, partitions int64) (string, error) {
	if t.View != nil {
		return "", fmt.Errorf("%s is a materialized view, which follows its table; fill the table", t)
	}
	p, err := stress.NewSurvey(t, profileColumns(t)).Profile()
	if err != nil {
		return "", err
	}
	each := stress.Spec{Min: rows / partitions, Max: rows / partitions}
	if rows%partitions != 0 {
		each = stress.Spec{Kind: stress.Uniform, Min: rows / partitions, Max: rows/partitions + 1}
	}
	for i := range p.Columns {
		for n, c := range t.Clustering {
			if p.Columns[i].Name == c.Name && n == len(t.Clustering)-1 {
				p.Columns[i].Cluster = &each
			}
		}
	}
	return p.JSON(), nil
}
