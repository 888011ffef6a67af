package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"ringlab/tui/draw"
)

// completion is the box of words that may stand at the cursor.
type completion struct {
	on    bool
	from  int
	items []Completion
	list  list
}

// search is the search through earlier input.
type search struct {
	on   bool
	text string
	hits []int // indexes into past, newest first
	at   int
}

// key handles a key while the prompt has the focus. It says false for keys
// that mean what they mean everywhere.
func (p *consolePane) key(k tea.KeyPressMsg) (Action, bool) {
	name := k.String()
	switch {
	case p.paste != nil:
		return p.pasteKey(name)
	case p.search.on:
		return Action{}, p.searchKey(name, k.Text)
	case p.popup.on && p.popupKey(name):
		return Action{}, true
	}
	if p.vi.on {
		if act, ok := p.viKey(k); ok || p.vi.normal && k.Text != "" {
			return act, ok
		}
	}
	if p.edit.text == "" && (len(name) == 1 && name >= "1" && name <= "6" || name == "?" || name == "tab" || name == "ctrl+d") {
		if name == "ctrl+d" {
			return Action{Perform: "quit"}, true
		}
		return Action{}, false
	}
	if id := lookup(name, "prompt"); id != "" {
		act := p.bound(id)
		p.vi.settle(&p.edit)
		return act, true
	}
	edits := p.edit.key(name)
	if !edits && k.Text != "" {
		p.edit.insert(k.Text)
		edits = true
	}
	if edits {
		p.pastAt, p.scroll = len(p.past), 0
		p.vi.settle(&p.edit)
		if p.popup.on {
			p.refresh()
		}
		return Action{}, true
	}
	return Action{}, false
}

func (p *consolePane) bound(id string) Action {
	switch id {
	case "prompt.run", "prompt.force":
		ready, _ := complete(p.edit.text)
		if id == "prompt.run" && !ready {
			p.edit.insert("\n")
			return Action{}
		}
		return p.submit()
	case "prompt.complete":
		p.refresh()
		if len(p.popup.items) == 1 {
			p.take()
		} else if len(p.popup.items) == 0 {
			return Action{Status: "nothing to complete here"}
		}
	case "prompt.up":
		if !p.edit.vertical(-1) {
			p.recall(-1)
		}
	case "prompt.down":
		if !p.edit.vertical(1) {
			p.recall(1)
		}
	case "prompt.search":
		p.search = search{on: true}
		p.find()
	case "prompt.undo":
		p.edit.undo()
	case "prompt.editor":
		return Action{Perform: "prompt.editor"}
	case "prompt.leave", "prompt.browse":
		if len(p.log.entries) > 0 {
			p.browse, p.cur = true, len(p.log.entries)-1
		}
	case "prompt.pgup":
		p.scroll += 8
	case "prompt.pgdn":
		p.scroll = max(p.scroll-8, 0)
	}
	return Action{}
}

// submit takes the text out of the prompt as a job.
func (p *consolePane) submit() Action {
	text := strings.TrimSpace(p.edit.text)
	p.edit, p.vi.normal = editor{}, false
	p.scroll = 0
	if text == "" {
		return Action{}
	}
	p.remember(text)
	_, count := complete(text)
	return Action{Job: &job{text: text, each: count > 1}}
}

func (p *consolePane) remember(text string) {
	if n := len(p.past); (n == 0 || p.past[n-1] != text) && len(text) <= longestPast {
		p.past = append(p.past, text)
		if len(p.past) > 2000 {
			p.past = p.past[1000:]
		}
	}
	p.pastAt = len(p.past)
}

func (p *consolePane) recall(by int) {
	to := p.pastAt + by
	if to < 0 || to > len(p.past) {
		return
	}
	if p.pastAt == len(p.past) {
		p.draft = p.edit.text
	}
	p.pastAt = to
	if to == len(p.past) {
		p.edit.set(p.draft)
		return
	}
	if text := p.past[to]; len(text) > bigPaste { // as when it was pasted
		p.pasted(text)
		return
	}
	p.edit.set(p.past[to])
}

func (p *consolePane) refresh() {
	from, items := p.lab.Complete(p.edit.text, p.edit.cur)
	p.popup = completion{on: len(items) > 0, from: from, items: items}
}

func (p *consolePane) take() {
	if p.popup.list.cur < len(p.popup.items) {
		p.edit.replace(p.popup.from, p.popup.items[p.popup.list.cur].Text)
	}
	p.popup = completion{}
}

func (p *consolePane) popupKey(name string) bool {
	n := len(p.popup.items)
	switch name {
	case "tab", "down", "ctrl+n":
		p.popup.list.cur = (p.popup.list.cur + 1) % n
	case "shift+tab", "up":
		p.popup.list.cur = (p.popup.list.cur + n - 1) % n
	case "enter":
		p.take()
	case "esc":
		p.popup = completion{}
	default:
		return false
	}
	return true
}

func (p *consolePane) find() {
	p.search.hits, p.search.at = p.search.hits[:0], 0
	seen := map[string]bool{}
	q := strings.ToLower(p.search.text)
	for i := len(p.past) - 1; i >= 0 && len(p.search.hits) < 200; i-- {
		if !seen[p.past[i]] && strings.Contains(strings.ToLower(p.past[i]), q) {
			p.search.hits = append(p.search.hits, i)
			seen[p.past[i]] = true
		}
	}
}

func (p *consolePane) searchKey(name, text string) bool {
	s := &p.search
	switch {
	case name == "esc" || name == "ctrl+c":
		*s = search{}
	case name == "enter" || name == "tab":
		if s.at < len(s.hits) {
			p.edit.set(p.past[s.hits[s.at]])
		}
		*s = search{}
	case name == "up" || name == "ctrl+r":
		s.at = max(min(s.at+1, len(s.hits)-1), 0)
	case name == "down":
		s.at = max(s.at-1, 0)
	case name == "backspace":
		if s.text != "" {
			e := editor{text: s.text, cur: len(s.text)}
			s.text = s.text[:e.before()]
		}
		p.find()
	case text != "":
		s.text += text
		p.find()
	}
	return true
}

// unixLines is a text from elsewhere with the line ends that the editor has.
func unixLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// pasted takes text from the clipboard: a little goes into the prompt, several
// statements wait for a decision, and a flood never enters the editor.
func (p *consolePane) pasted(s string) {
	s = unixLines(s)
	if s == "" {
		return
	}
	if p.search.on {
		p.search.text += firstLine(s)
		p.find()
		return
	}
	if len(s) > bigPaste {
		p.paste = &paste{text: s, big: true, count: strings.Count(s, ";")}
		return
	}
	trimmed := strings.TrimRight(s, "\n")
	if _, count := complete(p.edit.text + trimmed); count > 1 {
		p.paste = &paste{text: trimmed, count: count}
		return
	}
	p.browse = false
	p.edit.keep(false)
	p.edit.insert(trimmed)
}

func (p *consolePane) pasteKey(name string) (Action, bool) {
	switch name {
	case "enter":
		taken := p.paste
		p.paste = nil
		p.remember(taken.text)
		text := taken.text
		if p.edit.text != "" {
			text, p.edit = p.edit.text+text, editor{}
		}
		return Action{Job: &job{text: text, each: true, bulk: taken.count > 50}}, true
	case "esc":
		p.paste = nil
		return Action{Status: "dropped what was pasted"}, true
	case "e":
		if !p.paste.big {
			p.edit.insert(p.paste.text)
			p.paste = nil
		}
	case "ctrl+c":
		p.paste = nil
	}
	return Action{}, true
}

// paintPopups draws completion or history matches above the prompt.
func (p *consolePane) paintPopups(_ *Scene, c *draw.Canvas, bottom int) {
	var rows [][3]string
	cur := 0
	switch {
	case p.popup.on:
		for _, it := range p.popup.items {
			rows = append(rows, [3]string{it.Text, it.Kind, it.Detail})
		}
		cur = p.popup.list.cur
	case p.search.on:
		for _, i := range p.search.hits {
			rows = append(rows, [3]string{strings.ReplaceAll(p.past[i], "\n", " "), "", ""})
		}
		cur = p.search.at
	default:
		rows, cur = p.vi.rows(), -1
	}
	h := min(len(rows), 8, bottom)
	if h <= 0 {
		return
	}
	top := max(min(cur-h/2, len(rows)-h), 0)
	w, first := 12, 0
	for _, r := range rows[top : top+h] {
		first = max(first, draw.Width(r[0]))
		w = max(w, first+6+draw.Width(r[1])+draw.Width(r[2]))
	}
	w = min(w+2, c.W-4)
	x := 2
	if p.popup.on {
		x = max(min(p.cursorX-1, c.W-w-1), 1)
	}
	box := c.Sub(x, bottom-h, w, h)
	box.Clear()
	for i := range h {
		r := rows[top+i]
		if p.search.on { // newest match nearest to the prompt
			r = rows[top+h-1-i]
		}
		box.Put(0, i, Border, "│")
		at := box.PutIn(2, i, w-3, Text, r[0])
		if r[1] != "" {
			at = max(at, min(first+2, w/2))
			at = box.PutIn(at+2, i, max(w-at-3, 0), Accent, r[1])
		}
		if r[2] != "" {
			box.PutIn(at+1, i, max(w-at-2, 0), Dim, r[2])
		}
		if at := pick(p.search.on, top+h-1-i, top+i); at == cur {
			box.Restyle(1, i, w-1, Select)
		}
	}
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
