package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringlab/scenarios"
)

// asking is a lesson whose question stands before the block that answers it.
const asking = "# Asking\n> level: basic · minutes: 2 · from: a test\n\nText.\n\n## First\n\n```quiz\nHow many?\n\n1. One\n2. Two\n\nanswer: 2\nIt is two.\n```\n\n" +
	"```clue\nMore than one.\n```\n\n```lab\nSELECT * FROM readings;\n```\n\n## Second\n\n```lab\n:expect rows 3\n```\n"

func asked(t *testing.T) *bench {
	b := newBench(t, scripted(), Options{})
	s, err := scenarios.Parse("asking", asking)
	if err != nil {
		t.Fatal(err)
	}
	b.app.guide.all = append(b.app.guide.all, s)
	b.app.guide.order("path")
	b.typeText(":scenario asking\n")
	if b.app.guide.open != s || b.app.focus != 6 {
		t.Fatal(":scenario does not open the lesson")
	}
	return b
}

func shows(t *testing.T, b *bench, yes bool, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(b.view(), text) != yes {
			t.Errorf("%q is %s on the screen\n%s", text, pick(yes, "not", "there"), b.view())
		}
	}
}

// TestPredictionComesFirst: the block behind a question runs only when somebody
// has predicted, or said that they do not; then the answer shows.
func TestPredictionComesFirst(t *testing.T) {
	b := asked(t)
	before := len(b.lab.did)
	b.press("enter")
	shows(t, b, true, "predict: How many?", "2  Two", "no prediction")
	b.press("2")
	shows(t, b, true, "your pick: 2")
	shows(t, b, false, "It is two.")
	if len(b.lab.did) != before {
		t.Fatal("something ran before the prediction")
	}
	b.press("enter")
	shows(t, b, true, "✓ right", "It is two.", "✓ done", "✓ your pick 2 was right")
	b.press("n", "enter")
	shows(t, b, true, "✗ not as expected")
	b.press("n")
	shows(t, b, true, "that was the last step: 1 of 1 predictions right, 0 clues, 1 of 2 blocks done")
	b.press("esc")
	shows(t, b, true, "★ ten lessons for newcomers", "✓ 1/1")
}

// TestAnswersAndCluesCount: what is looked up is no prediction, and clues are
// counted once.
func TestAnswersAndCluesCount(t *testing.T) {
	b := asked(t)
	b.press("c", "n", "b", "c", "a")
	shows(t, b, true, "More than one.", "a again shows the answer")
	shows(t, b, false, "It is two.")
	b.press("a")
	shows(t, b, true, "It is two.")
	b.press("enter")
	if got := b.app.guide.score().String(); got != "0 of 1 predictions right, 1 clue, 1 answer looked up, 1 of 2 blocks done" {
		t.Errorf("score: %s", got)
	}
}

// TestGuideCommands are those that the guide's keys have, typed.
func TestGuideCommands(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	for _, c := range []string{":next", ":clue", ":answer 1", ":goto 2"} {
		b.typeText(c + "\n")
		shows(t, b, true, "none is open")
	}
	b = asked(t)
	typed := func(s string) {
		b.app.setFocus(3)
		b.typeText(s + "\n")
	}
	for _, c := range []struct{ text, shown string }{
		{":answer 3", "options 1 to 2"}, {":answer x", "number of an option"}, {":answer 1", "your pick: 1"}, {":clue", "More than one."}, {":goto 3", "the steps 1 to 2"},
		{":goto 2", "step 2 of 2"}, {":next", "that was the last step"}, {":scenario askin", "did you mean asking?"}, {":scenario", "enter opens the lesson"},
	} {
		typed(c.text)
		shows(t, b, true, c.shown)
	}
}

// TestProgressIsKept: predictions, clues and scores come back with the workspace.
func TestProgressIsKept(t *testing.T) {
	b := asked(t)
	b.press("p", "2", "c", "enter", "n", "enter", "n")
	b.app.save()
	again := newApp(b.lab, Options{Scenarios: b.app.guide.all})
	if got, want := again.guide.score(), b.app.guide.score(); got != want || again.guide.best["asking"] != "✓ 1/1" {
		t.Errorf("score %v, was %v; best %v", got, want, again.guide.best)
	}
}

// known has the two commands of the lessons here.
func known(name string) (string, bool) { return "down", name == "down" || name == "expect" }

// save writes a lesson's file as an editor does.
func save(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+"~", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+"~", path); err != nil {
		t.Fatal(err)
	}
}

// TestLessonFileIsReadAgain: a lesson that is being written shows its mistakes at
// line and column, and what was done stays done while other parts change.
func TestLessonFileIsReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.md")
	save(t, path, asking)
	b := newBench(t, scripted(), Options{})
	look := func(first bool) {
		f := lessonFile{path: path}
		if b.app.guide.file != nil {
			f = *b.app.guide.file
		}
		b.send(readLesson(f, first, known))
	}
	look(true)
	b.press("6")
	b.press("enter", "2", "enter")
	shows(t, b, true, "✓ done", "read again when it is saved")

	save(t, path, strings.Replace(asking, ":expect rows 3", ":dwn n3", 1)+"\n```sql\n```\n")
	look(false)
	shows(t, b, true, "own.md:29:1: there is no command :dwn", "✗ 32:4: a block is lab, cql, cli, quiz or clue", "✓ done", "✓ right")

	save(t, path, asking+"```lab\n")
	look(false)
	shows(t, b, true, "this block is never closed", "✓ done")

	save(t, path, strings.Repeat("x", 10<<20))
	look(false)
	shows(t, b, true, "the file has 10.0 MB", "✓ done")

	os.Remove(path)
	look(false)
	shows(t, b, true, "✓ done")

	save(t, path, asking)
	look(false)
	shows(t, b, false, "✗")
	shows(t, b, true, "own.md is read again")
	b.press("n", "enter")
	shows(t, b, true, ":29:1", "expected 3 rows, got 2")
}

// TestLessonFileThatIsNone: what cannot be a lesson is said, and the guide stays.
func TestLessonFileThatIsNone(t *testing.T) {
	dir := t.TempDir()
	b := asked(t)
	for _, c := range []struct{ path, text, shown string }{
		{filepath.Join(dir, "none.md"), "", "no such file"}, {dir, "", "it is not a file"}, {filepath.Join(dir, "text.md"), "text\n", "text.md:1:1: a scenario begins with a title"},
	} {
		if c.text != "" {
			save(t, c.path, c.text)
		}
		b.send(readLesson(lessonFile{path: c.path}, true, known))
		shows(t, b, true, c.shown, "Asking, step 1 of 2")
	}
}
