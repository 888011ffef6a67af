package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringlab/engine"
	"ringlab/engine/host"
)

// TestRecent: workspaces beside the open one, the newest first, with what was
// done last; what is none does no harm.
func TestRecent(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_DATA_HOME", dir)
	here := filepath.Join(dir, "here.ringlab")
	for i, name := range []string{"old.ringlab", "here.ringlab"} {
		path := filepath.Join(dir, name)
		store, err := host.Open(path, host.OpenOptions{Epoch: engine.DefaultEpoch})
		if err != nil {
			t.Fatal(err)
		}
		h := host.New(store)
		h.SaveUI([]byte(`{"lesson":"r2-ranges","step":2}`))
		for range h.Do(":note hello") {
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(1_700_000_000+int64(i), 0)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "torn.ringlab"), []byte("no workspace"), 0o644); err != nil {
		t.Fatal(err)
	}
	os.Mkdir(filepath.Join(dir, "folder.ringlab"), 0o755)
	var got []string
	for _, r := range recent(here) {
		got = append(got, r.Name+" "+r.Last)
	}
	if want := "torn.ringlab |here.ringlab |old.ringlab 1 commands, lesson r2-ranges step 3"; strings.Join(got, "|") != want {
		t.Errorf("recent workspaces are %q", got)
	}
	for _, c := range []struct{ name, want string }{{"lab", filepath.Join(dir, "lab.ringlab")}, {"old", ""}, {"old.ringlab", ""}} {
		if path, err := newWorkspace(here, c.name); path != c.want || (err == nil) == (c.want == "") {
			t.Errorf("a new workspace %s is at %q, %v", c.name, path, err)
		}
	}
}
