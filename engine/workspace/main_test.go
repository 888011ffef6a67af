package workspace

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// childRole names what a re-executed test binary does instead of testing.
const childRole = "RINGLAB_WORKSPACE_CHILD"

var roles = map[string]func(path string) error{}

func TestMain(m *testing.M) {
	if role := os.Getenv(childRole); role != "" {
		if err := roles[role](os.Args[1]); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child is this test binary in a role, with a path to work on.
func child(t testing.TB, role, path string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, path)
	cmd.Env = append(os.Environ(), childRole+"="+role)
	return cmd
}

var someHeader = Header{Behaviour: 7, Made: 1_700_000_000, Epoch: -5, Ring: "dc1=3 dc2=3 vnodes=16", Seed: 1<<63 + 9}

// someEntries are n entries as Each gives them after first-1 others.
func someEntries(first uint64, n int) []Entry {
	entries := make([]Entry, n)
	for i := range entries {
		no := first + uint64(i)
		entries[i] = Entry{N: no, At: int64(no) * 1500, Client: "console", Branch: "main", Hash: no * 0x9e3779b97f4a7c15,
			Text: fmt.Sprintf("INSERT INTO shop.items (id, title) VALUES (%d, 'tea %d');", no, no)}
		if no%10 == 3 {
			entries[i].Kind, entries[i].Data, entries[i].Client = 1, []byte{0, byte(no), 0xff}, "driver 2"
		}
	}
	return entries
}

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "lab.ringlab") }

func mustCreate(t testing.TB, path string) *File {
	t.Helper()
	f, err := Create(path, someHeader)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func mustOpen(t testing.TB, path string) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func mustAppend(t testing.TB, f *File, entries []Entry) {
	t.Helper()
	if err := f.Append(entries); err != nil {
		t.Fatal(err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func all(t testing.TB, f *File) []Entry {
	t.Helper()
	var got []Entry
	must(t, f.Each(1, func(e Entry) error { got = append(got, e); return nil }))
	return got
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s:\n got %.2000v\nwant %.2000v", what, got, want)
	}
}

func contains(t testing.TB, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Fatalf("error %q lacks %q", err, p)
		}
	}
}

// made is a closed workspace with n entries in groups of various sizes, a blob,
// history and what the screen remembers.
func made(t testing.TB, n int) (path string, want []Entry) {
	t.Helper()
	path = newPath(t)
	f := mustCreate(t, path)
	want = someEntries(1, n)
	for at, size := 0, 1; at < n; at, size = at+size, size*3%400+1 {
		size = min(size, n-at)
		mustAppend(t, f, want[at:at+size])
	}
	_, err := f.PutBlob([]byte(strings.Repeat("k,v\n", 3000)))
	must(t, err)
	must(t, f.AddHistory("SELECT 1;"))
	must(t, f.SaveUI([]byte("focus=console")))
	must(t, f.Close())
	return path, want
}
