package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringlab/engine/answer"
	"ringlab/tui/draw"
)

// spot is a stretch of a line that a click acts on.
type spot struct {
	x, w int
	id   string
}

// field is a part of the header; Short stands in where room is scarce, and the
// greatest Drop goes first.
type field struct {
	text, short string
	style       draw.Style
	drop        int
}

// paintHead writes the state of the lab in one line.
func (a *App) paintHead(c *draw.Canvas) {
	fields := a.headFields()
	width := func() int {
		n := 1
		for _, f := range fields {
			if f.text != "" {
				n += c.Width(f.text) + 3
			}
		}
		return n - 3
	}
	for drop := 9; drop > 0 && width() > c.W-1; drop-- {
		for i := range fields {
			if fields[i].drop == drop {
				fields[i].text = fields[i].short
			}
		}
	}
	for drop := 9; drop > 0 && width() > c.W-1; drop-- {
		for i := range fields {
			if fields[i].drop == drop && width() > c.W-1 {
				fields[i].text = ""
			}
		}
	}
	x := 1
	for _, f := range fields {
		if f.text != "" && x < c.W {
			x = c.PutIn(x, 0, c.W-x, f.style, f.text) + 3
		}
	}
}

func (a *App) headFields() []field {
	v := a.v
	up := 0
	for i := range v.Nodes {
		if v.Nodes[i].Up {
			up++
		}
	}
	nodes, style := fmt.Sprintf("%d nodes up", up), OK
	if down := len(v.Nodes) - up; down > 0 {
		nodes, style = fmt.Sprintf("%d up, %d DOWN", up, down), Error
	}
	space := ""
	if name := pick(v.Keyspace != "", v.Keyspace, a.need.Keyspace); name != "" {
		space = "keyspace " + name
		for _, ks := range v.Keyspaces {
			if ks.Name == name {
				space += "  " + ks.Replication
			}
		}
	}
	level := v.CL
	if v.SerialCL != "" && v.SerialCL != "SERIAL" {
		level += " serial " + v.SerialCL
	}
	mark := pick(v.Running, "▶ ", "■ ")
	speed := pick(v.Running, v.Speed, "paused")
	undo := ""
	if v.Undo != "" {
		undo = "undo " + strconv.Itoa(v.Commands)
	}
	branch := ""
	if len(v.Branches) > 1 {
		branch = "branch " + v.Branch
	}
	if v.Undone > 0 {
		undo = strings.TrimLeft(undo+" redo "+strconv.Itoa(v.Undone), " ")
	}
	return []field{
		{"ringlab", "ringlab", Accent | draw.Bold, 0},
		{v.Workspace, v.Workspace, Text, 4},
		{branch, branch, Accent, 5},
		{space, "", Text, 6},
		{nodes, nodes, style | draw.Bold, 1},
		{pick(level != "", "CL "+level, ""), "CL " + v.CL, Text, 2},
		{"clock " + answer.Clock(v.Now), answer.Clock(v.Now), Text, 3},
		{mark + speed, mark + speed, pick(v.Running, OK, Warn), 1},
		{"seed " + strconv.FormatUint(v.Seed, 10), "", Dim, 8},
		{"event " + draw.Thousands(int64(v.EventSeq)), "", Dim, 7},
		{undo, "", Dim, 9},
		{v.Notice, v.Notice, Warn, 5},
	}
}

// paintTabs writes the panes in one line, the shown one in brackets.
func (a *App) paintTabs(c *draw.Canvas) {
	a.tabSpots = a.tabSpots[:0]
	x := 1
	short := c.W < 60 // the names take 59
	for i := 1; i <= 6; i++ {
		text := strconv.Itoa(i) + " " + paneNames[i]
		if short && i != a.focus {
			text = strconv.Itoa(i)
		}
		style := Dim
		if i == a.focus {
			text, style = "["+text+"]", Title|draw.Bold
		} else {
			text = " " + text + " "
		}
		from := x
		x = c.Put(x, 0, style, text)
		a.tabSpots = append(a.tabSpots, spot{from, x - from, "focus." + strconv.Itoa(i)})
	}
	if g := a.guide; g.open != nil {
		text := fmt.Sprintf("step %d of %d", g.step+1, max(len(g.open.Steps), 1))
		if c.W-x > len(text)+2 {
			c.Right(c.W-1, 0, Dim, text)
		}
	}
}

// paintGuideLine keeps the lesson in sight where its pane is not.
func (a *App) paintGuideLine(c *draw.Canvas) {
	g := a.guide
	if g.open == nil {
		x := c.Put(1, 0, Dim, "Guide  press ")
		x = c.Put(x, 0, Key, "6")
		c.PutIn(x, 0, c.W-x, Dim, fmt.Sprintf(" for %d ", len(g.lessons))+plural(int64(len(g.lessons)), "lesson", "lessons"))
		return
	}
	if len(g.open.Steps) == 0 {
		return
	}
	end := c.Right(c.W-1, 0, Dim, pick(g.nextBlock() < 0, "6 n next", "6 enter run")) - 2
	x := c.Put(1, 0, Accent, fmt.Sprintf("Guide %d/%d  ", g.step+1, len(g.open.Steps)))
	x = c.PutIn(x, 0, end-x, Text, g.open.Steps[g.step].Title) + 2
	for i := range g.open.Steps[g.step].Parts {
		for _, k := range g.checks[g.id(g.step, i)] {
			if text := pick(k.ok, "✓ ", "✗ ") + k.text; x+draw.Width(text) < end {
				x = c.Put(x, 0, pick(k.ok, OK, Error), text) + 2
			}
		}
	}
}

// paintFoot writes the keys that make sense now, or the status line.
func (a *App) paintFoot(c *draw.Canvas) {
	a.footSpots = a.footSpots[:0]
	if a.status.Text != "" {
		end := c.W - 1
		if a.over == nil && (a.trail != nil || a.v.Chain != nil) { // the next link, for the mouse
			key := keyText(bindingByID["follow"].Keys[len(bindingByID["follow"].Keys)-1])
			x := end - draw.Width(key) - 7
			a.footSpots = append(a.footSpots, spot{x, end - x, "follow"})
			c.Put(c.Put(x, 0, Key, key)+1, 0, Dim, "follow")
			end = x - 1
		}
		c.PutIn(1, 0, end-2, a.status.Style, a.status.Text)
		return
	}
	if asks, ok := a.asks(); ok {
		hints(c, 0, asks...)
		return
	}
	end := c.W - 1
	if where := "focus " + strconv.Itoa(a.focus) + " " + paneNames[a.focus]; c.W >= 120 {
		end = c.Right(c.W-1, 0, Dim, where) - 1
	}
	x := 1
	for _, id := range a.footIDs() {
		b := bindingByID[id]
		if id == "redo" && a.v.Redo == "" || id == "timeline" && a.v.Branch == "" ||
			slices.ContainsFunc(a.footSpots, func(s spot) bool { return s.id == id }) {
			continue
		}
		key, label := a.footKey(b), b.Label
		switch id {
		case "open":
			if a.focus == 6 && a.guide.open != nil {
				label = "run"
			}
		case "sim.toggle":
			label = pick(a.v.Running, "pause", "run")
		case "focus.1":
			key, label = "1-6", "pane"
			if a.typing() && !a.console.empty() {
				key = "alt+1-6"
			}
		case "sim.slower":
			key, label = "< >", "speed"
		case "undo":
			if a.v.Undo != "" && c.W >= 140 {
				label = "undo " + draw.Truncate(a.v.Undo, 24)
			}
		case "redo":
			if c.W >= 140 {
				label = "redo " + draw.Truncate(a.v.Redo, 24)
			}
		}
		w := draw.Width(key) + 1 + draw.Width(label)
		if x+w > end {
			if c.W < tabsWidth {
				break
			}
			continue
		}
		a.footSpots = append(a.footSpots, spot{x, w, id})
		x = c.Put(c.Put(x, 0, Key, key)+1, 0, Dim, label) + 2
	}
}

// asks are the keys of what has taken all of them for a while: an overlay, or a
// question of the prompt. Overlays that show theirs themselves have none here.
func (a *App) asks() ([]string, bool) {
	switch {
	case a.over != nil:
		if o, ok := a.over.(interface{ hints() []string }); ok {
			return o.hints(), true
		}
		return nil, true
	case a.focus != 3 || a.console.browse:
		return nil, false
	case a.console.paste != nil:
		return pick(a.console.paste.big, []string{"enter runs", "esc drops"}, []string{"enter runs", "e edits", "esc drops"}), true
	case a.console.search.on:
		return []string{"enter takes it", "↑ ↓ choose", "esc closes"}, true
	}
	return nil, false
}

// footIDs are the keys worth showing, most useful first.
func (a *App) footIDs() []string {
	own := a.pieces[a.focus].pane.Keys(a.scene(a.focus))
	if a.v.Chain != nil {
		own = append([]string{"follow"}, own...)
	}
	if a.focus == 3 {
		if a.typing() {
			return append(append([]string{"help", "palette"}, own...), "focus.1", "sim.toggle", "cancel")
		}
		return append([]string{"help"}, append(own, "palette", "focus.1", "zoom", "quit")...)
	}
	ids := append([]string{"help", "palette", "focus.1"}, own[:min(len(own), 2)]...)
	if a.w <= 60 { // the row of names has the panes' numbers
		ids = append([]string{"help", "palette"}, own[:min(len(own), 2)]...)
	}
	ids = append(append(ids, "undo"), own[min(len(own), 2):min(len(own), 6)]...)
	ids = append(ids, "redo", "zoom", "sim.toggle", "sim.step")
	if a.w >= 120 {
		ids = append(ids, "sim.slower", "timeline", "copy", "export", "find", "theme")
	}
	ids = append(ids, "quit")
	return ids
}

// footKey is the key to show for a binding: while typing, one that is no text.
func (a *App) footKey(b *Binding) string {
	keys := b.Keys
	if a.typing() && b.Where != "normal" {
		for _, k := range keys {
			if len(k) > 1 && k != "space" && len(k) < 12 {
				return keyText(k)
			}
		}
	}
	return strings.TrimPrefix(keyText(keys[0]), "shift+")
}

// typing says whether printable keys go into the prompt.
func (a *App) typing() bool { return a.focus == 3 && !a.console.browse }
