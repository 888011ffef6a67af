package cluster

import (
	"slices"

	"ringlab/engine/event"
	"ringlab/engine/repair"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/ring"
)

// validated is a partition on its way into a tree.
type validated struct {
	token ring.Token
	hash  uint64
	at    int // range of the session
}

// validate makes a replica's trees of the table that is compared now. It says how
// long that takes, since it reads as fast as compactions may, and how many leaves
// the trees have. Memtables are flushed before a full repair; an incremental one
// has set the files aside already.
// Source: Cassandra 5.0 ValidationManager.doValidation.
func (c *Cluster) validate(r *Repair, node int) (took sim.Time, leaves int) {
	session, t := &r.sessions[r.at], r.Tables[r.table]
	slot := slices.Index(session.replicas, node)
	if r.Full {
		c.Flush(node, t)
	}
	store, minimum := c.Store(node, t), c.Partitioner().Minimum()
	find := rangeFinder(session.ranges)
	var found []validated
	counts := make([]int, len(session.ranges))
	now := c.Seconds(r.Coord)
	bytes := store.Validate(ring.Normalize(session.ranges, minimum), minimum, now, now-int64(store.Table.Options.GCGrace), c.compared(r), func(p *storage.Partition) {
		at := find(p.Token)
		counts[at]++
		found = append(found, validated{p.Token, p.Digest(), at})
	})
	trees := make([]*repair.Tree, len(session.ranges))
	_, err := c.Partitioner().Size(minimum, minimum)
	ordered := err != nil
	for i, n := range counts {
		if n == 0 {
			continue // without partitions every tree is the same
		}
		depth := repair.Depth(n, len(found), c.Strategy(r.Keyspace).RF())
		trees[i] = repair.NewTree(c.Partitioner(), session.ranges[i], depth)
		if ordered {
			trees[i] = sampledTree(c.Partitioner(), session.ranges[i], depth, found, i)
		}
		leaves += trees[i].Leaves()
	}
	for _, v := range found {
		trees[v.at].Add(v.token, v.hash)
	}
	r.trees[slot] = trees
	r.Partitions += int64(len(found))
	r.Validated += bytes
	if c.Listening() {
		c.emit(event.Record{Kind: event.Validate, Node: node, Peer: r.Coord, What: t.Keyspace + "." + t.Name, N: int64(len(found)), M: bytes})
	}
	rate := c.Set.CompactionThroughput
	if rate <= 0 {
		rate = diskRate
	}
	return c.Nodes[node].service(sim.Millisecond + sim.Time(bytes*int64(sim.Second)/rate)), leaves
}

// sampledTree is a tree of a partitioner that keeps keys in order: it is halved
// where the keys are, not evenly.
// Source: Cassandra 5.0 Validator.prepare, which takes keys at random.
func sampledTree(p ring.Partitioner, r ring.Range, depth int, found []validated, at int) *repair.Tree {
	tree := repair.NewTree(p, r, 0)
	for more := true; more; {
		more = false
		for _, v := range found {
			if tree.Leaves() >= 1<<depth {
				return tree
			}
			if v.at == at && tree.Split(v.token) {
				more = true
			}
		}
	}
	return tree
}

// rangeFinder gives the place of the range that a token lies in; -1 for none. The
// ranges are pieces between neighbouring tokens of the ring.
func rangeFinder(ranges []ring.Range) func(ring.Token) int {
	order := make([]int, len(ranges))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return ranges[a].Right.Compare(ranges[b].Right) })
	return func(t ring.Token) int {
		i, _ := slices.BinarySearchFunc(order, t, func(at int, t ring.Token) int { return ranges[at].Right.Compare(t) })
		for _, k := range []int{i % len(order), 0} { // the first range may begin behind the last token
			if ranges[order[k]].Contains(t) {
				return order[k]
			}
		}
		return -1
	}
}
