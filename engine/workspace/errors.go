package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"time"
)

// Foreign says that a file is not a workspace. Nothing was changed.
type Foreign struct {
	Path  string
	Seems string // what it is, as far as its first bytes tell: "a text file"
	Empty bool   // it has no bytes at all, so that Create may use it
}

func (e *Foreign) Error() string {
	if e.Empty {
		return e.Path + " is an empty file, not a workspace yet; a new workspace can be made of it"
	}
	return fmt.Sprintf("%s is not a ringlab workspace: it is %s; it was left as it is, choose another name", e.Path, e.Seems)
}

// Damaged says that a workspace is not as it was written. Nothing was changed.
type Damaged struct {
	Path      string
	Recovered uint64 // commands of the journal that are whole, and that Repair keeps
	Lost      string // what is wrong, as a sentence's part: "page 7 is not what it says"
}

func (e *Damaged) Error() string {
	return fmt.Sprintf("%s is damaged: %s; %s can be recovered; nothing was changed: a repair writes them to a new file and keeps this one beside it",
		e.Path, e.Lost, commands(e.Recovered))
}

// Newer says that a workspace was written by a newer ringlab.
type Newer struct {
	Path          string
	Format, Known int // the file's format; the newest that this program reads; Format is 0 where not even that could be read
}

func (e *Newer) Error() string {
	if e.Format == 0 {
		return e.Path + " was written by a newer ringlab; it was left as it is, open it with the newer one"
	}
	return fmt.Sprintf("%s was written by a newer ringlab (file format %d, this one reads up to %d); it was left as it is, open it with the newer one", e.Path, e.Format, e.Known)
}

// ReadOnly says that the file or its folder cannot be written.
type ReadOnly struct {
	Path string
	Err  error // what the system said; nil where the file was opened with OpenReadOnly
}

func (e *ReadOnly) Error() string {
	if e.Err == nil {
		return e.Path + " was opened read-only: commands are not stored; copy it elsewhere to go on with it"
	}
	return fmt.Sprintf("%s cannot be written (%s); it can be opened read-only, or copied to a folder of yours", e.Path, systemText(e.Err))
}

func (e *ReadOnly) Unwrap() error { return e.Err }

// Locked says that another process has the workspace open.
type Locked struct {
	PID     int       // 0 where unknown
	Host    string    // empty where unknown
	Command string    // name of the program, empty where unknown
	Since   time.Time // zero where unknown
	Path    string
	Remote  bool // the process is of another host, so that it cannot be told whether it still runs
}

func (e *Locked) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = fmt.Sprintf("process %d (%s) on %s", e.PID, e.Command, e.Host)
	}
	if !e.Since.IsZero() {
		who += " since " + e.Since.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	text := fmt.Sprintf("%s is open in %s; close it there, or open another workspace with `ringlab other.ringlab`", e.Path, who)
	if e.Remote {
		text += fmt.Sprintf("; if that process no longer runs, delete %s.lock", e.Path)
	}
	return text
}

// Exists says that Create found a file with content.
type Exists struct{ Path string }

func (e *Exists) Error() string {
	return e.Path + " exists already; open it, or choose another name for a new workspace"
}

// Full says that the disk, a quota or a limit refused more bytes. Nothing of
// what was being stored is stored, and the workspace can be used on.
type Full struct {
	Path string
	Err  error
}

func (e *Full) Error() string {
	return fmt.Sprintf("no space left for %s (%s); free some space, what was acknowledged before is safe", e.Path, systemText(e.Err))
}

func (e *Full) Unwrap() error { return e.Err }

// Unsure says that the system failed to confirm the last write. Whether it is
// stored shows when the workspace is opened again; until then it stores nothing.
type Unsure struct {
	Path string
	Err  error
}

func (e *Unsure) Error() string {
	return fmt.Sprintf("%s: the disk did not confirm the last write (%s); close the workspace and open it again, what was acknowledged before is safe", e.Path, systemText(e.Err))
}

func (e *Unsure) Unwrap() error { return e.Err }

// Gone says that the file was moved, deleted or replaced while it was open.
type Gone struct{ Path string }

func (e *Gone) Error() string {
	return e.Path + " was moved, deleted or replaced while it was open; nothing more is stored, put it back and open it again"
}

// NoFolder says that the folder of a new workspace does not exist.
type NoFolder struct{ Path, Folder string }

func (e *NoFolder) Error() string {
	return fmt.Sprintf("cannot make %s: the folder %s does not exist; make it first", e.Path, e.Folder)
}

// errClosed is the answer of every method after Close.
var errClosed = errors.New("the workspace is closed")

// storing turns what the system said about a write into an error that a user can act on.
func storing(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case outOfSpace(err):
		return &Full{path, err}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return &ReadOnly{path, err}
	}
	return fmt.Errorf("storing in %s: %w; what was acknowledged before is safe", path, err)
}

// outOfSpace reports whether err is a full disk, a quota or a file size limit.
// bbolt hands some of them on as text only.
func outOfSpace(err error) bool {
	for _, no := range spaceErrors {
		if errors.Is(err, no) || strings.Contains(err.Error(), no.Error()) {
			return true
		}
	}
	return false
}

// systemText is the system's own words, without the paths around them.
func systemText(err error) string {
	var no syscall.Errno
	if errors.As(err, &no) {
		return no.Error()
	}
	return err.Error()
}

func commands(n uint64) string {
	switch n {
	case 0:
		return "no command"
	case 1:
		return "1 command"
	}
	return fmt.Sprintf("%d commands", n)
}
