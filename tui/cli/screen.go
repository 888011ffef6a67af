package cli

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
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
			text := screen(lab, names[0], w, h, *look)
			if err := lab.Close(); err != nil {
				return err
			}
			if format == "svg" {
				text = svg(text, w, h)
			}
			_, err = io.WriteString(out, text)
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&size, "size", "160x45", "columns x lines")
	f.StringVar(&format, "format", "text", "text or svg")
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
func screen(h *host.Host, name string, w, height int, look tui.Options) string {
	look.Scenarios = scenarios.List()
	lab := &still{bench: bench{h}}
	text := tui.Screen(lab, name, w, height, look)
	for range 4 {
		before := text
		if text = tui.Screen(lab, name, w, height, look); text == before {
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

// The size of a cell in SVG, px.
const (
	cellWidth  = 8.4
	cellHeight = 18
)

// svg sets a screen in a monospace font, a text element a line, each exactly as
// wide as its cells.
func svg(text string, w, h int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.1f\" height=\"%d\" viewBox=\"0 0 %.1f %d\" font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\">\n",
		float64(w)*cellWidth, h*cellHeight, float64(w)*cellWidth, h*cellHeight)
	b.WriteString("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n")
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		line = strings.TrimRight(line, " ")
		if line == "" {
			continue
		}
		fmt.Fprintf(&b, "<text xml:space=\"preserve\" x=\"0\" y=\"%d\" textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#202020\">", i*cellHeight+14, float64(ansi.StringWidth(line))*cellWidth)
		if !utf8.ValidString(line) {
			line = strings.ToValidUTF8(line, "\uFFFD")
		}
		_ = xml.EscapeText(&b, []byte(line)) // a Builder takes everything
		b.WriteString("</text>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}
