package storage

import (
	"sort"

	"github.com/tidwall/btree"

	"ringlab/model/schema"
)

// treeAbove is the number of rows from which a memtable partition keeps its
// rows in a tree: below it, moving a slice's tail is cheaper.
const treeAbove = 512

// rowSet holds the rows of one memtable partition in table order.
type rowSet struct {
	list []Row
	tree *btree.BTreeG[Row]
}

func (s *rowSet) len() int {
	if s.tree != nil {
		return s.tree.Len()
	}
	return len(s.list)
}

// find is the row with that clustering, zero if there is none.
func (s *rowSet) find(t *schema.Table, clustering []byte) Row {
	if s.tree != nil {
		if r, ok := s.tree.Get(probe(clustering)); ok {
			return r
		}
		return Row{}
	}
	if i, ok := s.search(t, clustering); ok {
		return s.list[i]
	}
	return Row{}
}

// search is where the clustering stands or would stand in the list.
func (s *rowSet) search(t *schema.Table, clustering []byte) (int, bool) {
	n := len(s.list)
	if n == 0 {
		return 0, false
	}
	// Rows often arrive in order.
	switch c := t.CompareClustering(s.list[n-1].Clustering(), clustering); {
	case c < 0:
		return n, false
	case c == 0:
		return n - 1, true
	}
	lo, hi := 0, n-1
	for lo < hi {
		mid := (lo + hi) / 2
		switch c := t.CompareClustering(s.list[mid].Clustering(), clustering); {
		case c == 0:
			return mid, true
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return lo, false
}

// put stores the row, replacing one of the same clustering.
func (s *rowSet) put(t *schema.Table, r Row) {
	if s.tree != nil {
		s.tree.Set(r)
		return
	}
	i, found := s.search(t, r.Clustering())
	if found {
		s.list[i] = r
		return
	}
	s.list = append(s.list, Row{})
	copy(s.list[i+1:], s.list[i:])
	s.list[i] = r
	if len(s.list) > treeAbove {
		less := func(a, b Row) bool { return t.CompareClustering(a.Clustering(), b.Clustering()) < 0 }
		s.tree = btree.NewBTreeGOptions(less, btree.Options{NoLocks: true, Degree: 64})
		for _, r := range s.list {
			s.tree.Load(r)
		}
		s.list = nil
	}
}

// probe is a row that only has a clustering, to search with.
func probe(clustering []byte) Row {
	return pack(AppendHeader(nil, clustering, false, NoLiveness, Live))
}

// all lists the rows in order.
func (s *rowSet) all() []Row {
	if s.tree == nil {
		return s.list
	}
	return s.tree.Items()
}

// cursor walks the rows of a slice in one direction.
type cursor struct {
	table    *schema.Table
	slice    schema.Slice
	reversed bool

	list []Row // rows of the slice still to come, in table order
	iter *btree.IterG[Row]
	done bool
	head Row // next row, zero at the end
}

// listCursor walks sorted rows.
func listCursor(t *schema.Table, rows []Row, s schema.Slice, reversed bool) *cursor {
	from := 0
	if len(s.From.Prefix) > 0 || s.From.After {
		from = sort.Search(len(rows), func(i int) bool { return t.CompareCutRow(s.From, rows[i].Clustering()) < 0 })
	}
	to := len(rows)
	if len(s.To.Prefix) > 0 || !s.To.After {
		to = from + sort.Search(len(rows)-from, func(i int) bool { return t.CompareCutRow(s.To, rows[from+i].Clustering()) < 0 })
	}
	c := &cursor{table: t, slice: s, reversed: reversed, list: rows[from:to]}
	c.next()
	return c
}

// cursor walks a slice of the set.
func (s *rowSet) cursor(t *schema.Table, sl schema.Slice, reversed bool) *cursor {
	if s.tree == nil {
		return listCursor(t, s.list, sl, reversed)
	}
	it := s.tree.Iter()
	c := &cursor{table: t, slice: sl, reversed: reversed, iter: &it}
	if reversed {
		// Seek lands on the first row that is not before the end; one back is the last inside.
		ok := len(sl.To.Prefix) > 0 && it.Seek(probe(sl.To.Prefix))
		for ok && t.CompareCutRow(sl.To, it.Item().Clustering()) > 0 {
			ok = it.Next()
		}
		if ok {
			ok = it.Prev()
		} else {
			ok = it.Last()
		}
		c.done = !ok
	} else {
		ok := true
		if len(sl.From.Prefix) > 0 {
			ok = it.Seek(probe(sl.From.Prefix))
		} else {
			ok = it.First()
		}
		for ok && t.CompareCutRow(sl.From, it.Item().Clustering()) > 0 {
			ok = it.Next()
		}
		c.done = !ok
	}
	c.take()
	return c
}

// take makes the iterator's item the head.
func (c *cursor) take() {
	c.head = Row{}
	if c.done {
		return
	}
	r := c.iter.Item()
	if c.reversed && c.table.CompareCutRow(c.slice.From, r.Clustering()) >= 0 ||
		!c.reversed && c.table.CompareCutRow(c.slice.To, r.Clustering()) <= 0 {
		c.done = true
		return
	}
	c.head = r
}

// next moves on to the next row.
func (c *cursor) next() {
	if c.iter == nil {
		switch n := len(c.list); {
		case n == 0:
			c.head = Row{}
		case c.reversed:
			c.head, c.list = c.list[n-1], c.list[:n-1]
		default:
			c.head, c.list = c.list[0], c.list[1:]
		}
		return
	}
	if c.done {
		return
	}
	if c.reversed {
		c.done = !c.iter.Prev()
	} else {
		c.done = !c.iter.Next()
	}
	c.take()
}
