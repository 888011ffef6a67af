package bind

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"ringlab/model/cql"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/ring"
)

// recorded is one statement of a recording of Cassandra 5.0.5.
type recorded struct {
	N        int
	CQL      string
	Result   string
	Keyspace string
	Columns  []struct{ Name string }
	Rows     [][]any
	Event    *struct {
		Target   string `json:"target_type"`
		Change   string `json:"change_type"`
		Keyspace string
		Table    string
		Type     string
	}
	Warnings []string
	Error    *struct{ Class, Code, Message string }
}

// oneNode is the cluster that the recordings were made on.
type oneNode struct{}

func (oneNode) DataCenters() []string { return []string{"datacenter1"} }
func (oneNode) Nodes(string) int      { return 1 }

func newEnv() *Env {
	n := byte(0)
	return &Env{Schema: schema.Empty(), Partitioner: ring.Murmur3, Topology: oneNode{}, Now: func() int64 { return 1_700_000_000_000_000 },
		NewID: func() uuid.UUID { n++; return uuid.UUID{15: n} }}
}

var (
	comments    = regexp.MustCompile(`^(?:\s|--.*\n|//.*\n|/\*(?s:.*?)\*/)+`)
	definitions = regexp.MustCompile(`(?i)^(?:(?:create|alter|drop)\s+(?:keyspace|schema|table|columnfamily|type|(?:custom\s+)?index)\b|use\b|truncate\b|desc(?:ribe)?\b)`)
	position    = regexp.MustCompile(`^line \d+:-?\d+ `)
)

func TestDefinitionsAsRecorded(t *testing.T) {
	known := knownDifferences(t)
	files, err := filepath.Glob("testdata/ddl/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	good, all := 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		env := newEnv()
		for _, r := range readRecording(t, file) {
			if !definitions.MatchString(comments.ReplaceAllString(r.CQL, "")) || otherThings(r) {
				continue
			}
			all++
			key := fmt.Sprintf("%s %d", name, r.N)
			diff := compare(r, env)
			_, excused := known[key]
			switch {
			case diff == "":
				good++
				if excused {
					t.Errorf("%s: listed as a known difference, but equal", key)
				}
			case !excused:
				t.Errorf("%s: %s\n%s", key, r.CQL, diff)
			}
		}
	}
	t.Logf("ddl golden: %d of %d", good, all)
}

func readRecording(t *testing.T, file string) []recorded {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Statements []recorded }
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Statements
}

func knownDifferences(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/ddl/KNOWN_DIFFERENCES")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for _, line := range strings.Split(string(data), "\n") {
		if f := strings.Fields(line); len(f) > 2 && f[0] != "#" {
			known[f[0]+" "+f[1]] = strings.Join(f[2:], " ")
		}
	}
	return known
}

// unknownKinds are rows of things that ringlab does not have.
var unknownKinds = []any{"materialized_view", "function", "aggregate"}

func rowKind(row []any) any {
	if len(row) > 1 {
		return row[1]
	}
	return nil
}

// otherThings says whether an answer is only about things that ringlab does not have.
func otherThings(r recorded) bool {
	return len(r.Rows) > 0 && !slices.ContainsFunc(r.Rows, func(row []any) bool { return !slices.Contains(unknownKinds, rowKind(row)) })
}

// compare runs a statement and tells what differs from the recording.
func compare(r recorded, env *Env) string {
	st, err := cql.Parse(r.CQL)
	var p plan.Plan
	if err == nil {
		p, err = Bind(st, env)
	}
	if err != nil {
		return compareError(r, err)
	}
	if r.Error != nil {
		return fmt.Sprintf("answered, expected %s: %s", r.Error.Class, r.Error.Message)
	}
	switch p := p.(type) {
	case *plan.Use:
		env.Keyspace = p.Keyspace
		return differ("result", r.Result+" "+r.Keyspace, "set_keyspace "+p.Keyspace)
	case *plan.Truncate:
		return differ("result", r.Result, "void")
	case *plan.SchemaChange:
		env.Schema = p.After
		return compareChange(r, p)
	case *plan.Describe:
		return compareRows(r, p)
	}
	return fmt.Sprintf("unexpected %T", p)
}

func differ(what string, want, got any) string {
	if w, g := fmt.Sprint(want), fmt.Sprint(got); w != g {
		return fmt.Sprintf("%s differs:\n want %s\n  got %s", what, w, g)
	}
	return ""
}

func compareError(r recorded, err error) string {
	got := &plan.Error{Code: plan.SyntaxErr, Message: err.Error()}
	if e, ok := err.(*plan.Error); ok {
		got = e
	}
	if r.Error == nil {
		return fmt.Sprintf("refused with %s: %s", got.Code.Name(), got.Message)
	}
	want := r.Error.Message
	if w := position.FindString(want); w != "" && position.FindString(got.Message) == w {
		want, got.Message = w, w // the rest is the parser's
	}
	if strings.HasPrefix(want, "Failed parsing statement") && strings.HasPrefix(got.Message, "Failed parsing statement") {
		want, got.Message = "", ""
	}
	return differ("error", r.Error.Class+" "+r.Error.Code+" "+want, got.Code.Name()+" "+got.Code.String()+" "+got.Message)
}

func compareChange(r recorded, p *plan.SchemaChange) string {
	want, got := r.Result, "void"
	if r.Event != nil {
		want += fmt.Sprintf(" %s %s %s %s", r.Event.Change, r.Event.Target, r.Event.Keyspace, r.Event.Table+r.Event.Type)
	}
	if e := p.Event; e != nil {
		got = fmt.Sprintf("schema_change %s %s %s %s", e.Change, e.Target, e.Keyspace, e.Name)
	}
	if d := differ("event", want, got); d != "" {
		return d
	}
	return differ("warnings", r.Warnings, p.Warnings)
}

func compareRows(r recorded, p *plan.Describe) string {
	var columns []string
	for _, c := range r.Columns {
		columns = append(columns, c.Name)
	}
	if d := differ("columns", columns, p.Columns()); d != "" || p.Cluster {
		return d
	}
	var want, got []string
	for _, row := range r.Rows {
		if !slices.Contains(unknownKinds, rowKind(row)) {
			want = append(want, strings.TrimSuffix(fmt.Sprintln(row...), "\n"))
		}
	}
	for _, row := range p.Rows {
		line := []any{row[0], row[1], row[2], row[3]}
		got = append(got, strings.TrimSuffix(fmt.Sprintln(line[:len(columns)]...), "\n"))
	}
	return differ("rows", strings.Join(want, "\n"), strings.Join(got, "\n"))
}
