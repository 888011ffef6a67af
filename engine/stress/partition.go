package stress

import (
	"math"

	"ringlab/model/plan"
)

// partition makes the rows of one partition after the other. For each clustering
// column it holds the values under the current ones of the columns before it.
//
// The seed of what lies below a level follows from the first value of the level,
// not from the current one: so every value of a clustering column has the same
// values under it, and rows that end alike are alike. cassandra-stress 5.0 does
// so, too. Source: Cassandra 5.0 PartitionIterator.
type partition struct {
	load   *Load
	key    [][]byte
	seed   int64
	levels []level
	unique map[string]struct{}

	use       float64 // chance of a row to be taken
	chances   []float64
	rolls     []float64
	last      []int64 // position of the last row that may be visited
	populated float64
}

// level is the queue of values of one clustering column.
type level struct {
	items []item
	head  int
	at    int64 // how many were passed
	seed  int64 // of what lies below
}

func (l *level) left() int   { return len(l.items) - l.head }
func (l *level) front() item { return l.items[l.head] }
func (l *level) pop() {
	if l.head < len(l.items) {
		l.head++
	}
}

func newPartition(l *Load) *partition {
	n := len(l.clustering)
	return &partition{load: l, levels: make([]level, n), unique: map[string]struct{}{}, chances: make([]float64, n), rolls: make([]float64, n), last: make([]int64, n)}
}

// begin makes the partition key of a seed.
func (p *partition) begin(op *Operation, seed int64) {
	p.key, p.seed = make([][]byte, 0, len(p.load.key)), 0
	for _, g := range p.load.key {
		g.seed(seed)
		v := g.next(&op.memory)
		p.key = append(p.key, v.bytes)
		p.seed = g.below(v, p.seed)
	}
}

// write adds the rows of a partition that are to be written.
func (p *partition) write(op *Operation, seed int64, use, populated float64) {
	p.begin(op, seed)
	p.populated = populated
	if len(p.levels) == 0 {
		p.add(op, p.seed, true, true)
		return
	}
	p.setUse(use)
	p.fill(op, 0)
	p.decompose(atMost(p.load.MostRows()))
	p.rows(op, math.MaxInt, true)
}

// read gives up to want rows of a partition, at least one.
func (p *partition) read(op *Operation, seed int64, want int, values bool) []plan.Row {
	p.begin(op, seed)
	p.populated = 1
	if len(p.levels) == 0 {
		p.add(op, p.seed, true, values)
		return op.Rows
	}
	g := p.load.clustering[0]
	g.seed(p.seed)
	expected := g.cluster.Next() * p.load.descendants[0]
	p.setUse(max(0, min(1, float64(want)/float64(expected))))
	p.fill(op, 0)
	for i := range p.last {
		p.last[i] = math.MaxInt32
	}
	p.rows(op, max(want, 1), values)
	if len(op.Rows) == 0 { // no row was drawn
		p.setUse(1)
		p.fill(op, 0)
		p.rows(op, 1, values)
	}
	return op.Rows
}

func (p *partition) setUse(use float64) {
	if p.use < 1 {
		for i := range p.rolls {
			p.rolls[i], p.chances[i] = 1, 1
		}
	}
	p.use = use
}

// decompose sets the last row that may be visited, by the mean counts of rows.
func (p *partition) decompose(scalar int64) {
	for i, below := range p.load.descendants {
		p.last[i], scalar = scalar/below, scalar%below
	}
	for i := len(p.last) - 1; i > 0; i-- {
		if of := p.load.averages[i]; p.last[i] >= of {
			p.last[i-1] += p.last[i] / of
			p.last[i] %= of
		}
	}
}

// rows adds the rows that are taken, at most that many.
func (p *partition) rows(op *Operation, most int, values bool) {
	p.levels[0].at = 0
	leaf := len(p.levels) - 1
	from := len(op.Rows)
	for found := p.advance(op, 0, true); found; found = p.advance(op, leaf, false) {
		g := p.load.clustering[leaf]
		p.add(op, g.below(p.levels[leaf].front(), p.levels[leaf].seed), len(op.Rows) == from, values)
		if len(op.Rows)-from == most {
			return
		}
		p.levels[leaf].pop()
		p.levels[leaf].at++
	}
}

// add adds the row at the current clustering.
func (p *partition) add(op *Operation, seed int64, first, values bool) {
	if n := len(op.Rows); n < cap(op.Rows) {
		op.Rows = op.Rows[:n+1]
	} else {
		op.Rows = append(op.Rows, plan.Row{})
	}
	r := &op.Rows[len(op.Rows)-1]
	r.New, r.Key, r.Clustering, r.Values = first, p.key, r.Clustering[:0], r.Values[:0]
	for i := range p.levels {
		r.Clustering = append(r.Clustering, p.levels[i].front().bytes)
	}
	if !values {
		return
	}
	all := float64(len(p.load.values))
	for i, g := range p.load.values {
		if float64(i+1)/all > p.populated {
			r.Values = append(r.Values, nil)
			continue
		}
		g.seed(seed)
		r.Values = append(r.Values, g.next(&op.memory).bytes)
	}
}

// advance goes on to the next row that is taken, from the front of a level.
func (p *partition) advance(op *Operation, depth int, first bool) bool {
	for {
		l := &p.levels[depth]
		if l.left() == 0 {
			if depth == 0 {
				return false
			}
			depth--
			p.levels[depth].pop()
			if p.levels[depth].at++; p.levels[depth].at > p.last[depth] {
				return false
			}
			continue
		}
		order := p.compareToLast(depth)
		if order > 0 {
			return false
		}
		odds := p.use * p.chances[depth]
		if first && order == 0 || odds > float64(float32(0.99999)) || odds >= chance(p.load.random) {
			if depth++; depth == len(p.levels) {
				return true
			}
			if p.use < 1 {
				p.rolls[depth] = p.rolls[depth-1] / min(1, odds)
				p.chances[depth] = float64(p.load.descendants[depth]) * p.rolls[depth]
			}
			p.levels[depth].at = 0
			p.fill(op, depth)
			continue
		}
		if order >= 0 {
			return false
		}
		l.pop()
		l.at++
	}
}

// compareToLast is 0 at the last row that may be visited, above 0 behind it.
func (p *partition) compareToLast(depth int) int {
	behind := false
	for i := 0; i <= depth; i++ {
		at, last, left := p.levels[i].at, p.last[i], p.levels[i].left()
		switch {
		case behind:
			if left > 1 {
				return -1
			}
		case at > last:
			return 1
		case at == last:
		case left == 1:
			behind = true
		default:
			return -1
		}
	}
	return 0
}

// fill makes the values of a level, each once.
func (p *partition) fill(op *Operation, depth int) {
	seed := p.seed
	if depth > 0 {
		seed = p.levels[depth-1].seed
	}
	g, l := p.load.clustering[depth], &p.levels[depth]
	g.seed(seed)
	count := g.cluster.Next()
	l.items, l.head = l.items[:0], 0
	if count == 1 {
		l.items = append(l.items, g.next(&op.memory))
	} else {
		clear(p.unique)
		for range count {
			v := g.next(&op.memory)
			if _, have := p.unique[string(v.bytes)]; !have {
				p.unique[string(v.bytes)] = struct{}{}
				l.items = append(l.items, v)
			}
		}
	}
	l.seed = g.below(l.front(), seed)
}
