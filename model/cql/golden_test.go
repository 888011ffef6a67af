package cql

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

type recorded struct {
	file  string
	N     int
	CQL   string
	Error *struct{ Class, Message string }
}

// recordings reads every statement recorded from Cassandra 5.0.5.
func recordings(t testing.TB) (all []recorded) {
	files, err := filepath.Glob("testdata/cql/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var f struct{ Statements []recorded }
		if err := json.Unmarshal(data, &f); err != nil {
			t.Fatal(name, err)
		}
		for _, s := range f.Statements {
			s.file = strings.TrimSuffix(filepath.Base(name), ".json")
			all = append(all, s)
		}
	}
	return all
}

// laterSyntax are SyntaxExceptions that Cassandra raises for the values of
// options, or for an option written twice: the binder's part.
var laterSyntax = []string{
	"Unknown property '",
	"Invalid boolean value ",
	"Invalid integer value ",
	"Invalid value for property '",
	"Multiple definitions for property '",
}

func isLater(message string) bool {
	for _, prefix := range laterSyntax {
		if strings.HasPrefix(message, prefix) {
			return true
		}
	}
	return false
}

var linePrefix = regexp.MustCompile(`^line (\d+):(-?\d+) `)

func TestRecordedStatements(t *testing.T) {
	refused, same, later := 0, 0, 0
	for _, r := range recordings(t) {
		_, err := Parse(r.CQL)
		switch {
		case r.Error == nil || r.Error.Class != "SyntaxException":
			if err != nil {
				t.Errorf("%s %d: %s\n\trefused: %v", r.file, r.N, r.CQL, err)
			}
			continue
		case isLater(r.Error.Message):
			if later++; err != nil {
				t.Errorf("%s %d: %s\n\trefused too early: %v", r.file, r.N, r.CQL, err)
			}
			continue
		}
		refused++
		if err == nil {
			t.Errorf("%s %d: %s\n\taccepted, want %s", r.file, r.N, r.CQL, r.Error.Message)
			continue
		}
		if got := err.Error(); got == r.Error.Message {
			same++
		} else if linePrefix.FindString(got) != linePrefix.FindString(r.Error.Message) {
			t.Errorf("%s %d: %s\n\tgot  %s\n\twant %s", r.file, r.N, r.CQL, got, r.Error.Message)
		} else {
			t.Logf("%s %d: %s\n\tgot  %s\n\twant %s", r.file, r.N, r.CQL, got, r.Error.Message)
		}
	}
	t.Logf("syntax wording: %d of %d (%d more belong to the binder)", same, refused, later)
	if same*100 < refused*95 {
		t.Errorf("only %d of %d messages have Cassandra's wording", same, refused)
	}
}

func TestPrintedStatementsParseBack(t *testing.T) {
	n := 0
	for _, r := range recordings(t) {
		tree, err := Parse(r.CQL)
		if err != nil {
			continue
		}
		n++
		checkRoundTrip(t, tree, r.CQL)
	}
	t.Logf("printed and parsed back: %d", n)
}

// checkRoundTrip prints a tree and wants the same tree back.
func checkRoundTrip(t interface {
	Helper()
	Errorf(string, ...any)
}, tree Statement, from string) {
	t.Helper()
	printed := Print(tree)
	again, err := Parse(printed)
	if err != nil {
		t.Errorf("%s\n\tprinted %s\n\trefused: %v", from, printed, err)
		return
	}
	if p := Print(again); p != printed {
		t.Errorf("%s\n\tprinted %s\n\tthen    %s", from, printed, p)
	}
	withoutPos(reflect.ValueOf(tree))
	withoutPos(reflect.ValueOf(again))
	if !reflect.DeepEqual(tree, again) {
		a, _ := json.Marshal(tree)
		b, _ := json.Marshal(again)
		t.Errorf("%s\n\tprinted %s\n\ttree  %s\n\tagain %s", from, printed, a, b)
	}
}

// withoutPos clears every position in a tree, and makes empty slices nil but for
// Selectors, where nil means *.
func withoutPos(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			withoutPos(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			withoutPos(v.Index(i))
		}
		if v.Len() == 0 && v.CanSet() {
			v.SetZero()
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Pos]() {
			if v.CanSet() {
				v.SetZero()
			}
			return
		}
		for i := range v.NumField() {
			withoutPos(v.Field(i))
		}
	}
}
