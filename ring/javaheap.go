package ring

// javaHeap is java.util.PriorityQueue of weighted values, the heaviest first. It is
// written out because the order of equal weights decides which tokens are chosen.
type javaHeap[T any] []weighted[T]

type weighted[T any] struct {
	weight float64
	value  T
}

func (h *javaHeap[T]) push(weight float64, value T) {
	*h = append(*h, weighted[T]{})
	q := *h
	at := len(q) - 1
	for at > 0 {
		parent := (at - 1) / 2
		if weight <= q[parent].weight {
			break
		}
		q[at] = q[parent]
		at = parent
	}
	q[at] = weighted[T]{weight, value}
}

func (h *javaHeap[T]) pop() weighted[T] {
	q := *h
	top, last := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	*h = q
	if len(q) == 0 {
		return top
	}
	at := 0
	for at < len(q)/2 {
		child := 2*at + 1
		if right := child + 1; right < len(q) && q[child].weight < q[right].weight {
			child = right
		}
		if last.weight >= q[child].weight {
			break
		}
		q[at] = q[child]
		at = child
	}
	q[at] = last
	return top
}
