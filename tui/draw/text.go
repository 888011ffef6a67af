package draw

import "strings"

// Truncate cuts s to w cells, with an ellipsis in the last one where it cuts.
func Truncate(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if len(s) <= w && plainPrefix(s) == len(s) {
		return s
	}
	s = Clean(s)
	if Width(s) <= w {
		return s
	}
	used := 0
	for i := 0; i < len(s); {
		_, cw, n := next(s[i:])
		if used+cw > w-1 {
			return s[:i] + "…"
		}
		used += cw
		i += n
	}
	return s
}

// Pad returns s cut or filled with blanks to exactly w cells.
func Pad(s string, w int) string {
	s = Truncate(s, w)
	return s + strings.Repeat(" ", max(0, w-Width(s)))
}

// Wrap breaks s into lines of at most w cells, at blanks where it can. Line
// ends in s are kept; an empty text is one empty line.
func Wrap(s string, w int) []string {
	w = max(w, 1)
	var out []string
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
		out = append(out, wrapLine(Clean(line), w)...)
	}
	return out
}

func wrapLine(s string, w int) []string {
	if Width(s) <= w {
		return []string{s}
	}
	var out []string
	indent := len(s) - len(strings.TrimLeft(s, " "))
	if indent > w/2 || w-indent < 2 { // a wide character needs two cells
		indent = 0
	}
	for first := true; s != ""; first = false {
		room, lead := w, ""
		if !first && indent > 0 {
			lead = strings.Repeat(" ", indent)
			room -= indent
		}
		cut, used, blank := 0, 0, 0
		for cut < len(s) {
			_, cw, n := next(s[cut:])
			if cw == 0 {
				cw = 1
			}
			if s[cut] == ' ' && strings.TrimLeft(s[:cut], " ") != "" {
				blank = cut
			}
			if used+cw > room {
				break
			}
			used += cw
			cut += n
		}
		if cut < len(s) && blank > 0 {
			cut = blank
		}
		if cut == 0 {
			_, _, cut = next(s)
		}
		row := strings.TrimRight(lead+s[:cut], " ")
		if Width(row) > w { // one character can be wider than its room
			row = Truncate(strings.TrimLeft(row, " "), w)
		}
		out = append(out, row)
		s = strings.TrimLeft(s[cut:], " ")
	}
	return out
}

// HardWrap breaks s at exactly w cells, blanks or not.
func HardWrap(s string, w int) []string {
	s, w = Clean(s), max(w, 1)
	var out []string
	for {
		cut, used := 0, 0
		for cut < len(s) {
			_, cw, n := next(s[cut:])
			if used+cw > w && cut > 0 {
				break
			}
			used += cw
			cut += n
		}
		out = append(out, s[:cut])
		if s = s[cut:]; s == "" {
			return out
		}
	}
}

// Cut drops the first w cells of s; of a wide character that lies across that
// place, a blank is left.
func Cut(s string, w int) string {
	s = Clean(s)
	for i := 0; i < len(s); {
		if w <= 0 {
			return strings.Repeat(" ", -w) + s[i:]
		}
		_, cw, n := next(s[i:])
		w -= cw
		i += n
	}
	return ""
}
