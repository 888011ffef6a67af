package simulation

import (
	"runtime"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/render"
	"ringlab/engine/script"
)

// step plays a seed and gives all that was answered and that happened in a step.
func step(s *Script, o Options, n int) string {
	var b strings.Builder
	o.Keep = func(step int, text string) {
		if step == n {
			b.WriteString(text)
		}
	}
	Play(s, o)
	return b.String()
}

// TestSimulation plays the scripts of many seeds. Each is played again on another
// number of processors while everything is recorded for people: the records are the
// same, step by step. A third time nobody listens, which changes no answer.
func TestSimulation(t *testing.T) { simulate(t, New, 60) }

// TestSimulationBroken plays scripts in which disks break and files rot.
func TestSimulationBroken(t *testing.T) { simulate(t, Broken, 40) }

// TestSimulationRough plays scripts that change the ring whatever happens.
func TestSimulationRough(t *testing.T) { simulate(t, Rough, 30) }

func simulate(t *testing.T, draw func(seed uint64) *Script, few int) {
	seeds, err := Seeds(few)
	if err != nil {
		t.Fatal(err)
	}
	recorded := Options{Prepare: func(l *engine.Lab) { l.Record() }}
	processors := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(processors)
	for _, seed := range seeds {
		s := draw(seed)
		runtime.GOMAXPROCS(processors)
		sums, found := Play(s, Options{})
		if found != nil {
			short, f := Shrink(s, found, 200, func(s *Script) *Finding { _, f := Play(s, Options{}); return f })
			t.Errorf("seed %d (RINGLAB_SEED=%d runs it alone): %s\n%s", seed, seed, found, Lab(short, f))
			continue
		}
		runtime.GOMAXPROCS(1 + processors%4)
		again, _ := Play(draw(seed), recorded)
		if n := sums.Differ(again); n >= 0 {
			t.Fatalf("seed %d: the second time step %d, %q, gives other records:\n%s\n%s", seed, n, s.Steps[n].Lines, step(s, Options{}, n), step(s, recorded, n))
		}
		quiet, _ := Play(s, Options{Quiet: true})
		sums.All = nil
		if n := sums.Differ(quiet); n >= 0 {
			t.Fatalf("seed %d: listening changes the answers of step %d, %q:\n%s\n%s", seed, n, s.Steps[n].Lines, step(s, Options{}, n), step(s, Options{Quiet: true}, n))
		}
	}
	t.Logf("simulation: %d seeds", len(seeds))
}

// TestLab: what is printed of a finding is a script that gives the same answers.
func TestLab(t *testing.T) {
	for seed := range uint64(8) {
		s := New(seed)
		s.Steps = s.Steps[:len(s.Steps)-1] // the looks of the end leave no lines
		f := &Finding{Checker: "none", Text: "two\nlines"}
		for _, step := range s.Steps {
			if step.Epoch {
				break
			}
			f.Lines = append(f.Lines, step.Lines...)
		}
		want := answers(t, s.Ring, f.Lines)
		var lines []string
		for _, item := range script.Cut(Lab(s, f)) {
			lines = append(lines, item.Text)
		}
		ring, ok := strings.CutPrefix(lines[0], ":ring new ")
		if got := answers(t, ring, lines[1:]); !ok || got != want {
			t.Errorf("seed %d: the script gives\n%s\nnot\n%s", seed, got, want)
		}
	}
}

func answers(t *testing.T, ring string, lines []string) string {
	lab, err := engine.New(engine.Options{Ring: ring})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, l := range lines {
		for _, a := range lab.Do(l) {
			b.Write(render.JSON(a, true, false))
		}
	}
	return b.String()
}
