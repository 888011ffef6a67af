package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ringlab/engine"
	"ringlab/engine/host"
	"ringlab/engine/view"
	"ringlab/scenarios"
	"ringlab/tui"
)

func screenCommand(look *tui.Options, out, errs io.Writer) *cobra.Command {
	var size, format, file string
	c := &cobra.Command{
		Use:   "screen NAME",
		Short: "Print one screen of the workbench, for documents and tests",
		Long:  "Print one screen of the workbench, for documents and tests: " + strings.Join(tui.Screens(), ", ") + ".",
		Args: func(_ *cobra.Command, names []string) error {
			if len(names) != 1 || !slices.Contains(tui.Screens(), names[0]) {
				return usage{fmt.Errorf("name one screen: %s", strings.Join(tui.Screens(), ", "))}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, names []string) error {
			w, h, err := parseSize(size)
			if err != nil {
				return usage{err}
			}
			if format != "text" && format != "svg" {
				return usage{fmt.Errorf("--format is text or svg, not %q", format)}
			}
			store, err := lookAt(file, errs)
			if err != nil {
				return err
			}
			lab := host.New(store)
			draw := tui.Screen
			if format == "svg" {
				draw = tui.ScreenSVG
			}
			text := screen(lab, draw, names[0], w, h, *look)
			if err := lab.Close(); err != nil {
				return err
			}
			_, err = io.WriteString(out, text)
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&size, "size", "160x45", "columns x lines")
	f.StringVar(&format, "format", "text", "text or svg")
	f.StringVar(&look.Table, "table", "", "the table that is looked at, with its keyspace")
	f.StringVar(&look.Key, "key", "", "with --table, the partition that is selected")
	f.StringVar(&look.Theme, "theme", "", "the colours of an SVG")
	f.StringVarP(&file, "workspace", "w", "", "show the lab of this workspace, which is only read; without it, a new default lab")
	return c
}

// lookAt opens a workspace for reading, or makes a lab that nothing is stored of.
func lookAt(file string, errs io.Writer) (*host.Store, error) {
	if file != "" {
		return openStore(file, host.OpenOptions{Record: true, ReadOnly: true}, errs)
	}
	lab, err := engine.New(engine.Options{})
	if err != nil {
		return nil, err
	}
	lab.Record()
	return host.Memory(lab), nil
}

// parseSize reads 160x45.
func parseSize(s string) (w, h int, err error) {
	left, right, ok := strings.Cut(s, "x")
	w, e1 := strconv.Atoi(left)
	h, e2 := strconv.Atoi(right)
	if !ok || e1 != nil || e2 != nil || w < 1 || h < 1 || w > 1000 || h > 1000 {
		return 0, 0, fmt.Errorf("--size is columns x lines, each from 1 to 1000, for example 160x45; not %q", s)
	}
	return w, h, nil
}

// screen draws until the picture has what the panes ask for: they ask for more
// once they see what there is.
func screen(h *host.Host, draw func(tui.Lab, string, int, int, tui.Options) string, name string, w, height int, look tui.Options) string {
	look.Scenarios = scenarios.List()
	lab := &still{bench: bench{h}}
	text := draw(lab, name, w, height, look)
	for range 4 {
		before := text
		if text = draw(lab, name, w, height, look); text == before {
			break
		}
	}
	return text
}

// still is a lab that waits until what a pane needs is there, and that keeps no
// layout.
type still struct {
	bench
	need view.Need
}

func (s *still) Show(n view.Need) {
	if n == s.need {
		return
	}
	s.need = n
	s.Host.Show(n)
	for range s.Do("") { // an input behind it: when it is over, the picture is there
	}
}

func (s *still) SaveUI([]byte) {}
