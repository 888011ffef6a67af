package tui

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/answer"
	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// timeline is the branch from its first command to its last, at the foot of the
// screen: whoever moves along it takes the lab with them, and sees every pane as
// it was then.
type timeline struct {
	a    *App
	want int // number of the command that the lab is to stand behind
	busy bool
	rows int
	top  int    // of the list
	x, y int    // of the inside
	bar  [2]int // where the bar begins, and its width
}

// openTimeline shows the timeline at the lab's place.
func (a *App) openTimeline() tea.Cmd {
	if a.v.Branch == "" {
		return a.say(Dim, "this lab keeps no journal to go back in")
	}
	a.over = &timeline{a: a, want: a.v.Commands}
	a.setNeed(func(n *view.Need) { n.Timeline = true })
	return nil
}

// timelineMark is how a command looks on the bar, in the list and in ASCII.
type timelineMark struct {
	bar, list, ascii string
	style            draw.Style
	word             string
}

var timelineMarks = map[byte]timelineMark{
	0:   {"·", " ", ".", Dim, "not run since the workspace was opened"},
	'.': {"─", "·", "-", Dim, "of the lab"},
	'+': {"━", "✓", "=", OK, "well"},
	'!': {"▾", "▾", "!", Warn, "fault"},
	's': {"≈", "≈", "s", Stale, "stale"},
	'u': {"⊘", "⊘", "u", Error, "unavailable"},
	't': {"⧗", "⧗", "t", Warn, "timeout"},
	'x': {"✗", "✗", "x", Error, "error"},
}

func (t *timeline) all() int { return t.a.v.Commands + t.a.v.Undone }

func (t *timeline) paint(_ *Scene, c *draw.Canvas) (int, int) {
	v := t.a.v
	h := min(max(c.H/3, 8), 15, c.H-1)
	box := c.Sub(0, c.H-1-h, c.W, h)
	box.Clear()
	title := fmt.Sprintf("timeline  %s, behind command %s of %s", v.Branch, draw.Thousands(int64(t.want)), draw.Thousands(int64(t.all())))
	in := draw.Box(box, Focus, Title, true, title, pick(c.W >= 90, "clock "+answer.Clock(v.Now)+"  esc closes", "esc closes"))
	t.x, t.y = 1, c.H-h
	if in.H < 1 || in.W < 10 {
		return -1, -1
	}
	t.paintBar(in)
	t.paintSteps(in, 2, in.H-1)
	if in.H > 3 {
		t.paintKeys(in)
	}
	return -1, -1
}

// paintBar draws all commands in one line, and below it where the lab stands.
func (t *timeline) paintBar(c *draw.Canvas) {
	line, all := t.a.v.Timeline, t.all()
	w := c.W - 4
	if all == 0 || line == nil || len(line.Marks) == 0 {
		c.PutIn(1, 0, c.W-2, Dim, pick(all == 0, "no command yet: what is typed at the prompt appears here", "…"))
		return
	}
	wide := max(1, min(3, w/all)) // cells of one command
	cells := min(w, all*wide)
	t.bar = [2]int{2, cells}
	c.Put(1, 0, Dim, pick(c.ASCII, "|", "├"))
	for i := range cells {
		m := timelineMarks[t.worst(i, cells)]
		text := pick(c.ASCII, m.ascii, m.bar)
		if all*wide == cells && i%wide > 0 {
			text = pick(c.ASCII, "-", "─")
		}
		style := m.style
		if i >= t.cell(t.a.v.Commands, cells) {
			style = Dim
		}
		c.Put(2+i, 0, style, text)
	}
	c.Put(2+cells, 0, Dim, pick(c.ASCII, "|", "┤"))
	if c.H > 1 {
		at := 0
		if t.want > 0 {
			at = t.cell(t.want-1, cells) + 1
		}
		c.Put(1+at, 1, Accent|draw.Bold, pick(c.ASCII, "^", "▲"))
		text := t.told()
		if x := at + 3; x+c.Width(text) < c.W {
			c.PutIn(x, 1, c.W-x-1, Dim, text)
		} else {
			c.Right(at, 1, Dim, c.Fit(text, max(at-1, 0)))
		}
	}
}

// told is what the lab says of the way to where somebody wants to be.
func (t *timeline) told() string {
	switch {
	case t.busy && t.a.v.Notice != "":
		return t.a.v.Notice + "  ^c cancels"
	case t.busy:
		return "going there"
	case t.want == 0:
		return "the empty lab"
	case t.want < t.all():
		return strconv.Itoa(t.all()-t.want) + " undone"
	}
	return "now"
}

// cell is the first cell behind command n of a bar.
func (t *timeline) cell(n, cells int) int { return n * cells / max(t.all(), 1) }

// worst is the mark that a cell of the bar shows.
func (t *timeline) worst(i, cells int) byte {
	marks := t.a.v.Timeline.Marks
	from := i * len(marks) / cells
	m := marks[from]
	for _, o := range marks[from:max(from+1, (i+1)*len(marks)/cells)] {
		if timelineGrade(o) > timelineGrade(m) {
			m = o
		}
	}
	return m
}

func timelineGrade(mark byte) int {
	for i, m := range []byte{0, '.', '+', '!', 's', 'x', 't', 'u'} {
		if m == mark {
			return i
		}
	}
	return 0
}

// paintSteps lists the commands around the wanted one.
func (t *timeline) paintSteps(c *draw.Canvas, from, to int) {
	line := t.a.v.Timeline
	if t.rows = max(to-from, 0); line == nil || t.rows == 0 {
		return
	}
	last := line.First + len(line.Steps) - 1
	t.top = max(line.First, min(t.want-t.rows/2, last-t.rows+1))
	width := max(2, len(strconv.Itoa(last)))
	for i := range t.rows {
		n := t.top + i
		if n > last {
			break
		}
		s, row := line.Steps[n-line.First], from+i
		m := timelineMarks[s.Mark]
		style := pick(n > t.a.v.Commands, Dim, Text)
		c.Right(1+width, row, Dim, strconv.Itoa(n))
		c.Put(3+width, row, m.style, pick(c.ASCII, m.ascii, m.list))
		x := 5 + width
		if c.W >= 70 && n > 0 {
			x = c.Put(x, row, Dim, answer.Clock(s.Clock)) + 2
		}
		c.PutIn(x, row, c.W-x-1, style, s.Text)
		if n == t.want {
			c.Restyle(0, row, c.W, Select)
		}
	}
}

// paintKeys names the keys, as long as there is room.
func (t *timeline) paintKeys(c *draw.Canvas) {
	x := 1
	for _, id := range []string{"left", "right", "pgup", "top", "bottom", "timeline.fork", "timeline.branch", "timeline.diff"} {
		b := bindingByID[id]
		key, label := keyText(b.Keys[0]), b.Label
		switch id {
		case "left":
			key, label = "← →", "back and forth"
		case "right":
			continue
		case "pgup":
			key, label = "pgup pgdn", "by ten"
		case "top":
			label = "the empty lab"
		case "bottom":
			label = "the end"
		}
		if x+c.Width(key)+c.Width(label)+3 > c.W {
			return
		}
		x = c.Put(c.Put(x, c.H-1, Key, key)+1, c.H-1, Dim, label) + 2
	}
}

func (t *timeline) key(k tea.KeyPressMsg) (Action, bool) {
	by := map[string]int{"left": -1, "up": -1, "op.prev": -1, "right": 1, "down": 1, "op.next": 1, "pgup": -10, "pgdn": 10, "top": -t.want, "bottom": t.all() - t.want}
	switch id := lookup(k.String(), "timeline", "lists", "everywhere"); id {
	case "back", "quit", "timeline", "open":
		return t.close(Action{})
	case "cancel":
		if t.busy {
			return Action{Perform: id}, false
		}
		return t.close(Action{})
	case "undo", "redo":
		return t.move(t.want + pick(id == "undo", -1, 1)), false
	case "timeline.fork":
		return t.close(Action{Insert: ":fork "})
	case "timeline.branch":
		return t.close(Action{Insert: ":branch "})
	case "timeline.diff":
		return t.close(Action{Insert: ":diff "})
	default:
		if n, ok := by[id]; ok {
			return t.move(t.want + n), false
		}
	}
	return Action{}, false
}

func (t *timeline) close(act Action) (Action, bool) {
	act.Need = func(n *view.Need) { n.Timeline = false }
	return act, true
}

// move takes the lab to behind command n. While it is under way, only the last
// wish counts.
func (t *timeline) move(n int) Action {
	n = max(0, min(n, t.all()))
	if n == t.want {
		return Action{}
	}
	if t.want = n; t.busy {
		return Action{}
	}
	return Action{Job: t.job()}
}

func (t *timeline) job() *job {
	t.busy = true
	to := t.want
	j := &job{text: ":rewind " + strconv.Itoa(to), from: "pane", quiet: true}
	j.done = func() {
		t.busy = false
		switch {
		case j.canceled || j.last.Error != nil:
			t.want = t.a.lab.View().Commands
		case t.want != to:
			t.a.queue = append(t.a.queue, t.job())
		}
	}
	return j
}

func (t *timeline) wheel(delta int) {
	if act := t.move(t.want + pick(delta > 0, 1, -1)); act.Job != nil {
		t.a.queue = append(t.a.queue, act.Job)
	}
}

// click goes to the command under the pointer, on the bar or in the list.
func (t *timeline) click(x, y int) (Action, bool) {
	x, y = x-t.x, y-t.y
	switch {
	case y < -1:
		return t.close(Action{})
	case y == 0 && t.bar[1] > 0 && x >= t.bar[0] && x < t.bar[0]+t.bar[1]:
		return t.move((x-t.bar[0])*t.all()/t.bar[1] + 1), false
	case y >= 2 && y < 2+t.rows && t.a.v.Timeline != nil && t.top+y-2 < t.a.v.Timeline.First+len(t.a.v.Timeline.Steps):
		return t.move(t.top + y - 2), false
	}
	return Action{}, false
}

func (t *timeline) pasted(string) {}
