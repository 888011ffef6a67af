package host

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"ringlab/engine/script"
	"ringlab/engine/workspace"
)

// Save writes the journal as a script that repeats the lab, and says how many
// commands that are. After an error no file is left.
func (s *Store) Save(path string) (n int, err error) {
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
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			_ = os.Remove(path)
		}
	}()
	w := bufio.NewWriter(f)
	if n, err = s.Script(w); err != nil {
		return 0, err
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	return n, f.Sync()
}

// Script writes the journal of the branch as a script, and says how many commands
// that are. What is to be in it is on disk.
func (s *Store) Script(w io.Writer) (n int, err error) {
	fmt.Fprintf(w, "-- A ringlab lab: the ring it was made on, and its commands in order.\n:ring new %s\n", s.Lab.Began())
	err = s.each(s.tree.Current().Done(), func(e workspace.Entry) error {
		text, err := s.script(&e)
		if err != nil {
			return err
		}
		word, _, _ := strings.Cut(text, " ")
		if !strings.HasPrefix(text, ":") && !script.ShellWord(word) {
			if strings.Contains(text, "--") || strings.Contains(text, "//") { // it may end in a comment
				text += "\n"
			}
			text += ";"
		}
		if script.ShellWord(word) && strings.Contains(text, "\n") { // the rows of COPY FROM STDIN
			text += "\n\\."
		}
		n++
		_, err = fmt.Fprintln(w, text)
		return err
	})
	if err != nil {
		return 0, err
	}
	if passed := s.Lab.Now() - s.lastAt; passed > 0 { // not journaled until the next command
		_, err = fmt.Fprintf(w, ":advance %dus\n", passed)
	}
	return n, err
}
