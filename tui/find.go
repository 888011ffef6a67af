package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// finder is a line in which a text to search for is typed.
type finder struct {
	on   bool // it is being typed
	text string
}

func (f *finder) begin()      { f.on, f.text = true, "" }
func (f *finder) shown() bool { return f.on || f.text != "" }

// key takes the keys while the text is typed: enter keeps it, esc drops it.
func (f *finder) key(k tea.KeyPressMsg) bool {
	if !f.on {
		return false
	}
	switch name := k.String(); {
	case name == "enter":
		f.on = false
	case name == "esc" || name == "ctrl+c":
		*f = finder{}
	case name == "backspace":
		e := editor{text: f.text, cur: len(f.text)}
		f.text = f.text[:e.before()]
	case name == "ctrl+u":
		f.text = ""
	case k.Text != "":
		f.text += k.Text
	}
	return true
}

// hits says whether a line has the text; behind a '!' whether it has it not.
func (f *finder) hits(line string) bool {
	text, not := strings.CutPrefix(strings.ToLower(f.text), "!")
	return text != "" && strings.Contains(strings.ToLower(line), text) != not
}

// from is the next line from at on that has the text, at itself without one.
func (f *finder) from(text func(int) (string, bool), at, by int) int {
	for i := at; ; i += by {
		line, ok := text(i)
		if !ok {
			return max(at-by, 0)
		}
		if f.hits(line) {
			return i
		}
	}
}

func (f *finder) count(text func(int) (string, bool)) string {
	n := 0
	for i := 0; ; i++ {
		line, ok := text(i)
		if !ok {
			return fmt.Sprintf("%d found", n)
		}
		if f.hits(line) {
			n++
		}
	}
}

func (f *finder) paint(c *draw.Canvas, y int, note string) {
	x := c.Put(1, y, Key, "/")
	x = c.PutIn(x, y, max(c.W-x-len(note)-2, 0), Text, f.text+pick(f.on, "▏", ""))
	c.PutIn(x+2, y, c.W-x-3, Dim, note+pick(f.on, "  enter keeps  esc drops", "  esc clears"))
}

// finderBox types a text for the focused pane, at the foot of the screen.
type finderBox struct {
	finder
	label string
	apply func(text string) string // gives a word about what it found
	note  string
}

func (b *finderBox) paint(_ *Scene, c *draw.Canvas) (int, int) {
	y := c.H - 1
	c.Fill(0, y, c.W, Text, " ")
	x := c.PutIn(1, y, c.W/3, Dim, b.label+" ")
	x = c.Put(x+1, y, Key, "/")
	x = c.PutIn(x, y, c.W-x-1, Text, b.text)
	c.PutIn(x+2, y, c.W-x-3, Dim, pick(b.note != "", b.note, "! inverts")+"  enter keeps  esc clears")
	return min(x, c.W-1), y
}

func (b *finderBox) key(k tea.KeyPressMsg) (Action, bool) {
	b.finder.key(k)
	b.note = b.apply(b.text)
	return Action{}, !b.on
}

func (b *finderBox) wheel(int)                     {}
func (b *finderBox) click(int, int) (Action, bool) { return Action{}, true }
func (b *finderBox) pasted(s string) {
	b.text += firstLine(s)
	b.note = b.apply(b.text)
}

// find filters the list of the focused pane, or searches its text.
func (a *App) find() tea.Cmd {
	b := &finderBox{label: "find in " + paneNames[a.focus]}
	b.begin()
	switch a.focus {
	case 1:
		b.label = "partitions"
		b.apply = func(text string) string {
			a.setNeed(func(n *view.Need) { n.Filter = text })
			return ""
		}
	case 2:
		ring := a.pieces[2].pane.(*ringPane)
		b.label = "node"
		b.apply = func(text string) string {
			for i := range a.v.Nodes {
				n := &a.v.Nodes[i]
				word, _ := stateWord(n)
				if b.hits(n.Name + " " + n.Address + " " + n.DC + " " + n.Rack + " " + word) {
					ring.list.cur = i
					a.touch(2)
					return n.Name + " " + n.DC + " " + n.Rack
				}
			}
			return pick(text == "", "", "no node fits")
		}
	case 3:
		b.label = "transcript"
		b.apply = func(text string) string {
			p := a.console
			for i := len(p.log.entries) - 1; i >= 0 && text != ""; i-- {
				if b.hits(entryText(p.log.entries[i])) {
					p.browse, p.cur = true, i
					a.touch(3)
					return fmt.Sprintf("entry %d of %d", i+1, len(p.log.entries))
				}
			}
			return pick(text == "", "", "nothing like that")
		}
	case 6:
		a.over = a.paletteOverlay()
		return nil
	default:
		a.over = newReader(paneNames[a.focus], a.paneText())
		a.over.(*reader).find.begin()
		return nil
	}
	a.over = b
	return nil
}

func joinWords(words []string) string { return strings.Join(words, " ") }
