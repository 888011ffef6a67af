package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/classic"
)

// classicTally counts recordings that come out and those that do not.
type classicTally struct {
	t            *testing.T
	known        *knownCases
	right, total int
}

func (c *classicTally) check(name string, ok bool, detail func() string) {
	c.total++
	if c.known.differs(name, ok) {
		return
	}
	if ok {
		c.right++
		return
	}
	c.t.Errorf("%s: %s", name, detail())
}

// knownCases are the cases that KNOWN_DIFFERENCES names, with their reasons.
type knownCases struct {
	reasons map[string]string
	used    map[string]bool
	stale   []string
}

func readKnown(t *testing.T, path string) *knownCases {
	k := &knownCases{reasons: map[string]string{}, used: map[string]bool{}}
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return k
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(data), "\n") {
		name, reason, ok := strings.Cut(line, ": ")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !ok || reason == "" {
			t.Errorf("%s: %q gives no reason", path, line)
		}
		k.reasons[name] = reason
	}
	return k
}

// differs says whether the case is one that is known to differ. One that came out
// after all is stale.
func (k *knownCases) differs(name string, ok bool) bool {
	if k.reasons[name] == "" {
		return false
	}
	k.used[name] = true
	if ok {
		k.stale = append(k.stale, name)
	}
	return true
}

// classicFiles are the recordings of a folder of the subject, here and in
// RINGLAB_GOLDEN.
func classicFiles(t *testing.T, pattern string) []string {
	var out []string
	roots := []string{"testdata/golden/classic", "testdata/real/classic"}
	if dir := os.Getenv("RINGLAB_GOLDEN"); dir != "" {
		roots = append(roots, filepath.Join(dir, "classic"))
	}
	for _, root := range roots {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, files...)
	}
	return out
}

func TestGoldenClassic(t *testing.T) {
	c := &classicTally{t: t, known: readKnown(t, "testdata/golden/classic/KNOWN_DIFFERENCES")}
	for _, f := range classicFiles(t, "cli/*.json") {
		c.cli(f)
	}
	for _, f := range classicFiles(t, "thrift/*.json") {
		c.thrift(f)
	}
	for _, base := range []string{"sizes", "cql-cells"} {
		for _, f := range classicFiles(t, base+".json") {
			c.sizes(f, base)
		}
	}
	for _, name := range c.known.stale {
		t.Errorf("KNOWN_DIFFERENCES: %s does not differ any more", name)
	}
	fmt.Printf("golden classic: %d of %d\n", c.right, c.total)
}

// cliFile is one recording of cassandra-cli.
type cliFile struct {
	Statements []struct {
		N         int
		CLI       *string
		Out, Err  []string
		Trace     bool
		Exception string
		Lost      bool   `json:"connection_lost"`
		Wait      string // before the statement
		CQL       *string
		Columns   []struct{ Name, Type string }
		Rows      [][]any
		Error     string
	}
	Keyspaces []string
	View      map[string][]viewEntry `json:"cql_view"`
}

func readJSON(t *testing.T, path string, into any) {
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func classicLab(t *testing.T) *engine.Lab {
	lab, err := engine.New(engine.Options{Ring: "datacenter1=1 tokens=n1:0"})
	if err != nil {
		t.Fatal(err)
	}
	lab.Do(":set classic 2.1")
	return lab
}

func (c *classicTally) cli(path string) {
	var file cliFile
	readJSON(c.t, path, &file)
	lab := classicLab(c.t)
	base := strings.TrimSuffix(filepath.Base(path), ".json")
	keyspace, text := "", ""
	for _, s := range file.Statements {
		if s.CLI != nil {
			text += *s.CLI
		}
		text += strings.Join(s.Out, " ")
	}
	for _, s := range file.Statements {
		name := fmt.Sprintf("cli/%s %d", base, s.N)
		if s.CQL != nil {
			a := lab.Do(*s.CQL)[0]
			c.check(name, sameCQL(a, s.Columns, s.Rows, s.Error), func() string { return *s.CQL + "\n" + cqlDetail(a, s.Rows, s.Error) })
			continue
		}
		if s.Wait != "" {
			lab.Do(":advance " + s.Wait)
		}
		switch base { // where the recorder waited
		case "ttl":
			if s.N == 19 || s.N == 25 {
				lab.Do(":advance 2500ms")
			}
		}
		answers := lab.Do(":cli " + classic.Joined(here(*s.CLI)))
		a := answers[len(answers)-1]
		out, errs := transcript(a)
		wantOut, wantErr := here(normalLines(s.Out)), here(normalLines(s.Err))
		out, errs = namedIDs(out, text), namedIDs(errs, text)
		if !strings.Contains(text, builtIndexes) { // recorded without JMX
			out = builtLine.ReplaceAllString(out, "")
		}
		// The recorder left out the last of several blank lines.
		ok := strings.TrimRight(out, "\n") == strings.TrimRight(wantOut, "\n") && strings.TrimRight(errs, "\n") == strings.TrimRight(wantErr, "\n")
		if s.Lost {
			ok = a.Error != nil
			lab.Do(":cli connect 127.0.0.1/9160;")
			lab.Do(":cli use " + keyspace + ";")
		}
		if rest, is := strings.CutPrefix(strings.ToLower(*s.CLI), "use "); is && a.Error == nil {
			keyspace = strings.Trim(strings.Fields(rest)[0], ";")
		}
		c.check(name, ok, func() string {
			return fmt.Sprintf("%s\n got  %s\n!     %s\n want %s\n!     %s", *s.CLI, out, errs, wantOut, wantErr)
		})
	}
	c.views(lab, base, file.View)
}

var (
	elapsed      = regexp.MustCompile(`^Elapsed time: .*`)
	builtLine    = regexp.MustCompile(builtIndexes + `\[.*\]\n`)
	timestamp    = regexp.MustCompile(`timestamp=-?\d+`)
	recordedName = regexp.MustCompile(`\bc21\b`)
	anyHex       = regexp.MustCompile(`\b[0-9a-f]{12}1[0-9a-f]{19}\b`)
	anyUUID      = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
)

// builtIndexes begins the line of describe that a client has from JMX.
const builtIndexes = "      Built indexes: "

// normalLines leaves out what no two runs have alike.
func normalLines(lines []string) string {
	var out []string
	for _, l := range lines {
		if elapsed.MatchString(l) {
			continue
		}
		if list, is := strings.CutPrefix(l, builtIndexes); is { // a set without order
			names := strings.Split(strings.Trim(list, "[]"), ", ")
			slices.Sort(names)
			l = builtIndexes + "[" + strings.Join(names, ", ") + "]"
		}
		out = append(out, timestamp.ReplaceAllString(l, "timestamp=TS"))
	}
	return strings.Join(out, "\n")
}

// here names the recorded cluster and its node as a lab does.
func here(s string) string {
	return recordedName.ReplaceAllString(strings.ReplaceAll(s, "127.0.0.21", "127.0.0.1"), "ringlab")
}

// namedIDs replaces IDs that the recording does not spell out.
func namedIDs(s, text string) string {
	s = anyHex.ReplaceAllStringFunc(s, func(id string) string {
		if strings.Contains(text, id) {
			return id
		}
		return "UUIDHEX"
	})
	return anyUUID.ReplaceAllStringFunc(s, func(id string) string {
		switch {
		case strings.Contains(text, id):
			return id
		case id[14] == '1':
			return "TIMEUUID"
		}
		return "UUID"
	})
}

// transcript is what an answer printed, as the recordings write it.
func transcript(a *answer.Answer) (out, errs string) {
	var lines []string
	if a.Cli != nil {
		lines = strings.Split(strings.TrimSuffix(a.Cli.Out, "\n"), "\n")
		if a.Cli.Out == "" {
			lines = nil
		}
		errs = a.Cli.Err
	}
	if a.Error != nil {
		text := a.Error.Message
		if a.Error.Client != "" {
			text = a.Error.Client
		}
		errs += text + "\n"
	}
	out = normalLines(lines)
	return out, normalLines(strings.Split(strings.TrimSuffix(errs, "\n"), "\n"))
}

// sameCQL says whether a CQL answer is the recorded one.
func sameCQL(a *answer.Answer, columns []struct{ Name, Type string }, rows [][]any, refused string) bool {
	if refused != "" {
		return a.Error != nil && strings.Contains(refused, a.Error.Message)
	}
	if a.Error != nil {
		return false
	}
	if columns == nil {
		return true
	}
	if len(a.Columns) != len(columns) || len(a.Rows) != len(rows) {
		return false
	}
	for i, c := range columns {
		if a.Columns[i].Name != c.Name {
			return false
		}
	}
	for i, row := range rows {
		for j, v := range row {
			if cell := a.Rows[i][j]; cell.Null != (v == nil) || !cell.Null && cell.Text != goldenText(v) {
				return false
			}
		}
	}
	return true
}

// goldenText is a recorded value as cqlsh prints it.
func goldenText(v any) string {
	switch v := v.(type) {
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case float64:
		return strings.TrimSuffix(fmt.Sprint(v), ".0")
	}
	return fmt.Sprint(v)
}

func cqlDetail(a *answer.Answer, rows [][]any, refused string) string {
	got := ""
	if a.Error != nil {
		got = a.Error.Message
	}
	for _, r := range a.Rows {
		got += fmt.Sprint(r) + "; "
	}
	return fmt.Sprintf(" got  %s\n want %s %v", got, refused, rows)
}
