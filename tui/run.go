package tui

import (
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Run shows the workbench until it is left.
func Run(lab Lab, opts Options) error {
	if v, ok := os.LookupEnv("NO_COLOR"); ok && v != "" {
		opts.NoColor = true
	}
	if os.Getenv("REDUCED_MOTION") == "1" {
		opts.ReducedMotion = true
	}
	a := newApp(lab, opts)
	_, err := tea.NewProgram(a, programOptions(opts)...).Run()
	a.leave()
	return err
}

func programOptions(opts Options) []tea.ProgramOption {
	// 40 frames a second: a key shows within 25 ms, and an idle screen costs little.
	list := []tea.ProgramOption{tea.WithFPS(40)}
	if opts.Input != nil {
		list = append(list, tea.WithInput(opts.Input))
	}
	if opts.Output != nil {
		list = append(list, tea.WithOutput(opts.Output))
	}
	if opts.NoColor {
		list = append(list, tea.WithColorProfile(colorprofile.ASCII))
	}
	if opts.Width > 0 && opts.Height > 0 {
		list = append(list, tea.WithWindowSize(opts.Width, opts.Height))
	}
	return list
}

// Screens are the names that Screen takes.
func Screens() []string {
	names := []string{"workbench"}
	for _, p := range paneNames[1:] {
		names = append(names, strings.ToLower(p))
	}
	return append(names, "help", "palette", "messages", "timeline")
}

// Screen renders one screen as plain text: "workbench", a pane's name in lower
// case for that pane at full size, "help", "palette", "messages" or "timeline".
func Screen(lab Lab, name string, w, h int, opts Options) string {
	opts.Width, opts.Height = w, h
	a := newApp(lab, opts)
	for i, p := range paneNames {
		if i > 0 && strings.EqualFold(p, name) {
			a.focus, a.zoom = i, 2
			if i != 3 {
				a.last = i
			}
		}
	}
	switch name {
	case "help", "palette", "messages", "timeline":
		a.perform(name)
	}
	a.touchAll()
	return a.plain()
}

// plain is the whole screen as text without styles.
func (a *App) plain() string {
	places := layout(a.w, a.h, a.zoom, a.focus, a.last)
	c := a.tooSmall()
	if places != nil {
		c = a.canvas(places)
	}
	return strings.Join(c.Plain(), "\n") + "\n"
}
