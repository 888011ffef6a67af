package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ringlab/engine/answer"
)

func want(t *testing.T, b *bench, parts ...string) {
	t.Helper()
	screen := b.view()
	for _, p := range parts {
		if !strings.Contains(screen, p) {
			t.Errorf("the screen lacks %q:\n%s", p, screen)
		}
	}
}

func TestDigitsAreKeysOnlyInAnEmptyPrompt(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.typeText("SELECT 12")
	if b.app.focus != 3 || b.app.console.edit.text != "SELECT 12" {
		t.Errorf("focus %d, prompt %q", b.app.focus, b.app.console.edit.text)
	}
	b.press("ctrl+c", "2")
	if b.app.focus != 2 || b.app.console.edit.text != "" {
		t.Errorf("focus %d, prompt %q", b.app.focus, b.app.console.edit.text)
	}
	b.press("3")
	b.typeText("x")
	b.press("alt+4")
	if b.app.focus != 4 {
		t.Errorf("alt+4 goes to %d", b.app.focus)
	}
}

func TestQuitting(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.press("ctrl+c")
	b.at = b.at.Add(2 * time.Second)
	b.press("ctrl+c")
	if b.app.leaving {
		t.Error("two slow ctrl+c quit")
	}
	b.press("ctrl+c")
	if !b.app.leaving {
		t.Error("two quick ctrl+c do not quit")
	}
	b = newBench(t, scripted(), Options{})
	b.typeText("exit\n")
	if !b.app.leaving {
		t.Error("an answer with Exit does not quit")
	}
	b = newBench(t, scripted(), Options{})
	b.press("2", "esc", "q")
	if !b.app.leaving {
		t.Error("q does not quit")
	}
}

func TestCancel(t *testing.T) {
	lab := scripted()
	lab.hold = true
	b := newBench(t, lab, Options{})
	b.typeText(":stress\n:next one\n")
	b.at = b.at.Add(time.Second)
	b.send(busyMsg{b.app.running})
	want(t, b, "running 1.0 s", "^c cancels")
	b.press("ctrl+c")
	if lab.canceled != 1 || len(b.app.queue) != 0 || b.app.leaving {
		t.Errorf("cancelled %d times, %d queued", lab.canceled, len(b.app.queue))
	}
	lab.held[0] <- answer.Answer{Error: &answer.Error{Message: "cancelled"}}
	close(lab.held[0])
	lab.hold = false
	b.send(nil)
	want(t, b, "✗ cancelled")
	if b.app.running != nil {
		t.Error("the job still runs")
	}
}

func TestTimeTicksOnlyWhileItRuns(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.send(tickMsg(b.at.Add(time.Second)))
	if b.lab.ticked != 0 || b.app.ticking {
		t.Error("a paused lab was ticked")
	}
	running := scripted()
	running.v.Running = true
	if c := newBench(t, running, Options{}); c.app.ticking || c.app.look() == nil {
		t.Error("a lab that runs from the start gets no ticks")
	}
	b.press("2", "space")
	if !b.app.v.Running || !b.app.ticking {
		t.Fatal("space does not run")
	}
	b.send(tickMsg(b.at.Add(40 * time.Millisecond)))
	if b.lab.ticked != 40*time.Millisecond {
		t.Errorf("ticked %v", b.lab.ticked)
	}
	b.press("space")
	b.send(tickMsg(b.at.Add(80 * time.Millisecond)))
	if b.app.ticking || b.lab.ticked != 40*time.Millisecond {
		t.Errorf("ticks go on: %v", b.lab.ticked)
	}
	if b.app.frame() != 33*time.Millisecond {
		t.Error("frame with focus")
	}
	b.send(tea.BlurMsg{})
	if b.app.frame() != 500*time.Millisecond {
		t.Error("frame without focus")
	}
}

func TestSelectionGoesEverywhere(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.typeText(":partition sensor.readings a-03:2026-11-20\n")
	if b.lab.need.Key != "a-03:2026-11-20" {
		t.Errorf("need %+v", b.lab.need)
	}
	want(t, b, "a-03/2026-11-20 → n3 n4 n5", "read a-03/2026-11-20")
	b.press("1", "G", "enter")
	if b.lab.need.Key != "a-21:2026-11-18" {
		t.Errorf("need %+v", b.lab.need)
	}
	b.press("backspace")
	if b.lab.need.Key != "" {
		t.Error("backspace keeps the selection")
	}
}

func TestOperationsWalk(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.press("4", "[", "[")
	if b.lab.need.Op != 429 {
		t.Errorf("op %d", b.lab.need.Op)
	}
	b.press("]", "]", "]")
	if b.lab.need.Op != 0 {
		t.Errorf("op %d", b.lab.need.Op)
	}
}

func TestMouse(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	clickOn := func(text string) {
		t.Helper()
		for y, l := range strings.Split(b.view(), "\n") {
			if i := strings.Index(l, text); i >= 0 {
				b.send(tea.MouseClickMsg{X: len([]rune(l[:i])), Y: y, Button: tea.MouseLeft})
				return
			}
		}
		t.Fatalf("%q is not on the screen", text)
	}
	clickOn("n4 ≈2")
	if ring := b.app.pieces[2].pane.(*ringPane); b.app.focus != 2 || ring.list.cur != 3 {
		t.Errorf("focus %d node %d", b.app.focus, ring.list.cur)
	}
	clickOn("a-17/2026-11-20")
	if b.lab.need.Key != "a-17:2026-11-20" {
		t.Errorf("a click selects %q", b.lab.need.Key)
	}
	b.app.status.Text = ""
	clickOn("step")
	if !slices.Contains(b.lab.did, ":step") {
		t.Errorf("the footer key did %q", b.lab.did)
	}
	clickOn("x kill/revive") // a hint within a pane, by its key
	if !slices.Contains(b.lab.did, ":down n4") {
		t.Errorf("the hint did %q", b.lab.did)
	}
	did := len(b.lab.did)
	clickOn("/revive") // or by its words
	if len(b.lab.did) == did {
		t.Error("the words of a hint do nothing")
	}
	b.press("M")
	if b.app.View().MouseMode != tea.MouseModeNone {
		t.Error("M keeps the mouse")
	}
}

func TestLayoutIsKept(t *testing.T) {
	lab := scripted()
	b := newBench(t, lab, Options{})
	b.press("2", "2", "T", "T", "1", "o")
	again := newBench(t, lab, Options{Theme: "dark"})
	if again.app.focus != 3 || again.app.zoom != 0 || again.app.need.Sort != "rows" || again.app.last != 1 {
		t.Errorf("focus %d zoom %d sort %q", again.app.focus, again.app.zoom, again.app.need.Sort)
	}
	fresh := newBench(t, lab, Options{ResetUI: true})
	if fresh.app.focus != 3 || fresh.app.zoom != 0 {
		t.Error("reset keeps the layout")
	}
}

func TestStatusGoesAwayAndStaysInTheLog(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.press("2", "u")
	want(t, b, "✗ undo is not there yet")
	b.send(quietMsg(b.app.statusSeq))
	if b.app.status.Text != "" {
		t.Error("the status line stays")
	}
	b.press("3")
	b.typeText(":messages\n")
	want(t, b, "messages", "✗ undo is not there yet")
}

func TestEscGoesBackOneLevel(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.press("2", "2")
	if b.app.zoom != 2 {
		t.Fatal("no zoom")
	}
	b.press("?", "esc")
	if b.app.over != nil || b.app.zoom != 2 {
		t.Error("esc closes more than the overlay")
	}
	b.press("esc")
	if b.app.zoom != 0 || b.app.leaving {
		t.Error("esc does not end the zoom")
	}
}

func TestScreen(t *testing.T) {
	for _, name := range []string{"workbench", "ring", "schema", "console", "trace", "storage", "guide", "help", "palette", "messages"} {
		s := Screen(scripted(), name, 80, 24, Options{})
		if strings.Count(s, "\n") != 24 {
			t.Errorf("%s has %d lines", name, strings.Count(s, "\n"))
		}
	}
}
