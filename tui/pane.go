package tui

import (
	"ringlab/engine/view"
	"ringlab/tui/draw"
)

// Scene is what a pane may know while it paints or acts.
type Scene struct {
	V       *view.View
	Need    view.Need
	Focused bool
	Zoomed  bool
	ASCII   bool
}

// Action is what a pane asks of the workbench.
type Action struct {
	Run     string // text for the lab
	Quiet   bool   // run it without a trace in the transcript
	Ask     string // a question to answer before Run
	Insert  string // text for the prompt
	Need    func(*view.Need)
	Status  string
	Copy    string
	Perform string  // a binding's id
	Pane    int     // the one to go to
	Overlay overlay // opened, in the place of one that closes
	Job     *job
	Recent  string // an entry of the palette that was taken
	Look    string // a command whose answer is shown over the panes
	Export  *grid  // rows to be offered as a file
	Save    string // the name of a file to write, and what goes into it
	Data    func() string
	Call    func() // before anything else
}

// pane is a plain struct that paints itself into the inside of its box and
// turns bindings into actions. It does no I/O.
type pane interface {
	Title(sc *Scene) (left, right string)
	Paint(sc *Scene, c *draw.Canvas)
	Do(id string, sc *Scene) (Action, bool)
	Click(x, y int, sc *Scene) Action
	Wheel(delta int)
	Keys(sc *Scene) []string // ids that make sense now, most useful first
}

// cacheKey names everything a rendered piece depends on.
type cacheKey struct {
	rev, version       uint64
	w, h               int
	focus, zoom, ascii bool
	theme              string
}

// piece is a rectangle of the screen that keeps its cells and lines until
// something it depends on changes.
type piece struct {
	pane    pane
	version uint64 // raised by every change of the pane's own state
	key     cacheKey
	canvas  draw.Canvas
	lines   []string
	painted bool
	encoded bool
}

// cells paints the piece if it must and returns its canvas.
func (p *piece) cells(key cacheKey, paint func(*draw.Canvas)) *draw.Canvas {
	key.version = p.version
	if p.painted {
		same := key
		same.theme = p.key.theme
		if same == p.key {
			if key.theme != p.key.theme {
				p.key, p.encoded = key, false
			}
			return &p.canvas
		}
	}
	p.key, p.painted, p.encoded = key, true, false
	p.canvas.ASCII = key.ascii
	p.canvas.Reset(key.w, key.h)
	paint(&p.canvas)
	return &p.canvas
}

// render returns exactly h lines of exactly w cells.
func (p *piece) render(key cacheKey, th *Theme, paint func(*draw.Canvas)) []string {
	c := p.cells(key, paint)
	if !p.encoded {
		p.lines, p.encoded = c.Lines(th.palette), true
	}
	return p.lines
}

// list is a cursor over n rows of which h are seen.
type list struct{ cur, top int }

// move handles the bindings common to all lists and says whether it did.
func (l *list) move(id string, n, h int) bool {
	h = max(h, 1)
	switch id {
	case "up":
		l.cur--
	case "down":
		l.cur++
	case "top":
		l.cur = 0
	case "bottom":
		l.cur = n - 1
	case "pgup":
		l.cur -= h
	case "pgdn":
		l.cur += h
	default:
		return false
	}
	l.clamp(n, h)
	return true
}

func (l *list) clamp(n, h int) {
	l.cur = max(min(l.cur, n-1), 0)
	l.top = max(min(l.top, l.cur, n-h), l.cur-h+1, 0)
}
