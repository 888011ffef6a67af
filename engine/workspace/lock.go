package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// lockTitle is the first line of a lock file.
const lockTitle = "ringlab lock\n"

// lockFile is the file beside a workspace that says who has it open. Its text
// is for people; what counts is the lock that the system keeps on it, which ends
// with the process, however that ends. So a lock file that can be locked is
// stale, even where its process number belongs to another program by now.
type lockFile struct {
	path string
	file *os.File
}

// acquire takes the lock of the workspace at path, or returns *Locked.
func acquire(path string) (*lockFile, error) {
	l := &lockFile{path: path + ".lock"}
	for range 20 {
		file, err := openLock(l.path)
		if errors.Is(err, fs.ErrNotExist) {
			if _, err := os.Stat(filepath.Dir(path)); err == nil {
				continue // its owner deleted it just now
			}
			return nil, &NoFolder{path, filepath.Dir(path)}
		}
		if err != nil {
			return nil, lockError(path, err)
		}
		held, err := tryLock(file)
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("locking %s: %w; is its file system one that cannot lock files? copy the workspace to a local folder", path, err)
		}
		text := readLock(file)
		if !held {
			file.Close()
			return nil, heldBy(path, text)
		}
		if !standsAt(file, l.path) {
			file.Close() // its owner deleted it between our opening and locking it
			continue
		}
		if err := l.take(file, path, text); err != nil {
			file.Close()
			return nil, err
		}
		return l, nil
	}
	return nil, &Locked{Path: path}
}

// take writes our name into a lock file that we have locked. It held text.
func (l *lockFile) take(file *os.File, path string, text []byte) error {
	torn := len(bytes.Trim(text, "\x00")) == 0 || strings.HasPrefix(lockTitle, string(text))
	if !torn && !strings.HasPrefix(string(text), lockTitle) {
		return fmt.Errorf("%s is in the way: it is not a lock file of ringlab; move it elsewhere", l.path)
	}
	host, _ := os.Hostname()
	if held := heldBy(path, text); held.Host != "" && held.Host != host {
		held.Remote = true
		return held
	}
	line := fmt.Sprintf("%spid %d\nhost %s\nsince %d\ncommand %s\n",
		lockTitle, os.Getpid(), host, time.Now().Unix(), filepath.Base(os.Args[0]))
	err := file.Truncate(0)
	if err == nil {
		_, err = file.WriteAt([]byte(line), 0)
	}
	if err != nil && !outOfSpace(err) { // on a full disk the lock has no text, and holds
		return storing(path, err)
	}
	l.file = file
	return nil
}

// release deletes the lock file and lets go of it.
func (l *lockFile) release() error {
	if l == nil || l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	if !standsAt(file, l.path) {
		return file.Close()
	}
	if err := removeLock(file, l.path); err != nil {
		return fmt.Errorf("removing %s: %w", l.path, err)
	}
	return nil
}

// openLock opens a lock file or makes it. One that is not ours to write is
// opened for reading, which is enough to learn who holds it.
func openLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if !errors.Is(err, fs.ErrExist) {
		return file, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is in the way: it is not a lock file of ringlab; move it elsewhere", path)
	}
	file, err = os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) {
		if reading, err := os.Open(path); err == nil {
			return reading, nil
		}
	}
	return file, err
}

// lockError explains why there is no lock file.
func lockError(path string, err error) error {
	if at := new(fs.PathError); errors.As(err, &at) {
		return storing(path, err)
	}
	return err
}

// standsAt reports whether path still names the open file.
func standsAt(file *os.File, path string) bool {
	open, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(open, named)
}

func readLock(file *os.File) []byte {
	text, _ := io.ReadAll(io.NewSectionReader(file, 0, 4096))
	return text
}

// heldBy reads a lock file's text. What it lacks stays unknown.
func heldBy(path string, text []byte) *Locked {
	held := &Locked{Path: path}
	rest, ok := strings.CutPrefix(string(text), lockTitle)
	if !ok {
		return held
	}
	for line := range strings.Lines(rest) {
		word, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch word {
		case "pid":
			held.PID, _ = strconv.Atoi(value)
		case "host":
			held.Host = value
		case "command":
			held.Command = value
		case "since":
			if s, err := strconv.ParseInt(value, 10, 64); err == nil {
				held.Since = time.Unix(s, 0)
			}
		}
	}
	return held
}
