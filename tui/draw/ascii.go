package draw

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// words are the marks that need more than one ASCII character to be understood.
var words = map[rune]string{
	'✓': "ok", '≈': "old", '⊘': "na", '⧗': "to", '…': "..",
}

// signs are one-for-one replacements of drawing characters.
var signs = signTable()

func signTable() map[rune]byte {
	m := map[rune]byte{}
	for set, b := range map[string]byte{
		"─━═┄┈╌┅": '-', "│┃║┆┊": '|', "╭╮╰╯┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╞╡╪┠┨": '+',
		"█▉▊▓■▆▇": '#', "▋▌▒▄▅": '=', "▍▎▏░▂▃": '-', "▁": '_', "·•": '.', "▸▶►": '>', "◂◀": '<', "▾▼▿": 'v', "▴▲": '^',
		"●": 'o', "◉": '@', "◌": '?', "◍": '%', "◆": '*', "✗✕×": 'x', "▫□": '.', "−–—": '-', "→": '>', "←": '<', "↑": '^', "↓": 'v',
		"‘’": '\'', "“”": '"', "≤": '<', "≥": '>', "⏎": '/', "▕": '|', "▀": '"', "±": '~', "µ": 'u',
	} {
		for _, r := range set {
			m[r] = b
		}
	}
	return m
}

// ToASCII spells s in printable ASCII: drawing characters by likeness, marks
// by words, everything else by an escape.
func ToASCII(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] >= 0x20 && s[i] < 0x7f
	}
	if plain {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r >= 0x20 && r < 0x7f:
			b.WriteByte(byte(r))
		case r >= 0x2800 && r < 0x2900:
			b.WriteByte(" ..:::o##"[bits.OnesCount(uint(r-0x2800))])
		case words[r] != "":
			b.WriteString(words[r])
		case signs[r] != 0:
			b.WriteByte(signs[r])
		default:
			b.WriteString(escape(s[i:]))
		}
		i += size
	}
	return b.String()
}
