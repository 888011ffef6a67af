// Package render writes answers as text: as cqlsh prints them, as JSON, and as
// the script they came from.
package render

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ringlab/engine/answer"
)

// Table writes an answer as cqlsh 6.2 prints it, without colour. An error is
// not part of it: see Error.
func Table(a *answer.Answer, expand bool) string {
	a = visible(a)
	var b strings.Builder
	switch {
	case a.Cli != nil:
		b.WriteString(a.Cli.Out)
	case a.Error != nil:
	case a.Describe:
		describe(&b, a)
	case a.Columns != nil:
		rows(&b, a, expand)
	case a.Message != "":
		b.WriteString(a.Message)
		b.WriteByte('\n')
	}
	if len(a.Warnings) > 0 {
		b.WriteString("\nWarnings :\n")
		for _, w := range a.Warnings {
			b.WriteString(w)
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func rows(b *strings.Builder, a *answer.Answer, expand bool) {
	b.WriteByte('\n')
	if expand && len(a.Rows) > 0 {
		expanded(b, a)
	} else {
		grid(b, a)
	}
	if a.LWT {
		return
	}
	if len(a.Rows) == 0 {
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	if a.More {
		b.WriteString("---MORE---\n")
		return
	}
	b.WriteString("(" + itoa(len(a.Rows)) + " rows)\n")
}

// grid writes header, rule and right-aligned values.
func grid(b *strings.Builder, a *answer.Answer) {
	widths := make([]int, len(a.Columns))
	for i, c := range a.Columns {
		widths[i] = width(c.Name)
	}
	for _, row := range a.Rows {
		for i, v := range row {
			widths[i] = max(widths[i], width(v.Text))
		}
	}
	var line strings.Builder
	for i, c := range a.Columns {
		if i > 0 {
			line.WriteString(" |")
		}
		line.WriteString(" " + pad(c.Name, widths[i]))
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	for i, w := range widths {
		if i > 0 {
			b.WriteByte('+')
		}
		b.WriteString(strings.Repeat("-", w+2))
	}
	b.WriteByte('\n')
	for _, row := range a.Rows {
		for i, v := range row {
			if i > 0 {
				b.WriteString(" |")
			}
			for range widths[i] - width(v.Text) + 1 {
				b.WriteByte(' ')
			}
			b.WriteString(v.Text)
		}
		b.WriteByte('\n')
	}
}

// expanded writes one block a row, as EXPAND ON does.
func expanded(b *strings.Builder, a *answer.Answer) {
	name, value := 0, 0
	for _, c := range a.Columns {
		name = max(name, width(c.Name))
	}
	for _, row := range a.Rows {
		for _, v := range row {
			value = max(value, width(v.Text))
		}
	}
	for i, row := range a.Rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("@ Row " + itoa(i+1) + "\n")
		b.WriteString(strings.Repeat("-", name+2) + "+" + strings.Repeat("-", value+2) + "\n")
		for j, v := range row {
			b.WriteString(" " + pad(a.Columns[j].Name, name) + " | " + v.Text + "\n")
		}
	}
	b.WriteByte('\n')
}

// width is the number of cells that a text takes on a terminal.
func width(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

func pad(s string, to int) string { return s + strings.Repeat(" ", max(0, to-width(s))) }

// describe writes the rows of a DESCRIBE as cqlsh does: the CREATE statements
// with an empty line before each, or the names in columns.
func describe(b *strings.Builder, a *answer.Answer) {
	if len(a.Columns) >= 4 && a.Columns[3].Name == "create_statement" {
		for _, r := range a.Rows {
			b.WriteString("\n" + r[3].Text + "\n")
		}
		return
	}
	if len(a.Columns) > 0 && a.Columns[0].Name == "cluster" {
		for _, r := range a.Rows {
			b.WriteString("\nCluster: " + r[0].Text + "\nPartitioner: " + r[1].Text + "\nSnitch: " + r[2].Text + "\n\n")
			if len(r) > 3 {
				ownership(b, r[3].Text)
			}
		}
		return
	}
	names(b, a)
}

// ownership writes a map from the end of each range to its replicas.
func ownership(b *strings.Builder, ranges string) {
	b.WriteString("Range ownership:\n")
	for _, r := range strings.SplitAfter(strings.Trim(ranges, "{}"), "], ") {
		end, nodes, _ := strings.Cut(strings.TrimSuffix(r, ", "), ": ")
		fmt.Fprintf(b, " %39s  %s\n", strings.Trim(end, "'"), strings.ReplaceAll(nodes, "'", ""))
	}
	b.WriteByte('\n')
}

// names writes keyspaces, tables or types, under the name of their keyspace
// unless the client is inside of one.
func names(b *strings.Builder, a *answer.Answer) {
	if len(a.Rows) == 0 {
		b.WriteString("\n<empty>\n\n")
		return
	}
	for i := 0; i < len(a.Rows); {
		keyspace := a.Rows[i][0].Text
		if a.Rows[i][1].Text == "keyspace" {
			keyspace = ""
		}
		b.WriteByte('\n')
		if keyspace != "" && !a.Within {
			b.WriteString("Keyspace " + keyspace + "\n" + strings.Repeat("-", 9+len(keyspace)) + "\n")
		}
		var list []string
		for ; i < len(a.Rows) && (keyspace == "" || a.Rows[i][0].Text == keyspace); i++ {
			list = append(list, a.Rows[i][2].Text)
		}
		b.WriteString(columns(list))
	}
	b.WriteByte('\n')
}

// columns lays names out in columns of equal width in 80 cells, as Python's
// cmd.columnize does.
func columns(list []string) string {
	for rows := 1; rows <= len(list); rows++ {
		cols := (len(list) + rows - 1) / rows
		widths := make([]int, cols)
		total := -2
		for c := range widths {
			for r := 0; r < rows && c*rows+r < len(list); r++ {
				widths[c] = max(widths[c], width(list[c*rows+r]))
			}
			total += widths[c] + 2
		}
		if total > 80 && rows < len(list) {
			continue
		}
		var b strings.Builder
		for r := 0; r < rows; r++ {
			line := ""
			for c := 0; c < cols && c*rows+r < len(list); c++ {
				if c > 0 {
					line += "  "
				}
				line += pad(list[c*rows+r], widths[c])
			}
			b.WriteString(strings.TrimRight(line, " "))
			if r+1 < rows {
				b.WriteByte('\n')
			}
		}
		return b.String() + "\n"
	}
	return ""
}
