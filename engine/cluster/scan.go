package cluster

import (
	"math"

	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// scan is a range read in progress: the pieces of the ring that are left, in
// token order, and what was found.
type scan struct {
	query  *storage.Query
	pieces []piece
	at     int // next piece to plan
	ahead  *planned
	limit  int // rows wanted, 0 = all

	total    int // pieces in all
	asked    int // pieces queried so far
	live     int
	before   int        // of live: what earlier rounds gave
	returned int        // as many, as Cassandra counts them to plan the next round
	requests []*request // of the round, in token order
	turn     int        // which of them is taken up next
}

// piece is one range between neighbouring tokens of the ring.
type piece struct {
	bounds   storage.Bounds
	replicas []int
	last     bool // ends at the maximum token: never merged with the next
}

// planned is a run of pieces that one request can cover.
type planned struct {
	bounds     storage.Bounds
	candidates []int
	contacts   []int
	pieces     int
	last       bool
}

// Scan reads the partitions of a stretch of the ring in token order until limit
// live rows were found (0 = all). Source: Cassandra 5.0 RangeCommands,
// RangeCommandIterator.
func (c *Cluster) Scan(op *Op, q *storage.Query, b storage.Bounds, limit int) {
	s := &scan{query: q, limit: limit}
	op.scan = s
	if op.CL == plan.NodeLocal {
		store := c.Store(op.Coord, q.Table)
		failed := false
		if x := c.sought(op, q.Table); x != nil {
			op.Found, failed = c.seekRange(op, op.Coord, x, q, b, 0)
		} else {
			op.Found = store.At(int64(c.now)).ScanAfter(q, b)
			failed = c.readFails(op.Coord, q.Table, len(store.SSTables), store.CorruptScanAfter(q, b, op.Found))
		}
		if failed {
			c.finish(op, c.readFailure(op.Coord, op.CL, 1, 0, false, op.Coord, reasonUnknown))
			return
		}
		if op.filter != nil {
			op.Found = op.filter.sieve(q, op.Found, true)
		}
		c.countScan(op.Coord, &store.Metrics, q, op.Found)
		op.Answered = []int{op.Coord}
		c.finish(op, nil)
		return
	}
	s.pieces = c.split(q.Table.Keyspace, b)
	if least := c.Partitioner().Minimum(); q.Table.IsView() && b.NoLeft && c.Ring.Len() > 0 && c.Ring.Token(0) == least {
		// Only views may have an empty key, whose token is the minimum. Where a
		// node owns that token itself, it does not belong to the first range.
		only := storage.Bounds{Left: least, Right: least, IncludeLeft: true}
		s.pieces = append([]piece{{bounds: only, replicas: c.Placement(q.Table.Keyspace).Replicas(least)}}, s.pieces...)
		s.pieces[1].bounds.NoLeft, s.pieces[1].bounds.Left = false, least
	}
	s.total = len(s.pieces)
	c.tr(op, op.Coord, threadClient, "Computing ranges to query")
	first := c.firstConcurrency(op, s)
	if s.total == 0 {
		c.finish(op, nil)
		return
	}
	c.scanRound(op, first)
}

// mostAtOnce is how many ranges a round asks at most: ten for each of the two
// processors that nodes are taken to have.
// Source: Cassandra 5.0 RangeCommands.MAX_CONCURRENT_RANGE_REQUESTS.
const mostAtOnce = 20

// firstConcurrency is how many ranges the first round asks: as many as the
// estimate of an index or of the coordinator's own files says, all with a
// storage-attached index, which estimates nothing.
// Source: Cassandra 5.0 RangeCommands.rangeCommandIterator, estimateResultsPerRange.
func (c *Cluster) firstConcurrency(op *Op, s *scan) int {
	most := min(s.total, mostAtOnce)
	if op.seek != nil && op.seek.attached {
		c.tr(op, op.Coord, threadClient, "Submitting range requests on %d ranges with a concurrency of %d", s.total, most)
		return most
	}
	var each float32
	if op.seek != nil {
		each = float32(op.seek.estimate)
	} else {
		each = estimatedRows(c.Store(op.Coord, s.query.Table), s.query.Table)
	}
	each = each / float32(max(1, len(c.Nodes[op.Coord].Tokens))) / float32(c.Strategy(s.query.Table.Keyspace).RF())
	each -= float32(float64(each) * 0.1)
	first := 1
	if each != 0 {
		limit := float32(math.MaxInt32)
		if s.limit > 0 {
			limit = float32(s.limit)
		}
		if ratio := math.Ceil(float64(limit / each)); ratio < float64(most) { // what is no number counts as none
			first = max(1, int(ratio))
		} else if ratio >= float64(most) {
			first = most
		}
	}
	if op.Traced {
		c.tr(op, op.Coord, threadClient, "Submitting range requests on %d ranges with a concurrency of %d (%s rows per range expected)", s.total, first, types.JavaFloat(each))
	}
	return first
}

// estimatedRows is how many rows a node takes a table to have by its files: the
// mean number of cells a partition, over the regular columns, for each key that
// their indexes suggest. Memtables do not count.
// Source: Cassandra 5.0 DataLimits.CQLLimits.estimateTotalResults,
// ColumnFamilyStore.getMeanEstimatedCellPerPartitionCount, estimateKeys.
func estimatedRows(s *storage.TableStore, t *schema.Table) float32 {
	sum, count, keys := int64(0), int64(0), int64(0)
	for _, f := range s.SSTables {
		keys += f.EstimatedKeys(t)
		cells, n := f.CellsPerPartition()
		sum, count = sum+cells, count+n
	}
	mean := int64(0)
	if count > 0 {
		mean = sum / count
	}
	if mean == 0 && len(t.Regular) > 0 {
		return 0
	}
	return float32(mean) / float32(len(t.Regular)) * float32(keys)
}

// split cuts a stretch of the ring at every token.
func (c *Cluster) split(keyspace string, b storage.Bounds) []piece {
	placement := c.Placement(keyspace)
	tm := c.Ring
	var out []piece
	left := b
	for e := 0; e < tm.Len(); e++ {
		t := tm.Token(e)
		if t == c.Partitioner().Minimum() {
			continue // its range is the last one, above all other tokens
		}
		if !left.NoLeft {
			if x := t.Compare(left.Left); x < 0 || x == 0 && !left.IncludeLeft {
				continue
			}
		}
		if !b.NoRight && t.Compare(b.Right) >= 0 {
			break
		}
		p := left
		p.Right, p.NoRight, p.ExcludeRight = t, false, false
		out = append(out, piece{bounds: p, replicas: placement.ReplicasOf(e)})
		left.Left, left.NoLeft, left.IncludeLeft = t, false, false
	}
	var last []int
	switch {
	case tm.Len() == 0:
	case b.NoRight:
		last = placement.ReplicasOf(0)
	default:
		last = placement.Replicas(b.Right)
	}
	if empty := !left.NoLeft && !b.NoRight && left.Left.Compare(b.Right) >= 0 && !(left.IncludeLeft && !b.ExcludeRight && left.Left == b.Right); !empty {
		out = append(out, piece{bounds: left, replicas: last, last: b.NoRight})
	}
	return out
}

// planPiece plans one piece for itself.
func (c *Cluster) planPiece(op *Op, p piece, s ring.Strategy) (*planned, *Failure) {
	candidates := c.candidates(op.CL, op.Coord, p.replicas)
	if err := c.available(op.CL, s, op.Coord, candidates); err != nil {
		return nil, err
	}
	contacts := c.contactsFor(op.CL, s, c.blockFor(op.CL, s, op.Coord), candidates)
	return &planned{bounds: p.bounds, candidates: candidates, contacts: contacts, pieces: 1, last: p.last}, nil
}

// nextPlanned joins the next pieces for as long as the replicas they share still
// satisfy the level and joining asks no other data center in vain. It looks one
// piece ahead, so an unavailable piece fails the read one piece early.
// Source: Cassandra 5.0 ReplicaPlanMerger, ReplicaPlans.maybeMerge.
func (c *Cluster) nextPlanned(op *Op, s *scan, strategy ring.Strategy) (*planned, *Failure) {
	plan1 := func() (*planned, *Failure) {
		if s.at >= len(s.pieces) {
			return nil, nil
		}
		s.at++
		return c.planPiece(op, s.pieces[s.at-1], strategy)
	}
	current := s.ahead
	s.ahead = nil
	if current == nil {
		var err *Failure
		if current, err = plan1(); err != nil || current == nil {
			return nil, err
		}
	}
	for {
		next, err := plan1()
		if err != nil {
			return nil, err
		}
		if next == nil {
			return current, nil
		}
		merged := c.mergePlans(op, current, next, strategy)
		if merged == nil {
			s.ahead = next
			return current, nil
		}
		current = merged
	}
}

func (c *Cluster) mergePlans(op *Op, a, b *planned, s ring.Strategy) *planned {
	if a.last {
		return nil
	}
	var both []int
	for _, n := range a.candidates {
		if contains(b.candidates, n) {
			both = append(both, n)
		}
	}
	if c.available(op.CL, s, op.Coord, both) != nil {
		return nil
	}
	contacts := c.contactsFor(op.CL, s, c.blockFor(op.CL, s, op.Coord), both)
	if c.remote(op.Coord, contacts) && !c.remote(op.Coord, a.contacts) && !c.remote(op.Coord, b.contacts) {
		return nil
	}
	bounds := a.bounds
	bounds.Right, bounds.NoRight, bounds.ExcludeRight = b.bounds.Right, b.bounds.NoRight, b.bounds.ExcludeRight
	return &planned{bounds: bounds, candidates: both, contacts: contacts, pieces: a.pieces + b.pieces, last: b.last}
}

func (c *Cluster) remote(coord int, nodes []int) bool {
	for _, n := range nodes {
		if c.Nodes[n].DC != c.Nodes[coord].DC {
			return true
		}
	}
	return false
}

// scanRound sends as many range requests at once as the concurrency says.
func (c *Cluster) scanRound(op *Op, concurrency int) {
	s := op.scan
	strategy := c.Strategy(s.query.Table.Keyspace)
	var requests []*request
	for n := 0; n < concurrency; {
		p, err := c.nextPlanned(op, s, strategy)
		if err != nil {
			c.refuse(op, err)
			return
		}
		if p == nil {
			break
		}
		n += p.pieces
		s.asked += p.pieces
		q := *s.query
		q.Limit = 0
		if s.limit > 0 && op.groups == nil {
			q.Limit = s.limit - s.live
		}
		r := newRead(request{kind: reqRange, op: op, coord: op.Coord, table: q.Table, cl: op.CL, strategy: strategy, slot: len(requests),
			need: c.blockFor(op.CL, strategy, op.Coord)}, reading{query: &q, bounds: p.bounds, pieces: p.pieces, repair: -1})
		if op.seek != nil && len(p.contacts) == 1 && op.seek.alone && s.limit > 0 {
			r.hits = s.limit - s.live
		}
		for _, node := range p.contacts {
			r.contacts = append(r.contacts, contact{node: node})
		}
		op.Need = r.need
		requests = append(requests, r)
	}
	if len(requests) == 0 {
		c.finish(op, nil)
		return
	}
	s.requests, s.turn = requests, 0
	for _, r := range requests {
		c.watch(r)
		c.ask(r)
	}
	c.tr(op, op.Coord, threadClient, "Submitted %d concurrent range requests", len(requests))
}

// early says whether a request is to wait until those before it in its round have been
// taken up: what comes behind the limit is neither merged nor repaired.
// Source: Cassandra 5.0 RangeCommandIterator.sendNextRequests, SingleRangeResponse.
func (r *request) early() bool {
	return r.kind == reqRange && r.op.scan != nil && r.slot > r.op.scan.turn
}

// scanned takes one request's rows, in the order of the round, and goes on with the next;
// when the round is complete it decides whether another one is needed.
func (c *Cluster) scanned(r *request, found []*storage.Found) {
	op, s := r.op, r.op.scan
	for _, f := range found {
		if s.query.Ghosts {
			s.live++
		} else {
			s.live += f.Live
		}
		op.Found = append(op.Found, f)
	}
	enough := s.limit > 0 && s.live >= s.limit
	if op.groups != nil {
		var end GroupCut
		_, end = op.groups.Cut(op.Found, 1, r.op.passing())
		s.live, enough = end.Groups, end.Done
	}
	if s.turn++; s.turn < len(s.requests) && !enough {
		c.takeUp(s.requests[s.turn])
		return
	}
	if s.at >= len(s.pieces) && s.ahead == nil || enough {
		c.finish(op, nil)
		return
	}
	s.returned += 2 * (s.live - s.before) // each round is counted twice
	s.before = s.live
	next := s.concurrency()
	if s.live == 0 {
		c.tr(op, op.Coord, threadClient, "Didn't get any response rows; new concurrent requests: %d", next)
	}
	c.scanRound(op, next)
}

// takeUp goes on with a request whose turn it is. Its replicas were asked for as many
// rows as were missing when the round began; fewer may be by now.
func (c *Cluster) takeUp(r *request) {
	if s := r.op.scan; s.limit > 0 && r.op.groups == nil {
		if r.wide == nil {
			r.wide = r.query
		}
		q := *r.query
		q.Limit = s.limit - s.live
		r.query = &q
	}
	if r.late != nil {
		r.settled, r.answered = true, true
		c.finish(r.op, r.late)
		return
	}
	c.checkRead(r)
}

// concurrency is how many ranges to ask at once next: all that are left if
// nothing was found, else as many as the rows per range so far suggest.
// Source: Cassandra 5.0 RangeCommandIterator.computeConcurrencyFactor,
// updateConcurrencyFactor.
func (s *scan) concurrency() int {
	most := max(1, min(s.total-s.asked, mostAtOnce))
	if s.returned == 0 {
		return most
	}
	limit := math.MaxInt32
	if s.limit > 0 {
		limit = s.limit
	}
	perRange := float32(s.returned) / float32(s.asked)
	return max(1, min(most, int(math.Floor(float64(float32(limit-s.returned)/perRange)+0.5))))
}
