package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The test binary is ringlab itself when this variable is set, so that the tests
// can start it, kill it and look at its exit status.
const asProgram = "RINGLAB_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func program(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asProgram+"=1")
	return c
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const setup = `CREATE KEYSPACE ks WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3, 'dc2': 2};
CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c));
`

// script is a lab with faults, levels and two data centers.
func faults() string {
	var b strings.Builder
	b.WriteString(setup)
	b.WriteString(":latency dc1 dc2 30ms±10ms\n:loss n1 n2 1/20\nCONSISTENCY QUORUM\n")
	for i := 0; i < 60; i++ {
		fmt.Fprintf(&b, "INSERT INTO ks.t (k, c, v) VALUES (%d, %d, 'v%d');\n", i%7, i, i)
		switch i % 20 {
		case 5:
			b.WriteString(":down n3\n")
		case 11:
			b.WriteString(":up n3\n:flush\n")
		case 15:
			b.WriteString(":cut dc1 | dc2 undetected\n:advance 5s\n")
		case 18:
			b.WriteString(":heal\n:advance 1m\n")
		}
		if i%5 == 0 {
			fmt.Fprintf(&b, "SELECT * FROM ks.t WHERE k = %d;\nSELECT count(*) FROM ks.t;\n", i%7)
		}
	}
	b.WriteString(":hints\n:compact\n:tablestats ks.t\n")
	return b.String()
}

func TestRunsRepeatExactly(t *testing.T) {
	file := write(t, "faults.lab", faults())
	var first []byte
	for _, procs := range []string{"1", "2"} {
		c := program("run", "--ring", "dc1=3 dc2=3 vnodes=4 seed=7", "--output", "json", "--events", "all", "--trace", "--keep-going", file)
		c.Env = append(c.Env, "GOMAXPROCS="+procs)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if first == nil {
			first = out
		} else if !bytes.Equal(first, out) {
			t.Fatal("two runs of one script differ")
		}
	}
	for i, line := range bytes.Split(bytes.TrimSpace(first), []byte("\n")) {
		var o struct{ N int }
		if err := json.Unmarshal(line, &o); err != nil || o.N != i+1 {
			t.Fatalf("line %d is not object %d: %s", i+1, i+1, line)
		}
	}
}

// Whatever was printed before kill -9 is there when the workspace is opened again.
func TestKilledRunsLoseNothingAcknowledged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := 0; round < 12; round++ {
		dir := t.TempDir()
		ws := filepath.Join(dir, "lab.ringlab")
		c := program("run", "-w", ws, "--output", "json", "-")
		in, _ := c.StdinPipe()
		out, _ := c.StdoutPipe()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		go func() {
			w := bufio.NewWriter(in)
			fmt.Fprint(w, strings.ReplaceAll(setup, ", 'dc2': 2", ""))
			for i := 0; i < 20000; i++ {
				fmt.Fprintf(w, "INSERT INTO ks.t (k, c, v) VALUES (1, %d, 'x');\n", i)
			}
			w.Flush()
			in.Close()
		}()
		killAt := 1 + random.IntN(1500)
		acknowledged := 0
		lines := bufio.NewScanner(out)
		lines.Buffer(make([]byte, 1<<20), 1<<20)
		for lines.Scan() {
			if acknowledged++; acknowledged == killAt {
				c.Process.Kill()
			}
		}
		c.Wait()
		check := program("run", "-w", ws, "--output", "json", "-")
		check.Stdin = strings.NewReader("SELECT count(*) FROM ks.t;\n")
		text, err := check.Output()
		if acknowledged < 2 { // not even the table was acknowledged
			continue
		}
		if err != nil {
			t.Fatalf("round %d: the workspace does not open: %v %s", round, err, text)
		}
		var o struct{ Rows [][]string }
		if err := json.Unmarshal(text, &o); err != nil {
			t.Fatal(err)
		}
		var rows int
		fmt.Sscan(o.Rows[0][0], &rows)
		if rows < acknowledged-2 {
			t.Fatalf("round %d: %d inserts were acknowledged, %d are there", round, acknowledged-2, rows)
		}
	}
}

func TestOneProcessOwnsAWorkspace(t *testing.T) {
	ws := filepath.Join(t.TempDir(), "lab.ringlab")
	c := program("run", "-w", ws, "-")
	in, _ := c.StdinPipe()
	out, _ := c.StdoutPipe()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(in, ":token a")
	if _, err := bufio.NewReader(out).ReadString(')'); err != nil { // answered: the file is open
		t.Fatal(err)
	}
	second := program("run", "-w", ws, "-")
	second.Stdin = strings.NewReader(":status\n")
	text, err := second.CombinedOutput()
	if err == nil || !strings.Contains(string(text), fmt.Sprint(c.Process.Pid)) {
		t.Errorf("a second process was not told who holds the file: %v %s", err, text)
	}
	in.Close()
	c.Wait()
}

func TestBadWorkspaces(t *testing.T) {
	for name, content := range map[string]string{
		"text":     "hello\nworld\n",
		"zip":      "PK\x03\x04 and so on",
		"zeros":    strings.Repeat("\x00", 70000),
		"sqlite":   "SQLite format 3\x00" + strings.Repeat("x", 4096),
		"ringlab?": strings.Repeat("ringlab", 5000),
	} {
		ws := write(t, "some.ringlab", content)
		c := program("run", "-w", ws, "-")
		c.Stdin = strings.NewReader(":status\n")
		out, err := c.CombinedOutput()
		var exit *exec.ExitError
		if !asExit(err, &exit) || exit.ExitCode() != 1 || bytes.Contains(out, []byte("goroutine ")) || !bytes.Contains(out, []byte("some.ringlab")) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		if after, _ := os.ReadFile(ws); string(after) != content {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

func asExit(err error, to **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	*to = e
	return ok
}

func TestExitStatus(t *testing.T) {
	good := write(t, "good.cql", "CREATE KEYSPACE a WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\n")
	bad := write(t, "bad.cql", "SELECT * FROM nowhere.t;\nSELECT 1;\n")
	expected := write(t, "expected.lab", "SELECT * FROM nowhere.t;\n:expect error InvalidRequest\nSELECT * FORM t;\n----\nSyntaxException: line 1:9 mismatched input 'FORM' expecting K_FROM (SELECT * [FORM]...)\n\n")
	wrong := write(t, "wrong.lab", ":status\n:expect rows 3\n")
	cases := []struct {
		args []string
		want int
	}{
		{[]string{"run", good}, 0},
		{[]string{"run", bad}, 1},
		{[]string{"run", "--keep-going", bad}, 0},
		{[]string{"run", expected}, 0},
		{[]string{"run", wrong}, 1},
		{[]string{"run", "--keep-going", wrong}, 1},
		{[]string{"run"}, 2},
		{[]string{"run", "--output", "xml", good}, 2},
		{[]string{"run", "--ring", "dc1=x", good}, 2},
		{[]string{"run", "--nonsense", good}, 2},
		{[]string{"run", "/nowhere/at/all.cql"}, 1},
		{[]string{"token", "jim"}, 0},
		{[]string{"token"}, 2},
		{[]string{"token", "--partitioner", "Nope", "jim"}, 2},
		{[]string{"scenario", "list"}, 0},
		{[]string{"scenario", "show", "nope"}, 1},
		{[]string{"a", "b"}, 2},
		{[]string{"runn"}, 2},
		{[]string{"run", "--language", "thrift", good}, 2},
	}
	for _, c := range cases {
		p := program(c.args...)
		p.Stdin = strings.NewReader("")
		out, err := p.CombinedOutput()
		got := 0
		var exit *exec.ExitError
		if asExit(err, &exit) {
			got = exit.ExitCode()
		}
		if got != c.want {
			t.Errorf("ringlab %s: exit %d, expected %d\n%s", strings.Join(c.args, " "), got, c.want, out)
		}
	}
}

// A script on standard input is answered statement by statement.
func TestStandardInputIsAnsweredAsItArrives(t *testing.T) {
	c := program("run", "--output", "json", "-")
	in, _ := c.StdinPipe()
	out, _ := c.StdoutPipe()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	defer in.Close()
	lines := bufio.NewReader(out)
	for _, statement := range []string{"CREATE KEYSPACE a WITH\nreplication = {'class': 'SimpleStrategy', 'replication_factor': 1};", ":status", "CONSISTENCY QUORUM"} {
		fmt.Fprintln(in, statement)
		answered := make(chan string, 1)
		go func() { line, _ := lines.ReadString('\n'); answered <- line }()
		select {
		case line := <-answered:
			if !strings.HasPrefix(line, `{"n":`) {
				t.Fatalf("%s was answered with %q", statement, line)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s was not answered", statement)
		}
	}
}

func TestSavedScriptsRepeatTheLab(t *testing.T) {
	dir := t.TempDir()
	ws, saved := filepath.Join(dir, "lab.ringlab"), filepath.Join(dir, "saved.lab")
	script := faults() + ":save " + saved + "\n"
	one := program("run", "-w", ws, "--ring", "dc1=3 dc2=3 vnodes=4 seed=7", "--keep-going", "--output", "json", write(t, "a.lab", script))
	first, err := one.Output()
	if err != nil {
		t.Fatal(err)
	}
	second, err := program("run", "--keep-going", "--output", "json", saved).Output()
	if err != nil {
		t.Fatal(err)
	}
	if a, b := answers(t, first), answers(t, second); a != b {
		t.Errorf("the saved script answers otherwise:\n%s\n%s", a, b)
	}
}

// answers are the rows and errors of a run, without places and times.
func answers(t *testing.T, out []byte) string {
	var b strings.Builder
	for _, line := range bytes.Split(bytes.TrimSpace(out), []byte("\n")) {
		var o struct {
			Statement string
			Rows      any
			Error     any
		}
		if err := json.Unmarshal(line, &o); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(o.Statement, ":save") || strings.HasPrefix(o.Statement, ":ring new") {
			continue
		}
		fmt.Fprintln(&b, o.Statement, o.Rows, o.Error)
	}
	return b.String()
}
