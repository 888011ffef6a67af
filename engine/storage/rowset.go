package storage

import (
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
	hint btree.PathHint // where the last row was found: the next one is often near
	cut  schema.Cut     // stands for the zero Row in comparisons, to look for a place between rows
}

func (s *rowSet) len() int {
	if s.tree != nil {
		return s.tree.Len()
	}
	return len(s.list)
}

// find is the row with the clustering of another one, zero if there is none.
func (s *rowSet) find(t *schema.Table, like Row) Row {
	if s.tree != nil {
		r, _ := s.tree.GetHint(like, &s.hint)
		return r
	}
	if i, ok := s.search(t, like.Clustering()); ok {
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
		s.tree.SetHint(r, &s.hint)
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
		s.grow(t)
	}
}

// grow moves the rows into a tree.
func (s *rowSet) grow(t *schema.Table) {
	less := func(a, b Row) bool {
		switch {
		case a.s == "":
			return t.CompareCutRow(s.cut, b.Clustering()) < 0
		case b.s == "":
			return t.CompareCutRow(s.cut, a.Clustering()) > 0
		}
		return t.CompareClustering(a.Clustering(), b.Clustering()) < 0
	}
	s.tree = btree.NewBTreeGOptions(less, btree.Options{NoLocks: true, Degree: 64})
	for _, r := range s.list {
		s.tree.Load(r)
	}
	s.list = nil
}

// all lists the rows in order. The caller may keep the list if the set is not
// written to any more.
func (s *rowSet) all() []Row {
	if s.tree == nil {
		return s.list
	}
	return s.tree.Items()
}
