package session

import (
	"slices"
	"unsafe"

	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// Lowerer turns bound writes into mutations, one after the other: it keeps the
// memory that packing rows takes. The zero value is ready to use. now is the
// server's second, which tombstones and expiry count from; next gives list cell
// names.
type Lowerer struct {
	write     *plan.Write
	timestamp int64 // µs
	now       int64 // seconds
	ttl       int32
	next      func(front bool) []byte // a timeuuid for a new list cell
	found     *storage.Found          // the partition's lists, where the write reads them first
	err       error

	buf   []byte         // a row being packed
	space []storage.Cell // its cells
	keys  []byte         // memory that short keys share, as far as it is used
}

// Lower makes one mutation per partition key. timestamp is what the coordinator
// hands out where the statement names none; found is what was read before, nil
// for most writes. It fails where a list has no such element.
func (l *Lowerer) Lower(w *plan.Write, found []*storage.Found, p ring.Partitioner, timestamp, now int64, next func(front bool) []byte) ([]*storage.Partition, error) {
	*l = Lowerer{write: w, timestamp: timestamp, now: now, next: next, buf: l.buf, space: l.space, keys: l.keys}
	if w.Timestamp != nil {
		l.timestamp = *w.Timestamp
	}
	l.ttl = int32(w.Table.Options.DefaultTTL)
	if w.TTL != nil {
		l.ttl = *w.TTL
	}
	out := make([]*storage.Partition, 0, len(w.Keys))
	for i, key := range w.Keys {
		if found != nil {
			l.found = found[i]
		}
		part := newPartition(len(w.Rows))
		part.Key, part.Token, part.Del = l.key(key), p.Token(key), storage.Live
		l.fill(part)
		out = append(out, part)
	}
	return out, l.err
}

// newPartition makes a partition with room for that many rows; it and a single
// row, the usual write, are one piece of memory.
func newPartition(rows int) *storage.Partition {
	if rows != 1 {
		return &storage.Partition{Rows: make([]storage.Row, 0, rows)}
	}
	p := new(struct {
		storage.Partition
		row [1]storage.Row
	})
	p.Rows = p.row[:0]
	return &p.Partition
}

// sharedBytes is the memory that short keys share: little, since a single one of
// them holds it.
const sharedBytes = 64

// key copies a partition key. A short one lies beside others, where one of its own
// would take three times as much memory or more.
func (l *Lowerer) key(b []byte) string {
	if len(b) == 0 || len(b) > sharedBytes/4 {
		return string(b)
	}
	if cap(l.keys)-len(l.keys) < len(b) {
		l.keys = make([]byte, 0, sharedBytes)
	}
	at := len(l.keys)
	l.keys = append(l.keys, b...)
	return unsafe.String(&l.keys[at], len(b))
}

func (l *Lowerer) deletion() storage.Deletion {
	return storage.Deletion{At: l.timestamp, Local: l.now}
}

func (l *Lowerer) fill(part *storage.Partition) {
	w := l.write
	if w.Partition {
		part.Del = l.deletion()
	}
	for _, s := range w.Slices {
		if !w.Table.Empty(s) {
			part.Ranges = append(part.Ranges, storage.RangeTombstone{Slice: s, Del: l.deletion()})
		}
	}
	for _, clustering := range w.Rows {
		if r := l.row(clustering, false, w.Cells); !r.IsZero() {
			part.Rows = append(part.Rows, r)
		}
	}
	if len(w.Static) > 0 { // behind the rows, whose complaints come first
		part.Static = l.row(nil, true, w.Static)
	}
	if len(part.Rows) > 1 {
		slices.SortStableFunc(part.Rows, func(a, b storage.Row) int { return w.Table.CompareClustering(a.Clustering(), b.Clustering()) })
	}
}

// row packs one row of the write.
func (l *Lowerer) row(clustering []byte, static bool, assigns []plan.Assign) storage.Row {
	v := storage.View{Clustering: clustering, Static: static, Liveness: storage.NoLiveness, Deletion: storage.Live}
	if l.write.Liveness && !static && (!l.write.Table.Compact || l.write.Table.Stored() != l.write.Table) {
		v.Liveness = storage.Liveness{Timestamp: l.timestamp, Expiry: storage.NoDeletionTime}
		if l.ttl > 0 {
			v.Liveness.TTL, v.Liveness.Expiry = l.ttl, l.now+int64(l.ttl)
		}
	}
	if l.write.RowDelete && !static {
		v.Deletion = l.deletion()
	}
	v.Cells = l.space[:0]
	for i := range assigns {
		if assigns[i].Kind == plan.Increase {
			l.increase(&v, &assigns[i])
			continue
		}
		if assigns[i].ReadsBefore() {
			l.inList(&v, &assigns[i])
			continue
		}
		v.Cells = l.cells(v.Cells, &assigns[i])
	}
	l.sort(v.Cells)
	v.Cells = storage.ReconcileCells(l.write.Table, v.Cells)
	row, buf := v.Pack(l.buf)
	l.buf, l.space = buf, v.Cells
	return row
}

// sort brings the cells into order; most come in it.
func (l *Lowerer) sort(cells []storage.Cell) {
	t := l.write.Table
	for i := 1; i < len(cells); i++ {
		if storage.CompareCells(t, &cells[i-1], &cells[i]) > 0 {
			slices.SortStableFunc(cells, func(a, b storage.Cell) int { return storage.CompareCells(t, &a, &b) })
			return
		}
	}
}

// live is a cell with a value.
func (l *Lowerer) live(c *schema.Column, value []byte) storage.Cell {
	cell := storage.Cell{Column: c.ID, Timestamp: l.timestamp, Local: storage.NoDeletionTime, Value: value}
	if l.ttl > 0 {
		cell.TTL, cell.Local = l.ttl, l.now+int64(l.ttl)
	}
	return cell
}

// dead is a cell's tombstone.
func (l *Lowerer) dead(c *schema.Column) storage.Cell {
	return storage.Cell{Column: c.ID, Timestamp: l.timestamp, Local: l.now}
}

// whole is the deletion of all cells of a collection, one µs before the write,
// so that the write's own cells stay. Source: Cassandra 5.0 Sets.Setter and the like.
func (l *Lowerer) whole(c *schema.Column, before int64) storage.Cell {
	return storage.Cell{Column: c.ID, Timestamp: l.timestamp - before, Local: l.now, Complex: true}
}

// cells adds what one assignment writes.
func (l *Lowerer) cells(out []storage.Cell, a *plan.Assign) []storage.Cell {
	c := a.Column
	if !c.Type.IsMultiCell() {
		if a.Kind == plan.Remove || a.Value == nil {
			return append(out, l.dead(c))
		}
		return append(out, l.live(c, a.Value))
	}
	switch a.Kind {
	case plan.Remove:
		return append(out, l.whole(c, 0))
	case plan.Set:
		out = append(out, l.whole(c, 1))
		return l.elements(out, c, a)
	case plan.Append, plan.Prepend:
		return l.elements(out, c, a)
	case plan.Discard:
		for _, e := range a.Elems {
			cell := l.dead(c)
			cell.Path, cell.HasPath = e, true
			out = append(out, cell)
		}
	case plan.SetElement, plan.RemoveElement:
		cell := l.dead(c)
		if a.Kind == plan.SetElement && a.Value != nil {
			cell = l.live(c, a.Value)
		}
		cell.Path, cell.HasPath = a.Key, true
		out = append(out, cell)
	}
	return out
}

// elements adds the cells of a collection's elements.
func (l *Lowerer) elements(out []storage.Cell, c *schema.Column, a *plan.Assign) []storage.Cell {
	add := func(path, value []byte) {
		cell := l.live(c, value)
		cell.Path, cell.HasPath = path, true
		out = append(out, cell)
	}
	switch c.Type.Kind {
	case types.KindSet:
		for _, e := range a.Elems {
			add(e, nil)
		}
	case types.KindList:
		for i := range a.Elems {
			if a.Kind == plan.Prepend { // the last element goes in first
				add(l.next(true), a.Elems[len(a.Elems)-1-i])
				continue
			}
			add(l.next(false), a.Elems[i])
		}
	case types.KindMap, types.KindUDT:
		for i := 0; i+1 < len(a.Elems); i += 2 {
			add(a.Elems[i], a.Elems[i+1])
		}
	}
	return out
}
