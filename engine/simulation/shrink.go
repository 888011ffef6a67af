package simulation

import (
	"fmt"
	"strings"
)

// Shrink leaves out steps of a script while the same checker finds something, and
// gives what is left with what was found last. play is asked at most so many times.
func Shrink(s *Script, f *Finding, most int, play func(*Script) *Finding) (*Script, *Finding) {
	try := func(steps []Step) bool {
		if most--; most < 0 {
			return false
		}
		next := *s
		next.Steps = steps
		got := play(&next)
		if got == nil || rule(got) != rule(f) {
			return false
		}
		s, f = &next, got
		return true
	}
	for size := len(s.Steps) / 2; size > 0; size /= 2 {
		for at := len(s.Steps) - size; at >= schemaSteps && most > 0; at -= size {
			at = min(at, len(s.Steps)-size)
			try(append(append([]Step{}, s.Steps[:at]...), s.Steps[at+size:]...))
		}
	}
	return s, f
}

// rule is a checker's name without the node that it looked at.
func rule(f *Finding) string {
	name, _, _ := strings.Cut(f.Checker, " on ")
	return name
}

// Lab is a finding as a .lab file that shows it.
func Lab(s *Script, f *Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- RINGLAB_SEED=%d, made short.\n:ring new %s\n", s.Seed, s.Ring)
	for _, l := range f.Lines {
		if !strings.HasPrefix(l, ":") {
			l += ";"
		}
		b.WriteString(l + "\n")
	}
	b.WriteString("-- " + strings.ReplaceAll(strings.TrimSpace(f.String()), "\n", "\n-- ") + "\n")
	return b.String()
}
