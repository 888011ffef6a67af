package ring

import (
	"cmp"
	"fmt"
	"slices"
)

// TokenMap is the ring: the tokens of all nodes in order, each an entry that ends
// the range of its node. It is built once and never changes. Entries are numbered
// from 0 in token order, nodes from 0 in the order given.
// Source: Cassandra 5.0 TokenMetadata.
type TokenMap struct {
	partitioner Partitioner
	nodes       []Node
	tokens      []Token
	owners      []int32  // by entry
	keys        []uint64 // Token.hi by entry, if it alone decides the order; else nil
	topology
}

// NewTokenMap sorts the tokens of the nodes. It keeps nodes, which must not change
// afterwards. Two nodes of one name or address, and a token given twice, are errors.
func NewTokenMap(p Partitioner, nodes []Node) (*TokenMap, error) {
	places, err := newTopology(nodes)
	if err != nil {
		return nil, err
	}
	type entry struct {
		token Token
		node  int32
	}
	total := 0
	for _, n := range nodes {
		total += len(n.Tokens)
	}
	entries := make([]entry, 0, total)
	narrow := true
	for i, n := range nodes {
		for _, t := range n.Tokens {
			narrow = narrow && t.lo == 0 && t.s == ""
			entries = append(entries, entry{t, int32(i)})
		}
	}
	if narrow {
		slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.token.hi, b.token.hi) })
	} else {
		slices.SortFunc(entries, func(a, b entry) int { return a.token.Compare(b.token) })
	}
	tm := &TokenMap{
		partitioner: p,
		nodes:       nodes,
		tokens:      make([]Token, total),
		owners:      make([]int32, total),
		topology:    places,
	}
	if narrow {
		tm.keys = make([]uint64, total)
	}
	for i, e := range entries {
		if i > 0 && entries[i-1].token == e.token {
			return nil, fmt.Errorf("token %s is given to %s and to %s",
				p.Format(e.token), nodes[entries[i-1].node].label(), nodes[e.node].label())
		}
		tm.tokens[i], tm.owners[i] = e.token, e.node
		if narrow {
			tm.keys[i] = e.token.hi
		}
	}
	return tm, nil
}

func (n Node) label() string { return cmp.Or(n.Name, n.Address, "a node without a name") }

// Primary is the entry that owns a token: the first at or after it, or the first of
// all behind the last. It is -1 for a ring without tokens, and does not allocate.
// Source: Cassandra 5.0 TokenMetadata.firstTokenIndex.
func (tm *TokenMap) Primary(t Token) int {
	n := len(tm.tokens)
	if n == 0 {
		return -1
	}
	lo, hi := 0, n
	if tm.keys != nil && t.lo == 0 && t.s == "" {
		for lo < hi {
			if mid := int(uint(lo+hi) >> 1); tm.keys[mid] < t.hi {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
	} else {
		for lo < hi {
			if mid := int(uint(lo+hi) >> 1); tm.tokens[mid].Less(t) {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
	}
	if lo == n {
		return 0
	}
	return lo
}

// Partitioner is the one whose tokens the map holds.
func (tm *TokenMap) Partitioner() Partitioner { return tm.partitioner }

// Nodes are the members as given to NewTokenMap, to be read only.
func (tm *TokenMap) Nodes() []Node { return tm.nodes }

// Len counts the entries, that is the tokens of all nodes.
func (tm *TokenMap) Len() int { return len(tm.tokens) }

// Token is the end of an entry's range.
func (tm *TokenMap) Token(entry int) Token { return tm.tokens[entry] }

// Tokens are the ends of all ranges, ascending, to be read only.
func (tm *TokenMap) Tokens() []Token { return tm.tokens }

// Node is the index of the node that owns an entry.
func (tm *TokenMap) Node(entry int) int { return int(tm.owners[entry]) }

// Range is the range that ends at an entry; the only entry of a ring has all of it.
func (tm *TokenMap) Range(entry int) Range {
	if entry == 0 {
		return Range{tm.tokens[len(tm.tokens)-1], tm.tokens[0]}
	}
	return Range{tm.tokens[entry-1], tm.tokens[entry]}
}

// PrimaryRanges are the ranges that a node owns itself, in token order.
func (tm *TokenMap) PrimaryRanges(node int) []Range {
	var ranges []Range
	for e, owner := range tm.owners {
		if int(owner) == node {
			ranges = append(ranges, tm.Range(e))
		}
	}
	return ranges
}

// Datacenters lists the datacenters in order of first appearance, to be read only.
func (tm *TokenMap) Datacenters() []Datacenter { return tm.dcs }

// Datacenter finds a datacenter by name; an unknown one is empty.
func (tm *TokenMap) Datacenter(name string) Datacenter {
	for _, dc := range tm.dcs {
		if dc.Name == name {
			return dc
		}
	}
	return Datacenter{Name: name}
}

// NodeNamed finds a node by its name, or else by its address.
func (tm *TokenMap) NodeNamed(name string) (node int, ok bool) {
	for i, n := range tm.nodes {
		if n.Name == name {
			return i, true
		}
	}
	for i, n := range tm.nodes {
		if n.Address == name {
			return i, true
		}
	}
	return -1, false
}

// Owns gives each node the fraction of the ring that it owns itself, in 0..1 (Owns
// without a keyspace). Ordered partitioners fail with ErrNoOwnership.
// Source: Cassandra 5.0 StorageService.getOwnership.
func (tm *TokenMap) Owns() ([]float64, error) {
	shares, err := tm.partitioner.Ownership(tm.tokens)
	if err != nil {
		return nil, err
	}
	owned := make([]float64, len(tm.nodes))
	for e, share := range shares {
		owned[tm.owners[e]] += share
	}
	return owned, nil
}
