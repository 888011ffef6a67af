package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/script"
	"ringlab/engine/timeline"
	"ringlab/engine/workspace"
)

// opened checks the file of an :open before anything is changed. A relative name
// is looked for where ringlab runs, then beside the script that the command
// stands in, as whoever then runs the file does.
func (s *Store) opened(name string) error {
	file := home(name)
	if script, _ := s.Lab.Placed(); script != "" && script != "-" && !filepath.IsAbs(file) {
		if _, err := os.Stat(file); err != nil {
			file = filepath.Join(filepath.Dir(script), file)
		}
	}
	info, err := os.Stat(file)
	switch ext := strings.ToLower(filepath.Ext(file)); {
	case err != nil:
		return fmt.Errorf("could not open '%s': %s", file, reason(err))
	case !info.Mode().IsRegular():
		return fmt.Errorf("could not open '%s': it is not a file", file)
	case ext == ".ringlab":
		return fmt.Errorf("%s is a workspace, not a script: leave this one and run `ringlab %s`, or `:save` a script there and open that", file, file)
	case ext == ".md":
		return fmt.Errorf("%s is a lesson, not a script: `ringlab scenario run %s` runs it", file, file)
	}
	if f, err := workspace.OpenReadOnly(file); err == nil {
		f.Close()
		return fmt.Errorf("%s is a workspace, not a script: leave this one and run `ringlab %s`", file, file)
	}
	return nil
}

// OpenedFile is the name of the file that an :open names, for whoever runs it once
// the command has begun its branch.
func OpenedFile(text string) string {
	j, err := admin.ParseJourney(text)
	if err != nil || j == nil {
		return ""
	}
	return home(j.File)
}

// begun begins the branch of an :open, with the empty lab.
func (s *Store) begun(text string, j *admin.Journey) (*answer.Answer, error) {
	if err := s.opened(j.File); err != nil {
		return nil, err
	}
	name := j.Name
	if name != "" && s.tree.Find(name) != nil {
		return nil, fmt.Errorf("there is a branch %s already; choose another name with as=", name)
	}
	for n := 1; name == ""; n++ {
		made := branchOf(j.File)
		if n > 1 {
			made = fmt.Sprintf("%s-%d", made, n)
		}
		if s.tree.Find(made) == nil {
			name = made
		}
	}
	left := s.tree.Current().Name
	if err := s.goTo(text, timeline.Step{To: name, Begin: true}); err != nil {
		return nil, err
	}
	return &answer.Answer{Message: fmt.Sprintf("Branch %s begins with the empty lab; `:branch %s` leads back.", name, left)}, nil
}

// branchOf is a file's name as that of a branch.
func branchOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	name = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' {
			return c
		}
		return '-'
	}, name)
	if name = strings.TrimLeft(name, "-_."); name == "" {
		name = "script"
	}
	return name[:min(len(name), 32)]
}

// open runs a script in an empty lab, on a branch of its own.
func (h *Host) open(j *job, it script.Item, files []string) bool {
	answers := h.command(j, it, files)
	for _, a := range answers {
		if a.Error != nil {
			return true
		}
	}
	return h.source(j, it, OpenedFile(it.Text), files)
}
