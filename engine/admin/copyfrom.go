package admin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/csv"
	"ringlab/engine/session"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// copyFlight is how many rows of a COPY FROM are on their way at once.
const copyFlight = 64

// importer is a running COPY FROM.
type importer struct {
	ctx      *Context
	options  *copyOptions
	table    *schema.Table
	given    []*schema.Column // of a line of the file
	columns  []*schema.Column // those not skipped
	prepared *session.Prepared

	read          int // lines that count for MAXROWS, skipped ones among them
	sent, failed  int
	parse, insert int // errors
	complaints    []badLines
	lost          []byte // the failed rows as they were
	stop          string // why the rest is not read, "" while it is
	waiting       []inputRow
}

// inputRow is a row that was understood.
type inputRow struct {
	record csv.Record
	values [][]byte
}

// badLines is what went wrong, and with which lines.
type badLines struct {
	what, ending string
	lines        []int
}

// copyFrom loads the rows of files, or of what follows the command, into a
// table. Rows that cannot be read or written are told with their lines and kept
// in a file; the rest is loaded. Source: cqlsh 6.2 ImportTask.
func copyFrom(ctx *Context, c *copyCommand, o *copyOptions, t *schema.Table, columns []*schema.Column, took func() string) ([]*answer.Answer, error) {
	m := &importer{ctx: ctx, options: o, table: t, given: columns}
	for _, col := range columns {
		if !slices.Contains(o.skipColumns, col.Name) {
			m.columns = append(m.columns, col)
		}
	}
	if len(m.columns) == 0 {
		return nil, Complain("No valid column specified")
	}
	for _, key := range slices.Concat(t.Key, t.Clustering) {
		if !slices.Contains(m.columns, key) {
			return nil, Complain("Primary key column '%s' missing or skipped", key.Name)
		}
	}
	prepared, refused := ctx.Prepare(m.statement())
	if prepared == nil {
		return []*answer.Answer{{Error: refused.Error}}, nil
	}
	m.prepared = prepared
	var err error
	files := []File{{Text: c.data}}
	if c.file != "" {
		if ctx.Outside == nil {
			return nil, Complain("this lab reaches no files; COPY … FROM STDIN takes the rows that follow")
		}
		if files, err = ctx.Outside.Read(c.file); err != nil {
			return nil, err
		}
	}
	for _, f := range files {
		m.file(f)
	}
	m.flush()
	out := message("Starting copy of %s.%s with columns [%s].\n%d rows imported from %d files in %s (%d skipped).", t.Keyspace, t.Name,
		columnList(m.columns, func(s string) string { return s }), m.sent-m.failed, len(files), took(), o.skipRows)
	return out, m.report()
}

// statement writes one row. Source: cqlsh 6.2 ImportProcess.run_normal, run_counter.
func (m *importer) statement() string {
	using := ""
	if m.options.ttl >= 0 {
		using = " USING TTL " + strconv.Itoa(m.options.ttl)
	}
	if !m.table.Counter {
		marks := strings.TrimSuffix(strings.Repeat("?, ", len(m.columns)), ", ")
		return "INSERT INTO " + m.table.String() + " (" + columnList(m.columns, schema.Quote) + ") VALUES (" + marks + ")" + using
	}
	var sets, wheres []string
	for _, c := range m.ordered() {
		name := schema.Quote(c.Name)
		if c.Kind == schema.PartitionKey || c.Kind == schema.Clustering {
			wheres = append(wheres, name+" = ?")
		} else {
			sets = append(sets, name+" = "+name+" + ?")
		}
	}
	return "UPDATE " + m.table.String() + using + " SET " + strings.Join(sets, ", ") + " WHERE " + strings.Join(wheres, " AND ")
}

// ordered are the columns in the order of the statement's markers: for counters
// those that are added to come first.
func (m *importer) ordered() []*schema.Column {
	if !m.table.Counter {
		return m.columns
	}
	out := slices.Clone(m.columns)
	inKey := func(c *schema.Column) int {
		if c.Kind == schema.PartitionKey || c.Kind == schema.Clustering {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(out, func(a, b *schema.Column) int { return inKey(a) - inKey(b) })
	return out
}

// file loads one file.
func (m *importer) file(f File) {
	records := m.options.dialect.Records(f.Text)
	if m.options.header && len(records) > 0 {
		records = records[1:]
	}
	for _, r := range records {
		if m.stop != "" || m.options.mostRows >= 0 && m.read >= m.options.mostRows {
			return
		}
		m.read++
		if m.read <= m.options.skipRows {
			continue
		}
		m.sent++
		values, err := m.convert(r.Fields)
		if err != nil {
			m.parse++
			m.complain("ParseError - "+err.Error(), "given up without retries", r)
			m.tooMany("parse", m.parse, m.options.mostParse)
			continue
		}
		if m.waiting = append(m.waiting, inputRow{r, values}); len(m.waiting) == copyFlight {
			m.flush()
		}
	}
}

// convert reads the fields of a line.
// Source: cqlsh 6.2 ImportConversion.convert_row.
func (m *importer) convert(fields []string) ([][]byte, error) {
	if len(m.columns) < len(m.given) {
		var kept []string
		for i, f := range fields {
			if i >= len(m.given) || slices.Contains(m.columns, m.given[i]) {
				kept = append(kept, f)
			}
		}
		fields = kept
	}
	if len(fields) != len(m.columns) {
		return nil, Complain("Invalid row length %d should be %d", len(fields), len(m.columns))
	}
	byColumn := make(map[*schema.Column][]byte, len(fields))
	for i, c := range m.columns {
		if (c.Kind == schema.PartitionKey || c.Kind == schema.Clustering) && fields[i] == m.options.values.Null {
			text := fmt.Sprintf("Cannot insert null value for primary key column '%s'.", c.Name)
			if m.options.values.Null == "" {
				text += " If you want to insert empty strings, consider using the WITH NULL=<marker> option for COPY."
			}
			return nil, Complain("%s", text)
		}
	}
	for i, c := range m.columns {
		v, err := m.options.values.Parse(c.Type, fields[i])
		if err != nil {
			return nil, err
		}
		if v == nil && m.table.Counter {
			v = make([]byte, 8)
		}
		byColumn[c] = v
	}
	values := make([][]byte, 0, len(fields))
	for _, c := range m.ordered() {
		values = append(values, byColumn[c])
	}
	return values, nil
}

// flush writes the rows that wait. Those that nodes did not take are tried
// again.
func (m *importer) flush() {
	rows := m.waiting
	m.waiting = nil
	for attempt := 1; len(rows) > 0; attempt++ {
		values := make([][][]byte, len(rows))
		for i := range rows {
			values[i] = rows[i].values
		}
		var again []inputRow
		for i, e := range m.ctx.Apply(m.prepared, values) {
			switch {
			case e == nil:
			case attempt < m.options.attempts && e.Code != "" && e.Code < plan.SyntaxErr.String():
				again = append(again, rows[i])
			default:
				m.insert++
				m.complain(e.Name+" - "+e.Message, fmt.Sprintf("given up after %d attempts", attempt), rows[i].record)
				m.tooMany("insert", m.insert, m.options.mostInserts)
			}
		}
		rows = again
	}
	if m.ctx.Outside != nil && !m.ctx.Outside.Progress(Progress{Done: m.read, Rows: m.read, Repeat: m.read}) && m.stop == "" {
		m.stop = fmt.Sprintf("Cancelled after %d rows; what was loaded stays.", m.read)
	}
}

// tooMany stops the import behind the last error that is allowed.
func (m *importer) tooMany(kind string, errors, most int) {
	if most >= 0 && errors > most && m.stop == "" {
		m.stop = fmt.Sprintf("Exceeded maximum number of %s errors %d", kind, most)
	}
}

func (m *importer) complain(what, ending string, r csv.Record) {
	m.failed++
	m.lost = m.options.dialect.Append(m.lost, r.Fields)
	for i := range m.complaints {
		if c := &m.complaints[i]; c.what == what && c.ending == ending {
			c.lines = append(c.lines, r.Line)
			return
		}
	}
	m.complaints = append(m.complaints, badLines{what, ending, []int{r.Line}})
}

// report tells what went wrong, nil if nothing did, and keeps the rows that
// were not loaded.
func (m *importer) report() error {
	var lines []string
	for _, c := range m.complaints {
		lines = append(lines, fmt.Sprintf("Failed to import %d rows: %s,  %s (%s)", len(c.lines), c.what, c.ending, lineNumbers(c.lines)))
	}
	if m.stop != "" {
		lines = append(lines, m.stop)
	}
	if m.failed > 0 {
		where := ""
		if m.ctx.Outside != nil {
			if err := m.ctx.Outside.Write(m.options.errFile, m.lost, true); err != nil {
				where = fmt.Sprintf("; %s cannot be written: %v", m.options.errFile, err)
			} else {
				where = "; failed rows written to " + m.options.errFile
			}
		}
		lines = append(lines, fmt.Sprintf("Failed to process %d rows%s", m.failed, where))
	}
	if lines == nil {
		return nil
	}
	return Complain("%s", strings.Join(lines, "\n"))
}

// lineNumbers names the first lines of many.
func lineNumbers(lines []int) string {
	const most = 5
	texts := make([]string, 0, most)
	for _, n := range lines[:min(len(lines), most)] {
		texts = append(texts, strconv.Itoa(n))
	}
	out := "line " + texts[0]
	if len(texts) > 1 {
		out = "lines " + strings.Join(texts, ", ")
	}
	if more := len(lines) - most; more > 0 {
		out += fmt.Sprintf(" and %d more", more)
	}
	return out
}
