package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tryDamaged opens a file that was tampered with. Whatever happened to it, the
// answer is a typed error, or entries that are a beginning of want: all of them,
// or as many as stand before a *Damaged. Salvage and Repair give nothing else either.
func tryDamaged(t *testing.T, what, path string, want []Entry) (outcome string) {
	t.Helper()
	before, err := os.ReadFile(path)
	must(t, err)
	beginning := func(got []Entry) {
		t.Helper()
		if len(got) > len(want) {
			t.Fatalf("%s: %d entries of %d", what, len(got), len(want))
		}
		for i, e := range got {
			if !equal(e, want[i]) {
				t.Fatalf("%s: entry %d is %v", what, i+1, e)
			}
		}
	}
	f, err := Open(path)
	if err == nil {
		var got []Entry
		err = f.Each(1, func(e Entry) error { got = append(got, e); return nil })
		beginning(got)
		if err == nil && len(got) != len(want) {
			t.Fatalf("%s: %d entries of %d without an error", what, len(got), len(want))
		}
		f.LoadUI()
		f.LoadHistory()
		if err == nil {
			writeOn(t, what, f, want)
			return "whole"
		}
		if err := f.Close(); err != nil {
			t.Fatalf("%s: closing: %v", what, err)
		}
	}
	after, rerr := os.ReadFile(path)
	must(t, rerr)
	if !bytes.Equal(before, after) {
		t.Fatalf("%s: a refused file was changed", what)
	}
	_, saved, _, serr := Salvage(path)
	damaged, foreign, newer := new(Damaged), new(Foreign), new(Newer)
	switch {
	case errors.As(err, &foreign), errors.As(err, &newer):
		if serr == nil && len(saved) > 0 {
			t.Fatalf("%s: %v, but %d entries are whole", what, err, len(saved))
		}
		return "foreign"
	case !errors.As(err, &damaged):
		t.Fatalf("%s: %v", what, err)
	}
	must(t, serr)
	for _, e := range saved {
		if e.N > uint64(len(want)) || !equal(e, want[e.N-1]) {
			t.Fatalf("%s: salvaged %v", what, e)
		}
	}
	_, recovered, err := Repair(path)
	if err != nil {
		contains(t, err, "header is lost")
		return "lost"
	}
	if recovered < damaged.Recovered {
		t.Fatalf("%s: %d recovered, %d promised (%v)", what, recovered, damaged.Recovered, damaged)
	}
	f, err = Open(path)
	if err != nil {
		t.Fatalf("%s: after the repair: %v", what, err)
	}
	got := all(t, f)
	beginning(got)
	same(t, what+": repaired", uint64(len(got)), recovered)
	must(t, f.Close())
	return "damaged"
}

// writeOn uses a file that was tampered with and gave all its entries.
func writeOn(t *testing.T, what string, f *File, want []Entry) {
	t.Helper()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: writing on: %v", what, err)
		}
	}
	half := uint64(len(want) / 2)
	ok(f.Truncate(half))
	ok(f.Append(want[half:]))
	_, err := f.PutBlob([]byte(what))
	ok(err)
	ok(f.Close())
	f, err = Open(f.Path())
	ok(err)
	same(t, what, all(t, f), want)
	ok(f.Reset(someHeader))
	ok(f.Close())
}

// tamper calls fn for the content of a workspace again and again, and tries what
// comes out of it.
type tamper struct {
	t       *testing.T
	content []byte
	want    []Entry
	folder  string
	n       int
	seen    map[string]int
}

func newTamper(t *testing.T, n int) *tamper {
	path, want := made(t, n)
	content, err := os.ReadFile(path)
	must(t, err)
	// What bbolt keeps free at the end is not worth a test a page.
	used := len(bytes.TrimRight(content, "\x00"))
	content = content[:min(len(content), (used+3*4096)&^4095)]
	return &tamper{t: t, content: content, want: want, folder: t.TempDir(), seen: map[string]int{}}
}

func (x *tamper) try(what string, content []byte) {
	x.t.Helper()
	x.n++
	path := filepath.Join(x.folder, fmt.Sprintf("%d.ringlab", x.n))
	must(x.t, os.WriteFile(path, content, 0o600))
	x.seen[tryDamaged(x.t, what, path, x.want)]++
	left, _ := filepath.Glob(filepath.Join(x.folder, "*"))
	for _, name := range left {
		if strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, ".new") {
			x.t.Fatalf("%s: %s was left behind", what, name)
		}
		must(x.t, os.Remove(name))
	}
}

func TestTruncatedFiles(t *testing.T) {
	x := newTamper(t, 900)
	for at := 0; at < len(x.content); at += 4096 {
		x.try(fmt.Sprint("cut to ", at), x.content[:at])
	}
	for _, at := range []int{1, 15, 16, 17, 63, 64, 80, 100, 1024, 4095, 4097, 8191, 8193, 12289, len(x.content) - 1, len(x.content) - 4097} {
		x.try(fmt.Sprint("cut to ", at), x.content[:at])
	}
	t.Log(x.seen)
}

func TestFlippedBits(t *testing.T) {
	x := newTamper(t, 900)
	rounds := 500
	if testing.Short() {
		rounds = 100
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		content := bytes.Clone(x.content)
		what := fmt.Sprintf("seed %d:", seed)
		for range 1 + seed%3 {
			at := r.IntN(len(content))
			if seed%2 == 0 { // the structure rather than the values
				at = at&^4095 + r.IntN(128)
			}
			bit := r.IntN(8)
			content[at] ^= 1 << bit
			what += fmt.Sprintf(" bit %d of byte %d of page %d", bit, at%4096, at/4096)
		}
		x.try(what, content)
	}
	t.Log(x.seen)
}

func TestLostPages(t *testing.T) {
	x := newTamper(t, 900)
	for at := 0; at+4096 <= len(x.content); at += 4096 {
		for _, fill := range []string{"zeros", "noise", "another page", "half"} {
			content := bytes.Clone(x.content)
			page := content[at : at+4096]
			switch fill {
			case "zeros":
				clear(page)
			case "noise":
				r := rand.New(rand.NewPCG(uint64(at), 2))
				for i := range page {
					page[i] = byte(r.Uint32())
				}
			case "another page":
				copy(page, x.content[(at+4096*3)%(len(content)-4096):])
			case "half":
				clear(page[2048:])
			}
			x.try(fmt.Sprintf("page %d is %s", at/4096, fill), content)
		}
	}
	t.Log(x.seen)
}

func TestAppendedGarbage(t *testing.T) {
	x := newTamper(t, 300)
	for _, garbage := range []string{"x", strings.Repeat("garbage ", 3000), string(x.content)} {
		x.try("garbage behind", append(bytes.Clone(x.content), garbage...))
	}
	same(t, "outcomes", x.seen, map[string]int{"whole": 3})
	// Growing over the garbage does no harm.
	path := filepath.Join(x.folder, "grown.ringlab")
	must(t, os.WriteFile(path, append(bytes.Clone(x.content), bytes.Repeat(x.content, 3)...), 0o600))
	f := mustOpen(t, path)
	more := someEntries(301, 5000)
	mustAppend(t, f, more)
	must(t, f.Close())
	same(t, "entries", all(t, mustOpen(t, path)), append(x.want, more...))
}

// TestOlderPages puts pages of an earlier state into a later one, as a disk does
// that acknowledged writes and lost them. Of the two first pages it cannot be told.
func TestOlderPages(t *testing.T) {
	path := newPath(t)
	f := mustCreate(t, path)
	want := someEntries(1, 500)
	mustAppend(t, f, want[:499])
	older, err := os.ReadFile(path)
	must(t, err)
	mustAppend(t, f, want[499:])
	must(t, f.Close())
	newer, err := os.ReadFile(path)
	must(t, err)
	for at := 2 * 4096; at+4096 <= len(older); at += 4096 {
		if bytes.Equal(older[at:at+4096], newer[at:at+4096]) {
			continue
		}
		content := bytes.Clone(newer)
		copy(content[at:], older[at:at+4096])
		must(t, os.WriteFile(path, content, 0o600))
		if outcome := tryDamaged(t, fmt.Sprint("page ", at/4096, " is older"), path, want); outcome == "lost" {
			t.Fatal(outcome)
		}
	}
}

func TestForeignFiles(t *testing.T) {
	noise := make([]byte, 100_000)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	for _, c := range []struct{ name, content, seems string }{
		{"text", "CREATE TABLE x;\n-- é\n", "a text file"},
		{"long text", strings.Repeat("é", 5000), "a text file"},
		{"sqlite", "SQLite format 3\x00" + strings.Repeat("\x00\x01", 5000), "a SQLite database"},
		{"zip", "PK\x03\x04" + string(noise), "a ZIP archive"},
		{"noise", string(noise), "a file of an unknown sort"},
		{"zeros", strings.Repeat("\x00", 100_000), "a file of zeros"},
		{"one byte", "\x00", "a file of zeros"},
		{"lock", "ringlab lock\npid 5\n", "the lock file of a workspace"},
		{"magic", strings.Repeat("\xf5RL\x01", 40_000), "a file of an unknown sort"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		must(t, os.WriteFile(path, []byte(c.content), 0o600))
		_, err := Open(path)
		if e, ok := err.(*Foreign); !ok || e.Seems != c.seems {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		contains(t, err, path, c.seems, "choose another name")
		if _, _, err = Repair(path); !errors.As(err, new(*Foreign)) {
			t.Errorf("%s: repair: %v", c.name, err)
		}
		if _, err = Create(path, someHeader); !errors.As(err, new(*Exists)) {
			t.Errorf("%s: create: %v", c.name, err)
		}
		left, err := os.ReadFile(path)
		must(t, err)
		same(t, c.name, string(left) == c.content, true)
	}
	_, err := Open(t.TempDir())
	contains(t, err, "a folder")
	_, err = Create(t.TempDir(), someHeader)
	contains(t, err, "a folder")
	_, err = Open(filepath.Join(t.TempDir(), "nothing"))
	contains(t, err, "does not exist")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	_, _, _, err = Salvage(filepath.Join(t.TempDir(), "nothing"))
	contains(t, err, "does not exist")
}

func TestHugeSparseFile(t *testing.T) {
	path := newPath(t)
	must(t, os.WriteFile(path, nil, 0o600))
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip(err)
	}
	_, err := Open(path) // who reads all of it does not end while tests run
	contains(t, err, "a file of zeros")
}

func TestNewerFormat(t *testing.T) {
	path := newPath(t)
	f := mustCreate(t, path)
	f.head.Format = Format + 1
	must(t, f.Truncate(0)) // stores nothing
	mustAppend(t, f, someEntries(1, 1))
	must(t, f.Truncate(0)) // stores the header
	must(t, f.Close())
	_, err := Open(path)
	if e, ok := err.(*Newer); !ok || e.Format != Format+1 {
		t.Fatal(err)
	}
	contains(t, err, "newer ringlab", fmt.Sprint("file format ", Format+1))
}

// TestDamageWhileOpen cuts and replaces a file that is open.
func TestDamageWhileOpen(t *testing.T) {
	for _, to := range []int64{0, 4096, 8192, 40_960} {
		path, want := made(t, 900)
		f := mustOpen(t, path)
		must(t, os.Truncate(path, to))
		if err := f.Append(someEntries(901, 1)); !errors.As(err, new(*Damaged)) {
			t.Fatal(err)
		}
		if err := f.Each(1, func(Entry) error { return nil }); !errors.As(err, new(*Damaged)) {
			t.Fatal(err)
		}
		must(t, f.Close())
		if to > 0 {
			tryDamaged(t, "cut while open", path, want)
		}
	}
	// The length is looked at before each step. Without that, the fault of reading
	// a page that is not there is caught, and the file still closes.
	for _, to := range []int64{0, 8192} {
		path, _ := made(t, 900)
		f := mustOpen(t, path)
		must(t, os.Truncate(path, to))
		f.size = 0
		if err := f.Each(1, func(Entry) error { return nil }); !errors.As(err, new(*Damaged)) {
			t.Fatal(err)
		}
		must(t, f.Close())
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
			t.Fatal(left, err)
		}
	}
	path, _ := made(t, 10)
	f := mustOpen(t, path)
	must(t, os.Rename(path, path+".moved"))
	if err := f.Append(someEntries(11, 1)); !errors.As(err, new(*Gone)) {
		t.Fatal(err)
	}
	must(t, f.Close())
	same(t, "moved", mustOpen(t, path+".moved").Len(), uint64(10))
}
