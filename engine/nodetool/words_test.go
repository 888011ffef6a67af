package nodetool_test

import (
	"os"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/render"
)

// TestWords compares what commands print that are wrong, or whose text depends on
// nothing but the command, with what a real node printed: testdata/words.txt has
// the tables first, then each command with its text.
func TestWords(t *testing.T) {
	text, err := os.ReadFile("testdata/words.txt")
	if err != nil {
		t.Fatal(err)
	}
	lab, err := engine.New(engine.Options{Ring: "datacenter1=1 racks=1 vnodes=16"})
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "\n$ ")
	for _, line := range strings.Split(parts[0], "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		for _, a := range lab.Do(strings.TrimSuffix(line, ";")) {
			if a.Error != nil {
				t.Fatalf("%s: %s", line, a.Error.Message)
			}
		}
	}
	for _, p := range parts[1:] {
		command, want, _ := strings.Cut(p, "\n")
		got := ""
		for _, a := range lab.Do(command) {
			a.Warnings = nil
			got += render.Text(a, false)
		}
		if !render.Same(got, want) {
			t.Errorf("%s\n%s\nexpected\n%s", command, strings.TrimSpace(got), strings.TrimSpace(want))
		}
	}
	t.Logf("%d commands", len(parts)-1)
}
