package sim

// Queue holds what will happen, ordered by time and, for equal times, by the
// order of scheduling. It is a 4-ary heap of plain values: pending work is
// data, so it can be looked at. The zero value is ready to use.
type Queue[T any] struct {
	heap []item[T]
	seq  uint64
}

type item[T any] struct {
	at   Time
	seq  uint64
	body T
}

func (a *item[T]) before(b *item[T]) bool {
	return a.at < b.at || a.at == b.at && a.seq < b.seq
}

// Len is the number of pending items.
func (q *Queue[T]) Len() int { return len(q.heap) }

// Push schedules body at time at.
func (q *Queue[T]) Push(at Time, body T) {
	q.seq++
	q.heap = append(q.heap, item[T]{at, q.seq, body})
	i := len(q.heap) - 1
	moving := q.heap[i]
	for i > 0 {
		parent := (i - 1) / 4
		if !moving.before(&q.heap[parent]) {
			break
		}
		q.heap[i] = q.heap[parent]
		i = parent
	}
	q.heap[i] = moving
}

// Next is the time of the earliest item; ok is false when nothing is pending.
func (q *Queue[T]) Next() (at Time, ok bool) {
	if len(q.heap) == 0 {
		return 0, false
	}
	return q.heap[0].at, true
}

// Pop removes and returns the earliest item. It panics on an empty queue.
func (q *Queue[T]) Pop() (Time, T) {
	top := q.heap[0]
	last := len(q.heap) - 1
	moving := q.heap[last]
	var zero item[T]
	q.heap[last] = zero
	q.heap = q.heap[:last]
	if last > 0 {
		i := 0
		for {
			first := 4*i + 1
			if first >= last {
				break
			}
			least := first
			for c := first + 1; c < first+4 && c < last; c++ {
				if q.heap[c].before(&q.heap[least]) {
					least = c
				}
			}
			if !q.heap[least].before(&moving) {
				break
			}
			q.heap[i] = q.heap[least]
			i = least
		}
		q.heap[i] = moving
	}
	return top.at, top.body
}

// Each visits every pending item in no particular order.
func (q *Queue[T]) Each(visit func(at Time, body *T)) {
	for i := range q.heap {
		visit(q.heap[i].at, &q.heap[i].body)
	}
}
