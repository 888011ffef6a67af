package tui

import (
	"os"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"ringlab/tui/draw"
)

// leastThreads may run Go at once: the lab, the collector of garbage, and whatever a
// key passes through until it is on the screen.
const leastThreads = 4

// framesASecond bounds what a terminal, and the network before it, has to take.
const framesASecond = 40

// Run shows the workbench until it is left.
func Run(lab Lab, opts Options) error {
	if v, ok := os.LookupEnv("NO_COLOR"); ok && v != "" {
		opts.NoColor = true
	}
	if os.Getenv("REDUCED_MOTION") == "1" {
		opts.ReducedMotion = true
	}
	if os.Getenv("GOMAXPROCS") == "" { // a key goes through several goroutines: none is to wait for the lab's turn to end
		runtime.GOMAXPROCS(max(runtime.NumCPU(), leastThreads))
	}
	a := newApp(lab, opts)
	_, err := tea.NewProgram(a, programOptions(opts)...).Run()
	a.leave()
	return err
}

func programOptions(opts Options) []tea.ProgramOption {
	list := []tea.ProgramOption{tea.WithFPS(framesASecond)}
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
	return append(names, "strip", "placement", "files", "consistency", "help", "palette", "messages", "timeline", "wizard", "home", "events")
}

// Screen renders one screen as plain text, by one of the names of Screens.
func Screen(lab Lab, name string, w, h int, opts Options) string {
	return screen(lab, name, w, h, opts).plain()
}

// ScreenSVG is Screen as a picture in the colours of the theme.
func ScreenSVG(lab Lab, name string, w, h int, opts Options) string {
	a := screen(lab, name, w, h, opts)
	return draw.SVG(a.screenCanvas(), a.th.page(), a.th.ink)
}

func screen(lab Lab, name string, w, h int, opts Options) *App {
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
	ring := a.pieces[2].pane.(*ringPane)
	switch name {
	case "help", "palette", "messages", "timeline", "home", "events":
		a.perform(name)
	case "strip", "placement":
		a.focus, a.last, a.zoom, ring.mode = 2, 2, 2, name
	case "consistency":
		a.focus, a.last, a.zoom = 4, 4, 2
	case "files":
		a.focus, a.last, a.zoom, a.storage.mapped = 5, 5, 2, true
	case "wizard":
		a.openWizard()
	}
	a.touchAll()
	a.lenses()
	a.look()
	a.touchAll()
	return a
}

// plain is the whole screen as text without styles.
func (a *App) plain() string { return strings.Join(a.screenCanvas().Plain(), "\n") + "\n" }

// screenCanvas is the whole screen as cells.
func (a *App) screenCanvas() *draw.Canvas {
	if places := a.layout(); places != nil {
		return a.canvas(places)
	}
	return a.tooSmall()
}
