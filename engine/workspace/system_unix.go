//go:build unix

package workspace

import (
	"errors"
	"os"
	"syscall"
)

// spaceErrors are what a system says when it takes no more bytes.
var spaceErrors = []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}

// tryLock takes the lock of an open file without waiting. The system releases
// it when the process ends, however it ends.
func tryLock(file *os.File) (bool, error) { return flock(file, syscall.LOCK_EX) }

// tryShare takes a shared lock of a database file, which keeps away who would write it.
func tryShare(file *os.File) (bool, error) { return flock(file, syscall.LOCK_SH) }

func flock(file *os.File, how int) (bool, error) {
	for {
		err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}

// unlock releases the lock of an open file, also where a mapping outlives it.
func unlock(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
}

// removeLock deletes a lock file while it is still locked, so that nobody can
// lock it in between.
func removeLock(file *os.File, path string) error {
	return errors.Join(os.Remove(path), file.Close())
}

// syncFolder makes a new name in a folder survive a power cut. File systems
// that cannot do that are none the worse for it.
func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); err != nil && outOfSpace(err) {
		return err
	}
	return nil
}
