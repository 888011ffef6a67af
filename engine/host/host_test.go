package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringlab/engine/answer"
	"ringlab/engine/view"
	"ringlab/engine/workspace"
)

func TestReopeningGivesTheSameLab(t *testing.T) {
	for name, script := range map[string]string{
		"data":         tables + "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\nUPDATE ks.note SET l = l + ['x', 'y'] WHERE id = 'n';\nDELETE FROM ks.t WHERE k = 1 AND c = 2;\n:flush\n:advance 3d\n",
		"faults":       tables + ":down n2\nCONSISTENCY QUORUM\nINSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\n:cut n1 > n3\nINSERT INTO ks.t (k, c, v) VALUES (1, 2, 'b');\n:heal\n:up n2\n:advance 20s\nTRACING ON\n",
		"clients":      tables + ":client alice node=n4 cl=ALL skew=+3s\n:as alice\nUSE ks;\nINSERT INTO t (k, c, v) VALUES (1, 1, 'alice');\nEXPAND ON\n",
		"new ring":     tables + ":ring new dc1=3 dc2=2 vnodes=8 seed=9\n" + strings.Replace(tables, "'dc1': 3", "'dc1': 3, 'dc2': 2", 1) + "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\n",
		"reset":        tables + "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\n:reset\n" + tables,
		"together":     tables + ":client a\n:client b node=n3\n:together\n:as a\nINSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\n:as b\n:at +1ms INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'b');\nSELECT * FROM ks.t WHERE k = 1;\n:end\n",
		"open block":   tables + ":together\nINSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\n",
		"refusals":     "SELECT * FORM x;\n" + tables + "SELECT * FROM ks.t WHERE v = 'x';\n:down n99\n:nonsense\n",
		"expectations": tables + "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'a');\nSELECT * FROM ks.t;\n:help down\n:expect message stop\nSELECT * FROM ks.t;\n:expect rows 1\n----\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lab.ringlab")
			h := open(t, path)
			do(t, h, script)
			first := said(do(t, h, look))
			client := h.View().Client
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			// What was asked is part of the journal and must be answered alike; asked
			// again it moves time, so the comparison is with a second lab.
			again := open(t, path)
			if got := again.View(); got.Client != client {
				t.Errorf("client %q, expected %q", got.Client, client)
			}
			second := open(t, filepath.Join(t.TempDir(), "other.ringlab"))
			do(t, second, script)
			if other := said(do(t, second, look)); other != first {
				t.Errorf("two labs differ:\n%s\n%s", first, other)
			}
			a, b := said(do(t, again, look)), said(do(t, second, look))
			if a != b {
				t.Errorf("reopened:\n%s\nlived:\n%s", a, b)
			}
		})
	}
}

// A file that is gone stores nothing, so nothing is acknowledged.
func TestNothingIsAcknowledgedThatIsNotStored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.ringlab")
	h := open(t, path)
	well(t, h, tables)
	if err := os.Rename(path, path+".elsewhere"); err != nil {
		t.Fatal(err)
	}
	inputs := []string{"INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'lost'); SELECT * FROM ks.t; SELECT * FROM ks.t WHERE k = 1;",
		"SELECT * FROM ks.t", ":help", ":undo", ":redo", "----\nx\n", ":status"}
	for i := range 40 {
		inputs = append(inputs, fmt.Sprintf("INSERT INTO ks.t (k, c, v) VALUES (%d, 1, 'lost')", i))
	}
	for _, text := range inputs {
		list := do(t, h, text)
		if len(list) == 0 {
			t.Errorf("%q is not answered", text)
		}
		for _, a := range list {
			if a.Error == nil || a.Error.Name != "WorkspaceError" || !strings.Contains(a.Error.Message, "was moved") {
				t.Errorf("%q is answered with %q", text, said([]answer.Answer{a}))
			}
		}
	}
	if got := h.View().Notice; got == "" {
		t.Error("the picture does not say that nothing is stored")
	}
	var gone *workspace.Gone
	if err := h.Close(); !errors.As(err, &gone) {
		t.Errorf("closing says %v", err)
	}
	if err := os.Rename(path+".elsewhere", path); err != nil {
		t.Fatal(err)
	}
	again := open(t, path)
	if got := well(t, again, "SELECT * FROM ks.t"); !strings.Contains(got, "(0 rows)") {
		t.Errorf("stored all the same: %s", got)
	}
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.ringlab")
	h := open(t, path)
	for _, text := range []string{":status", ":status", "  ", ":speed 1x", ":step", "SELECT 1;", ":status", "-- " + strings.Repeat("x", 3<<20)} {
		do(t, h, text)
	}
	want := ":status|SELECT 1;|:status"
	if got := strings.Join(h.History(), "|"); got != want {
		t.Errorf("history %.200q", got)
	}
	h.SaveUI([]byte("a"))
	h.SaveUI([]byte("layout"))
	h.Close()
	again := open(t, path)
	if got := strings.Join(again.History(), "|"); got != want || string(again.LoadUI()) != "layout" {
		t.Errorf("reopened with history %q and layout %q", got, again.LoadUI())
	}
}

// Whoever gave a long input may be gone when the host is closed.
func TestCloseWaitsForNoReader(t *testing.T) {
	h := fresh(t)
	well(t, h, tables)
	unread := h.Do(strings.Repeat("SELECT * FROM ks.t;\n", 5000))
	waiting := h.Do("SELECT * FROM ks.t;")
	<-unread
	closed := make(chan error, 2)
	for range 2 {
		go func() { closed <- h.Close() }()
	}
	for range 2 {
		select {
		case err := <-closed:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Fatal("Close waits for somebody to read")
		}
	}
	take(t, waiting)
	take(t, h.Do("SELECT * FROM ks.t"))
	h.Tick(time.Second)
	h.Show(view.Need{})
	h.Cancel()
	h.SaveUI(nil)
	if h.View() == nil {
		t.Error("no picture after Close")
	}
}

func TestOpeningCanBeCancelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.ringlab")
	h := open(t, path)
	well(t, h, tables)
	well(t, h, strings.Repeat("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 'x');\n", 40000))
	h.Close()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var seen []uint64
	_, err = Open(path, OpenOptions{Record: true, Progress: func(done, all uint64) bool {
		if all != 40003 {
			t.Errorf("%d of %d", done, all)
		}
		seen = append(seen, done)
		return false
	}})
	if !errors.Is(err, ErrCancelled) || len(seen) != 1 {
		t.Fatalf("%v after %v", err, seen)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("a cancelled opening changed the file")
	}
	if _, err := os.Stat(path + ".lock"); err == nil {
		t.Error("the lock is still there")
	}
}

func TestReadOnlyStores(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none.ringlab"), OpenOptions{ReadOnly: true}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing workspace: %v", err)
	}
	path := filepath.Join(dir, "lab.ringlab")
	h := open(t, path)
	well(t, h, tables)
	h.Close()
	s, err := Open(path, OpenOptions{ReadOnly: true, Record: true})
	if err != nil {
		t.Fatal(err)
	}
	read := New(s)
	defer read.Close()
	if got := do(t, read, "SELECT * FROM ks.t"); len(got) != 1 || got[0].Error == nil || got[0].Error.Name != "WorkspaceError" {
		t.Errorf("answered: %s", said(got))
	}
}
