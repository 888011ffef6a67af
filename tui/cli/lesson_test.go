package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLessonFullOfMistakes: every mistake of a lesson's file is reported where it
// stands, files that are none are named, and the lessons behind them run.
func TestLessonFullOfMistakes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	file := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	self := "# Self\n> level: basic · minutes: 1 · from: a test\n\n## One\n\n```lab\nSOURCE 'loop.cql'\n```\n"
	file("loop.cql", "SOURCE 'loop.cql'\n")
	names := []string{
		file("broken.md", "# Broken\n> level: hard · minutes: 1 · from: a test\n\n## One\n\n```lab\n:dwn n3\n```\n"),
		file("open.md", "# Open\n\n```lab\n:status\n"),
		file("large.md", strings.Repeat("x", 10<<20)),
		"none.md",
		file("fails.md", "# Fails\n> level: basic · minutes: 1 · from: a test\n\n## One\n\n```lab\n:status\n:expect rows 7\n```\n"),
		file("self.md", self),
		file("fine.md", "# Fine\n> level: basic · minutes: 1 · from: a test\n\n## One\n\n```lab\n:status\n:expect rows 6\n```\n"),
	}
	var out, errs bytes.Buffer
	if status := Run(append([]string{"scenario", "run"}, names...), strings.NewReader(""), &out, &errs); status != 1 {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{`broken.md:2:3: level is basic, intermediate or advanced, not "hard"`, "broken.md:7:1: there is no command :dwn; did you mean :down?", "broken.md:7:there is no command",
		"open.md:3: this block is never closed", "large.md has 10.0 MB", `no scenario "none.md"`, "fails.md:8:expected 7 rows", "loop.cql:2:SOURCE goes more than 16 files deep"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("nothing says %q", want)
		}
	}
	var verdicts []string
	for _, line := range strings.Split(out.String(), "\n") {
		if strings.HasPrefix(line, "FAILED ") || strings.HasPrefix(line, "ok ") {
			verdicts = append(verdicts, strings.Join(strings.Fields(line), " "))
		}
	}
	if got, want := strings.Join(verdicts, ", "), "FAILED broken, FAILED open.md, FAILED large.md, FAILED none.md, FAILED fails, FAILED self, ok fine"; got != want {
		t.Errorf("verdicts %s", got)
	}
	if t.Failed() {
		t.Log(errs.String())
	}
}
