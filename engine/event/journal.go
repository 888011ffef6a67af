package event

import "slices"

// Kept is how many records a log keeps, the newest.
const Kept = 10_000

// Journal keeps the newest records. The zero value is empty.
type Journal struct {
	ring []Record
	next int // where the next one goes, once the ring is full
	Seen uint64
}

// Add keeps a record, in the place of the oldest one if there are as many as
// are kept.
func (l *Journal) Add(r *Record) {
	l.Seen++
	if len(l.ring) < Kept {
		l.ring = append(l.ring, *r)
		return
	}
	l.ring[l.next] = *r
	l.next = (l.next + 1) % Kept
}

// Last gives the newest records that a filter takes, oldest first, at most so
// many.
func (l *Journal) Last(most int, f *Filter, name func(int) string) []*Record {
	var out []*Record
	for i := len(l.ring) - 1; i >= 0 && len(out) < most; i-- {
		r := &l.ring[(l.next+i)%len(l.ring)]
		if f.Match(r, name) {
			out = append(out, r)
		}
	}
	slices.Reverse(out)
	return out
}
