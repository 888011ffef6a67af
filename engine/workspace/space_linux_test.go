package workspace

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFullDisk fills a small file system, which only root can make.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=24m"); err != nil {
		t.Skip("mounting a small disk: ", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(disk, 0)) })
	folder := filepath.Join(disk, "labs")
	must(t, os.Mkdir(folder, 0o700))
	ballast := filepath.Join(disk, "ballast")
	room := func(bytes uint64) error {
		if err := os.Remove(ballast); err != nil && !os.IsNotExist(err) {
			return err
		}
		var stat syscall.Statfs_t
		if err := syscall.Statfs(disk, &stat); err != nil {
			return err
		}
		used := (stat.Blocks-stat.Bfree)*uint64(stat.Bsize) + bytes
		if bytes > 1<<30 {
			return nil
		}
		return os.WriteFile(ballast, make([]byte, max(0, int64(24<<20-used))), 0o600)
	}
	if err := fillUp(filepath.Join(folder, "x.ringlab"), room); err != nil {
		t.Fatal(err)
	}
}
