package host

import (
	"strings"

	"ringlab/engine/timeline"
	"ringlab/engine/view"
	"ringlab/engine/workspace"
)

// Bounds of what the screen gets of a long branch.
const (
	mostMarks = 1024
	mostSteps = 400
)

// shown is what pictures repeat of the journal while it does not change.
type shown struct {
	at    uint64 // length of the journal, plus 1
	redo  string
	names []string
	line  *view.Timeline
}

// timeline puts the branch into a picture.
func (s *Store) timeline(v *view.View, whole bool) {
	b := s.tree.Current()
	v.Branch, v.Undo = b.Name, firstLine(s.last)
	v.Commands = b.DoneCommands()
	if at := s.tree.Len() + 1; s.shown.at != at {
		s.shown = shown{at: at}
		for _, b := range s.tree.Branches() {
			s.shown.names = append(s.shown.names, b.Name)
		}
		if _, next, ok := s.tree.Forth(b); ok { // what is undone is on disk
			if e, err := s.entry(b.Number(next)); err == nil {
				s.shown.redo = firstLine(e.Text)
			}
		}
	}
	v.Branches = s.shown.names
	if v.Redo = s.shown.redo; v.Redo != "" {
		v.Undone = s.tree.Commands(b.Upto(b.Len())) - v.Commands
	}
	if whole && s.shown.line == nil && s.Flush() == nil {
		s.shown.line = s.steps(b)
	}
	if whole {
		v.Timeline = s.shown.line
	}
}

// steps are the commands of a branch: the marks of all, and those around the
// last done one in full.
func (s *Store) steps(b *timeline.Branch) *view.Timeline {
	var numbers []uint64
	for _, span := range b.Upto(b.Len()) {
		for n := span.From; n <= span.To; n++ {
			if s.tree.Kind(n) == timeline.Command {
				numbers = append(numbers, n)
			}
		}
	}
	all := len(numbers)
	t := &view.Timeline{Marks: make([]byte, min(all, mostMarks))}
	for i, n := range numbers {
		m := &t.Marks[i*len(t.Marks)/all]
		if grade(s.markAt(n)) > grade(*m) {
			*m = s.markAt(n)
		}
	}
	t.First = max(0, min(b.DoneCommands()-mostSteps/2, all+1-mostSteps))
	for i := t.First; i <= min(all, t.First+mostSteps-1); i++ {
		if i == 0 {
			t.Steps = append(t.Steps, view.Step{Text: "the empty lab", Mark: markPlain})
			continue
		}
		n := numbers[i-1]
		var e workspace.Entry
		e, err := s.entry(n)
		if err != nil {
			break
		}
		t.Steps = append(t.Steps, view.Step{Text: firstLine(e.Text), Clock: e.At, Mark: s.markAt(n)})
	}
	return t
}

// grade is how much a mark wants to be seen.
func grade(mark byte) int { return strings.IndexByte("\x00.+!sxtu", mark) }
