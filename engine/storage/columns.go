package storage

import "math/bits"

// ColumnSet is a set of columns by ID. Tables of up to 64 columns, which nearly
// all are, need no memory beside it.
type ColumnSet struct {
	low  uint64
	rest []uint64 // of the IDs from 64 on
}

func (s *ColumnSet) add(id uint16) {
	if id < 64 {
		s.low |= 1 << id
		return
	}
	word := int(id/64) - 1
	for len(s.rest) <= word {
		s.rest = append(s.rest, 0)
	}
	s.rest[word] |= 1 << (id % 64)
}

// Has says whether a column is in it.
func (s *ColumnSet) Has(id uint16) bool {
	if id < 64 {
		return s.low&(1<<id) != 0
	}
	word := int(id/64) - 1
	return word < len(s.rest) && s.rest[word]&(1<<(id%64)) != 0
}

func (s *ColumnSet) len() int {
	n := bits.OnesCount64(s.low)
	for _, w := range s.rest {
		n += bits.OnesCount64(w)
	}
	return n
}

// join adds the columns of another set.
func (s *ColumnSet) join(o *ColumnSet) {
	s.low |= o.low
	for i, w := range o.rest {
		if i == len(s.rest) {
			s.rest = append(s.rest, 0)
		}
		s.rest[i] |= w
	}
}
