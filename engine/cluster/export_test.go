package cluster

// Flaw is a fault of this program that tests switch on.
type Flaw = flaw

// The faults, by name.
var Flaws = []struct {
	Name string
	Flaw
	Twice bool // it shows in two plays of one script
}{
	{"a digest check skipped", flawDigests, false},
	{"a hint dropped", flawHints, false},
	{"a range tombstone ignored", flawRanges, false},
	{"a commit without a quorum", flawQuorum, false},
	{"a short range at bootstrap", flawShortRange, false},
	{"hints beyond the window", flawWindow, false},
	{"a purge too early", flawPurge, false},
	{"a map iterated in the result", flawMap, true},
}

// Plant switches a fault on.
func (c *Cluster) Plant(f Flaw) { c.flaw = f }
