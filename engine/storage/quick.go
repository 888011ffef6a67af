package storage

import (
	"slices"

	"ringlab/model/schema"
	"ringlab/ring"
)

// Quickly is the size of a partition as far as it can be had without reading
// all of it.
type Quickly struct {
	Rows, Bytes, Tombstones int64
}

// sampleRows is the number of rows up to which Quick looks at every row.
const sampleRows = 1000

// EachKey visits the partitions of memtable and files with the number of rows
// there; a key in several places comes several times. visit says whether to go on.
func (s *TableStore) EachKey(visit func(key string, token ring.Token, rows int) bool) {
	for _, p := range s.Mem.list {
		if !visit(p.Key, p.Token, p.len()) {
			return
		}
	}
	for _, t := range s.SSTables {
		for _, p := range t.Parts {
			if !visit(p.Key, p.Token, len(p.Rows)) {
				return
			}
		}
	}
}

// Quick estimates one partition: exact up to a thousand rows, beyond that from
// the first thousand of each place.
func (s *TableStore) Quick(key string, token ring.Token) Quickly {
	mem := s.Mem.find(key)
	if s.held(key, token) <= sampleRows {
		h := s.Holding(key, token)
		return Quickly{Rows: int64(h.Rows), Bytes: h.Bytes, Tombstones: h.Tombstones}
	}
	var q Quickly
	add := func(p *Partition, all int) {
		bytes, dead := PartitionBytes(s.Table, p), p.tombstones()
		n := int64(max(len(p.Rows), 1))
		q.Rows += int64(all)
		q.Bytes += bytes * int64(all) / n
		q.Tombstones += dead * int64(all) / n
	}
	if mem.Partition != nil {
		add(mem.first(sampleRows), mem.len())
	}
	for _, t := range s.SSTables {
		if p, _ := t.Lookup(token, key); p != nil {
			part := *p
			part.Rows = p.Rows[:min(len(p.Rows), sampleRows)]
			add(&part, len(p.Rows))
		}
	}
	return q
}

// len is the number of rows.
func (p memPartition) len() int {
	if p.rows == nil {
		return len(p.Rows)
	}
	return p.rows.len()
}

// first is a copy of the partition with up to n of its rows, which later writes
// do not touch.
func (p memPartition) first(n int) *Partition {
	out := *p.Partition
	if p.rows == nil {
		out.Rows = p.Rows[:min(n, len(p.Rows))]
		return &out
	}
	out.Rows = p.rows.first(n)
	return &out
}

// asked is named, nil for a partition that is not there.
func (p memPartition) asked(q *Query) *Partition {
	if p.Partition == nil {
		return nil
	}
	return p.named(q)
}

// named is a copy of the partition with those of its rows that a query asks for
// by name: none for other queries.
func (p memPartition) named(q *Query) *Partition {
	out := *p.Partition
	if p.rows == nil {
		return &out
	}
	out.Rows = nil
	if !q.byNames() {
		return &out
	}
	names := q.Names
	if len(q.Table.Clustering) == 0 {
		names = [][]byte{{}}
	}
	for _, n := range names {
		c := cursor{table: q.Table, slice: schema.Slice{From: schema.Cut{Prefix: n}, To: schema.Cut{Prefix: n, After: true}}}
		if c.startSet(p.rows); !c.head.IsZero() {
			out.Rows = append(out.Rows, c.head)
		}
	}
	return &out
}

// first lists up to n rows in order.
func (s *rowSet) first(n int) []Row {
	if s.tree == nil {
		return slices.Clone(s.list[:min(n, len(s.list))])
	}
	out := make([]Row, 0, n)
	s.tree.Scan(func(r Row) bool {
		out = append(out, r)
		return len(out) < n
	})
	return out
}

// InMemtable says whether the memtable has the partition.
func (s *TableStore) InMemtable(key string) bool { return s.Mem.find(key).Partition != nil }

// MemKeys visits the partitions of the memtable in the order in which they came.
func (s *TableStore) MemKeys(visit func(key string, token ring.Token) bool) {
	for _, p := range s.Mem.list {
		if !visit(p.Key, p.Token) {
			return
		}
	}
}
