package tui

import (
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/view"
	"ringlab/model/design"
	"ringlab/tui/draw"
)

// wizard makes tables of questions: a text of entities and questions at the
// left, what follows from it at the right, while it is typed.
type wizard struct {
	edit     editor
	keyspace string
	first    string // statement that makes the keyspace, "" if it exists
	page     int
	top      int // of the page
	rows     int
	read     string // the text that is shown
	d        *design.Design
	reader   design.Reader
	keep     func(string) // holds the text for the next time
	click_   [4]int       // where the text stands
}

var wizardPages = []string{"tables", "refused", "CQL", "cli"}

const wizardText = `# What is there? A name, its attributes and their types;
# key marks what identifies one.
book: isbn text key, title text, author text
user: id uuid key, full_name text
action: time timestamp, what text

# What do you ask?
books by isbn
books read by user, sorted by title, showing full_name
actions by user, time range, newest first, 200 a day
`

// openWizard shows the wizard with the text of the last time.
func (a *App) openWizard() tea.Cmd {
	w := &wizard{keyspace: pick(a.need.Keyspace != "", a.need.Keyspace, a.v.Keyspace), keep: func(s string) { a.design = s }}
	if w.keyspace == "" && len(a.v.Keyspaces) > 0 {
		w.keyspace = a.v.Keyspaces[0].Name
	}
	if w.keyspace == "" {
		w.keyspace = "app"
		w.first = "CREATE KEYSPACE app WITH replication = {" + replicationOf(a.v) + "};"
	}
	w.edit.set(pick(a.design != "", a.design, wizardText))
	a.over = w
	return nil
}

// replicationOf is three copies in each data center, or as many as it has nodes.
func replicationOf(v *view.View) string {
	out := []string{"'class': 'NetworkTopologyStrategy'"}
	for _, dc := range v.DCs {
		n := 0
		for i := range v.Nodes {
			if v.Nodes[i].DC == dc {
				n++
			}
		}
		out = append(out, fmt.Sprintf("'%s': %d", strings.ReplaceAll(dc, "'", "''"), max(min(n, 3), 1)))
	}
	return strings.Join(out, ", ")
}

// design is what follows from the text.
func (w *wizard) design() *design.Design {
	if w.d == nil || w.read != w.edit.text {
		w.d, w.read = w.reader.Read(w.edit.text, w.keyspace), w.edit.text
	}
	return w.d
}

func (w *wizard) paint(_ *Scene, c *draw.Canvas) (int, int) {
	d := w.design()
	in, x, y := panel(c, c.W, c.H-1, "new tables in "+w.keyspace, fmt.Sprintf("%d %s  esc closes", len(d.Tables), plural(int64(len(d.Tables)), "table", "tables")))
	if in.W < 8 || in.H < 4 {
		return -1, -1
	}
	w.paintKeys(in)
	body := in.H - 1
	text := in.Sub(1, 0, in.W-2, max(body*2/5, 1))
	page := in.Sub(1, text.H+1, in.W-2, max(body-text.H-1, 0))
	if in.W >= 90 {
		left := in.W * 2 / 5
		text, page = in.Sub(1, 0, left-2, body), in.Sub(left+1, 0, in.W-left-2, body)
		for i := range body {
			in.Put(left-1, i, Border, "│")
		}
	} else {
		rule(in.Sub(0, text.H, in.W, 1), 0)
	}
	problems := w.problemLines(text.W, max(text.H/3, 1))
	room := max(text.H-len(problems), 1)
	cx, cy := w.edit.paintPlain(text.Sub(0, 0, text.W, room))
	for i, l := range problems {
		text.PutIn(0, room+i, text.W, l.Style, l.Text)
	}
	w.click_ = [4]int{x + 1, y, text.W, room}
	w.paintPage(page)
	return x + 1 + cx, y + cy
}

// problemLines are the lines that say nothing, the newest state of the text.
func (w *wizard) problemLines(width, most int) []draw.Line {
	var out []draw.Line
	for _, p := range w.design().Problems {
		for _, l := range draw.Wrap("✗ "+p.Error(), width) {
			out = append(out, draw.Line{Text: l, Style: Error})
		}
	}
	if len(out) > most {
		out = append(out[:most-1:most-1], draw.Line{Text: fmt.Sprintf("… %d more", len(out)-most+1), Style: Error})
	}
	return out
}

func (w *wizard) paintKeys(in *draw.Canvas) {
	x := 1
	for _, id := range []string{"wizard.create", "wizard.page", "wizard.clear", "wizard.pgdn"} {
		b := bindingByID[id]
		if x+draw.Width(keyText(b.Keys[0])+" "+b.Label) >= in.W-1 {
			return
		}
		x = in.Put(x, in.H-1, Key, keyText(b.Keys[0]))
		x = in.Put(x+1, in.H-1, Dim, b.Label) + 2
	}
}

// paintPage draws the open page below the names of all.
func (w *wizard) paintPage(c *draw.Canvas) {
	if c.W < 8 || c.H < 2 {
		return
	}
	x := 0
	for i, name := range wizardPages {
		open := i == w.page // as in the row of the panes' names
		x = c.PutIn(x, 0, c.W-x, pick(open, Title|draw.Bold, Dim), pick(open, "["+name+"]", " "+name+" ")) + 1
	}
	lines := w.lines(c.W)
	w.rows = max(c.H-1, 1)
	w.top = max(min(w.top, len(lines)-w.rows), 0)
	for i := 0; i < w.rows && w.top+i < len(lines); i++ {
		lines[w.top+i].Paint(c, 0, 1+i, c.W)
	}
	if below := len(lines) - w.top - w.rows; below > 0 {
		c.Right(c.W, 0, Dim, fmt.Sprintf("↓ %d more", below))
	}
}

func (w *wizard) lines(width int) []draw.Spans {
	d := w.design()
	var out []draw.Spans
	wrapped := func(indent string, style draw.Style, text string) {
		for _, l := range draw.Wrap(text, max(width-draw.Width(indent), 4)) {
			out = append(out, draw.Spans{{Text: indent + l, Style: style}})
		}
	}
	if len(d.Tables) == 0 {
		wrapped("", Dim, "No table yet: a question begins with what is asked for and says by what, as in `books by isbn`.")
		return out
	}
	switch wizardPages[w.page] {
	case "CQL":
		for _, text := range w.statements(false) {
			for line := range strings.SplitSeq(text, "\n") {
				out = append(out, highlight(line))
			}
			out = append(out, nil)
		}
	case "cli":
		wrapped("", Dim, "For the classic language; F2 in the console switches to it.")
		for _, t := range d.Tables {
			out = append(out, nil)
			wrapped("", Text, t.Cli())
		}
	case "refused":
		wrapped("", Dim, "What these tables do not answer, in Cassandra's words.")
		for _, t := range d.Tables {
			for _, r := range t.Refuses {
				out = append(out, nil)
				wrapped("", Text, r.Statement)
				wrapped("  ", Error, "✗ "+r.Says)
			}
		}
	default:
		for i, t := range d.Tables {
			if i > 0 {
				out = append(out, nil)
			}
			out = append(out, chartLines(t, width)...)
		}
	}
	return out
}

// chartLines is a table as Chebotko draws it, its gauges and its forecast.
func chartLines(t *design.Table, width int) []draw.Spans {
	out := []draw.Spans{{{Text: t.Name, Style: Title | draw.Bold}}}
	name, kind := 4, 4
	for _, c := range t.Columns {
		name, kind = max(name, draw.Width(c.Name)), max(kind, draw.Width(c.Type.String()))
	}
	name, kind = min(name, max(width/3, 4)), min(kind, 14)
	for _, c := range t.Columns {
		style := map[design.Mark]draw.Style{design.Key: NamePartition, design.Up: NameClustering, design.Down: NameClustering, design.Static: NameStatic}[c.Mark]
		out = append(out, draw.Spans{{Text: "  " + draw.Pad(draw.Truncate(c.Name, name), name), Style: pick(c.Mark == design.Plain, Text, style)},
			{Text: "  " + draw.Pad(draw.Truncate(c.Type.String(), kind), kind), Style: Dim}, {Text: "  " + draw.Pad(string(c.Mark), 2), Style: style | draw.Bold}, {Text: "  " + c.Why, Style: Dim}})
	}
	wrapped := func(head draw.Line, style draw.Style, text string) {
		w := draw.Width(head.Text)
		for i, l := range draw.Wrap(text, max(width-w, 4)) {
			lead := head
			if i > 0 {
				lead = draw.Line{Text: strings.Repeat(" ", w)}
			}
			out = append(out, draw.Spans{lead, {Text: l, Style: style}})
		}
	}
	if t.Refused != "" {
		wrapped(draw.Line{Text: "  ✗ ", Style: Error}, Error, t.Refused)
		return out
	}
	for _, g := range t.Gauges {
		mark := [...]string{"✓", "≈", "✗"}[g.Level]
		style := [...]draw.Style{OK, Warn, Error}[g.Level]
		wrapped(draw.Line{Text: "  " + mark + " ", Style: style}, Text, g.Goal+": "+g.Text)
	}
	for _, l := range t.Growth() {
		when := "never, rows go before"
		if !math.IsInf(l.Days, 1) {
			when = "on day " + draw.Thousands(int64(math.Ceil(l.Days)))
		}
		wrapped(draw.Line{Text: "      "}, Dim, l.What+" "+when)
	}
	if len(t.Copies) > 0 {
		wrapped(draw.Line{Text: "    "}, Dim, "copies of another table: "+strings.Join(t.Copies, ", "))
	}
	for _, n := range t.Notes {
		wrapped(draw.Line{Text: "  ! ", Style: Warn}, Dim, n)
	}
	return out
}

// statements make what is proposed; the keyspace first, if it has to be made.
func (w *wizard) statements(use bool) []string {
	var out []string
	if w.first != "" {
		out = append(out, w.first)
		if use {
			out = append(out, "USE "+w.keyspace+";")
		}
	}
	for _, t := range w.design().Tables {
		out = append(out, t.CQL)
	}
	return out
}

func (w *wizard) key(k tea.KeyPressMsg) (Action, bool) {
	name := k.String()
	switch lookup(name, "wizard") {
	case "wizard.close":
		w.keep(w.edit.text)
		return Action{}, true
	case "wizard.create":
		return w.create()
	case "wizard.page":
		w.page, w.top = (w.page+1)%len(wizardPages), 0
	case "wizard.back":
		w.page, w.top = (w.page+len(wizardPages)-1)%len(wizardPages), 0
	case "wizard.clear":
		w.edit.keep(false)
		w.edit.text, w.edit.cur = "", 0
	case "wizard.undo":
		w.edit.undo()
	case "wizard.pgup":
		w.top = max(w.top-max(w.rows-2, 1), 0)
	case "wizard.pgdn":
		w.top += max(w.rows-2, 1)
	case "wizard.newline":
		w.edit.insert("\n")
	default:
		switch {
		case name == "up" || name == "down":
			w.edit.vertical(pick(name == "up", -1, 1))
		case w.edit.key(name):
		case k.Text != "":
			w.edit.insert(k.Text)
		}
	}
	return Action{}, false
}

// create runs the statements, if every line makes sense and no table is refused.
func (w *wizard) create() (Action, bool) {
	d := w.design()
	switch {
	case len(d.Problems) > 0:
		return Action{Status: "not yet: " + d.Problems[0].Error()}, false
	case len(d.Tables) == 0:
		return Action{Status: "no table yet: ask something, as in `books by isbn`"}, false
	}
	for _, t := range d.Tables {
		if t.Refused != "" {
			return Action{Status: t.Name + " is refused: " + t.Refused}, false
		}
	}
	w.keep(w.edit.text)
	first := d.Tables[0].Name
	return Action{Job: &job{text: strings.Join(w.statements(true), "\n"), each: true}, Need: func(n *view.Need) {
		n.Keyspace, n.Table, n.Key = w.keyspace, first, ""
	}}, true
}

func (w *wizard) wheel(delta int) { w.top = max(w.top+delta, 0) }

// click puts the cursor into the text, or opens the next page.
func (w *wizard) click(x, y int) (Action, bool) {
	at := w.click_
	if x < at[0] || x >= at[0]+at[2] || y < at[1] || y >= at[1]+at[3] {
		w.page, w.top = (w.page+1)%len(wizardPages), 0
		return Action{}, false
	}
	w.edit.place(at[2], at[3], x-at[0], y-at[1])
	return Action{}, false
}

func (w *wizard) pasted(s string) {
	s = unixLines(s)
	if len(s) <= bigPaste {
		w.edit.keep(false)
		w.edit.insert(s)
	}
}
