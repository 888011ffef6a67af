package cluster

// flaw is a fault of this program that a test of the package switches on, to see that
// the simulation's checkers find it. It is always noFlaw outside of tests.
type flaw uint8

const (
	noFlaw         flaw = iota
	flawDigests         // answers whose digests differ count as equal
	flawHints           // every third hint is forgotten
	flawWindow          // hints are kept for nodes that are down for longer than the window
	flawRanges          // deletes of ranges count only in the first answer
	flawQuorum          // one acceptance is enough to commit
	flawShortRange      // a joining node leaves out what it should fetch first
	flawPurge           // compaction drops tombstones at once
	flawMap             // partitions come in the order of a map
)
