package storage

import (
	"sort"

	"github.com/tidwall/btree"

	"ringlab/model/schema"
)

// cursor walks the rows of a slice in one direction: those of a sorted list, or
// those of a tree.
type cursor struct {
	table    *schema.Table
	slice    schema.Slice
	reversed bool
	lasting  bool // all rows are plain, which nobody needs to look up
	head     Row  // next row, zero at the end

	list   []Row // rows still to come, the head included, in table order
	shared bool  // nobody changes the list, so that answers may hold parts of it
	tree   bool  // iter is used instead of the list
	iter   btree.IterG[Row]
}

// start sets a cursor on sorted rows, which may have marks.
func (c *cursor) start(rows []Row, m *marks) {
	s := c.slice
	from, to := 0, len(rows)
	if len(s.From.Prefix) > 0 || s.From.After {
		from = c.behind(s.From, rows, m)
	}
	if from < to && !c.endless() {
		to = max(from, c.behind(s.To, rows, m))
	}
	c.list = rows[from:to]
	c.peek()
}

// behind is the first of the rows behind a cut. Whole files lie before a slice, or
// behind its beginning, so the ends are looked at first.
func (c *cursor) behind(cut schema.Cut, rows []Row, m *marks) int {
	before := func(i int) bool { return c.table.CompareCutRow(cut, rows[i].Clustering()) < 0 }
	n := len(rows)
	switch {
	case n == 0 || before(0):
		return 0
	case !before(n - 1):
		return n
	}
	from, to := 1, n-1
	if m != nil {
		from, to = m.around(c.table, cut, n)
	}
	return from + sort.Search(to-from, func(i int) bool { return before(from + i) })
}

// startSet sets a cursor on a memtable's rows.
func (c *cursor) startSet(s *rowSet) {
	if s.tree == nil {
		c.start(s.list, nil)
		return
	}
	c.tree = true
	c.iter.Init(s.tree, false)
	if c.reversed {
		s.cut = c.slice.To
		if c.iter.Seek(Row{}) {
			c.take(c.iter.Prev())
		} else {
			c.take(c.iter.Last())
		}
		return
	}
	s.cut = c.slice.From
	c.take(c.iter.Seek(Row{}))
}

// endless says whether the slice goes on to the end of the partition.
func (c *cursor) endless() bool { return len(c.slice.To.Prefix) == 0 && c.slice.To.After }

// take makes the iterator's item the head, if there is one and it lies inside.
func (c *cursor) take(ok bool) {
	c.head = Row{}
	if !ok {
		return
	}
	r := c.iter.Item()
	if c.reversed && c.table.CompareCutRow(c.slice.From, r.Clustering()) < 0 ||
		!c.reversed && (c.endless() || c.table.CompareCutRow(c.slice.To, r.Clustering()) > 0) {
		c.head = r
	}
}

// peek makes the first of the list the head.
func (c *cursor) peek() {
	switch n := len(c.list); {
	case n == 0:
		c.head = Row{}
	case c.reversed:
		c.head = c.list[n-1]
	default:
		c.head = c.list[0]
	}
}

// next moves on to the next row.
func (c *cursor) next() {
	switch {
	case c.tree && c.reversed:
		c.take(c.iter.Prev())
		return
	case c.tree:
		c.take(c.iter.Next())
		return
	case c.reversed:
		c.list = c.list[:len(c.list)-1]
	default:
		c.list = c.list[1:]
	}
	c.peek()
}

// compare orders the head against another row as they are read.
func (c *cursor) compare(other Row) int { return c.order(c.head, other) }

func (c *cursor) order(a, b Row) int {
	order := c.table.CompareClustering(a.Clustering(), b.Clustering())
	if c.reversed {
		return -order
	}
	return order
}

// plain takes the next rows before another one, at most that many, as long as
// nothing in them is deleted or expires. It works on lists in table order and
// gives none elsewhere.
func (c *cursor) plain(most int, rival Row) []Row {
	if c.tree || c.reversed {
		return nil
	}
	most = min(most, len(c.list))
	if !rival.IsZero() && c.order(c.list[most-1], rival) >= 0 {
		// Rows of files that overlap take turns: look near the head first.
		near, far := 0, 1 // list[near] comes before the rival, list[most-1] does not
		for far < most && c.order(c.list[far], rival) < 0 {
			near, far = far, far*2
		}
		far = min(far, most-1)
		most = near + 1 + sort.Search(far-near-1, func(i int) bool { return c.order(c.list[near+1+i], rival) >= 0 })
	}
	n := 0
	if c.lasting {
		n = most
	}
	for n < most && c.list[n].IsPlain() {
		n++
	}
	rows := c.list[:n:n]
	c.list = c.list[n:]
	c.peek()
	return rows
}
