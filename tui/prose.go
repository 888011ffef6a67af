package tui

import (
	"strings"

	"ringlab/engine/answer"
	"ringlab/tui/draw"
)

// proseLines print a table whose last column is text to be read: the other
// columns stand in front, and the text is wrapped to what is left, or below them
// where little is left.
func proseLines(a *answer.Answer, w int) []draw.Spans {
	last := len(a.Columns) - 1
	widths := columnWidths(a, a.Rows, max(w/2, 8))
	lead := 1
	for _, n := range widths[:last] {
		lead += n + 2
	}
	below := w-lead < 30
	indent := lead
	if below {
		indent = widths[0] + 3
	}
	var out []draw.Spans
	if last > 2 { // what stands side by side needs names
		head := draw.Spans{{Text: " "}}
		for i, c := range a.Columns[:last] {
			text := draw.Truncate(draw.Clean(c.Name), widths[i])
			head = append(head, draw.Line{Text: text + strings.Repeat(" ", max(widths[i]-draw.Width(text), 0)+2), Style: NameColumn})
		}
		if !below {
			head = append(head, draw.Line{Text: draw.Clean(a.Columns[last].Name), Style: NameColumn})
		}
		out = append(out, head)
	}
	for _, r := range a.Rows {
		row := draw.Spans{{Text: " "}}
		for i, cell := range r[:last] {
			text := draw.Truncate(draw.Clean(cell.Text), widths[i])
			text += strings.Repeat(" ", max(widths[i]-draw.Width(text), 0)+2)
			row = append(row, draw.Line{Text: text, Style: pick(i == 0, Title, Text)})
		}
		for i, l := range draw.Wrap(draw.Clean(r[last].Text), max(w-indent, 1)) {
			if i == 0 && !below {
				out = append(out, append(row, draw.Line{Text: l, Style: Dim}))
				continue
			}
			if i == 0 {
				out = append(out, row)
			}
			out = append(out, draw.Spans{{Text: strings.Repeat(" ", indent) + l, Style: Dim}})
		}
	}
	return out
}
