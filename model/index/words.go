package index

import (
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// upperCase is Java's String.toUpperCase.
func upperCase(s string) string { return cases.Upper(language.Und).String(s) }

// words are the runs of letters, digits and marks of a text, with apostrophes,
// points and underscores inside of them; each ideograph and syllable of Hiragana
// is a word of its own. That is modelled on the word boundaries of Unicode, which
// tell a few more cases apart.
// Source: Cassandra 5.0 StandardTokenizerImpl, Unicode Standard Annex 29.
func words(s string) []string {
	var out []string
	rs := []rune(s)
	for i := 0; i < len(rs); {
		switch r := rs[i]; {
		case single(r):
			out = append(out, string(r))
			i++
		case !inWord(r):
			i++
		default:
			from := i
			for i < len(rs) && !single(rs[i]) && (inWord(rs[i]) || i+1 < len(rs) && joins(rs[i-1], rs[i], rs[i+1])) {
				i++
			}
			out = append(out, string(rs[from:i]))
		}
	}
	return out
}

func single(r rune) bool { return unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) }

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// joins says whether a sign between two characters does not part them: one of
// .'’:· between letters, one of .,;' between digits.
func joins(before, sign, after rune) bool {
	switch sign {
	case '.', '\'', '’':
		return unicode.IsLetter(before) && unicode.IsLetter(after) || unicode.IsDigit(before) && unicode.IsDigit(after)
	case ':', '·':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	case ',', ';':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	return false
}
