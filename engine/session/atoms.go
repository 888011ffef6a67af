package session

import (
	"bytes"
	"math"
	"slices"

	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// Atom is what Cassandra 2.1 stored one after the other in a row: a cell, its
// tombstone, or the tombstone of a range of names.
type Atom struct {
	Kind      string // column, expiring, deleted, counter, range tombstone
	Super     []byte // the outer name in a super column family, nil elsewhere
	Name      []byte // of a cell as it is stored; the start of a range
	End       []byte // of a range
	Value     []byte // of a live cell
	Timestamp int64  // µs
	TTL       int32
	Bytes     int // in a data file of format ka, without compression

	row    storage.Row // that it is of, zero for the tombstone of a range of rows
	column int         // its ID + 1; 0 for markers and tombstones of ranges
	expiry int64       // Unix seconds, with a TTL
}

// AtomRow is a row in the layout of Cassandra 2.1.
type AtomRow struct {
	Key       []byte
	DeletedAt int64 // µs; storage.NoTimestamp for a row that is not deleted
	Atoms     []Atom
	Bytes     int // in a data file: key, deletion, atoms, end
}

// Atoms is what a node holds of a partition, dead or alive, in the layout of 2.1.
// It only looks: nothing is counted as a read.
// ok is false if it holds nothing.
// Source: Cassandra 2.1 ColumnIndex.Builder, OnDiskAtom, AbstractCell, RangeTombstone.
func (c *Core) Atoms(node int, t *schema.Table, key []byte) (row AtomRow, ok bool) {
	s := t.Stored()
	q := &storage.Query{Table: s, Key: string(key), Token: c.Cluster.Partitioner().Token(key), GCBefore: math.MinInt64}
	store := c.Cluster.Nodes[node].Stores[s.ID]
	if store == nil {
		return row, false
	}
	found := store.Peek(q)
	if found == nil || found.IsEmpty() {
		return row, false
	}
	row = AtomRow{Key: key, DeletedAt: found.Del.At, Atoms: atoms(s, found.Partition)}
	row.Bytes = 2 + len(key) + 12 + atomBytes(s, row.Atoms) + 2
	return row, true
}

// atoms lists the cells and range tombstones of a partition by their names.
func atoms(t *schema.Table, p *storage.Partition) []Atom {
	var out []Atom
	for _, r := range p.Ranges {
		a := Atom{Kind: "range tombstone", Name: cutName(t, r.From, true), End: cutName(t, r.To, false), Timestamp: r.Del.At}
		out = append(out, a)
	}
	var view storage.View
	for _, r := range append([]storage.Row{p.Static}, p.Rows...) {
		if r.IsZero() {
			continue
		}
		first := len(out)
		out = append(out, rowAtoms(t, r, &view)...)
		for i := first; i < len(out); i++ {
			out[i].row = r
		}
	}
	class := nameOrder(t)
	slices.SortStableFunc(out, func(a, b Atom) int { return class(a.Name, b.Name) })
	for i := range out {
		out[i].Bytes = out[i].size()
	}
	return out
}

// isLive says whether the atom is a value at second now.
func (a *Atom) isLive(now int64) bool {
	switch a.Kind {
	case "column", "counter":
		return true
	case "expiring":
		return now < a.expiry
	}
	return false
}

// size is the atom's bytes in a file.
// Source: Cassandra 2.1 ColumnSerializer, RangeTombstone.Serializer.
func (a *Atom) size() int {
	n := 15 + len(a.Name) + len(a.Value)
	switch a.Kind {
	case "expiring", "counter":
		n += 8
	case "deleted":
		n += 4
	case "range tombstone":
		n = 17 + len(a.Name) + len(a.End)
	}
	return n
}

// rowAtoms are the atoms of one row of storage.
func rowAtoms(t *schema.Table, r storage.Row, view *storage.View) []Atom {
	r.Unpack(view)
	parts := schema.Components(view.Clustering)
	if t.Compact {
		var out []Atom
		name := compactName(t, parts)
		if !view.Deletion.IsLive() {
			from, to := schema.Cut{Prefix: view.Clustering}, schema.Cut{Prefix: view.Clustering, After: true}
			out = append(out, Atom{Kind: "range tombstone", Name: cutName(t, from, true), End: cutName(t, to, false), Timestamp: view.Deletion.At})
		}
		if view.Static {
			return nil
		}
		for i := range view.Cells {
			out = append(out, cellAtom(t, &view.Cells[i], name))
		}
		return out
	}
	if view.Static {
		parts = make([][]byte, len(t.Clustering))
	}
	under := func(end byte, rest ...[]byte) []byte {
		n := schema.PartitionKeyComposite(append(parts[:len(parts):len(parts)], rest...))
		if len(n) > 0 {
			n[len(n)-1] = end
		}
		if view.Static {
			n = append([]byte{0xff, 0xff}, n...)
		}
		return n
	}
	var out []Atom
	if d := view.Deletion; !d.IsLive() {
		out = append(out, Atom{Kind: "range tombstone", Name: under(0xff), End: under(1), Timestamp: d.At})
	}
	if l := view.Liveness; l.Timestamp != storage.NoTimestamp {
		a := Atom{Kind: "column", Name: under(0, nil), Value: []byte{}, Timestamp: l.Timestamp, TTL: l.TTL}
		if l.TTL > 0 {
			a.Kind, a.expiry = "expiring", l.Expiry
		}
		out = append(out, a)
	}
	for i := range view.Cells {
		c := &view.Cells[i]
		col := t.ColumnByID(c.Column)
		if col == nil {
			continue
		}
		name := []byte(col.Name)
		switch {
		case c.Complex:
			out = append(out, Atom{Kind: "range tombstone", Name: under(0xff, name), End: under(1, name), Timestamp: c.Timestamp})
		case c.HasPath:
			out = append(out, cellAtom(t, c, under(0, name, c.Path)))
		default:
			out = append(out, cellAtom(t, c, under(0, name)))
		}
	}
	return out
}

func cellAtom(t *schema.Table, c *storage.Cell, name []byte) Atom {
	a := Atom{Kind: "column", Name: name, Value: c.Value, Timestamp: c.Timestamp, TTL: c.TTL, column: int(c.Column) + 1, expiry: c.Local}
	switch {
	case c.IsTombstone():
		a.Kind, a.Value = "deleted", nil
	case c.TTL > 0:
		a.Kind = "expiring"
	case t.Counter:
		a.Kind = "counter"
	}
	return a
}

// compactName is the name of a cell of a column family.
func compactName(t *schema.Table, parts [][]byte) []byte {
	if len(t.Clustering) > 1 || composite1(t) {
		return schema.PartitionKeyComposite(parts)
	}
	if len(parts) == 0 {
		return nil
	}
	return parts[0]
}

// composite1 says whether names are composites of one component.
func composite1(t *schema.Table) bool {
	return t.Family != nil && !t.Family.Super && t.Family.Comparator.Composite()
}

// cutName is the name that a place between rows is written as.
func cutName(t *schema.Table, cut schema.Cut, start bool) []byte {
	parts := schema.Components(cut.Prefix)
	if t.Compact && len(t.Clustering) == 1 && !composite1(t) {
		if len(parts) == 0 {
			return nil
		}
		return parts[0]
	}
	n := schema.PartitionKeyComposite(parts)
	if len(n) == 0 {
		return n
	}
	switch {
	case cut.Alone, t.Compact && len(parts) == len(t.Clustering) && cut.After != start:
	case cut.After:
		n[len(n)-1] = 1
	default:
		n[len(n)-1] = 0xff
	}
	return n
}

// nameOrder compares stored names.
func nameOrder(t *schema.Table) func(a, b []byte) int {
	split := func(name []byte) (static bool, parts [][]byte, end int8) {
		if static = len(name) > 1 && name[0] == 0xff && name[1] == 0xff; static {
			name = name[2:]
		}
		for len(name) >= 3 {
			n := int(name[0])<<8 | int(name[1])
			if len(name) < n+3 {
				break
			}
			parts, end = append(parts, name[2:2+n]), int8(name[2+n])
			name = name[3+n:]
		}
		return static, parts, end
	}
	simple := t.Compact && len(t.Clustering) == 1 && !composite1(t)
	return func(a, b []byte) int {
		if simple {
			return t.CompareClustering(schema.AppendComponent(nil, a), schema.AppendComponent(nil, b))
		}
		sa, pa, ea := split(a)
		sb, pb, eb := split(b)
		if sa != sb {
			if sa {
				return -1
			}
			return 1
		}
		for i := range min(len(pa), len(pb)) {
			var order int
			if i < len(t.Clustering) {
				order = t.Clustering[i].Type.Compare(pa[i], pb[i])
				if t.Clustering[i].Desc {
					order = -order
				}
			} else {
				order = elementOrder(t, pa, pb, i)
			}
			if order != 0 {
				return order
			}
		}
		switch {
		case len(pa) == len(pb):
			return int(ea) - int(eb)
		case len(pa) < len(pb):
			return prefixOrder(ea)
		}
		return -prefixOrder(eb)
	}
}

func prefixOrder(end int8) int {
	if end > 0 {
		return 1
	}
	return -1
}

// elementOrder orders names of columns by their bytes, elements of a collection
// as it orders them.
func elementOrder(t *schema.Table, a, b [][]byte, i int) int {
	if i == len(t.Clustering)+1 {
		if col := t.Column(string(a[i-1])); col != nil && col.Type.IsMultiCell() {
			x := storage.Cell{Column: col.ID, HasPath: true, Path: a[i]}
			y := storage.Cell{Column: col.ID, HasPath: true, Path: b[i]}
			return storage.CompareCells(t, &x, &y)
		}
	}
	return bytes.Compare(a[i], b[i])
}

// columnIndexSize is the size of a block of a row, in bytes.
// Source: Cassandra 2.1 Config.column_index_size_in_kb.
const columnIndexSize = 64 << 10

// atomBytes is what atoms take in a file: a range tombstone that is still open
// where a new block begins is written again there.
// Source: Cassandra 2.1 ColumnIndex.Builder.add, RangeTombstone.Tracker.
func atomBytes(t *schema.Table, list []Atom) int {
	order := nameOrder(t)
	total, block := 0, -1 // block is negative before its first atom
	var open []*Atom
	for i := range list {
		a := &list[i]
		open = slices.DeleteFunc(open, func(o *Atom) bool { return len(o.End) > 0 && order(o.End, a.Name) < 0 })
		if block < 0 {
			for _, o := range open {
				total += o.Bytes
			}
			block = 0
		}
		total += a.Bytes
		if block += a.Bytes; block >= columnIndexSize {
			block = -1
		}
		if a.Kind == "range tombstone" {
			open = append(open, a)
		}
	}
	return total
}
