package admin

import (
	"fmt"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/sim"
	"ringlab/model/schema"
)

// File is a file that a command reads.
type File struct{ Name, Text string }

// copyTable runs COPY.
func copyTable(ctx *Context, text string) ([]*answer.Answer, error) {
	c, ok := parseCopy(text)
	if !ok {
		return shellError("Improper COPY command.")
	}
	t, columns, err := c.target(ctx)
	if err != nil {
		return nil, err
	}
	o, err := parseCopyOptions(c, t)
	if err != nil {
		return nil, err
	}
	began := ctx.Cluster.Now()
	took := func() string { return interval(ctx.Cluster.Now() - began) }
	if c.from {
		return copyFrom(ctx, c, o, t, columns, took)
	}
	return copyTo(ctx, c, o, t, columns, took)
}

// copyTo writes the rows of a table, in the order of a full scan, to a file or
// as the answer. Source: cqlsh 6.2 ExportTask.
func copyTo(ctx *Context, c *copyCommand, o *copyOptions, t *schema.Table, columns []*schema.Column, took func() string) ([]*answer.Answer, error) {
	if c.file != "" && ctx.Outside == nil {
		return nil, Complain("this lab reaches no files; COPY … TO STDOUT shows the rows")
	}
	var head []byte
	if o.header {
		names := make([]string, len(columns))
		for i, col := range columns {
			names[i] = col.Name
		}
		head = o.dialect.Append(nil, names)
	}
	out := &copyOutput{most: o.mostOutput, files: [][]byte{head}}
	if c.file == "" {
		out.most = -1
	}
	fields := make([]string, len(columns))
	failure := ctx.Each(exportQuery(o, t, columns), max(o.page, 1), func(values [][]byte) {
		for i, v := range values {
			fields[i] = o.values.Text(columns[i].Type, v)
		}
		out.add(o.dialect.Append(nil, fields))
	})
	if failure != nil {
		return []*answer.Answer{{Error: failure}}, nil
	}
	if c.file == "" {
		return message("%s", strings.TrimSuffix(strings.ReplaceAll(string(out.files[0]), "\r\n", "\n"), "\n")), nil
	}
	for i, data := range out.files {
		name := c.file
		if i > 0 {
			name = fmt.Sprintf("%s.%d", c.file, i)
		}
		if err := ctx.Outside.Write(name, data, false); err != nil {
			return nil, Complain("Can't open '%s' for writing: %s", name, err)
		}
	}
	return message("Starting copy of %s.%s with columns [%s].\n%d rows exported to %d files in %s.", t.Keyspace, t.Name,
		columnList(columns, func(s string) string { return s }), out.rows, len(out.files), took()), nil
}

// exportQuery selects the rows of a COPY TO.
// Source: cqlsh 6.2 ExportProcess.prepare_export_query.
func exportQuery(o *copyOptions, t *schema.Table, columns []*schema.Column) string {
	query := "SELECT " + columnList(columns, schema.Quote) + " FROM " + t.String()
	token := "token(" + columnList(t.Key, schema.Quote) + ")"
	switch {
	case o.begin != "" && o.end != "":
		query += " WHERE " + token + " > " + o.begin + " AND " + token + " <= " + o.end
	case o.begin != "":
		query += " WHERE " + token + " > " + o.begin
	case o.end != "":
		query += " WHERE " + token + " <= " + o.end
	}
	return query
}

// copyOutput are the files of a COPY TO; only the first has a header.
type copyOutput struct {
	files [][]byte
	most  int // rows of one file, -1 for no limit
	rows  int
	last  int // rows of the last file
}

func (out *copyOutput) add(record []byte) {
	if out.most > 0 && out.last == out.most {
		out.files, out.last = append(out.files, nil), 0
	}
	n := len(out.files) - 1
	out.files[n] = append(out.files[n], record...)
	out.rows++
	out.last++
}

// interval is a stretch of virtual time as cqlsh names it.
func interval(t sim.Time) string {
	var parts []string
	for _, u := range []struct {
		of   sim.Time
		name string
	}{{sim.Day, "day"}, {sim.Hour, "hour"}, {sim.Minute, "minute"}} {
		if n := t / u.of; n > 0 {
			parts = append(parts, plural(int(n), u.name))
			t -= n * u.of
		}
	}
	words := fmt.Sprintf("%.3f seconds", float64(t)/float64(sim.Second))
	switch len(parts) {
	case 0:
		return words
	case 1:
		return parts[0] + " and " + words
	}
	return strings.Join(parts, ", ") + ", and " + words
}
