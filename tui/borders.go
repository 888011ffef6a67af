package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// shares say where the borders between panes stand, in ten-thousandths of what the
// two sides have together; 0 is where the layout has it by itself. They are kept as
// shares, so that a screen of another size looks alike.
type shares struct {
	Top     int `json:"top,omitempty"` // the upper row of six panes
	Schema  int `json:"schema,omitempty"`
	Guide   int `json:"guide,omitempty"`
	Console int `json:"console,omitempty"`
	Storage int `json:"storage,omitempty"`
	Half    int `json:"half,omitempty"`  // the pane beside the console
	Above   int `json:"above,omitempty"` // the pane above the console
	First   int `json:"first,omitempty"` // the upper ones of three panes
	Second  int `json:"second,omitempty"`
}

const wholeShare = 10_000

// The smallest panes that a border leaves.
const (
	leastPaneWidth  = 16
	leastPaneHeight = 4
)

// border is the edge between two panes, one column or row wide on each side.
type border struct {
	share   *int
	upright bool // it moves left and right
	at      int  // first column or row of what is right of or below it
	from    int  // first row or column along it
	length  int
	base    int // column or row that the share is counted from
	span    int // columns or rows that the share is of
	before  []int
	behind  []int // panes on its sides
}

// split is where a border stands: where its share says, else at usual, and so that
// least cells are left on both sides of from..to.
func split(share, usual, from, to, least int) int {
	at := usual
	if share > 0 {
		at = from + (share*(to-from)+wholeShare/2)/wholeShare
	}
	return max(min(at, to-least), from+least)
}

// holds says whether a cell is on the border.
func (b *border) holds(x, y int) bool {
	along, across := y, x
	if !b.upright {
		along, across = x, y
	}
	return (across == b.at || across == b.at-1) && along >= b.from && along < b.from+b.length
}

// move brings the border to a column or row.
func (b *border) move(to int) {
	to = max(min(to, b.base+b.span-1), b.base+1)
	*b.share = max(((to-b.base)*wholeShare+b.span/2)/b.span, 1)
}

// drag is a border that the mouse holds.
type drag struct {
	share *int
	moved bool
}

// grab takes hold of the border under the pointer, if there is one; a double click
// puts it back where it was at first.
func (a *App) grab(m tea.Mouse, double bool) bool {
	a.dragged = drag{}
	if m.Button != tea.MouseLeft {
		return false
	}
	for _, b := range a.borders() {
		if !b.holds(m.X, m.Y) {
			continue
		}
		if double {
			*b.share = 0
			a.touchAll()
			a.save()
			return true
		}
		a.dragged.share = b.share
	}
	return a.dragged.share != nil
}

// pull moves the held border with the pointer.
func (a *App) pull(m tea.Mouse) {
	if a.dragged.share == nil || a.over != nil {
		return
	}
	for _, b := range a.borders() {
		if b.share == a.dragged.share {
			b.move(pick(b.upright, m.X, m.Y))
			a.dragged.moved = true
			a.touchAll()
			return
		}
	}
}

// drop lets go of a border, and keeps where it is.
func (a *App) drop() {
	if a.dragged.moved {
		a.save()
	}
	a.dragged = drag{}
}

// resize gives the focused pane more or less room: its border behind it moves, or
// the one before it where that is none.
func (a *App) resize(id string) tea.Cmd {
	if id == "size.usual" {
		a.sizes = shares{}
		a.touchAll()
		a.save()
		return a.say(Text, "every pane has its usual size")
	}
	upright := id == "size.wider" || id == "size.narrower"
	by := pick(upright, 2, 1)
	if id == "size.narrower" || id == "size.lower" {
		by = -by
	}
	var found *border
	for _, b := range a.borders() {
		if b.upright != upright {
			continue
		}
		switch {
		case slices.Contains(b.before, a.focus):
			b.move(b.at + by)
			a.touchAll()
			a.save()
			return nil
		case slices.Contains(b.behind, a.focus):
			found = &b
		}
	}
	if found == nil {
		return a.say(Dim, "nothing stands "+pick(upright, "beside", "above or below")+" this pane")
	}
	found.move(found.at - by)
	a.touchAll()
	a.save()
	return nil
}

// borders are the edges between the panes that are seen.
func (a *App) borders() []border {
	if a.presenting.on {
		return nil
	}
	_, borders := tile(a.w, a.h, a.zoom, a.focus, a.last, &a.sizes)
	return borders
}
