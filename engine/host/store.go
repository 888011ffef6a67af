// Package host keeps a lab in a workspace and drives it for the workbench: the
// goroutine that owns the lab, the journal that commands are safe in before they
// are answered, and the pictures that the screen shows.
package host

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/script"
	"ringlab/engine/workspace"
)

// Store is a lab with its journal: what it answers is on disk.
type Store struct {
	Lab      *engine.Lab
	Replayed uint64 // commands that opening ran again
	Differs  string // the first answer that a replay gave otherwise, "" if none did

	file   *workspace.File
	writer *workspace.Writer
	failed chan error // the first error of a commit
	lastAt int64      // virtual time at the end of the last journaled command
}

// OpenOptions say how a workspace is opened.
type OpenOptions struct {
	Ring     string // ring of a new workspace; for one that exists it must be the same, "" is any
	Epoch    int64  // Unix seconds at virtual time 0 of a new workspace; 0 is the engine's default
	Record   bool   // keep what the last operations did, for people
	Prepare  func(*engine.Lab) error
	Progress func(done, all uint64) bool // called now and then while replaying; false cancels
}

// ErrCancelled says that opening was given up.
var ErrCancelled = errors.New("opening was cancelled; the workspace is as it was")

// Open opens a workspace, or makes it, and runs its journal.
func Open(path string, o OpenOptions) (*Store, error) {
	file, err := workspace.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return create(path, o)
	}
	var missing *workspace.NoFolder
	var foreign *workspace.Foreign
	if errors.As(err, &missing) || errors.As(err, &foreign) && foreign.Empty {
		return create(path, o)
	}
	if err != nil {
		return nil, err
	}
	s, err := replay(file, o)
	if err != nil {
		file.Close()
		return nil, err
	}
	return s, nil
}

func create(path string, o OpenOptions) (*Store, error) {
	lab, err := engine.New(engine.Options{Ring: o.Ring, Epoch: o.Epoch})
	if err != nil {
		return nil, err
	}
	epoch := o.Epoch
	if epoch == 0 {
		epoch = engine.DefaultEpoch
	}
	file, err := workspace.Create(path, workspace.Header{Behaviour: engine.Behaviour, Made: time.Now().Unix(), Epoch: epoch, Ring: lab.Ring(), Seed: lab.Core().Spec.Seed})
	if err != nil {
		return nil, err
	}
	return newStore(lab, file, o)
}

// replay rebuilds the lab of a journal.
func replay(file *workspace.File, o OpenOptions) (*Store, error) {
	h := file.Header()
	if o.Ring != "" {
		want, err := engine.New(engine.Options{Ring: o.Ring})
		if err != nil {
			return nil, err
		}
		if want.Ring() != h.Ring {
			return nil, fmt.Errorf("%s was made with the ring `%s`, but --ring asks for `%s`; leave --ring out, or name another workspace", file.Path(), h.Ring, want.Ring())
		}
	}
	if h.Behaviour > engine.Behaviour {
		return nil, fmt.Errorf("%s was written by a newer ringlab (behaviour %d, this one has %d); update ringlab to open it", file.Path(), h.Behaviour, engine.Behaviour)
	}
	lab, err := engine.New(engine.Options{Ring: h.Ring, Epoch: h.Epoch})
	if err != nil {
		return nil, fmt.Errorf("%s holds a ring that cannot be built: %w", file.Path(), err)
	}
	s, err := newStore(lab, file, o)
	if err != nil {
		return nil, err
	}
	all := file.Len()
	err = file.Each(1, func(e workspace.Entry) error {
		answers := lab.Do(e.Text)
		s.Replayed++
		if e.Hash != 0 && s.Differs == "" {
			if got := engine.Hash(answers); got != e.Hash {
				s.Differs = fmt.Sprintf("command %d, %s", e.N, firstLine(e.Text))
			}
		}
		if o.Progress != nil && s.Replayed%1024 == 0 && !o.Progress(s.Replayed, all) {
			return ErrCancelled
		}
		return nil
	})
	s.lastAt = lab.Now()
	if err != nil {
		s.writer.Close()
		return nil, err
	}
	return s, nil
}

func firstLine(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if more {
		line += " …"
	}
	return line
}

func newStore(lab *engine.Lab, file *workspace.File, o OpenOptions) (*Store, error) {
	s := &Store{Lab: lab, file: file, failed: make(chan error, 1)}
	if o.Record {
		lab.Record()
	}
	if o.Prepare != nil {
		if err := o.Prepare(lab); err != nil {
			return nil, err
		}
	}
	lab.Outside(s)
	s.writer = workspace.NewWriter(file, workspace.WriterOptions{})
	return s, nil
}

// Memory is a store without a file: nothing outlives the process.
func Memory(lab *engine.Lab) *Store {
	return &Store{Lab: lab, failed: make(chan error, 1)}
}

// Workspace is the path of the file, "" without one.
func (s *Store) Workspace() string {
	if s.file == nil {
		return ""
	}
	return s.file.Path()
}

// Receipt is a command that was run and is not stored yet.
type Receipt struct {
	entries []workspace.Entry
}

// Run runs one command. Its answers may be shown only when Commit says so.
func (s *Store) Run(text string) ([]*answer.Answer, Receipt) {
	var r Receipt
	if idle := s.Lab.Now() - s.lastAt; idle > 0 {
		r.entries = append(r.entries, workspace.Entry{At: s.lastAt, Text: fmt.Sprintf(":advance %dus", idle)})
	}
	e := workspace.Entry{At: s.Lab.Now(), Client: s.Lab.Client(), Text: text}
	answers := s.Lab.Do(text)
	s.lastAt = s.Lab.Now()
	if journaled(text) {
		e.Hash = engine.Hash(answers)
		r.entries = append(r.entries, e)
	}
	return answers, r
}

// Commit stores a command and calls told once it is safe on disk, in the order
// of the calls; told gets the error that kept it from being stored, if one did:
// then nothing of it may be acknowledged. It is called by the writer's goroutine.
func (s *Store) Commit(r Receipt, told func(error)) {
	if s.writer == nil {
		told(nil)
		return
	}
	if len(r.entries) == 0 {
		s.writer.Flush() // answers stay in order
		told(s.Failed())
		return
	}
	for i, e := range r.entries {
		last := i == len(r.entries)-1
		s.writer.Add(e, func(_ uint64, err error) {
			if err != nil {
				select {
				case s.failed <- err:
				default:
				}
			}
			if last {
				told(err)
			}
		})
	}
}

// journaled says whether a command belongs into the journal: what reaches out of
// the lab, and what only shows text, does not.
func journaled(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	switch word {
	case ":save", ":help", "HELP", "help", "?", "EXIT", "exit", "QUIT", "quit", "CLEAR", "clear", "CLS", "cls":
		return false
	}
	return true
}

// Failed is the first error of a commit, nil while all is well.
func (s *Store) Failed() error {
	select {
	case err := <-s.failed:
		s.failed <- err
		return err
	default:
		return nil
	}
}

// Flush waits until everything is on disk.
func (s *Store) Flush() error {
	if s.writer == nil {
		return nil
	}
	return s.writer.Flush()
}

// Close commits what waits and lets the file go.
func (s *Store) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.writer.Close()
	if e := s.file.Close(); err == nil {
		err = e
	}
	return err
}

// Save writes the journal as a script that repeats the lab.
func (s *Store) Save(path string) (int, error) {
	if s.file == nil {
		return 0, fmt.Errorf("nothing is stored of this lab: run it with -w WORKSPACE to be able to save it")
	}
	if err := s.Flush(); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return 0, fmt.Errorf("%s exists already; choose another name or remove it first", path)
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	h := s.file.Header()
	fmt.Fprintf(f, "-- A ringlab lab: the ring it was made on, and its commands in order.\n:ring new %s\n", h.Ring)
	n := 0
	err = s.file.Each(1, func(e workspace.Entry) error {
		text := e.Text
		word, _, _ := strings.Cut(text, " ")
		if !strings.HasPrefix(text, ":") && !script.ShellWord(word) {
			text += ";"
		}
		n++
		_, err := fmt.Fprintln(f, text)
		return err
	})
	if err == nil {
		err = f.Sync()
	}
	return n, err
}

// Undo takes the last command back: the journal without it is run again.
func (s *Store) Undo() (string, error) {
	if s.file == nil {
		return "", fmt.Errorf("nothing is stored of this lab, so nothing can be undone")
	}
	if err := s.Flush(); err != nil {
		return "", err
	}
	n := s.file.Len()
	if n == 0 {
		return "", fmt.Errorf("there is nothing to undo")
	}
	last := ""
	if err := s.file.Each(n, func(e workspace.Entry) error { last = e.Text; return nil }); err != nil {
		return "", err
	}
	if err := s.file.Truncate(n - 1); err != nil {
		return "", err
	}
	return last, s.again()
}

// Redo brings the last undone command back.
func (s *Store) Redo() (string, error) {
	if s.file == nil {
		return "", fmt.Errorf("nothing is stored of this lab, so nothing can be redone")
	}
	if err := s.Flush(); err != nil {
		return "", err
	}
	back, err := s.file.Redo(1)
	if err != nil {
		return "", err
	}
	if len(back) == 0 {
		return "", fmt.Errorf("there is nothing to redo")
	}
	return back[0].Text, s.again()
}

// again rebuilds the lab from the journal.
func (s *Store) again() error {
	h := s.file.Header()
	lab, err := engine.New(engine.Options{Ring: h.Ring, Epoch: h.Epoch})
	if err != nil {
		return err
	}
	if s.Lab.Core().Recorder != nil {
		lab.Record()
	}
	lab.Outside(s)
	if err := s.file.Each(1, func(e workspace.Entry) error { lab.Do(e.Text); return nil }); err != nil {
		return err
	}
	s.Lab, s.lastAt = lab, lab.Now()
	return nil
}
