package workspace

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// WriterOptions set when a group of entries is committed. The zero value works.
type WriterOptions struct {
	Group int           // entries that close a group; 0 means 256
	Delay time.Duration // how long an entry waits for others; 0 means 5 ms

	// After is the timer: it returns a channel on which something arrives after d. Nil means time.After.
	After func(d time.Duration) <-chan time.Time
}

// Writer collects entries and commits them in groups, so that one caller can
// run ahead: it executes a command, hands its entry to Add with what is to be
// done when the entry is durable (print the answer), and goes on with the next.
//
// A group closes with its 256th entry, 5 ms after its first, or at Flush. While
// one is being committed entries collect for the next, which may then be larger,
// so a slow disk makes larger groups, not a longer queue; with 16 groups waiting,
// Add waits too.
//
// After a failed commit nothing more is stored, since later commands ran on a
// state that the journal does not have: the entries of that group and all that
// wait are told the error, and so is every further one until Resume. The caller
// puts its state back to the journal's Len, or adds the same entries again.
//
// Add, Flush, Resume and Close may be called from several goroutines; entries
// are stored in the order of the calls of Add.
type Writer struct {
	file  *File
	group int
	delay time.Duration
	after func(time.Duration) <-chan time.Time

	mu      sync.Mutex
	room    sync.Cond // the writer took what waited, or a commit ended
	waiting []waiter
	busy    bool // a commit is going on
	urgent  bool // commit without waiting for more
	closed  bool
	failed  error
	added   uint64        // entries accepted
	told    uint64        // of these, those whose done was called
	wake    chan struct{} // capacity 1: look again
	ended   chan struct{}
}

type waiter struct {
	entry Entry
	done  func(n uint64, err error)
}

// queueGroups is how many groups may wait before Add waits.
const queueGroups = 16

// NewWriter starts a writer, and its goroutine, for the file. Close ends it.
// Meanwhile nothing else may call the file's Append, Truncate, Redo or Reset
// unless Flush came before and no Add is under way.
func NewWriter(f *File, o WriterOptions) *Writer {
	w := &Writer{file: f, group: o.Group, delay: o.Delay, after: o.After,
		wake: make(chan struct{}, 1), ended: make(chan struct{})}
	if w.group <= 0 {
		w.group = groupEntries
	}
	if w.delay <= 0 {
		w.delay = 5 * time.Millisecond
	}
	if w.after == nil {
		w.after = time.After
	}
	w.room.L = &w.mu
	go w.run()
	return w
}

// Add hands an entry over. Done is called once, with the entry's number when it
// is durable or with the error that kept it from being stored. It is called by
// the writer's goroutine, in the order of Add, and must not call Add, Flush or
// Close; it may be nil.
func (w *Writer) Add(e Entry, done func(n uint64, err error)) {
	w.mu.Lock()
	for len(w.waiting) >= queueGroups*w.group && w.failed == nil && !w.closed {
		w.room.Wait()
	}
	if w.closed && w.failed == nil {
		w.failed = errClosed
	}
	if err := w.failed; err != nil {
		for w.busy { // earlier entries are told first
			w.room.Wait()
		}
		w.mu.Unlock()
		if done != nil {
			done(0, err)
		}
		return
	}
	w.waiting = append(w.waiting, waiter{e, done})
	w.added++
	n := len(w.waiting)
	w.mu.Unlock()
	if n == 1 || n == w.group {
		w.poke()
	}
}

// Flush commits what was added before it and returns when everybody was told.
// Its error is that of the failed commit, until Resume.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for target := w.added; w.told < target; {
		w.urgent = true
		w.poke()
		w.room.Wait()
	}
	if errors.Is(w.failed, errClosed) {
		return nil
	}
	return w.failed
}

// Hurry says that nothing more comes for now: what waits is committed without
// waiting for more. It returns at once.
func (w *Writer) Hurry() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting) > 0 {
		w.urgent = true
		w.poke()
	}
}

// Resume makes a writer usable after a failed commit. It returns the error that is forgotten.
func (w *Writer) Resume() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.busy {
		w.room.Wait()
	}
	err := w.failed
	if !w.closed {
		w.failed = nil
	}
	return err
}

// Close commits what waits and ends the writer's goroutine. The file stays open.
func (w *Writer) Close() error {
	err := w.Flush()
	w.mu.Lock()
	w.closed = true
	w.room.Broadcast()
	w.mu.Unlock()
	w.poke()
	<-w.ended
	return err
}

func (w *Writer) poke() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// run is the writer's goroutine.
func (w *Writer) run() {
	defer close(w.ended)
	var spare []waiter
	var entries []Entry
	var timer <-chan time.Time
	for {
		due := false
		select {
		case <-w.wake:
		case <-timer:
			due = true
		}
		w.mu.Lock()
		n := len(w.waiting)
		switch {
		case n == 0 && w.closed:
			w.mu.Unlock()
			return
		case n == 0:
			timer = nil
			w.mu.Unlock()
			continue
		case n < w.group && !w.urgent && !due && !w.closed:
			if timer == nil {
				timer = w.after(w.delay)
			}
			w.mu.Unlock()
			continue
		}
		timer = nil
		taken := w.waiting
		w.waiting, spare = spare[:0], nil
		w.busy, w.urgent = true, false
		w.room.Broadcast()
		w.mu.Unlock()

		var told int
		entries, told = w.commit(taken, entries[:0])

		clear(taken)
		clear(entries)
		spare = taken
		w.mu.Lock()
		w.busy = false
		w.told += uint64(told)
		if len(w.waiting) > 0 || w.closed {
			w.poke()
		}
		w.room.Broadcast()
		w.mu.Unlock()
	}
}

// commit stores a group and tells everybody; told is how many. After a failure those who came
// meanwhile are told too, since their commands ran on what was not stored.
func (w *Writer) commit(taken []waiter, entries []Entry) (_ []Entry, told int) {
	for i := range taken {
		entries = append(entries, taken[i].entry)
	}
	if err := w.file.Append(entries); err != nil {
		w.mu.Lock()
		w.failed = fmt.Errorf("%d commands were not stored: %w", len(taken)+len(w.waiting), err)
		err = w.failed
		taken = append(taken[:len(taken):len(taken)], w.waiting...)
		w.waiting = nil
		w.mu.Unlock()
		for _, t := range taken {
			if t.done != nil {
				t.done(0, err)
			}
		}
		return entries, len(taken)
	}
	for i, t := range taken {
		if t.done != nil {
			t.done(entries[i].N, nil)
		}
	}
	return entries, len(taken)
}
