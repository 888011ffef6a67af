package storage

import (
	"cmp"
	"slices"
)

// LogSpan is what of a commit log a file holds: the writes from behind one flush of
// the table up to another.
type LogSpan struct{ from, to int }

// LogsOf is what of the commit log a compaction's output holds. Stretches that
// touch are one. Source: Cassandra 5.0 IntervalSet.Builder.
func LogsOf(files []*SSTable) []LogSpan {
	var all, out []LogSpan
	for _, f := range files {
		all = append(all, f.logs...)
	}
	slices.SortFunc(all, func(a, b LogSpan) int { return cmp.Compare(a.from, b.from) })
	for _, s := range all {
		if n := len(out); n > 0 && out[n-1].to >= s.from {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}
