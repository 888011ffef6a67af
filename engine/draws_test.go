package engine_test

import "flag"

// Properties draw the same cases every time, so that a failure is one for
// everybody; RINGLAB_SEEDS=N tries N seeds, RINGLAB_SEED=N that one.
func init() {
	flag.Set("rapid.seed", "1")
	flag.Set("rapid.nofailfile", "true")
}
