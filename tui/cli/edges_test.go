package cli

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"ringlab/tui"
)

// exitCode waits for a program and gives its exit status.
func exitCode(t *testing.T, c *exec.Cmd) int {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return exit.ExitCode()
		}
		return 0
	case <-time.After(60 * time.Second):
		c.Process.Kill()
		t.Fatal("the program does not end")
		return 0
	}
}

// output runs a program that must end well.
func output(t *testing.T, in string, args ...string) string {
	t.Helper()
	c := program(args...)
	c.Stdin = strings.NewReader(in)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("ringlab %s: %v\n%s%s", strings.Join(args, " "), err, out, errs.Bytes())
	}
	return string(out)
}

const small = `CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3};
CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c));
INSERT INTO ks.t (k, c, v) VALUES (1, 1, '<&>');
`

func inserts(n int) string {
	var b strings.Builder
	b.WriteString(small)
	for i := range n {
		fmt.Fprintf(&b, "INSERT INTO ks.t (k, c, v) VALUES (%d, %d, 'x');\n", i%100, i+10)
	}
	return b.String()
}

func TestScreens(t *testing.T) {
	ws := filepath.Join(t.TempDir(), "lab.ringlab")
	output(t, small, "run", "-w", ws, "-")
	before, err := os.ReadFile(ws)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tui.Screens() {
		for _, from := range [][]string{nil, {"-w", ws}} {
			text := output(t, "", append([]string{"screen", name, "--size", "100x30"}, from...)...)
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if len(lines) != 30 {
				t.Errorf("%s has %d lines", name, len(lines))
			}
			for _, l := range lines {
				if utf8.RuneCountInString(l) > 100 {
					t.Errorf("%s: a line is too wide: %s", name, l)
				}
			}
			svg := output(t, "", append([]string{"screen", name, "--size", "100x30", "--format", "svg"}, from...)...)
			var shown strings.Builder
			dec := xml.NewDecoder(strings.NewReader(svg))
			for {
				token, err := dec.Token()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%s as SVG: %v", name, err)
				}
				switch token := token.(type) {
				case xml.CharData:
					shown.Write(token)
				}
			}
			for _, l := range lines {
				if l = squeeze(l); !strings.Contains(squeeze(shown.String()), l) {
					t.Errorf("%s as SVG lacks %q", name, l)
				}
			}
		}
	}
	if text := output(t, "", "screen", "schema", "-w", ws); !strings.Contains(text, "1 partition") || !strings.Contains(text, "lab.ringlab") {
		t.Errorf("the schema does not show the table:\n%s", text)
	}
	if text := output(t, "", "screen", "ring", "--ascii"); strings.ContainsFunc(text, func(r rune) bool { return r >= 0x2500 && r < 0x2900 }) {
		t.Errorf("--ascii draws with more than ASCII:\n%s", text)
	}
	if after, _ := os.ReadFile(ws); !bytes.Equal(before, after) {
		t.Error("looking at a workspace changed it")
	}
	c := program("screen", "nope")
	text, _ := c.CombinedOutput()
	if c.ProcessState.ExitCode() != 2 || !bytes.Contains(text, []byte("workbench, schema, ring, console, trace, storage, guide, strip, placement, files, consistency, help, palette, messages")) {
		t.Errorf("an unknown screen: %s", text)
	}
}

func TestUsageOfTheEdges(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.ringlab")
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"screen"}, 2},
		{[]string{"screen", "ring", "help"}, 2},
		{[]string{"screen", "ring", "--size", "160"}, 2},
		{[]string{"screen", "ring", "--size", "0x10"}, 2},
		{[]string{"screen", "ring", "--format", "png"}, 2},
		{[]string{"screen", "ring", "--size", "1x1"}, 0},
		{[]string{"screen", "ring", "-w", missing}, 1},
		{[]string{"run", "--plain", "--ascii", "--reduced-motion", "--reset-ui", "-"}, 0},
	} {
		p := program(c.args...)
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		if got := exitCode(t, p); got != c.want {
			t.Errorf("ringlab %s: exit %d, expected %d", strings.Join(c.args, " "), got, c.want)
		}
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("looking at a workspace made it")
	}
}

// Without a screen the same lab answers in lines that can be read aloud.
func TestPlain(t *testing.T) {
	ws := filepath.Join(t.TempDir(), "lab.ringlab")
	text := output(t, small+`SELECT *
FROM ks.t;
SELECT * FORM ks.t;
SELECT * FROM ks.t WHERE v = 'x';
:down n1,n2,n3,n4
CONSISTENCY ALL
SELECT * FROM ks.t WHERE k = 1;
EXPAND ON
:up n1,n2,n3,n4
SELECT * FROM ks.t WHERE k = 1;
:undo
:speed 1x
----
Time flows at 1x.

SELECT v FROM ks.t WHERE k = 1`, "--plain", ws)
	for _, want := range []string{
		"\nRow 1 of 1.\nk: 1\nc: 1\nv: <&>\nOperation 2: 1 row, ",
		"SyntaxException: line 1:9", "Instead: SELECT * FROM ks.t WHERE v = 'x' ALLOW FILTERING;", "down", "Unavailable: ", "Instead: :up n1,n2,n3,n4  (", "Operation 3 failed.", "@ Row 1",
		"Undone: SELECT * FROM ks.t WHERE k = 1\n", "as expected", " v | <&>\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(text, "> ") || strings.ContainsFunc(text, func(r rune) bool { return r >= 0x2500 && r < 0x2900 || r == 0x1b }) {
		t.Error("a prompt, a drawing or an escape where nobody sees it")
	}
	if t.Failed() {
		t.Log(text)
	}
	for _, end := range []string{"EXIT\nSELECT v FROM ks.t;\n", "quit\nSELECT v FROM ks.t;\n", ""} {
		for _, how := range []string{"ACCESSIBLE=1", "TERM=dumb", "TERM=xterm"} { // standard output is no terminal anyway
			c := program(ws)
			c.Env = append(c.Env, how)
			c.Stdin = strings.NewReader("SELECT c FROM ks.t;\n" + end)
			out, err := c.CombinedOutput()
			if err != nil || bytes.Count(out, []byte("(1 rows)")) != 1 {
				t.Errorf("%s, ended by %q: %v\n%s", how, end, err, out)
			}
		}
	}
}

// A signal ends a run; whatever was printed is stored, and the lock is gone.
func TestSignalsEndARunOnAWorkspace(t *testing.T) {
	for _, c := range []struct {
		signal os.Signal
		want   int
		args   []string
	}{
		{os.Interrupt, 130, []string{"run", "--output", "json", "-w"}},
		{syscall.SIGTERM, 143, []string{"run", "--output", "json", "-w"}},
		{os.Interrupt, 130, []string{"--plain"}},
		{syscall.SIGTERM, 143, []string{"--plain"}},
	} {
		ws := filepath.Join(t.TempDir(), "lab.ringlab")
		args := append(c.args, ws)
		if c.args[0] == "run" {
			args = append(args, "-")
		}
		p := program(args...)
		in, _ := p.StdinPipe()
		out, _ := p.StdoutPipe()
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		go func() {
			io.WriteString(in, inserts(20000)) // and then nothing: standard input stays open
		}()
		lines := bufio.NewScanner(out)
		lines.Buffer(make([]byte, 1<<20), 1<<20)
		printed := 0
		for lines.Scan() {
			if strings.Contains(lines.Text(), "INSERT") || strings.Contains(lines.Text(), "applied") {
				if printed++; printed == 200 {
					p.Process.Signal(c.signal)
				}
			}
		}
		if got := exitCode(t, p); got != c.want {
			t.Errorf("%v of %v: exit %d, expected %d", c.signal, c.args, got, c.want)
		}
		in.Close()
		if _, err := os.Stat(ws + ".lock"); err == nil {
			t.Errorf("%v: the lock is still there", c.signal)
		}
		var rows int
		text := output(t, "SELECT count(*) FROM ks.t;\n", "run", "-w", ws, "-")
		fmt.Sscan(strings.TrimSpace(strings.Split(text, "\n")[3]), &rows)
		if rows < printed || printed < 200 {
			t.Errorf("%v: %d inserts were answered, %d are stored", c.signal, printed, rows)
		}
	}
}

// Whoever reads only the first line gets it, and nobody hears of a pipe.
func TestClosedOutputEndsQuietly(t *testing.T) {
	file := write(t, "many.cql", inserts(20000))
	ws := filepath.Join(t.TempDir(), "lab.ringlab")
	for _, args := range [][]string{{"run", "--output", "json", file}, {"run", "--output", "json", "-w", ws, file}, {"run", "--output", "json", "--keep-going", file}} {
		p := program(args...)
		out, _ := p.StdoutPipe()
		var errs bytes.Buffer
		p.Stderr = &errs
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"n":1`) {
			t.Errorf("%q %v", line, err)
		}
		out.Close()
		if got := exitCode(t, p); got != 141 || errs.Len() > 0 {
			t.Errorf("ringlab %v: exit %d\n%s", args, got, errs.Bytes())
		}
	}
	if text := output(t, "SELECT count(*) FROM ks.t;\n", "run", "-w", ws, "-"); !strings.Contains(text, "count") {
		t.Errorf("the workspace: %s", text)
	}
}

func TestDamagedWorkspacesNameTheirRepair(t *testing.T) {
	ws := filepath.Join(t.TempDir(), "lab.ringlab")
	output(t, inserts(3000), "run", "-w", ws, "-")
	content, err := os.ReadFile(ws)
	if err != nil {
		t.Fatal(err)
	}
	for rest := content; ; { // in the middle of an entry, of which freed pages may hold older copies
		at := bytes.Index(rest, []byte("VALUES (50, 2960"))
		if at < 0 {
			break
		}
		rest[at+3] ^= 0xff
		rest = rest[at:]
	}
	if err := os.WriteFile(ws, content, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"run", "-w", ws, "-"}, {ws}, {"--plain", ws}, {"screen", "ring", "-w", ws}} {
		text, err := program(args...).CombinedOutput()
		if err == nil || !bytes.Contains(text, []byte("`ringlab --repair "+ws+"`")) || bytes.Contains(text, []byte("goroutine")) {
			t.Errorf("ringlab %v: %v\n%s", args, err, text)
		}
	}
	text := output(t, "SELECT count(*) FROM ks.t;\n", "--repair", ws)
	if !strings.Contains(text, "\ncount: 2951\n") {
		t.Errorf("repaired: %s", text)
	}
}

// The journal holds the commands of a sourced file, not its name.
func TestWorkspacesNeedNoSourcedFiles(t *testing.T) {
	dir := t.TempDir()
	ws := filepath.Join(dir, "lab.ringlab")
	inner, outer := filepath.Join(dir, "inner.cql"), filepath.Join(dir, "outer.cql")
	os.WriteFile(inner, []byte(inserts(500)), 0o644)
	os.WriteFile(outer, []byte("SOURCE 'inner.cql'\nDELETE FROM ks.t WHERE k = 7;\n"), 0o644)
	output(t, "", "run", "-w", ws, outer)
	first := output(t, "SELECT * FROM ks.t;", "run", "-w", ws, "-")
	os.Remove(inner)
	os.Remove(outer)
	saved := filepath.Join(dir, "saved.lab")
	if again := output(t, "SELECT * FROM ks.t;", "run", "-w", ws, "-"); again != first || len(first) < 1000 {
		t.Errorf("without its files the lab answers %.200s, it answered %.200s", again, first)
	}
	output(t, ":save "+saved, "run", "-w", ws, "-")
	if again := output(t, "", "run", saved); !strings.HasSuffix(again, first) {
		t.Errorf("the saved script answers %.200s", again)
	}
}

func TestProgressOfAReplay(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for live, want := range map[bool]string{
		true:  "\rreplayed 120,000 of 2,000,000 commands, ctrl+c cancels\x1b[K\rreplayed 130,000 of 2,000,000 commands, ctrl+c cancels\x1b[K\rreplayed 999,999 of 2,000,000 commands, ctrl+c cancels\x1b[K",
		false: "replayed 120,000 of 2,000,000 commands, ctrl+c cancels\nreplayed 999,999 of 2,000,000 commands, ctrl+c cancels\n",
	} {
		var b strings.Builder
		p := progress{out: &b, live: live, begun: begin}
		p.replayed(100, 2_000_000, begin.Add(900*time.Millisecond))
		p.replayed(120_000, 2_000_000, begin.Add(1100*time.Millisecond))
		p.replayed(130_000, 2_000_000, begin.Add(1200*time.Millisecond))
		p.replayed(999_999, 2_000_000, begin.Add(7*time.Second))
		if b.String() != want {
			t.Errorf("live %v: %q", live, b.String())
		}
	}
}

// TestTravelInScripts: a script moves along its journal with and without a
// workspace, and says the same; each command is one JSON object.
func TestTravelInScripts(t *testing.T) {
	script := small + `:fork b
DELETE FROM ks.t WHERE k = 1;
:diff main
:expect rows 2
:undo
SELECT v FROM ks.t WHERE k = 1;
:expect rows 1
:rewind 99
:expect error CommandError
:replay with cl=ALL
:expect message answered as on b
:branch main
SELECT v FROM ks.t WHERE k = 1;
----
----
 v
-----
 <&>

(1 rows)
----
----

:branches
:expect rows 3
`
	for _, form := range []string{"table", "json", "lab"} {
		bare := output(t, script, "run", "--output", form, "-")
		stored := output(t, script, "run", "--output", form, "-w", filepath.Join(t.TempDir(), "lab.ringlab"), "-")
		if bare != stored {
			t.Errorf("%s: without a workspace\n%s\nwith one\n%s", form, bare, stored)
		}
		switch form {
		case "json":
			if n := strings.Count(bare, "\n"); n != strings.Count(bare, `{"n":`) || strings.Count(bare, `"statement":":diff main"`) != 1 {
				t.Errorf("%d lines:\n%s", n, bare)
			}
		case "lab":
			if again := output(t, bare, "run", "--output", form, "-"); again != bare {
				t.Errorf("the script with its outputs\n%s\ngives\n%s", bare, again)
			}
		}
	}
}

// squeeze leaves the blanks out.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }
