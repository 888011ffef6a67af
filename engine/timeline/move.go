package timeline

import "fmt"

// Step is how the journal tells of a move: to a place on a branch, which may
// begin with it. It holds places, not what somebody typed, so that it means the
// same for ever.
type Step struct {
	To    string `json:"to"`              // branch
	At    uint64 `json:"at"`              // place on it
	Begin bool   `json:"begin,omitempty"` // the branch begins here
	From  string `json:"from,omitempty"`  // with the path of this one up to At; "" begins with the empty lab
	Stay  bool   `json:"stay,omitempty"`  // the lab stays where it is
	Clock int64  `json:"clock,omitempty"` // virtual µs on the branch that is left, or of the one begun
}

// Step makes a move that is the journal's next entry.
func (t *Tree) Step(s Step) error {
	if err := t.legal(s); err != nil {
		return fmt.Errorf("entry %d moves wrongly: %w", t.Len()+1, err)
	}
	t.kinds = append(t.kinds, Move)
	b := t.Find(s.To)
	if s.Begin {
		b = &Branch{Name: s.To, From: s.From}
		if from := t.Find(s.From); from != nil {
			b.path, b.added = cut(from.path, s.At), s.At
			b.Commands = t.Commands(b.path)
			b.done = b.Commands
		}
		t.branches = append(t.branches, b)
	}
	if s.Stay {
		b.At, b.Clock = s.At, s.Clock
		b.done = t.Commands(b.Done())
		return nil
	}
	left := t.current
	left.Clock = s.Clock
	if left.At == left.added {
		left.End = s.Clock
	}
	b.At = s.At
	b.done = t.Commands(b.Done())
	t.current = b
	return nil
}

func (t *Tree) legal(s Step) error {
	b := t.Find(s.To)
	switch {
	case s.Begin && b != nil:
		return fmt.Errorf("branch %q began before", s.To)
	case s.Begin:
		if b = t.Find(s.From); s.From == "" && s.At == 0 {
			return nil
		}
	}
	if b == nil {
		return fmt.Errorf("there is no branch %q", s.To)
	}
	if s.At > b.added {
		return fmt.Errorf("branch %q has %d entries, not %d", b.Name, b.added, s.At)
	}
	return nil
}

// Back is the place before a branch's last done command, with the idle time in
// front of it and the checks behind it; last is that command's place. It is
// false where no command is done.
func (t *Tree) Back(b *Branch) (at, last uint64, ok bool) {
	at = b.At
	for at > 0 && t.Kind(b.Number(at)) != Command {
		at--
	}
	if last = at; at == 0 {
		return 0, 0, false
	}
	at--
	for at > 0 && t.Kind(b.Number(at)) == Idle {
		at--
	}
	return at, last, true
}

// Forth is the place behind a branch's first undone command and its checks;
// next is that command's place. It is false where nothing is undone.
func (t *Tree) Forth(b *Branch) (at, next uint64, ok bool) {
	at = b.At + 1
	for at <= b.added && t.Kind(b.Number(at)) != Command {
		at++
	}
	if next = at; at > b.added {
		return 0, 0, false
	}
	for at < b.added && t.Kind(b.Number(at+1)) == Check {
		at++
	}
	return at, next, true
}

// Point is the place behind the first n commands of a branch and the checks of
// the last; false where there are fewer commands.
func (t *Tree) Point(b *Branch, n int) (at uint64, ok bool) {
	if n == 0 {
		return 0, true
	}
	for _, s := range b.path {
		for _, k := range t.kinds[s.From-1 : s.To] {
			if n == 0 && k != Check {
				return at, true
			}
			at++
			if k == Command {
				n--
			}
		}
	}
	return at, n == 0
}

// Settle is the last point between two commands of a branch at or before a
// place, checks included.
func (t *Tree) Settle(b *Branch, place uint64) uint64 {
	for place > 0 && t.Kind(b.Number(place)) == Idle {
		place--
	}
	for place > 0 && place < b.added && t.Kind(b.Number(place+1)) == Check {
		place++
	}
	return place
}
