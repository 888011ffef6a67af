package scenarios_test

import (
	"strings"
	"testing"

	"ringlab/engine/admin"
	"ringlab/scenarios"
)

const mistakes = "# Broken\n" +
	"> level: hard · minutes: soon · form: me\n" +
	"\n" +
	"## One\n" +
	"\n" +
	"```lab\n" +
	":dwn n3\n" +
	"SELECT 1;\n" +
	"----\n" +
	":what is printed is no command\n" +
	"\n" +
	"  :exepct rows 1\n" +
	"```\n" +
	"\n" +
	"```sql\n" +
	"SELECT 1;\n" +
	"```\n" +
	"\n" +
	"```quiz\n" +
	"Which?\n\n1. a\n2. b\n\nanswer: 3\n" +
	"```\n" +
	"\n" +
	"```quiz\n" +
	"Why?\n" +
	"```\n" +
	"\n" +
	"```clue\n" +
	"```\n"

// known is what the lab says of a command.
func known(name string) (string, bool) {
	for _, c := range admin.Commands() {
		if c.Name == name {
			return "", true
		}
	}
	if name == "dwn" {
		return ":down", false
	}
	return "", false
}

func TestCheckNamesEveryMistake(t *testing.T) {
	s, problems := scenarios.Check("broken", mistakes, known)
	if s == nil || s.Title != "Broken" {
		t.Fatal("a lesson with mistakes can be shown all the same")
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.Error())
	}
	want := []string{
		`2:3: level is basic, intermediate or advanced, not "hard"`,
		`2:18: minutes is a whole number from 1 on, not "soon"`,
		`2:35: there is no "form" here: level, minutes and from are`,
		`7:1: there is no command :dwn; did you mean :down?`,
		`12:3: there is no command :exepct`,
		"15:4: a block is lab, cql, cli, quiz or clue, not \"sql\"",
		`20:1: the answer is "3", but there is no such option`,
		"29:1: the quiz has no line `answer: …`",
		`33:1: the clue is empty`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("mistakes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCheckOfWhatCannotBeShown(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"ten megabytes", strings.Repeat("# x\n", 10<<20/4), "1:1: the file has 10.0 MB"},
		{"no title", "text\n", "1:1: a scenario begins with a title"},
		{"open block", "# T\n\n```lab\n:ring\n", "3:1: this block is never closed"},
		{"no step", "# T\n\ntext\n", "1:1: there is no step"},
		{"zeros", "# T\x00\n## \x00\n```\x00\n```\n", "3:4: a block is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := scenarios.Check("x", c.text, known)
			if len(problems) == 0 || !strings.HasPrefix(problems[0].Error(), c.want) {
				t.Errorf("problems %v, want one that begins with %s", problems, c.want)
			}
		})
	}
}

func TestLessonsHaveNoMistake(t *testing.T) {
	for _, s := range scenarios.List() {
		if _, problems := scenarios.Check(s.Name, s.Source, known); len(problems) > 0 {
			t.Errorf("%s.md:%s", s.Name, problems[0].Error())
		}
	}
}

func TestPathTakesAnHour(t *testing.T) {
	minutes := 0
	for i, name := range scenarios.Path {
		minutes += load(t, name).Minutes
		if scenarios.OnPath(name) != i+1 {
			t.Errorf("%s is on the path twice", name)
		}
	}
	if len(scenarios.Path) != 10 || minutes < 50 || minutes > 70 {
		t.Errorf("the path has %d lessons and %d minutes; ten in about an hour are meant", len(scenarios.Path), minutes)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(mistakes)
	f.Add("# T\n```quiz\n---\n1\n```")
	f.Fuzz(func(t *testing.T, text string) {
		s, problems := scenarios.Check("x", text, known)
		if s == nil && len(problems) == 0 {
			t.Error("neither a lesson nor a reason")
		}
		for _, p := range problems {
			if p.Line < 1 || p.Line > strings.Count(text, "\n")+1 || p.Column < 1 {
				t.Errorf("%v is no place in the file", p)
			}
		}
	})
}
