package nodetool_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/render"
)

// TestWords compares what commands print that are wrong, or whose text depends on
// nothing but the command, with what a real node printed: testdata/words.txt has
// the tables first, then each command with its text.
func TestWords(t *testing.T) {
	words(t, "testdata/words.txt", "datacenter1=1 racks=1 vnodes=16", func(text string) string { return text })
}

// TestRepairWords compares what repairs print, in testdata/repair.txt, but for hours,
// ids and the numbers of the commands, of which a real node was given more.
func TestRepairWords(t *testing.T) {
	may := regexp.MustCompile(`\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\]|[0-9a-f]{8}-[0-9a-f-]{27}|command #\d+|finished in \d+ seconds?`)
	words(t, "testdata/repair.txt", "datacenter1=2 racks=1 tokens=n1:-4611686018427387904,n2:4611686018427387904", func(text string) string {
		return may.ReplaceAllString(text, "<n>")
	})
}

// TestRepairOptionWords compares what repairs with further options print, and the
// removal of a node by force, in testdata/repair-options.txt.
func TestRepairOptionWords(t *testing.T) {
	may := regexp.MustCompile(`\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\]|[0-9a-f]{8}-[0-9a-f-]{27}|command #\d+|finished in \d+ seconds?|[\d.]+ s later`)
	words(t, "testdata/repair-options.txt", "datacenter1=2 racks=1 tokens=n1:-4611686018427387904,n2:4611686018427387904", func(text string) string {
		return may.ReplaceAllString(text, "<n>")
	})
}

// TestStreamWords compares what a node says while it streams, in testdata/streams.txt. A
// real node printed the lines about a removal.
func TestStreamWords(t *testing.T) {
	words(t, "testdata/streams.txt", "dc1=3 racks=1 tokens=n1:-4611686018427387904,n2:4611686018427387904,n3:0", func(text string) string { return text })
}

func words(t *testing.T, file, ring string, like func(string) string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lab, err := engine.New(engine.Options{Ring: ring})
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
		if got, want := like(got), like(want); !render.Same(got, want) {
			t.Errorf("%s\n%s\nexpected\n%s", command, strings.TrimSpace(got), strings.TrimSpace(want))
		}
	}
	t.Logf("%d commands", len(parts)-1)
}
