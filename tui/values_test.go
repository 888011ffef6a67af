package tui

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringlab/engine/answer"
	"ringlab/tui/draw"
)

// spell writes spans with a letter for each style: t text, n number, b blob,
// 0 null, . brackets.
func spell(s draw.Spans) string {
	letters := map[draw.Style]string{ValueText: "t", ValueNumber: "n", ValueBlob: "b", ValueNull | draw.Italic: "0", ValueBracket: "."}
	var b strings.Builder
	for _, l := range s {
		b.WriteString(strings.Repeat(letters[l.Style], draw.Width(l.Text)))
	}
	return b.String()
}

// Values have the colours of cqlsh, elements of collections each their own.
func TestValuesAreColouredByType(t *testing.T) {
	for _, c := range []struct{ typ, text, want string }{
		{"text", `a'b {1}`, "ttttttt"},
		{"text", `tab\tx`, "tttbbt"},
		{"text", `a\\n\x00`, "ttttbbbb"},
		{"int", "-5", "nn"},
		{"timestamp", "2020-01-02 03:04:05.000000+0000", strings.Repeat("n", 31)},
		{"boolean", "True", "nnnn"},
		{"blob", "0x00ff", "bbbbbb"},
		{"list<int>", "[1, -2]", ".n..nn."},
		{"set<text>", "{'a, b', 'it''s'}", ".tttttt..ttttttt."},
		{"map<text, blob>", "{'k': 0x01}", ".ttt..bbbb."},
		{"map<int, time>", "{1: 01:02:03.000000000}", ".n..nnnnnnnnnnnnnnnnnn."},
		{"address", "{street: 'x', n: null}", ".tttttt..ttt..t..0000."},
		{"tuple<int, boolean, uuid>", "(None, False, 50554d6e-29bb-11e5-b345-feff819cdc9f)", ".0000..nnnnn.." + strings.Repeat("n", 36) + "."},
		{"list<duration>", "[1y2mo3d4h5m6s7ms8us9ns]", "." + strings.Repeat("n", 22) + "."},
	} {
		if got := spell(valueSpans(c.typ, answer.Cell{Text: c.text})); got != c.want {
			t.Errorf("%s %s\n%s\nwant\n%s", c.typ, c.text, got, c.want)
		}
	}
	if got := spell(valueSpans("int", answer.Cell{Text: "null", Null: true})); got != "0000" {
		t.Error(got)
	}
}

// Colour never changes what is written: spans spell the text, and cut to a width
// they are the text cut to it.
func TestSpansSpellTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune(`ab'\x{}[](),: 0né世`))).Draw(t, "text")
		w := rapid.IntRange(1, 20).Draw(t, "width")
		for _, typ := range []string{"text", "int", "blob", "map<text, int>"} {
			spans := valueSpans(typ, answer.Cell{Text: text})
			join := func(s draw.Spans) string {
				var b strings.Builder
				for _, l := range s {
					b.WriteString(l.Text)
				}
				return b.String()
			}
			if got := join(spans); got != text {
				t.Fatalf("%s %q spells %q", typ, text, got)
			}
			cut := draw.Truncate(text, w)
			want := cut + strings.Repeat(" ", max(w-draw.Width(cut), 0))
			if got := join(fitSpans(spans, w, false)); got != want {
				t.Fatalf("%s %q in %d cells is %q, not %q", typ, text, w, got, want)
			}
		}
	})
}
