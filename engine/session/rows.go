package session

import (
	"sort"

	"ringlab/model/schema"
	"ringlab/ring"
)

// RowAt is a row's key with its place on the ring.
type RowAt struct {
	Key   string
	Token ring.Token
}

// mostRows is how many rows are looked at.
const mostRows = 20_000

// RowsOf are the rows of a table that some node holds, in the order of the ring.
func (c *Core) RowsOf(t *schema.Table) []RowAt {
	seen := map[string]bool{}
	var out []RowAt
	for _, n := range c.Cluster.Members() {
		store := n.Stores[t.Stored().ID]
		if store == nil {
			continue
		}
		store.EachKey(func(key string, token ring.Token, _ int) bool {
			if !seen[key] {
				seen[key] = true
				out = append(out, RowAt{key, token})
			}
			return len(out) < mostRows
		})
	}
	sort.Slice(out, func(i, j int) bool {
		if o := out[i].Token.Compare(out[j].Token); o != 0 {
			return o < 0
		}
		return out[i].Key < out[j].Key
	})
	return out
}

// RowOrder is what rows are ordered by: tokens, or keys under a partitioner that
// keeps their order.
func (c *Core) RowOrder() string {
	switch c.Cluster.Partitioner().Name() {
	case "ByteOrderedPartitioner", "OrderPreservingPartitioner":
		return "keys"
	}
	return "tokens"
}
