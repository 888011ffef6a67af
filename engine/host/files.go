package host

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"ringlab/engine/admin"
)

// Files is the outside of a lab that nothing is stored of: its commands read and
// write files.
type Files struct {
	// Went, if set, is told how far a long command is; false stops it.
	Went func(p admin.Progress) bool
}

// Save refuses: there is no journal.
func (Files) Save(string) (int, error) {
	return 0, fmt.Errorf("nothing is stored of this lab: run it with -w WORKSPACE to be able to save it")
}

// Workspace is "": there is none.
func (Files) Workspace() string { return "" }

// Progress tells how far a long command is.
func (f Files) Progress(p admin.Progress) bool { return f.Went == nil || f.Went(p) }

// Read gives the files that a list of names and patterns stands for, those of a
// pattern in order of name. Source: cqlsh 6.2 FilesReader.get_source.
func (Files) Read(names string) ([]admin.File, error) {
	var out []admin.File
	for _, name := range strings.Split(names, ",") {
		name = home(strings.TrimSpace(name))
		found := []string{name}
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			found, _ = filepath.Glob(name)
			sort.Strings(found)
		}
		if len(found) == 0 {
			return nil, admin.Complain("Can't open '%s' for reading: no matching file found", name)
		}
		for _, path := range found {
			text, err := readFile(path)
			if err != nil {
				return nil, admin.Complain("Can't open '%s' for reading: %s", path, reason(err))
			}
			out = append(out, admin.File{Name: path, Text: strings.TrimPrefix(string(text), "\ufeff")})
		}
	}
	return out, nil
}

// readFile reads a regular file; devices and pipes might never end.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("it is not a file")
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Write makes or replaces a file. With keep, one that exists is renamed before,
// by the time of day as cqlsh does.
func (Files) Write(name string, data []byte, keep bool) error {
	name = home(name)
	if keep {
		if _, err := os.Stat(name); err == nil {
			if err := os.Rename(name, name+time.Now().Format(".20060102_150405")); err != nil {
				return fmt.Errorf("%s", reason(err))
			}
		}
	}
	if err := os.WriteFile(name, data, fs.FileMode(0o644)); err != nil {
		return fmt.Errorf("%s", reason(err))
	}
	return nil
}

// home replaces a ~ in front of a path.
func home(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return path
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(dir, rest)
}
