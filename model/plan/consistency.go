package plan

import "strings"

// Consistency is a consistency level; the values are the native protocol's.
// Source: Cassandra 5.0 ConsistencyLevel.
type Consistency uint8

// The consistency levels.
const (
	Any Consistency = iota
	One
	Two
	Three
	Quorum
	All
	LocalQuorum
	EachQuorum
	Serial
	LocalSerial
	LocalOne
	NodeLocal
)

var levels = [...]string{"ANY", "ONE", "TWO", "THREE", "QUORUM", "ALL", "LOCAL_QUORUM", "EACH_QUORUM", "SERIAL", "LOCAL_SERIAL",
	"LOCAL_ONE", "NODE_LOCAL"}

// String is the level's name.
func (c Consistency) String() string { return levels[c] }

// ParseConsistency finds a level by name, in any case.
func ParseConsistency(name string) (Consistency, bool) {
	for i, l := range levels {
		if strings.EqualFold(l, name) {
			return Consistency(i), true
		}
	}
	return 0, false
}

// IsLocal says whether only the coordinator's data center counts.
func (c Consistency) IsLocal() bool { return c == LocalQuorum || c == LocalOne || c == LocalSerial }

// IsSerial says whether the level is one of Paxos.
func (c Consistency) IsSerial() bool { return c == Serial || c == LocalSerial }
