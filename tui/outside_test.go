package tui

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// script writes an executable file that stands in for an editor.
func script(t *testing.T, body string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	path := filepath.Join(t.TempDir(), "an editor")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return "'" + path + "'"
}

// inEditor presses ctrl+e and goes the way of a statement to the editor and back,
// without a terminal.
func inEditor(b *bench) {
	b.t.Helper()
	name, text := editorName(), b.app.console.edit.text
	b.press("ctrl+e")
	path, err := writeDraft(text, ".cql")
	if err != nil {
		b.t.Fatal(err)
	}
	defer os.RemoveAll(filepath.Dir(path))
	if err := (outside{editorCommand(name, path)}).Run(); err != nil {
		b.send(edited{err: editorTrouble(name, err)})
		return
	}
	text, err = readDraft(path)
	b.send(edited{text, err})
}

func TestStatementsGoToTheEditorAndBack(t *testing.T) {
	t.Setenv("VISUAL", script(t, `sed -i 's/21/42/; $a AND ts > 3;' "$1"`))
	b := newBench(t, scripted(), Options{})
	b.typeText("SELECT 21 FROM t")
	inEditor(b)
	if got := b.app.console.edit.text; got != "SELECT 42 FROM t\nAND ts > 3;" {
		t.Errorf("the prompt has %q", got)
	}
	want(t, b, "from the editor; F5 runs it")
	b.press("ctrl+_")
	if got := b.app.console.edit.text; got != "SELECT 21 FROM t" {
		t.Errorf("undo leaves %q", got)
	}
	t.Setenv("VISUAL", "")
	for editor, says := range map[string]string{
		script(t, "exit 3"):                                    "gave up (exit status 3): the statement is as it was",
		"no-such-editor --wait":                                "there is no editor no-such-editor --wait; VISUAL or EDITOR name the one to use",
		script(t, `: "$1"`):                                    "the editor changed nothing",
		script(t, `rm "$1"`):                                   "what the editor wrote cannot be read",
		script(t, `printf '\033[2Jx\r\n' >$1`):                 "from the editor",
		script(t, `head -c 20000 /dev/zero | tr '\0' ';' >$1`): "20K",
	} {
		t.Setenv("EDITOR", editor)
		b.app.console.edit.set("SELECT 21 FROM t")
		b.app.console.paste = nil
		b.app.zoom = 2
		inEditor(b)
		want(t, b, says)
		if bad := checkFrame(b.app); bad != "" {
			t.Errorf("%s: %s", editor, bad)
		}
	}
}

// The program gives the terminal away and takes it back.
func TestEditorHasTheTerminal(t *testing.T) {
	t.Setenv("VISUAL", script(t, `echo "SELECT * FROM readings;" >"$1"`))
	p := onTerminal(t, scripted(), Options{})
	// A pipe cannot be left by whoever reads it, as a terminal can: the first bytes
	// after the editor go to the reader of before.
	swallowed := func() { _, _ = io.WriteString(p.in, " ") }
	p.until("focus 3 Console")
	p.keys("\x05")
	p.until("from the editor; F5 runs it")
	swallowed()
	p.keys("\r")
	p.until("2 rows, 1 stale")
	t.Setenv("VISUAL", "no-such-editor")
	p.keys("\x05")
	p.until("there is no editor no-such-editor")
	swallowed()
	p.end("\x03\x03")
}

// What is written for the editor is its owner's alone, and is gone afterwards.
func TestDraftsArePrivate(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	path, err := writeDraft("SELECT 1", ".cql")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 || !strings.HasPrefix(path, dir) {
		t.Errorf("%s: %v %v", path, info, err)
	}
	a := newBench(t, scripted(), Options{}).app
	var _ tea.Cmd = a.editOutside()
}
