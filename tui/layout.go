package tui

// The pieces of the screen: six panes and the lines around them.
const (
	pieceHead = 0
	pieceTabs = 7 + iota - 1
	pieceGuideLine
	pieceFoot
	pieceCount
)

// The sizes at which the workbench changes its shape.
const (
	leastWidth, leastHeight = 40, 10
	tabsWidth, tabsHeight   = 80, 24
	twoWidth                = 100
	sixWidth, sixHeight     = 150, 40
	tallWidth, tallHeight   = 84, 46
)

// place is where a piece lies on the screen.
type place struct{ id, x, y, w, h int }

// layout tiles the screen as it is looked at now.
func (a *App) layout() []place {
	if !a.presenting.on || a.h < leastHeight+presentRows {
		return layout(a.w, a.h, a.zoom, a.focus, a.last)
	}
	places := layout(a.w, a.h-presentRows+1, 2, a.focus, a.last)
	for i := range places {
		if places[i].id == pieceHead {
			places[i].h = presentRows
		} else {
			places[i].y += presentRows - 1
		}
	}
	return places
}

// layout tiles a w by h screen. Nil says that the screen is too small.
func layout(w, h, zoom, focus, last int) []place {
	if w < leastWidth || h < leastHeight {
		return nil
	}
	shown := focus
	if focus == 3 {
		shown = last
	}
	head, foot := place{pieceHead, 0, 0, w, 1}, place{pieceFoot, 0, h - 1, w, 1}
	tabs, guide := place{pieceTabs, 0, 1, w, 1}, place{pieceGuideLine, 0, h - 2, w, 1}
	switch {
	case zoom == 2 || w < tabsWidth && h < tallHeight || h < tabsHeight || zoom == 1 && w < twoWidth:
		return []place{head, tabs, {focus, 0, 2, w, h - 3}, foot}
	case w >= sixWidth && h >= sixHeight && zoom == 0:
		return six(w, h, head, foot)
	case w >= twoWidth:
		left := w / 2
		return []place{head, tabs, {shown, 0, 2, left, h - 4}, {3, left, 2, w - left, h - 4}, guide, foot}
	case w <= tallWidth && h >= tallHeight:
		second := 4
		if shown == 4 {
			second = 2
		}
		body := h - 4
		a, b := body*2/5, body*3/10
		return []place{head, tabs, {shown, 0, 2, w, a}, {second, 0, 2 + a, w, b}, {3, 0, 2 + a + b, w, body - a - b}, guide, foot}
	}
	strip := max(6, (h-4)*3/10)
	if focus == 3 {
		strip = max(8, (h-4)/2-2)
	}
	return []place{head, tabs, {shown, 0, 2, w, h - 4 - strip}, {3, 0, h - 2 - strip, w, strip}, guide, foot}
}

// six tiles all panes, in the proportions of 38, 68, 54 and 62, 56, 42 columns.
func six(w, h int, head, foot place) []place {
	body := h - 2
	top := body * 23 / 43
	schema, guide := w*38/160, w*54/160
	console, storage := w*62/160, w*42/160
	return []place{
		head,
		{1, 0, 1, schema, top}, {2, schema, 1, w - schema - guide, top}, {6, w - guide, 1, guide, top},
		{3, 0, 1 + top, console, body - top}, {4, console, 1 + top, w - console - storage, body - top}, {5, w - storage, 1 + top, storage, body - top},
		foot,
	}
}
