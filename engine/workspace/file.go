package workspace

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"go.etcd.io/bbolt"
)

// The buckets and their fixed keys.
var (
	bucketMeta    = []byte("meta")
	bucketJournal = []byte("journal")
	bucketUndone  = []byte("undone")
	bucketBefore  = []byte("before")
	bucketBlobs   = []byte("blobs")
	bucketUI      = []byte("ui")
	bucketHistory = []byte("history")
	bucketIntake  = []byte("intake") // of files that are written a lot

	buckets = [][]byte{bucketMeta, bucketJournal, bucketUndone, bucketBefore, bucketBlobs, bucketUI, bucketHistory}

	keyHeader = []byte("header")
	keyState  = []byte("state")
	keyIntake = []byte("blocks")
)

// File is an open workspace. It may be used by several goroutines; each method
// is one step. After a fault (the file was cut short, replaced, or a page could
// not be read) every method returns that error until the file is opened again.
type File struct {
	path, real string
	readOnly   bool

	mu      sync.Mutex
	db      *bbolt.DB
	disk    *os.File // the file that db uses
	lock    *lockFile
	head    head
	length  uint64 // entries in the journal
	undone  uint64 // entries in the undone bucket
	size    int64  // bytes; a file never becomes shorter while it is open
	buf     []byte // of Append, as is wire
	wire    []byte
	intake  intake
	commits int   // of entries, since it was opened
	failed  error // what every method answers from now on
	torn    bool  // bbolt was left in the middle of something and must not be called again
}

// Header is what the lab starts from.
func (f *File) Header() Header {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.head.Header
}

// Len is the number of entries in the journal.
func (f *File) Len() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.length
}

// Path is the path that the file was opened by.
func (f *File) Path() string { return f.path }

// ReadOnly reports whether the file was opened with OpenReadOnly.
func (f *File) ReadOnly() bool { return f.readOnly }

// Close lets go of the file and of its lock. It may be called more than once.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.db == nil {
		return nil
	}
	if f.failed == nil && len(f.intake.groups) > 0 { // what stays there is read when the file is opened again
		_ = f.update(func(*bbolt.Tx) error { return nil })
	}
	var err error
	if f.torn {
		unlock(f.disk)
		err = f.disk.Close()
	} else {
		err = f.db.Close()
	}
	f.db = nil
	if f.failed == nil {
		f.failed = errClosed
	}
	if lockErr := f.lock.release(); err == nil {
		err = lockErr
	}
	return err
}

// view runs fn in a read transaction. The caller holds f.mu. Nothing that fn
// gets from bbolt may be used after it.
func (f *File) view(fn func(tx *bbolt.Tx) error) error {
	return f.guarded(func() error { return f.db.View(fn) })
}

// update runs fn in a write transaction and commits it durably, with what has
// been taken in. The caller holds f.mu. After an error nothing of it is stored.
func (f *File) update(fn func(tx *bbolt.Tx) error) error {
	if f.failed == nil && f.readOnly {
		return &ReadOnly{Path: f.path}
	}
	var refused error // fn's own
	var before, after int
	err := f.guarded(func() error {
		if err := f.named(); err != nil {
			return err
		}
		err := f.db.Update(func(tx *bbolt.Tx) error {
			before = tx.ID() - 1
			if refused = putGroups(tx.Bucket(bucketJournal), f.intake.merged()); refused == nil {
				refused = fn(tx)
			}
			return refused
		})
		if err == nil || refused != nil || before == 0 {
			return err
		}
		if look := f.db.View(func(tx *bbolt.Tx) error { after = tx.ID(); return nil }); look != nil {
			after = -1
		}
		return err
	})
	switch {
	case err == nil:
		f.intake.empty()
		if info, err := f.disk.Stat(); err == nil {
			f.size = max(f.size, info.Size())
		}
		return nil
	case f.failed != nil:
		return f.failed
	case refused != nil:
		return refused
	case after != before:
		f.failed = &Unsure{f.path, err}
		return f.failed
	}
	return storing(f.path, err)
}

// named checks that the file's name is still that of the open file.
func (f *File) named() error {
	named, err := os.Stat(f.real)
	if err == nil {
		if open, err := f.disk.Stat(); err == nil && os.SameFile(open, named) {
			return nil
		}
	}
	f.failed = &Gone{f.path}
	return f.failed
}

// guarded runs fn, which calls bbolt. Whatever a damaged file makes of that is
// an error: a fault in the mapped file and a panic of bbolt are caught here.
func (f *File) guarded(fn func() error) (err error) {
	if f.failed != nil {
		return f.failed
	}
	if err := f.long(); err != nil {
		return err
	}
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		if r := recover(); r != nil {
			f.torn = true
			f.failed = damaged(f.path, f.real, fmt.Sprintf("a page could not be read (%v)", r))
			err = f.failed
		}
	}()
	return fn()
}

// long checks that the file is no shorter than it was.
func (f *File) long() error {
	info, err := f.disk.Stat()
	if err != nil {
		return fmt.Errorf("reading %s: %w", f.path, err)
	}
	if info.Size() < f.size {
		f.failed = damaged(f.path, f.real, fmt.Sprintf("it was cut from %d to %d bytes while it was open", f.size, info.Size()))
		return f.failed
	}
	return nil
}
