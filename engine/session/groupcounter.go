package session

import "bytes"

// groupMaker finds where groups begin; a nil row is the static one.
// Source: Cassandra 5.0 GroupMaker.
type groupMaker struct {
	q    *groupQuery
	last groupingState
}

func (m *groupMaker) isNew(key string, row *groupedRow) bool {
	before := m.last
	m.last = groupingState{key, row}
	if before.key != key || before.row == nil || row == nil {
		return true
	}
	n := m.q.prefix
	if m.q.marked {
		if n--; !bytes.Equal(before.row.mark, row.mark) || (before.row.mark == nil) != (row.mark == nil) {
			return true
		}
	}
	for i := range min(n, len(row.clustering)) {
		if !bytes.Equal(before.row.clustering[i], row.clustering[i]) {
			return true
		}
	}
	return false
}

// groupCounter counts the rows and groups of one portion and stops where a limit
// is reached. Source: Cassandra 5.0 DataLimits.CQLGroupByLimits.GroupByAwareCounter.
type groupCounter struct {
	q          *groupQuery
	maker      groupMaker
	state      groupingState
	groupLimit int
	lastKey    string // of a portion that goes on in a partition, "" otherwise
	lastLeft   int    // groups that are left of that partition

	key                string
	rows               int
	groups, inPart     int
	unfinished, static bool
	returned           bool // rows of this partition
}

func newGroupCounter(q *groupQuery, state groupingState, groups int) *groupCounter {
	return &groupCounter{q: q, maker: groupMaker{q: q, last: state}, state: state, groupLimit: groups, unfinished: state.row != nil}
}

func (c *groupCounter) done() bool             { return c.groups >= c.groupLimit }
func (c *groupCounter) doneForPartition() bool { return c.done() || c.inPart >= c.q.perPartition }
func (c *groupCounter) stopped() bool          { return c.done() || c.rows >= c.q.size }

func (c *groupCounter) begin(p *groupPartition) {
	switch {
	case c.lastKey != "" && p.key == c.lastKey:
		c.key, c.inPart, c.returned, c.static = p.key, c.q.perPartition-c.lastLeft, true, false
		c.unfinished = c.state.row != nil
		return
	case p.key == c.state.key:
		c.static, c.returned, c.unfinished = false, true, true
	default:
		if c.unfinished && c.maker.isNew(p.key, nil) {
			c.groups++
			if c.done() {
				c.inPart++
			}
			c.unfinished = false
		}
		c.returned, c.static = false, p.static
	}
	c.key = p.key
	if !c.done() {
		c.inPart = 0
	}
}

// row counts a live row and says whether it is given.
func (c *groupCounter) row(r *groupedRow) bool { return c.pass(r, true) }

// pass is row for any row: one that is deleted may begin a group, so that what
// follows is not read twice, but it is none.
func (c *groupCounter) pass(r *groupedRow, live bool) bool {
	if c.maker.isNew(c.key, r) {
		if c.unfinished {
			c.groups++
			c.inPart++
		}
		c.unfinished = false
	}
	if c.doneForPartition() {
		c.unfinished = false
		return false
	}
	if live {
		c.unfinished, c.returned = true, true
		c.rows++
	}
	return true
}

// end closes a partition.
func (c *groupCounter) end() {
	if c.q.countStatic && c.static && !c.returned {
		c.rows++
		c.groups++
		c.inPart++
		c.unfinished = false
	}
}

// close counts the last group if the data have ended.
func (c *groupCounter) close() {
	if c.unfinished && c.groups < c.groupLimit && c.rows < c.q.size {
		c.groups++
		c.inPart++
	}
}

// cut runs a partition through the counter and gives what passes.
func (c *groupCounter) cut(p *groupPartition) groupPartition {
	out := groupPartition{key: p.key, static: p.static, alone: p.alone}
	c.begin(p)
	if c.done() {
		c.static, out.static = false, false
	}
	if !c.doneForPartition() {
		for i := range p.rows {
			if c.row(&p.rows[i]) {
				out.rows = append(out.rows, p.rows[i])
			}
			if c.stopped() || c.doneForPartition() {
				break
			}
		}
	}
	c.end()
	return out
}
