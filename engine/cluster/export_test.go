package cluster

// Flaw is a fault of this program that tests switch on.
type Flaw = flaw

// The faults, by name.
var Flaws = []struct {
	Name string
	Flaw
}{
	{"a digest check skipped", flawDigests},
	{"a hint dropped", flawHints},
	{"a range tombstone ignored", flawRanges},
	{"a commit without a quorum", flawQuorum},
	{"a short range at bootstrap", flawShortRange},
	{"a purge too early", flawPurge},
	{"a map iterated in the result", flawMap},
}

// Plant switches a fault on.
func (c *Cluster) Plant(f Flaw) { c.flaw = f }
