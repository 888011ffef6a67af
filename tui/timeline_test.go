package tui

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/view"
)

// TestScrubbingSkips: while the lab is on its way, only the last wish counts.
func TestScrubbingSkips(t *testing.T) {
	lab := withTimeline(scripted())
	b := newBench(t, lab, Options{})
	b.press("2", "R")
	lab.hold = true
	b.press("left", "left", "left", "pgup")
	if got := strings.Join(lab.did, " "); got != ":rewind 16" {
		t.Fatalf("told the lab %q", got)
	}
	lab.hold = false
	for _, ch := range lab.held {
		ch <- lab.answer(":rewind 16")
		close(ch)
	}
	lab.held = nil
	b.send(b.app.running.collect())
	if want := []string{":rewind 16", ":rewind 4"}; !slices.Equal(lab.did, want) || lab.v.Commands != 4 {
		t.Errorf("told the lab %q, which is at %d", lab.did, lab.v.Commands)
	}
}

// TestTimelineIsAskedFor: the lab fetches the commands only while they are shown.
func TestTimelineIsAskedFor(t *testing.T) {
	lab := withTimeline(scripted())
	b := newBench(t, lab, Options{})
	for _, keys := range [][]string{{"2", "R", "esc"}, {"R", "enter"}, {"R", "q"}, {"R", "f"}, {"esc", "2", "R", "R"}} {
		b.press(keys[:len(keys)-1]...)
		if !lab.need.Timeline {
			t.Errorf("%v: the lab is not asked for the timeline", keys)
		}
		b.press(keys[len(keys)-1])
		if lab.need.Timeline || b.app.over != nil {
			t.Errorf("%v: the lab is still asked for the timeline", keys)
		}
		b.app.setFocus(2)
	}
}

// TestTimelineByMouse: a click on the bar or on a command goes there, the wheel
// goes on.
func TestTimelineByMouse(t *testing.T) {
	lab := withTimeline(scripted())
	b := newBench(t, lab, Options{})
	b.press("2", "R")
	b.view()
	tl := b.app.over.(*timeline)
	b.send(tea.MouseClickMsg(tea.Mouse{X: tl.x + 20, Y: tl.y + 2, Button: tea.MouseLeft})) // the first one listed
	if first := ":rewind " + strconv.Itoa(tl.want); len(lab.did) != 1 || lab.did[0] != first || tl.want == len(travelled) {
		t.Errorf("a click on a command told the lab %q", lab.did)
	}
	b.view()
	b.send(tea.MouseWheelMsg(tea.Mouse{X: 20, Y: 40, Button: tea.MouseWheelDown}))
	b.send(tea.MouseClickMsg(tea.Mouse{X: tl.x + tl.bar[0] + 3*2, Y: tl.y, Button: tea.MouseLeft}))
	if n := len(lab.did); n < 2 || lab.did[n-1] != ":rewind 3" || lab.v.Commands != 3 || tl.busy {
		t.Errorf("the wheel and a click on the bar told the lab %q, which is at %d", lab.did, lab.v.Commands)
	}
	if act, closed := tl.click(5, 2); act.Need == nil || !closed {
		t.Error("a click outside does not close")
	}
}

func TestTimelineOfALongBranch(t *testing.T) {
	lab := withTimeline(scripted())
	lab.v.Commands = 100_000
	marks := make([]byte, 1024)
	for i := range marks {
		marks[i] = '+'
	}
	marks[500] = 'u'
	lab.v.Timeline = &view.Timeline{Marks: marks, First: 99_999, Steps: []view.Step{{Text: "SELECT 1", Mark: '+'}, {Text: "SELECT 2", Mark: '+'}}}
	b := newBench(t, lab, Options{})
	b.press("2", "R")
	if got := b.view(); strings.Count(got, "⊘━") != 1 || !strings.Contains(got, "99999") || !strings.Contains(got, "SELECT 2") {
		t.Errorf("a long branch is drawn\n%s", got)
	}
}

// Typed, :timeline opens it, too, and is no command of the lab.
func TestTimelineIsTyped(t *testing.T) {
	b := newBench(t, withTimeline(scripted()), Options{})
	did := len(b.lab.did)
	b.typeText(":timeline\n")
	want(t, b, "timeline")
	if len(b.lab.did) != did || b.app.over == nil {
		t.Errorf("the lab did %q", b.lab.did[did:])
	}
}
