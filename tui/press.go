package tui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"ringlab/tui/draw"
)

// keyNames are the keys that hints write out, by what they write.
var keyNames = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "space": {Code: tea.KeySpace, Text: " "},
	"pgup": {Code: tea.KeyPgUp}, "pgdn": {Code: tea.KeyPgDown}, "pgdown": {Code: tea.KeyPgDown},
	"↑": {Code: tea.KeyUp}, "↓": {Code: tea.KeyDown}, "←": {Code: tea.KeyLeft}, "→": {Code: tea.KeyRight},
	"^": {Code: tea.KeyUp}, "v": {Code: 'v', Text: "v"}, "−": {Code: '-', Text: "-"},
}

// keyMsg is the key that a word of a hint stands for, as keyText spells it.
func keyMsg(word string) (tea.KeyPressMsg, bool) {
	if k, ok := keyNames[word]; ok {
		return k, true
	}
	if rest, ok := strings.CutPrefix(word, "^"); ok && len(rest) == 1 {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}, true
	}
	if n := len(word); n > 1 && n < 4 && word[0] == 'F' && word[1] >= '1' && word[1] <= '9' {
		number := 0
		for _, d := range word[1:] {
			number = number*10 + int(d-'0')
		}
		return tea.KeyPressMsg{Code: tea.KeyF1 + rune(number-1)}, number <= 12
	}
	if r, size := utf8.DecodeRuneInString(word); size == len(word) && size > 0 && r > ' ' {
		return tea.KeyPressMsg{Code: r, Text: word}, true
	}
	return tea.KeyPressMsg{}, false
}

// keyPart is the length in bytes of the keys that a hint begins with, "[ ]" of
// "[ ] operations".
func keyPart(hint string) int {
	end := 0
	for {
		word, _, more := strings.Cut(hint[end:], " ")
		if _, ok := keyMsg(word); !ok || !more {
			return max(end-1, 0)
		}
		end += len(word) + 1
	}
}

// hintSpans are a hint with its keys as such.
func hintSpans(hint string) draw.Spans {
	n := keyPart(hint)
	return draw.Spans{{Text: hint[:n], Style: Key}, {Text: hint[n:], Style: Dim}}
}

// hints writes keys with what they do into row y, as many as fit whole; the
// most useful come first.
func hints(c *draw.Canvas, y int, keys ...string) {
	x := 1
	for _, k := range keys {
		if w := draw.Width(k); x+w <= c.W-1 {
			hintSpans(k).Paint(c, x, y, w)
			x += w + 2
		}
	}
}

// keyAt is the key that a hint under the pointer names: its keys have their style,
// and two blanks or a border stand before them. Two blanks behind a key are the hint's,
// too. Of several keys it is the one that was hit, else the last.
func keyAt(c *draw.Canvas, x, y int) (tea.KeyPressMsg, bool) {
	if x < 0 || y < 0 || x >= c.W || y >= c.H {
		return tea.KeyPressMsg{}, false
	}
	blank := func(x int) bool { return x < 0 || x >= c.W || c.At(x, y).Text == " " || c.At(x, y).Text == "" }
	key := func(x int) bool { return x >= 0 && x < c.W && c.At(x, y).Style&0xff == Key }
	if blank(x) && (blank(x-1) || blank(x+1)) {
		return tea.KeyPressMsg{}, false
	}
	from := x
	edge := func(x int) bool { return x < 0 || strings.Contains("│┃|", c.At(x, y).Text) && !key(x) }
	for !edge(from-1) && !(blank(from-1) && blank(from-2) && !key(from-3)) {
		from--
	}
	for from < x && blank(from) {
		from++
	}
	var word string
	for at := from; ; at++ {
		if key(at) && !blank(at) {
			word += c.At(at, y).Text
			continue
		}
		if at > x || !key(at) { // the word that was hit, or the last one
			break
		}
		word = ""
	}
	return keyMsg(word)
}

// pressHint presses the key of the hint under the pointer, in the pane or overlay that
// shows it.
func (a *App) pressHint(x, y int) (tea.Cmd, bool) {
	c := a.screenCanvas()
	k, ok := keyAt(c, x, y)
	if !ok {
		return nil, false
	}
	if a.over != nil {
		over, cell := a.over, *c.At(x, y)
		a.over = nil
		under := *a.screenCanvas().At(x, y)
		a.over = over
		if under == cell { // beside the overlay
			return nil, false
		}
		return a.key(k), true
	}
	p, _ := a.under(x, y)
	if p.id < 1 || p.id > 6 || p.id == 3 && !a.console.empty() {
		return nil, false
	}
	a.setFocus(p.id)
	return a.key(k), true
}
