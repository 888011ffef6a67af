package tui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ringlab/tui/draw"
)

// outside is a program that has the terminal for a while: the user's editor. Where
// input or output are no files, as in a test, it gets none.
type outside struct{ *exec.Cmd }

func (o outside) SetStdin(r io.Reader) {
	if f, ok := r.(*os.File); ok && o.Stdin == nil {
		o.Stdin = f
	}
}

func (o outside) SetStdout(w io.Writer) {
	if f, ok := w.(*os.File); ok && o.Stdout == nil {
		o.Stdout = f
	}
}

func (o outside) SetStderr(w io.Writer) {
	if f, ok := w.(*os.File); ok && o.Stderr == nil {
		o.Stderr = f
	}
}

// edited brings back what the editor made of the prompt.
type edited struct {
	text string
	err  error
}

// editorName is the user's editor: what VISUAL or EDITOR say, else vi.
func editorName() string {
	for _, name := range []string{os.Getenv("VISUAL"), os.Getenv("EDITOR")} {
		if strings.TrimSpace(name) != "" {
			return name
		}
	}
	return pick(runtime.GOOS == "windows", "notepad", "vi")
}

// editOutside hands the prompt's text to the user's editor.
func (a *App) editOutside() tea.Cmd {
	a.setFocus(3)
	a.console.browse, a.console.popup = false, completion{}
	name, text := editorName(), a.console.edit.text
	suffix := pick(a.v.Language == "cli", ".cli", ".cql")
	return func() tea.Msg {
		path, err := writeDraft(text, suffix)
		if err != nil {
			return edited{err: err}
		}
		return tea.Exec(outside{editorCommand(name, path)}, func(err error) tea.Msg {
			defer os.RemoveAll(filepath.Dir(path))
			if err != nil {
				return edited{err: editorTrouble(name, err)}
			}
			text, err := readDraft(path)
			return edited{text, err}
		})()
	}
}

// editorCommand has a shell take the name apart, as git does: it may hold options
// and quotes.
func editorCommand(name, path string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		words := strings.Fields(name)
		return exec.Command(words[0], append(words[1:], path)...)
	}
	return exec.Command("sh", "-c", name+` "$1"`, "sh", path)
}

// editorTrouble says in words why an editor brought nothing back.
func editorTrouble(name string, err error) error {
	var exit *exec.ExitError
	switch {
	case !errors.As(err, &exit):
		return fmt.Errorf("the editor %s cannot be started: %w", name, err)
	case exit.ExitCode() == 127:
		return fmt.Errorf("there is no editor %s; VISUAL or EDITOR name the one to use", name)
	case exit.ExitCode() == 126:
		return fmt.Errorf("%s may not be run; VISUAL or EDITOR name the editor to use", name)
	}
	return fmt.Errorf("the editor %s gave up (%s): the statement is as it was", name, exit)
}

// writeDraft writes text into a file of a new folder, which only its owner may read.
func writeDraft(text, suffix string) (string, error) {
	dir, err := os.MkdirTemp("", "ringlab-")
	if err != nil {
		return "", fmt.Errorf("no file for the editor: %w", err)
	}
	path := filepath.Join(dir, "statement"+suffix)
	if text != "" {
		text += "\n"
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("no file for the editor: %w", err)
	}
	return path, nil
}

// longestDraft is the size up to which a file is read back.
const longestDraft = 8 << 20

func readDraft(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("what the editor wrote cannot be read: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, longestDraft+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("what the editor wrote cannot be read: %w", err)
	case len(data) > longestDraft:
		return "", fmt.Errorf("the editor wrote more than %s; `:open` and SOURCE take files of any size", draw.Bytes(longestDraft))
	}
	return strings.ToValidUTF8(string(data), "\uFFFD"), nil
}

// tookEdited puts what the editor wrote into the prompt, where enter runs it.
func (a *App) tookEdited(m edited) tea.Cmd {
	a.touch(3)
	if m.err != nil {
		return a.say(Error, "✗ "+m.err.Error())
	}
	text := strings.TrimRight(unixLines(m.text), "\n\t ")
	p := a.console
	switch {
	case text == p.edit.text:
		return a.say(Dim, "the editor changed nothing")
	case len(text) > bigPaste:
		p.edit.set("")
		p.pasted(text)
		return nil
	}
	p.edit.set(text)
	p.pastAt = len(p.past)
	return a.say(OK, pick(text == "", "the editor left nothing", "from the editor; "+keyText(bindingByID["prompt.force"].Keys[0])+" runs it"))
}
