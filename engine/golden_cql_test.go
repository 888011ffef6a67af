package engine_test

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/render"
)

// cqlFile is one recording of a real node; its README explains the fields.
type cqlFile struct {
	Name        string `json:"-"`
	own         bool   // it lies here, not in $RINGLAB_GOLDEN
	Partitioner string
	Statements  []cqlStatement
}

type cqlStatement struct {
	N          int
	CQL        string
	Directives map[string]string
	Result     string
	Keyspace   string
	Columns    []answer.Column
	Text       [][]string
	Rows       [][]json.RawMessage
	Hex        [][]*string
	Bind       []answer.Column
	PKIndexes  []int `json:"pk_indexes"`
	Pages      []int
	NRows      *int
	Warnings   []string
	Event      *struct {
		ChangeType string `json:"change_type"`
		TargetType string `json:"target_type"`
		Keyspace   string
		Table      string
		Type       string
		Function   string
	}
	Error *struct {
		Class, Code, Message string
		Info                 struct { // of a FunctionFailure
			Keyspace, Function string
			ArgTypes           string `json:"arg_types"`
		}
	}
}

// cqlObject is an answer as `--output json` gives it.
type cqlObject struct {
	Columns  []answer.Column
	Rows     [][]*string
	Warnings []string
	Error    *struct{ Code, Name, Message string }
	Event    *answer.SchemaChange
}

// oneNodeOnly are the statements whose recorded answer depends on there being
// one node.
var oneNodeOnly = map[string]bool{
	"ddl-keyspaces 25": true, "ddl-keyspaces 43": true, "ddl-keyspaces 45": true, "ddl-keyspaces 47": true, "ddl-keyspaces 48": true,
}

// cqlRun plays one recording on a lab of its own.
type cqlRun struct {
	lab *engine.Lab
}

func newCQLRun(t *testing.T, f cqlFile, nodes string) *cqlRun {
	spec := nodes + " racks=1"
	if f.Partitioner != "" {
		spec += " partitioner=" + f.Partitioner
	}
	lab, err := engine.New(engine.Options{Ring: spec})
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	lab.Raw(true)
	r := &cqlRun{lab: lab}
	r.do("PAGING 5000")
	return r
}

func (r *cqlRun) do(text string) *answer.Answer {
	out := r.lab.Do(text)
	if len(out) == 0 {
		return &answer.Answer{}
	}
	return out[len(out)-1]
}

// statement runs a statement as its directives ask.
func (r *cqlRun) statement(s *cqlStatement) *answer.Answer {
	if cl, serial := s.Directives["consistency"], s.Directives["serial"]; cl != "" || serial != "" {
		name := fmt.Sprintf("c%d", s.N)
		r.do(":client " + name + " cl=" + cmp.Or(cl, "ONE"))
		r.do(":as " + name)
		defer r.do(":as")
		r.do("PAGING 5000")
		if serial != "" {
			r.do("SERIAL CONSISTENCY " + serial)
		}
	}
	if s.Directives["page"] == "0" {
		r.do("PAGING OFF")
		defer r.do("PAGING 5000")
	}
	return r.do(s.CQL)
}

// check runs a statement and says how its answer differs, or what it needs that
// is not there yet.
func (r *cqlRun) check(s *cqlStatement) (diff, needs string) {
	var out []string
	differ := func(what string, got, want any) {
		x, _ := json.Marshal(got)
		y, _ := json.Marshal(want)
		if !bytes.Equal(x, y) {
			out = append(out, fmt.Sprintf("%s %s\n    expected %s", what, x, y))
		}
	}
	var a *answer.Answer
	values, bound := s.Directives["bind"]
	if page := s.Directives["page"]; bound || page != "" && page != "0" {
		a = r.prepared(s, values, differ)
	} else {
		a = r.statement(s)
	}
	if needs := beyond(a); needs != "" {
		return "", needs
	}
	var got cqlObject
	if err := json.Unmarshal(render.JSON(a, false, false), &got); err != nil {
		return err.Error(), ""
	}
	kind := "void"
	switch {
	case got.Error != nil:
		kind = "error"
	case got.Event != nil:
		kind = "schema_change"
	case got.Columns != nil:
		kind = "rows"
	case strings.EqualFold(strings.Fields(s.CQL)[0], "USE"):
		kind = "set_keyspace"
	}
	switch {
	case kind == "error" && s.Error == nil:
		return fmt.Sprintf("%s %s, expected %s", got.Error.Name, got.Error.Message, s.Result), ""
	case kind != s.Result && s.Error != nil:
		return fmt.Sprintf("%s, expected %s: %s", kind, s.Error.Class, s.Error.Message), ""
	case kind != s.Result:
		return fmt.Sprintf("%s, expected %s", kind, s.Result), ""
	}
	if !slices.Equal(s.Warnings, got.Warnings) {
		differ("warnings", got.Warnings, s.Warnings)
	}
	switch kind {
	case "error":
		s.checkError(a.Error, differ)
	case "set_keyspace":
		differ("keyspace", r.lab.Core().Current.Keyspace, s.Keyspace)
	case "schema_change":
		e := s.Event
		differ("event", got.Event, answer.SchemaChange{ChangeType: e.ChangeType, TargetType: e.TargetType, Keyspace: e.Keyspace, Name: e.Table + e.Type + e.Function})
	case "rows":
		differ("columns", got.Columns, s.Columns)
		if s.NRows != nil {
			differ("rows", len(got.Rows), *s.NRows)
		} else {
			if s.Text != nil || s.Hex == nil {
				differ("rows", got.Rows, s.values())
			}
			if s.Hex != nil {
				differ("bytes", hexOf(a.Values), s.Hex)
			}
		}
	}
	return strings.Join(out, "\n  "), ""
}

// values are the recorded rows as `--output json` gives them: cqlsh writes null
// like the text null.
func (s *cqlStatement) values() [][]*string {
	out := make([][]*string, len(s.Text))
	for i, row := range s.Text {
		out[i] = make([]*string, len(row))
		for j := range row {
			if string(s.Rows[i][j]) != "null" {
				out[i][j] = &row[j]
			}
		}
	}
	return out
}

// hexOf are values as the recordings have their bytes.
func hexOf(rows [][][]byte) [][]*string {
	out := make([][]*string, len(rows))
	for i, row := range rows {
		out[i] = make([]*string, len(row))
		for j, v := range row {
			if v != nil {
				text := hex.EncodeToString(v)
				out[i][j] = &text
			}
		}
	}
	return out
}

var syntaxPlace = regexp.MustCompile(`^line \d+:-?\d+ `)

func (s *cqlStatement) checkError(got *answer.Error, differ func(string, any, any)) {
	differ("error", got.Name+" "+got.Code, s.Error.Class+" "+s.Error.Code)
	switch s.Error.Class {
	case "FunctionFailure":
		if s.Error.Info.Keyspace != "system" || strings.Contains(s.Error.Message, "jackson.core") { // others have names of Java's exceptions
			differ("message", got.Message, s.Error.Message)
		}
		if s.Error.Info.Function != "" {
			differ("function", got.Keyspace+"."+got.Function, s.Error.Info.Keyspace+"."+s.Error.Info.Function)
			differ("argument types", "['"+strings.Join(got.ArgTypes, "', '")+"']", s.Error.Info.ArgTypes)
		}
	case "ServerError": // names of Java's exceptions
	case "SyntaxException":
		differ("place", syntaxPlace.FindString(got.Message), syntaxPlace.FindString(s.Error.Message))
	default:
		if plainMessage(got.Message) != plainMessage(s.Error.Message) {
			differ("message", got.Message, s.Error.Message)
		}
	}
}

var (
	signatures = regexp.MustCompile(`(known type signatures|can be matched by following signatures): (.*)\)(: use type casts to disambiguate)?$`)
	signature  = regexp.MustCompile(`, (\w+\.\S+ : \()`)
	objectHash = regexp.MustCompile(`@[0-9a-f]+`)
	generated  = regexp.MustCompile(`\b([pCx]\w+?)_\d+_\d+\b`) // classes around bodies of functions
	address    = regexp.MustCompile(`[a-z]*/127\.0\.0\.\d+:7000`)
)

// plainMessage is a message without what has no meaning: the order of
// signatures, the hashes of Java's objects, the
// addresses of nodes, the numbers of classes that were made.
func plainMessage(m string) string {
	m = generated.ReplaceAllString(address.ReplaceAllString(objectHash.ReplaceAllString(m, ""), ""), "$1")
	if i := signatures.FindStringSubmatchIndex(m); i != nil {
		list := strings.Split(signature.ReplaceAllString(m[i[4]:i[5]], "\n$1"), "\n")
		sort.Strings(list)
		m = m[:i[4]] + strings.Join(list, ", ")
	}
	return m
}

// cqlFiles reads the recordings here and those of $RINGLAB_GOLDEN.
func cqlFiles(t *testing.T) []cqlFile {
	return cqlFilesIn(t, "testdata/golden/cql", moreGolden("cql", ".json")...)
}

// cqlFilesIn reads the recordings of a folder and those named.
func cqlFilesIn(t *testing.T, folder string, more ...string) []cqlFile {
	names, _ := filepath.Glob(folder + "/*.json")
	names = append(names, more...)
	var files []cqlFile
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := cqlFile{Name: strings.TrimSuffix(filepath.Base(name), ".json"), own: strings.HasPrefix(name, "testdata")}
		if err := json.Unmarshal(text, &f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(f.Statements) == 0 {
			t.Fatalf("%s holds no statements", name)
		}
		files = append(files, f)
	}
	return files
}

// moreGolden are the files with an ending in the subject's folder of
// $RINGLAB_GOLDEN.
func moreGolden(subject, ending string) []string {
	var files []string
	if more := os.Getenv("RINGLAB_GOLDEN"); more != "" {
		filepath.WalkDir(filepath.Join(more, subject), func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ending) {
				files = append(files, path)
			}
			return nil
		})
	}
	return files
}

// goldenReasons are known differences by file and statement. A line names
// statements (3 or 3,5-9) or with * the rest of its file.
type goldenReasons map[string]string

func knownReasons(t *testing.T, path string) goldenReasons {
	out := goldenReasons{}
	for key, reason := range knownDifferences(t, path) {
		file, which, _ := strings.Cut(key, " ")
		if which == "*" {
			out[key] = reason
			continue
		}
		for _, stretch := range strings.Split(which, ",") {
			from, to, two := strings.Cut(stretch, "-")
			a, err := strconv.Atoi(from)
			b := a
			if two && err == nil {
				b, err = strconv.Atoi(to)
			}
			if err != nil || a > b {
				t.Fatalf("%s: %q names no statements", path, key)
			}
			for ; a <= b; a++ {
				out[fmt.Sprintf("%s %d", file, a)] = reason
			}
		}
	}
	return out
}

// of is the reason why a statement may differ, "" if it must not.
func (g goldenReasons) of(file string, n int) string {
	if reason := g[fmt.Sprintf("%s %d", file, n)]; reason != "" {
		return reason
	}
	return g[file+" *"]
}

// agrees tells that a statement is listed by number although it does not differ.
func (g goldenReasons) agrees(t *testing.T, file string, n int) {
	if reason := g[fmt.Sprintf("%s %d", file, n)]; reason != "" {
		t.Errorf("%s %d agrees now; take it out of KNOWN_DIFFERENCES (%s)", file, n, reason)
	}
}

func TestGoldenCQL(t *testing.T) {
	files := cqlFiles(t)
	playCQL(t, "golden cql", files, knownReasons(t, "testdata/golden/cql/KNOWN_DIFFERENCES"))
}

// playCQL plays recordings on rings of several sizes.
func playCQL(t *testing.T, title string, files []cqlFile, known goldenReasons) {
	for _, nodes := range []string{"datacenter1=1", "datacenter1=3", "datacenter1=6"} {
		total, good, needs := 0, 0, map[string]int{}
		for _, f := range files {
			run := newCQLRun(t, f, nodes)
			for i := range f.Statements {
				s := &f.Statements[i]
				key := fmt.Sprintf("%s %d", f.Name, s.N)
				if nodes != "datacenter1=1" && oneNodeOnly[key] {
					run.statement(s)
					continue
				}
				total++
				diff, what := run.check(s)
				reason := known.of(f.Name, s.N)
				switch {
				case diff == "" && what == "":
					good++
					if f.own && nodes == "datacenter1=1" {
						known.agrees(t, f.Name, s.N)
					}
				case reason != "":
					needs[reason]++
				case what != "":
					t.Errorf("%s on %s needs %s: %s", key, nodes, what, s.CQL)
				default:
					t.Errorf("%s on %s: %s\n  %s", key, nodes, s.CQL, diff)
				}
			}
		}
		if nodes == "datacenter1=1" {
			fmt.Printf("%s: %d of %d\n", title, good, total)
		} else {
			fmt.Printf("%s on %s: %d of %d\n", title, nodes, good, total)
		}
		logCounts(t, needs)
	}
}

// logCounts tells how many statements differ for which reason.
func logCounts(t *testing.T, counts map[string]int) {
	names := make([]string, 0, len(counts))
	for n := range counts {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		t.Logf("%4d %s", counts[n], n)
	}
}

// TestSameTwice runs the recordings twice, the second time with everything
// listened to and traced, which must not change a byte of the answers.
func TestSameTwice(t *testing.T) {
	for _, nodes := range []string{"datacenter1=1", "datacenter1=3"} {
		for _, f := range cqlFiles(t) {
			plain, watched := newCQLRun(t, f, nodes), newCQLRun(t, f, nodes)
			watched.lab.Record()
			watched.lab.Events()
			watched.lab.Trace(true)
			for i := range f.Statements {
				s := &f.Statements[i]
				a, b := render.JSON(plain.statement(s), false, false), render.JSON(watched.statement(s), false, false)
				if !bytes.Equal(a, b) {
					t.Errorf("%s %d on %s:\n  %s  again: %s", f.Name, s.N, nodes, a, b)
					break
				}
			}
		}
	}
}
