package tui

import (
	"fmt"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// consolePane is the prompt and the transcript above it.
type consolePane struct {
	lab     Lab
	edit    editor
	vi      vi
	log     transcript
	unread  int64    // requests of drivers that came too fast to be shown
	past    []string // input history, oldest first
	pastAt  int      // len(past) is the line being written
	draft   string
	browse  bool // the cursor is in the transcript
	cur     int  // entry under it
	scroll  int  // lines the transcript is moved down
	busy    string
	popup   completion
	search  search
	paste   *paste
	cursorX int
	cursorY int
	spots   []int // entry on each painted row, -1 for none
}

// paste is pasted text that waits for a decision.
type paste struct {
	text  string
	count int
	big   bool // too large to edit
}

const bigPaste = 16 << 10

// longestPast is the size up to which an input is remembered.
const longestPast = 128 << 10

func (p *consolePane) Title(sc *Scene) (string, string) {
	right := "CQL   F2 cli"
	if sc.V.Language == "cli" {
		right = "cli   F2 CQL"
	}
	if sc.V.Client != "" {
		right = sc.V.Client + "   " + right
	}
	return "3 Console", right
}

func (p *consolePane) Keys(*Scene) []string {
	switch {
	case p.browse:
		return []string{"open", "copy", "transcript.again", "back", "fixes"}
	case p.paste != nil || p.search.on:
		return nil
	case p.busy != "":
		return []string{"cancel"}
	}
	if p.vi.commanding() {
		return []string{"prompt.run", "normal.insert", "normal.delete", "normal.undo", "normal.find", "prompt.leave"}
	}
	return []string{"prompt.run", "prompt.complete", "prompt.up", "prompt.search", "prompt.leave", "fixes"}
}

// echo repeats what was typed behind the prompt of its language.
func (p *consolePane) echo(text string, cli bool) {
	p.add(&entry{input: strings.TrimSpace(text), cli: cli})
}

func (p *consolePane) add(e *entry) {
	before := len(p.log.entries)
	p.log.add(e)
	p.cur = max(p.cur-(before+1-len(p.log.entries)), 0)
	if !p.browse {
		p.scroll = 0
	}
}

func (p *consolePane) empty() bool { return p.edit.text == "" && p.paste == nil && !p.search.on }

func (p *consolePane) prompt(v *view.View) string {
	prompt := pick(v.Language == "cli", "cli", "cql") + p.vi.mark() + "> "
	if v.User != "" && v.Language != "cli" {
		return draw.Clean(v.User) + "@" + prompt
	}
	return prompt
}

func (p *consolePane) Paint(sc *Scene, c *draw.Canvas) {
	w := c.W - 2
	p.cursorX, p.cursorY = -1, -1
	p.spots = p.spots[:0]
	for range c.H {
		p.spots = append(p.spots, -1)
	}
	if w < 8 || c.H < 1 {
		return
	}
	bottom := p.paintPrompt(sc, c, w)
	p.paintLog(sc, c.Sub(0, 0, c.W, bottom), w)
	p.paintPopups(sc, c, bottom)
}

// paintPrompt draws prompt, paste question or search at the bottom and returns
// the first row it takes.
func (p *consolePane) paintPrompt(sc *Scene, c *draw.Canvas, w int) int {
	prompt := p.prompt(sc.V)
	if p.paste != nil {
		return p.paintPaste(c, w)
	}
	if p.search.on {
		x := c.Put(1, c.H-1, Accent, "history: ")
		p.cursorX, p.cursorY = c.Put(x, c.H-1, Text, p.search.text), c.H-1
		return c.H - 1
	}
	rows, _, _ := p.edit.layout(w - len(prompt))
	h := max(min(len(rows), (c.H+1)/2), 1)
	top := c.H - h
	p.cursorX, p.cursorY = p.edit.paint(c.Sub(1, top, w, h), prompt)
	p.cursorX, p.cursorY = p.cursorX+1, p.cursorY+top
	if p.edit.text == "" && !p.browse && w > 50 {
		c.Right(c.W-1, c.H-1, Comment, "tab complete   ↑ earlier   ^r find   esc results")
	} else if ready, _ := complete(p.edit.text); !ready && strings.HasSuffix(p.edit.text, "\n") && w > 40 {
		c.Right(c.W-1, c.H-1, Comment, "goes on until ;")
	} else if sc.Focused && p.browse && w > 40 {
		c.Right(c.W-1, c.H-1, Comment, "enter opens   y copies   esc prompt")
	}
	if p.busy != "" && top > 0 {
		top--
		x := c.Put(1, top, Warn, "⧗ "+p.busy)
		x = c.PutIn(x+3, top, c.W-x-4, Dim, "^c cancels")
		if x+3 < c.W { // how far it is, for which the header may have no room
			c.PutIn(x+3, top, c.W-x-4, Text, sc.V.Notice)
		}
	}
	return top
}

func (p *consolePane) paintPaste(c *draw.Canvas, w int) int {
	lines := strings.SplitN(p.paste.text[:min(len(p.paste.text), 4096)], "\n", 9)
	show := max(min(len(lines), 8, c.H-2), 0)
	top := max(c.H-show-1, 0)
	all := strings.Count(p.paste.text, "\n") + 1
	for i := range show {
		x := c.Put(1, top+i, Warn, "┃ ")
		if i == show-1 && all > show {
			c.PutIn(x, top+i, max(c.W-1-x, 0), Dim, fmt.Sprintf("… %s more lines", draw.Thousands(int64(all-i))))
			break
		}
		for _, s := range highlight(draw.Truncate(lines[i], w-2)) {
			x = c.PutIn(x, top+i, max(c.W-1-x, 0), s.Style, s.Text)
		}
	}
	text := fmt.Sprintf("pasted %s, %s: ", draw.Bytes(int64(len(p.paste.text))), countText(p.paste))
	x := c.Put(1, c.H-1, Warn|draw.Bold, text)
	for _, k := range [][2]string{{"enter", " runs  "}, {"e", " edits  "}, {"esc", " drops"}} {
		if k[0] != "e" || !p.paste.big {
			x = c.Put(c.Put(x, c.H-1, Key, k[0]), c.H-1, Dim, k[1])
		}
	}
	return top
}

func countText(p *paste) string {
	s := draw.Thousands(int64(p.count)) + plural(int64(p.count), " statement", " statements")
	if p.big {
		s = "about " + s
	}
	return s
}

// paintLog draws the transcript so that its newest line is at the bottom.
func (p *consolePane) paintLog(sc *Scene, c *draw.Canvas, w int) {
	if c.H <= 0 {
		return
	}
	entries := p.log.entries
	if len(entries) == 0 {
		p.welcome(sc, c)
		return
	}
	if p.browse {
		p.cur = max(min(p.cur, len(entries)-1), 0)
		below := 0
		for i := len(entries) - 1; i > p.cur; i-- {
			below += len(entries[i].rendered(w))
		}
		own := len(entries[p.cur].rendered(w))
		p.scroll = max(min(p.scroll, below), below+own-c.H, 0)
		if own > c.H {
			p.scroll = max(min(p.scroll, below+own-c.H), below)
		}
	}
	y, skip := c.H, p.scroll
	for i := len(entries) - 1; i >= 0 && y > 0; i-- {
		lines := entries[i].rendered(w)
		for j := len(lines) - 1; j >= 0 && y > 0; j-- {
			if skip > 0 {
				skip--
				continue
			}
			y--
			p.spots[y] = i
			lines[j].Paint(c, 1, y, w)
			if p.browse && i == p.cur {
				c.Put(0, y, Focus, "▌")
			}
		}
	}
	if skip > 0 {
		p.scroll = max(p.scroll-skip, 0)
	}
	if y > 0 { // what there is does not fill the pane: begin at the top
		p.raise(c, y)
	}
	if p.scroll > 0 {
		c.Right(c.W-1, c.H-1, Warn, fmt.Sprintf(" ↓ %d %s ", p.scroll, plural(int64(p.scroll), "line", "lines")))
	}
}

// raise moves the painted lines up by n rows.
func (p *consolePane) raise(c *draw.Canvas, n int) {
	for y := n; y < c.H; y++ {
		p.spots[y-n], p.spots[y] = p.spots[y], -1
		for x := range c.W {
			*c.At(x, y-n) = *c.At(x, y)
		}
		c.Fill(0, y, c.W, Text, " ")
	}
}

func (p *consolePane) welcome(sc *Scene, c *draw.Canvas) {
	v := sc.V
	ready := fmt.Sprintf("a ring of %d nodes is ready.", len(v.Nodes))
	if v.Commands > 0 {
		ready = fmt.Sprintf("all is as you left it: %d nodes, %d %s.", len(v.Nodes), v.Commands, plural(int64(v.Commands), "command", "commands"))
	}
	text := []draw.Spans{{{Text: "ringlab", Style: Accent | draw.Bold}}}
	for i, s := range draw.Wrap(ready, max(c.W-2-len("ringlab  "), 8)) {
		if i > 0 {
			text = append(text, draw.Spans{{Text: "       "}})
		}
		text[i] = append(text[i], draw.Line{Text: "  " + s})
	}
	text = append(text, []draw.Spans{
		nil,
		{{Text: "CQL ends with ", Style: Dim}, {Text: ";", Style: Key}, {Text: "  lab commands begin with ", Style: Dim}, {Text: ":", Style: Key}},
		highlight("CREATE KEYSPACE k WITH replication ="),
		highlight("  {'class': 'NetworkTopologyStrategy', 'dc1': 3};"),
		highlight(":down n3"),
		nil,
		{{Text: "6", Style: Key}, {Text: " lessons   ", Style: Dim}, {Text: "^p", Style: Key}, {Text: " every command   ", Style: Dim}, {Text: "?", Style: Key}, {Text: " keys", Style: Dim}},
	}...)
	for i, l := range text {
		if i < c.H {
			l.Paint(c, 1, i, c.W-2)
		}
	}
}

func (p *consolePane) Do(id string, sc *Scene) (Action, bool) {
	n := len(p.log.entries)
	if p.browse && p.list(id, n) {
		return Action{}, true
	}
	switch id {
	case "back", "transcript.edit":
		p.browse, p.scroll = false, 0
		return Action{}, true
	case "open":
		return p.openEntry(), true
	case "transcript.again":
		if e := p.chosen(); e != nil {
			p.browse, p.scroll = false, 0
			return Action{Insert: pick(e.answer != nil, statementOf(e.answer), e.input)}, true
		}
		return Action{}, true
	case "copy":
		if e := p.chosen(); e != nil && p.browse {
			return Action{Copy: entryText(e)}, true
		}
	}
	return Action{}, false
}

// list moves the transcript cursor by entries.
func (p *consolePane) list(id string, n int) bool {
	l := list{cur: p.cur}
	if !l.move(id, n, 10) {
		return false
	}
	p.cur = l.cur
	return true
}

func (p *consolePane) chosen() *entry {
	if p.cur >= 0 && p.cur < len(p.log.entries) {
		return p.log.entries[p.cur]
	}
	return nil
}

func (p *consolePane) openEntry() Action {
	e := p.chosen()
	switch {
	case e == nil:
	case e.answer != nil && e.answer.Columns != nil && !e.answer.Describe:
		return Action{Overlay: newGrid(e.answer)}
	case e.answer != nil && (e.answer.Message != "" || e.answer.Describe):
		return Action{Overlay: newReader("answer", entryText(e))}
	case e.answer != nil && e.answer.Op > 0:
		op := e.answer.Op
		return Action{Need: func(n *view.Need) { n.Op = op }, Status: fmt.Sprintf("#%d is shown in Trace (4)", op)}
	case e.input != "":
		p.browse, p.scroll = false, 0
		return Action{Insert: e.input}
	}
	return Action{}
}

func statementOf(a *answer.Answer) string {
	if a == nil {
		return ""
	}
	if a.Statement == "" || a.Statement[0] == ':' {
		return a.Statement
	}
	return a.Statement + ";"
}

// entryText is an entry as plain text for the clipboard.
func entryText(e *entry) string {
	if a := e.answer; a != nil && a.Describe {
		var b strings.Builder
		for _, r := range a.Rows {
			if len(r) > 0 {
				b.WriteString(r[len(r)-1].Text + "\n\n")
			}
		}
		return strings.TrimSpace(b.String())
	}
	if a := e.answer; a != nil && a.Message != "" {
		return messageText(a)
	}
	if e.input != "" {
		return e.input
	}
	var b strings.Builder
	for _, l := range e.rendered(200) {
		for _, s := range l {
			b.WriteString(s.Text)
		}
		b.WriteByte('\n')
	}
	e.lines = nil
	return b.String()
}

func (p *consolePane) Click(_, y int, _ *Scene) Action {
	if y >= 0 && y < len(p.spots) && p.spots[y] >= 0 {
		p.cur, p.browse = p.spots[y], true
	} else {
		p.browse = false
	}
	return Action{}
}

func (p *consolePane) Wheel(delta int) {
	if !p.browse {
		p.scroll = max(p.scroll-delta, 0)
		return
	}
	p.cur = max(min(p.cur+pick(delta > 0, 1, -1), len(p.log.entries)-1), 0)
}
