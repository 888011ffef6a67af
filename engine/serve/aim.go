package serve

import (
	"bytes"
	"slices"
	"strings"

	"ringlab/engine/session"
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// aim is what a request goes to.
type aim struct {
	own        bool // a system table: drivers ask for themselves
	partitions int  // that are read or written; 0: a range, or nothing
	read       bool
	filtering  bool // rows are read to be thrown away
	batch      bool
	placed     bool    // one partition, which not every node holds
	local      bool    // the coordinator holds it
	share      float64 // of the nodes that do
}

// aimOf looks at what was done; nil is what was refused.
func aimOf(core *session.Core, p plan.Plan, node int) (a aim) {
	var table *schema.Table
	var key []byte
	switch p := p.(type) {
	case *plan.Select:
		table, a.read, a.partitions = p.Table, true, len(p.Keys)
		a.filtering = p.AllowFiltering && len(p.Filters) > 0 && p.Index == nil
		if len(p.Keys) == 1 {
			key = p.Keys[0]
		}
	case *plan.Write:
		table, a.partitions = p.Table, len(p.Keys)
		if len(p.Keys) == 1 {
			key = p.Keys[0]
		}
	case *plan.Batch:
		a.batch = true
		table, key, a.partitions = partitions(p)
	}
	if table == nil {
		return a
	}
	if strings.HasPrefix(table.Keyspace, "system") {
		return aim{own: true}
	}
	if a.partitions != 1 {
		return a
	}
	c := core.Cluster
	replicas := c.Placement(table.Keyspace).Replicas(c.Partitioner().Token(key))
	members := len(c.Members())
	a.placed, a.local = len(replicas) > 0 && len(replicas) < members, slices.Contains(replicas, node)
	a.share = float64(len(replicas)) / float64(max(members, 1))
	return a
}

// partitions counts what a batch writes to, and gives the first of it.
func partitions(b *plan.Batch) (table *schema.Table, key []byte, n int) {
	type place struct {
		table *schema.Table
		key   string
	}
	var seen map[place]bool
	for _, w := range b.Writes {
		for _, k := range w.Keys {
			switch {
			case n == 0:
				table, key, n = w.Table, k, 1
			case seen == nil && w.Table == table && bytes.Equal(k, key):
			default:
				if seen == nil {
					seen = map[place]bool{{table, string(key)}: true}
				}
				seen[place{w.Table, string(k)}] = true
				n = len(seen)
			}
		}
	}
	return table, key, n
}
