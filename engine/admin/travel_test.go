package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"ringlab/engine/admin"
)

// journeys shows how commands along the journal are read, one a line.
func journeys(input string) string {
	var b strings.Builder
	for _, line := range strings.Split(input, "\n") {
		j, err := admin.ParseJourney(line)
		switch {
		case err != nil:
			fmt.Fprintf(&b, "%s\n  %s\n", line, err)
		case j == nil:
			fmt.Fprintf(&b, "%s\n  another command\n", line)
		default:
			fmt.Fprintf(&b, "%s\n  %s name=%q count=%d time=%s changes=%q file=%q\n", line, j.Verb, j.Name, j.Count, j.Micros, j.Changes, j.File)
		}
	}
	return b.String()
}

// changed shows what a replay makes of commands: the first line is the replay.
func changed(t *testing.T, d *datadriven.TestData) string {
	lines := strings.Split(d.Input, "\n")
	j, err := admin.ParseJourney(lines[0])
	if err != nil {
		d.Fatalf(t, "%s", err)
	}
	var b strings.Builder
	for _, text := range j.Changes.Opening() {
		b.WriteString("+ " + text + "\n")
	}
	for _, line := range lines[1:] {
		text, keep := j.Changes.Of(line)
		switch {
		case !keep:
			b.WriteString("- " + line + "\n")
		case text != line:
			b.WriteString("~ " + text + "\n")
		default:
			b.WriteString("  " + text + "\n")
		}
		if admin.Renews(text) {
			b.WriteString("+ the opening again\n")
		}
	}
	return b.String()
}

// FuzzJourney: whatever is typed, reading it ends with a journey or an error,
// and what a replay changes still reads as one line.
func FuzzJourney(f *testing.F) {
	for _, s := range []string{":rewind +3d01:30:10", ":replay with cl=QUORUM skew=0 as=b without :down n3", ":fork a", ":open 'a b.lab' as=x", ":client a cl=ONE skew=+1s", "CONSISTENCY ALL"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, line, command string) {
		j, err := admin.ParseJourney(line)
		if j == nil || err != nil {
			return
		}
		if j.Micros < 0 || j.Count < -1 {
			t.Errorf("%q goes to %d, %d", line, j.Count, j.Micros)
		}
		text, keep := j.Changes.Of(command)
		if again, _ := j.Changes.Of(text); keep && strings.Count(text, "\n") > strings.Count(command, "\n") || keep && again != text && text != command && len(j.Changes.Without) == 0 {
			t.Errorf("%q makes %q of %q, and %q of that", line, text, command, again)
		}
	})
}
