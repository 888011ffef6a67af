package host

import (
	"fmt"
	"time"

	"ringlab/engine/view"
)

// inputPause is how long nothing has come when the screen is painted.
const inputPause = 200 * time.Microsecond

// Post has the goroutine that owns the lab run a task, in the order of the calls
// and between two commands; false after Close.
func (h *Host) Post(task func()) bool { return h.posts.Post(task) }

// Store is the lab with its journal, for tasks.
func (h *Host) Store() *Store { return h.store }

// Guests are those who use the lab beside the screen. Both methods are called by
// the goroutine that owns the lab.
type Guests interface {
	Observe()           // after every piece of work
	Look() *view.Served // for every picture
}

// Serve says who uses the lab beside the screen, nil for nobody. It is called by
// a command of class Edge.
func (h *Host) Serve(g Guests) { h.guests = g }

// servedNotice is the line about those who use the lab.
func servedNotice(s *view.Served) string {
	switch {
	case s.Waits:
		return "drivers wait: redo, or run something"
	case s.Connections == 0:
		return "served at " + s.Where
	}
	return fmt.Sprintf("%d connections  %.0f/s", s.Connections, s.PerSecond)
}

// tasks runs what has been posted; first may be nil.
func (h *Host) tasks(first func()) {
	if first == nil && len(h.posts.C) == 0 {
		return
	}
	h.posts.Run(first, h.store)
	h.looked()
	h.store.Hurry() // the journal's group closes; what comes while it is written makes the next
	h.stale = true
	if time.Since(h.painted) >= frame {
		h.paint()
	}
}

// looked lets an edge look at the lab after a piece of work.
func (h *Host) looked() {
	if h.guests != nil {
		h.guests.Observe()
	}
}

// breathe is what the goroutine does once nothing has come for a moment: it shows
// what has happened. It gives how long nothing more is to be done, 0 for ever.
func (h *Host) breathe() time.Duration {
	switch left := frame - time.Since(h.painted); {
	case !h.stale:
		return 0
	case left > 0:
		return left
	}
	h.paint()
	return 0
}
