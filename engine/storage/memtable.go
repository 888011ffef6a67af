package storage

import (
	"slices"

	"ringlab/model/schema"
)

// Memtable holds a table's newest writes on one node: a hash by partition key;
// order is made when somebody flushes or scans.
type Memtable struct {
	table *schema.Table
	list  []memPartition // as they came
	index keyIndex
	order []uint32 // places in the list, in file order; later ones are missing

	stats  Stats
	Ops    int64 // memtable operations, as nodetool's "Memtable cell count" counts them
	Data   int64 // live data size, bytes: nodetool's "Memtable data size"
	Heap   int64 // estimated heap use, bytes; this drives flushing
	Rows   int64
	merger merger
	mortal bool // something was written that deletes or expires
	bare   bool // of an index: its writes say nothing of their times to a file's header
}

// memPartition is one partition of a memtable. Most partitions are written once:
// until a second write comes it is the write itself, which all replicas share,
// and rows is nil. Then it is the memtable's own, without Rows, which stand in
// rows.
type memPartition struct {
	*Partition
	rows *rowSet
}

// unit is a partition's part in a merge.
func (m *Memtable) unit(p memPartition) unit {
	return unit{Partition: p.Partition, set: p.rows, lasting: !m.mortal}
}

// NewMemtable is an empty memtable.
func NewMemtable(t *schema.Table) *Memtable {
	return &Memtable{table: t, stats: NewStats(), merger: merger{table: t, memory: true}, bare: t.IndexOf != nil}
}

// Partitions is the number of partitions in it.
func (m *Memtable) Partitions() int { return len(m.list) }

// MinTimestamp is the oldest timestamp ever written to it, µs; math.MaxInt64 if
// there is none.
func (m *Memtable) MinTimestamp() int64 { return m.stats.MinTimestamp }

// SetTable makes later writes follow a changed table.
func (m *Memtable) SetTable(t *schema.Table) { m.table, m.merger.table = t, t }

// find is the partition of that key; the zero memPartition if there is none.
func (m *Memtable) find(key string) memPartition {
	if at := m.index.find(m.list, key, hashKey(key)); at >= 0 {
		return m.list[at]
	}
	return memPartition{}
}

// Apply merges a write into the memtable. The write may be kept and shared.
// Source: Cassandra 5.0 AtomicBTreePartition.addAll, BTreePartitionUpdater.
func (m *Memtable) Apply(u *Partition) {
	m.observe(u)
	hash := hashKey(u.Key)
	if at := m.index.find(m.list, u.Key, hash); at >= 0 {
		m.join(&m.list[at], u)
		return
	}
	m.index.add(hash, len(m.list))
	if len(m.list) == cap(m.list) { // doubled: append copies more often than large lists can bear
		m.list = slices.Grow(m.list, max(4, len(m.list)))
	}
	m.Data += 8
	m.Heap += 220
	if m.tidy(u) {
		m.list = append(m.list, memPartition{Partition: u})
		m.Rows += int64(len(u.Rows))
		if !u.Static.IsZero() {
			m.account(u.Static, 1)
		}
		for _, r := range u.Rows {
			m.account(r, 1)
		}
		return
	}
	m.list = append(m.list, memPartition{&Partition{Key: u.Key, Token: u.Token, Del: Live}, &rowSet{}})
	m.join(&m.list[len(m.list)-1], u)
}

// observe counts a write: what a file's header says comes from all that was
// written, merged away or not.
func (m *Memtable) observe(u *Partition) {
	if !u.Del.IsLive() {
		m.stats.Deletion(u.Del)
		m.stats.PartitionDeletion = true
		m.Ops++
	}
	for i := range u.Ranges {
		m.stats.Deletion(u.Ranges[i].Del)
		m.Ops++
	}
	if !u.Static.IsZero() {
		m.stats.Row(m.table, u.Static)
		m.Ops++
	}
	for _, r := range u.Rows {
		m.stats.Row(m.table, r)
		m.Ops++
	}
	if m.stats.MinLocal != NoDeletionTime {
		m.mortal = true
	}
	if m.bare {
		m.stats.forgetMinima()
	}
}

// Row is what is held of a row of a partition, the zero Row if nothing is. like
// is a row with its clustering.
func (m *Memtable) Row(key string, like Row) Row {
	p := m.find(key)
	switch {
	case p.Partition == nil:
		return Row{}
	case like.flags()&rowStatic != 0:
		return p.Static
	case p.rows != nil:
		return p.rows.find(m.table, like)
	}
	return p.Partition.Row(m.table, like.Clustering(), false)
}

// tidy says whether a write is in the form in which partitions are kept: every
// row once and in order, and no ranges, which may overlap.
func (m *Memtable) tidy(u *Partition) bool {
	for i := 1; i < len(u.Rows); i++ {
		if m.table.CompareClustering(u.Rows[i-1].Clustering(), u.Rows[i].Clustering()) >= 0 {
			return false
		}
	}
	return len(u.Ranges) == 0
}

// join merges a write into a partition that is there already.
func (m *Memtable) join(p *memPartition, u *Partition) {
	if p.rows == nil {
		own := *p.Partition
		p.rows = &rowSet{list: append(make([]Row, 0, len(own.Rows)+len(u.Rows)), own.Rows...)}
		own.Rows = nil
		p.Partition = &own
	}
	if !u.Del.IsLive() {
		p.Del = maxDeletion(p.Del, u.Del)
	}
	for _, r := range u.Ranges {
		p.Ranges = addRange(m.table, p.Ranges, r)
	}
	if !u.Static.IsZero() {
		p.Static = m.replace(p.Static, u.Static, Live)
	}
	for _, r := range u.Rows {
		m.joinRow(p.rows, r)
	}
}

func (m *Memtable) joinRow(rows *rowSet, r Row) {
	old := rows.find(m.table, r)
	if old.IsZero() {
		m.Rows++
	}
	if merged := m.replace(old, r, Live); merged.s != old.s {
		rows.put(m.table, merged)
	}
}

// replace merges two versions of a row and accounts for the difference.
func (m *Memtable) replace(old, add Row, around Deletion) Row {
	if old.IsZero() {
		m.account(add, 1)
		return add
	}
	pair := [2]Row{old, add}
	merged := m.merger.merge(pair[:], around)
	if merged.IsZero() {
		merged = old
	}
	if merged.s != old.s {
		m.account(old, -1)
		m.account(merged, 1)
	}
	return merged
}

// account adds a row's share to the sizes.
func (m *Memtable) account(r Row, sign int64) {
	data, heap := r.weigh()
	m.Data += sign * data
	m.Heap += sign * heap
}

// weigh is a row's share of a memtable's sizes. The data size is Cassandra's
// dataSize: clustering values, liveness 8 (expiring 20), deletion 13, and a cell
// 20 + value + path. The heap figure is fitted to measurements.
func (r Row) weigh() (data, heap int64) {
	var v View
	cells := r.header(&v)
	for rest := v.Clustering; ; {
		value, more, ok := schema.NextComponent(rest)
		if !ok {
			break
		}
		data, rest = data+int64(len(value)), more
	}
	data += 8 + 13
	if v.Liveness.TTL > 0 {
		data += 12
	}
	heap = 190
	last := -1 // column
	for c := (Cell{}); len(cells) > 0; {
		cells = readCell(cells, v.Liveness.Timestamp, &c)
		if (c.Complex || c.HasPath) && int(c.Column) != last {
			data += 12 // once a complex column
		}
		last = int(c.Column)
		if c.Complex {
			continue
		}
		data += 20 + int64(len(c.Value)+len(c.Path))
		heap += 111 + int64(len(c.Value)+len(c.Path))
	}
	return data, heap
}
