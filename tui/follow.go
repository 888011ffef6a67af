package tui

import (
	tea "charm.land/bubbletea/v2"

	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// trail is the way from a stale answer to its cause, link by link: the replica that
// answered, the write that it missed, the time in which it was down.
type trail struct {
	chain *view.Chain
	step  int
	wait  bool // the lab has been asked for the chain
}

// follow goes one link on; the first one begins at the shown operation, or at the
// newest stale one.
func (a *App) follow() tea.Cmd {
	if a.trail == nil || a.trail.chain == nil || a.trail.step > 2 {
		a.trail = &trail{chain: a.v.Chain}
		if a.v.Chain == nil {
			return a.findStale()
		}
	}
	t := a.trail
	c := t.chain
	t.step++
	text := func(i int) string { return c.Text[min(i, len(c.Text)-1)] }
	switch t.step {
	case 1:
		a.setNeed(func(n *view.Need) { n.Op, n.Node = c.Op, c.Node })
		if p, ok := a.pieces[2].pane.(*ringPane); ok {
			p.list.cur, p.mode = c.Node, ""
		}
		a.setFocus(2)
		return a.say(Stale, text(0)+"  Next: what did it miss?")
	case 2:
		if c.Missed > 0 {
			a.setNeed(func(n *view.Need) { n.Op = c.Missed })
		}
		a.setFocus(4)
		return a.say(Stale, text(1)+"  Next: why?")
	}
	a.over = a.cause(c)
	return a.say(Stale, text(2))
}

// findStale asks for the newest stale operation.
func (a *App) findStale() tea.Cmd {
	for i := len(a.v.Ops) - 1; i >= 0; i-- {
		if op := a.v.Ops[i]; op.Outcome == "stale" {
			a.trail.wait = true
			a.setNeed(func(n *view.Need) { n.Op = op.N })
			return a.say(Dim, "looking for what the stale answer missed")
		}
	}
	a.trail = nil
	return a.say(Dim, "no stale answer is remembered: there is nothing to follow")
}

// arrived goes on with a trail that waited for the lab.
func (a *App) arrived() tea.Cmd {
	if a.trail == nil || !a.trail.wait || a.v.Chain == nil {
		return nil
	}
	a.trail = nil
	return a.follow()
}

// cause shows the whole chain; enter goes to the timeline.
func (a *App) cause(c *view.Chain) overlay {
	r := &reader{title: "why the answer was stale", fit: true, enter: Action{Perform: "timeline"}}
	for i, s := range c.Text {
		for j, l := range draw.Wrap(s, max(min(a.w-10, 100), 8)) {
			r.lines = append(r.lines, draw.Line{Text: pick(j == 0, "", "  ") + l, Style: pick(i == len(c.Text)-1, Text|draw.Bold, Text)})
		}
		r.lines = append(r.lines, draw.Line{})
	}
	for _, s := range draw.Wrap("What helps: W + R > RF, that is QUORUM for both; hints and repair bring the replica up to date.", max(min(a.w-10, 100), 8)) {
		r.lines = append(r.lines, draw.Line{Text: s, Style: Dim})
	}
	if r.keys = []string{"esc back"}; a.v.Branch != "" {
		r.keys = []string{"enter the timeline, to go to that moment", "esc back"}
	}
	return r
}

// turn lets every pane show what the chosen operation was about.
func (a *App) turn() {
	t := a.v.Trace
	if t == nil || a.need.Op == 0 || t.Op != a.need.Op || a.turned == t.Op {
		return
	}
	a.turned = t.Op
	if t.Key != "" && t.Table != "" {
		a.setNeed(func(n *view.Need) { n.Keyspace, n.Table, n.Key = t.Keyspace, t.Table, t.Key })
	}
}

// lenses tells the lab how the large pictures are looked at.
func (a *App) lenses() {
	width := map[int]int{}
	for _, p := range a.layout() {
		width[p.id] = p.w
	}
	why := 0
	if e, ok := a.over.(*explanation); ok {
		why = e.pane
	}
	ring, storage := a.pieces[2].pane.(*ringPane), a.storage
	a.setNeed(func(n *view.Need) {
		n.Strip, n.Placement, n.Files, n.Levels = view.StripLens{}, view.PlacementLens{}, 0, false
		if w := width[2]; ring.mode == "strip" && w > 0 {
			n.Strip = ring.strip.lens(w)
		} else if why == 2 {
			n.Strip = view.StripLens{Width: 1}
		}
		if ring.mode == "placement" && width[2] > 0 || why == 2 {
			n.Placement = view.PlacementLens{On: true, Lost: joinWords(ring.placement.lost)}
		}
		if w := width[5]; storage.mapped && w > 0 {
			n.Files = storage.sheet.columns(w)
		} else if why == 5 {
			n.Files = 1
		}
		n.Levels = a.zoom == 2 && a.focus == 4 || why == 4
	})
}
