package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"ringlab/engine/answer"
	"ringlab/engine/picture"
	"ringlab/engine/render"
	"ringlab/engine/script"
	"ringlab/engine/view"
)

// Host owns a lab in one goroutine and serves a screen. Every method returns at
// once and may be called from the screen's goroutine.
type Host struct {
	store   *Store
	painter *picture.Painter
	jobs    chan job
	calls   chan func()
	quit    chan struct{}
	gone    chan struct{}
	view    atomic.Pointer[view.View]
	wake    chan struct{}
	cancel  atomic.Bool
	history atomic.Pointer[[]string]
	notice  string

	need    view.Need // owned by the goroutine, as is what follows
	painted time.Time
	last    string // what the last command printed, for ----
}

// job is one input and the channel that its answers go to.
type job struct {
	text string
	out  chan answer.Answer
}

// frame is the least time between two pictures while work goes on.
const frame = 33 * time.Millisecond

// New starts the goroutine that owns the store.
func New(store *Store) *Host {
	h := &Host{store: store, painter: picture.New(store.Lab.Core()), jobs: make(chan job, 64), calls: make(chan func(), 256), quit: make(chan struct{}),
		gone: make(chan struct{}), wake: make(chan struct{}, 1)}
	lines := []string{}
	if store.file != nil {
		lines = store.file.LoadHistory()
	}
	h.history.Store(&lines)
	if store.Differs != "" {
		number, _, _ := strings.Cut(store.Differs, ",")
		h.notice = "replay differs at " + number
	}
	h.paint()
	go h.loop()
	return h
}

// loop is the goroutine that owns the lab.
func (h *Host) loop() {
	defer close(h.gone)
	for {
		select {
		case f := <-h.calls:
			f()
		case j := <-h.jobs:
			h.run(j)
		case <-h.quit:
			return
		}
	}
}

// Close stops the goroutine and closes the workspace.
func (h *Host) Close() error {
	h.cancel.Store(true)
	close(h.quit)
	<-h.gone
	return h.store.Close()
}

// Do runs an input: statements and commands, one after the other.
func (h *Host) Do(text string) <-chan answer.Answer {
	out := make(chan answer.Answer, 256)
	h.cancel.Store(false)
	go func() { h.jobs <- job{text, out} }()
	return out
}

// Cancel stops the running input between two commands.
func (h *Host) Cancel() { h.cancel.Store(true) }

// Show says what the next pictures need.
func (h *Host) Show(n view.Need) {
	h.post(func() {
		if h.need != n {
			h.need = n
			h.paint()
		}
	})
}

// post hands work to the goroutine, or drops it if far too much waits.
func (h *Host) post(f func()) {
	select {
	case h.calls <- f:
	default:
	}
}

// View is the latest picture, never nil.
func (h *Host) View() *view.View { return h.view.Load() }

// Wake receives when there is a newer picture.
func (h *Host) Wake() <-chan struct{} { return h.wake }

// Tick lets virtual time flow: elapsed real time at the lab's speed.
func (h *Host) Tick(elapsed time.Duration) {
	h.post(func() {
		lab := h.store.Lab
		switch speed := lab.Speed(); speed {
		case "pause":
			return
		case "max":
			for end := time.Now().Add(5 * time.Millisecond); time.Now().Before(end) && lab.Core().Cluster.Step(); {
			}
		default:
			factor, err := strconv.ParseFloat(strings.TrimSuffix(speed, "x"), 64)
			if err != nil {
				return
			}
			lab.Advance(lab.Now() + int64(float64(elapsed.Microseconds())*factor))
		}
		h.paint()
	})
}

// paint publishes a new picture.
func (h *Host) paint() {
	core := h.store.Lab.Core()
	v := h.painter.View(h.need)
	v.Workspace = filepath.Base(h.store.Workspace())
	if h.store.Workspace() == "" {
		v.Workspace = ""
	}
	v.Speed = h.store.Lab.Speed()
	v.Running = v.Speed != "pause"
	v.Notice = h.notice
	if h.store.file != nil {
		v.Commands = int(h.store.file.Len())
	}
	if n := len(core.Recorder.Ops); n > 0 {
		v.Undo = firstLine(core.Recorder.Ops[n-1].Statement)
	}
	h.view.Store(v)
	h.painted = time.Now()
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// run works through one input.
func (h *Host) run(j job) {
	defer func() {
		h.store.Flush()
		h.paint()
		close(j.out)
	}()
	h.remember(j.text)
	h.items(j, script.Cut(j.text), "", 0)
}

// items runs the items of a text; false means that the rest is not wanted.
func (h *Host) items(j job, items []script.Item, file string, depth int) bool {
	for i, it := range items {
		if h.cancel.Load() {
			j.out <- answer.Answer{Message: fmt.Sprintf("Cancelled: %d of %d commands were run and are kept.", i, len(items))}
			return false
		}
		if err := h.store.Failed(); err != nil {
			j.out <- answer.Answer{Statement: it.Text, Error: &answer.Error{Name: "WorkspaceError", Message: err.Error()}}
			return false
		}
		if !h.item(j, it, file, depth) {
			return false
		}
		h.serve()
	}
	return true
}

// serve does what came in meanwhile and publishes a picture when one is due.
func (h *Host) serve() {
	for {
		select {
		case f := <-h.calls:
			f()
			continue
		default:
		}
		break
	}
	if time.Since(h.painted) >= frame {
		h.paint()
	}
}

// item runs one item.
func (h *Host) item(j job, it script.Item, file string, depth int) bool {
	word, rest, _ := strings.Cut(it.Text, " ")
	switch {
	case it.Kind == script.Expect:
		j.out <- h.compare(it)
		return true
	case it.Kind == script.Shell && strings.EqualFold(word, "SOURCE"):
		return h.source(j, it, strings.Trim(strings.TrimSpace(rest), `'"`), depth)
	case word == ":undo" || word == ":redo":
		j.out <- h.timeTravel(word)
		return true
	}
	h.store.Lab.Place(file, it.Line)
	expand := h.store.Lab.Expand()
	answers, receipt := h.store.Run(it.Text)
	h.store.Commit(receipt, func(err error) {
		for _, a := range answers {
			if err != nil {
				a = &answer.Answer{Statement: a.Statement, Error: &answer.Error{Name: "WorkspaceError", Message: err.Error()}}
			}
			j.out <- *a
		}
	})
	if word != ":expect" { // ---- looks at what the statement printed
		h.last = ""
		for _, a := range answers {
			h.last += render.Text(a, expand)
		}
	}
	return true
}

// compare checks expected output.
func (h *Host) compare(it script.Item) answer.Answer {
	a := answer.Answer{Statement: ":expect output", Message: "as expected"}
	if !render.Same(h.last, it.Text) {
		a.Message = ""
		a.Error = &answer.Error{Name: "ExpectationFailed", Message: "the output is not what the lesson expects:\n" + it.Text}
	}
	return a
}

// source runs a file in the place of the command.
func (h *Host) source(j job, it script.Item, name string, depth int) bool {
	text, err := os.ReadFile(name)
	if err == nil && depth > 16 {
		err = fmt.Errorf("SOURCE goes more than 16 files deep; do the files call each other?")
	}
	if err != nil {
		j.out <- answer.Answer{Statement: it.Text, Error: &answer.Error{Name: "CommandError", Message: "Could not open '" + name + "': " + err.Error()}}
		return true
	}
	return h.items(j, script.Cut(string(text)), name, depth+1)
}

// timeTravel undoes or redoes one command.
func (h *Host) timeTravel(word string) answer.Answer {
	a := answer.Answer{Statement: word}
	var what string
	var err error
	if word == ":undo" {
		what, err = h.store.Undo()
	} else {
		what, err = h.store.Redo()
	}
	if err != nil {
		a.Error = &answer.Error{Name: "CommandError", Message: err.Error()}
		return a
	}
	h.painter = picture.New(h.store.Lab.Core())
	a.Message = map[string]string{":undo": "Undone: ", ":redo": "Done again: "}[word] + firstLine(what)
	return a
}

// remember adds an input to the history.
func (h *Host) remember(text string) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 4096 || strings.HasPrefix(text, ":speed") || text == ":step" {
		return
	}
	lines := append(append([]string(nil), *h.history.Load()...), text)
	if len(lines) > 2000 {
		lines = lines[len(lines)-2000:]
	}
	h.history.Store(&lines)
	if h.store.file != nil {
		h.store.Flush()
		_ = h.store.file.AddHistory(text) // the history is a comfort; the journal is what counts
	}
}

// History is earlier input, oldest first.
func (h *Host) History() []string { return *h.history.Load() }

// LoadUI is what SaveUI stored last.
func (h *Host) LoadUI() []byte {
	if h.store.file == nil {
		return nil
	}
	return h.store.file.LoadUI()
}

// SaveUI keeps the layout of the screen with the workspace.
func (h *Host) SaveUI(state []byte) {
	if h.store.file == nil {
		return
	}
	h.post(func() {
		h.store.Flush()
		_ = h.store.file.SaveUI(state) // a lost layout harms nobody
	})
}
