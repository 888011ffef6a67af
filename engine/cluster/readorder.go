package cluster

import (
	"ringlab/engine/storage"
	"ringlab/model/plan"
)

// ReadApart reads partitions by key one after the other, as pages are made: none that
// comes behind the limit is read at all, nor do its replicas have to be there.
// Source: Cassandra 5.0 MultiPartitionPager.
func (c *Cluster) ReadApart(op *Op, queries []*storage.Query) {
	if len(queries) < 2 {
		c.Read(op, queries)
		return
	}
	all := make([]*storage.Found, len(queries))
	left := queries[0].Limit
	if op.groups != nil {
		left = op.groups.Limit()
	}
	limited := left > 0
	var next func(i int)
	next = func(i int) {
		if i == len(queries) || limited && left <= 0 {
			op.Found = all
			c.finish(op, nil)
			return
		}
		q := *queries[i]
		switch {
		case !limited:
		case op.groups != nil:
			op.groups.Narrow(left)
		default:
			q.Limit = left
		}
		op.Then(func() {
			if all[i] = op.Found[0]; limited && op.groups != nil {
				_, end := op.groups.Cut(all[i:i+1], 1, op.passing())
				left -= end.Groups
			} else if all[i] != nil {
				left -= all[i].Live
			}
			next(i + 1)
		})
		op.space.found[0] = nil
		c.Read(op, []*storage.Query{&q})
	}
	next(0)
}

// ReadPortion reads one partition for an operation that may have read before, at a level
// that may be serial.
func (c *Cluster) ReadPortion(op *Op, q *storage.Query, cl plan.Consistency) {
	op.space.found[0] = nil
	if cl.IsSerial() {
		c.ReadSerial(op, []*storage.Query{q}, cl)
		return
	}
	c.Read(op, []*storage.Query{q})
}

// Give ends a read with what it has found in portions.
func (c *Cluster) Give(op *Op, found []*storage.Found) {
	op.Found = found
	c.finish(op, nil)
}

// inOrder are the reads of several partitions that share a limit. Whose copies differ is
// merged and repaired in their order, and only as far as the limit reaches.
// Source: Cassandra 5.0 StorageProxy.fetchRows, concatAndBlockOnRepair.
type inOrder struct {
	requests []*request
	turn     int // which of them is taken up next
	live     int // rows before it
	limit    int // of all
}

// mayMerge says whether it is a request's turn to be merged, and narrows its limit to what those
// before it have left; beyond says that they have left nothing.
func (r *request) mayMerge() (turn, beyond bool) {
	q := r.op.queue
	if q == nil || r.kind != reqRead || r.protects != nil {
		return true, false
	}
	if r.slot > q.turn {
		r.ready = true
		return false, false
	}
	left := q.limit - q.live
	if left > 0 && left < r.query.Limit {
		if r.wide == nil {
			r.wide = r.query
		}
		narrow := *r.query
		narrow.Limit = left
		r.query = &narrow
	}
	return true, left <= 0
}

// advanceReads goes on behind the reads that have been answered.
func (c *Cluster) advanceReads(op *Op) {
	q := op.queue
	for q.turn < len(q.requests) && q.requests[q.turn].answered {
		if f := op.Found[q.requests[q.turn].slot]; f != nil {
			q.live += f.Live
		}
		q.turn++
	}
	if q.turn < len(q.requests) && q.requests[q.turn].ready {
		q.requests[q.turn].ready = false
		c.reconcile(q.requests[q.turn])
	}
}
