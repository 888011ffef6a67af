package workspace

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// handTimer is a timer that the test fires.
type handTimer struct {
	set  chan struct{}
	fire chan time.Time
}

func newHandTimer() *handTimer {
	return &handTimer{make(chan struct{}, 100), make(chan time.Time)}
}

func (h *handTimer) after(time.Duration) <-chan time.Time {
	h.set <- struct{}{}
	return h.fire
}

func TestWriterGroups(t *testing.T) {
	f := mustCreate(t, newPath(t))
	timer := newHandTimer()
	w := NewWriter(f, WriterOptions{Group: 10, After: timer.after})
	told := make(chan uint64, 100)
	add := func(n int) {
		for _, e := range someEntries(1, n) {
			w.Add(e, func(n uint64, err error) {
				if err != nil {
					t.Error(err)
				}
				if f.Len() < n {
					t.Error("told before it was stored")
				}
				told <- n
			})
		}
	}
	expect := func(from, to uint64) {
		t.Helper()
		for n := from; n <= to; n++ {
			same(t, "told", <-told, n)
		}
	}
	add(3)
	<-timer.set // nothing is stored before the time has passed
	same(t, "stored", f.Len(), uint64(0))
	timer.fire <- time.Time{}
	expect(1, 3)
	add(10) // a full group needs no timer
	expect(4, 13)
	add(2)
	must(t, w.Flush())
	same(t, "stored at Flush", f.Len(), uint64(15))
	expect(14, 15)
	must(t, w.Flush())
	add(4)
	must(t, w.Close())
	expect(16, 19)
	must(t, w.Close())
	refused := make(chan error, 1)
	w.Add(Entry{}, func(_ uint64, err error) { refused <- err })
	if err := <-refused; !errors.Is(err, errClosed) {
		t.Fatal(err)
	}
}

func TestWriterRealTimer(t *testing.T) {
	f := mustCreate(t, newPath(t))
	w := NewWriter(f, WriterOptions{})
	defer w.Close()
	done := make(chan error)
	w.Add(Entry{Text: "x"}, func(_ uint64, err error) { done <- err })
	must(t, <-done)
}

func TestWriterManyCallers(t *testing.T) {
	path := newPath(t)
	f := mustCreate(t, path)
	w := NewWriter(f, WriterOptions{Group: 8, Delay: time.Millisecond})
	var mu sync.Mutex
	stored := map[uint64]string{}
	var last uint64
	var wg sync.WaitGroup
	for c := range 4 {
		wg.Go(func() {
			for i := range 500 {
				text := fmt.Sprint(c, " ", i)
				w.Add(Entry{Text: text}, func(n uint64, err error) {
					mu.Lock()
					defer mu.Unlock()
					if err != nil || n != last+1 {
						t.Errorf("told %d after %d, %v", n, last, err)
					}
					last, stored[n] = n, text
				})
				if i%100 == 0 {
					if err := w.Flush(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	must(t, w.Close())
	must(t, f.Close())
	got := all(t, mustOpen(t, path))
	same(t, "length", len(got), 2000)
	for _, e := range got {
		same(t, "text", e.Text, stored[e.N])
	}
}

func TestWriterFailure(t *testing.T) {
	path := newPath(t)
	f := mustCreate(t, path)
	timer := newHandTimer()
	w := NewWriter(f, WriterOptions{Group: 2, After: timer.after})
	defer w.Close()
	var mu sync.Mutex
	var refused []string
	note := func(text string) func(uint64, error) {
		return func(n uint64, err error) {
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				refused = append(refused, text)
			}
		}
	}
	w.Add(Entry{Text: "a"}, note("a"))
	must(t, w.Flush())
	f.readOnly = true // every commit is refused
	w.Add(Entry{Text: "b"}, note("b"))
	w.Add(Entry{Text: "c"}, note("c"))
	contains(t, w.Flush(), "not stored", "read-only")
	w.Add(Entry{Text: "d"}, note("d"))
	contains(t, w.Flush(), "read-only")
	mu.Lock()
	same(t, "refused", refused, []string{"b", "c", "d"})
	mu.Unlock()
	f.readOnly = false
	contains(t, w.Resume(), "read-only")
	w.Add(Entry{Text: "b"}, note("b"))
	must(t, w.Flush())
	var texts []string
	for _, e := range all(t, f) {
		texts = append(texts, e.Text)
	}
	same(t, "stored", slices.Equal(texts, []string{"a", "b"}), true)
}

// An entry that comes between the last commit and the end is stored, and Close
// ends all the same.
func TestWriterClosesBehindALateEntry(t *testing.T) {
	for range 50 { // what comes first differs
		f := mustCreate(t, newPath(t))
		w := NewWriter(f, WriterOptions{Group: 10, After: newHandTimer().after})
		entries := someEntries(1, 2)
		late := make(chan uint64, 1)
		w.Add(entries[0], func(uint64, error) {
			added := make(chan struct{})
			go func() {
				defer close(added)
				w.Add(entries[1], func(n uint64, _ error) { late <- n })
			}()
			<-added
		})
		must(t, w.Close())
		same(t, "told", <-late, uint64(2))
		same(t, "stored", f.Len(), uint64(2))
	}
}
