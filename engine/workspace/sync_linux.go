package workspace

import (
	"os"
	"syscall"
)

// syncData waits until what was written is on disk, without the times of the
// file, which nobody needs.
func syncData(file *os.File) error { return syscall.Fdatasync(int(file.Fd())) }
