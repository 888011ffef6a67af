package storage

import (
	"sort"

	"ringlab/model/schema"
)

// marks are the clusterings of every so many rows of a long partition of a file,
// packed together: most steps of a search then look at little memory, instead of
// at rows all over the heap.
type marks struct {
	packed []byte
	ends   []uint32 // of the marks in packed
}

const (
	markEvery = 64   // rows
	markAbove = 4096 // rows of a partition that gets marks
)

// marksOf are those of one of the file's partitions, nil for a short one. Files
// don't change, so they are made when a read first needs them.
func (s *SSTable) marksOf(p *Partition) *marks {
	if len(p.Rows) < markAbove {
		return nil
	}
	m := s.marks[p]
	if m == nil {
		m = &marks{}
		for i := 0; i < len(p.Rows); i += markEvery {
			m.packed = append(m.packed, p.Rows[i].Clustering()...)
			m.ends = append(m.ends, uint32(len(m.packed)))
		}
		if s.marks == nil {
			s.marks = map[*Partition]*marks{}
		}
		s.marks[p] = m
	}
	return m
}

// around is between which rows of n a cut stands: the first row behind it is in
// [from, to], where to may be n.
func (m *marks) around(t *schema.Table, cut schema.Cut, n int) (from, to int) {
	i := sort.Search(len(m.ends), func(i int) bool {
		start := uint32(0)
		if i > 0 {
			start = m.ends[i-1]
		}
		return t.CompareCutRow(cut, m.packed[start:m.ends[i]]) < 0
	})
	return max(0, (i-1)*markEvery+1), min(n, i*markEvery)
}
