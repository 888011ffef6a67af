package storage

import (
	"sort"

	"ringlab/model/schema"
	"ringlab/ring"
)

// Memtable holds a table's newest writes on one node: a hash by partition key;
// order is made when somebody flushes or scans.
type Memtable struct {
	table *schema.Table
	parts map[string]*memPartition
	order []*memPartition // sorted up to sorted, then as they came
	ready int

	stats  Stats
	Ops    int64 // memtable operations, as nodetool's "Memtable cell count" counts them
	Data   int64 // live data size, bytes: nodetool's "Memtable data size"
	Heap   int64 // estimated heap use, bytes; this drives flushing
	Rows   int64
	merger merger
}

type memPartition struct {
	key    string
	token  ring.Token
	del    Deletion
	static Row
	ranges []RangeTombstone
	rows   rowSet
}

// NewMemtable is an empty memtable.
func NewMemtable(t *schema.Table) *Memtable {
	return &Memtable{table: t, parts: map[string]*memPartition{}, stats: NewStats(), merger: merger{table: t}}
}

// Partitions is the number of partitions in it.
func (m *Memtable) Partitions() int { return len(m.parts) }

// SetTable makes later writes follow a changed table.
func (m *Memtable) SetTable(t *schema.Table) { m.table, m.merger.table = t, t }

// Apply merges a write into the memtable.
// Source: Cassandra 5.0 AtomicBTreePartition.addAll, BTreePartitionUpdater.
func (m *Memtable) Apply(u *Partition) {
	p := m.parts[u.Key]
	if p == nil {
		p = &memPartition{key: u.Key, token: u.Token, del: Live}
		m.parts[u.Key] = p
		m.order = append(m.order, p)
		m.Data += 8
		m.Heap += 220
	}
	if !u.Del.IsLive() {
		p.del = maxDeletion(p.del, u.Del)
		m.stats.Deletion(u.Del)
		m.stats.PartitionDeletion = true
		m.Ops++
	}
	for _, r := range u.Ranges {
		p.ranges = addRange(m.table, p.ranges, r)
		m.stats.Deletion(r.Del)
		m.Ops++
	}
	if !u.Static.IsZero() {
		m.Ops++
		m.stats.Row(m.table, u.Static)
		p.static = m.replace(p.static, u.Static, p.del)
	}
	for _, r := range u.Rows {
		m.Ops++
		m.stats.Row(m.table, r)
		m.applyRow(p, r)
	}
}

func (m *Memtable) applyRow(p *memPartition, r Row) {
	old := Row{}
	if p.rows.len() > 0 {
		old = p.rows.find(m.table, r.Clustering())
	}
	if old.IsZero() {
		m.Rows++
	}
	if merged := m.replace(old, r, Live); merged.s != old.s {
		p.rows.put(m.table, merged)
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

// account adds a row's share to the sizes. The data size is Cassandra's
// dataSize: clustering values, liveness 8 (expiring 20), deletion 13, and a cell
// 20 + value + path. The heap figure is fitted to measurements.
func (m *Memtable) account(r Row, sign int64) {
	data, heap := m.merger.weigh(r)
	m.Data += sign * data
	m.Heap += sign * heap
}

func (m *merger) weigh(r Row) (data, heap int64) {
	r.Unpack(&m.b)
	v := &m.b
	for _, c := range schema.Components(v.Clustering) {
		data += int64(len(c))
	}
	data += 8 + 13
	if v.Liveness.TTL > 0 {
		data += 12
	}
	heap = 190
	for i := range v.Cells {
		c := &v.Cells[i]
		if (c.Complex || c.HasPath) && (i == 0 || v.Cells[i-1].Column != c.Column) {
			data += 12 // once a complex column
		}
		if c.Complex {
			continue
		}
		data += 20 + int64(len(c.Value)+len(c.Path))
		heap += 111 + int64(len(c.Value)+len(c.Path))
	}
	return data, heap
}

// sorted lists the partitions in file order.
func (m *Memtable) sorted() []*memPartition {
	if m.ready < len(m.order) {
		tail := m.order[m.ready:]
		sort.Slice(tail, func(i, j int) bool { return less(tail[i].token, tail[i].key, tail[j].token, tail[j].key) })
		if m.ready > 0 && !less(m.order[m.ready-1].token, m.order[m.ready-1].key, tail[0].token, tail[0].key) {
			m.order = mergeOrder(m.order[:m.ready], tail)
		}
		m.ready = len(m.order)
	}
	return m.order
}

func mergeOrder(a, b []*memPartition) []*memPartition {
	out := make([]*memPartition, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if less(a[0].token, a[0].key, b[0].token, b[0].key) {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// Flushed is the memtable's content as it goes to a file: rows that a deletion
// of the same memtable covers are left out.
func (m *Memtable) Flushed() []*Partition {
	var out []*Partition
	for _, p := range m.sorted() {
		f := &Partition{Key: p.key, Token: p.token, Del: p.del, Ranges: dropShadowed(p.ranges, p.del)}
		rows := p.rows.all()
		if p.del.IsLive() && len(f.Ranges) == 0 && len(m.table.Dropped) == 0 {
			f.Static, f.Rows = p.static, append([]Row(nil), rows...)
		} else {
			if !p.static.IsZero() {
				f.Static = m.merger.merge([]Row{p.static}, p.del)
			}
			for _, r := range rows {
				around := p.del
				if len(f.Ranges) > 0 {
					around = maxDeletion(around, rangeAt(m.table, f.Ranges, r.Clustering()))
				}
				if r = m.merger.merge([]Row{r}, around); !r.IsZero() {
					f.Rows = append(f.Rows, r)
				}
			}
		}
		if !f.IsEmpty() {
			out = append(out, f)
		}
	}
	return out
}
