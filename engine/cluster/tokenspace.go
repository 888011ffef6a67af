package cluster

import (
	"slices"

	"ringlab/model/schema"
	"ringlab/ring"
)

// tokenSpace is the part of the ring that a node owns of a keyspace.
// Source: Cassandra 5.0 ShardManagerNoDisks.
type tokenSpace struct {
	placement   *ring.Placement
	partitioner ring.Partitioner
	ranges      []ring.Range // without wrap, in token order
	ends        []float64    // share of the ring up to the end of each range
	whole       bool         // of an ordered partitioner, whose tokens have no distance
}

// spaceOf is what a node owns of a table's keyspace, if its strategy goes by that:
// on a ring of many tokens it takes time to find.
func (c *Cluster) spaceOf(node int, t *schema.Table) *tokenSpace {
	if t.Options.CompactionClass() != schema.Unified || t.IndexOf != nil { // an index is ordered by value, which nothing divides
		return &tokenSpace{whole: true}
	}
	return c.space(node, t.Keyspace)
}

// space is what a node owns of a keyspace.
func (c *Cluster) space(node int, keyspace string) *tokenSpace {
	p := c.Placement(keyspace)
	spaces := c.spaces[keyspace]
	if spaces == nil {
		spaces = make([]*tokenSpace, len(c.Nodes))
		c.spaces[keyspace] = spaces
	}
	if s := spaces[node]; s != nil && s.placement == p {
		return s
	}
	s := &tokenSpace{placement: p, partitioner: c.Partitioner()}
	for _, r := range p.RangesOf(node) {
		s.ranges = append(s.ranges, r.Unwrap(s.partitioner.Minimum())...)
	}
	slices.SortFunc(s.ranges, func(a, b ring.Range) int { return a.Left.Compare(b.Left) })
	at := 0.0
	for _, r := range s.ranges {
		size, err := s.partitioner.Size(r.Left, r.Right)
		if err != nil {
			s.whole = true
			break
		}
		at += size
		s.ends = append(s.ends, at)
	}
	s.whole = s.whole || len(s.ranges) == 0
	spaces[node] = s
	return s
}

// coverage is the share of the ring that the node owns.
func (s *tokenSpace) coverage() float64 {
	if s.whole {
		return 1
	}
	return s.ends[len(s.ends)-1]
}

// span is the share of the ring from first to last, both included, that the node
// owns. Source: Cassandra 5.0 ShardManagerNoDisks.rangeSizeNonWrapping.
func (s *tokenSpace) span(first, last ring.Token) float64 {
	if s.whole {
		return 1
	}
	return s.size(first, s.partitioner.Offset(last, 1))
}

// size is the share of the ring behind one token and up to another, the end of
// the ring if that is the minimum, that the node owns.
func (s *tokenSpace) size(from, to ring.Token) float64 {
	minimum := s.partitioner.Minimum()
	size := 0.0
	for _, r := range s.ranges {
		left, right := r.Left, r.Right
		if left.Less(from) {
			left = from
		}
		if to != minimum && (right == minimum || to.Less(right)) {
			right = to
		}
		if right != minimum && !left.Less(right) {
			continue
		}
		part, _ := s.partitioner.Size(left, right)
		size += part
	}
	return size
}

// cuts are the last tokens of all but the last of so many equal shards of what
// the node owns. Source: Cassandra 5.0 ShardManagerNoDisks.BoundaryTracker.
func (s *tokenSpace) cuts(shards int) []ring.Token {
	if s.whole || shards < 2 {
		return nil
	}
	step := s.coverage() / float64(shards)
	out := make([]ring.Token, 0, shards-1)
	at := 0
	for i := 1; i < shards; i++ {
		to := step * float64(i)
		for to > s.ends[at] && at < len(s.ends)-1 {
			at++
		}
		left := 0.0
		if at > 0 {
			left = s.ends[at-1]
		}
		token, err := s.partitioner.Split(s.ranges[at].Left, s.ranges[at].Right, (to-left)/(s.ends[at]-left))
		if err != nil {
			return nil
		}
		out = append(out, token)
	}
	return out
}
