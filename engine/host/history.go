package host

import "strings"

// mostHistory and longestLine bound what is remembered of earlier input; a
// longer one is a script, whose commands the journal has.
const (
	mostHistory = 2000
	longestLine = 128 << 10 // a schema of many tables
)

// remember adds an input to the history, but not the same one twice in a row.
func (h *Host) remember(text string) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > longestLine || passing(text) || secret(text) {
		return
	}
	old := *h.history.Load()
	if n := len(old); n > 0 && old[n-1] == text {
		return
	}
	lines := append(append(make([]string, 0, len(old)+1), old...), text)
	if len(lines) > mostHistory {
		lines = lines[len(lines)-mostHistory:]
	}
	h.history.Store(&lines)
	if h.store.file != nil {
		_ = h.store.file.AddHistory(text) // the history is a comfort; the journal is what counts
	}
}

// History is earlier input, oldest first.
func (h *Host) History() []string { return *h.history.Load() }

// secret says whether an input may hold a password, of which only the hash is
// kept.
func secret(text string) bool {
	upper := strings.ToUpper(text)
	return strings.HasPrefix(upper, "LOGIN") || strings.Contains(upper, "PASSWORD") && (strings.Contains(upper, "ROLE") || strings.Contains(upper, "USER"))
}

// passing says whether an input is of the moment: the keys of the screen give
// many of these.
func passing(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return word == ":speed" || word == ":step" || word == ":undo" || word == ":redo" || word == ":rewind"
}
