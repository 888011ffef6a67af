package admin

import (
	"fmt"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/stress"
	"ringlab/model/schema"
)

// surveyed is how many rows of a table an export looks at.
const surveyed = 100_000

// exportStress writes the stress profile of a table: :stress export ks.table
// [FILE]. The sizes, ranges and counts are those of the rows that a full scan
// gives first.
func exportStress(ctx *Context, words []string) ([]*answer.Answer, error) {
	if len(words) == 0 || len(words) > 2 {
		return nil, fmt.Errorf("an export is written `:stress export ks.table [FILE]`")
	}
	t, err := ctx.Table(words[0])
	if err != nil {
		return nil, err
	}
	text, rows, err := tableProfile(ctx, t)
	if err != nil {
		return nil, err
	}
	if len(words) == 1 {
		return message("%s", strings.TrimSuffix(text, "\n")), nil
	}
	if ctx.Outside == nil {
		return nil, fmt.Errorf("this lab reaches no files; `:stress export %s` shows the profile", words[0])
	}
	if err := ctx.Outside.Write(words[1], []byte(text), false); err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", words[1], err)
	}
	return message("Exported the profile of %s from %s to %s.", t, plural(rows, "row"), words[1]), nil
}

// tableProfile is the profile of a table, from so many of its rows.
func tableProfile(ctx *Context, t *schema.Table) (text string, rows int, err error) {
	if t.View != nil {
		return "", 0, fmt.Errorf("%s is a materialized view, which follows its table; export the table", t)
	}
	columns := profileColumns(t)
	s := stress.NewSurvey(t, columns)
	failure := ctx.Each(fmt.Sprintf("SELECT %s FROM %s LIMIT %d", columnList(columns, schema.Quote), t, surveyed), 5000, s.Add)
	if failure != nil {
		return "", 0, fmt.Errorf("reading %s: %s", t, failure.Message)
	}
	p, err := s.Profile()
	if err != nil {
		return "", 0, err
	}
	p.KeyspaceDefinition = schema.CreateKeyspaceText(ctx.Cluster.Schema.Keyspace(t.Keyspace))
	p.TableDefinition = schema.CreateTableText(t)
	for _, i := range t.Indexes {
		text := strings.TrimSuffix(strings.ReplaceAll(schema.CreateIndexText(t, i), "\n", " "), ";")
		p.Extra = append(p.Extra, strings.Replace(text, "INDEX ", "INDEX IF NOT EXISTS ", 1))
	}
	return p.YAML([]string{
		fmt.Sprintf("A user profile of cassandra-stress for %s, from %s of it.", t, plural(s.Rows, "row")),
		fmt.Sprintf("In ringlab:  :stress FILE n=1M ops(insert=3,%s=1) cl=QUORUM", p.Queries[0].Name),
		fmt.Sprintf("On hardware: cassandra-stress user profile=FILE n=1M \"ops(insert=3,%s=1)\" cl=QUORUM", p.Queries[0].Name),
	}, []string{
		"Watch while it runs, beside rate and latencies: nodetool tablehistograms (partition size, cells, SSTables per read), tablestats (compacted",
		"partition maximum bytes, tombstones per slice), tpstats (pending, dropped), compactionstats (pending), gcstats, and the disks' await.",
	}), s.Rows, nil
}
