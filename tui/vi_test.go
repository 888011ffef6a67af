package tui

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What vi itself makes of these keys: ‸ is the cursor, before and after. Each was
// tried in vi; where vi's last line of a file matters, the prompt is that file.
func TestViKeys(t *testing.T) {
	for _, c := range []struct{ from, keys, to string }{
		{"SELECT a.b, ‸c", "h", "SELECT a.b,‸ c"},
		{"‸SELECT a.b, c", "w", "SELECT ‸a.b, c"},
		{"‸SELECT a.b, c", "w w", "SELECT a‸.b, c"},
		{"‸SELECT a.b, c", "5 w", "SELECT a.b, ‸c"},
		{"SELECT a.b, ‸c", "b b", "SELECT a.‸b, c"},
		{"‸SELECT a.b", "e", "SELEC‸T a.b"},
		{"SELEC‸T a.b", "e", "SELECT ‸a.b"},
		{"SELECT ‸a", "0", "‸SELECT a"},
		{"‸SELECT a", "$", "SELECT ‸a"},
		{"‸SELECT a", "l l h", "S‸ELECT a"},
		{"one\ntw‸o\nthree", "k", "on‸e\ntwo\nthree"},
		{"one\ntw‸o\nthree", "j", "one\ntwo\nth‸ree"},
		{"‸SELECT", "x x", "‸LECT"},
		{"‸SELECT", "3 x", "‸ECT"},
		{"SELEC‸T", "x", "SELE‸C"},
		{"SELECT ‸v, w FROM t", "d w", "SELECT ‸, w FROM t"},
		{"‸SELECT v, w", "2 d w", "‸, w"},
		{"‸SELECT v, w", "d 2 w", "‸, w"},
		{"a ‸b\nc", "d w", "a‸ \nc"},
		{"SELECT ‸v, w", "d e", "SELECT ‸ w"},
		{"SELECT v, ‸w", "d b", "SELECT v‸w"},
		{"SELECT ‸v, w", "d $", "SELECT‸ "},
		{"SELECT ‸v, w", "D", "SELECT‸ "},
		{"SELECT ‸v, w", "d 0", "‸v, w"},
		{"one\ntw‸o\nthree", "d d", "one\n‸three"},
		{"one\ntw‸o", "d d", "‸one"},
		{"‸one\ntwo\nthree", "2 d d", "‸three"},
		{"on‸e", "d d", "‸"},
		{"one\ntw‸o\nthree", "d d p", "one\nthree\n‸two"},
		{"one\ntw‸o\nthree", "y y P", "one\n‸two\ntwo\nthree"},
		{"SELECT ‸va FROM t", "c w x y esc", "SELECT x‸y FROM t"},
		{"SELECT ‸va FROM t", "c w x", "SELECT x‸ FROM t"},
		{"one\ntw‸o", "c c x", "one\nx‸"},
		{"SELECT ‸v", "C *", "SELECT *‸"},
		{"‸ab", "x p", "b‸a"},
		{"‸one two", "y w $ p", "one twoone‸ "},
		{"‸one two", "d w u", "‸one two"},
		{"on‸e", "i x esc", "on‸xe"},
		{"on‸e", "a x", "onex‸"},
		{"on‸e", "I x", "x‸one"},
		{"‸one", "A ; esc", "one‸;"},
		{"‸one\ntwo", "o x", "one\nx‸\ntwo"},
		{"one\n‸two", "O x", "one\nx‸\ntwo"},
		{"‸é日x", "l x", "é‸x"},
		{"‸é日 x", "d w", "‸x"},
		{"‸one", "d esc x", "‸ne"},
		{"‸one", "Q Z ; x", "‸ne"},
	} {
		b := newBench(t, scripted(), Options{})
		b.press("f7")
		cur := strings.Index(c.from, "‸")
		text := strings.Replace(c.from, "‸", "", 1)
		e := &b.app.console.edit
		e.text, e.cur = text, len(text)
		b.press("esc")
		if cur < len(text) {
			e.cur = cur
		}
		b.press(strings.Fields(c.keys)...)
		if got := e.text[:e.cur] + "‸" + e.text[e.cur:]; got != c.to {
			t.Errorf("%q %s: %q, expected %q", c.from, c.keys, got, c.to)
		}
	}
}

func TestViModesAndSetting(t *testing.T) {
	lab := scripted()
	b := newBench(t, lab, Options{})
	b.press("f7")
	b.app.status.Text = ""
	b.typeText("SELECT 12")
	want(t, b, "cql I> SELECT 12")
	b.press("esc")
	want(t, b, "cql N> SELECT 12", "F1 help", "i insert", "^space run")
	b.press("d")
	want(t, b, "cut the line", "w  word")
	b.press("d", ":")
	b.typeText("status")
	want(t, b, "cql I> :status")
	b.press("esc", "enter")
	if !slices.Contains(b.lab.did, ":status") || b.app.console.vi.normal {
		t.Errorf("did %q, normal %v", b.lab.did, b.app.console.vi.normal)
	}
	b.press("esc", "2") // an empty prompt lets digits through
	if b.app.focus != 2 {
		t.Errorf("focus %d", b.app.focus)
	}
	b.press("3", "esc") // the second esc leads to the transcript, as without vi
	if !b.app.console.browse {
		t.Error("esc in normal mode does not lead to the transcript")
	}
	if again := newBench(t, lab, Options{}); !again.app.console.vi.on {
		t.Error("the workspace forgets vi")
	}
	b.press("f7")
	if again := newBench(t, lab, Options{}); again.app.console.vi.on {
		t.Error("the workspace keeps vi")
	}
	saved := slices.Clone(bindings)
	t.Cleanup(func() { viKeys, bindings = false, saved; bindingByID = byID() })
	if err := Rebind("keys.toml", []byte("vi = \"yes\"\nzoom = true\n")); err == nil || !strings.HasPrefix(err.Error(), "keys.toml:2: zoom takes a key in quotes") {
		t.Errorf("true as a key: %v", err)
	}
	if err := Rebind("keys.toml", []byte("vi = true\n")); err != nil || !newBench(t, scripted(), Options{}).app.console.vi.on {
		t.Errorf("vi = true: %v", err)
	}
}

// Whatever is typed, the cursor stays in the text and on a letter's first byte.
func TestViKeepsTheCursorInTheText(t *testing.T) {
	var keys []string
	for _, b := range bindings {
		if b.Where == "normal" || b.Where == "insert" {
			keys = append(keys, b.Keys...)
		}
	}
	keys = append(keys, "é", "日", "(", "backspace", "delete", "left", "right", "ctrl+w", "ctrl+k", "ctrl+_", "end")
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t, scripted(), Options{})
		b.press("f7")
		for range rapid.IntRange(1, 80).Draw(rt, "steps") {
			b.press(rapid.SampledFrom(keys).Draw(rt, "key"))
			b.app.focus, b.app.over, b.app.console.browse = 3, nil, false
			e := &b.app.console.edit
			if e.cur < 0 || e.cur > len(e.text) || e.cur < len(e.text) && e.text[e.cur]&0xc0 == 0x80 {
				rt.Fatalf("cursor %d in %q", e.cur, e.text)
			}
			if b.app.console.vi.commanding() && e.cur == e.lineEnd() && e.cur > e.lineStart() {
				rt.Fatalf("cursor %d behind the line in %q", e.cur, e.text)
			}
		}
	})
}
