package tui

import (
	"strings"
	"testing"
)

// A write is seen travelling: moment by moment, forth and back, until all of it is
// there as without slow motion; with reduced motion it goes step by step.
func TestSlowMotion(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.press("4")
	whole := b.view()
	b.press("a")
	slow := &b.app.pieces[4].pane.(*tracePane).slow
	travelled, back := false, false
	n := 0
	for ; slow.playing && n < 200; n++ {
		b.send(playMsg{4})
		travelled = travelled || strings.Contains(b.view(), "─▸  ")
		back = back || strings.Contains(b.view(), "─◂")
		if bad := checkFrame(b.app); bad != "" {
			t.Fatal(bad)
		}
	}
	if n < playSteps-1 || n > playSteps+3 || !travelled || !back {
		t.Errorf("%d moments, forth %v, back %v", n, travelled, back)
	}
	b.app.status.Text = ""
	if b.view() != whole {
		t.Errorf("at the end it is\n%s\nnot\n%s", b.view(), whole)
	}
	b.press("s")
	want(t, b, "0.00 ms:  n1 sends to n3  n1 sends to n5")
	b.press("s")
	want(t, b, "0.50 ms:  it arrives at n3")
	b.press("a", "a")
	if slow.playing {
		t.Error("a does not stop it")
	}
	b.press("esc")
	if slow.on || b.app.focus != 4 {
		t.Error("esc does not show all of it")
	}
	for range 20 {
		b.press("s")
	}
	b = newBench(t, scripted(), Options{ReducedMotion: true})
	b.press("4", "a")
	if s := b.app.pieces[4].pane.(*tracePane).slow; s.playing || !s.on {
		t.Errorf("with reduced motion it plays: %+v", s)
	}
}

// What a new node takes moves column by column; the end is the ring as it is.
func TestMovesAreWatched(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.press("2", "t")
	b.view()
	strip := &b.app.pieces[2].pane.(*ringPane).strip
	end := b.view()
	b.press("a")
	if !strip.flipping {
		t.Fatal("a shows nothing")
	}
	moved := strings.Count(end, "*")
	seen := 0
	for n := 0; strip.flipping && n < 100; n++ {
		b.send(playMsg{2})
		if now := strings.Count(b.view(), "*"); now < seen {
			t.Errorf("from %d to %d columns", seen, now)
		} else {
			seen = now
		}
	}
	if b.view() != end || seen != moved {
		t.Errorf("%d of %d columns are there in the end", seen, moved)
	}
	s := *b.lab.v.Strip
	s.Moved = []string{"n7 takes 1%"}
	b.lab.v.Strip = &s
	b.app.look()
	if !strip.flipping {
		t.Error("a new move is not shown by itself")
	}
	b.app.opts.ReducedMotion = true
	strip.flipping = false
	s.Moved = []string{"n8 takes 1%"}
	b.app.look()
	if strip.flipping {
		t.Error("with reduced motion it moves by itself")
	}
	b.press("a")
	first := b.view()
	b.press("a")
	if b.view() == first {
		t.Error("a does not go a step on")
	}
}
