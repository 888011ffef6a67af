package tui

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/answer"
	"ringlab/tui/draw"
)

// exported says how the writing of a file went.
type exported struct {
	name string
	size int
	err  error
}

// exportOverlay offers what can be written to a file: the rows of an answer, and
// the screen. Without rows given it takes those of the newest answer that has some.
func (a *App) exportOverlay(g *grid) *picker {
	p := &picker{title: "write to a file in " + here(), digits: true, noInput: true}
	add := func(name, help, file string, make func() string) {
		p.items = append(p.items, pickItem{name: fmt.Sprintf("%d  %s", len(p.items)+1, name), help: help, act: Action{Save: file, Data: make}})
	}
	screen := a.screenCanvas()
	if g == nil {
		if e := a.console.lastRows(); e != nil {
			g = newGrid(e)
		}
	}
	if g != nil {
		rows, of := g.rows, g.answer
		what := fmt.Sprintf("%s of the last answer", count(len(rows), "row"))
		add("CSV", what, "rows.csv", func() string { return rowsCSV(of, rows) })
		add("JSON", what, "rows.json", func() string { return rowsJSON(of, rows) })
		add("Markdown", what, "rows.md", func() string { return rowsMarkdown(of, rows) })
		if tableOf(of) != "" {
			add("CQL", "INSERT statements for "+tableOf(of), "rows.cql", func() string { return rowsCQL(of, rows) })
		}
	}
	add("screen as text", "", "screen.txt", func() string { return strings.Join(screen.Plain(), "\n") + "\n" })
	th := a.th
	add("screen as SVG", "in the colours of the theme", "screen.svg", func() string { return draw.SVG(screen, th.page(), th.ink) })
	return p
}

func here() string {
	if dir, err := os.Getwd(); err == nil {
		return filepath.Base(dir)
	}
	return "the current folder"
}

// saveFile writes a new file in the current folder; it never replaces one.
func saveFile(name string, data func() string) tea.Cmd {
	return func() tea.Msg {
		text := data()
		ext := filepath.Ext(name)
		base := "ringlab-" + strings.TrimSuffix(name, ext)
		for n := 1; n < 1000; n++ {
			try := base + pick(n > 1, "-"+strconv.Itoa(n), "") + ext
			f, err := os.OpenFile(try, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			if err == nil {
				_, err = f.WriteString(text)
				err = errors.Join(err, f.Close())
			}
			return exported{try, len(text), err}
		}
		return exported{base + ext, 0, errors.New("a thousand files of that name are there already")}
	}
}

func (a *App) wasExported(e exported) tea.Cmd {
	if e.err != nil {
		return a.say(Error, "✗ "+e.name+" was not written: "+e.err.Error())
	}
	return a.say(OK, fmt.Sprintf("✓ %s written, %s", e.name, draw.Bytes(int64(e.size))))
}

// lastRows is the newest answer of the transcript that has rows.
func (p *consolePane) lastRows() *answer.Answer {
	if e := p.chosen(); p.browse && e != nil && e.answer != nil && len(e.answer.Columns) > 0 {
		return e.answer
	}
	for i := len(p.log.entries) - 1; i >= 0; i-- {
		if x := p.log.entries[i].answer; x != nil && len(x.Columns) > 0 && !x.Describe {
			return x
		}
	}
	return nil
}

func headings(a *answer.Answer) []string {
	out := make([]string, len(a.Columns))
	for i, c := range a.Columns {
		out[i] = c.Name
	}
	return out
}

func rowsCSV(a *answer.Answer, rows [][]answer.Cell) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(headings(a)) // a Buffer takes everything
	for _, r := range rows {
		line := make([]string, len(a.Columns))
		for i := range min(len(r), len(line)) {
			if !r[i].Null {
				line[i] = r[i].Text
			}
		}
		_ = w.Write(line)
	}
	w.Flush()
	return b.String()
}

// rowsJSON keeps the order of the columns, which a map would not.
func rowsJSON(a *answer.Answer, rows [][]answer.Cell) string {
	quote := func(s string) string {
		text, _ := json.Marshal(s) // strings always can be
		return string(text)
	}
	var b strings.Builder
	b.WriteString("[")
	for n, r := range rows {
		b.WriteString(pick(n > 0, ",\n {", "\n {"))
		for i, c := range a.Columns {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quote(c.Name) + ": ")
			switch {
			case i >= len(r) || r[i].Null:
				b.WriteString("null")
			case numeric(c.Type) && json.Valid([]byte(r[i].Text)) || r[i].Text == "true" && c.Type == "boolean":
				b.WriteString(r[i].Text)
			case c.Type == "boolean":
				b.WriteString(strings.ToLower(r[i].Text))
			default:
				b.WriteString(quote(r[i].Text))
			}
		}
		b.WriteString("}")
	}
	b.WriteString("\n]\n")
	return b.String()
}

func rowsMarkdown(a *answer.Answer, rows [][]answer.Cell) string {
	var b strings.Builder
	safe := strings.NewReplacer("|", "\\|", "\n", " ")
	line := func(cell func(i int) string) {
		for i := range a.Columns {
			b.WriteString("| " + safe.Replace(cell(i)) + " ")
		}
		b.WriteString("|\n")
	}
	line(func(i int) string { return a.Columns[i].Name })
	line(func(i int) string { return pick(numeric(a.Columns[i].Type), "--:", "---") })
	for _, r := range rows {
		line(func(i int) string {
			if i >= len(r) || r[i].Null {
				return "null"
			}
			return r[i].Text
		})
	}
	return b.String()
}

// tableOf is the table that a SELECT reads.
func tableOf(a *answer.Answer) string {
	words := strings.Fields(a.Statement)
	if len(words) == 0 || !strings.EqualFold(words[0], "SELECT") {
		return ""
	}
	for i, w := range words[:len(words)-1] {
		if strings.EqualFold(w, "FROM") {
			return strings.TrimRight(words[i+1], ";")
		}
	}
	return ""
}

// rowsCQL writes an INSERT a row; nulls are left out, since writing one deletes.
func rowsCQL(a *answer.Answer, rows [][]answer.Cell) string {
	var b strings.Builder
	for _, r := range rows {
		var names, values []string
		for i, c := range a.Columns {
			if i < len(r) && !r[i].Null {
				names = append(names, c.Name)
				values = append(values, literal(c.Type, r[i].Text))
			}
		}
		fmt.Fprintf(&b, "INSERT INTO %s (%s) VALUES (%s);\n", tableOf(a), strings.Join(names, ", "), strings.Join(values, ", "))
	}
	return b.String()
}

// literal writes a value as CQL takes it.
func literal(t, text string) string {
	switch t {
	case "text", "varchar", "ascii", "timestamp", "date", "time", "inet":
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return text
}

// page is the colour that an SVG of this theme stands on.
func (t *Theme) page() string { return pick(t.Background != "", t.Background, "#ffffff") }

// ink is how a style of this theme looks in SVG.
func (t *Theme) ink(s draw.Style) (fill, ground string, bold bool) {
	token := int(s & 0xff)
	fill = pick(t.Background != "", t.FG[Text], "#202020")
	if token < len(t.FG) && strings.HasPrefix(t.FG[token], "#") {
		fill = t.FG[token]
	}
	if draw.Style(token) == Select {
		ground = pick(t.SelectBG != "", t.SelectBG, "#d0d0d0")
	}
	return fill, ground, s&draw.Bold != 0
}
