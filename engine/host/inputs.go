package host

import (
	"encoding/json"
	"fmt"
	"strings"

	"ringlab/engine/admin"
	"ringlab/engine/workspace"
)

// input is the kind of entries for commands that read files. Their data says
// which, and where their content is stored.
const input = 2

// inputFile is a file that a command has read.
type inputFile struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
}

// inputs are the files of the running command.
type inputs struct {
	read      []inputFile
	replaying []inputFile // what a command of the journal read when it ran first
	again     bool        // a command of the journal is running
	cut       bool        // the command was cancelled
	stopped   int         // after so many rows or statements
	failed    bool        // a file could not be read or written: a replay may say otherwise
}

// Read gives files to a command and stores them; a command of the journal gets
// what it read when it ran first.
func (s *Store) Read(names string) ([]admin.File, error) {
	if s.inputs.again {
		return s.stored()
	}
	files, err := Files{}.Read(names)
	if err != nil {
		s.inputs.failed = true
		return nil, err
	}
	for _, f := range files {
		hash, err := s.journal.PutBlob([]byte(f.Text))
		if err != nil {
			s.inputs.failed = true
			return nil, fmt.Errorf("storing %s: %w", f.Name, err)
		}
		s.inputs.read = append(s.inputs.read, inputFile{f.Name, hash})
	}
	return files, nil
}

// stored are the files of a command of the journal.
func (s *Store) stored() ([]admin.File, error) {
	var out []admin.File
	for _, f := range s.inputs.replaying {
		text, err := s.journal.Blob(f.Hash)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		out = append(out, admin.File{Name: f.Name, Text: string(text)})
	}
	return out, nil
}

// Write makes a file, but not for commands of the journal.
func (s *Store) Write(name string, data []byte, keep bool) error {
	if s.inputs.again {
		return nil
	}
	err := Files{}.Write(name, data, keep)
	s.inputs.failed = s.inputs.failed || err != nil
	return err
}

// Progress asks whoever watches whether a command is to go on.
func (s *Store) Progress(p admin.Progress) bool {
	if s.went == nil || s.went(p) {
		return true
	}
	if s.inputs.again { // the lab that is being built is thrown away
		s.halted = true
		return false
	}
	s.inputs.stopped, s.inputs.cut = p.Repeat, true
	return false
}

// Watch has a function told how far a long command is; false stops the command.
func (s *Store) Watch(went func(p admin.Progress) bool) { s.went = went }

// noteInputs puts what a command read into its entry. A cancelled command is
// stored as the part of it that was done.
func (s *Store) noteInputs(e *workspace.Entry) {
	in := &s.inputs
	if len(in.read) > 0 {
		e.Kind = input
		e.Data, _ = json.Marshal(in.read)
	}
	switch {
	case in.cut && (isStress(e.Text) || isFill(e.Text)):
		e.Text = admin.StressLimited(e.Text, in.stopped)
	case in.cut:
		e.Text = admin.CopyLimited(e.Text, in.stopped)
	}
	if in.cut || in.failed {
		e.Hash = 0
	}
}

// script is an entry as a script holds it.
func (s *Store) script(e *workspace.Entry) (string, error) {
	if e.Kind != input {
		return e.Text, nil
	}
	s.inputs = inputs{}
	if err := json.Unmarshal(e.Data, &s.inputs.replaying); err != nil {
		return "", err
	}
	files, err := s.stored()
	if err != nil {
		return "", err
	}
	if isStress(e.Text) {
		return admin.StressText(e.Text, files), nil
	}
	return admin.CopyFromText(e.Text, files), nil
}

// isFill says whether a command is a load that makes its own profile.
func isFill(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), ":fill") }

// isStress says whether a command is a load; what else is long is a COPY.
func isStress(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), ":stress") }
