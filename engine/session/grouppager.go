package session

import (
	"math"

	"ringlab/model/plan"
	"ringlab/model/schema"
)

// A page of GROUP BY holds as many groups as its size says, but rows are read in
// portions of at most that many rows, and a group only counts once the next one
// has begun. Where the two meet, pages come out longer or shorter than asked
// for, and that is repeated here: the pagers of Cassandra run over the rows that
// each portion has found. Source: Cassandra 5.0 AggregationQueryPager,
// DataLimits.CQLGroupByLimits, AbstractQueryPager, MultiPartitionPager.

const noLimit = math.MaxInt32

// groupPartition is a partition as GROUP BY sees it.
type groupPartition struct {
	key    string
	static bool // it has static cells
	alone  int  // place of the row that they make without others, -1 if there are others
	rows   []groupedRow
}

// groupedRow is a row that may be given: its clustering and the value of a
// function in GROUP BY.
type groupedRow struct {
	at         int // its place among all rows of the answer
	clustering [][]byte
	mark       []byte
}

// groupQuery is what does not change from page to page.
type groupQuery struct {
	prefix       int  // clustering columns that a group shares
	marked       bool // the last of them through a function
	perPartition int  // groups
	countStatic  bool // a partition of static cells alone is a row
	size         int  // of a page
}

// groupingState is where the groups of a portion begin.
// Source: Cassandra 5.0 GroupingState.
type groupingState struct {
	key string // "" at the beginning
	row *groupedRow
}

// portionPager reads portions of one partition or of a range of them.
// Source: Cassandra 5.0 SinglePartitionPager, PartitionRangeQueryPager.
type portionPager struct {
	q      *groupQuery
	parts  []groupPartition // what the portion has found
	single bool
	key    string // of the single partition
	state  groupingState

	left, leftInPart int
	lastKey          string      // of the last row
	returnedKey      string      // of a range: of the last row given
	returned         *groupedRow // the last row given, nil if none
	exhausted        bool
}

func (p *portionPager) isExhausted() bool {
	return p.exhausted || p.left == 0 || p.single && p.leftInPart == 0
}

// limited is the pager for the next portion of the same page.
func (p *portionPager) limited(state groupingState) {
	p.state, p.exhausted, p.lastKey = state, false, p.returnedKey
	if p.single {
		p.lastKey = p.key
	}
}

// goesOn says whether the next portion begins in a partition, behind a row of it.
func (p *portionPager) goesOn() bool { return p.returned != nil && (p.single || p.leftInPart > 0) }

// behind are the rows of a partition that follow the last one given.
func (p *portionPager) behind(part *groupPartition) groupPartition {
	out := groupPartition{key: part.key, static: part.static, alone: part.alone}
	for i := range part.rows {
		if part.rows[i].at > p.returned.at {
			out.rows = part.rows[i:]
			break
		}
	}
	return out
}

// rest are the partitions that the next portion is read from, and the counter of
// the replica; ok is false where Cassandra's own assertion fails there.
func (p *portionPager) rest(groups int) (parts []groupPartition, c *groupCounter, ok bool) {
	c = newGroupCounter(p.q, p.state, groups)
	parts = p.parts
	key := p.key
	if !p.single {
		key = p.returnedKey
	}
	goesOn := p.goesOn()
	if !p.single && key != "" {
		for i := range parts {
			if parts[i].key == key {
				parts = parts[i+1:]
				if goesOn {
					parts = p.parts[i:]
				}
				break
			}
		}
	}
	if !goesOn {
		return parts, c, true
	}
	if len(parts) > 0 && parts[0].key == key {
		parts = append([]groupPartition{p.behind(&parts[0])}, parts[1:]...)
	}
	c.lastKey, c.lastLeft = key, p.leftInPart
	return parts, c, p.state.key == "" || p.state.key == key
}

// fetch reads a portion of at most that many groups; ok is false where the read
// fails.
func (p *portionPager) fetch(groups int) (out []groupPartition, ok bool) {
	if p.isExhausted() {
		return nil, true
	}
	groups = min(groups, p.left)
	parts, replica, ok := p.rest(groups)
	if !ok {
		return nil, false
	}
	counter := newGroupCounter(p.q, p.state, groups)
	var last *groupedRow
	static := false // the last row is a static one
	first := true
	for i := range parts {
		if replica.stopped() {
			break
		}
		got := replica.cut(&parts[i])
		if len(got.rows) == 0 && !got.static {
			continue
		}
		before := p.single && p.returned != nil || !p.single && p.returnedKey == got.key
		if first, before = false, first && before; before && len(got.rows) == 0 {
			continue
		}
		given := counter.cut(&got)
		if given.static || len(given.rows) > 0 {
			if p.lastKey != given.key {
				p.leftInPart = p.q.perPartition
			}
			p.lastKey = given.key
		}
		if given.static {
			last, static = nil, true
		}
		if n := len(given.rows); n > 0 {
			last, static = &given.rows[n-1], false
		}
		out = append(out, given)
	}
	counter.close()
	if last != nil || static {
		if !p.single {
			p.returnedKey = p.lastKey
		}
		if last != nil {
			p.returned = last
		}
	}
	p.left -= counter.groups
	if static || last != nil && len(last.clustering) == 0 {
		p.leftInPart = 0
	} else {
		p.leftInPart -= counter.inPart
	}
	p.exhausted = counter.rows < p.q.size && counter.groups < groups
	return out, true
}

// groupPager makes pages of groups; it has one portionPager for a range and one
// for each of the partitions of a query by key.
// Source: Cassandra 5.0 MultiPartitionPager, AggregationQueryPager.GroupByPartitionIterator.
type groupPager struct {
	q       *groupQuery
	pagers  []*portionPager
	current int
	left    int // groups that LIMIT leaves
}

func (g *groupPager) isExhausted() bool {
	if len(g.pagers) == 1 {
		return g.pagers[0].isExhausted()
	}
	if g.left <= 0 {
		return true
	}
	for ; g.current < len(g.pagers); g.current++ {
		if !g.pagers[g.current].isExhausted() {
			return false
		}
	}
	return true
}

// newGroupPager sets up the pagers of a SELECT for the first page, or behind the
// place where the page before ended.
func newGroupPager(sel *plan.Select, size int, from *position) *groupPager {
	q := &groupQuery{prefix: sel.GroupBy - len(sel.Table.Key), marked: sel.GroupExpr != nil, perPartition: noLimit, countStatic: !sel.ByRow, size: size}
	if sel.PerPartition > 0 {
		q.perPartition = sel.PerPartition
	}
	limit := noLimit
	if sel.Limit > 0 {
		limit = sel.Limit
	}
	g := &groupPager{q: q, left: limit}
	keys := sel.Keys
	if keys == nil {
		g.pagers = []*portionPager{{q: q, left: limit, leftInPart: q.perPartition}}
	}
	for _, k := range keys {
		g.pagers = append(g.pagers, &portionPager{q: q, single: true, key: string(k), left: limit, leftInPart: q.perPartition})
	}
	if from == nil {
		return g
	}
	for len(g.pagers) > 1 && g.pagers[0].key != string(from.key) {
		g.pagers = g.pagers[1:]
	}
	g.left = from.left
	p := g.pagers[0]
	p.left, p.leftInPart, p.lastKey = from.left, from.inPart, string(from.key)
	if !p.single {
		p.returnedKey = p.lastKey
	}
	if from.hasRow {
		p.returned = &groupedRow{at: -1, clustering: splitClustering(from.row)}
	}
	return g
}

// end is where the page ended, nil if nothing can follow.
func (g *groupPager) end() *position {
	if g.isExhausted() {
		return nil
	}
	p := g.pagers[g.current]
	at := &position{key: []byte(p.key), left: g.left, inPart: p.leftInPart}
	if !p.single {
		at.key = []byte(p.returnedKey)
	}
	if len(g.pagers) == 1 {
		at.left = p.left
		if p.single && p.returned == nil || !p.single && p.returnedKey == "" {
			return nil
		}
	}
	if p.returned != nil && len(p.returned.clustering) > 0 {
		at.hasRow, at.row = true, schema.PackClustering(p.returned.clustering)
	}
	return at
}
