package session

import (
	"bytes"
	"slices"

	"ringlab/engine/query"
	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// Hand is the last read of rows by their keys: the slice in hand. A client's
// read is the one that the ring answered last, whoever asked.
type Hand struct {
	queries []*storage.Query
	sel     *plan.Select   // of CQL, else
	cells   *plan.CellRead // of the classic language
	now     int64          // seconds
}

// Nested is a row as the classic model draws it: a sorted map of columns.
type Nested struct {
	Key     []byte
	Node    int // whose copy it is
	Columns []NestedColumn
	InHand  bool // the last read was of this row
	super   bool // columns stand in super columns
}

// NestedColumn is one box of a row.
type NestedColumn struct {
	Atom
	Block    int  // of the file of 1.x, 64 KB each
	Sliced   bool // the slice in hand goes over it
	Returned bool // and gave it to the client
}

// Nested is what the first replica that has a row holds of it, in the order of
// the comparator, and what the slice in hand did with it. ok is false if nobody
// holds any of it.
func (c *Core) Nested(t *schema.Table, key []byte) (n Nested, ok bool) {
	for _, node := range c.Cluster.Placement(t.Keyspace).Replicas(c.Cluster.Partitioner().Token(key)) {
		row, held := c.Atoms(node, t, key)
		if !held || c.Cluster.Nodes[node].Down && ok {
			continue
		}
		n, ok = Nested{Key: key, Node: node, Columns: make([]NestedColumn, len(row.Atoms))}, true
		for i, a := range row.Atoms {
			n.Columns[i].Atom = a
		}
		if !c.Cluster.Nodes[node].Down {
			break
		}
	}
	if ok {
		n.cutBlocks(t)
		c.hand.mark(&n, t.Stored())
	}
	return n, ok
}

// superHead is what a super column takes in a file of 1.x beside its name and
// its columns: the length of the name, its deletion, their number.
// Source: Cassandra 1.0 SuperColumnSerializer.
const superHead = 2 + 4 + 8 + 4

// cutBlocks numbers the blocks that the columns stand in: a block ends with the
// column that fills it. A super column is one column, however long it is.
// Source: Cassandra 1.0 ColumnIndexer.serializeInternal.
func (n *Nested) cutBlocks(t *schema.Table) {
	n.super = t.Family != nil && t.Family.Super
	super := n.super
	block, size := 0, 0
	for i := 0; i < len(n.Columns); {
		j, took := i, 0
		for ; j < len(n.Columns) && (j == i || super && bytes.Equal(n.Columns[j].outer(), n.Columns[i].outer())); j++ {
			took += n.Columns[j].old(super)
			n.Columns[j].Block = block
		}
		if super {
			took += superHead + len(n.Columns[i].outer())
		}
		if size += took; size >= columnIndexSize {
			block, size = block+1, 0
		}
		i = j
	}
}

// old is what a column takes in a file of 1.x: in a super column it has its inner
// name alone.
func (c *NestedColumn) old(super bool) int {
	if parts := schema.SplitComposite(c.Name); super && len(parts) == 2 {
		return c.Bytes - len(c.Name) + len(parts[1])
	}
	return c.Bytes
}

// outer is the outer name of a column of a super column family.
func (a *Atom) outer() []byte {
	parts := schema.SplitComposite(a.Name)
	if len(parts) == 0 {
		return nil
	}
	return parts[0]
}

// mark says what a read did with the columns of a row.
func (h *Hand) mark(n *Nested, stored *schema.Table) {
	i := slices.IndexFunc(h.queries, func(q *storage.Query) bool { return q.Table.ID == stored.ID && q.Key == string(n.Key) })
	if i < 0 {
		return
	}
	n.InHand = true
	q := h.queries[i]
	groups := n.rows(q.Reversed)
	limit := q.PerPartition
	if q.Limit > 0 && (limit == 0 || q.Limit < limit) {
		limit = q.Limit
	}
	passes := h.filter()
	live := 0
	for _, g := range groups {
		if !within(q, g[0].row) {
			continue
		}
		if limit > 0 && live >= limit {
			return
		}
		any := false
		given := passes == nil || passes(n.Key, g[0].row)
		for _, c := range g {
			c.Sliced = true
			if c.isLive(h.now) {
				any = true
				c.Returned = given && h.wants(c)
			}
		}
		if any {
			live++
		}
	}
	h.cut(groups)
}

// rows are the columns of each row of storage, in the order of a read.
func (n *Nested) rows(reversed bool) [][]*NestedColumn {
	var out [][]*NestedColumn
	for i := range n.Columns {
		c := &n.Columns[i]
		switch {
		case c.row.IsZero():
		case len(out) > 0 && out[len(out)-1][0].row == c.row:
			out[len(out)-1] = append(out[len(out)-1], c)
		default:
			out = append(out, []*NestedColumn{c})
		}
	}
	if reversed {
		slices.Reverse(out)
	}
	return out
}

// within says whether a read goes over a row; static ones always come along.
func within(q *storage.Query, r storage.Row) bool {
	at := r.Clustering()
	switch {
	case len(q.Table.Clustering) == 0 || len(at) == 0:
		return true
	case q.Names != nil:
		_, found := slices.BinarySearchFunc(q.Names, at, q.Table.CompareClustering)
		return found
	case q.Slices == nil:
		return true
	}
	return slices.ContainsFunc(q.Slices, func(s schema.Slice) bool { return q.Table.Contains(s, at) })
}

// wants says whether the reader asked for a column, by its name.
func (h *Hand) wants(c *NestedColumn) bool {
	switch {
	case h.cells != nil && h.cells.Pick != nil:
		return h.cells.Pick(nil, c.Name)
	case h.cells != nil || h.sel.Table.Compact || h.sel.Table.Stored() != h.sel.Table || c.column != 0 && h.sel.Columns == nil:
		return true
	case c.column == 0: // a marker is no value
		return false
	}
	return slices.ContainsFunc(h.sel.Columns, func(x *schema.Column) bool { return int(x.ID)+1 == c.column })
}

// filter tests a row of CQL by what ALLOW FILTERING leaves to be tested; nil for
// none.
func (h *Hand) filter() func(key []byte, r storage.Row) bool {
	if h.sel == nil || len(h.sel.Filters) == 0 || h.sel.Aggregate || h.sel.GroupBy > 0 {
		return nil
	}
	sel := *h.sel
	sel.Limit, sel.PerPartition, sel.Distinct, sel.SortBy = 0, 0, false, nil
	run := query.New(&sel, h.now)
	run.Emit = func([][]byte) {}
	feed := feeder{sel: &sel, now: h.now}
	return func(key []byte, r storage.Row) bool {
		before := run.Total()
		feed.partition(run.Add, &storage.Found{Partition: &storage.Partition{Key: string(key), Rows: []storage.Row{r}}})
		return run.Total() > before
	}
}

// cut takes back what a count of the classic model leaves out after the read: it
// counts outer names, or columns that were chosen.
func (h *Hand) cut(groups [][]*NestedColumn) {
	r := h.cells
	if r == nil || r.Limit < 0 || r.Pick == nil && !r.Grouped {
		return
	}
	count := 0
	var last []byte
	for _, g := range groups {
		for _, c := range g {
			if !c.Returned {
				continue
			}
			name := c.Name
			if r.Grouped {
				name = c.outer()
			}
			if count == 0 || !r.Grouped || !bytes.Equal(name, last) {
				count, last = count+1, name
			}
			c.Returned = count <= r.Limit
		}
	}
}

// Cost is how many columns of a row were looked at, and why.
type Cost struct {
	What           string
	Columns, Bytes int
}

// Costs counts the columns of the row, of the slice in hand, those that it gave,
// and those of the blocks that it touched: 1.x reads such a block whole.
// Source: Cassandra 1.0 IndexedSliceReader, SSTableNamesIterator.
func (n *Nested) Costs() []Cost {
	out := []Cost{{What: "in the row"}, {What: "in the slice"}, {What: "returned"}, {What: "deserialised"}}
	touched := map[int]bool{}
	add := func(i int, c *NestedColumn) {
		out[i].Columns++
		out[i].Bytes += c.old(n.super)
	}
	for i := range n.Columns {
		c := &n.Columns[i]
		add(0, c)
		if c.Sliced {
			add(1, c)
			touched[c.Block] = true
		}
		if c.Returned {
			add(2, c)
		}
	}
	for i := range n.Columns {
		if touched[n.Columns[i].Block] {
			add(3, &n.Columns[i])
		}
	}
	return out
}
