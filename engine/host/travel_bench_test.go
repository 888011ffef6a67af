package host

import (
	"fmt"
	"path/filepath"
	"testing"

	"ringlab/engine"
)

// BenchmarkUndo takes one of 10,000 statements back, and one of 10,000 on a
// branch that was left: a lab is built anew for the first, and none for the other.
func BenchmarkUndo(b *testing.B) {
	s, err := Open(filepath.Join(b.TempDir(), "lab.ringlab"), OpenOptions{Epoch: engine.DefaultEpoch})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	run := func(text string) {
		answers, receipt := s.Run(text)
		s.Commit(receipt, func(error) {})
		if len(answers) == 0 || answers[0].Error != nil {
			b.Fatal(text, answers)
		}
	}
	for _, text := range lines(tables) {
		run(text)
	}
	for i := range 10_000 {
		run(fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (%d, %d, 'some text of usual length')", i%100, i))
	}
	run(":fork b")
	run("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'x')")
	b.Run("anew", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			run(":undo")
			b.StopTimer()
			s.parked = nil
			run("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'x')")
			b.StartTimer()
		}
	})
	b.Run("parked", func(b *testing.B) {
		b.ReportAllocs()
		run(":branch main")
		for b.Loop() {
			run(":branch b")
			run(":branch main")
		}
	})
}

// BenchmarkRun is one statement with its journal in memory, as a script without
// a workspace runs it.
func BenchmarkRun(b *testing.B) {
	lab, err := engine.New(engine.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s := Memory(lab)
	for _, text := range lines(tables) {
		s.Run(text)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		s.Run(fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (%d, %d, 'some text of usual length')", i%100, i))
	}
}
