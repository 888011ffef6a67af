package tui

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"

	"ringlab/scenarios"
)

// terminal is an emulator whose line discipline turns line feeds into new
// lines, as it does for a program whose input is no terminal. Its lock covers
// reading the screen too.
type terminal struct {
	mu sync.Mutex
	em *vt.Emulator
}

func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := t.em.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")))
	return len(p), err
}

func (t *terminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.em.String()
}

// TestProgramOnATerminal runs the whole program against an emulated terminal:
// what it shows after key presses must be what the frame says.
func TestProgramOnATerminal(t *testing.T) {
	const w, h = 160, 45
	em := &terminal{em: vt.NewEmulator(w, h)}
	go func() { _, _ = io.Copy(io.Discard, em.em) }()
	in, keys := io.Pipe()
	lab := scripted()
	done := make(chan error, 1)
	go func() {
		done <- Run(lab, Options{Input: in, Output: em, Width: w, Height: h, Theme: "dark", NoColor: true, Scenarios: []*scenarios.Scenario{lesson()}})
	}()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	until := func(text string) {
		t.Helper()
		for !strings.Contains(em.String(), text) {
			select {
			case <-tick.C:
			case err := <-done:
				t.Fatalf("the program ended: %v", err)
			case <-deadline:
				t.Fatalf("%q never appears:\n%s", text, em.String())
			}
		}
	}
	until("focus 3 Console")
	go func() { _, _ = io.WriteString(keys, "SELECT * FROM readings;\r") }()
	until("2 rows, 1 stale")
	go func() { _, _ = io.WriteString(keys, "2") }()
	until("focus 2 Ring")
	got := strings.Split(em.String(), "\n")
	for i, l := range got {
		got[i] = strings.TrimRight(l, " \r")
	}
	b := newBench(t, scripted(), Options{})
	b.typeText("SELECT * FROM readings;\n")
	b.press("2")
	if plain := strings.TrimRight(b.view(), "\n"); strings.Join(got[:h], "\n") != plain {
		t.Errorf("the terminal shows\n%s\nand the frame says\n%s", strings.Join(got, "\n"), plain)
	}
	go func() { _, _ = io.WriteString(keys, "q") }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-deadline:
		t.Fatal("q does not end the program")
	}
}
