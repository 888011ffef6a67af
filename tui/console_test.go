package tui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"ringlab/engine/answer"
	"ringlab/scenarios"
)

func TestWhatEnterRuns(t *testing.T) {
	for _, c := range []struct {
		text  string
		ready bool
		count int
	}{
		{"", true, 0},
		{"SELECT * FROM t;", true, 1},
		{"SELECT * FROM t", false, 1},
		{"SELECT ';' FROM t", false, 1},
		{"SELECT 'it''s;", false, 1},
		{"SELECT * FROM t; -- done;", true, 1},
		{"SELECT /* ; */ * FROM t", false, 1},
		{"/* open ;", false, 0},
		{"CREATE FUNCTION f() … AS $$ return 1; $$;", true, 1},
		{"BEGIN BATCH INSERT INTO t;", false, 1},
		{"BEGIN UNLOGGED BATCH INSERT …; UPDATE …; APPLY BATCH;", true, 1},
		{":down n3", true, 1},
		{"CONSISTENCY ONE", true, 1},
		{"consistency", true, 1},
		{"DESCRIBE TABLE t", true, 1},
		{"describeit", false, 1},
		{"USE ks", true, 1},
		{"nodetool status", true, 1},
		{"a; b; c;", true, 3},
		{":down n3\nSELECT 1;\nCONSISTENCY ONE\n:up n3", true, 4},
		{"{ : }", false, 1},
	} {
		if ready, count := complete(c.text); ready != c.ready || count != c.count {
			t.Errorf("complete(%q) = %v, %d; want %v, %d", c.text, ready, count, c.ready, c.count)
		}
	}
}

func TestMultiLineEditing(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.typeText("SELECT *\nFROM readings\n;\n")
	if len(b.lab.did) != 1 || b.lab.did[0] != "SELECT *\nFROM readings\n;" {
		t.Errorf("did %q", b.lab.did)
	}
	b.press("up")
	if b.app.console.edit.text != "SELECT *\nFROM readings\n;" {
		t.Errorf("recalled %q", b.app.console.edit.text)
	}
	b.press("up", "up", "up")
	if b.app.console.edit.text != "CONSISTENCY ONE" {
		t.Errorf("recalled %q", b.app.console.edit.text)
	}
	b.press("down", "down", "down", "down")
	if b.app.console.edit.text != "" {
		t.Errorf("the draft is %q", b.app.console.edit.text)
	}
	b.typeText("SELECT 1")
	b.press("f5")
	if b.lab.did[1] != "SELECT 1" {
		t.Errorf("did %q", b.lab.did)
	}
}

func TestEditorAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := editor{}
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			k := rapid.SampledFrom([]string{"left", "right", "home", "end", "alt+b", "alt+f", "backspace", "delete", "ctrl+w", "alt+d", "ctrl+k", "ctrl+u", "insert", "vertical", "undo"}).Draw(t, "key")
			switch k {
			case "insert":
				e.insert(rapid.SampledFrom([]string{"a", "é", "日", "\n", "(x)", "\x1b"}).Draw(t, "text"))
			case "vertical":
				e.vertical(rapid.SampledFrom([]int{-1, 1}).Draw(t, "by"))
			case "undo":
				e.undo()
			default:
				e.key(k)
			}
			if e.cur < 0 || e.cur > len(e.text) {
				t.Fatalf("cursor %d in %q", e.cur, e.text)
			}
			w := rapid.IntRange(1, 12).Draw(t, "w")
			rows, cx, cy := e.layout(w)
			if cy >= len(rows) || cx > w {
				t.Fatalf("cursor %d,%d in %d rows of %d", cx, cy, len(rows), w)
			}
		}
	})
}

func TestPasteAsks(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	b.send(tea.PasteMsg{Content: "SELECT 1;\rSELECT 2;\r"})
	want(t, b, "pasted 19B, 2 statements")
	if len(b.lab.did) != 0 {
		t.Fatal("pasted text ran by itself")
	}
	b.press("esc")
	if b.app.console.paste != nil || len(b.lab.did) != 0 {
		t.Error("esc does not drop it")
	}
	b.send(tea.PasteMsg{Content: "SELECT *\r\nFROM t;"})
	if b.app.console.edit.text != "SELECT *\nFROM t;" {
		t.Errorf("one statement goes into the prompt: %q", b.app.console.edit.text)
	}
}

func TestPasteOfTenMegabytes(t *testing.T) {
	b := newBench(t, scripted(), Options{})
	text := strings.Repeat("INSERT INTO readings (a) VALUES (1);\n", 10<<20/37)
	b.send(tea.PasteMsg{Content: text})
	want(t, b, "pasted 10M, about 283,398 statements")
	if b.app.console.edit.text != "" {
		t.Error("the flood is in the editor")
	}
	b.press("enter")
	if len(b.lab.did) != 1 || len(b.lab.did[0]) != len(text) {
		t.Error("it did not run in one go")
	}
	want(t, b, "4,000 statements, 0 failed")
}

func TestTranscriptIsBounded(t *testing.T) {
	p := consolePane{}
	rows := make([][]answer.Cell, 50_000)
	for i := range rows {
		rows[i] = []answer.Cell{{Text: "x"}, {Text: "y"}}
	}
	for range 20 {
		p.add(&entry{answer: &answer.Answer{Columns: make([]answer.Column, 2), Rows: rows}})
	}
	if p.log.cells > maxCells || len(p.log.entries) > 4 {
		t.Errorf("%d cells in %d entries", p.log.cells, len(p.log.entries))
	}
	for range 3 * maxEntries {
		p.add(&entry{input: "x"})
	}
	if len(p.log.entries) > maxEntries {
		t.Errorf("%d entries", len(p.log.entries))
	}
}

func TestHugeResultOpens(t *testing.T) {
	rows := make([][]answer.Cell, 200_000)
	for i := range rows {
		rows[i] = []answer.Cell{{Text: "k"}, {Text: strings.Repeat("v", 60)}, {Text: "3"}}
	}
	a := &answer.Answer{Columns: []answer.Column{{Name: "k", Type: "text"}, {Name: "v", Type: "text"}, {Name: "n", Type: "int"}}, Rows: rows}
	b := newBench(t, scripted(), Options{})
	b.app.console.add(&entry{answer: a})
	b.press("esc", "enter", "G", "l", "l")
	want(t, b, "row 200000  column n")
}

func TestGuideMarks(t *testing.T) {
	ok := answer.Answer{Statement: "a"}
	bad := answer.Answer{Statement: "b", Error: &answer.Error{Message: "no"}}
	expected := answer.Answer{Statement: ":expect error InvalidRequest"}
	output := answer.Answer{Statement: ":expect output"}
	other := answer.Answer{Statement: ":expect output", Error: &answer.Error{Message: "not the output"}}
	for _, c := range []struct {
		got  []answer.Answer
		want bool
	}{
		{nil, true}, {[]answer.Answer{ok, ok}, true}, {[]answer.Answer{ok, bad}, false},
		{[]answer.Answer{bad, expected, ok}, true}, {[]answer.Answer{bad, ok, expected}, false},
		{[]answer.Answer{bad, output, ok}, true}, {[]answer.Answer{bad, other}, false}, {[]answer.Answer{ok, other}, false},
	} {
		if got := answer.AsExpected(c.got); got != c.want {
			t.Errorf("answer.AsExpected(%v) = %v", c.got, got)
		}
	}
	text := "SELECT 1;\n----\n a\n---\n 1\n\n:expect rows 1\n:down n1\n----\n----\nx\n\ny\n----\n----\nlast\n"
	if got := strings.Join(scenarios.Shown(text), "|"); got != "SELECT 1;|:down n1|last" && got != "SELECT 1;|:down n1|last|" {
		t.Errorf("visible lines %q", got)
	}
}

func TestMarkdownFits(t *testing.T) {
	text := "# Head\nSome **bold** and *soft* `code` text with a verylongwordthatmustbebrokensomewhere in it.\n\n- one two three four five\n- two\n\n1. first\n\n> quoted words that wrap\n\n```\nraw  text\n```\n[link](http://x) a*b _c_ snake_case"
	for w := 4; w < 60; w++ {
		for _, l := range markdown(text, w) {
			if l.Width() > w && !strings.Contains(l[0].Text, "raw") {
				t.Errorf("width %d: %d %v", w, l.Width(), l)
			}
		}
	}
	var flat strings.Builder
	for _, l := range markdown(text, 200) {
		for _, s := range l {
			flat.WriteString(s.Text)
		}
		flat.WriteByte('\n')
	}
	for _, part := range []string{"Some bold and soft code text", "• one two", "1. first", "│ quoted", "link a*b c snake_case"} {
		if !strings.Contains(flat.String(), part) {
			t.Errorf("markdown lacks %q:\n%s", part, flat.String())
		}
	}
}

// TestColumnsLeftOut: the sign of columns that do not fit stands behind the
// last one shown, not behind its values, which are whole.
func TestColumnsLeftOut(t *testing.T) {
	a := answer.Answer{
		Columns: []answer.Column{{Name: "what", Type: "text"}, {Name: "value", Type: "text"}, {Name: "rule", Type: "text"}},
		Rows:    slices.Repeat([][]answer.Cell{{{Text: "rows"}, {Text: "1"}, {Text: "a long explanation"}}}, 6), // too many to go downward
	}
	var got []string
	for _, line := range tableLines(&a, 20) {
		text := ""
		for _, span := range line {
			text += span.Text
		}
		got = append(got, text)
	}
	want := " what │ value …\n──────┼───────" + strings.Repeat("\n rows │ 1     …", 6) + "\n → 1 more column: esc, then enter"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// A row that is too wide is shown from the top down, so that nothing of it is hidden;
// many of them stay a table.
func TestWideResultsGoDownward(t *testing.T) {
	heads := []string{"key", "partitioner", "token", "primary", "replicas"}
	row := []string{"carol", "Murmur3Partitioner", "-3169904368870211108", "B", "B,C,D"}
	text := func(a *answer.Answer, w int) string {
		var b strings.Builder
		for _, l := range tableLines(a, w) {
			for _, s := range l {
				b.WriteString(s.Text)
			}
			b.WriteString("\n")
		}
		return b.String()
	}
	one := answer.Table(heads, [][]string{row})
	if got, want := text(one, 46), " key         │ carol\n partitioner │ Murmur3Partitioner\n token       │ -3169904368870211108\n primary     │ B\n replicas    │ B,C,D\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := text(one, 120); strings.Count(got, "\n") != 3 {
		t.Errorf("a row that fits is\n%s", got)
	}
	if got := text(answer.Table(heads, [][]string{row, row, row, row}), 46); !strings.Contains(got, "more columns") {
		t.Errorf("four rows are\n%s", got)
	}
}
