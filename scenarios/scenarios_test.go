package scenarios_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"ringlab/engine/headless"
	"ringlab/engine/script"
	"ringlab/scenarios"
)

// names are the lessons' files: List leaves out what it cannot parse, so the
// tests look at the folder.
func names(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".md"); ok {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		t.Fatal("there are no lessons")
	}
	return out
}

// load parses a lesson; a parse error fails the test.
func load(t *testing.T, name string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLessonsRun(t *testing.T) {
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			failed, err := headless.RunScenarios([]string{name}, false, headless.LabOptions{}, headless.Table, &out, &errs)
			if err != nil {
				t.Fatal(err)
			}
			if failed || errs.Len() > 0 {
				t.Errorf("the lesson did not go as it expects:\n%s", errs.String())
			}
		})
	}
}

func TestLessonsAreComplete(t *testing.T) {
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			s := load(t, name)
			if !slices.Contains([]string{"basic", "intermediate", "advanced"}, s.Level) || !strings.Contains(s.Source, "level: "+s.Level) {
				t.Errorf("level is %q; it is written `> level: basic`, intermediate or advanced", s.Level)
			}
			if s.Minutes < 1 {
				t.Error("`minutes:` is missing from the line below the title")
			}
			if s.From == "" {
				t.Error("`from:` is missing from the line below the title")
			}
			if s.Summary == "" {
				t.Error("a paragraph below the title says what the lesson is about")
			}
			if len(s.Steps) < 2 {
				t.Errorf("it has %d steps; a lesson has at least two", len(s.Steps))
			}
			for _, step := range s.Steps {
				if len(step.Parts) == 0 {
					t.Errorf("step %q is empty", step.Title)
				}
			}
		})
	}
}

// TestLessonsCheck makes sure that a block's statements are followed by checks
// somewhere: a lesson without them proves nothing.
func TestLessonsCheck(t *testing.T) {
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			checks, quizzes := 0, 0
			for _, step := range load(t, name).Steps {
				for _, p := range step.Parts {
					switch p.Lang {
					case "":
					case "quiz":
						quizzes++
						checkQuiz(t, name, p)
					case "clue":
						if strings.TrimSpace(p.Text) == "" {
							t.Errorf("%s.md:%d: the clue is empty", name, p.Line)
						}
					case "lab", "cql", "cli":
						checks += checksIn(t, name, p)
					default:
						t.Errorf("%s.md:%d: a block is lab, cql, cli, quiz or clue, not %q", name, p.Line-1, p.Lang)
					}
				}
			}
			if checks == 0 {
				t.Error("no :expect and no expected output: the lesson proves nothing")
			}
			if quizzes == 0 {
				t.Error("no quiz: a lesson asks for a prediction before it runs")
			}
		})
	}
}

// checksIn counts what a block checks. Expected output that follows an :expect
// would be compared with the :expect's own answer.
func checksIn(t *testing.T, name string, p scenarios.Part) int {
	t.Helper()
	checks, afterExpect := 0, false
	for _, it := range script.Cut(p.Text) {
		expect := it.Kind == script.Lab && strings.HasPrefix(it.Text, ":expect ")
		if it.Kind == script.Expect {
			if afterExpect {
				t.Errorf("%s.md:%d: expected output stands right below its statement, before any :expect", name, p.Line+it.Line-1)
			}
			if strings.TrimSpace(it.Text) == "" {
				t.Errorf("%s.md:%d: the expected output is empty", name, p.Line+it.Line-1)
			}
		}
		if expect || it.Kind == script.Expect {
			checks++
		}
		afterExpect = expect
	}
	return checks
}

// checkQuiz looks for a question, numbered options, an answer that is one of
// them, and its explanation.
func checkQuiz(t *testing.T, name string, p scenarios.Part) {
	t.Helper()
	question, reply, ok := strings.Cut(p.Text, "\nanswer: ")
	if !ok {
		t.Errorf("%s.md:%d: the quiz has no line `answer: N`", name, p.Line)
		return
	}
	number, why, _ := strings.Cut(reply, "\n")
	if !strings.Contains(question, "\n"+number+". ") {
		t.Errorf("%s.md:%d: the answer is %s, but there is no such option", name, p.Line, number)
	}
	if !strings.Contains(question, "\n1. ") || !strings.Contains(question, "\n2. ") {
		t.Errorf("%s.md:%d: a quiz has at least two options", name, p.Line)
	}
	if strings.TrimSpace(why) == "" {
		t.Errorf("%s.md:%d: the answer is not explained", name, p.Line)
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no title", "just text\n", "begins with a title"},
		{"open block", "# T\n\n## S\n\n```lab\n:ring\n", "x.md:5: this block is never closed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scenarios.Parse("x", c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
		})
	}
	s, err := scenarios.Parse("x", "# Title\n> level: advanced · minutes: 7 · from: R1, Z1 (an article)\n\nOne\nparagraph.\n\nAnother.\n\n## First\n\nText.\n\n```lab\n:ring\n```\n\n## Second\n")
	if err != nil {
		t.Fatal(err)
	}
	if s.Title != "Title" || s.Level != "advanced" || s.Minutes != 7 || s.From != "R1, Z1 (an article)" || s.Summary != "One paragraph." {
		t.Errorf("head is %+v", s)
	}
	if len(s.Steps) != 2 || s.Steps[0].Script() != ":ring\n" || len(s.Steps[0].Parts) != 2 || s.Steps[0].Parts[1].Line != 14 {
		t.Errorf("steps are %+v", s.Steps)
	}
}

func TestListCounts(t *testing.T) {
	at := map[string]int{}
	for i, s := range scenarios.List() {
		at[s.Name] = i
	}
	order := []string{"00-first-ring", "b1-books-by-isbn", "b13-change-the-key", "m2-wide-row", "m10-better-key", "u2-users-by-id", "u10-static-column"}
	for i := 1; i < len(order); i++ {
		if at[order[i-1]] >= at[order[i]] {
			t.Errorf("%s is lesson %d, %s lesson %d", order[i-1], at[order[i-1]], order[i], at[order[i]])
		}
	}
}

func TestLoadUnknown(t *testing.T) {
	if _, err := scenarios.Load("no-such-lesson"); err == nil || !strings.Contains(err.Error(), "ringlab scenario list") {
		t.Errorf("error is %v; it should name the command that lists lessons", err)
	}
}
