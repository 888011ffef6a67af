package workspace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func init() {
	roles["hold"] = func(path string) error {
		f, err := Open(path)
		if err != nil {
			return err
		}
		fmt.Println("open")
		_, _ = io.Copy(io.Discard, os.Stdin)
		return f.Close()
	}
}

func lockedBy(t *testing.T, err error) *Locked {
	t.Helper()
	locked := new(Locked)
	if !errors.As(err, &locked) {
		t.Fatal("not locked:", err)
	}
	return locked
}

func TestLockedByAnotherProcess(t *testing.T) {
	path, want := made(t, 10)
	for _, how := range []string{"close", "kill"} {
		cmd := child(t, "hold", path)
		in, err := cmd.StdinPipe()
		must(t, err)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		same(t, fmt.Sprint("child, ", err), line, "open\n")

		start := time.Now()
		_, err = Open(path)
		held := lockedBy(t, err)
		host, _ := os.Hostname()
		same(t, "process", held.PID, cmd.Process.Pid)
		same(t, "host", held.Host, host)
		same(t, "remote", held.Remote, false)
		if age := start.Sub(held.Since); age < -time.Second || age > time.Minute {
			t.Fatal("since", held.Since)
		}
		contains(t, err, path, fmt.Sprint("process ", held.PID), host, "close it there", "`ringlab other.ringlab`")
		_, err = OpenReadOnly(path)
		same(t, "process", lockedBy(t, err).PID, cmd.Process.Pid)
		_, _, err = Repair(path)
		lockedBy(t, err)
		if how == "kill" {
			must(t, cmd.Process.Kill())
			_ = cmd.Wait()
			if _, err := os.Stat(path + ".lock"); err != nil {
				t.Fatal("a killed process leaves its lock file:", err)
			}
		} else {
			must(t, in.Close())
			must(t, cmd.Wait())
		}
		f := mustOpen(t, path)
		same(t, "entries", all(t, f), want)
		must(t, f.Close())
		if _, err := os.Stat(path + ".lock"); err == nil {
			t.Fatal("the lock file stayed")
		}
	}
}

func TestStaleLocks(t *testing.T) {
	path, want := made(t, 10)
	host, _ := os.Hostname()
	for _, stale := range []string{
		"", "ringlab", lockTitle, strings.Repeat("\x00", 80),
		lockTitle + "pid 999999999\nhost " + host + "\nsince 5\ncommand ringlab\n",
		lockTitle + "pid 1\nhost " + host + "\nsince 5\ncommand ringlab\n", // a number that another program has now
		lockTitle + "pid x",
	} {
		must(t, os.WriteFile(path+".lock", []byte(stale), 0o600))
		f := mustOpen(t, path)
		same(t, "entries", all(t, f), want)
		must(t, f.Close())
	}
	must(t, os.WriteFile(path+".lock", []byte(lockTitle+"pid 5\nhost elsewhere."+host+"\nsince 5\ncommand ringlab\n"), 0o600))
	_, err := Open(path)
	same(t, "remote", lockedBy(t, err).Remote, true)
	contains(t, err, "process 5 (ringlab) on elsewhere", "1970-01-01 00:00:05", "delete "+path+".lock")
	f, err := OpenReadOnly(path)
	must(t, err)
	must(t, f.Close())

	must(t, os.WriteFile(path+".lock", []byte("my own notes"), 0o600))
	_, err = Open(path)
	contains(t, err, "is in the way")
	left, err := os.ReadFile(path + ".lock")
	must(t, err)
	same(t, "notes", string(left), "my own notes")
	must(t, os.Remove(path+".lock"))
	must(t, os.Mkdir(path+".lock", 0o700))
	_, err = Open(path)
	contains(t, err, "is in the way")
	must(t, os.Remove(path+".lock"))
	notes := filepath.Join(t.TempDir(), "notes")
	must(t, os.WriteFile(notes, nil, 0o600))
	if os.Symlink(notes, path+".lock") == nil {
		_, err = Open(path)
		contains(t, err, "is in the way")
	}
}

func TestLockWithinAProcess(t *testing.T) {
	path, _ := made(t, 10)
	f := mustOpen(t, path)
	_, err := Open(path)
	same(t, "process", lockedBy(t, err).PID, os.Getpid())
	_, err = Create(path, someHeader)
	if !errors.As(err, new(*Exists)) {
		t.Fatal(err)
	}
	// Without its lock file it is still locked, if by a nameless process.
	must(t, os.Remove(path+".lock"))
	_, err = Open(path)
	same(t, "process", lockedBy(t, err).PID, 0)
	mustAppend(t, f, someEntries(11, 1))
	must(t, f.Close())
	same(t, "length", mustOpen(t, path).Len(), uint64(11))
}

func TestReadersShare(t *testing.T) {
	path, want := made(t, 400)
	a, err := OpenReadOnly(path)
	must(t, err)
	b, err := OpenReadOnly(path)
	must(t, err)
	same(t, "entries", all(t, a), want)
	same(t, "entries", all(t, b), want)
	same(t, "read-only", a.ReadOnly(), true)
	_, err = Open(path)
	lockedBy(t, err)
	for _, err := range []error{a.Append(someEntries(1, 1)), a.Truncate(3), a.Reset(Header{}), a.SaveUI(nil)} {
		if !errors.As(err, new(*ReadOnly)) {
			t.Fatal(err)
		}
	}
	must(t, a.Close())
	must(t, b.Close())
	mustOpen(t, path)
}

// TestOneOwner opens and closes a workspace from many sides at once.
func TestOneOwner(t *testing.T) {
	path, _ := made(t, 10)
	var owners, opened atomic.Int32
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for range 40 {
				f, err := Open(path)
				if err != nil {
					if !errors.As(err, new(*Locked)) {
						t.Error(err)
					}
					continue
				}
				opened.Add(1)
				if owners.Add(1) != 1 {
					t.Error("two owners")
				}
				owners.Add(-1)
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	t.Log(opened.Load(), "of 240 opened")
}
