package storage

import (
	"slices"
	"sort"

	"ringlab/model/schema"
	"ringlab/ring"
)

// Section gives the partitions of a file that lie in ranges, in file order, and
// those that do not. The ranges are normalized: see ring.Normalize.
func (s *SSTable) Section(ranges []ring.Range, minimum ring.Token) (inside, outside []*Partition) {
	rest := s.Parts
	take := func(n int, to *[]*Partition) {
		*to = append(*to, rest[:n]...)
		rest = rest[n:]
	}
	upTo := func(t ring.Token) int {
		return sort.Search(len(rest), func(i int) bool { return t.Less(rest[i].Token) })
	}
	if n := len(ranges); n > 0 && ranges[n-1].Right == minimum {
		take(upTo(minimum), &inside) // the minimum ends the last range
	}
	for _, r := range ranges {
		if len(rest) == 0 {
			break
		}
		take(upTo(r.Left), &outside)
		if r.Right == minimum {
			take(len(rest), &inside)
		} else {
			take(upTo(r.Right), &inside)
		}
	}
	take(len(rest), &outside)
	return inside, outside
}

// Part writes some of a file's partitions, in file order, as a file of their own,
// which is repaired if the file is.
func (s *SSTable) Part(t *schema.Table, m Making, parts []*Partition) *SSTable {
	m.Partitioner = s.partitioner
	out := NewSSTable(t, m, parts, s.Stats.Share(parts))
	out.Level, out.RepairedAt, out.Pending = s.Level, s.RepairedAt, s.Pending
	return out
}

// Add puts files that came from elsewhere beside those of the table.
func (s *TableStore) Add(files ...*SSTable) {
	for _, t := range files {
		s.BytesWritten += t.DataBytes
		s.SSTables = append([]*SSTable{t}, s.SSTables...)
	}
	s.peak(nil)
}

// Exchange puts files in the place of one that they were cut from.
func (s *TableStore) Exchange(gone *SSTable, by ...*SSTable) {
	for i, t := range s.SSTables {
		if t == gone {
			s.SSTables = slices.Concat(s.SSTables[:i], by, s.SSTables[i+1:])
			if len(by) > 1 {
				for _, t := range by {
					s.BytesWritten += t.DataBytes
				}
			}
			return
		}
	}
}

// NextFile numbers a file that is about to be written.
func (s *TableStore) NextFile() int {
	s.NextGen++
	return s.NextGen - 1
}

// Validate visits what a table's files hold in ranges, as a repair compares it:
// merged, and without tombstones that are older than gcBefore, whatever they still
// shadow elsewhere. which says which files count. It gives the bytes of the files'
// sections read.
// Source: Cassandra 5.0 CassandraValidationIterator, ValidationCompactionController.
func (s *TableStore) Validate(ranges []ring.Range, minimum ring.Token, now, gcBefore int64, which func(*SSTable) bool, visit func(*Partition)) (bytes int64) {
	var inputs []*SSTable
	for _, t := range s.SSTables {
		if !which(t) {
			continue
		}
		inside, _ := t.Section(ranges, minimum)
		if len(inside) == 0 {
			continue
		}
		part := *t
		part.Parts = inside
		inputs = append(inputs, &part)
		bytes += t.DataBytes * int64(len(inside)) / int64(len(t.Parts))
	}
	parts, _, _ := Compact(s.Table, inputs, now, gcBefore, func(*Partition, int64) bool { return true })
	for _, p := range parts {
		visit(p)
	}
	return bytes
}
