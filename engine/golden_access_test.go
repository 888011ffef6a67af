package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/model/plan"
)

// accessFile is what several users did on one node of Cassandra that asked for
// passwords; its README explains the fields.
type accessFile struct {
	Settings   []string
	Ring       string
	Statements []accessStatement
}

type accessStatement struct {
	N        int
	User     string
	Login    *string
	CQL      string
	Result   string
	Columns  []answer.Column
	Rows     [][]*string
	Warnings []string
	Error    *struct{ Class, Code, Message string }
}

// TestGoldenAccess plays roles, permissions and logins that were recorded, each
// user as a client. Nothing may differ.
func TestGoldenAccess(t *testing.T) {
	files, err := filepath.Glob("testdata/real/roles/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".json"), func(t *testing.T) { playAccess(t, name) })
	}
}

func playAccess(t *testing.T, name string) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var f accessFile
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	if f.Ring == "" {
		f.Ring = "datacenter1=1 racks=1"
	}
	lab, err := engine.New(engine.Options{Ring: f.Ring})
	if err != nil {
		t.Fatal(err)
	}
	do := func(text string) *answer.Answer {
		out := lab.Do(text)
		if len(out) == 0 {
			t.Fatalf("%s: no answer", text)
		}
		return out[len(out)-1]
	}
	must := func(text string) {
		if a := do(text); a.Error != nil {
			t.Fatalf("%s: %s", text, a.Error.Message)
		}
	}
	for _, s := range f.Settings {
		must(":set " + s)
	}
	client := func(user string) string { return ":as c_" + strings.ReplaceAll(user, "'", "_") }
	for i := range f.Statements {
		s := &f.Statements[i]
		var a *answer.Answer
		if s.Login != nil {
			must(":client " + strings.TrimPrefix(client(s.User), ":as "))
			must(client(s.User))
			must("PAGING 5000")
			if len(f.Settings) == 0 { // nobody looks at passwords
				continue
			}
			a = do(fmt.Sprintf("LOGIN '%s' '%s'", strings.ReplaceAll(s.User, "'", "''"), strings.ReplaceAll(*s.Login, "'", "''")))
		} else {
			must(client(s.User))
			a = do(s.CQL)
		}
		if diff := s.differs(a); diff != "" {
			t.Errorf("%s %d, %s: %s\n    %s", filepath.Base(name), s.N, s.User, s.CQL, diff)
		}
	}
}

// differs says how an answer differs from what was recorded.
func (s *accessStatement) differs(a *answer.Answer) string {
	switch {
	case a.Error != nil && s.Result == "error":
		if got := fmt.Sprintf("%s %s", a.Error.Code, plainMessage(a.Error.Message)); got != s.Error.Code+" "+plainMessage(s.Error.Message) && s.Error.Class != plan.AlreadyExists.Name() {
			return fmt.Sprintf("got %s\n    want %s %s", got, s.Error.Code, s.Error.Message)
		}
		return ""
	case a.Error != nil:
		return fmt.Sprintf("got %s %s\n    want %s", a.Error.Code, a.Error.Message, s.Result)
	case s.Result == "error":
		return "got no error\n    want " + s.Error.Code + " " + s.Error.Message
	case (a.Columns != nil) != (s.Result == "rows"):
		return fmt.Sprintf("got columns %v\n    want %s", a.Columns, s.Result)
	case !slices.Equal(a.Warnings, s.Warnings):
		return fmt.Sprintf("got warnings %q\n    want %q", a.Warnings, s.Warnings)
	case s.Result != "rows" || a.Describe:
		return ""
	}
	columns := make([]answer.Column, len(a.Columns))
	for i, c := range a.Columns {
		columns[i] = answer.Column{Name: c.Name, Type: c.Type}
	}
	if !slices.Equal(columns, s.Columns) {
		return fmt.Sprintf("got columns %v\n    want %v", columns, s.Columns)
	}
	var got [][]*string
	for _, r := range a.Rows {
		row := make([]*string, len(r))
		for i := range r {
			if !r[i].Null {
				row[i] = &r[i].Text
			}
		}
		got = append(got, row)
	}
	x, _ := json.Marshal(got)
	if len(s.Rows) == 0 {
		s.Rows = nil
	}
	y, _ := json.Marshal(s.Rows)
	if string(x) != string(y) {
		return fmt.Sprintf("got %s\n    want %s", x, y)
	}
	return ""
}
