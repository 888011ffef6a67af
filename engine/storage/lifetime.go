package storage

import "ringlab/ring"

// Lifetime is how large a partition has become, and between which write times.
type Lifetime struct {
	Rows, Cells, Tombstones, Bytes int64 // as Holding counts them
	Oldest, Newest                 int64 // when its rows were written first, µs: see written; 0 without rows
	Exact                          bool  // not estimated from a part of the rows
}

// Lifetime looks at a partition without counting as a read. With most above 0
// and more rows than that, it looks at most rows of each place, evenly spread,
// and goes on with what they are on average.
func (s *TableStore) Lifetime(key string, token ring.Token, most int) Lifetime {
	if n := s.held(key, token); most <= 0 || n <= most {
		h := s.Holding(key, token)
		l := Lifetime{Rows: int64(h.Rows), Cells: int64(h.Cells), Tombstones: h.Tombstones, Bytes: h.Bytes, Exact: true}
		if h.Part != nil {
			l.written(h.Part.Rows)
		}
		return l
	}
	var l Lifetime
	add := func(p *Partition, all int) {
		n := int64(max(len(p.Rows), 1))
		cells := int64(0)
		var v View
		for _, r := range p.Rows {
			r.Unpack(&v)
			cells += int64(countCells(&v))
		}
		l.Rows += int64(all)
		l.Cells += cells * int64(all) / n
		l.Tombstones += p.tombstones() * int64(all) / n
		l.Bytes += PartitionBytes(s.Table, p) * int64(all) / n
		l.written(p.Rows)
	}
	if mem := s.Mem.find(key); mem.Partition != nil {
		add(mem.spread(most), mem.len())
	}
	for _, t := range s.SSTables {
		if p, _ := t.Lookup(token, key); p != nil {
			part := *p
			part.Rows = spread(most, len(p.Rows), func(i int) Row { return p.Rows[i] })
			add(&part, len(p.Rows))
		}
	}
	return l
}

// held is the number of rows of a partition over memtable and files, those in
// several places counted in each.
func (s *TableStore) held(key string, token ring.Token) int {
	rows := 0
	if mem := s.Mem.find(key); mem.Partition != nil {
		rows += mem.len()
	}
	for _, t := range s.SSTables {
		if p, _ := t.Lookup(token, key); p != nil {
			rows += len(p.Rows)
		}
	}
	return rows
}

// written takes in the write times of rows: that of the last INSERT, or of the
// oldest cell that is left where UPDATE made the row.
func (l *Lifetime) written(rows []Row) {
	var v View
	for _, r := range rows {
		r.Unpack(&v)
		at := v.Liveness.Timestamp
		if at == NoTimestamp {
			for i := range v.Cells {
				if c := &v.Cells[i]; !c.IsTombstone() && !c.Complex && (at == NoTimestamp || c.Timestamp < at) {
					at = c.Timestamp
				}
			}
		}
		if at == NoTimestamp {
			continue
		}
		if l.Oldest == 0 && l.Newest == 0 {
			l.Oldest, l.Newest = at, at
		}
		l.Oldest, l.Newest = min(l.Oldest, at), max(l.Newest, at)
	}
}

// spread picks up to most of n rows, the first and the last among them.
func spread(most, n int, at func(int) Row) []Row {
	if n <= most {
		most = n
	}
	out := make([]Row, 0, most)
	for i := range most {
		j := i
		if most > 1 {
			j = i * (n - 1) / (most - 1)
		}
		out = append(out, at(j))
	}
	return out
}

// spread is a copy of the partition with up to n of its rows, evenly spread.
func (p memPartition) spread(n int) *Partition {
	out := *p.Partition
	out.Rows = spread(n, p.len(), func(i int) Row {
		if p.rows == nil {
			return p.Rows[i]
		}
		return p.rows.at(i)
	})
	return &out
}

// at is the row at a place in the order.
func (s *rowSet) at(i int) Row {
	if s.tree == nil {
		return s.list[i]
	}
	r, _ := s.tree.GetAt(i)
	return r
}
