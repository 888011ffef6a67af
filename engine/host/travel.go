package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/timeline"
	"ringlab/engine/workspace"
)

// travel runs a command that moves along the journal or compares its branches.
// What it stores is safe on disk when it returns; after an error the lab is
// where it was.
func (s *Store) travel(text string, j *admin.Journey, err error) []*answer.Answer {
	var a *answer.Answer
	if err == nil {
		err = s.Flush() // what is read below is on disk
	}
	if err == nil {
		switch j.Verb {
		case "undo":
			a, err = s.undo(text)
		case "redo":
			a, err = s.redo(text)
		case "rewind":
			a, err = s.rewind(text, j)
		case "fork":
			a, err = s.fork(text, j.Name)
		case "branch":
			a, err = s.switchTo(text, j.Name)
		case "branches":
			a = s.branches()
		case "diff":
			a, err = s.diff(j.Name)
		case "replay":
			a, err = s.replayWith(text, j)
		case "open":
			a, err = s.begun(text, j)
		}
	}
	if err != nil {
		a = &answer.Answer{Error: &answer.Error{Name: "CommandError", Message: err.Error()}}
	}
	a.Statement, a.AtMicros = text, s.Lab.Now()
	a.File, a.Line = s.Lab.Placed()
	if s.moved == nil {
		s.moved = &moved{s.Lab.Core().Last}
	}
	s.Lab.Core().Last = a
	return []*answer.Answer{a}
}

// goTo moves to a place on a branch, or to where a branch begins.
func (s *Store) goTo(text string, step timeline.Step) error {
	b := s.tree.Find(step.To)
	if step.Begin {
		b = s.tree.Find(step.From)
	}
	current := s.tree.Current()
	here := b == current && step.At == current.At && (step.Begin || s.Lab.Now() == s.lastAt)
	var path []timeline.Span
	if b != nil {
		path = b.Upto(step.At)
	}
	var st standing
	if !here {
		var err error
		if st, err = s.stand(path); err != nil {
			return err
		}
	}
	step.Clock = s.lastAt
	if err := s.store([]workspace.Entry{s.stepEntry(text, step)}); err != nil {
		return err
	}
	if !here {
		left := current.Done()
		s.adopt(st, left)
	}
	return s.tree.Step(step)
}

// stepEntry is the entry of a move.
func (s *Store) stepEntry(text string, step timeline.Step) workspace.Entry {
	data, _ := json.Marshal(step) // of strings and numbers
	return workspace.Entry{At: s.Lab.Now(), Client: s.Lab.Client(), Kind: travel, Text: text, Data: data}
}

// store appends entries in one commit, behind all others.
func (s *Store) store(entries []workspace.Entry) error {
	if err := s.Failed(); err != nil {
		return err
	}
	err := s.journal.Append(entries)
	if err == nil {
		return nil
	}
	var full *workspace.Full
	if !errors.As(err, &full) { // that one can be tried again
		s.fail(err)
	}
	return err
}

// undo takes the last command back, with the time that flowed by itself around
// it and the checks of its answer.
func (s *Store) undo(text string) (*answer.Answer, error) {
	b := s.tree.Current()
	at, last, ok := s.tree.Back(b)
	if !ok {
		return nil, fmt.Errorf("there is nothing to undo")
	}
	e, err := s.entry(b.Number(last))
	if err == nil {
		err = s.goTo(text, timeline.Step{To: b.Name, At: at})
	}
	if err != nil {
		return nil, err
	}
	return &answer.Answer{Message: "Undone: " + firstLine(e.Text)}, nil
}

// redo does the first undone command again.
func (s *Store) redo(text string) (*answer.Answer, error) {
	b := s.tree.Current()
	at, next, ok := s.tree.Forth(b)
	if !ok {
		return s.putAside()
	}
	e, err := s.entry(b.Number(next))
	if err == nil {
		err = s.goTo(text, timeline.Step{To: b.Name, At: at})
	}
	if err != nil {
		return nil, err
	}
	return &answer.Answer{Message: "Done again: " + firstLine(e.Text)}, nil
}

// putAside brings back a command that a repair of the workspace has put aside.
func (s *Store) putAside() (*answer.Answer, error) {
	nothing := fmt.Errorf("there is nothing to redo")
	if s.file == nil || s.tree.Current().Name != timeline.Main {
		return nil, nothing
	}
	undone, err := s.file.Undone()
	if err != nil {
		return nil, err
	}
	for i, e := range undone {
		if e.Kind == travel || e.Branch != "" {
			break
		}
		if e.Kind == idle || isCheck(e.Text) {
			continue
		}
		back, err := s.file.Redo(uint64(i + 1))
		if err != nil {
			return nil, err
		}
		for i := range back {
			if err := s.grow(&back[i]); err != nil {
				return nil, err
			}
			s.mark(s.tree.Len(), markOf(back[i].Text, s.play(&s.standing, back[i])))
		}
		if len(back) == 0 {
			break
		}
		return &answer.Answer{Message: "Done again: " + firstLine(e.Text)}, nil
	}
	return nil, nothing
}

// rewind goes to a point of the branch, back or forth.
func (s *Store) rewind(text string, j *admin.Journey) (*answer.Answer, error) {
	b := s.tree.Current()
	all := s.tree.Commands(b.Upto(b.Len()))
	at, ok := s.tree.Point(b, j.Count)
	var err error
	switch {
	case j.Count < 0:
		at, err = s.placeAt(b, int64(j.Micros))
	case !ok:
		err = fmt.Errorf("%s has %s; `:rewind %d` goes behind the last", b.Name, counted(all, "command"), all)
	}
	if err == nil {
		err = s.goTo(text, timeline.Step{To: b.Name, At: at})
	}
	if err != nil {
		return nil, err
	}
	n := b.DoneCommands()
	where := "At the beginning"
	if n > 0 {
		where = fmt.Sprintf("Behind command %d of %d, %s", n, all, firstLine(s.last))
	}
	return &answer.Answer{Message: fmt.Sprintf("%s; %s.", where, clockAt(s.Lab.Now()))}, nil
}

// placeAt is the last point between two commands of a branch at which the clock
// had not passed a time.
func (s *Store) placeAt(b *timeline.Branch, micros int64) (uint64, error) {
	// Low is a place whose end is not later, high one whose end is.
	low, high := uint64(0), b.Len()+1
	for low+1 < high {
		mid := (low + high) / 2
		end := b.End // of the path
		switch {
		case mid < b.Len():
			next, err := s.entry(b.Number(mid + 1))
			if err != nil {
				return 0, err
			}
			end = next.At
		case b.At == b.Len():
			end = s.lastAt
		}
		if end <= micros {
			low = mid
		} else {
			high = mid
		}
	}
	return s.tree.Settle(b, low), nil
}

// fork begins a branch here and goes on there.
func (s *Store) fork(text, name string) (*answer.Answer, error) {
	if s.tree.Find(name) != nil {
		return nil, fmt.Errorf("there is a branch %s already; `:branch %s` goes there", name, name)
	}
	b := s.tree.Current()
	if err := s.goTo(text, timeline.Step{To: name, At: b.At, Begin: true, From: b.Name}); err != nil {
		return nil, err
	}
	n := b.DoneCommands()
	return &answer.Answer{Message: fmt.Sprintf("Branch %s begins here, behind %s of %s; `:branch %s` leads back.", name, counted(n, "command"), b.Name, b.Name)}, nil
}

// switchTo goes to another branch, to where it was left.
func (s *Store) switchTo(text, name string) (*answer.Answer, error) {
	b, err := s.branch(name)
	if err != nil {
		return nil, err
	}
	if b == s.tree.Current() {
		return &answer.Answer{Message: fmt.Sprintf("You are on %s.", name)}, nil
	}
	if err := s.goTo(text, timeline.Step{To: name, At: b.At}); err != nil {
		return nil, err
	}
	return &answer.Answer{Message: fmt.Sprintf("On %s, behind %s; %s.", name, counted(b.DoneCommands(), "command"), clockAt(s.Lab.Now()))}, nil
}

// branch finds a branch by name.
func (s *Store) branch(name string) (*timeline.Branch, error) {
	if b := s.tree.Find(name); b != nil {
		return b, nil
	}
	var have []string
	for _, b := range s.tree.Branches() {
		have = append(have, b.Name)
	}
	return nil, fmt.Errorf("there is no branch %s; there is %s, and `:fork %s` begins one here", name, strings.Join(have, ", "), name)
}

// branches lists all branches.
func (s *Store) branches() *answer.Answer {
	rows := [][]string{}
	for _, b := range s.tree.Branches() {
		here, clock, from := "", b.Clock, "the empty lab"
		if b == s.tree.Current() {
			here, clock = "you are here", s.Lab.Now()
		}
		if of := s.tree.Find(b.From); of != nil {
			from = fmt.Sprintf("%s, command %d", b.From, b.Commands)
		}
		done := b.DoneCommands()
		undone := s.tree.Commands(b.Upto(b.Len())) - done
		rows = append(rows, []string{b.Name, from, strconv.Itoa(done), strconv.Itoa(undone), answer.Clock(clock), here})
	}
	return answer.Table([]string{"branch", "from", "commands", "undone", "clock", "here"}, rows)
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
