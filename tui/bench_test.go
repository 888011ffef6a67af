package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func BenchmarkFrameDirty(b *testing.B) {
	w := newBench(b, scripted(), Options{})
	w.typeText("SELECT * FROM readings;\nSELECT * FROM readings WHERE v > 90;\n")
	w.app.guide.load(w.app.opts.Scenarios[0], 1)
	b.ReportAllocs()
	for b.Loop() {
		w.app.touchAll()
		if len(w.app.View().Content) == 0 {
			b.Fatal("nothing")
		}
	}
}

func BenchmarkFrameCrowd(b *testing.B) {
	w := newBench(b, newFake(crowd()), Options{})
	b.ReportAllocs()
	for b.Loop() {
		w.app.pieces[2].pane.(*ringPane).cache.key = ""
		w.app.touchAll()
		w.app.View()
	}
}

func BenchmarkFrameClean(b *testing.B) {
	w := newBench(b, scripted(), Options{})
	b.ReportAllocs()
	for b.Loop() {
		w.app.View()
	}
}

func BenchmarkConsoleTyping(b *testing.B) {
	w := newBench(b, scripted(), Options{})
	for range 300 {
		w.typeText("SELECT * FROM readings;\n")
	}
	key := tea.KeyPressMsg{Code: 'x', Text: "x"}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		w.app.Update(key)
		w.app.View()
		if n++; n%200 == 0 {
			w.app.console.edit.set("")
		}
	}
}

func BenchmarkOverlay(b *testing.B) {
	w := newBench(b, scripted(), Options{})
	w.app.perform("palette")
	b.ReportAllocs()
	for b.Loop() {
		w.app.View()
	}
}

// BenchmarkWizardTyping is a key in the text of new tables, and the frame after it.
func BenchmarkWizardTyping(b *testing.B) {
	w := newBench(b, scripted(), Options{})
	w.app.perform("schema.new")
	keys := []tea.KeyPressMsg{{Code: 'x', Text: "x"}, {Code: tea.KeyBackspace}}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		w.app.Update(keys[n%2])
		w.app.View()
		n++
	}
}
