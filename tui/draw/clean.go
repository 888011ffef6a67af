// Package draw turns numbers and text into terminal cells. It knows no pane,
// no theme and no engine.
package draw

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Clean returns s with everything that could act on a terminal, hide from the
// reader or take an unknown number of cells spelled as a visible escape:
// control characters, C1, bidirectional marks, zero-width characters, exotic
// spaces and bytes that are no UTF-8. Clean text stays as it is.
func Clean(s string) string {
	i := plainPrefix(s)
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:i])
	for rest := s[i:]; rest != ""; {
		cluster, width, n := next(rest)
		if width > 0 {
			b.WriteString(cluster)
		} else {
			b.WriteString(escape(cluster))
		}
		rest = rest[n:]
	}
	return b.String()
}

// Width returns the number of cells that s takes once cleaned.
func Width(s string) int {
	i := plainPrefix(s)
	if i == len(s) {
		return i
	}
	w := i
	for rest := s[i:]; rest != ""; {
		cluster, width, n := next(rest)
		if width == 0 {
			width = len(escape(cluster))
		}
		w += width
		rest = rest[n:]
	}
	return w
}

// plainPrefix returns how many bytes at the start of s are printable ASCII not
// followed by something that might combine with the last of them.
func plainPrefix(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x20 && s[i] < 0x7f {
			continue
		}
		if i > 0 && s[i] >= 0x80 {
			return i - 1
		}
		return i
	}
	return len(s)
}

// next splits the first grapheme cluster off s. Width 0 says that the cluster
// must not reach a terminal as it is.
func next(s string) (cluster string, width, n int) {
	r, size := utf8.DecodeRuneInString(s)
	if easy(r) && (size == len(s) || cannotCombine(s[size:])) {
		return s[:size], 1, size
	}
	if r == utf8.RuneError && size <= 1 {
		return s[:1], 0, 1
	}
	cluster, _ = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	if easy(r) && len(cluster) == size { // a blank before a letter of two cells, for one
		return cluster, 1, size
	}
	if w := clusterWidth(cluster); w > 0 {
		return cluster, w, len(cluster)
	}
	return s[:size], 0, size
}

// easy says whether r is one visible cell in every width method.
func easy(r rune) bool {
	switch {
	case r >= 0x20 && r < 0x7f:
		return true
	case r >= 0xa1 && r < 0x250:
		return r != 0xad
	case r >= 0x2500 && r < 0x2600:
		return r != 0x25fd && r != 0x25fe
	case r >= 0x2800 && r < 0x2900, r >= 0x2190 && r < 0x2194, r >= 0x2260 && r < 0x2300:
		return true
	}
	switch r {
	case '–', '—', '‘', '’', '“', '”', '…', '•', '−', '≈', '✓', '✗', '✕', '⧗':
		return true
	}
	return false
}

func cannotCombine(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return r < 0x300 && r != 0xad || easy(r) || r == utf8.RuneError && size <= 1
}

// clusterWidth returns 1 or 2 for a cluster that is safe and as wide in every
// method, else 0.
func clusterWidth(cluster string) int {
	marks := 0
	for i, r := range cluster {
		if r == utf8.RuneError || slippery(r) || !unicode.IsGraphic(r) || unicode.Is(unicode.Z, r) {
			return 0
		}
		if unicode.Is(unicode.M, r) {
			marks++
			if i == 0 || marks > 2 {
				return 0
			}
		} else if i > 0 {
			return 0
		}
	}
	w := ansi.StringWidth(cluster)
	if w < 1 || w > 2 || ansi.StringWidthWc(cluster) != w {
		return 0
	}
	return w
}

// slippery names the letters and marks that show nothing of their own, and
// those that melt into a neighbouring cell: conjoining jamo, flags, skin tones,
// half-width voicing marks and prepended signs.
func slippery(r rune) bool {
	switch {
	case r == 0x34f, r == 0x3164, r == 0xffa0, r == 0x17b4, r == 0x17b5, r == 0xd4e,
		r >= 0x180b && r <= 0x180f, r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff,
		r >= 0x1100 && r <= 0x11ff, r >= 0xa960 && r <= 0xa97f, r >= 0xd7b0 && r <= 0xd7ff,
		r >= 0x1f1e6 && r <= 0x1f1ff, r >= 0x1f3fb && r <= 0x1f3ff, r == 0xff9e, r == 0xff9f,
		r >= 0x110bd && r <= 0x110cd, r >= 0x111c2 && r <= 0x111c3, r >= 0x1193f && r <= 0x11941,
		r >= 0x11a3a && r <= 0x11a89, r == 0x11d46, r == 0x11f02:
		return true
	}
	return false
}

// escape spells text that next refused.
func escape(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size <= 1:
		return fmt.Sprintf(`\x%02x`, s[0])
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}
