package scenarios

import (
	"strconv"
	"strings"
)

// Quiz is a question with its options and its answer.
type Quiz struct {
	Question string   // with the options, as written
	Options  []string // of lines "1. …", in their order
	Answer   string   // what stands behind "answer:", or below a line of dashes
	Why      string   // the lines below
}

// ParseQuiz reads a quiz block. The answer begins at a line "answer: …" or "a: …",
// or below a line of dashes.
func ParseQuiz(text string) Quiz {
	q := Quiz{Question: strings.TrimSpace(text)}
	at := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		t := strings.TrimSpace(line)
		lower := strings.ToLower(t)
		rest, ok := strings.CutPrefix(lower, "answer:")
		if !ok {
			rest, ok = strings.CutPrefix(lower, "a:")
		}
		dashes := len(t) >= 3 && strings.Trim(t, "-") == ""
		if ok || dashes {
			q.Question = strings.TrimSpace(text[:at])
			below := strings.TrimSpace(text[at+len(line):])
			if q.Answer, q.Why = strings.TrimSpace(t[len(t)-len(rest):]), below; dashes {
				q.Answer, q.Why, _ = strings.Cut(below, "\n")
			}
			break
		}
		if number, option, ok := strings.Cut(t, ". "); ok && number == strconv.Itoa(len(q.Options)+1) {
			q.Options = append(q.Options, strings.TrimSpace(option))
		}
		at += len(line)
	}
	return q
}

// Right is the number of the right option, from 1; 0 where the answer is none.
func (q Quiz) Right() int {
	if n, err := strconv.Atoi(q.Answer[:digits(q.Answer)]); err == nil && n >= 1 && n <= len(q.Options) {
		return n
	}
	return 0
}
