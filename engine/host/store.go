// Package host keeps a lab in a workspace and drives it for the workbench: the
// goroutine that owns the lab, the journal that commands are safe in before they
// are answered, and the pictures that the screen shows.
package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"ringlab/engine"
	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/timeline"
	"ringlab/engine/workspace"
)

// Store is a lab with its journal: what it answers is on disk.
type Store struct {
	Lab      *engine.Lab
	Replayed uint64 // commands that opening ran again
	Differs  string // the first answer that a replay gave otherwise, "" if none did

	options OpenOptions
	file    *workspace.File // nil: the journal is in memory
	journal journal
	writer  *workspace.Writer
	tree    *timeline.Tree
	marks   []byte // how each entry shows on the timeline
	parked  []parked
	shown   shown
	standing
	failed atomic.Pointer[error]     // the first error of a commit
	inputs inputs                    // files of the running command
	went   func(admin.Progress) bool // told by long commands
	loose  bool                      // the answer before the next command is of one that is not journaled
	moved  *moved                    // that one has moved along the journal
	every  time.Duration             // between two words on how far a rebuild is
	edge   Edge                      // nil: nothing but the lab is there
	halted bool                      // somebody cancelled a command of the journal that ran again
}

// progressEvery is how often whoever waits for a rebuild hears of it.
const progressEvery = 100 * time.Millisecond

// moved is what the lab's last answer was before a command that moved along the
// journal answered.
type moved struct{ before *answer.Answer }

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
	if err := s.run(); err != nil {
		s.writer.Close()
		return nil, err
	}
	return s, nil
}

// run reads the journal and runs the branch that the lab was on.
func (s *Store) run() error {
	err := s.file.Each(1, func(e workspace.Entry) error {
		if err := s.grow(&e); err != nil {
			return fmt.Errorf("%s: %w; was it written by a newer ringlab?", s.file.Path(), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	path := s.tree.Current().Done()
	all, told := timeline.Count(path), time.Now()
	st := s.standing
	err = s.each(path, func(e workspace.Entry) error {
		answers := s.play(&st, e)
		s.mark(e.N, markOf(e.Text, answers))
		s.Replayed++
		if e.Hash != 0 && s.Differs == "" {
			if got := engine.Hash(answers); got != e.Hash {
				s.Differs = fmt.Sprintf("command %d, %s", e.N, firstLine(e.Text))
			}
		}
		if s.options.Progress != nil && s.Replayed%16 == 0 && time.Since(told) >= 100*time.Millisecond {
			if told = time.Now(); !s.options.Progress(s.Replayed, all) {
				return ErrCancelled
			}
		}
		return nil
	})
	s.own(st)
	return err
}

func newStore(lab *engine.Lab, file *workspace.File, o OpenOptions) (*Store, error) {
	s := &Store{options: o, file: file, journal: file, tree: timeline.New(), every: progressEvery}
	if err := s.dress(lab); err != nil {
		return nil, err
	}
	s.own(standing{lab: lab, lastAt: lab.Now()})
	s.writer = workspace.NewWriter(file, workspace.WriterOptions{})
	return s, nil
}

// The kinds of entries beside commands; input is another.
const (
	idle   = 1 // time that flowed by itself: `:advance 12us`, which nobody typed
	travel = 8 // a move along the journal: its data is a timeline.Step
)

// grow adds an entry, which is the journal's next one, to the tree.
func (s *Store) grow(e *workspace.Entry) error {
	kind := timeline.Command
	switch {
	case e.Kind == travel:
		var step timeline.Step
		if err := json.Unmarshal(e.Data, &step); err != nil {
			return fmt.Errorf("entry %d: %w", e.N, err)
		}
		return s.tree.Step(step)
	case e.Kind == idle:
		kind = timeline.Idle
	case isCheck(e.Text):
		kind = timeline.Check
	}
	return s.tree.Append(e.Branch, kind)
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

// Memory is a store without a file for a new lab: its journal ends with the
// process.
func Memory(lab *engine.Lab) *Store {
	m := &memory{}
	s := &Store{journal: m, tree: timeline.New(), every: progressEvery}
	s.own(standing{lab: lab, lastAt: lab.Now()})
	lab.Outside(s)
	return s
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
	if j, err := admin.ParseJourney(text); j != nil {
		return s.travel(text, j, err), Receipt{}
	}
	var r Receipt
	text = s.Lab.Conceal(text)
	branch := s.tree.Current().Name
	if branch == timeline.Main {
		branch = ""
	}
	e := workspace.Entry{At: s.Lab.Now(), Client: s.Lab.Client(), Branch: branch, Text: text}
	s.inputs = inputs{}
	answers := s.Lab.Do(text)
	if word, _, _ := strings.Cut(text, " "); !journaled(word) {
		s.loose, s.moved = true, nil
		return answers, r
	}
	passed := e.At - s.lastAt
	if isCheck(text) { // takes no time, and looks at the answer before it
		if b := s.tree.Current(); s.moved != nil || b.At < b.Len() { // of an answer that is not in the journal
			return answers, r
		}
		if !s.loose && passed == 0 {
			e.Hash = s.hash(answers)
		}
	} else {
		if passed > 0 {
			s.keep(&r, workspace.Entry{At: s.lastAt, Kind: idle, Branch: branch, Text: fmt.Sprintf(":advance %dus", passed)}, nil)
		}
		e.Hash = s.hash(answers)
		s.noteInputs(&e)
		s.lastAt, s.last, s.loose, s.moved = s.Lab.Now(), text, false, nil
	}
	s.keep(&r, e, answers)
	return answers, r
}

// hash is what a replay compares; a journal in memory is replayed by the same
// program.
func (s *Store) hash(answers []*answer.Answer) uint64 {
	if s.file == nil {
		return 0
	}
	return engine.Hash(answers)
}

// keep adds an entry to the branch, and to what is to be stored.
func (s *Store) keep(r *Receipt, e workspace.Entry, answers []*answer.Answer) {
	if err := s.grow(&e); err != nil {
		panic(err) // the lab is always on a branch that there is
	}
	s.mark(s.tree.Len(), markOf(e.Text, answers))
	if s.file == nil {
		_ = s.journal.Append([]workspace.Entry{e}) // memory takes everything, or forgets and says so when asked
		return
	}
	r.entries = append(r.entries, e)
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
	case ":save", ":help", ":speed", ":serve", ":clients", ":verify", "help", "?", "exit", "quit", "clear", "cls":
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

// Hurry has what waits committed soon, since nothing more comes for now.
func (s *Store) Hurry() {
	if s.writer != nil {
		s.writer.Hurry()
	}
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
