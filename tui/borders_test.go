package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"
)

// Whatever the sizes are, the pieces cover the screen exactly once, no pane is
// smaller than it may be, and a border goes to where it is dragged or as far as the
// panes beside it allow.
func TestPanesTileTheScreen(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, from, to int) int { return rapid.IntRange(from, to).Draw(rt, name) }
		share := func(name string) int { return draw(name, 0, wholeShare) }
		s := shares{Top: share("top"), Schema: share("schema"), Guide: share("guide"), Console: share("console"), Storage: share("storage"), Half: share("half"), Above: share("above"), First: share("first"), Second: share("second")}
		w, h, zoom, focus := draw("w", leastWidth, 240), draw("h", leastHeight, 70), draw("zoom", 0, 2), draw("focus", 1, 6)
		last := rapid.SampledFrom([]int{1, 2, 4, 5, 6}).Draw(rt, "last")
		check := func() []border {
			places, borders := tile(w, h, zoom, focus, last, &s)
			seen := make([]int, w*h)
			for _, p := range places {
				if p.id >= 1 && p.id <= 6 && len(places) > 4 && (p.w < leastPaneWidth || p.h < leastPaneHeight) {
					rt.Fatalf("pane %d is %dx%d", p.id, p.w, p.h)
				}
				for y := p.y; y < p.y+p.h; y++ {
					for x := p.x; x < p.x+p.w; x++ {
						seen[y*w+x]++
					}
				}
			}
			for i, n := range seen {
				if n != 1 {
					rt.Fatalf("cell %d,%d is covered %d times: %+v", i%w, i/w, n, places)
				}
			}
			return borders
		}
		for _, b := range check() {
			to, at := draw("to", -5, 250), b.at
			b.move(to)
			for _, c := range check() {
				if c.share == b.share && c.at != to && (to > at) != (c.at >= at) && c.at != at {
					rt.Fatalf("from %d to %d it goes to %d", at, to, c.at)
				}
			}
			b.move(at)
			for _, c := range check() {
				if c.share == b.share && c.at != at {
					rt.Fatalf("back to %d it goes to %d", at, c.at)
				}
			}
		}
	})
}

func TestBordersAreDraggedAndKept(t *testing.T) {
	lab := scripted()
	b := newBench(t, lab, Options{})
	at := func(id int) place {
		for _, p := range b.app.layout() {
			if p.id == id {
				return p
			}
		}
		return place{}
	}
	dragged := func(x, y, toX, toY int) {
		b.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		b.send(tea.MouseMotionMsg{X: (x + toX) / 2, Y: (y + toY) / 2, Button: tea.MouseLeft})
		b.send(tea.MouseMotionMsg{X: toX, Y: toY, Button: tea.MouseLeft})
		b.send(tea.MouseReleaseMsg{X: toX, Y: toY, Button: tea.MouseLeft})
	}
	dragged(38, 10, 60, 12)
	if p := at(1); p.w != 60 || b.app.focus != 2 {
		t.Errorf("schema is %+v, focus %d", p, b.app.focus)
	}
	dragged(20, at(3).y, 25, 30)
	if p := at(3); p.y != 30 {
		t.Errorf("the console is %+v", p)
	}
	if b.app.zoom != 0 || b.app.over != nil {
		t.Error("dragging does more")
	}
	again := newBench(t, lab, Options{})
	if again.app.sizes != b.app.sizes || again.app.sizes.Schema == 0 {
		t.Errorf("kept %+v", again.app.sizes)
	}
	again.app.w, again.app.h = 220, 60 // the same shares of another screen
	for _, p := range again.app.layout() {
		if p.id == 1 && (p.w < 81 || p.w > 84) {
			t.Errorf("schema is %+v on a larger screen", p)
		}
	}
	b.send(tea.MouseMotionMsg{X: 99, Y: 10, Button: tea.MouseLeft}) // nothing is held
	if p := at(1); p.w != 60 {
		t.Errorf("schema moved to %+v", p)
	}
	x := at(1).w
	b.at = b.at.Add(1e9)
	b.send(tea.MouseClickMsg{X: x, Y: 10, Button: tea.MouseLeft})
	b.send(tea.MouseClickMsg{X: x, Y: 10, Button: tea.MouseLeft})
	if p := at(1); p.w != 38 {
		t.Errorf("a double click leaves it at %+v", p)
	}
	b.press("alt+shift+right", "alt+shift+right") // the ring has the focus
	if at(6).x != 110 {
		t.Errorf("the guide begins at %d", at(6).x)
	}
	b.press("alt+shift+up", "6", "alt+shift+left")
	if at(6).x != 112 || at(3).y != 29 {
		t.Errorf("the guide begins at %d, the console at %d", at(6).x, at(3).y)
	}
	b.press("alt+0")
	if b.app.sizes != (shares{}) {
		t.Errorf("%+v", b.app.sizes)
	}
	for _, size := range [][2]int{{100, 30}, {80, 24}, {80, 50}} {
		b.app.w, b.app.h = size[0], size[1]
		b.press("alt+0")
		before := at(3)
		b.app.focus = 3
		b.press(pick(size[0] == 100, "alt+shift+right", "alt+shift+down"))
		if at(3) == before {
			t.Errorf("%v: keys leave the console at %+v", size, before)
		}
	}
}

// What lies over the panes is worked by the mouse alone: a click on a name sorts, a
// second click opens, the words that say so close, and the wheel goes both ways.
func TestTablesTakeTheMouse(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.typeText("SELECT * FROM readings;\n")
	b.press("esc", "enter")
	b.view()
	clickAt := func(text string) {
		t.Helper()
		b.at = b.at.Add(150e6)
		x, y := find(t, b, text)
		b.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	}
	g := b.app.over.(*grid)
	clickAt("21.4")
	if g.list.cur != 0 || g.col != 1 {
		t.Errorf("row %d column %d", g.list.cur, g.col)
	}
	clickAt("04:30:02")
	if g.list.cur != 1 || g.col != 0 {
		t.Errorf("row %d column %d", g.list.cur, g.col)
	}
	clickAt("04:30:02")
	want(t, b, "31 bytes of text")
	clickAt("v   ")
	if g.sorted != 2 {
		t.Errorf("sorted by %d", g.sorted)
	}
	b.send(tea.MouseWheelMsg{X: 9, Y: 9, Button: tea.MouseWheelLeft})
	if g.col != 0 {
		t.Errorf("column %d", g.col)
	}
	for b.app.over != nil && g.height > 0 {
		clickAt("esc closes")
		g.height--
	}
	if b.app.over != nil {
		t.Error("the words esc closes do not close")
	}
	for _, id := range []string{"events", "help", "home", "schema.new", "schema.insert", "timeline", "explain", "messages"} {
		b.app.focus = 1
		b.app.perform(id)
		b.view()
		if b.app.over == nil {
			continue
		}
		clickAt("esc closes")
		if b.app.over != nil {
			t.Errorf("%s: the words esc closes do not close", id)
		}
	}
}

// find is where a text stands on the screen.
func find(t *testing.T, b *bench, text string) (x, y int) {
	t.Helper()
	for y, l := range strings.Split(b.view(), "\n") {
		if i := strings.Index(l, text); i >= 0 {
			return len([]rune(l[:i])), y
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, b.view())
	return 0, 0
}
