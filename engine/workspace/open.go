package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// lockWait is how long bbolt tries to lock the file itself. The lock file comes
// first, so this matters only where someone deleted that.
const lockWait = 200 * time.Millisecond

// Open opens a workspace. Its error is one of *Locked, *Foreign, *Damaged,
// *Newer and *ReadOnly, satisfies fs.ErrNotExist, or is the system's. The file
// is not changed by a failing Open.
func Open(path string) (*File, error) { return open(path, false) }

// OpenReadOnly opens a workspace that cannot be written, or should not be. It
// makes no lock file; while another process has the workspace open for writing
// it returns *Locked.
func OpenReadOnly(path string) (*File, error) { return open(path, true) }

func open(path string, readOnly bool) (*File, error) {
	real, err := resolve(path)
	if err != nil {
		return nil, err
	}
	if err := examine(path, real); err != nil {
		return nil, err
	}
	var lock *lockFile
	if !readOnly {
		if err := writable(path, real); err != nil {
			return nil, err
		}
		if lock, err = acquire(real); err != nil {
			return nil, err
		}
	}
	f, err := openLocked(path, real, lock, readOnly)
	if err != nil {
		_ = lock.release()
		return nil, err
	}
	return f, nil
}

// writable tries whether an existing file may be written.
func writable(path, real string) error {
	file, err := os.OpenFile(real, os.O_RDWR, 0)
	switch {
	case err == nil:
		return file.Close()
	case !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS):
		return opening(path, err)
	}
	if reading, rerr := os.Open(real); rerr == nil {
		reading.Close()
		return &ReadOnly{path, err}
	}
	return opening(path, err)
}

// openLocked opens a file whose lock is held, or that is only read.
func openLocked(path, real string, lock *lockFile, readOnly bool) (*File, error) {
	if readOnly {
		shared, err := share(path, real)
		if err != nil {
			return nil, err
		}
		defer shared.Close()
	}
	if err := checkFile(path, real); err != nil {
		return nil, err
	}
	f := &File{path: path, real: real, lock: lock, readOnly: readOnly}
	if err := f.connect(); err != nil {
		return nil, err
	}
	err := f.load()
	if err == nil {
		return f, nil
	}
	f.lock = nil // the caller releases it
	_ = f.Close()
	if fault := new(groupFault); errors.As(err, &fault) {
		return nil, damaged(path, real, err.Error())
	}
	return nil, err
}

// share keeps writers away from a file while it is open, so that its pages do
// not change while they are walked; bbolt then takes a shared lock of its own.
func share(path, real string) (*os.File, error) {
	file, err := os.Open(real)
	if err != nil {
		return nil, opening(path, err)
	}
	held, err := tryShare(file)
	if err == nil && held {
		return file, nil
	}
	file.Close()
	if err != nil {
		return nil, opening(path, err)
	}
	text, _ := os.ReadFile(real + ".lock")
	return nil, heldBy(path, text)
}

// checkFile walks the pages of a file before it is mapped.
func checkFile(path, real string) error {
	file, err := os.Open(real)
	if err != nil {
		return opening(path, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return opening(path, err)
	}
	names, fault := checkPages(file, info.Size())
	ours := seemsOurs
	if fault == nil {
		for _, name := range buckets {
			if !slices.Contains(names, string(name)) {
				fault = fmt.Errorf("its part %q is missing", name)
			}
		}
		if fault == nil {
			return nil
		}
		ours = holdsRecords // any bbolt file seems ours
	}
	if !ours(file, info.Size()) {
		return &Foreign{Path: path, Seems: sniff(file, info.Size())}
	}
	return &Damaged{Path: path, Recovered: survey(file, info.Size()).intact(), Lost: fault.Error()}
}

// damaged is the error for a file whose pages are whole but not their content.
func damaged(path, real, lost string) error {
	e := &Damaged{Path: path, Lost: lost}
	if file, err := os.Open(real); err == nil {
		defer file.Close()
		if info, err := file.Stat(); err == nil {
			e.Recovered = survey(file, info.Size()).intact()
		}
	}
	return e
}

// connect hands the file to bbolt.
func (f *File) connect() (err error) {
	options := &bbolt.Options{
		Timeout:        lockWait,
		NoFreelistSync: true, // a stored list of free pages is one more thing that can be wrong
		FreelistType:   bbolt.FreelistMapType,
		NoStatistics:   true,
		ReadOnly:       f.readOnly,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			file, err := os.OpenFile(name, flag&^os.O_CREATE, mode)
			f.disk = file
			return file, err
		},
	}
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		if r := recover(); r != nil {
			if f.disk != nil {
				unlock(f.disk)
				f.disk.Close()
			}
			err = damaged(f.path, f.real, fmt.Sprint(r))
		}
	}()
	f.db, err = bbolt.Open(f.real, 0o600, options)
	switch {
	case err == nil:
	case errors.Is(err, bolterrors.ErrTimeout):
		return &Locked{Path: f.path} // its lock file was deleted, or it only reads
	case errors.Is(err, fs.ErrPermission):
		return &ReadOnly{f.path, err}
	default:
		return opening(f.path, err)
	}
	info, err := f.disk.Stat()
	if err == nil {
		f.size = info.Size()
	}
	return err
}
