package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"ringlab/engine/answer"
	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// App is the only tea.Model. It routes messages, owns size, focus and the
// latest picture, and leaves everything else to panes and overlays.
type App struct {
	lab  Lab
	opts Options
	now  func() time.Time
	stop chan struct{}

	w, h       int
	v          *view.View
	need       view.Need
	th         *Theme
	chosenTh   bool // the theme was chosen, not guessed
	focus      int
	last       int // the pane looked at before the console
	zoom       int // 0 normal, 1 half, 2 full
	over       overlay
	pieces     [pieceCount]piece
	console    *consolePane
	guide      *guidePane
	storage    *storagePane
	design     string // of the wizard, when it was closed
	footSpots  []spot
	tabSpots   []spot
	overCursor [2]int
	whole      draw.Canvas // the screen while an overlay is open
	encoder    draw.Encoder

	heard      uint64   // the last request of a driver that was shown
	recent     []string // entries of the palette, the last taken first
	trail      *trail
	presenting presenter
	turned     int // operation whose key the panes show
	running    *job
	queue      []*job
	fixes      []answer.Fix
	status     draw.Line
	statusSeq  int
	messages   []draw.Line
	mouseOff   bool
	blurred    bool
	ticking    bool
	lastTick   time.Time
	speed      string // to run at after a pause
	armed      time.Time
	clicked    click
	sizes      shares // of the panes
	dragged    drag
	saved      string
	crossings  int // limits passed that are in the log
	leaving    bool
}

type click struct {
	x, y int
	at   time.Time
}

// newApp builds the workbench around a lab.
func newApp(lab Lab, opts Options) *App {
	a := &App{lab: lab, opts: opts, now: time.Now, stop: make(chan struct{}), focus: 3, last: 2, speed: "1x", v: lab.View()}
	a.console = &consolePane{lab: lab, vi: vi{on: viKeys}, past: append([]string(nil), lab.History()...)}
	a.console.pastAt = len(a.console.past)
	a.guide = &guidePane{all: opts.Scenarios, best: map[string]string{}}
	a.guide.order("path")
	a.storage = &storagePane{}
	for i, p := range []pane{1: &schemaPane{}, 2: &ringPane{}, 3: a.console, 4: &tracePane{}, 5: a.storage, 6: a.guide} {
		a.pieces[i].pane = p
	}
	a.th = themeNamed(opts.Theme)
	a.chosenTh = opts.Theme != ""
	a.load()
	if opts.NoColor {
		a.th, a.chosenTh = themeNamed("none"), true
	}
	if ks, table, ok := strings.Cut(opts.Table, "."); ok {
		a.need.Keyspace, a.need.Table, a.need.Key = ks, table, opts.Key
	}
	if opts.Notice != "" {
		a.say(Warn, opts.Notice)
	}
	a.w, a.h = opts.Width, opts.Height
	a.look()
	a.ticking = false // Init arms the clock
	return a
}

// Init starts the wait for pictures.
func (a *App) Init() tea.Cmd {
	return tea.Batch(a.wake(), a.look(), tea.RequestBackgroundColor)
}

// Update routes one message.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := a.route(msg)
	a.lenses()
	return a, cmd
}

func (a *App) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if a.opts.Width == 0 || a.opts.Height == 0 {
			a.w, a.h = msg.Width, msg.Height
		}
	case tea.KeyPressMsg:
		a.lab.Hurry()
		return a.key(msg)
	case tea.PasteMsg:
		return a.paste(msg.Content)
	case tea.MouseClickMsg:
		a.lab.Hurry()
		return a.click(msg.Mouse())
	case tea.MouseMotionMsg:
		a.pull(msg.Mouse())
	case tea.MouseReleaseMsg:
		a.drop()
	case tea.MouseWheelMsg:
		a.wheel(msg.Mouse())
		if a.running == nil { // the wheel may have moved the lab
			return a.nextJob()
		}
	case tea.FocusMsg:
		a.blurred = false
	case tea.BlurMsg:
		a.blurred = true
	case tea.BackgroundColorMsg:
		if !a.chosenTh {
			a.th = themeNamed(pick(msg.IsDark(), "dark", "light"))
		}
	case tea.ColorProfileMsg:
		if !a.chosenTh && msg.Profile == colorprofile.ANSI {
			a.th, a.chosenTh = themeNamed("16-colour"), true
		}
	case snapMsg:
		return tea.Batch(a.look(), a.arrived(), a.wake())
	case tickMsg:
		return a.tick(time.Time(msg))
	case answersMsg:
		return a.took(msg)
	case lessonMsg:
		return a.tookLesson(msg)
	case playMsg:
		return a.played(msg)
	case busyMsg:
		return a.showBusy(msg.job)
	case edited:
		return a.tookEdited(msg)
	case exported:
		return a.wasExported(msg)
	case clockMsg:
		if a.presenting.on {
			a.touchAll()
			return a.clockTick()
		}
	case quietMsg:
		if int(msg) == a.statusSeq {
			a.status = draw.Line{}
		}
	}
	return nil
}

// touch says that the own state of a piece changed.
func (a *App) touch(n int) { a.pieces[n].version++ }

func (a *App) touchAll() {
	for i := range a.pieces {
		a.pieces[i].version++
	}
}

// scene is what pane n may know.
func (a *App) scene(n int) *Scene {
	return &Scene{V: a.v, Need: a.need, Focused: a.focus == n && a.over == nil, Zoomed: a.zoom == 2 && a.focus == n, ASCII: a.opts.ASCII}
}

// quietMsg takes a status line away, if no newer one stands there.
type quietMsg int

// say shows a status line for four seconds and keeps it in the log.
func (a *App) say(style draw.Style, text string) tea.Cmd {
	if text == "" {
		return nil
	}
	text = firstLine(text)
	a.status = draw.Line{Text: text, Style: style}
	a.messages = append(a.messages, draw.Line{Text: answer.Clock(a.v.Now) + "  " + text, Style: style})
	if len(a.messages) > 2000 {
		a.messages = append([]draw.Line(nil), a.messages[1000:]...)
	}
	a.statusSeq++
	seq := a.statusSeq
	return tea.Tick(4*time.Second, func(time.Time) tea.Msg { return quietMsg(seq) })
}

// leave saves the layout and ends the program.
func (a *App) leave() tea.Cmd {
	a.save()
	if !a.leaving {
		a.leaving = true
		close(a.stop)
	}
	return tea.Quit
}
