package tui

import (
	"fmt"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// transcript is what the console showed, newest last, with bounded memory. An
// entry is rendered for one width when it comes into sight.
type transcript struct {
	entries []*entry
	cells   int // of all kept results
}

// entry is an input, an answer or a note.
type entry struct {
	input   string
	cli     bool // the input is of the classic language
	answer  *answer.Answer
	note    draw.Spans
	request *view.Request // of a driver; answer is its answer
	more    bool          // the note counts requests that are not shown
	skipped int64
	lines   []draw.Spans
	width   int
}

const (
	maxEntries    = 2000
	maxCells      = 400_000
	maxShownRows  = 24
	maxShownLines = 60
)

func (t *transcript) add(e *entry) {
	t.entries = append(t.entries, e)
	t.cells += e.cells()
	for len(t.entries) > maxEntries || t.cells > maxCells && len(t.entries) > 1 {
		t.cells -= t.entries[0].cells()
		t.entries[0] = nil
		t.entries = t.entries[1:]
	}
}

// cells is what an entry weighs, a cell being about forty bytes.
func (e *entry) cells() int {
	n := 1 + len(e.input)/40
	if a := e.answer; a != nil {
		n += len(a.Rows)*max(len(a.Columns), 1) + (len(a.Message)+len(a.Statement))/40 + len(a.Events) + len(a.Trace)
	}
	return n
}

// rendered returns the lines of an entry for a width.
func (e *entry) rendered(w int) []draw.Spans {
	if e.width == w && e.lines != nil {
		return e.lines
	}
	e.width = w
	switch {
	case e.request != nil:
		e.lines = requestLines(e.request, w)
	case e.answer != nil:
		e.lines = answerLines(e.answer, w)
	case e.note != nil:
		e.lines = []draw.Spans{e.note}
	default:
		e.lines = inputLines(e.input, pick(e.cli, "cli> ", "cql> "), w)
	}
	if e.lines == nil {
		e.lines = []draw.Spans{}
	}
	return e.lines
}

// inputLines echo what was typed behind the prompt.
func inputLines(text, prompt string, w int) []draw.Spans {
	var out []draw.Spans
	lines := strings.Split(text, "\n")
	cut := 0
	if len(lines) > 12 {
		cut, lines = len(lines)-10, lines[:10]
	}
	for _, line := range lines {
		if len(line) > 4000 {
			line = line[:4000] + "…"
		}
		for _, l := range wrapCode(line, max(w-5, 1)) {
			lead := draw.Line{Text: "     "}
			if len(out) == 0 {
				lead = draw.Line{Text: prompt, Style: Accent}
			}
			out = append(out, append(draw.Spans{lead}, l...))
		}
	}
	if cut > 0 {
		out = append(out, draw.Spans{{Text: fmt.Sprintf("     … %d more lines", cut), Style: Dim}})
	}
	return out
}

// answerLines lay an answer out as the console shows it.
func answerLines(a *answer.Answer, w int) []draw.Spans {
	var out []draw.Spans
	add := func(style draw.Style, lead, text string) {
		for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
			for _, l := range draw.Wrap(line, max(w-draw.Width(lead), 1)) {
				out = append(out, draw.Spans{{Text: lead, Style: style}, {Text: l, Style: style}})
				lead = strings.Repeat(" ", draw.Width(lead))
			}
			if len(out) > 2000 {
				return
			}
		}
	}
	for _, s := range a.Warnings {
		add(Warn, "! ", s)
	}
	if a.Error != nil {
		full := w
		if a.Op > 0 {
			w -= len(opNumber(a).Text) + 1
		}
		add(Error, "✗ ", a.Error.Message)
		if w = full; a.Op > 0 {
			out[len(out)-1] = append(draw.Spans{opNumber(a)}, out[len(out)-1]...)
		}
		for i, f := range a.Fix {
			lead := fmt.Sprintf("  F4 %d  ", i+1)
			lines := draw.Wrap(f.Text, max(w-len(lead), 1))
			for j, l := range lines {
				out = append(out, draw.Spans{{Text: pick(j == 0, lead, strings.Repeat(" ", len(lead))), Style: Key}, {Text: l, Style: Dim}})
			}
			for _, l := range draw.Wrap(f.Why, max(w-len(lead), 1)) {
				if l != "" {
					out = append(out, draw.Spans{{Text: strings.Repeat(" ", len(lead)) + l, Style: Comment}})
				}
			}
		}
		return out
	}
	long := func(style draw.Style, text string) {
		lines := strings.Split(text, "\n")
		if len(lines) > maxShownLines {
			text = strings.Join(lines[:maxShownLines], "\n")
		}
		add(style, "", text)
		if len(lines) > maxShownLines {
			out = append(out, draw.Spans{{Text: fmt.Sprintf("… %d more lines: enter shows all", len(lines)-maxShownLines), Style: Dim}})
		}
	}
	switch {
	case a.Cli != nil: // what cassandra-cli prints; enter shows the rows as a grid
		if text := strings.TrimRight(a.Cli.Out, "\n"); text != "" {
			long(Text, text)
		}
		if text := strings.TrimRight(a.Cli.Err, "\n"); text != "" {
			long(Warn, text)
		}
	case a.Describe:
		out = append(out, describeLines(a, w)...)
	case a.Prose:
		out = append(out, proseLines(a, w)...)
	case a.Columns != nil:
		out = append(out, tableLines(a, w)...)
	case a.Message != "":
		long(Text, messageText(a))
	}
	if a.Verdict != "" || a.Op > 0 {
		out = append(out, verdictLines(a, w)...)
	}
	return out
}

// messageText is the message as it is shown: nodetool's tabs lead to the next
// eighth cell.
func messageText(a *answer.Answer) string {
	if !a.Tool {
		return a.Message
	}
	var b strings.Builder
	column := 0
	for _, r := range a.Message {
		switch r {
		case '\t':
			n := 8 - column%8
			b.WriteString(strings.Repeat(" ", n))
			column += n
			continue
		case '\n':
			column = -1
		}
		b.WriteRune(r)
		column++
	}
	return b.String()
}

func opNumber(a *answer.Answer) draw.Line {
	return draw.Line{Text: fmt.Sprintf("#%d", a.Op), Style: Dim, Right: true}
}

func verdictLines(a *answer.Answer, w int) []draw.Spans {
	text := strings.TrimLeft(a.Verdict, "✓≈✗ ")
	mark, style := "✓ ", OK
	if a.Stale || strings.HasPrefix(a.Verdict, "≈") {
		mark, style = "≈ ", Stale
	}
	var out []draw.Spans
	room := w - 2
	if a.Op > 0 {
		room -= len(opNumber(a).Text) + 2
	}
	for i, l := range draw.Wrap(text, max(room, 1)) {
		row := draw.Spans{{Text: pick(i == 0, mark, "  "), Style: style}, {Text: l, Style: pick(style == OK, Dim, style)}}
		if i == 0 && a.Op > 0 {
			row = append(draw.Spans{opNumber(a)}, row...)
		}
		out = append(out, row)
	}
	if a.Stale {
		out = append(out, draw.Spans{{Text: "  F6", Style: Key}, {Text: " why is it old?", Style: Dim}})
	}
	return out
}

// describeLines print the statements of DESCRIBE, or its names.
func describeLines(a *answer.Answer, w int) []draw.Spans {
	col := len(a.Columns) - 1
	for i, c := range a.Columns {
		if c.Name == "create_statement" {
			col = i
		}
	}
	var out []draw.Spans
	for i, row := range a.Rows {
		if col < 0 || col >= len(row) {
			continue
		}
		if i > 0 {
			out = append(out, nil)
		}
		for line := range strings.SplitSeq(row[col].Text, "\n") {
			out = append(out, wrapCode(line, w)...)
		}
		if len(out) > 400 {
			return append(out, draw.Spans{{Text: "…", Style: Dim}})
		}
	}
	return out
}

// mostDownward is how many values a result that is too wide has at most to be shown
// from the top down.
const mostDownward = 16

// downLines print a small result that is too wide with a line for each value.
func downLines(a *answer.Answer, w int) []draw.Spans {
	name := 0
	for _, c := range a.Columns {
		name = max(name, draw.Width(c.Name))
	}
	name = min(name, w/3)
	var out []draw.Spans
	for j, r := range a.Rows {
		if j > 0 {
			out = append(out, draw.Spans{{Text: " " + strings.Repeat("─", max(w-2, 0)), Style: Border}})
		}
		for i, c := range a.Columns[:min(len(a.Columns), len(r))] {
			row := append(draw.Spans{{Text: " "}}, fitSpans(draw.Spans{{Text: c.Name, Style: columnStyle(c)}}, name, false)...)
			row = append(row, draw.Line{Text: " │ ", Style: Border})
			out = append(out, append(row, valueSpans(c.Type, r[i])...))
		}
	}
	return out
}

// tableLines print a result as cqlsh does, with lines between the columns.
func tableLines(a *answer.Answer, w int) []draw.Spans {
	rows := a.Rows
	if len(rows) > maxShownRows {
		rows = rows[:maxShownRows]
	}
	widths := columnWidths(a, rows, max(w*3/4, 8))
	shown, used := 0, 0
	for shown < len(widths) && (shown == 0 || used+widths[shown]+3 <= w) {
		used += widths[shown] + 3
		shown++
	}
	if shown < len(widths) && len(rows) > 0 && len(a.Rows) == len(rows) && len(rows)*len(widths) <= mostDownward {
		return downLines(a, w)
	}
	line := func(cell func(i int) draw.Spans, right func(t string) bool) draw.Spans {
		var s draw.Spans
		for i := range shown {
			if i > 0 {
				s = append(s, draw.Line{Text: " │ ", Style: Border})
			} else {
				s = append(s, draw.Line{Text: " "})
			}
			fitted := fitSpans(cell(i), widths[i], right(a.Columns[i].Type))
			if i == len(widths)-1 && !right(a.Columns[i].Type) {
				fitted = fitted[:len(fitted)-1]
			}
			s = append(s, fitted...)
		}
		if shown < len(widths) {
			s = append(s, draw.Line{Text: " …", Style: Dim})
		}
		return s
	}
	out := []draw.Spans{line(func(i int) draw.Spans { return draw.Spans{{Text: a.Columns[i].Name, Style: columnStyle(a.Columns[i])}} },
		func(string) bool { return false })}
	var b strings.Builder
	for i := range shown {
		if i > 0 {
			b.WriteString("┼")
		}
		b.WriteString(strings.Repeat("─", widths[i]+2))
	}
	out = append(out, draw.Spans{{Text: b.String(), Style: Border}})
	for _, r := range rows {
		out = append(out, line(func(i int) draw.Spans {
			if i >= len(r) {
				return nil
			}
			return valueSpans(a.Columns[i].Type, r[i])
		}, numeric))
	}
	if more := len(a.Rows) - len(rows); more > 0 || shown < len(widths) {
		text := ""
		if more > 0 {
			text = fmt.Sprintf(" … %d more %s", more, plural(int64(more), "row", "rows"))
		}
		if left := len(widths) - shown; left > 0 {
			text += fmt.Sprintf(" → %d more %s", left, plural(int64(left), "column", "columns"))
		}
		out = append(out, draw.Spans{{Text: text + ": esc, then enter", Style: Dim}})
	}
	if len(a.Rows) == 0 {
		out = append(out, draw.Spans{{Text: " (0 rows)", Style: Dim}})
	}
	return out
}

func columnWidths(a *answer.Answer, rows [][]answer.Cell, most int) []int {
	widths := make([]int, len(a.Columns))
	for i, c := range a.Columns {
		widths[i] = draw.Width(c.Name)
		for _, r := range rows {
			if i < len(r) {
				widths[i] = max(widths[i], pick(r[i].Null, 4, draw.Width(r[i].Text)))
			}
		}
		widths[i] = max(min(widths[i], most), 1)
	}
	return widths
}

func numeric(t string) bool {
	switch t {
	case "int", "bigint", "smallint", "tinyint", "varint", "counter", "float", "double", "decimal":
		return true
	}
	return false
}
