// Package host keeps a lab in a workspace and drives it for the workbench: the
// goroutine that owns the lab, the journal that commands are safe in before they
// are answered, and the pictures that the screen shows.
package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"ringlab/engine"
	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/workspace"
)

// Store is a lab with its journal: what it answers is on disk.
type Store struct {
	Lab      *engine.Lab
	Replayed uint64 // commands that opening ran again
	Differs  string // the first answer that a replay gave otherwise, "" if none did

	options OpenOptions
	file    *workspace.File
	writer  *workspace.Writer
	failed  atomic.Pointer[error]     // the first error of a commit
	lastAt  int64                     // virtual time at the end of the last journaled command
	last    string                    // that command, "" if there is none; checks do not count
	inputs  inputs                    // files of the running command
	went    func(admin.Progress) bool // told by long commands
	loose   bool                      // the answer before the next command is of one that is not journaled
}

// OpenOptions say how a workspace is opened.
type OpenOptions struct {
	Ring     string // ring of a new workspace; for one that exists it must be the same, "" is any
	Epoch    int64  // Unix seconds at virtual time 0 of a new workspace; 0 is the engine's default
	Record   bool   // keep what the last operations did, for people
	ReadOnly bool   // look at a workspace that exists; commands are not stored
	Prepare  func(*engine.Lab) error
	Progress func(done, all uint64) bool // called ten times a second while replaying; false cancels
}

// ErrCancelled says that opening was given up.
var ErrCancelled = errors.New("opening was cancelled; the workspace is as it was")

// Open opens a workspace, or makes it, and runs its journal.
func Open(path string, o OpenOptions) (*Store, error) {
	open := workspace.Open
	if o.ReadOnly {
		open = workspace.OpenReadOnly
	}
	file, err := open(path)
	var foreign *workspace.Foreign
	if !o.ReadOnly && (errors.Is(err, os.ErrNotExist) || errors.As(err, &foreign) && foreign.Empty) {
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
	all, told := file.Len(), time.Now()
	err = file.Each(1, func(e workspace.Entry) error {
		answers := s.rerun(e)
		s.Replayed++
		if e.Hash != 0 && s.Differs == "" {
			if got := engine.Hash(answers); got != e.Hash {
				s.Differs = fmt.Sprintf("command %d, %s", e.N, firstLine(e.Text))
			}
		}
		if o.Progress != nil && s.Replayed%16 == 0 && time.Since(told) >= 100*time.Millisecond {
			if told = time.Now(); !o.Progress(s.Replayed, all) {
				return ErrCancelled
			}
		}
		return nil
	})
	if err != nil {
		s.writer.Close()
		return nil, err
	}
	return s, nil
}

func newStore(lab *engine.Lab, file *workspace.File, o OpenOptions) (*Store, error) {
	s := &Store{options: o, file: file}
	if err := s.own(lab); err != nil {
		return nil, err
	}
	s.writer = workspace.NewWriter(file, workspace.WriterOptions{})
	return s, nil
}

// own makes a new lab the store's.
func (s *Store) own(lab *engine.Lab) error {
	if s.options.Record {
		lab.Record()
	}
	if s.options.Prepare != nil {
		if err := s.options.Prepare(lab); err != nil {
			return err
		}
	}
	lab.Outside(s)
	s.Lab, s.lastAt, s.last, s.loose = lab, lab.Now(), "", false
	return nil
}

// idle is the kind of entries for time that flowed by itself: `:advance 12us`,
// which nobody typed.
const idle = 1

// rerun runs an entry of the journal again.
func (s *Store) rerun(e workspace.Entry) []*answer.Answer {
	if e.Kind == idle {
		micros, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(e.Text, ":advance "), "us"), 10, 64)
		s.Lab.Advance(s.Lab.Now() + micros)
		s.lastAt = s.Lab.Now()
		return nil
	}
	s.inputs = inputs{again: true}
	if e.Kind == input {
		_ = json.Unmarshal(e.Data, &s.inputs.replaying) // what is missing then shows in the answer
	}
	answers := s.Lab.Do(e.Text)
	s.inputs = inputs{}
	s.lastAt = s.Lab.Now()
	if !isCheck(e.Text) {
		s.last = e.Text
	}
	return answers
}

// isCheck says whether a command only looks at the answer before it.
func isCheck(text string) bool { return text == ":expect" || strings.HasPrefix(text, ":expect ") }

func firstLine(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if more {
		line += " …"
	}
	return line
}

// Memory is a store without a file: nothing outlives the process.
func Memory(lab *engine.Lab) *Store {
	return &Store{Lab: lab}
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

// Run runs one command. Its answers may be shown only when Commit says so. Time
// that flowed by itself is journaled before the next command that can feel it.
func (s *Store) Run(text string) ([]*answer.Answer, Receipt) {
	var r Receipt
	e := workspace.Entry{At: s.Lab.Now(), Client: s.Lab.Client(), Text: text}
	s.inputs = inputs{}
	answers := s.Lab.Do(text)
	if s.file == nil {
		return answers, r
	}
	if word, _, _ := strings.Cut(text, " "); !journaled(word) {
		s.loose = true
		return answers, r
	}
	passed := e.At - s.lastAt
	if isCheck(text) { // takes no time, and looks at the answer before it
		if !s.loose && passed == 0 {
			e.Hash = engine.Hash(answers)
		}
	} else {
		if passed > 0 {
			r.entries = append(r.entries, workspace.Entry{At: s.lastAt, Kind: idle, Text: fmt.Sprintf(":advance %dus", passed)})
		}
		e.Hash = engine.Hash(answers)
		s.noteInputs(&e)
		s.lastAt, s.last, s.loose = s.Lab.Now(), text, false
	}
	r.entries = append(r.entries, e)
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
				s.fail(err)
			}
			if last {
				told(err)
			}
		})
	}
}

// journaled says whether a command that begins with this word belongs into the
// journal: what reaches out of the lab, only shows text, or sets how fast the
// screen's time flows, does not.
func journaled(word string) bool {
	switch strings.ToLower(strings.TrimRight(word, ";")) {
	case ":save", ":help", ":speed", "help", "?", "exit", "quit", "clear", "cls":
		return false
	}
	return true
}

// fail keeps the first error.
func (s *Store) fail(err error) { s.failed.CompareAndSwap(nil, &err) }

// Failed is the first error of a commit, nil while all is well.
func (s *Store) Failed() error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return nil
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
