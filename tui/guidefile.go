package tui

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ringlab/scenarios"
)

// lessonFile is a lesson that somebody is writing: it is read again whenever the
// file changes.
type lessonFile struct {
	path     string
	size     int64
	changed  time.Time
	problems []scenarios.Problem
}

// lessonMsg is what a look at a lesson's file has found.
type lessonMsg struct {
	file   lessonFile
	lesson *scenarios.Scenario // nil if it cannot be shown
	same   bool                // nothing has changed
	first  bool
	err    error
}

// readLesson looks at a file, and reads it if it is not as it was.
func readLesson(was lessonFile, first bool, known func(string) (string, bool)) lessonMsg {
	m := lessonMsg{file: was, first: first}
	info, err := os.Stat(was.path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a file")
	}
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		m.err = err
		return m
	}
	if !first && info.Size() == was.size && info.ModTime().Equal(was.changed) {
		m.same = true
		return m
	}
	m.file.size, m.file.changed = info.Size(), info.ModTime()
	f, err := os.Open(was.path)
	if err != nil {
		m.err = err
		return m
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, scenarios.MostBytes+1))
	if m.err = err; err != nil {
		return m
	}
	if info.Size() > scenarios.MostBytes {
		m.file.problems = []scenarios.Problem{{Line: 1, Column: 1, Text: "the file " + scenarios.TooLong(info.Size())}}
		return m
	}
	name := strings.TrimSuffix(filepath.Base(was.path), ".md")
	m.lesson, m.file.problems = scenarios.Check(name, string(text), known)
	return m
}

// openLesson reads a lesson's file in the background.
func (a *App) openLesson(path string) tea.Cmd {
	known := a.knownCommand()
	return func() tea.Msg { return readLesson(lessonFile{path: path}, true, known) }
}

// watchEvery is how often an open lesson's file is looked at.
const watchEvery = 500 * time.Millisecond

func (a *App) watchLesson(f lessonFile) tea.Cmd {
	known := a.knownCommand()
	return tea.Tick(watchEvery, func(time.Time) tea.Msg { return readLesson(f, false, known) })
}

// knownCommand says whether there is a lab command of a name, or else which it
// may be meant to be.
func (a *App) knownCommand() func(string) (string, bool) {
	var names []string
	for _, c := range a.lab.Commands() {
		names = append(names, strings.TrimPrefix(c.Name, ":"))
	}
	return func(name string) (string, bool) {
		if slices.Contains(names, name) {
			return "", true
		}
		for _, n := range names {
			if d := len(n) - len(name); len(name) > 2 && (d == 0 || d == 1 || d == 2) && fuzzy(name, n, "") >= 5 || strings.HasPrefix(name, n) && len(n) > 2 {
				return ":" + n, false
			}
		}
		return "", false
	}
}

// tookLesson shows a lesson's file as it is now.
func (a *App) tookLesson(m lessonMsg) tea.Cmd {
	g := a.guide
	if !m.first && (g.file == nil || g.file.path != m.file.path) {
		return nil // another lesson is open
	}
	var cmds []tea.Cmd
	switch {
	case m.err != nil && m.first:
		return a.say(Error, fmt.Sprintf("✗ %s: %v", m.file.path, m.err))
	case m.err != nil || m.same: // between two steps of an editor there may be no file
	default:
		g.file = &m.file
		if m.lesson != nil {
			g.reload(m.lesson, m.first)
		}
		if len(m.file.problems) > 0 {
			p := m.file.problems[0]
			cmds = append(cmds, a.say(Error, fmt.Sprintf("✗ %s:%s", m.file.path, p.Error())))
		} else if !m.first {
			cmds = append(cmds, a.say(OK, "✓ "+m.file.path+" is read again"))
		}
		if m.first && m.lesson != nil {
			a.setFocus(6)
		}
		a.touch(6)
	}
	if m.first && m.lesson == nil {
		g.file = nil
		return tea.Batch(cmds...)
	}
	if m.err != nil || m.same {
		m.file = *g.file
	}
	return tea.Batch(append(cmds, a.watchLesson(m.file))...)
}

// reload takes a newer form of the open lesson; what was done in blocks that are
// as they were stays done.
func (p *guidePane) reload(s *scenarios.Scenario, first bool) {
	was, step, marks, checks, picks := p.open, p.step, p.marks, p.checks, p.picks
	file := p.file
	p.load(s, 0)
	p.file = file
	if first || was == nil {
		return
	}
	for i := range s.Steps {
		for j, part := range s.Steps[i].Parts {
			if id := p.id(i, j); i < len(was.Steps) && j < len(was.Steps[i].Parts) && was.Steps[i].Parts[j].Text == part.Text {
				if marks[id] != 0 {
					p.marks[id], p.checks[id] = marks[id], checks[id]
				}
				if picks[id] != 0 {
					p.picks[id] = picks[id]
				}
			}
		}
	}
	p.step = max(min(step, len(s.Steps)-1), 0)
}
