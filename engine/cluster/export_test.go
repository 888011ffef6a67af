package cluster

// Flaw is a fault of this program that tests switch on.
type Flaw = flaw

// The faults, by name.
var Flaws = []struct {
	Name string
	Flaw
	Twice bool   // it shows in two plays of one script
	Seed  uint64 // one that finds it
}{
	{"a digest check skipped", flawDigests, false, 3},
	{"a hint dropped", flawHints, false, 4},
	{"a range tombstone ignored", flawRanges, false, 3},
	{"a commit without a quorum", flawQuorum, false, 29},
	{"a short range at bootstrap", flawShortRange, false, 10},
	{"hints beyond the window", flawWindow, false, 6},
	{"a purge too early", flawPurge, false, 15},
	{"a map iterated in the result", flawMap, true, 3},
}

// Plant switches a fault on.
func (c *Cluster) Plant(f Flaw) { c.flaw = f }
