package serve

import (
	"errors"
	"sync"
	"time"

	"ringlab/engine/host"
)

// owner is the goroutine that owns a lab. Requests run in the order in which
// they arrive; virtual time follows the clock of the machine, unless the work
// itself has taken more of it.
type owner struct {
	store *host.Store
	jobs  chan *job
	tasks chan func()
	quit  chan struct{}
	gone  chan struct{}
	once  sync.Once

	begun   time.Time
	from    int64  // virtual time when it began, µs
	clock   int64  // of the nodes when it began, µs since 1970: that of the machine, unless they are ahead of it
	observe func() // looks at the lab after each piece of work
}

// queued is how many requests may wait for the lab before connections do.
const queued = 4096

// inputPause is how long nothing has come when the journal's group is closed:
// whoever waits for its answer asks for no more.
const inputPause = 200 * time.Microsecond

// tick is how often virtual time flows while nobody asks for anything.
const tick = 250 * time.Millisecond

func newOwner(store *host.Store) *owner {
	return &owner{store: store, jobs: make(chan *job, queued), tasks: make(chan func()), quit: make(chan struct{}), gone: make(chan struct{}),
		begun: time.Now(), from: store.Lab.Now(), clock: max(store.Lab.Core().Cluster.Unix(), time.Now().UnixMicro()), observe: func() {}}
}

// errClosed says that the lab takes no more requests.
var errClosed = errors.New("the server is shutting down")

// do runs a task in the owner's goroutine and waits for it.
func (o *owner) do(task func()) error {
	done := make(chan struct{})
	select {
	case o.tasks <- func() { task(); o.observe(); close(done) }:
		<-done
		return nil
	case <-o.gone:
		return errClosed
	}
}

// submit hands a request over; false after the end.
func (o *owner) submit(j *job) bool {
	select {
	case o.jobs <- j:
		return true
	case <-o.gone:
		return false
	}
}

func (o *owner) loop() {
	defer close(o.gone)
	t := time.NewTicker(tick)
	defer t.Stop()
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case j := <-o.jobs:
			o.flow()
			j.run(o.store)
			for n := len(o.jobs); n > 0; n-- { // what has come meanwhile, before the lab is looked at
				(<-o.jobs).run(o.store)
			}
		case task := <-o.tasks:
			o.flow()
			task()
		case <-t.C:
			o.flow()
		case <-pause.C:
			o.store.Hurry()
			continue
		case <-o.quit:
			return
		}
		o.observe()
		if len(o.jobs) == 0 {
			pause.Reset(inputPause)
		}
	}
}

// flow lets virtual time catch up with the clock.
func (o *owner) flow() {
	if to := o.from + time.Since(o.begun).Microseconds(); to > o.store.Lab.Now() {
		o.store.Lab.Advance(to)
	}
}

// clocks says what the nodes' clocks are to say at a request, in µs since the
// lab's epoch; nil where they do. Requests take virtual time, which therefore
// runs ahead of the machine's under load; the clocks of nodes, which TTLs and
// timestamps come from, stay with it, as those of drivers do.
func (o *owner) clocks() *int64 {
	core := o.store.Lab.Core()
	want := o.clock + time.Since(o.begun).Microseconds()
	if have := core.Cluster.Unix(); want-have < 1000 && have-want < 1000 && o.store.Lab.Now() <= o.from+want-o.clock {
		return nil
	}
	at := want - core.Epoch*1000000
	return &at
}

// resume follows the machine's clock from where the lab is now: a command may
// have moved it.
func (o *owner) resume() {
	unix := o.store.Lab.Core().Cluster.Unix()
	o.clock = max(unix, o.clock+time.Since(o.begun).Microseconds())
	o.begun, o.from = time.Now(), o.store.Lab.Now()
}

// close ends the goroutine, with what is under way done.
func (o *owner) close() {
	o.once.Do(func() { close(o.quit) })
	<-o.gone
}
