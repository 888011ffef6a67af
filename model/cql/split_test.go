package cql

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	script := "\n-- head; er\nUSE ks;\n /* a;b */ SELECT 'x;''y', \"c;d\" FROM t;;\n" +
		"BEGIN UNLOGGED BATCH\n INSERT INTO t (k) VALUES (1);\n DELETE FROM t WHERE apply = 1;\nAPPLY BATCH;\n" +
		"CREATE FUNCTION f() AS $$ a; b; $$ ; begin; é SELECT 1 -- end"
	want := []Piece{
		{"USE ks", Pos{3, 0, 13}},
		{"SELECT 'x;''y', \"c;d\" FROM t", Pos{4, 11, 32}},
		{"BEGIN UNLOGGED BATCH\n INSERT INTO t (k) VALUES (1);\n DELETE FROM t WHERE apply = 1;\nAPPLY BATCH", Pos{5, 0, 63}},
		{"CREATE FUNCTION f() AS $$ a; b; $$", Pos{9, 0, 160}},
		{"begin", Pos{9, 37, 197}},
		{"é SELECT 1 -- end", Pos{9, 44, 204}},
	}
	got := Split(script)
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("piece %d\n got  %+v\n want %+v", i, got, want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d pieces: %+v", len(got), got)
	}
}

func TestSplitterWaits(t *testing.T) {
	var s Splitter
	steps := []struct {
		feed    string
		want    []string
		pending bool
	}{
		{"  -- c", nil, false},
		{"\n", nil, false},
		{"SELECT '", nil, true},
		{";'", nil, true},
		{" FROM t; USE", []string{"SELECT ';' FROM t"}, true},
		{" k;", []string{"USE k"}, false},
		{"/", nil, false},
		{"* x;", nil, true},
		{"*/", nil, false},
		{"BEGIN BA", nil, true},
		{"TCH DELETE FROM t WHERE k = 1; AP", nil, true},
		{"PLY BATCH;", []string{"BEGIN BATCH DELETE FROM t WHERE k = 1; APPLY BATCH"}, false},
	}
	for _, step := range steps {
		s.Feed(step.feed)
		var got []string
		for {
			p, ok := s.Next()
			if !ok {
				break
			}
			got = append(got, p.Text)
		}
		if strings.Join(got, "|") != strings.Join(step.want, "|") || s.Pending() != step.pending {
			t.Fatalf("after %q: %q pending %v, want %q %v", step.feed, got, s.Pending(), step.want, step.pending)
		}
	}
}

// Cutting the text into parts anywhere never changes the pieces.
func TestSplitterIgnoresParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom([]string{"begin", "batch", "apply", "a", "unlogged", " ", " ", ";", ";", "'", `"`,
			"$$", "$", "--", "-", "/*", "*/", "/", "\n", "é", "1", "_"})).Draw(t, "words")
		script := strings.Join(words, "")
		want := Split(script)
		var s Splitter
		var got []Piece
		take := func() {
			for {
				p, ok := s.Next()
				if !ok {
					return
				}
				got = append(got, p)
			}
		}
		for rest := script; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "part")
			s.Feed(rest[:n])
			rest = rest[n:]
			take()
		}
		if p, ok := s.Flush(); ok {
			got = append(got, p)
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %+v, want %+v", script, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%q: %+v, want %+v", script, got[i], want[i])
			}
			// A line break that ends a comment may have moved up to it.
			if at := script[got[i].Pos.Offset:]; !strings.HasPrefix(at, strings.TrimSuffix(got[i].Text, "\n")) {
				t.Fatalf("%q: piece %+v is not at its offset", script, got[i])
			}
		}
	})
}

// Every recorded statement survives in a script of all of them.
func TestSplitRecordings(t *testing.T) {
	for _, r := range recordings(t) {
		if _, err := Parse(r.CQL); err != nil {
			continue
		}
		got := Split(r.CQL + ";\nUSE x;")
		if len(got) != 2 || !strings.HasSuffix(TrimStatement(r.CQL), got[0].Text) {
			t.Errorf("%s %d: %s\n\t%+v", r.file, r.N, r.CQL, got)
		}
	}
}
