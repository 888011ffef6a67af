package host

import (
	"sync"
	"sync/atomic"
	"time"

	"ringlab/engine/answer"
	"ringlab/engine/view"
)

// job is one input and the channel that its answers go to.
type job struct {
	text      string
	out       chan answer.Answer
	cancelled atomic.Bool
}

// inbox holds what waits for the goroutine that owns the lab. Inputs stay in
// order; of what the screen shows and how it is laid out only the latest counts.
type inbox struct {
	poke chan struct{} // capacity 1: something came

	mu      sync.Mutex
	closed  bool
	jobs    []*job
	running *job
	need    *view.Need
	layout  []byte
	elapsed time.Duration // real time that the lab has not followed yet
}

// mostElapsed bounds the real time that a busy lab catches up with.
const mostElapsed = 2 * time.Second

// post changes the inbox and wakes the goroutine; after shut it does nothing
// and is false.
func (b *inbox) post(change func()) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	change()
	select {
	case b.poke <- struct{}{}:
	default:
	}
	return true
}

func (b *inbox) add(j *job) bool { return b.post(func() { b.jobs = append(b.jobs, j) }) }

// next takes the next input, nil if none waits.
func (b *inbox) next() *job {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running = nil
	if len(b.jobs) > 0 {
		b.running, b.jobs = b.jobs[0], b.jobs[1:]
	}
	return b.running
}

// cancel marks what runs and all that waits.
func (b *inbox) cancel() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, j := range b.jobs {
		j.cancelled.Store(true)
	}
	if b.running != nil {
		b.running.cancelled.Store(true)
	}
}

// errands takes what the screen asks for beside its inputs.
func (b *inbox) errands() (need *view.Need, elapsed time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	need, elapsed = b.need, b.elapsed
	b.need, b.elapsed = nil, 0
	return need, elapsed
}

// takeNeed takes what the screen wants to see, nil if that is as it was.
func (b *inbox) takeNeed() *view.Need {
	b.mu.Lock()
	defer b.mu.Unlock()
	need := b.need
	b.need = nil
	return need
}

// takeLayout takes the layout that is to be kept, nil if it is kept already.
func (b *inbox) takeLayout() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	layout := b.layout
	b.layout = nil
	return layout
}

// shut lets nothing more in.
func (b *inbox) shut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
}
