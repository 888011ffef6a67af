package storage

import (
	"cmp"
	"slices"

	"ringlab/ring"
)

// sorted lists the places of the partitions in file order.
func (m *Memtable) sorted() []uint32 {
	done := len(m.order)
	if done == len(m.list) {
		return m.order
	}
	late := m.sort(done)
	if done == 0 {
		m.order = late
		return late
	}
	m.order = m.mergeOrder(m.order, late)
	return m.order
}

// sort gives the places from one on in file order. The tokens stand beside the
// places while it works, so that it need not fetch every partition again and
// again.
func (m *Memtable) sort(from int) []uint32 {
	type place struct {
		token ring.Token
		at    uint32
	}
	places := make([]place, 0, len(m.list)-from)
	for at := from; at < len(m.list); at++ {
		places = append(places, place{m.list[at].Token, uint32(at)})
	}
	slices.SortFunc(places, func(a, b place) int {
		if c := a.token.Compare(b.token); c != 0 {
			return c
		}
		return cmp.Compare(m.list[a.at].Key, m.list[b.at].Key)
	})
	out := make([]uint32, len(places))
	for i := range places {
		out[i] = places[i].at
	}
	return out
}

// compare is the order of two partitions, given by their places, in a file.
func (m *Memtable) compare(a, b uint32) int {
	p, q := m.list[a].Partition, m.list[b].Partition
	if c := p.Token.Compare(q.Token); c != 0 {
		return c
	}
	return cmp.Compare(p.Key, q.Key)
}

func (m *Memtable) mergeOrder(a, b []uint32) []uint32 {
	out := make([]uint32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if m.compare(a[0], b[0]) < 0 {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// Flushed is the memtable's content as it goes to a file: rows that a deletion
// of the same memtable covers are left out. order gives the places of the parts
// in file order; nil means that they stand in it. The memtable hands its
// partitions over and must not be written to any more.
func (m *Memtable) Flushed() (parts []*Partition, order []uint32) {
	parts = make([]*Partition, len(m.list))
	whole := true
	for i := range m.list {
		parts[i] = m.flushed(&m.list[i])
		whole = whole && !parts[i].IsEmpty()
	}
	order = m.sorted()
	if whole {
		return parts, order
	}
	kept := make([]*Partition, 0, len(parts))
	for _, at := range order {
		if !parts[at].IsEmpty() {
			kept = append(kept, parts[at])
		}
	}
	return kept, nil
}

func (m *Memtable) flushed(p *memPartition) *Partition {
	f := p.Partition
	if p.rows != nil {
		f.Rows = p.rows.all()
		f.Ranges = dropShadowed(f.Ranges, f.Del)
	}
	if f.Del.IsLive() && len(f.Ranges) == 0 && len(m.table.Dropped) == 0 {
		return f
	}
	kept := &Partition{Key: f.Key, Token: f.Token, Del: f.Del, Ranges: f.Ranges}
	if !f.Static.IsZero() {
		kept.Static = m.merger.filter(f.Static, f.Del)
	}
	for _, r := range f.Rows {
		around := f.Del
		if len(f.Ranges) > 0 {
			around = maxDeletion(around, rangeAt(m.table, f.Ranges, r.Clustering()))
		}
		if r = m.merger.filter(r, around); !r.IsZero() {
			kept.Rows = append(kept.Rows, r)
		}
	}
	return kept
}
