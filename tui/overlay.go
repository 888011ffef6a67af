package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ringlab/tui/draw"
)

// overlay is a box over the panes that takes all keys until it closes.
type overlay interface {
	paint(sc *Scene, c *draw.Canvas) (cursorX, cursorY int)
	key(k tea.KeyPressMsg) (act Action, closed bool)
	wheel(delta int)
	click(x, y int) (act Action, closed bool)
	pasted(s string)
}

// panel draws a centered box of at most w by h cells on c and returns where its
// inside is.
func panel(c *draw.Canvas, w, h int, title, right string) (inside *draw.Canvas, x, y int) {
	w, h = min(w, c.W), min(h, c.H)
	x, y = (c.W-w)/2, max((c.H-h)/3, 0)
	box := c.Sub(x, y, w, h)
	box.Clear()
	return draw.Box(box, Focus, Title, true, title, right), x + 1, y + 1
}

// reader shows lines of text to scroll through.
type reader struct {
	title string
	lines []draw.Line
	top   int
	rows  int
	enter Action   // what enter does; nothing but closing without one
	keys  []string // hints below the text
	find  finder
	box   [4]int
	fit   bool // the box is as large as the text
}

func newReader(title, text string) *reader {
	r := &reader{title: title}
	for line := range strings.SplitSeq(text, "\n") {
		r.lines = append(r.lines, draw.Line{Text: line})
	}
	return r
}

func (r *reader) paint(_ *Scene, c *draw.Canvas) (int, int) {
	w, h := c.W-4, max(c.H-2, 3)
	if r.fit {
		h = min(h, max(len(r.lines)+2+min(len(r.keys), 1), 5))
		longest := draw.Width(r.title) + 30
		for _, l := range r.lines {
			longest = max(longest, draw.Width(l.Text))
		}
		w = min(w, longest+4)
	}
	r.box = [4]int{(c.W - w) / 2, max((c.H-h)/3, 0), w, h}
	in, _, _ := panel(c, w, h, r.title, fmt.Sprintf("%d ", len(r.lines))+plural(int64(len(r.lines)), "line", "lines")+"  esc closes")
	r.rows = in.H
	if len(r.keys) > 0 {
		r.rows = max(in.H-1, 1)
		hints(in, in.H-1, r.keys...)
	}
	if r.find.shown() {
		r.rows = max(in.H-1, 1)
		r.find.paint(in, in.H-1, r.find.count(r.text)+pick(r.find.on, "", "  n N"))
	}
	r.top = max(min(r.top, len(r.lines)-in.H+min(len(r.keys), 1)), 0)
	for i := 0; i < r.rows && r.top+i < len(r.lines); i++ {
		l := r.lines[r.top+i]
		in.PutIn(1, i, in.W-2, pick(r.find.hits(l.Text), Select, l.Style), l.Text)
	}
	return -1, -1
}

// text is line i, with whether there is one.
func (r *reader) text(i int) (string, bool) {
	if i < 0 || i >= len(r.lines) {
		return "", false
	}
	return r.lines[i].Text, true
}

func (r *reader) key(k tea.KeyPressMsg) (Action, bool) {
	if r.find.key(k) {
		r.top = r.find.from(r.text, r.top, 1)
		return Action{}, false
	}
	switch id := lookup(k.String(), "text", "lists", "everywhere"); id {
	case "found.next", "found.prev":
		r.top = r.find.from(r.text, r.top+pick(id == "found.next", 1, -1), pick(id == "found.next", 1, -1))
		return Action{}, false
	case "find":
		r.find.begin()
		return Action{}, false
	case "focus.1", "focus.2", "focus.3", "focus.4", "focus.5", "focus.6":
		return Action{Pane: int(id[len("focus.")] - '0')}, true
	case "open":
		return r.enter, true
	case "back", "quit", "cancel", "messages":
		if id == "back" && r.find.text != "" {
			r.find = finder{}
			return Action{}, false
		}
		return Action{}, true
	case "copy", "copy.pane":
		var b strings.Builder
		for _, l := range r.lines {
			b.WriteString(l.Text + "\n")
		}
		return Action{Copy: b.String()}, false
	case "up", "down":
		r.top += pick(id == "up", -1, 1)
	case "pgup", "pgdn":
		r.top += pick(id == "pgup", -r.rows, r.rows)
	case "top":
		r.top = 0
	case "bottom":
		r.top = len(r.lines)
	}
	r.top = max(r.top, 0)
	return Action{}, false
}

func (r *reader) hints() []string {
	return []string{"esc closes", "↑ ↓ scroll", "/ find", "y copy"}
}

func (r *reader) wheel(delta int) { r.top = max(r.top+delta, 0) }

// click closes from outside the box, or on its upper edge, where that is written.
func (r *reader) click(x, y int) (Action, bool) {
	return Action{}, x < r.box[0] || y <= r.box[1] || x >= r.box[0]+r.box[2] || y >= r.box[1]+r.box[3]
}
func (r *reader) pasted(string) {}

// question asks before something that takes long to regret; the safe answer is
// the one enter presses.
type question struct {
	text       string
	act        Action
	x, y, half int // where the answers stand
}

func (q *question) paint(_ *Scene, c *draw.Canvas) (int, int) {
	lines := draw.Wrap(q.text, min(c.W-8, 56))
	in, px, py := panel(c, min(c.W-2, 62), len(lines)+4, "sure?", "")
	for i, l := range lines {
		in.PutIn(2, i, in.W-4, Text, l)
	}
	q.x, q.y, q.half = px, py+in.H-1, px+12
	x := in.Put(2, in.H-1, Key, "y")
	x = in.Put(x, in.H-1, Text, " do it   ")
	x = in.Put(x, in.H-1, Key, "enter esc n")
	in.Put(x, in.H-1, Text|draw.Bold, " keep it as it is")
	return -1, -1
}

func (q *question) key(k tea.KeyPressMsg) (Action, bool) {
	if k.String() == "y" {
		return q.act, true
	}
	switch k.String() {
	case "n", "enter", "esc", "q", "ctrl+c":
		return Action{Status: "nothing done"}, true
	}
	return Action{}, false
}

func (q *question) wheel(int) {}

// click on an answer gives it.
func (q *question) click(x, y int) (Action, bool) {
	switch {
	case y != q.y || x < q.x:
		return Action{}, false
	case x < q.half:
		return q.act, true
	}
	return Action{Status: "nothing done"}, true
}
func (q *question) pasted(string) {}

// picker is a filtered list of things to do: palette, help and fixes.
type picker struct {
	title   string
	items   []pickItem
	filter  string
	digits  bool // a digit takes that item
	noInput bool
	shown   []int
	list    list
	rows    int
	x, y    int // of the inside, with its size
	w, h    int
	top     int
	ready   bool
	kinds   bool // a first @ # or / asks for nodes, operations or tables
}

// pickKinds are the first letters of a filter that ask for one kind of thing.
var pickKinds = map[byte]string{'@': "node", '#': "operation", '/': "table"}

// pickItem is one line of a picker.
type pickItem struct {
	name, place, key, help string
	act                    Action
}

func (p *picker) narrow() {
	p.shown, p.ready = p.shown[:0], true
	type scored struct{ i, score int }
	var found []scored
	filter, kind := p.filter, ""
	if p.kinds && filter != "" && pickKinds[filter[0]] != "" {
		filter, kind = filter[1:], pickKinds[filter[0]]
	}
	for i, it := range p.items {
		if kind != "" && it.place != kind {
			continue
		}
		if s := fuzzy(filter, it.name, it.place+" "+it.help+" "+it.key); s > 0 {
			found = append(found, scored{i, s})
		}
	}
	// a stable insertion keeps the given order among equals
	for i := 1; i < len(found) && p.filter != ""; i++ {
		for j := i; j > 0 && found[j].score > found[j-1].score; j-- {
			found[j], found[j-1] = found[j-1], found[j]
		}
	}
	for _, f := range found {
		p.shown = append(p.shown, f.i)
	}
	p.list = list{}
}

// fuzzy scores how well a query fits: 0 not at all, more is better.
func fuzzy(query, name, more string) int {
	if query == "" {
		return 1
	}
	q, n, m := strings.ToLower(query), strings.ToLower(name), strings.ToLower(more)
	switch {
	case strings.HasPrefix(n, q) || strings.HasPrefix(strings.TrimLeft(n, ":"), q):
		return 100
	case strings.Contains(n, q):
		return 60
	case strings.Contains(m, q):
		return 30
	}
	words := 0
	for _, w := range strings.Fields(q) {
		if strings.Contains(n, w) || strings.Contains(m, w) {
			words++
		}
	}
	if words > 0 && words == len(strings.Fields(q)) {
		return 20
	}
	i := 0
	for _, r := range n {
		if i < len(q) && r == rune(q[i]) {
			i++
		}
	}
	return pick(i == len(q), 5, 0)
}

func (p *picker) paint(_ *Scene, c *draw.Canvas) (int, int) {
	if !p.ready {
		p.narrow()
	}
	h := min(c.H-2, len(p.items)+pick(p.noInput, 2, 4), 34)
	in, x, y := panel(c, min(c.W-2, 100), max(h, 5), p.title, fmt.Sprintf("%d of %d  esc closes", len(p.shown), len(p.items)))
	cx, cy := -1, -1
	top := 0
	if !p.noInput {
		at := in.Put(1, 0, Accent, "> ")
		cx, cy = x+in.PutIn(at, 0, in.W-at-1, Text, p.filter), y
		if p.filter == "" {
			in.PutIn(at, 0, in.W-at-1, Comment, pick(p.kinds, "type to filter; @ node  # operation  / table", "type to filter"))
		}
		rule(in, 1)
		top = 2
	}
	p.rows = max(in.H-top, 1)
	p.x, p.y, p.w, p.h, p.top = x, y, in.W, in.H, top
	p.list.clamp(len(p.shown), p.rows)
	name, place := 8, 4
	for _, n := range p.shown[p.list.top:min(p.list.top+p.rows, len(p.shown))] { // what is seen has the room
		name, place = max(name, draw.Width(p.items[n].name)), max(place, draw.Width(p.items[n].place))
	}
	most := pick(p.noInput, in.W*3/5, in.W*2/5)
	if !slices.ContainsFunc(p.items, func(it pickItem) bool { return it.help+it.place+it.key != "" }) {
		most = in.W - 2 // names alone
	}
	name, place = min(name, most), min(place, 12)
	for i := range min(p.rows, len(p.shown)-p.list.top) {
		n := p.list.top + i
		it, row := p.items[p.shown[n]], top+i
		if row >= in.H {
			break
		}
		in.PutIn(1, row, name, Text|draw.Bold, it.name)
		in.PutIn(2+name, row, place, Accent, it.place)
		end := in.W - 1
		if it.key != "" {
			end = in.Right(in.W-1, row, Key, it.key) - 1
		}
		if at := 4 + name + place; end > at {
			in.PutIn(at, row, end-at, Dim, it.help)
		}
		if n == p.list.cur {
			in.Restyle(0, row, in.W, Select)
		}
	}
	if len(p.shown) == 0 {
		in.PutIn(1, top, in.W-2, Dim, "nothing fits; backspace widens the filter")
	}
	return cx, cy
}

func (p *picker) key(k tea.KeyPressMsg) (Action, bool) {
	if !p.ready {
		p.narrow()
	}
	switch name := k.String(); name {
	case "esc", "ctrl+c", "ctrl+p", "f1", "f4":
		return Action{}, true
	case "enter":
		return p.take(p.list.cur)
	case "up", "ctrl+k":
		p.list.move("up", len(p.shown), p.rows)
	case "down", "tab", "ctrl+n":
		p.list.move("down", len(p.shown), p.rows)
	case "pgup":
		p.list.move("pgup", len(p.shown), p.rows)
	case "pgdown":
		p.list.move("pgdn", len(p.shown), p.rows)
	case "backspace":
		if p.filter != "" {
			e := editor{text: p.filter, cur: len(p.filter)}
			p.filter = p.filter[:e.before()]
			p.narrow()
		}
	case "ctrl+u":
		p.filter = ""
		p.narrow()
	default:
		if p.digits && len(name) == 1 && name >= "1" && name <= "9" {
			return p.take(int(name[0] - '1'))
		}
		if k.Text != "" && !p.noInput {
			p.filter += k.Text
			p.narrow()
		}
	}
	return Action{}, false
}

func (p *picker) hints() []string {
	keys := []string{"esc closes", "↑ ↓ choose", "enter takes it"}
	if p.digits {
		return append(keys, "1-9 takes that one")
	}
	return keys
}

func (p *picker) take(n int) (Action, bool) {
	if n < 0 || n >= len(p.shown) {
		return Action{}, false
	}
	act := p.items[p.shown[n]].act
	if p.kinds {
		act.Recent = p.items[p.shown[n]].name
	}
	return act, true
}

func (p *picker) wheel(delta int) {
	p.list.move(pick(delta > 0, "down", "up"), len(p.shown), max(p.rows, 1))
}

func (p *picker) click(x, y int) (Action, bool) {
	n := p.list.top + y - p.y - p.top
	if y < p.y || x < p.x || x >= p.x+p.w || y >= p.y+p.h { // outside, or on the edge
		return Action{}, true
	}
	if y-p.y < p.top || n >= len(p.shown) {
		return Action{}, false
	}
	if n == p.list.cur {
		return p.take(n)
	}
	p.list.cur = n
	return Action{}, false
}

func (p *picker) pasted(s string) {
	if !p.noInput && len(s) < 200 {
		p.filter += firstLine(s)
		p.narrow()
	}
}
