package host

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/picture"
	"ringlab/engine/view"
)

// Host owns a lab in one goroutine and serves a screen. Every method but Close
// returns at once, and all may be called from any goroutine.
type Host struct {
	store   *Store
	in      inbox
	quit    chan struct{}
	gone    chan struct{}
	once    sync.Once
	ended   error // what closing the store said
	view    atomic.Pointer[view.View]
	wake    chan struct{}
	history atomic.Pointer[[]string]
	expand  atomic.Bool
	notice  string
	classic bool // statements are of the classic language
	capture Capture
	job     *job // that runs
	posts   Queue
	done    string // how far its long command is, "" without one

	painter *picture.Painter // owned by the goroutine, as is what follows
	rev     uint64
	need    view.Need
	painted time.Time
	resting time.Duration // after it, the next picture of a running command
	kept    time.Time     // until then such pictures keep their list of partitions
	hurried atomic.Int64  // until then the machine is the screen's, in ns since 1970
	rest    float64       // of a µs of virtual time that has not passed yet
	started time.Time     // the running command
	last    string        // what the last command printed, for ----

	guests Guests // nil: nobody else uses the lab
	stale  bool   // the picture is older than the lab

	needsRing bool // the last statement needs another ring, and so does what follows it
}

// frame is the least time between two pictures while work goes on, slowFrame the
// most: pictures take a quarter of the time at most where that can be had.
const (
	frame     = 33 * time.Millisecond
	slowFrame = 200 * time.Millisecond
)

// hurry is for how long running work gives way after a key: a screen is painted and
// sent in that time.
const hurry = 20 * time.Millisecond

// New starts the goroutine that owns the store.
func New(store *Store) *Host {
	h := &Host{store: store, in: inbox{poke: make(chan struct{}, 1)}, painter: picture.New(store.Lab.Core()), quit: make(chan struct{}),
		gone: make(chan struct{}), wake: make(chan struct{}, 1)}
	h.posts = NewQueue(h.gone)
	lines := []string{}
	if store.file != nil {
		lines = store.file.LoadHistory()
	}
	h.history.Store(&lines)
	if store.Differs != "" {
		number, _, _ := strings.Cut(store.Differs, ",")
		h.notice = "replay differs at " + number
	}
	store.Watch(h.went)
	h.paint()
	go h.loop()
	return h
}

// loop is the goroutine that owns the lab.
func (h *Host) loop() {
	defer close(h.gone)
	pause := time.NewTimer(time.Hour)
	defer pause.Stop()
	for {
		j := h.in.next()
		h.errands() // what was asked for before the input, at least
		if j != nil {
			h.run(j)
			continue
		}
		h.keepLayout()
		select {
		case <-h.in.poke:
		case task := <-h.posts.C:
			h.tasks(task)
			if len(h.posts.C) == 0 {
				pause.Reset(inputPause)
			}
		case <-pause.C:
			if left := h.breathe(); left > 0 {
				pause.Reset(left)
			}
		case <-h.quit:
			return
		}
	}
}

// Close cancels what runs and what waits, keeps the layout and closes the
// workspace. Later calls give what the first one gave.
func (h *Host) Close() error {
	h.once.Do(func() {
		h.in.shut()
		h.in.cancel()
		close(h.quit)
		<-h.gone
		h.keepLayout()
		h.ended = errors.Join(h.capture.Close(), h.store.Close())
	})
	return h.ended
}

// Do runs an input: statements and commands, one after the other. Inputs run in
// the order of the calls. After Close the channel is closed without an answer.
func (h *Host) Do(text string) <-chan answer.Answer {
	j := &job{text: text, out: make(chan answer.Answer, 256)}
	if !h.in.add(j) {
		close(j.out)
	}
	return j.out
}

// Cancel stops the inputs that were given so far between two commands.
func (h *Host) Cancel() { h.in.cancel() }

// Show says what the next pictures need.
func (h *Host) Show(n view.Need) { h.in.post(func() { h.in.need = &n }) }

// Tick lets virtual time flow: elapsed real time at the lab's speed.
func (h *Host) Tick(elapsed time.Duration) {
	h.in.post(func() { h.in.elapsed = min(h.in.elapsed+elapsed, mostElapsed) })
}

// Hurry lets running work give way for a moment, since somebody waits for the screen.
func (h *Host) Hurry() { h.hurried.Store(time.Now().Add(hurry).UnixNano()) }

// View is the latest picture, never nil.
func (h *Host) View() *view.View { return h.view.Load() }

// Wake receives when there is a newer picture.
func (h *Host) Wake() <-chan struct{} { return h.wake }

// Expand says whether results are shown row by row since the last input.
func (h *Host) Expand() bool { return h.expand.Load() }

// LoadUI is what SaveUI stored last.
func (h *Host) LoadUI() []byte {
	if h.store.file == nil {
		return nil
	}
	return h.store.file.LoadUI()
}

// SaveUI keeps the layout of the screen with the workspace, once nothing runs.
func (h *Host) SaveUI(state []byte) {
	if h.store.file != nil {
		h.in.post(func() { h.in.layout = append([]byte{}, state...) })
	}
}

func (h *Host) keepLayout() {
	if layout := h.in.takeLayout(); layout != nil {
		_ = h.store.file.SaveUI(layout) // a lost layout harms nobody
	}
}

// went is told how far a long command is, and says whether it may go on.
func (h *Host) went(p admin.Progress) bool {
	if left := time.Until(time.Unix(0, h.hurried.Load())); left > 0 {
		time.Sleep(min(left, hurry))
	}
	runtime.Gosched() // the screen's goroutines may wait for this processor
	if time.Since(h.painted) >= h.resting {
		h.done = progress(p, time.Since(h.started))
		if need := h.in.takeNeed(); need != nil && *need != h.need {
			h.need, h.kept = *need, time.Time{}
		}
		h.paintGoing()
	}
	return h.job == nil || !h.job.cancelled.Load()
}

// paintGoing publishes a picture of work that goes on, and sees to it that pictures
// leave the work most of the time, and their longest list most of theirs.
func (h *Host) paintGoing() {
	began := time.Now()
	h.painter.Keep = began.Before(h.kept)
	h.paint()
	took := time.Since(began)
	if !h.painter.Keep {
		h.kept = began.Add(min(20*took, time.Second))
	}
	h.painter.Keep = false
	h.resting = min(max(4*took, frame), slowFrame)
}

// errands does what the screen asked for beside its inputs.
func (h *Host) errands() {
	h.tasks(nil)
	need, elapsed := h.in.errands()
	if elapsed > 0 && h.flow(elapsed) {
		h.looked()
		h.paint()
	}
	if need != nil && *need != h.need {
		h.need = *need
		h.paint()
	}
}

// paint publishes a new picture.
func (h *Host) paint() {
	v := h.painter.View(h.need)
	h.expand.Store(h.store.Lab.Expand())
	h.rev++
	v.Rev = h.rev // a rebuilt lab has a new painter, which counts from the start
	if path := h.store.Workspace(); path != "" {
		v.Workspace = filepath.Base(path)
	}
	if h.classic {
		v.Language = "cli"
	}
	h.store.timeline(v, h.need.Timeline)
	v.Speed = h.store.Lab.Speed()
	v.Running = v.Speed != "pause"
	v.Notice = h.notice
	if h.guests != nil {
		v.Served = h.guests.Look()
		if v.Notice == "" {
			v.Notice = servedNotice(v.Served)
		}
	}
	if h.done != "" {
		v.Notice = h.done
	}
	if h.store.Failed() != nil {
		v.Notice = "not stored any more"
	}
	h.view.Store(v)
	h.painted, h.stale = time.Now(), false
	select {
	case h.wake <- struct{}{}:
	default:
	}
}
