package thrift

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// joined is a statement as the client reads it from its lines.
func joined(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, " ")
}

// TestGoldenSyntax reads every recorded statement: those that a real client
// refused with a syntax error have its text, the others parse, and print to what
// parses to the same.
func TestGoldenSyntax(t *testing.T) {
	files, _ := filepath.Glob("../../engine/testdata/golden/classic/cli/*.json")
	if len(files) == 0 {
		t.Fatal("no recordings")
	}
	right, all := 0, 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Statements []struct {
				N   int
				CLI *string
				Err []string
			}
		}
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(name, err)
		}
		for _, s := range file.Statements {
			if s.CLI == nil {
				continue
			}
			all++
			want := ""
			if len(s.Err) == 1 && strings.HasPrefix(s.Err[0], "Syntax error") {
				want = s.Err[0]
			}
			st, err := Parse(joined(*s.CLI))
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s %d: %s\n got  %s\n want %s", filepath.Base(name), s.N, *s.CLI, got, want)
				continue
			}
			right++
			if err != nil {
				continue
			}
			again, err := Parse(st.String())
			if err != nil || again.String() != st.String() {
				t.Errorf("%s %d: %s prints to %s, which reads as %v, %v", filepath.Base(name), s.N, *s.CLI, st, again, err)
			}
		}
	}
	t.Logf("golden classic syntax: %d of %d", right, all)
}
