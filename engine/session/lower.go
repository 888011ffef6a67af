package session

import (
	"sort"

	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// lowering turns a bound write into mutations. now is the server's second, which
// tombstones and expiry count from; next gives list cell names.
type lowering struct {
	write     *plan.Write
	timestamp int64 // µs
	now       int64 // seconds
	ttl       int32
	next      func(front bool) []byte // a timeuuid for a new list cell
	buf       []byte
	found     *storage.Found // the partition's lists, where the write reads them first
	err       error
}

// Lower makes one mutation per partition key. timestamp is what the coordinator
// hands out where the statement names none; found is what was read before, nil
// for most writes. It fails where a list has no such element.
func Lower(w *plan.Write, found []*storage.Found, p ring.Partitioner, timestamp, now int64, next func(front bool) []byte) ([]*storage.Partition, error) {
	l := &lowering{write: w, timestamp: timestamp, now: now, next: next}
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
		part := &storage.Partition{Key: string(key), Token: p.Token(key), Del: storage.Live}
		l.fill(part)
		out = append(out, part)
	}
	return out, l.err
}

func (l *lowering) deletion() storage.Deletion {
	return storage.Deletion{At: l.timestamp, Local: l.now}
}

func (l *lowering) fill(part *storage.Partition) {
	w := l.write
	if w.Partition {
		part.Del = l.deletion()
	}
	for _, s := range w.Slices {
		if !w.Table.Empty(s) {
			part.Ranges = append(part.Ranges, storage.RangeTombstone{Slice: s, Del: l.deletion()})
		}
	}
	if len(w.Static) > 0 {
		part.Static = l.row(nil, true, w.Static)
	}
	for _, clustering := range w.Rows {
		if r := l.row(clustering, false, w.Cells); !r.IsZero() {
			part.Rows = append(part.Rows, r)
		}
	}
	if len(part.Rows) > 1 {
		sort.SliceStable(part.Rows, func(i, j int) bool {
			return w.Table.CompareClustering(part.Rows[i].Clustering(), part.Rows[j].Clustering()) < 0
		})
	}
}

// row packs one row of the write.
func (l *lowering) row(clustering []byte, static bool, assigns []plan.Assign) storage.Row {
	v := storage.View{Clustering: clustering, Static: static, Liveness: storage.NoLiveness, Deletion: storage.Live}
	if l.write.Liveness && !static {
		v.Liveness = storage.Liveness{Timestamp: l.timestamp, Expiry: storage.NoDeletionTime}
		if l.ttl > 0 {
			v.Liveness.TTL, v.Liveness.Expiry = l.ttl, l.now+int64(l.ttl)
		}
	}
	if l.write.RowDelete && !static {
		v.Deletion = l.deletion()
	}
	var space [8]storage.Cell
	v.Cells = space[:0]
	for i := range assigns {
		if assigns[i].ReadsBefore() {
			l.inList(&v, &assigns[i])
			continue
		}
		v.Cells = l.cells(v.Cells, &assigns[i])
	}
	ordered := true
	for i := 1; i < len(v.Cells); i++ {
		if storage.CompareCells(l.write.Table, &v.Cells[i-1], &v.Cells[i]) > 0 {
			ordered = false
			break
		}
	}
	if !ordered {
		sort.SliceStable(v.Cells, func(i, j int) bool { return storage.CompareCells(l.write.Table, &v.Cells[i], &v.Cells[j]) < 0 })
	}
	row, buf := v.Pack(l.buf)
	l.buf = buf
	return row
}

// live is a cell with a value.
func (l *lowering) live(c *schema.Column, value []byte) storage.Cell {
	cell := storage.Cell{Column: c.ID, Timestamp: l.timestamp, Local: storage.NoDeletionTime, Value: value}
	if l.ttl > 0 {
		cell.TTL, cell.Local = l.ttl, l.now+int64(l.ttl)
	}
	return cell
}

// dead is a cell's tombstone.
func (l *lowering) dead(c *schema.Column) storage.Cell {
	return storage.Cell{Column: c.ID, Timestamp: l.timestamp, Local: l.now}
}

// whole is the deletion of all cells of a collection, one µs before the write,
// so that the write's own cells stay. Source: Cassandra 5.0 Sets.Setter and the like.
func (l *lowering) whole(c *schema.Column, before int64) storage.Cell {
	return storage.Cell{Column: c.ID, Timestamp: l.timestamp - before, Local: l.now, Complex: true}
}

// cells adds what one assignment writes.
func (l *lowering) cells(out []storage.Cell, a *plan.Assign) []storage.Cell {
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
func (l *lowering) elements(out []storage.Cell, c *schema.Column, a *plan.Assign) []storage.Cell {
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
