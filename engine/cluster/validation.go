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
// the trees have, -1 if a file cannot be read. Memtables are flushed before a full repair; an incremental one
// has set the files aside already.
// Source: Cassandra 5.0 ValidationManager.doValidation.
func (c *Cluster) validate(r *Repair, node int) (took sim.Time, leaves int) {
	session, t := &r.sessions[r.at], r.Tables[r.table]
	slot := slices.Index(session.replicas, node)
	if !r.incremental() {
		c.Flush(node, t)
	}
	store, minimum := c.Store(node, t), c.Partitioner().Minimum()
	if !r.incremental() && store.Mem.Partitions() > 0 { // it could not be flushed
		return 0, -1
	}
	for _, file := range store.SSTables {
		if inside, _ := file.Section(ring.Normalize(session.ranges, minimum), minimum); c.compared(r)(file) {
			if c.fileFails(node, t, inside, file) {
				return 0, -1
			}
		}
	}
	find := rangeFinder(session.ranges)
	var found []validated
	full := make([]bool, len(session.ranges))
	counts, all := estimatedKeys(store, c.compared(r), session.ranges, find)
	now := c.Seconds(r.Coord)
	bytes := store.Validate(ring.Normalize(session.ranges, minimum), minimum, now, now-int64(store.Table.Options.GCGrace), c.compared(r), func(p *storage.Partition) {
		at := find(p.Token)
		full[at] = true
		found = append(found, validated{p.Token, p.Digest(), at})
	})
	trees := make([]*repair.Tree, len(session.ranges))
	_, err := c.Partitioner().Size(minimum, minimum)
	ordered := err != nil
	depths := make([]int, len(session.ranges))
	for i, n := range counts {
		depths[i] = repair.Depth(n, all, c.Strategy(r.Keyspace).RF())
		if !full[i] {
			continue // it is made if another replica has partitions there
		}
		depth := depths[i]
		trees[i] = repair.NewTree(c.Partitioner(), session.ranges[i], depth)
		if ordered {
			trees[i] = sampledTree(c.Partitioner(), session.ranges[i], depth, found, i)
		}
		leaves += trees[i].Leaves()
	}
	for _, v := range found {
		trees[v.at].Add(v.token, v.hash)
	}
	r.trees[slot], r.depths[slot] = trees, depths
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

// keysPerSample is the number of keys that a sample of an index summary stands for.
// Source: Cassandra 5.0 TableParams.DEFAULT_MIN_INDEX_INTERVAL.
const keysPerSample = 128

// estimatedKeys says how many partitions there may be in each range, and in all: 128
// for each sample of a file's index that lies in it, at least one a file. So a tree
// has more leaves than a small table has partitions.
// Source: Cassandra 5.0 CassandraValidationIterator, SSTableReader.estimatedKeysForRanges.
func estimatedKeys(s *storage.TableStore, which func(*storage.SSTable) bool, ranges []ring.Range, find func(ring.Token) int) (counts []int, all int) {
	counts = make([]int, len(ranges))
	samples := make([]int, len(ranges))
	for _, t := range s.SSTables {
		if !which(t) {
			continue
		}
		clear(samples)
		for _, token := range t.File().SampleOf() {
			if at := find(token); at >= 0 {
				samples[at]++
			}
		}
		for i, n := range samples {
			counts[i] += max(1, n*keysPerSample)
		}
	}
	for _, n := range counts {
		all += n
	}
	return counts, all
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
