package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ringlab/tui/draw"
)

// presenter shows one pane to a room: a large title, the keys that are pressed, the
// time since it began.
type presenter struct {
	on    bool
	since time.Time
	zoom  int // before
	keys  []string
}

// present switches presenter mode on or off.
func (a *App) present() tea.Cmd {
	p := &a.presenting
	if p.on {
		a.zoom = p.zoom
		*p = presenter{}
		a.touchAll()
		return a.say(Text, "presenter mode is off")
	}
	*p = presenter{on: true, since: a.now(), zoom: a.zoom}
	a.zoom = 2
	a.touchAll()
	return tea.Batch(a.say(Text, "presenter mode: P ends it"), a.clockTick())
}

// clockMsg asks for the presenter's clock to be drawn anew.
type clockMsg struct{}

func (a *App) clockTick() tea.Cmd {
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return clockMsg{} })
}

// pressed remembers a key for the room.
func (p *presenter) pressed(key string) {
	if !p.on {
		return
	}
	p.keys = append(p.keys, keyText(key))
	if len(p.keys) > 6 {
		p.keys = p.keys[1:]
	}
}

// presentRows is the height of the presenter's head.
const presentRows = 3

// paintPresenter writes title, keys and clock over three rows, letters spaced.
func (a *App) paintPresenter(c *draw.Canvas) {
	for y := range c.H {
		c.Fill(0, y, c.W, Text, " ")
	}
	title := strings.ToUpper(paneNames[a.focus])
	if a.focus == 6 && a.guide.open != nil && len(a.guide.open.Steps) > 0 {
		title = a.guide.open.Steps[a.guide.step].Title
	}
	p := &a.presenting
	at := int(a.now().Sub(p.since).Seconds())
	clock := fmt.Sprintf("%d:%02d", at/60, at%60)
	up := 0
	for i := range a.v.Nodes {
		if a.v.Nodes[i].Up {
			up++
		}
	}
	state, style := "ALL UP", OK
	if down := len(a.v.Nodes) - up; down > 0 {
		state, style = fmt.Sprintf("%d DOWN", down), Error
	}
	end := c.Right(c.W-2, 1, Accent|draw.Bold, spaced(clock, c.W/4)) - 3
	end = c.Right(end, 1, style|draw.Bold, spaced(state, c.W/4)) - 3
	c.PutIn(2, 1, end-2, Title|draw.Bold, spaced(title, end-2))
	c.Fill(2, 2, max(min(draw.Width(spaced(title, end-2)), end-2), 0), Title, "▀")
	keys := strings.Join(p.keys, "  ")
	if draw.Width(keys) > 0 && end > 0 {
		c.Right(c.W-2, 2, Key|draw.Reverse, " "+draw.Truncate(keys, max(c.W/3, 8))+" ")
	}
}

// spaced sets a blank between letters where there is room for it.
func spaced(s string, room int) string {
	if draw.Width(s)*2 > room {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}
