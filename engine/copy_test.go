package engine_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/headless"
)

// TestCopy runs scripts with COPY on one lab and shows what they print, standard
// error last. What the rows become is what cqlsh 6.2 and Cassandra 5.0.5 made of
// the same lines.
func TestCopy(t *testing.T) {
	lab, err := engine.New(engine.Options{Ring: "datacenter1=3 racks=1"})
	if err != nil {
		t.Fatal(err)
	}
	do := func(text, file string, line int) ([]*answer.Answer, error) {
		lab.Place(file, line)
		return lab.Do(text), nil
	}
	datadriven.RunTest(t, "testdata/copy.txt", func(t *testing.T, d *datadriven.TestData) string {
		var out, errs bytes.Buffer
		run := &headless.Runner{Expand: lab.Expand, Out: &out, Err: &errs, Output: headless.Table, KeepGoing: true, Do: do}
		if err := run.Read("copy.cql", strings.NewReader(d.Input+"\n")); err != nil {
			return err.Error()
		}
		var b strings.Builder
		for _, line := range strings.Split(out.String()+errs.String(), "\n") {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		return strings.TrimRight(b.String(), "\n")
	})
}
