package engine_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// inBrackets finds the plain number of what sstablemetadata also writes as a date.
var inBrackets = regexp.MustCompile(`\((-?\d+)\)$`)

// compareMetadata holds what a file's statistics say against lines of
// sstablemetadata. A highest TTL, and the first and last key as text, are
// nothing that a lab keeps.
func compareMetadata(t *testing.T, at string, table *schema.Table, f *storage.SSTable, lines []string) {
	t.Helper()
	seen := f.File()
	ttl := f.Held.MinTTL
	if ttl == math.MaxInt32 {
		ttl = 0
	}
	local, timestamp := f.Stats.MinLocal, f.Stats.MinTimestamp
	if local == math.MaxInt64 {
		local = 1442880000
	}
	if timestamp == math.MaxInt64 {
		timestamp = 1442880000000000
	}
	is := map[string]string{
		"Minimum timestamp": fmt.Sprint(seen.MinTimestamp), "Maximum timestamp": fmt.Sprint(seen.MaxTimestamp),
		"SSTable min local deletion time": fmt.Sprint(f.Held.MinLocal), "SSTable max local deletion time": fmt.Sprint(seen.MaxLocal),
		"TTL min": fmt.Sprint(ttl), "SSTable Level": fmt.Sprint(f.Level), "Repaired at": fmt.Sprint(f.RepairedAt),
		"EncodingStats minTTL": fmt.Sprint(f.Stats.MinTTL), "EncodingStats minLocalDeletionTime": fmt.Sprint(local), "EncodingStats minTimestamp": fmt.Sprint(timestamp),
	}
	var drops, wantDrops []string
	for _, d := range seen.Drops {
		drops = append(drops, fmt.Sprintf("drop %d %d", d.At, d.N))
	}
	for _, line := range lines {
		label, value, _ := strings.Cut(line, ": ")
		if strings.HasPrefix(line, "drop ") {
			wantDrops = append(wantDrops, line)
			continue
		}
		got, compared := is[label]
		if !compared {
			continue
		}
		if m := inBrackets.FindStringSubmatch(value); m != nil {
			value = m[1]
		} else {
			value, _, _ = strings.Cut(value, " ")
		}
		if got != value {
			t.Errorf("%s%s is %s, expected %s", at, label, got, value)
		}
	}
	if len(wantDrops) > 0 && fmt.Sprint(drops) != fmt.Sprint(wantDrops) {
		t.Errorf("%stombstones drop at %v, expected %v", at, drops, wantDrops)
	}
}
