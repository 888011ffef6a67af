package storage

import (
	"strconv"

	"ringlab/ring"
)

// Holding is what one node has of one partition.
type Holding struct {
	Any        bool
	Memtable   bool
	Files      []string // generations
	Rows       int      // merged, dead ones included
	Cells      int      // values and tombstones of values; what deletes a collection as a whole is no cell
	Tombstones int64
	Bytes      int64 // exact size of the merged partition in a file of its own, format nb
	Part       *Partition
}

// Holding looks at a partition without counting as a read.
func (s *TableStore) Holding(key string, token ring.Token) Holding {
	var h Holding
	var copies []*Partition
	if p := s.Mem.find(key); p.Partition != nil {
		h.Memtable, h.Any = true, true
		copies = append(copies, p.first(p.len()))
	}
	for _, t := range s.SSTables {
		if p, _ := t.Lookup(token, key); p != nil {
			h.Any = true
			h.Files = append(h.Files, strconv.Itoa(t.Gen))
			copies = append(copies, p)
		}
	}
	if !h.Any {
		return h
	}
	h.Part = Merge(s.Table, copies, false)
	h.Rows = len(h.Part.Rows)
	h.Tombstones = h.Part.tombstones()
	h.Bytes = PartitionBytes(s.Table, h.Part)
	var v View
	if !h.Part.Static.IsZero() {
		h.Part.Static.Unpack(&v)
		h.Cells += countCells(&v)
	}
	for _, r := range h.Part.Rows {
		r.Unpack(&v)
		h.Cells += countCells(&v)
	}
	return h
}

// countCells counts a row's cells.
// Source: Cassandra 5.0 Rows.collectStats.
func countCells(v *View) int {
	n := 0
	for i := range v.Cells {
		if !v.Cells[i].Complex {
			n++
		}
	}
	return n
}

// CountKeys is the number of different partition keys in memtable and files.
func (s *TableStore) CountKeys() int {
	if len(s.SSTables) == 0 {
		return s.Mem.Partitions()
	}
	if len(s.SSTables) == 1 && s.Mem.Partitions() == 0 {
		return len(s.SSTables[0].Parts)
	}
	seen := make(map[string]struct{}, s.Mem.Partitions())
	for _, p := range s.Mem.list {
		seen[p.Key] = struct{}{}
	}
	for _, t := range s.SSTables {
		for _, p := range t.Parts {
			seen[p.Key] = struct{}{}
		}
	}
	return len(seen)
}
