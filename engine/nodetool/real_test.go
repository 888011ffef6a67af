package nodetool_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"ringlab/engine"
	"ringlab/engine/render"
)

// ofTheMachine are what differs between a lab and a real node that was given the
// same statements: times that were measured, and what belongs to the machine.
var ofTheMachine = []struct {
	why  string
	find *regexp.Regexp
	put  string
}{
	{"latencies are measured", regexp.MustCompile(`((?:L|l)atency: )(NaN|[\d.]+) ms`), "$1<n> ms"},
	{"latencies are measured", regexp.MustCompile(`(?m)^(\d\d%|Min|Max) +\d+\.00 +\d+\.00`), "$1 <n> <n>"},
	{"the statistics file's size", regexp.MustCompile(`(Max SSTable size|Space used \((?:live|total)\)): .*`), "$1: <n>"},
	{"what was read fades by the second, and a real node's seconds are others", regexp.MustCompile(`(Average (?:live cells|tombstones) per slice \(last five minutes\)): \d.*`), "$1: <n>"},
	{"counted, not estimated by HyperLogLog", regexp.MustCompile(`(Number of partitions \(estimate\)): .*`), "$1: <n>"},
	{"ids and hours of compactions, and the width of their columns", regexp.MustCompile(`(?m)^[0-9a-f-]{36} +(\S+) +(\S+) +\S+T\S+ +(\d+) +(\d+) +(\{.*?\}) +`), "<id> $1 $2 <at> $3 $4 $5 "},
	{"the width of their columns", regexp.MustCompile(`(?m)^id +keyspace_name .*`), "<header>"},
	{"where files are, and their tables' ids", regexp.MustCompile(`/\S*/rec/([a-z]+)-[0-9a-f]{32}/`), "<dir>/rec/$1/"},
}

func likeAnywhere(text string) string {
	for _, m := range ofTheMachine {
		text = m.find.ReplaceAllString(text, m.put)
	}
	return text
}

// TestAsARealNode gives a lab the statements that a real node was given and
// compares what nodetool says after them: testdata/stats.txt has lines `> ` of
// statements and lines `$ ` of commands, each with its text.
func TestAsARealNode(t *testing.T) {
	text, err := os.ReadFile("testdata/stats.txt")
	if err != nil {
		t.Fatal(err)
	}
	lab, err := engine.New(engine.Options{Ring: "datacenter1=1 racks=1 vnodes=16"})
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); {
		line := lines[i]
		i++
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		got := ""
		for _, a := range lab.Do(strings.TrimSuffix(line[2:], ";")) {
			if a.Error != nil {
				t.Errorf("%s: %s", line, a.Error.Message)
			}
			a.Warnings = nil
			got += render.Text(a, false)
		}
		if strings.HasPrefix(line, "> ") {
			continue
		}
		from := i
		for i < len(lines) && !strings.HasPrefix(lines[i], "> ") && !strings.HasPrefix(lines[i], "$ ") {
			i++
		}
		want := strings.Join(lines[from:i], "\n")
		commands++
		if g, w := likeAnywhere(got), likeAnywhere(want); !render.Same(g, w) {
			t.Errorf("line %d, %s\n%s", from, line, difference(g, w))
		}
	}
	t.Logf("%d commands", commands)
}

func difference(got, want string) string {
	g, w := strings.Split(strings.TrimSpace(got), "\n"), strings.Split(strings.TrimSpace(want), "\n")
	var out []string
	for i := range max(len(g), len(w)) {
		a, b := "", ""
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			out = append(out, "  "+strings.TrimSpace(a)+"\n  expected "+strings.TrimSpace(b))
		}
	}
	return strings.Join(out, "\n")
}
