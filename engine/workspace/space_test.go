//go:build unix

package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() {
	roles["full"] = func(path string) error {
		return fillUp(path, func(bytes uint64) error {
			var limit syscall.Rlimit
			if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
				return err
			}
			limit.Cur = min(bytes, uint64(limit.Max))
			return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
		})
	}
	roles["unprivileged"] = unprivileged
}

// fillUp appends until there is no room, several times; room sets how large files may be.
func fillUp(path string, room func(bytes uint64) error) error {
	if err := room(10_000); err != nil {
		return err
	}
	if _, err := Create(path, someHeader); !errors.As(err, new(*Full)) {
		return fmt.Errorf("creating without room: %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 0 {
		return fmt.Errorf("a failed Create left %v", left)
	}
	if err := room(1 << 60); err != nil {
		return err
	}
	f, err := Create(path, someHeader)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 1))
	for size := uint64(300_000); size < 8<<20; size = size*3/2 + 12_345 {
		if err := room(size); err != nil {
			return err
		}
		stored := f.Len()
		for {
			group := someEntries(stored+1, r.IntN(600)+1)
			if err = f.Append(group); err != nil {
				break
			}
			stored += uint64(len(group))
		}
		if !errors.As(err, new(*Full)) {
			return fmt.Errorf("appending without room: %v", err)
		}
		if text := err.Error(); !strings.Contains(text, "no space left") || !strings.Contains(text, "acknowledged before is safe") {
			return err
		}
		if _, err := f.PutBlob(bytes.Repeat([]byte{byte(size)}, 10<<20)); !errors.As(err, new(*Full)) {
			return fmt.Errorf("a blob without room: %v", err)
		}
		if f.Len() != stored {
			return fmt.Errorf("%d entries, want %d", f.Len(), stored)
		}
		if r.IntN(2) == 0 { // reopening needs no room
			if err := f.Close(); err != nil {
				return err
			}
			if f, err = Open(path); err != nil {
				return err
			}
		}
		n := uint64(0)
		err = f.Each(1, func(e Entry) error {
			n++
			if !equal(e, someEntries(n, 1)[0]) {
				return fmt.Errorf("entry %d is %v", n, e)
			}
			return nil
		})
		if err != nil || n != stored {
			return fmt.Errorf("%d entries of %d, %v", n, stored, err)
		}
	}
	return f.Close()
}

func TestNoRoom(t *testing.T) {
	out, err := child(t, "full", newPath(t)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// unprivileged tries a folder and files that its user may not write.
func unprivileged(path string) error {
	if os.Getuid() == 0 {
		if err := syscall.Setgid(65534); err != nil {
			return err
		}
		if err := syscall.Setuid(65534); err != nil {
			return err
		}
	}
	readOnly := func(what string, err error) error {
		if e := new(ReadOnly); !errors.As(err, &e) || !strings.Contains(err.Error(), "read-only") {
			return fmt.Errorf("%s: %v", what, err)
		}
		return nil
	}
	_, openErr := Open(path)
	_, createErr := Create(path+"2", someHeader)
	_, lockErr := Open(path + ".writable") // the folder is not, so there is no lock file
	_, _, repairErr := Repair(path)
	if err := errors.Join(readOnly("open", openErr), readOnly("create", createErr),
		readOnly("lock", lockErr), readOnly("repair", repairErr)); err != nil {
		return err
	}
	if _, err := Open(path + ".secret"); !errors.Is(err, os.ErrPermission) || errors.As(err, new(*ReadOnly)) {
		return fmt.Errorf("secret: %v", err)
	}
	f, err := OpenReadOnly(path)
	if err != nil {
		return err
	}
	if n := f.Len(); n != 300 {
		return fmt.Errorf("%d entries", n)
	}
	if err := f.Each(1, func(Entry) error { return nil }); err != nil {
		return err
	}
	if err := readOnly("append", f.Append(someEntries(1, 1))); err != nil {
		return err
	}
	return f.Close()
}

func TestUnprivileged(t *testing.T) {
	path, _ := made(t, 300)
	content, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path+".writable", content, 0o600))
	must(t, os.WriteFile(path+".secret", content, 0o600))
	must(t, os.Chmod(path+".writable", 0o666))
	must(t, os.Chmod(path+".secret", 0))
	must(t, os.Chmod(path, 0o444))
	folder := filepath.Dir(path)
	must(t, os.Chmod(filepath.Dir(folder), 0o755))
	must(t, os.Chmod(folder, 0o555))
	t.Cleanup(func() { os.Chmod(folder, 0o755) })
	out, err := child(t, "unprivileged", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
