package workspace

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// spaceErrors are what a system says when it takes no more bytes.
var spaceErrors = []syscall.Errno{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED}

// lockOffset is far behind a lock file's text: a locked range cannot be read by others.
const lockOffset = 1 << 30

// tryLock takes the lock of an open file without waiting. The system releases
// it when the process ends, however it ends.
func tryLock(file *os.File) (bool, error) {
	return lockRange(file, windows.LOCKFILE_EXCLUSIVE_LOCK, &windows.Overlapped{Offset: lockOffset})
}

// tryShare takes a shared lock of a database file, at the place where bbolt
// locks it, which keeps away who would write it.
func tryShare(file *os.File) (bool, error) {
	const last = 1<<32 - 1
	return lockRange(file, 0, &windows.Overlapped{Offset: last, OffsetHigh: last})
}

func lockRange(file *os.File, how uint32, at *windows.Overlapped) (bool, error) {
	err := windows.LockFileEx(windows.Handle(file.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, nil
	}
	return false, err
}

// unlock does nothing: closing a handle releases its locks.
func unlock(*os.File) {}

// removeLock closes a lock file and deletes it. An open file cannot be deleted;
// where someone opened it in between it stays, and is theirs.
func removeLock(file *os.File, path string) error {
	err := file.Close()
	_ = os.Remove(path)
	return err
}

// syncFolder does nothing: the system has no such call.
func syncFolder(string) error { return nil }
