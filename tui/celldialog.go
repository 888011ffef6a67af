package tui

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/answer"
	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// cellDialog shows every version of one cell: which replica has it in which file,
// when it was written, expires or was deleted, and its bytes.
type cellDialog struct {
	title string
	heads []string
	rows  [][]answer.Cell
	list  list // of versions
	seen  int
	x, y  int // of the first version
	dump  int // first line of the bytes that is seen
	lines int // of the bytes that fit
	under overlay

	bytes   []byte
	decoded int // the version whose bytes they are, from 1
}

func newCellDialog(command string, a *answer.Answer, under overlay) *cellDialog {
	d := &cellDialog{title: strings.ReplaceAll(strings.TrimPrefix(command, ":"), "'", ""), rows: a.Rows, under: under}
	for _, c := range a.Columns {
		d.heads = append(d.heads, c.Name)
	}
	if at := slices.IndexFunc(d.rows, func(r []answer.Cell) bool { return d.of(r, "state") == "newest" }); at >= 0 {
		d.list.cur = at
	}
	return d
}

// of is what a version has in a column.
func (d *cellDialog) of(row []answer.Cell, head string) string {
	if i := slices.Index(d.heads, head); i >= 0 && i < len(row) && !row[i].Null {
		return row[i].Text
	}
	return ""
}

// cellStates give a state its mark and its colour.
var cellStates = map[string]struct {
	mark  string
	style draw.Style
}{"newest": {"✓", OK}, "older": {"≈", Stale}, "expired": {"⧗", Warn}, "tombstone": {"✕", Warn}, "deletes": {"✕", Warn}, "missing": {"·", Dim}}

func (d *cellDialog) paint(_ *Scene, c *draw.Canvas) (int, int) {
	told := d.told(max(min(c.W-6, 106), 8))
	each := dumpWidth(max(min(c.W-4, 108), 8))
	dump := (len(d.raw()) + each - 1) / each
	in, x, y := panel(c, min(c.W, 112), min(c.H-1, len(d.rows)+len(told)+dump+6), draw.Truncate(d.title, max(c.W-22, 4)), "esc closes")
	if in.W < 12 || in.H < 4 {
		return -1, -1
	}
	d.seen = max(min(len(d.rows), in.H-1-len(told)-min(dump, 2)-2, max(in.H/2, 1)), 1)
	d.list.clamp(len(d.rows), d.seen)
	d.x, d.y = x, y+1
	d.paintVersions(in.Sub(0, 0, in.W, 1+d.seen))
	at := 1 + d.seen
	rule(in, at)
	if d.list.cur < len(d.rows) {
		r := d.rows[d.list.cur]
		in.PutIn(1, at, in.W-2, Title, " "+strings.TrimSpace(d.of(r, "node")+" "+d.of(r, "unit")+" "+d.of(r, "what"))+" ")
	}
	at++
	for _, l := range told {
		if at < in.H-1 {
			in.PutIn(1, at, in.W-2, l.Style, l.Text)
			at++
		}
	}
	d.lines = max(in.H-1-at, 0)
	d.dump = max(min(d.dump, dump-d.lines), 0)
	for i := 0; i < d.lines && d.dump+i < dump; i++ {
		dumpLine(d.raw(), d.dump+i, each).Paint(in, 1, at+i, in.W-2)
	}
	foot := []string{fmt.Sprintf("%d of %d versions", d.list.cur+1, len(d.rows)), "↑ ↓ version", "y copies its bytes"}
	if left := dump - d.dump - d.lines; left > 0 {
		foot = append([]string{fmt.Sprintf("%d more lines of bytes: pgdown", left)}, foot...)
	}
	hints(in, in.H-1, foot...)
	return -1, -1
}

// paintVersions lists the versions below their heads; what has no room is left out
// from the right, but the state never.
func (d *cellDialog) paintVersions(c *draw.Canvas) {
	type column struct {
		head string
		text func(r []answer.Cell) string
		w    int
	}
	cols := []column{
		{"replica", func(r []answer.Cell) string {
			return strings.TrimSpace(d.of(r, "node") + " " + pick(d.of(r, "replica") != "", "◉"+d.of(r, "replica"), ""))
		}, 0},
		{"state", func(r []answer.Cell) string { return cellStates[d.of(r, "state")].mark + " " + d.of(r, "state") }, 0},
		{"in", func(r []answer.Cell) string { return d.of(r, "unit") }, 0},
		{"element", func(r []answer.Cell) string { return d.of(r, "element") }, 0},
		{"value", func(r []answer.Cell) string { return pick(d.of(r, "value") != "", d.of(r, "value"), d.of(r, "what")) }, 0},
		{"written µs", func(r []answer.Cell) string { return d.of(r, "writetime") }, 0},
		{"bytes", func(r []answer.Cell) string { return d.of(r, "bytes") }, 0},
		{"expires", func(r []answer.Cell) string { return d.of(r, "expires") }, 0},
		{"deleted", func(r []answer.Cell) string { return d.of(r, "deleted") }, 0},
	}
	cols = slices.DeleteFunc(cols, func(k column) bool {
		return !slices.ContainsFunc(d.rows, func(r []answer.Cell) bool { return k.text(r) != "" })
	})
	x := 1
	for i := range cols {
		k := &cols[i]
		k.w = draw.Width(k.head)
		for _, r := range d.rows {
			k.w = max(k.w, draw.Width(k.text(r)))
		}
		k.w = min(k.w, max(c.W/4, 8))
		if x+k.w > c.W-1 {
			break
		}
		c.PutIn(x, 0, k.w, Title, k.head)
		for j := range min(c.H-1, len(d.rows)-d.list.top) {
			r := d.rows[d.list.top+j]
			style := pick(k.head == "state", cellStates[d.of(r, "state")].style, Text)
			c.PutIn(x, 1+j, k.w, style, k.text(r))
		}
		x += k.w + 2
	}
	for j := range min(c.H-1, len(d.rows)-d.list.top) {
		if d.list.top+j == d.list.cur {
			c.Restyle(0, 1+j, c.W, Select)
		}
	}
}

// told says in words what the chosen version is.
func (d *cellDialog) told(w int) []draw.Line {
	if d.list.cur >= len(d.rows) {
		return nil
	}
	r := d.rows[d.list.cur]
	var out []draw.Line
	say := func(style draw.Style, format string, args ...any) {
		for _, l := range draw.Wrap(fmt.Sprintf(format, args...), w) {
			out = append(out, draw.Line{Text: l, Style: style})
		}
	}
	of := func(head string) string { return d.of(r, head) }
	if of("state") == "missing" {
		say(Dim, "%s has nothing under this name.", of("node"))
		return out
	}
	if n, err := strconv.ParseInt(of("writetime"), 10, 64); err == nil {
		say(Text, "written   %s UTC (%s µs)", time.UnixMicro(n).UTC().Format("2006-01-02 15:04:05.000000"), of("writetime"))
	}
	switch {
	case of("ttl") != "":
		say(Text, "TTL       %s s, %s %s UTC", of("ttl"), pick(of("state") == "expired", "expired", "expires"), of("expires"))
	case of("deleted") != "":
		say(Warn, "deleted   %s UTC, the local deletion time of this %s", of("deleted"), pick(of("what") == "cell", "tombstone", of("what")))
	case of("what") == "cell" || of("what") == "marker":
		say(Dim, "TTL       none: it does not expire")
	}
	if of("purgeable") != "" {
		say(Text, "purgeable from %s UTC on, when gc_grace_seconds are over", of("purgeable"))
	}
	size := ""
	if n := len(d.raw()); n > 0 || of("hex") != "" {
		size = fmt.Sprintf("%s of value", count(n, "byte"))
	}
	if of("bytes") != "" {
		size = strings.TrimPrefix(size+fmt.Sprintf(", %s in Data.db before compression", of("bytes"))+pick(of("unit") == "memtable", ", were it flushed now", ""), ", ")
	}
	if size != "" {
		say(Text, "size      %s", size)
	}
	if of("what") == "marker" {
		say(Dim, "A key column has no cell of its own: INSERT leaves this marker, which makes the row exist.")
	} else {
		say(Text, "type      %s", of("type"))
	}
	if of("value") != "" {
		say(Text, "value     %s", of("value"))
	}
	return out
}

// count is a number with its noun.
func count(n int, noun string) string {
	return draw.Thousands(int64(n)) + " " + plural(int64(n), noun, noun+"s")
}

// raw are the bytes of the chosen version's value, decoded when it is chosen.
func (d *cellDialog) raw() []byte {
	if d.list.cur >= len(d.rows) {
		return nil
	}
	if d.decoded != d.list.cur+1 {
		b, err := hex.DecodeString(strings.TrimPrefix(d.of(d.rows[d.list.cur], "hex"), "0x"))
		if err != nil {
			b = nil
		}
		d.bytes, d.decoded = b, d.list.cur+1
	}
	return d.bytes
}

// dumpWidth is how many bytes a line of w cells shows.
func dumpWidth(w int) int {
	each := 16
	for each > 4 && 6+each*4+3 > w {
		each /= 2
	}
	return each
}

// dumpLine is line n of the bytes in hex, and beside them what of them can be printed.
func dumpLine(raw []byte, n, each int) draw.Spans {
	part := raw[n*each : min((n+1)*each, len(raw))]
	var h, p strings.Builder
	for i := range each {
		if i < len(part) {
			fmt.Fprintf(&h, "%02x ", part[i])
			p.WriteByte(pick(part[i] >= 0x20 && part[i] < 0x7f, part[i], '.'))
		} else {
			h.WriteString("   ")
		}
	}
	return draw.Spans{{Text: fmt.Sprintf("%04x  ", n*each), Style: Dim}, {Text: h.String(), Style: ValueBlob}, {Text: " " + p.String(), Style: ValueText}}
}

func (d *cellDialog) key(k tea.KeyPressMsg) (Action, bool) {
	switch id := lookup(k.String(), "lists", "everywhere"); id {
	case "back", "quit", "cancel", "open":
		return Action{Overlay: d.under}, true
	case "up", "down", "top", "bottom":
		d.list.move(id, len(d.rows), d.seen)
		d.dump = 0
	case "pgup", "pgdn":
		d.dump = max(d.dump+pick(id == "pgup", -1, 1)*max(d.lines, 1), 0)
	case "copy":
		if d.list.cur < len(d.rows) {
			r := d.rows[d.list.cur]
			return Action{Copy: pick(d.of(r, "hex") != "", d.of(r, "hex"), d.of(r, "writetime"))}, false
		}
	case "copy.pane":
		return Action{Copy: rowsCSV(&answer.Answer{Columns: columnsNamed(d.heads)}, d.rows)}, false
	}
	return Action{}, false
}

func columnsNamed(heads []string) []answer.Column {
	out := make([]answer.Column, len(heads))
	for i, h := range heads {
		out[i] = answer.Column{Name: h, Type: "text"}
	}
	return out
}

func (d *cellDialog) wheel(delta int) { d.dump = max(d.dump+delta, 0) }

func (d *cellDialog) click(x, y int) (Action, bool) {
	if n := d.list.top + y - d.y; y >= d.y && y < d.y+d.seen && n < len(d.rows) && x >= d.x {
		d.list.cur, d.dump = n, 0
	}
	return Action{}, false
}

func (d *cellDialog) pasted(string) {}

// cellCommand is the command that shows all versions of the cell under the cursor, or
// says why none can: its row has to be named by its key.
func (g *grid) cellCommand() (command, problem string) {
	if g.list.cur >= len(g.rows) || tableOf(g.answer) == "" {
		return "", "the versions of a cell are known where a SELECT names its table"
	}
	row := g.rows[g.list.cur]
	var key, clustering []string
	for i, c := range g.answer.Columns {
		if i >= len(row) || c.Kind != "partition_key" && c.Kind != "clustering" {
			continue
		}
		if strings.Contains(row[i].Text, `\`) {
			return "", c.Name + " has bytes that are shown otherwise: write `:cell` with them yourself"
		}
		if c.Kind == "clustering" {
			clustering = append(clustering, quoted(row[i].Text))
		} else {
			key = append(key, row[i].Text)
		}
	}
	if len(key) == 0 {
		return "", "the versions of a cell need its row's key: select the key columns, too"
	}
	return strings.Join(append([]string{":cell", tableOf(g.answer), quoted(strings.Join(key, ":")), quoted(g.answer.Columns[g.col].Name)}, clustering...), " "), ""
}

// quoted writes a word of a lab command.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'" }

// openCell shows the versions of the row under the cursor of a sheet.
func (p *sheetPicture) openCell() (Action, bool) {
	s := p.sheet()
	if s == nil || p.kind != view.SheetReplicas || p.list.cur >= len(s.Cells) {
		return Action{Need: func(n *view.Need) { n.Sheet = "" }}, true
	}
	if s.Cells[p.list.cur] == "" {
		return Action{Status: "this line is no cell of a row"}, false
	}
	return Action{Look: s.Cells[p.list.cur]}, false
}
