package host

import (
	"errors"
	"fmt"

	"ringlab/engine"
	"ringlab/engine/workspace"
)

// Undo takes the last command back, with the time that flowed by itself around
// it and the checks of its answer: the journal without them is run again.
func (s *Store) Undo() (string, error) {
	if s.file == nil {
		return "", fmt.Errorf("nothing is stored of this lab, so nothing can be undone")
	}
	if err := s.Flush(); err != nil {
		return "", err
	}
	last, before, err := s.lastCommand()
	if err != nil {
		return "", err
	}
	if last == "" {
		return "", fmt.Errorf("there is nothing to undo")
	}
	if err := s.file.Truncate(before); err != nil {
		return "", err
	}
	return last, s.again()
}

// lastCommand finds the last command that somebody gave, and how many entries
// stand before it and the idle time in front of it.
func (s *Store) lastCommand() (text string, before uint64, err error) {
	enough := errors.New("enough")
	for n := s.file.Len(); n > 0; n-- {
		var e workspace.Entry
		err := s.file.Each(n, func(found workspace.Entry) error { e = found; return enough })
		if !errors.Is(err, enough) {
			return "", 0, err
		}
		switch {
		case e.Kind == idle:
		case text != "": // the command before it, or a check of that
			return text, n, nil
		case !isCheck(e.Text):
			text = e.Text
		}
	}
	return text, 0, nil
}

// Redo brings the last undone command back.
func (s *Store) Redo() (string, error) {
	if s.file == nil {
		return "", fmt.Errorf("nothing is stored of this lab, so nothing can be redone")
	}
	if err := s.Flush(); err != nil {
		return "", err
	}
	undone, err := s.file.Undone()
	if err != nil {
		return "", err
	}
	for i, e := range undone {
		if e.Kind == idle || isCheck(e.Text) {
			continue
		}
		back, err := s.file.Redo(uint64(i + 1))
		if err != nil {
			return "", err
		}
		if len(back) == 0 { // a command came in between
			break
		}
		return e.Text, s.again()
	}
	return "", fmt.Errorf("there is nothing to redo")
}

// again rebuilds the lab from the journal; only the speed at which time flows
// stays. A lab that cannot be rebuilt is not what the journal says, so nothing
// more is stored of it.
func (s *Store) again() (err error) {
	defer func() {
		if err != nil {
			s.fail(fmt.Errorf("the lab could not be built again, open the workspace anew: %w", err))
		}
	}()
	h, speed := s.file.Header(), s.Lab.Speed()
	lab, err := engine.New(engine.Options{Ring: h.Ring, Epoch: h.Epoch})
	if err != nil {
		return err
	}
	if err := s.own(lab); err != nil {
		return err
	}
	if err := s.file.Each(1, func(e workspace.Entry) error { s.rerun(e); return nil }); err != nil {
		return err
	}
	last := lab.Core().Last
	lab.Do(":speed " + speed)
	lab.Core().Last = last
	return nil
}
