package headless

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/render"
	"ringlab/scenarios"
)

// ListScenarios prints what lessons there are.
func ListScenarios(out io.Writer) error {
	a := &answer.Answer{Rows: [][]answer.Cell{}}
	for _, c := range []string{"name", "title", "level", "minutes", "from"} {
		a.Columns = append(a.Columns, answer.Column{Name: c, Type: "text"})
	}
	for _, s := range scenarios.List() {
		a.Rows = append(a.Rows, []answer.Cell{{Text: s.Name}, {Text: s.Title}, {Text: s.Level}, {Text: fmt.Sprint(s.Minutes)}, {Text: s.From}})
	}
	_, err := io.WriteString(out, render.Table(a, false))
	return err
}

// ShowScenario prints a lesson as it is written.
func ShowScenario(name string, out io.Writer) error {
	s, err := findScenario(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, s.Source)
	return err
}

// findScenario takes a lesson that comes with ringlab, or a Markdown file.
func findScenario(name string) (*scenarios.Scenario, error) {
	if strings.HasSuffix(name, ".md") {
		if info, err := os.Stat(name); err == nil && info.Size() > scenarios.MostBytes {
			return nil, fmt.Errorf("%s %s", name, scenarios.TooLong(info.Size()))
		}
		if text, err := os.ReadFile(name); err == nil {
			return scenarios.Parse(strings.TrimSuffix(name, ".md"), string(text))
		}
	}
	return scenarios.Load(name)
}

// knownCommand says whether there is a lab command of a name, or else what it
// may be meant to be.
func knownCommand(name string) (near string, ok bool) {
	if slices.ContainsFunc(admin.Commands(), func(c *admin.Command) bool { return c.Name == name }) {
		return "", true
	}
	return admin.Meant(name), false
}

// RunScenarios runs lessons one after the other, each on a new lab, and says
// whether one of them did not go as it expects.
func RunScenarios(names []string, all bool, o LabOptions, output Output, out, errs io.Writer) (failed bool, err error) {
	if all {
		names = nil
		for _, s := range scenarios.List() {
			names = append(names, s.Name)
		}
	}
	for _, name := range names {
		s, err := findScenario(name)
		if err != nil && len(names) == 1 {
			return true, err
		}
		if err != nil {
			fmt.Fprintln(errs, "ringlab: "+err.Error())
			fmt.Fprintf(out, "%-6s %s\n", "FAILED", name)
			failed = true
			continue
		}
		mistakes := false
		if !all {
			_, problems := scenarios.Check(s.Name, s.Source, knownCommand)
			for _, p := range problems {
				fmt.Fprintf(errs, "%s.md:%s\n", s.Name, p.Error())
			}
			mistakes = len(problems) > 0
		}
		lab, err := NewLab(o)
		if err != nil {
			return true, err
		}
		r := &Runner{Out: out, Err: errs, Output: output}
		r.Do, r.Expand = Direct(lab)
		if all {
			r.Out = io.Discard
		}
		if err := r.Markdown(s.Name+".md", s.Source); err != nil && !Stopped(err) {
			return true, err
		}
		failed = failed || r.Failed() || mistakes
		verdict := "ok"
		if r.Failed() || mistakes {
			verdict = "FAILED"
		}
		if all || len(names) > 1 {
			fmt.Fprintf(out, "%-6s %s\n", verdict, s.Name)
		}
	}
	return failed, nil
}

const newScenario = `# %s
> level: basic · minutes: 5 · from: a lesson of your own

What somebody learns here, in one paragraph.

## The first step

Say what happens and why.

` + "```lab" + `
:ring new dc1=3
CREATE KEYSPACE lesson WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};
CREATE TABLE lesson.notes (id int PRIMARY KEY, text text);
INSERT INTO lesson.notes (id, text) VALUES (1, 'hello');
SELECT * FROM lesson.notes WHERE id = 1;
:expect rows 1
:expect cell 1 text = hello
` + "```" + `
`

// NewScenario writes the beginning of a lesson to NAME.md; it never replaces a
// file.
func NewScenario(name string, out io.Writer) error {
	path := strings.TrimSuffix(name, ".md") + ".md"
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s exists already; choose another name", path)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, newScenario, strings.TrimSuffix(name, ".md")); err != nil {
		return err
	}
	fmt.Fprintf(out, "Wrote %s; `ringlab scenario run %s` runs it.\n", path, path)
	return nil
}
