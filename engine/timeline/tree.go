// Package timeline is what was done on a lab, as a tree: a journal that only
// grows, branches that are paths through it, and the place on each of them that
// the lab stands at. It knows entries by their number and kind alone.
package timeline

import (
	"fmt"
	"slices"
)

// Kind says what an entry of the journal means for moving through it.
type Kind uint8

// The kinds of entries.
const (
	Command Kind = iota // somebody gave it; between commands are the points to go to
	Idle                // time that flowed by itself; belongs to the command behind it
	Check               // looks at the answer of the command before it, and belongs to that
	Move                // a Move; part of no path
)

// Main is the name of the first branch.
const Main = "main"

// Span is a run of journal numbers, both ends included.
type Span struct{ From, To uint64 }

// Branch is a path through the journal from the empty lab, and a place on it.
// What is behind the place was undone: it can be done again until another
// command takes its place.
type Branch struct {
	Name     string
	From     string // branch that it was forked off, "" for the first and for those from the empty lab
	Commands int    // of that branch that were done there
	At       uint64 // entries of the path that are done
	Clock    int64  // virtual µs when the lab left the branch; of the current one 0
	End      int64  // virtual µs at the end of the path, once something of it was undone

	path  []Span
	added uint64 // entries of the path
	done  int    // commands among the done ones
}

// DoneCommands is how many commands are done.
func (b *Branch) DoneCommands() int { return b.done }

// Len is how many entries the path has, done and undone.
func (b *Branch) Len() uint64 { return b.added }

// Done is the part of the path that is done.
func (b *Branch) Done() []Span { return cut(b.path, b.At) }

// Upto is the first part of the path: at entries.
func (b *Branch) Upto(at uint64) []Span { return cut(b.path, at) }

// Number is the journal number of a place on the path, from 1.
func (b *Branch) Number(place uint64) uint64 {
	for _, s := range b.path {
		n := s.To - s.From + 1
		if place <= n {
			return s.From + place - 1
		}
		place -= n
	}
	panic(fmt.Sprintf("timeline: place %d is behind the end of %s", place, b.Name))
}

// Count is how many entries a path has.
func Count(path []Span) (n uint64) {
	for _, s := range path {
		n += s.To - s.From + 1
	}
	return n
}

// cut copies the first n entries of a path.
func cut(path []Span, n uint64) []Span {
	var out []Span
	for _, s := range path {
		if n == 0 {
			break
		}
		take := min(n, s.To-s.From+1)
		out = append(out, Span{s.From, s.From + take - 1})
		n -= take
	}
	return out
}

// Common is how many entries two paths share from their beginning.
func Common(a, b []Span) (n uint64) {
	for i := 0; i < len(a) && i < len(b) && a[i].From == b[i].From; i++ {
		n += min(a[i].To, b[i].To) - a[i].From + 1
		if a[i].To != b[i].To {
			break
		}
	}
	return n
}

// Tree is all branches of a lab. Make one with New.
type Tree struct {
	branches []*Branch // in the order in which they began
	current  *Branch
	kinds    []Kind // of the journal's entries
}

// New is the tree of an empty journal.
func New() *Tree {
	main := &Branch{Name: Main}
	return &Tree{branches: []*Branch{main}, current: main}
}

// Branches are all branches in the order in which they began.
func (t *Tree) Branches() []*Branch { return t.branches }

// Current is the branch that the lab is on.
func (t *Tree) Current() *Branch { return t.current }

// Find is the branch of that name, nil if there is none.
func (t *Tree) Find(name string) *Branch {
	i := slices.IndexFunc(t.branches, func(b *Branch) bool { return b.Name == name })
	if i < 0 {
		return nil
	}
	return t.branches[i]
}

// Len is how many entries the journal has.
func (t *Tree) Len() uint64 { return uint64(len(t.kinds)) }

// Append adds the journal's next entry to a branch, "" being the first one. It
// takes the place of what was undone there.
func (t *Tree) Append(branch string, k Kind) error {
	b := t.Find(named(branch))
	if b == nil {
		return fmt.Errorf("entry %d is of a branch %q that was never begun", t.Len()+1, branch)
	}
	t.kinds = append(t.kinds, k)
	n := t.Len()
	if b.At < b.added {
		b.path, b.added = cut(b.path, b.At), b.At
	}
	if last := len(b.path) - 1; last >= 0 && b.path[last].To+1 == n {
		b.path[last].To = n
	} else {
		b.path = append(b.path, Span{n, n})
	}
	b.added++
	b.At, b.End = b.added, 0
	if k == Command {
		b.done++
	}
	return nil
}

func named(branch string) string {
	if branch == "" {
		return Main
	}
	return branch
}

// Kind is the kind of the journal's entry n.
func (t *Tree) Kind(n uint64) Kind { return t.kinds[n-1] }

// Commands counts the commands of a path.
func (t *Tree) Commands(path []Span) (n int) {
	for _, s := range path {
		for _, k := range t.kinds[s.From-1 : s.To] {
			if k == Command {
				n++
			}
		}
	}
	return n
}
