package tui

import (
	"strings"

	"ringlab/engine/answer"
	"ringlab/tui/draw"
)

// valueSpans colours a value as cqlsh does, by its type: text, numbers and
// everything that is written like them, blobs, null, and in collections each
// element for itself between brackets of their own.
// Source: cqlsh 6.2 cqlshlib/displaying.py DEFAULT_VALUE_COLORS, formatting.py.
func valueSpans(t string, c answer.Cell) draw.Spans {
	if c.Null {
		return draw.Spans{{Text: "null", Style: ValueNull | draw.Italic}}
	}
	text := strings.ReplaceAll(c.Text, "\n", "⏎")
	switch base, _, _ := strings.Cut(t, "<"); base {
	case "text", "ascii", "varchar":
		return escapeSpans(nil, text)
	case "blob":
		return draw.Spans{{Text: text, Style: ValueBlob}}
	case "tinyint", "smallint", "int", "bigint", "varint", "counter", "float", "double", "decimal", "boolean", "uuid", "timeuuid", "timestamp", "date", "time",
		"duration", "inet":
		return draw.Spans{{Text: text, Style: ValueNumber}}
	}
	return collectionSpans(text)
}

// collectionSpans colours the text of a collection, tuple or user type.
func collectionSpans(s string) draw.Spans {
	var out draw.Spans
	for len(s) > 0 {
		switch n := strings.IndexAny(s, "'{}[](),: "); {
		case s[0] == '\'':
			end := quotedEnd(s)
			out = escapeSpans(out, s[:end])
			s = s[end:]
		case n == 0:
			end := len(s) - len(strings.TrimLeft(s, "{}[](),: "))
			out = append(out, draw.Line{Text: s[:end], Style: ValueBracket})
			s = s[end:]
		default:
			if n < 0 {
				n = len(s)
			}
			for n < len(s) && s[n] == ':' && !strings.HasPrefix(s[n:], ": ") { // inside of a time or an address
				next := strings.IndexAny(s[n+1:], "'{}[](),: ")
				if next < 0 {
					next = len(s) - n - 1
				}
				n += 1 + next
			}
			out = append(out, draw.Line{Text: s[:n], Style: wordStyle(s[:n])})
			s = s[n:]
		}
	}
	return out
}

// quotedEnd is where the string ends that s begins with.
func quotedEnd(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] != '\'' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '\'' {
			i++
			continue
		}
		return i + 1
	}
	return len(s)
}

// wordStyle is the colour of a bare word in a collection: the names of fields
// are text.
func wordStyle(word string) draw.Style {
	switch {
	case word == "null" || word == "None":
		return ValueNull | draw.Italic
	case strings.HasPrefix(word, "0x"):
		return ValueBlob
	case word == "True" || word == "False" || word == "NaN" || word == "Infinity" || strings.ContainsAny(word, "0123456789") && strings.Trim(word, "0123456789abcdef-+.E:ymohsun") == "":
		return ValueNumber
	}
	return ValueText
}

// escapeSpans adds text in which escapes of control characters stand out.
func escapeSpans(out draw.Spans, s string) draw.Spans {
	for len(s) > 0 {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			return append(out, draw.Line{Text: s, Style: ValueText})
		}
		end := i + 2
		style := ValueBlob
		switch s[i+1] {
		case '\\':
			style = ValueText
		case 'x':
			end = i + 4
		case 'u':
			end = i + 6
		case 'U':
			end = i + 10
		case 'n', 't', 'r':
		default: // no escape at all
			end, style = i+1, ValueText
		}
		end = min(end, len(s))
		if i > 0 {
			out = append(out, draw.Line{Text: s[:i], Style: ValueText})
		}
		out = append(out, draw.Line{Text: s[i:end], Style: style})
		s = s[end:]
	}
	if out == nil {
		out = draw.Spans{{Style: ValueText}}
	}
	return out
}

// columnStyle is the colour of a column's name, by what the column is for.
// Source: cqlsh 6.2 Shell.myformat_colname.
func columnStyle(c answer.Column) draw.Style {
	switch c.Kind {
	case "partition_key":
		return NamePartition | draw.Bold
	case "clustering":
		return NameClustering | draw.Bold
	case "static":
		return NameStatic | draw.Bold
	}
	return NameColumn | draw.Bold
}

// fitSpans cuts spans to a number of cells, with an ellipsis where it cuts, and
// fills the rest with blanks in front of them or, with right unset, behind.
func fitSpans(s draw.Spans, w int, right bool) draw.Spans {
	clean := make([]string, len(s))
	for i := range s {
		clean[i] = draw.Clean(s[i].Text)
	}
	rest := draw.Truncate(strings.Join(clean, ""), w)
	gap := draw.Line{Text: strings.Repeat(" ", max(w-draw.Width(rest), 0))}
	var out draw.Spans
	if right {
		out = append(out, gap)
	}
	for i := range s {
		text := clean[i]
		if !strings.HasPrefix(rest, text) {
			text = rest
		}
		out = append(out, draw.Line{Text: text, Style: s[i].Style})
		if rest = rest[len(text):]; rest == "" {
			break
		}
	}
	if !right {
		out = append(out, gap)
	}
	return out
}
