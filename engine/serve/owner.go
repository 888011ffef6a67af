package serve

import (
	"errors"
	"sync"
	"time"

	"ringlab/engine/host"
)

// Keeper is whose goroutine owns the lab that is served: that of a workbench, or
// one that does nothing else.
type Keeper interface {
	// Store is the lab with its journal, for the goroutine that owns it.
	Store() *host.Store
	// Post has that goroutine run a task, in the order of the calls; false at the end.
	Post(task func()) bool
}

// owner is a goroutine that owns a lab for drivers alone. Requests run in the
// order in which they arrive; virtual time follows the clock of the machine,
// unless the work itself has taken more of it.
type owner struct {
	host.Queue
	store *host.Store
	quit  chan struct{}
	gone  chan struct{}
	once  sync.Once
	flow  func() // lets virtual time catch up with the machine's
	after func() // looks at the lab after each piece of work
}

// tick is how often virtual time flows while nobody asks for anything.
const tick = 250 * time.Millisecond

func newOwner(store *host.Store) *owner {
	gone := make(chan struct{})
	return &owner{Queue: host.NewQueue(gone), store: store, quit: make(chan struct{}), gone: gone}
}

// Store is the lab with its journal.
func (o *owner) Store() *host.Store { return o.store }

// errClosed says that the lab takes no more requests.
var errClosed = errors.New("the server is shutting down")

// do runs a task in the goroutine that owns the lab and waits for it.
func (o *owner) do(task func()) error {
	done := make(chan struct{})
	if !o.Post(func() { task(); o.after(); close(done) }) {
		return errClosed
	}
	select {
	case <-done:
		return nil
	case <-o.gone:
		return errClosed
	}
}

func (o *owner) loop() {
	defer close(o.gone)
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		select {
		case task := <-o.C:
			o.flow()
			o.Run(task, o.store)
		case <-t.C:
			o.flow()
		case <-o.quit:
			return
		}
		o.after()
		o.store.Hurry() // the journal's group closes; what comes while it is written makes the next
	}
}

// close ends the goroutine, with what is under way done.
func (o *owner) close() {
	o.once.Do(func() { close(o.quit) })
	<-o.gone
}
