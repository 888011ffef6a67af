package ring

import (
	"cmp"
	"slices"
)

// Strategy says which nodes hold the replicas of a range.
type Strategy interface {
	// Class is SimpleStrategy, NetworkTopologyStrategy or LocalStrategy.
	Class() string
	// Replicas gives the natural replicas of the range that ends at an entry, as node
	// indexes in Cassandra's order; the first is the primary. The slice is the caller's.
	Replicas(tm *TokenMap, entry int) []int
	// RF is the replication factor over all datacenters, as a consistency level counts
	// it: more replicas than there are nodes count too.
	RF() int
	// RFIn is the factor within a datacenter. A strategy without datacenters gives RF,
	// which LOCAL_QUORUM then counts by; an unlisted datacenter gives 0.
	RFIn(dc string) int
	// DCs are the datacenters with a factor of their own, sorted; nil without such.
	DCs() []string
}

// Class names of the strategies.
const (
	ClassSimple          = "SimpleStrategy"
	ClassNetworkTopology = "NetworkTopologyStrategy"
	ClassLocal           = "LocalStrategy"
)

// SimpleStrategy puts rf replicas on the next different nodes along the ring,
// whatever their datacenter and rack.
// Source: Cassandra 5.0 SimpleStrategy.calculateNaturalReplicas.
func SimpleStrategy(rf int) Strategy { return simpleStrategy(rf) }

type simpleStrategy int

func (s simpleStrategy) Class() string   { return ClassSimple }
func (s simpleStrategy) RF() int         { return int(s) }
func (s simpleStrategy) RFIn(string) int { return int(s) }
func (s simpleStrategy) DCs() []string   { return nil }

func (s simpleStrategy) Replicas(tm *TokenMap, entry int) []int {
	members := 0
	for _, dc := range tm.dcs {
		members += dc.Nodes
	}
	want := min(int(s), members)
	replicas := make([]int, 0, want)
	for i := entry; len(replicas) < want; i = tm.after(i) {
		if node := int(tm.owners[i]); !slices.Contains(replicas, node) {
			replicas = append(replicas, node)
		}
	}
	return replicas
}

func (tm *TokenMap) after(entry int) int {
	if entry++; entry < len(tm.owners) {
		return entry
	}
	return 0
}

// LocalStrategy keeps everything on one node, given by its index: what each node
// uses for its own system tables. A negative index means the owner of the range.
// Source: Cassandra 5.0 LocalStrategy.
func LocalStrategy(node int) Strategy { return localStrategy(node) }

type localStrategy int

func (s localStrategy) Class() string   { return ClassLocal }
func (s localStrategy) RF() int         { return 1 }
func (s localStrategy) RFIn(string) int { return 1 }
func (s localStrategy) DCs() []string   { return nil }

func (s localStrategy) Replicas(tm *TokenMap, entry int) []int {
	if s < 0 {
		return []int{tm.Node(entry)}
	}
	return []int{int(s)}
}

// DatacenterRF is the replication factor of one datacenter.
type DatacenterRF struct {
	DC string
	RF int
}

// NetworkTopologyStrategy puts replicas in each datacenter listed, on different
// racks as long as there are any. A datacenter is listed once.
func NetworkTopologyStrategy(factors ...DatacenterRF) Strategy {
	sorted := slices.Clone(factors)
	slices.SortStableFunc(sorted, func(a, b DatacenterRF) int { return cmp.Compare(a.DC, b.DC) })
	return networkTopologyStrategy(sorted)
}

type networkTopologyStrategy []DatacenterRF

func (s networkTopologyStrategy) Class() string { return ClassNetworkTopology }

func (s networkTopologyStrategy) RF() int {
	total := 0
	for _, f := range s {
		total += f.RF
	}
	return total
}

func (s networkTopologyStrategy) RFIn(dc string) int {
	for _, f := range s {
		if f.DC == dc {
			return f.RF
		}
	}
	return 0
}

func (s networkTopologyStrategy) DCs() []string {
	names := make([]string, len(s))
	for i, f := range s {
		names[i] = f.DC
	}
	return names
}
