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

// program is the whole program on an emulated terminal.
type program struct {
	t        *testing.T
	em       *terminal
	in       *io.PipeWriter
	done     chan error
	deadline <-chan time.Time
}

func onTerminal(t *testing.T, lab Lab, o Options) *program {
	p := &program{t: t, em: &terminal{em: vt.NewEmulator(160, 45)}, done: make(chan error, 1), deadline: time.After(20 * time.Second)}
	go func() { _, _ = io.Copy(io.Discard, p.em.em) }()
	in, keys := io.Pipe()
	p.in = keys
	o.Input, o.Output, o.Width, o.Height, o.Theme, o.NoColor, o.Scenarios = in, p.em, 160, 45, "dark", true, []*scenarios.Scenario{lesson()}
	go func() { p.done <- Run(lab, o) }()
	return p
}

// until waits for a text on the screen.
func (p *program) until(text string) {
	p.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !strings.Contains(p.em.String(), text) {
		select {
		case <-tick.C:
		case err := <-p.done:
			p.t.Fatalf("the program ended: %v", err)
		case <-p.deadline:
			p.t.Fatalf("%q never appears:\n%s", text, p.em.String())
		}
	}
}

func (p *program) keys(s string) { go func() { _, _ = io.WriteString(p.in, s) }() }

// end presses keys that leave the program.
func (p *program) end(s string) {
	p.t.Helper()
	p.keys(s)
	select {
	case err := <-p.done:
		if err != nil {
			p.t.Error(err)
		}
	case <-p.deadline:
		p.t.Fatalf("%s does not end the program", s)
	}
}

// TestProgramOnATerminal runs the whole program against an emulated terminal:
// what it shows after key presses must be what the frame says.
func TestProgramOnATerminal(t *testing.T) {
	const h = 45
	p := onTerminal(t, scripted(), Options{})
	p.until("focus 3 Console")
	p.keys("SELECT * FROM readings;\r")
	p.until("2 rows, 1 stale")
	p.keys("2")
	p.until("focus 2 Ring")
	got := strings.Split(p.em.String(), "\n")
	for i, l := range got {
		got[i] = strings.TrimRight(l, " \r")
	}
	b := newBench(t, scripted(), Options{})
	b.typeText("SELECT * FROM readings;\n")
	b.press("2")
	if plain := strings.TrimRight(b.view(), "\n"); strings.Join(got[:h], "\n") != plain {
		t.Errorf("the terminal shows\n%s\nand the frame says\n%s", strings.Join(got, "\n"), plain)
	}
	p.end("q")
}
