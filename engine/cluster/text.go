package cluster

import (
	"fmt"

	"ringlab/engine/storage"
	"ringlab/model/schema"
	"ringlab/ring"
)

// boundsText writes a stretch of the ring as traces do.
func (c *Cluster) boundsText(b storage.Bounds) string {
	p := c.Partitioner()
	left, right := p.Format(p.Minimum()), p.Format(p.Minimum())
	if !b.NoLeft {
		left = p.Format(b.Left)
	}
	if !b.NoRight {
		right = p.Format(b.Right)
	}
	return "(" + left + "," + right + "]"
}

// positionsText writes a stretch of the ring as a scan of it does: by the least or the
// greatest key of each token. Nothing may be beyond the last of a stretch that was not joined.
// Source: Cassandra 5.0 AbstractBounds, Token.KeyBound, StatementRestrictions.getPartitionKeyBounds.
func (c *Cluster) positionsText(b storage.Bounds, joined bool) string {
	p := c.Partitioner()
	least := "min(" + p.Format(p.Minimum()) + ")"
	left, right, shut := least, least, "]"
	switch {
	case b.NoLeft:
	case b.IncludeLeft:
		left = "min(" + p.Format(b.Left) + ")"
	default:
		left = "max(" + p.Format(b.Left) + ")"
	}
	switch {
	case b.NoRight && !joined:
		shut = ")"
	case b.NoRight:
	case b.ExcludeRight:
		right = "min(" + p.Format(b.Right) + ")"
	default:
		right = "max(" + p.Format(b.Right) + ")"
	}
	return "(" + left + ", " + right + shut
}

// tokenRange writes the range of the ring that a token lies in.
func (c *Cluster) tokenRange(t ring.Token) string {
	e := c.Ring.Primary(t)
	if e < 0 {
		return ""
	}
	r := c.Ring.Range(e)
	p := c.Partitioner()
	return "(" + p.Format(r.Left) + "," + p.Format(r.Right) + "]"
}

func (c *Cluster) rangeText(q *storage.Query) string { return c.tokenRange(q.Token) }

// oversized is the refusal of a mutation that no commit log segment can take.
// Source: Cassandra 5.0 MutationExceededMaxSizeException.
func oversized(t *schema.Table, p *storage.Partition, size int, most int64) string {
	return fmt.Sprintf("Rejected an oversized mutation (%d/%d) for keyspace: %s. Top keys are: %s.%s", size, most, t.Keyspace, t.Name, t.KeyText([]byte(p.Key)))
}
