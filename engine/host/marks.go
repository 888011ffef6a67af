package host

import (
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/script"
)

// The marks of commands on the timeline.
const (
	markUnknown     = 0   // not run since the workspace was opened
	markPlain       = '.' // of the lab, or nothing to remark
	markDone        = '+' // a statement that went well
	markFault       = '!' // a fault begins: :down, :cut and the like
	markError       = 'x'
	markUnavailable = 'u'
	markTimeout     = 't'
	markStale       = 's'
)

var faults = map[string]bool{":down": true, ":cut": true, ":pause": true, ":slow": true, ":loss": true, ":disk": true, ":skew": true}

// markOf is how a command shows on the timeline.
func markOf(text string, answers []*answer.Answer) byte {
	word, _, _ := strings.Cut(text, " ")
	mark := byte(markPlain)
	if !strings.HasPrefix(text, ":") || strings.HasPrefix(text, script.ClassicCommand) {
		mark = markDone
	} else if faults[word] {
		mark = markFault
	}
	for _, a := range answers {
		switch {
		case a.Error != nil && a.Error.Name == "Unavailable":
			return markUnavailable
		case a.Error != nil && strings.HasSuffix(a.Error.Name, "Timeout"):
			return markTimeout
		case a.Error != nil:
			return markError
		case a.Stale:
			mark = markStale
		}
	}
	return mark
}

// mark keeps the mark of an entry of the journal.
func (s *Store) mark(n uint64, m byte) {
	for uint64(len(s.marks)) < n {
		s.marks = append(s.marks, markUnknown)
	}
	s.marks[n-1] = m
}

func (s *Store) markAt(n uint64) byte {
	if n > uint64(len(s.marks)) {
		return markUnknown
	}
	return s.marks[n-1]
}
