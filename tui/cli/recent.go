package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"ringlab/engine/workspace"
	"ringlab/tui"
)

// mostRecent is how many workspaces the home screen lists.
const mostRecent = 12

// recent lists the workspaces beside this one and in the default folder, the one
// that changed last first.
func recent(here string) []tui.Recent {
	folders := []string{filepath.Dir(here)}
	if path, err := workspace.DefaultPath(); err == nil && filepath.Dir(path) != folders[0] {
		folders = append(folders, filepath.Dir(path))
	}
	type found struct {
		path string
		info os.FileInfo
	}
	var all []found
	for _, folder := range folders {
		paths, _ := filepath.Glob(filepath.Join(folder, "*.ringlab")) // a folder with a [ in its name lists nothing
		for _, p := range paths {
			if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
				all = append(all, found{p, info})
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].info.ModTime().After(all[j].info.ModTime()) })
	var out []tui.Recent
	for _, f := range all[:min(len(all), mostRecent)] {
		r := tui.Recent{Path: f.path, Name: filepath.Base(f.path), When: f.info.ModTime().Format("2006-01-02 15:04"), Bytes: f.info.Size()}
		if f.path != here { // this one is held open
			r.Last = lastStep(f.path)
		}
		out = append(out, r)
	}
	return out
}

// lastStep is how many commands a workspace holds, and which lesson it was in.
func lastStep(path string) string {
	f, err := workspace.OpenReadOnly(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text := fmt.Sprintf("%d commands", f.Len())
	var ui struct {
		Lesson string `json:"lesson"`
		Step   int    `json:"step"`
	}
	if json.Unmarshal(f.LoadUI(), &ui) == nil && ui.Lesson != "" {
		text += fmt.Sprintf(", lesson %s step %d", ui.Lesson, ui.Step+1)
	}
	return text
}

// newWorkspace is the path of a workspace that is to be made beside this one.
func newWorkspace(here, name string) (string, error) {
	if !strings.HasSuffix(name, ".ringlab") {
		name += ".ringlab"
	}
	path := name
	if !strings.ContainsAny(name, `/\`) {
		path = filepath.Join(filepath.Dir(here), name)
	}
	if _, err := os.Stat(path); err == nil {
		return "", fmt.Errorf("%s exists already; it is in the list of workspaces", name)
	}
	return path, nil
}
