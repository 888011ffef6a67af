package cluster

import "ringlab/ring"

// systemTables are the tables that every node of Cassandra 5.0 has by itself.
const systemTables = 48

// samplesPerSplit is how many key samples a split of a range stands for at least.
// Source: Cassandra 5.0 StorageService.getSplits.
const samplesPerSplit = 4

// Shares gives every range of the ring its share of it, by entry. An ordered
// partitioner has no distances: there a node counts the splits of all tables in each
// range, at least one a table, more where its files have many keys. asked is the
// node that counts. Source: Cassandra 5.0 ByteOrderedPartitioner.describeOwnership.
func (c *Cluster) Shares(asked int) []float64 {
	if shares, err := c.Partitioner().Ownership(c.Ring.Tokens()); err == nil {
		return shares
	}
	counts := make([]int, c.Ring.Len())
	total := 0
	for e := range counts {
		counts[e] = systemTables
		for _, k := range c.keyspaces() {
			for _, name := range k.TableNames() {
				counts[e] += c.splits(asked, k.Tables[name].ID, c.Ring.Range(e))
			}
		}
		total += counts[e]
	}
	shares := make([]float64, len(counts))
	for e, n := range counts {
		shares[e] = float64(float32(n) / float32(total))
	}
	return shares
}

// splits is the number of splits of a table in a range, going by a node's files.
func (c *Cluster) splits(node int, table [16]byte, r ring.Range) int {
	s := c.Nodes[node].Stores[table]
	if s == nil {
		return 1
	}
	keys, samples := 0, 0
	for _, t := range s.SSTables {
		inside, _ := t.Section(ring.Normalize([]ring.Range{r}, c.Partitioner().Minimum()), c.Partitioner().Minimum())
		keys += len(inside)
		for _, token := range t.File().SampleOf() {
			if r.Contains(token) {
				samples++
			}
		}
	}
	return max(1, min(samples/samplesPerSplit+1, keys))
}

// Owns gives each node its share of the ring: of what it holds replicas of, with a
// keyspace, else of what it owns itself.
func (c *Cluster) Owns(asked int, keyspace string) []float64 {
	owned := make([]float64, len(c.Nodes))
	for e, share := range c.Shares(asked) {
		holders := []int{c.Ring.Node(e)}
		if keyspace != "" {
			holders = c.Placement(keyspace).ReplicasOf(e)
		}
		for _, n := range holders {
			owned[n] += share
		}
	}
	return owned
}
