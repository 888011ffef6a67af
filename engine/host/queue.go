package host

// Queue hands tasks to the goroutine that owns a lab, in the order of the calls.
type Queue struct {
	C    chan func()   // what waits
	gone chan struct{} // closed at the end
}

// queued is how many tasks may wait before those who post them do.
const queued = 4096

// soon is how many tasks run before the journal is told to go on with what
// waits: while it writes a group, the next is worked out.
const soon = 8

// NewQueue is an empty queue, which takes tasks until gone is closed.
func NewQueue(gone chan struct{}) Queue { return Queue{make(chan func(), queued), gone} }

// Post has the goroutine run a task; false at the end.
func (q *Queue) Post(task func()) bool {
	select {
	case <-q.gone:
		return false
	default:
	}
	select {
	case q.C <- task:
		return true
	case <-q.gone:
		return false
	}
}

// Run runs one task, nil for none, and what has come meanwhile. The goroutine
// that owns the lab calls it.
func (q *Queue) Run(first func(), store *Store) {
	if first != nil {
		first()
	}
	for n := len(q.C); n > 0; n-- {
		(<-q.C)()
		if n%soon == 0 {
			store.Hurry()
		}
	}
}
