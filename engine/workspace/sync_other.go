//go:build !linux

package workspace

import "os"

// syncData waits until what was written is on disk.
func syncData(file *os.File) error { return file.Sync() }
