package stress

import "flag"

// Properties draw the same cases every time, so that a failure is one for
// everybody.
func init() {
	flag.Set("rapid.seed", "1")
	flag.Set("rapid.nofailfile", "true")
}
