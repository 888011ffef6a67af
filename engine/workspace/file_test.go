package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	path := newPath(t)
	f := mustCreate(t, path)
	want := someEntries(1, 1000)
	for i := range want {
		want[i].N = 0
	}
	mustAppend(t, f, want[:1])
	mustAppend(t, f, want[1:301])
	mustAppend(t, f, want[301:])
	mustAppend(t, f, nil)
	same(t, "numbers", want, someEntries(1, 1000))
	must(t, f.Close())
	must(t, f.Close())

	f = mustOpen(t, path)
	h := someHeader
	h.Format = Format
	same(t, "header", f.Header(), h)
	same(t, "length", f.Len(), uint64(1000))
	same(t, "path", f.Path(), path)
	same(t, "entries", all(t, f), want)
	for _, from := range []uint64{0, 1, 2, 256, 257, 301, 302, 557, 558, 1000, 1001, 1 << 63, 1<<64 - 1} {
		var got []Entry
		must(t, f.Each(from, func(e Entry) error { got = append(got, e); return nil }))
		same(t, fmt.Sprint("from ", from), len(got), 1000-min(1000, max(0, int(min(from, 2000))-1)))
		if len(got) > 0 {
			same(t, "first", got[0].N, max(from, 1))
		}
	}
	stop := errors.New("stop")
	if err := f.Each(5, func(Entry) error { return stop }); err != stop {
		t.Fatal(err)
	}
	if err := f.Each(1, func(e Entry) error { return f.AddHistory(e.Text) }); err != nil {
		t.Fatal("calling the file from visit:", err)
	}
}

func TestLargeEntriesMakeSmallGroups(t *testing.T) {
	path := newPath(t)
	f := mustCreate(t, path)
	want := someEntries(1, 20)
	for i := range want {
		want[i].Text = strings.Repeat("x", 300_000+i)
	}
	mustAppend(t, f, want)
	must(t, f.Close())
	same(t, "entries", all(t, mustOpen(t, path)), want)
}

func TestCreateRefusesContent(t *testing.T) {
	path, want := made(t, 10)
	_, err := Create(path, someHeader)
	if _, ok := err.(*Exists); !ok {
		t.Fatal(err)
	}
	same(t, "entries", all(t, mustOpen(t, path)), want)
}

func TestEmptyFileIsUsable(t *testing.T) {
	path := newPath(t)
	must(t, os.WriteFile(path, nil, 0o600))
	_, err := Open(path)
	if e, ok := err.(*Foreign); !ok || !e.Empty {
		t.Fatal(err)
	}
	mustCreate(t, path)
}

func TestFolders(t *testing.T) {
	base := t.TempDir()
	path := filepath.Join(base, "missing", "deep", "x.ringlab")
	_, err := Create(path, someHeader)
	if e, ok := err.(*NoFolder); !ok || e.Folder != filepath.Dir(path) {
		t.Fatal(err)
	}
	if _, err := Open(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	must(t, os.WriteFile(filepath.Join(base, "file"), []byte("x"), 0o600))
	if _, err := Create(filepath.Join(base, "file", "x.ringlab"), someHeader); err == nil {
		t.Fatal("created below a file")
	}
	if _, err := Open(""); err == nil {
		t.Fatal("opened no name")
	}

	t.Setenv("XDG_DATA_HOME", filepath.Join(base, "data"))
	path, err = DefaultPath()
	must(t, err)
	same(t, "default", path, filepath.Join(base, "data", "ringlab", "default.ringlab"))
	mustCreate(t, path)
	info, err := os.Stat(filepath.Join(base, "data"))
	must(t, err)
	if mode := info.Mode().Perm(); mode != 0o700 && os.PathSeparator == '/' {
		t.Fatalf("mode %o", mode)
	}
}

func TestSymbolicLinks(t *testing.T) {
	path, want := made(t, 10)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	f := mustOpen(t, link)
	same(t, "entries", all(t, f), want)
	if _, err := Open(path); !errors.As(err, new(*Locked)) {
		t.Fatal("two names, two locks:", err)
	}
	must(t, f.Close())

	nowhere := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(filepath.Join(t.TempDir(), "gone"), nowhere))
	_, err := Open(nowhere)
	contains(t, err, "symbolic link")
	_, err = Create(nowhere, someHeader)
	contains(t, err, "symbolic link")
	loop := filepath.Join(t.TempDir(), "loop")
	must(t, os.Symlink(loop, loop))
	_, err = Open(loop)
	contains(t, err, "symbolic link")
}

func TestUndoRedo(t *testing.T) {
	path := newPath(t)
	f := mustCreate(t, path)
	want := someEntries(1, 600)
	mustAppend(t, f, want)
	must(t, f.Truncate(590))
	must(t, f.Truncate(300))
	must(t, f.Truncate(256))
	must(t, f.Truncate(400)) // longer than it is
	check := func(length int) {
		t.Helper()
		same(t, "entries", all(t, f), want[:length])
		undone, err := f.Undone()
		must(t, err)
		same(t, "undone", append([]Entry{}, undone...), want[length:])
		must(t, f.Close())
		f = mustOpen(t, path)
		same(t, "length", f.Len(), uint64(length))
	}
	check(256)
	back, err := f.Redo(10)
	must(t, err)
	same(t, "redone", back, want[256:266])
	check(266)
	_, err = f.Redo(1000)
	must(t, err)
	check(600)
	must(t, f.Truncate(0))
	same(t, "entries", all(t, f), []Entry(nil))
	other := someEntries(1, 3)
	other[0].Text = "another"
	mustAppend(t, f, other)
	undone, err := f.Undone()
	must(t, err)
	same(t, "undone after a new command", len(undone), 0)
	back, err = f.Redo(5)
	must(t, err)
	same(t, "redone after a new command", len(back), 0)
	same(t, "entries", all(t, f), other)
}

func TestReset(t *testing.T) {
	path, want := made(t, 700)
	f := mustOpen(t, path)
	hash, err := f.PutBlob([]byte("rows"))
	must(t, err)
	second := Header{Ring: "dc1=1", Seed: 2}
	must(t, f.Reset(second))
	mustAppend(t, f, someEntries(1, 2))
	must(t, f.Reset(someHeader))
	must(t, f.Close())

	f = mustOpen(t, path)
	h := someHeader
	h.Format, second.Format = Format, Format
	same(t, "header", f.Header(), h)
	same(t, "entries", all(t, f), []Entry(nil))
	past, err := f.Before()
	must(t, err)
	same(t, "before", past, []Past{{h, 700}, {second, 2}})
	var got []Entry
	must(t, f.EachBefore(0, func(e Entry) error { got = append(got, e); return nil }))
	same(t, "entries before", got, want)
	if err := f.EachBefore(2, nil); err == nil {
		t.Fatal("a third journal")
	}
	blob, err := f.Blob(hash)
	must(t, err)
	same(t, "blob", string(blob), "rows")
}

func TestBlobs(t *testing.T) {
	path := newPath(t)
	f := mustCreate(t, path)
	big := []byte(strings.Repeat("a,b,c\n", 1<<18))
	hash, err := f.PutBlob(big)
	must(t, err)
	again, err := f.PutBlob(big)
	must(t, err)
	none, err := f.PutBlob(nil)
	must(t, err)
	same(t, "hash", again, hash)
	must(t, f.Close())
	f = mustOpen(t, path)
	got, err := f.Blob(hash)
	must(t, err)
	same(t, "blob", string(got) == string(big), true)
	got, err = f.Blob(none)
	must(t, err)
	same(t, "empty blob", len(got), 0)
	for _, bad := range []string{"", "zz", strings.Repeat("0", 64)} {
		if _, err := f.Blob(bad); !errors.As(err, new(*NoBlob)) {
			t.Fatal(err)
		}
	}
}

func TestScreenAndHistory(t *testing.T) {
	path := newPath(t)
	f := mustCreate(t, path)
	same(t, "state", f.LoadUI(), []byte(nil))
	must(t, f.SaveUI([]byte("a")))
	must(t, f.SaveUI([]byte("b")))
	for i := range 30 {
		must(t, f.AddHistory(fmt.Sprint("line ", i)))
	}
	must(t, f.Close())
	f = mustOpen(t, path)
	same(t, "state", string(f.LoadUI()), "b")
	lines := f.LoadHistory()
	same(t, "history", len(lines), 30)
	same(t, "last line", lines[29], "line 29")
}

func TestClosed(t *testing.T) {
	f := mustCreate(t, newPath(t))
	must(t, f.Close())
	for _, err := range []error{f.Append(someEntries(1, 1)), f.Truncate(0), f.Reset(Header{}), f.Each(1, nil),
		f.SaveUI(nil), f.AddHistory(""), second(f.PutBlob(nil)), second(f.Undone()), second(f.Redo(1)), second(f.Before())} {
		if err == nil {
			t.Fatal("a closed file answers")
		}
	}
}

func second[T any](_ T, err error) error { return err }
