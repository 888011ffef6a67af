package engine_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringlab/engine/answer"
	"ringlab/engine/headless"
)

// cqlshRun is what one script printed, cut at its statements.
type cqlshRun struct {
	texts    []string
	out, err []string // what each statement printed
}

func playCqlsh(t *testing.T, name string, script []byte) *cqlshRun {
	lab, err := headless.NewLab(headless.LabOptions{Ring: "datacenter1=1 racks=1"})
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	r := &cqlshRun{}
	cut := func() { // what has been printed belongs to the last statement
		if n := len(r.texts); n > 0 {
			r.out[n-1] += out.String()
			r.err[n-1] += errs.String()
		}
		out.Reset()
		errs.Reset()
	}
	do, expand := headless.Direct(lab)
	run := &headless.Runner{Expand: expand, Out: &out, Err: &errs, Output: headless.Table, KeepGoing: true,
		Do: func(text, file string, line int) ([]*answer.Answer, error) {
			cut()
			r.texts, r.out, r.err = append(r.texts, text), append(r.out, ""), append(r.err, "")
			return do(text, file, line)
		}}
	if err := run.Read(name+".cql", bytes.NewReader(script)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	cut()
	return r
}

// cqlshText is recorded output that is compared piece by piece.
type cqlshText struct {
	rest string
	skip bool // what a statement printed that may differ stands before the next match
}

// take compares the next piece; it gives the recorded text instead of it where
// they differ.
func (c *cqlshText) take(piece string) (want string, ok bool) {
	if piece == "" {
		return "", true
	}
	at := strings.Index(c.rest, piece)
	if at < 0 || at > 0 && !c.skip {
		want, c.skip = c.rest[:min(len(c.rest), len(piece)+40)], true
		return want, false
	}
	c.rest, c.skip = c.rest[at+len(piece):], false
	return "", true
}

// TestGoldenCqlsh runs the recorded scripts and compares what is printed. The
// recordings have lost the empty line in front of their first result.
func TestGoldenCqlsh(t *testing.T) {
	names, _ := filepath.Glob("testdata/golden/cqlsh/*.cql")
	own, _ := filepath.Glob("testdata/real/cqlsh/*.cql")
	names = append(append(names, own...), moreGolden("cqlsh", ".cql")...)
	known := knownReasons(t, "testdata/golden/cqlsh/KNOWN_DIFFERENCES")
	total, good, reasons := 0, 0, map[string]int{}
	for _, path := range names {
		stem := strings.TrimSuffix(path, ".cql")
		name := filepath.Base(stem)
		script, out, errs := mustRead(t, path), mustRead(t, stem+".out"), mustRead(t, stem+".err")
		if len(script) == 0 || len(out) == 0 {
			t.Fatalf("%s or its .out is empty", path)
		}
		run := playCqlsh(t, name, script)
		wantOut, wantErr := cqlshText{rest: "\n" + string(out)}, cqlshText{rest: string(errs)}
		if !strings.HasPrefix(strings.Join(run.out, ""), "\n") {
			wantOut.rest = string(out)
		}
		for i, text := range run.texts {
			total++
			if reason := known.of(name, i+1); reason != "" {
				reasons[reason]++
				wantOut.skip, wantErr.skip = true, true
				continue
			}
			o, okOut := wantOut.take(run.out[i])
			e, okErr := wantErr.take(run.err[i])
			if okOut && okErr {
				good++
				continue
			}
			t.Errorf("%s %d: %s", name, i+1, text)
			if !okOut {
				t.Errorf("it printed\n%s\nexpected\n%s", run.out[i], o)
			}
			if !okErr {
				t.Errorf("on standard error it printed\n%s\nexpected\n%s", run.err[i], e)
			}
		}
		for _, left := range []cqlshText{wantOut, wantErr} {
			if left.rest != "" && !left.skip {
				t.Errorf("%s: this is missing at the end:\n%s", name, left.rest)
			}
		}
	}
	fmt.Printf("golden cqlsh: %d of %d\n", good, total)
	logCounts(t, reasons)
}

func mustRead(t *testing.T, path string) []byte {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
