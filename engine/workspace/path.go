package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// DefaultPath is where the workspace stands that is opened when none is named:
// ringlab/default.ringlab in $XDG_DATA_HOME or, without that, in the system's
// folder for a user's data.
func DefaultPath() (string, error) {
	folder := os.Getenv("XDG_DATA_HOME")
	if filepath.IsAbs(folder) {
		return filepath.Join(folder, "ringlab", "default.ringlab"), nil
	}
	if runtime.GOOS == "windows" {
		if folder = os.Getenv("LOCALAPPDATA"); folder != "" {
			return filepath.Join(folder, "ringlab", "default.ringlab"), nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("finding your home folder: %w; name a workspace, as in `ringlab my.ringlab`", err)
	}
	parts := []string{home, ".local", "share", "ringlab", "default.ringlab"}
	if runtime.GOOS == "darwin" {
		parts = []string{home, "Library", "Application Support", "ringlab", "default.ringlab"}
	}
	return filepath.Join(parts...), nil
}

// makeFolder makes the folder of the default workspace, for its user only. The
// folder of any other is the user's to make: its name may be mistyped.
func makeFolder(path string) error {
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		return nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("making %s: %w", path, err)
	}
	def, err := DefaultPath()
	if err != nil || path != def {
		return &NoFolder{path, folder}
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return storing(path, err)
	}
	return nil
}

// resolve is the absolute path of the file itself: symbolic links are followed,
// so that one file has one lock, whatever it is called.
func resolve(path string) (string, error) {
	if path == "" {
		return "", errors.New("the workspace's name is empty")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(abs)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return abs, nil
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		target, _ := os.Readlink(abs)
		return "", &Foreign{Path: path, Seems: fmt.Sprintf("a symbolic link to %s, which cannot be followed", target)}
	}
	return real, nil
}

// examine looks at a file without opening it, since opening a pipe waits. Its
// error is *Foreign for whatever is not a file with content, and satisfies
// fs.ErrNotExist where nothing is there.
func examine(path, real string) error {
	info, err := os.Stat(real)
	if errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("%s: a part of its path is not a folder: %w", path, fs.ErrNotExist)
	}
	if err != nil {
		return opening(path, err)
	}
	switch {
	case info.IsDir():
		return &Foreign{Path: path, Seems: "a folder"}
	case !info.Mode().IsRegular():
		return &Foreign{Path: path, Seems: "not a file but a device or pipe"}
	case info.Size() == 0:
		return &Foreign{Path: path, Seems: "an empty file", Empty: true}
	}
	return nil
}

// opening words an error of opening a file.
func opening(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s does not exist: %w", path, fs.ErrNotExist)
	}
	return fmt.Errorf("opening %s: %w", path, err)
}
