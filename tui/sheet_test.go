package tui

import (
	"fmt"

	"ringlab/engine/view"
)

// momentSheet is a sheet of the selected partition: twelve names of which n4 has an
// older value, or Jim's row in three eras.
func momentSheet(kind string) *view.Sheet {
	s := &view.Sheet{Kind: kind, Keyspace: "sensor", Table: "readings", Key: "a-17:2026-11-21"}
	switch kind {
	case view.SheetReplicas:
		s.Heads = []string{"name", "n3", "n4", "n5"}
		for i := range 40 {
			at := fmt.Sprintf("2026-11-21 04:%02d:12.000+0000", i)
			now, old := fmt.Sprintf("%d.5 @17636994%02d000000", i, i), fmt.Sprintf("%d.5 @17636994%02d000000", i, i)
			if i == 3 {
				now, old = "99.9 @1763699461000000", "—"
			}
			s.Rows = append(s.Rows, []string{at + ":", "'' @1763699400000000", "'' @1763699400000000", "'' @1763699400000000"}, []string{at + ":v", now, old, now})
			s.Differ = append(s.Differ, false, i == 3)
		}
	case view.SheetXRay:
		s.Heads = []string{"layout", "cells", "bytes", "a_row", "names", "how"}
		s.Rows = [][]string{{"1.0, 1.2", "3", "98", "98", "17", "2 + 3 key + 8 size + 12 deletion + 4 number + 69 columns of 15 + name + value (1.0: filter and index not counted)"},
			{"2.1 (ka)", "3", "88", "88", "17", "2 + 3 key + 12 deletion + 69 columns + 2 end"},
			{"3.0 to 5.0 (nb)", "2", "32", "32", "0", "1 row; the names of columns stand once a file"},
			{"5.0 (oa, da)", "2", "21", "21", "0", "as nb; a partition that is not deleted says so in 1 byte, not 12"},
			{"F1 deck", "2", "", "", "", "1 × (3 − 1 − 0) + 0"},
			{"F1 full key", "2", "", "", "", "1 × (3 − 1 − 0) + 0"},
			{"F2 published", "", "26", "26", "", "3 + 0 + 1 × (7 + 0) + 8 × 2"},
			{"F2 as printed", "", "26", "26", "", "3 + 0 + 1 × (7 + 2 × 0) + 8 × 2"}}
	case "":
		return nil
	default:
		s.Err = "9000 rows are too many to show at once; `:xray sensor.readings a-17:2026-11-21` prints them"
	}
	return s
}
