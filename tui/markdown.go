package tui

import (
	"strings"

	"ringlab/tui/draw"
)

// markdown renders the prose of a lesson: headings, lists, quotes, tables as
// they stand, **bold**, *emphasis* and `code`, wrapped to w cells.
func markdown(text string, w int) []draw.Spans {
	var out []draw.Spans
	var para []string
	flush := func() {
		if len(para) > 0 {
			out = append(out, wrapSpans(inline(strings.Join(para, " "), Text), w, "", "")...)
			para = nil
		}
	}
	fenced := false
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			flush()
			fenced = !fenced
		case fenced:
			out = append(out, draw.Spans{{Text: "  " + line, Style: String}})
		case trimmed == "":
			flush()
			if len(out) > 0 && len(out[len(out)-1]) > 0 {
				out = append(out, nil)
			}
		case strings.HasPrefix(trimmed, "#"):
			flush()
			out = append(out, draw.Spans{{Text: strings.TrimSpace(strings.TrimLeft(trimmed, "#")), Style: Title | draw.Bold}})
		case strings.HasPrefix(trimmed, "> "):
			flush()
			out = append(out, wrapSpans(inline(trimmed[2:], Dim), w, "│ ", "│ ")...)
		case strings.HasPrefix(trimmed, "|"):
			flush()
			out = append(out, draw.Spans{{Text: trimmed, Style: Text}})
		default:
			if mark, rest := bullet(trimmed); mark != "" {
				flush()
				out = append(out, wrapSpans(inline(rest, Text), w, mark, strings.Repeat(" ", draw.Width(mark)))...)
				continue
			}
			para = append(para, trimmed)
		}
	}
	flush()
	for len(out) > 0 && len(out[len(out)-1]) == 0 {
		out = out[:len(out)-1]
	}
	return out
}

// bullet splits "- text" and "3. text" into mark and text.
func bullet(s string) (mark, rest string) {
	if len(s) > 2 && strings.ContainsRune("-*+", rune(s[0])) && s[1] == ' ' {
		return "• ", s[2:]
	}
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	if digits > 0 && digits < 3 && strings.HasPrefix(s[digits:], ". ") {
		return s[:digits+2], s[digits+2:]
	}
	return "", s
}

// inline splits a paragraph into words with their styles.
func inline(s string, base draw.Style) draw.Spans {
	var out draw.Spans
	add := func(text string, style draw.Style) {
		if n := len(out); n > 0 && out[n-1].Style == style {
			out[n-1].Text += text
		} else if text != "" {
			out = append(out, draw.Line{Text: text, Style: style})
		}
	}
	for s != "" {
		i := strings.IndexAny(s, "`*_[")
		if i < 0 {
			break
		}
		for _, m := range []struct {
			open  string
			style draw.Style
		}{{"`", Accent}, {"**", base | draw.Bold}, {"*", base | draw.Italic}, {"_", base | draw.Italic}} {
			if !strings.HasPrefix(s[i:], m.open) || m.open == "_" && i > 0 && s[i-1] != ' ' {
				continue
			}
			rest := s[i+len(m.open):]
			if end := strings.Index(rest, m.open); end > 0 && rest[0] != ' ' {
				add(s[:i], base)
				add(rest[:end], m.style)
				s, i = rest[end+len(m.open):], -1
			}
			break
		}
		if i >= 0 && s[i] == '[' {
			if end := strings.Index(s[i:], "]("); end > 0 {
				if stop := strings.IndexByte(s[i+end:], ')'); stop > 0 {
					add(s[:i], base)
					add(s[i+1:i+end], base|draw.Underline)
					s, i = s[i+end+stop+1:], -1
				}
			}
		}
		if i >= 0 {
			add(s[:i+1], base)
			s = s[i+1:]
		}
	}
	add(s, base)
	return out
}

// wrapSpans breaks styled text at blanks; first and later lines get a prefix.
func wrapSpans(in draw.Spans, w int, first, later string) []draw.Spans {
	var out []draw.Spans
	line, used := draw.Spans{{Text: first, Style: Dim}}, draw.Width(first)
	start := used
	space := false
	for _, span := range in {
		text := draw.Clean(span.Text)
		for i, word := range strings.Split(text, " ") {
			if i > 0 {
				space = true
			}
			if word == "" {
				continue
			}
			need := draw.Width(word)
			if used > start && used+pick(space, 1, 0)+need > w {
				out = append(out, line)
				line, used = draw.Spans{{Text: later, Style: Dim}}, draw.Width(later)
				start, space = used, false
			}
			if space && used > start {
				line = append(line, draw.Line{Text: " ", Style: span.Style &^ draw.Underline})
				used++
			}
			space = false
			for used+need > w && need > w-start && w > start {
				piece := draw.HardWrap(word, max(w-used, 1))[0]
				line = append(line, draw.Line{Text: piece, Style: span.Style})
				out = append(out, line)
				line, used = draw.Spans{{Text: later, Style: Dim}}, draw.Width(later)
				word = word[len(piece):]
				need = draw.Width(word)
			}
			line = append(line, draw.Line{Text: word, Style: span.Style})
			used += need
		}
	}
	return append(out, line)
}
