package java

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Java strings are UTF-16. Here they are Go strings: UTF-8, in which a lone
// surrogate has the three bytes that UTF-8 would give it.

// toUnits are the UTF-16 units of a string.
func toUnits(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for i := 0; i < len(s); {
		if r, n := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || n > 1 {
			out = utf16.AppendRune(out, r)
			i += n
			continue
		}
		if i+3 <= len(s) && s[i] == 0xED {
			out = append(out, 0xD000|uint16(s[i+1]&0x3F)<<6|uint16(s[i+2]&0x3F))
			i += 3
			continue
		}
		out = append(out, utf8.RuneError)
		i++
	}
	return out
}

// fromUnits is the string of UTF-16 units.
func fromUnits(u []uint16) string {
	var b strings.Builder
	for i := 0; i < len(u); i++ {
		r := rune(u[i])
		if utf16.IsSurrogate(r) {
			if i+1 < len(u) {
				if pair := utf16.DecodeRune(r, rune(u[i+1])); pair != utf8.RuneError {
					b.WriteRune(pair)
					i++
					continue
				}
			}
			b.Write([]byte{0xED, 0x80 | byte(r>>6)&0x3F, 0x80 | byte(r)&0x3F})
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// join puts two strings together; the halves of a pair may meet.
func join(a, b string) string {
	if len(a) >= 3 && len(b) >= 3 && a[len(a)-3] == 0xED && b[0] == 0xED && a[len(a)-2] >= 0xA0 && b[1] >= 0xA0 {
		return fromUnits(append(toUnits(a), toUnits(b)...))
	}
	return a + b
}

// isASCII says whether units and bytes are the same.
func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// length is String.length.
func length(s string) int {
	if isASCII(s) {
		return len(s)
	}
	return len(toUnits(s))
}

// part is the substring between two units.
func part(s string, from, to int) string {
	if isASCII(s) {
		return s[from:to]
	}
	return fromUnits(toUnits(s)[from:to])
}

// bytesOf are the bytes of a string as UTF-8, lone surrogates as ?.
func bytesOf(s string) []byte {
	if utf8.ValidString(s) {
		return []byte(s)
	}
	var b []byte
	for _, r := range utf16.Decode(toUnits(s)) {
		if r == utf8.RuneError {
			r = '?'
		}
		b = utf8.AppendRune(b, r)
	}
	return b
}

// hashText is String.hashCode.
func hashText(s string) int32 {
	var h int32
	if isASCII(s) {
		for i := 0; i < len(s); i++ {
			h = 31*h + int32(s[i])
		}
		return h
	}
	for _, u := range toUnits(s) {
		h = 31*h + int32(u)
	}
	return h
}
