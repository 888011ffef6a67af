package scenarios

import "slices"

// Path are the ten lessons for newcomers, about an hour, in their order.
var Path = []string{"00-first-ring", "r2-ranges", "r3-replica-walk", "m12-upsert", "b10-process", "x4-state-then-city", "u10-static-column", "r8-ranges-of-keys",
	"r9-write-and-read", "s9-repair-on-read"}

// OnPath is the place of a lesson among those for newcomers, from 1; 0 for none.
func OnPath(name string) int { return slices.Index(Path, name) + 1 }
