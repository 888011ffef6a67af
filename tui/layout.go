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
		places, _ := tile(a.w, a.h, a.zoom, a.focus, a.last, &a.sizes)
		return places
	}
	places, _ := tile(a.w, a.h-presentRows+1, 2, a.focus, a.last, &a.sizes)
	for i := range places {
		if places[i].id == pieceHead {
			places[i].h = presentRows
		} else {
			places[i].y += presentRows - 1
		}
	}
	return places
}

// tile lays out a w by h screen, and says which borders can be moved. Nil says that
// the screen is too small.
func tile(w, h, zoom, focus, last int, s *shares) ([]place, []border) {
	if w < leastWidth || h < leastHeight {
		return nil, nil
	}
	shown := focus
	if focus == 3 {
		shown = last
	}
	head, foot := place{pieceHead, 0, 0, w, 1}, place{pieceFoot, 0, h - 1, w, 1}
	tabs, guide := place{pieceTabs, 0, 1, w, 1}, place{pieceGuideLine, 0, h - 2, w, 1}
	switch {
	case zoom == 2 || w < tabsWidth && h < tallHeight || h < tabsHeight || zoom == 1 && w < twoWidth:
		return []place{head, tabs, {focus, 0, 2, w, h - 3}, foot}, nil
	case w >= sixWidth && h >= sixHeight && zoom == 0:
		return six(w, h, head, foot, s)
	case w >= twoWidth:
		left := split(s.Half, w/2, 0, w, 2*leastPaneWidth)
		return []place{head, tabs, {shown, 0, 2, left, h - 4}, {3, left, 2, w - left, h - 4}, guide, foot},
			[]border{{share: &s.Half, upright: true, at: left, from: 2, length: h - 4, span: w, before: []int{shown}, behind: []int{3}}}
	case w <= tallWidth && h >= tallHeight:
		second := 4
		if shown == 4 {
			second = 2
		}
		end := h - 2
		b := split(s.Second, 2+(h-4)*2/5+(h-4)*3/10, 2+leastPaneHeight, end, leastPaneHeight)
		a := split(s.First, 2+(h-4)*2/5, 2, b, leastPaneHeight)
		return []place{head, tabs, {shown, 0, 2, w, a - 2}, {second, 0, a, w, b - a}, {3, 0, b, w, end - b}, guide, foot},
			[]border{{share: &s.First, at: a, length: w, base: 2, span: b - 2, before: []int{shown}, behind: []int{second}},
				{share: &s.Second, at: b, length: w, base: 2 + leastPaneHeight, span: end - 2 - leastPaneHeight, before: []int{second}, behind: []int{3}}}
	}
	strip := max(6, (h-4)*3/10)
	if focus == 3 {
		strip = max(8, (h-4)/2-2)
	}
	at := split(s.Above, h-2-strip, 2, h-2, leastPaneHeight)
	return []place{head, tabs, {shown, 0, 2, w, at - 2}, {3, 0, at, w, h - 2 - at}, guide, foot},
		[]border{{share: &s.Above, at: at, length: w, base: 2, span: h - 4, before: []int{shown}, behind: []int{3}}}
}

// six tiles all panes, in the proportions of 38, 68, 54 and 62, 56, 42 columns.
func six(w, h int, head, foot place, s *shares) ([]place, []border) {
	end := h - 1
	mid := split(s.Top, 1+(h-2)*23/43, 1, end, 2*leastPaneHeight)
	guide := max(split(s.Guide, w-w*54/160, 0, w, leastPaneWidth), 2*leastPaneWidth)
	schema := min(split(s.Schema, w*38/160, 0, w, leastPaneWidth), guide-leastPaneWidth)
	storage := max(split(s.Storage, w-w*42/160, 0, w, leastPaneWidth), 2*leastPaneWidth)
	console := min(split(s.Console, w*62/160, 0, w, leastPaneWidth), storage-leastPaneWidth)
	upright := func(share *int, at, from, to, before, behind int) border {
		return border{share: share, upright: true, at: at, from: from, length: to - from, span: w, before: []int{before}, behind: []int{behind}}
	}
	return []place{
			head,
			{1, 0, 1, schema, mid - 1}, {2, schema, 1, guide - schema, mid - 1}, {6, guide, 1, w - guide, mid - 1},
			{3, 0, mid, console, end - mid}, {4, console, mid, storage - console, end - mid}, {5, storage, mid, w - storage, end - mid},
			foot,
		}, []border{
			upright(&s.Schema, schema, 1, mid, 1, 2), upright(&s.Guide, guide, 1, mid, 2, 6),
			upright(&s.Console, console, mid, end, 3, 4), upright(&s.Storage, storage, mid, end, 4, 5),
			{share: &s.Top, at: mid, length: w, base: 1, span: end - 1, before: []int{1, 2, 6}, behind: []int{3, 4, 5}},
		}
}
