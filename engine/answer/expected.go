package answer

import "strings"

// AsExpected says whether the answers of a block hold no error but those that a following
// ":expect error" asked for, or that stand in its expected output.
func AsExpected(got []Answer) bool {
	for i := range got {
		if got[i].Error == nil {
			continue
		}
		if i+1 < len(got) && got[i+1].Error == nil && (strings.HasPrefix(got[i+1].Statement, ":expect error") || got[i+1].Statement == ":expect output") {
			continue
		}
		return false
	}
	return true
}
