package stress

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"
)

// TestProfiles reads the profiles of testdata/profiles.txt: `read` shows what one
// says, `load` what its first operations write into a table of those columns.
func TestProfiles(t *testing.T) {
	datadriven.RunTest(t, "testdata/profiles.txt", func(t *testing.T, d *datadriven.TestData) string {
		p, err := ParseProfile(d.Input)
		if err != nil {
			return err.Error() + "\n"
		}
		switch d.Cmd {
		case "read":
			return strings.ReplaceAll(p.JSON(), `,"`, ",\n\"") + "\n"
		case "load":
			var columns []string
			for _, a := range d.CmdArgs {
				columns = append(columns, strings.Join(append([]string{a.Key}, a.Vals...), " "))
			}
			l, err := NewLoad(p, table(t, columns...), Options{N: 3, Ops: []OpRatio{{"insert", 1}}, Seed: 1})
			if err != nil {
				return err.Error() + "\n"
			}
			var b strings.Builder
			var op Operation
			for l.Next(&op) {
				for _, r := range op.Rows {
					fmt.Fprintf(&b, "new=%v %x %x %x\n", r.New, r.Key, r.Clustering, r.Values)
				}
			}
			for _, own := range l.Own() {
				fmt.Fprintf(&b, "own: %s\n", own)
			}
			return b.String()
		}
		return "no such command\n"
	})
}

// A profile reads back from its one line, and from its file.
func TestProfilesReadBack(t *testing.T) {
	text, err := os.ReadFile("testdata/profiles.txt")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, block := range strings.Split(string(text), "\n\n") {
		body, _, _ := strings.Cut(block, "\n----")
		if i := strings.Index(body, "keyspace:"); i >= 0 {
			body = body[i:]
		}
		p, err := ParseProfile(body)
		if err != nil {
			continue
		}
		read++
		for _, again := range []string{p.JSON(), p.YAML(nil, nil)} {
			q, err := ParseProfile(again)
			if err != nil {
				t.Fatalf("%s\ndoes not read back: %v", again, err)
			}
			q.TokenRangeQueries = p.TokenRangeQueries // a file of an export has none
			q.Spec = p.Spec
			q.Insert.RowPopulation = p.Insert.RowPopulation
			if strings.TrimRight(q.KeyspaceDefinition, "\n") == strings.TrimRight(p.KeyspaceDefinition, "\n") {
				q.KeyspaceDefinition = p.KeyspaceDefinition
			}
			if strings.TrimRight(q.TableDefinition, "\n") == strings.TrimRight(p.TableDefinition, "\n") {
				q.TableDefinition = p.TableDefinition
			}
			if q.JSON() != p.JSON() {
				t.Errorf("%s\nreads back as\n%s", p.JSON(), q.JSON())
			}
		}
	}
	if read == 0 {
		t.Error("testdata/profiles.txt has no profile")
	}
}

// A batch writes no partition twice, and takes fewer where there are no more.
func TestBatchesHaveDifferentPartitions(t *testing.T) {
	p, err := ParseProfile("keyspace: k\ntable: t\ninsert: {partitions: UNIFORM(3..9)}")
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLoad(p, table(t, "k bigint key", "v int"), Options{N: 100, Ops: []OpRatio{{"insert", 1}}, Sequence: &[2]int64{1, 5}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	all, sizes := int64(0), map[int64]bool{}
	var op Operation
	for l.Next(&op) {
		keys := map[string]bool{}
		for _, r := range op.Rows {
			keys[string(r.Key[0])] = true
		}
		if int64(len(keys)) != op.Partitions || len(keys) > 5 {
			t.Fatalf("a batch of %d partitions has %d keys", op.Partitions, len(keys))
		}
		sizes[op.Partitions] = true
		all += op.Partitions
	}
	if all != 100 || !sizes[3] || !sizes[5] {
		t.Errorf("%d partitions in batches of %v", all, sizes)
	}
}

// specs draws distributions as people write them.
func specs(t *rapid.T) string {
	low := rapid.Int64Range(-50, 1000).Draw(t, "low")
	high := low + rapid.Int64Range(2, 100000).Draw(t, "width")
	text := rapid.SampledFrom([]string{
		fmt.Sprintf("FIXED(%d)", low), fmt.Sprintf("uniform(%d..%d)", low, high), fmt.Sprintf("GAUSSIAN(%d..%d)", low, high),
		fmt.Sprintf("norm(%d..%d,4)", low, high), fmt.Sprintf("gauss(%d..%d,%d,7.5)", low, high, low+1), fmt.Sprintf("Exp(%d...%d)", low, high),
		fmt.Sprintf("EXTREME(%d..%d,0.7)", low, high), fmt.Sprintf("qextr(%d..%d,2,3)", low, high),
	}).Draw(t, "spec")
	return rapid.SampledFrom([]string{"", "~"}).Draw(t, "mirror") + text
}

// Every draw lies between the least and the greatest number, a seed gives the
// same draws again, and a distribution reads back from its text.
func TestDrawsStayInTheirRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := specs(t)
		s, err := ParseSpec(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := ParseSpec(s.String())
		if err != nil {
			t.Fatalf("%s of %s: %v", s, text, err)
		}
		d, e := s.New(), again.New()
		if Min(d) < s.Min || Max(d) > s.Max {
			t.Fatalf("%s draws from %d to %d", text, Min(d), Max(d))
		}
		seed := rapid.Int64().Draw(t, "seed")
		d.Seed(seed)
		e.Seed(seed)
		var first []int64
		for range 50 {
			v := d.Next()
			if v < s.Min || v > s.Max {
				t.Fatalf("%s draws %d", text, v)
			}
			if w := e.Next(); w != v {
				t.Fatalf("%s draws %d, and as %s %d", text, v, s, w)
			}
			first = append(first, v)
		}
		d.Seed(seed)
		for i, v := range first {
			if w := d.Next(); w != v {
				t.Fatalf("%s: draw %d is %d, and after the same seed %d", text, i, v, w)
			}
		}
		if avg := average(d); avg < s.Min-1 || avg > s.Max {
			t.Fatalf("%s has the average %d", text, avg)
		}
	})
}

// FuzzSpec: no text makes the reader of distributions panic; an error lies in
// the text, and what is read can be drawn from.
func FuzzSpec(f *testing.F) {
	for _, s := range []string{"FIXED(1)", "~uniform(1..10k)", "gauss(1..5,2,3)", "exp(1..1M)", "extr(1..2,1)", "qextreme(1..1b,2,7)", "seq(-5..5)", "uniform(5..1)",
		"UNIFORM(1..)", "(1)", "~", "FIXED()", "EXP(0..9223372036854775807)", "norm(1..2,0)", "fixed(9999999999b)", "QEXTREME(1..9,1,65537)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSpec(text)
		if err != nil {
			var at *SpecError
			if !errors.As(err, &at) || at.Offset < 0 || at.Offset > len(text) || at.Msg == "" {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		d := s.New()
		d.Seed(7)
		for range 5 {
			if v := d.Next(); s.Kind != Sequence && (v < s.Min || v > s.Max) {
				t.Fatalf("%q draws %d", text, v)
			}
		}
		if _, err := ParseSpec(s.String()); err != nil {
			t.Fatalf("%q is written %s, which is none: %v", text, s, err)
		}
		if _, err := ParseRatio(text + "/3"); err != nil {
			t.Fatalf("%q is no ratio: %v", text, err)
		}
	})
}

// FuzzProfile: no text makes the reader of profiles panic; an error lies in the
// text, and what is read reads back.
func FuzzProfile(f *testing.F) {
	text, err := os.ReadFile("testdata/profiles.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, block := range strings.Split(string(text), "\n\n") {
		body, _, _ := strings.Cut(block, "\n----")
		_, body, _ = strings.Cut(body, "\n")
		f.Add(body)
	}
	for _, s := range []string{"[", "{", "a: [", "&a *a", "- - -", "keyspace: !!x k\ntable: *b", "? ? ?", "%YAML\n---\n", "keyspace: |2\n\n", "\x00", "\ufeffkeyspace: k"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseProfile(text)
		if err != nil {
			var at *ProfileError
			if !errors.As(err, &at) || at.At.Line < 1 || at.At.Column < 1 || at.At.Line > strings.Count(text, "\n")+strings.Count(text, "\r")+2 || at.Msg == "" {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		q, err := ParseProfile(p.JSON())
		if err != nil {
			t.Fatalf("%s does not read back: %v", p.JSON(), err)
		}
		if q.JSON() != p.JSON() {
			t.Fatalf("%s reads back as %s", p.JSON(), q.JSON())
		}
	})
}
