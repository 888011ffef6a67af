package admin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"ringlab/engine"
	"ringlab/engine/admin"
	"ringlab/engine/render"
	"ringlab/engine/script"
)

// TestCommands runs testdata/*.txt: `lab RING` starts a lab, `run` gives it the
// lines below and shows what each answers, `cli` does so in the classic language.
func TestCommands(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var lab *engine.Lab
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "lab":
				var words []string
				for _, a := range d.CmdArgs {
					words = append(words, a.String())
				}
				var err error
				if lab, err = engine.New(engine.Options{Ring: strings.Join(words, " ")}); err != nil {
					return err.Error() + "\n"
				}
				return ""
			case "run":
				return run(lab, script.Reader{}, d.Input)
			case "cli":
				return run(lab, script.Reader{Classic: true}, d.Input)
			case "journey":
				return journeys(d.Input)
			case "changed":
				return changed(t, d)
			}
			d.Fatalf(t, "no such command: %s", d.Cmd)
			return ""
		})
	})
}

// run gives what the statements and commands of a text print, each behind its
// own text where there are several.
func run(lab *engine.Lab, cut script.Reader, text string) string {
	var b strings.Builder
	items := cut.Cut(text)
	for _, it := range items {
		if len(items) > 1 {
			b.WriteString("> " + strings.TrimPrefix(it.Text, script.ClassicCommand) + "\n")
		}
		for _, a := range lab.Do(it.Text) {
			out := strings.Trim(render.Text(a, lab.Expand()), "\n")
			if out != "" {
				b.WriteString(out + "\n")
			}
		}
	}
	return b.String()
}

// TestEveryCommandIsShown: each command does something, has help and stands in
// testdata.
func TestEveryCommandIsShown(t *testing.T) {
	var all strings.Builder
	files, _ := filepath.Glob("testdata/*.txt")
	more, _ := filepath.Glob("testdata/classic/*.txt")
	files = append(files, more...)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	for _, c := range admin.Commands() {
		switch {
		case c.Help == "":
			t.Errorf(":%s has no help", c.Name)
		case c.Run == nil:
			t.Errorf(":%s does nothing", c.Name)
		case !strings.Contains(all.String(), "\n:"+c.Name):
			t.Errorf(":%s is not in testdata", c.Name)
		}
	}
}
