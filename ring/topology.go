package ring

import (
	"fmt"
	"slices"
)

// Node is a member of the ring as gossip knows it. Tokens may stand in any order;
// a node without tokens is a member that owns nothing yet.
type Node struct {
	Name, Address, DC, Rack string
	Tokens                  []Token
}

// Datacenter counts the members of one datacenter.
type Datacenter struct {
	Name  string
	Nodes int      // members with tokens
	Racks []string // of members with tokens, in order of first appearance
}

// topology numbers datacenters and racks, so that placement compares integers.
// Source: Cassandra 5.0 TokenMetadata.Topology.
type topology struct {
	dcs      []Datacenter // in order of first appearance, those of members without tokens included
	dcOf     []int32      // by node
	rackOf   []int32      // by node; different in different datacenters
	rackName []int32      // by node; the same for equal rack names in any datacenter
}

func newTopology(nodes []Node) (topology, error) {
	t := topology{
		dcOf:     make([]int32, len(nodes)),
		rackOf:   make([]int32, len(nodes)),
		rackName: make([]int32, len(nodes)),
	}
	type location struct{ dc, rack string }
	dcs, racks, rackNames := map[string]int32{}, map[location]int32{}, map[string]int32{}
	names, addresses := map[string]bool{}, map[string]bool{}
	for i, n := range nodes {
		if err := noteUnique(names, "name", n.Name); err != nil {
			return t, err
		}
		if err := noteUnique(addresses, "address", n.Address); err != nil {
			return t, err
		}
		t.dcOf[i] = number(dcs, n.DC)
		t.rackOf[i] = number(racks, location{n.DC, n.Rack})
		t.rackName[i] = number(rackNames, n.Rack)
		if int(t.dcOf[i]) == len(t.dcs) {
			t.dcs = append(t.dcs, Datacenter{Name: n.DC})
		}
		if dc := &t.dcs[t.dcOf[i]]; len(n.Tokens) > 0 {
			dc.Nodes++
			if !slices.Contains(dc.Racks, n.Rack) {
				dc.Racks = append(dc.Racks, n.Rack)
			}
		}
	}
	return t, nil
}

// number gives each new key the next number from 0.
func number[K comparable](seen map[K]int32, key K) int32 {
	n, ok := seen[key]
	if !ok {
		n = int32(len(seen))
		seen[key] = n
	}
	return n
}

func noteUnique(seen map[string]bool, what, value string) error {
	if value != "" && seen[value] {
		return fmt.Errorf("two nodes have the %s %s", what, value)
	}
	seen[value] = true
	return nil
}
