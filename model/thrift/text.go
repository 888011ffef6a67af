package thrift

import (
	"strconv"
	"strings"
)

// unquote reads a string of the language: the quotes go, escapes are those of
// Java, and a backslash before any other character goes too.
// Source: Cassandra 2.1 CliUtils.unescapeSQLString, StringEscapeUtils.unescapeJava.
func unquote(text string) string {
	if len(text) >= 2 && text[0] == '\'' && text[len(text)-1] == '\'' {
		text = text[1 : len(text)-1]
	}
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		if runes[i] != '\\' || i+1 == len(runes) {
			b.WriteRune(runes[i])
			continue
		}
		i++
		switch c := runes[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'u':
			if i+4 < len(runes) {
				if n, err := strconv.ParseUint(string(runes[i+1:i+5]), 16, 16); err == nil {
					b.WriteRune(rune(n))
					i += 4
					continue
				}
			}
			b.WriteRune(c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// Unquote is the text of an attribute's value: without quotes and escapes, if it
// has quotes.
func Unquote(raw string) string {
	if strings.HasPrefix(raw, "'") {
		return unquote(raw)
	}
	return raw
}
