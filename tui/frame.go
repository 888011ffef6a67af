package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ringlab/tui/draw"
)

// View is the frame: cached lines of the pieces side by side, or one canvas
// while an overlay is open.
func (a *App) View() tea.View {
	v := tea.View{AltScreen: true, ReportFocus: true, WindowTitle: "ringlab"}
	if a.v.Workspace != "" {
		v.WindowTitle = "ringlab " + draw.Clean(a.v.Workspace)
	}
	if !a.mouseOff {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if a.w <= 0 || a.h <= 0 {
		return v
	}
	v.Content = strings.Join(a.lines(), "\n")
	if x, y := a.cursor(); x >= 0 {
		v.Cursor = tea.NewCursor(x, y)
		v.Cursor.Blink = !a.opts.ReducedMotion
		if a.over == nil && a.console.vi.on && !a.console.vi.normal {
			v.Cursor.Shape = tea.CursorBar
		}
	}
	return v
}

// lines renders exactly h lines of exactly w cells.
func (a *App) lines() []string {
	places := a.layout()
	if places == nil {
		return a.tooSmall().Lines(a.th.palette)
	}
	if a.over != nil {
		return a.encoder.Lines(a.canvas(places), a.th.palette)
	}
	out := make([]string, a.h)
	parts := make([]string, 0, 4)
	drawn := make([][]string, len(places))
	for i, p := range places {
		drawn[i] = a.render(p)
	}
	for y := range a.h {
		parts = parts[:0]
		for i, p := range places {
			if y >= p.y && y < p.y+p.h {
				parts = append(parts, drawn[i][y-p.y])
			}
		}
		if len(parts) == 1 {
			out[y] = parts[0]
			continue
		}
		out[y] = strings.Join(parts, "")
	}
	return out
}

// canvas paints the whole screen with the overlay on top, until it is called again.
func (a *App) canvas(places []place) *draw.Canvas {
	c := &a.whole
	c.Reset(a.w, a.h)
	c.ASCII = a.opts.ASCII
	for _, p := range places {
		key, paint := a.recipe(p)
		c.Blit(a.pieces[p.id].cells(key, paint), p.x, p.y)
	}
	if a.over != nil {
		x, y := a.over.paint(a.scene(a.focus), c)
		a.overCursor = [2]int{x, y}
	}
	return c
}

func (a *App) tooSmall() *draw.Canvas {
	c := draw.NewCanvas(a.w, a.h)
	c.ASCII = a.opts.ASCII
	text := fmt.Sprintf("ringlab needs %dx%d, this is %dx%d; the simulation goes on", leastWidth, leastHeight, a.w, a.h)
	for i, l := range draw.Wrap(text, a.w) {
		c.PutIn(0, i, a.w, Warn, l)
	}
	return c
}

func (a *App) render(p place) []string {
	key, paint := a.recipe(p)
	return a.pieces[p.id].render(key, a.th, paint)
}

// recipe says what a piece depends on and how it is painted.
func (a *App) recipe(p place) (cacheKey, func(*draw.Canvas)) {
	key := cacheKey{rev: a.v.Rev, w: p.w, h: p.h, ascii: a.opts.ASCII, theme: a.th.Name}
	if p.id >= 1 && p.id <= 6 {
		sc := a.scene(p.id)
		key.focus, key.zoom = sc.Focused, sc.Zoomed
		pane := a.pieces[p.id].pane
		return key, func(c *draw.Canvas) {
			left, right := pane.Title(sc)
			pane.Paint(sc, draw.Box(c, pick(sc.Focused, Focus, Border), Title, sc.Focused, left, right))
		}
	}
	a.touch(p.id) // one line: cheaper to paint than to compare
	switch p.id {
	case pieceHead:
		if a.presenting.on && p.h == presentRows {
			return key, a.paintPresenter
		}
		return key, a.paintHead
	case pieceTabs:
		return key, a.paintTabs
	case pieceGuideLine:
		return key, a.paintGuideLine
	}
	return key, a.paintFoot
}

// cursor is where the terminal's cursor stands, or -1.
func (a *App) cursor() (int, int) {
	if a.over != nil {
		return a.overCursor[0], a.overCursor[1]
	}
	if a.focus != 3 || a.console.browse || a.console.cursorY < 0 {
		return -1, -1
	}
	for _, p := range a.layout() {
		if p.id == 3 {
			return min(p.x+1+a.console.cursorX, a.w-1), min(p.y+1+a.console.cursorY, a.h-1)
		}
	}
	return -1, -1
}
