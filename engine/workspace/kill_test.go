//go:build unix

package workspace

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"testing"
)

func init() { roles["append"] = appendForever }

// appendForever appends entries until it is killed. It prints "a N" when entry N
// was acknowledged, and "u N" before it takes back what is behind N.
func appendForever(path string) error {
	fmt.Println("start")
	f, err := Open(path)
	if err != nil {
		if f, err = Create(path, someHeader); err != nil {
			return err
		}
	}
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), f.Len()))
	w := NewWriter(f, WriterOptions{Group: 20})
	next := f.Len() + 1
	for {
		for _, e := range someEntries(next, r.IntN(100)+1) {
			e.N = 0
			w.Add(e, func(n uint64, err error) {
				if err != nil {
					fmt.Println("error:", err)
					os.Exit(1)
				}
				fmt.Println("a", n)
			})
			next++
		}
		switch r.IntN(10) {
		case 0:
			if _, err := f.PutBlob(make([]byte, r.IntN(50_000))); err != nil {
				return err
			}
		case 1:
			if err := f.SaveUI(make([]byte, r.IntN(5000))); err != nil {
				return err
			}
		case 2:
			if err := w.Flush(); err != nil {
				return err
			}
			next = f.Len() - r.Uint64N(min(50, f.Len())) + 1
			fmt.Println("u", next-1)
			if err := f.Truncate(next - 1); err != nil {
				return err
			}
		}
	}
}

// TestKilled kills a process that appends, at random moments. Everything it had
// acknowledged is there afterwards, and the file opens without complaint.
func TestKilled(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 0))
	path := newPath(t)
	total := 0
	for round := range 40 {
		if round%8 == 0 {
			path = newPath(t) // some rounds are killed while they make the file
		}
		cmd := child(t, "append", path)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewScanner(out)
		var acknowledged uint64
		read := func() {
			var word string
			var n uint64
			fmt.Sscan(lines.Text(), &word, &n)
			switch word {
			case "a":
				acknowledged = n
				total++
			case "u":
				acknowledged = min(acknowledged, n)
			case "error:":
				t.Fatal(lines.Text())
			}
		}
		for i := r.IntN(400); i >= 0 && lines.Scan(); i-- {
			read()
		}
		must(t, cmd.Process.Kill())
		for lines.Scan() { // what it had printed before it died counts
			read()
		}
		_ = cmd.Wait()
		f, err := Open(path)
		if errors.Is(err, fs.ErrNotExist) && acknowledged == 0 {
			continue
		}
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		got := all(t, f)
		if uint64(len(got)) < acknowledged {
			t.Fatalf("round %d: %d entries, %d were acknowledged", round, len(got), acknowledged)
		}
		for i, want := range someEntries(1, len(got)) {
			if !equal(got[i], want) {
				t.Fatalf("round %d: entry %d is %v", round, i+1, got[i])
			}
		}
		must(t, f.Close())
	}
	t.Log(total, "acknowledged entries")
	if total < 500 {
		t.Error("too few to mean anything")
	}
}
