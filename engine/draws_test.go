package engine_test

import "flag"

// Properties draw the same cases every time, so that a failure is one for
// everybody; -rapid.seed=0 draws new ones.
func init() { flag.Set("rapid.seed", "1") }
