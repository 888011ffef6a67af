package session

import (
	"bytes"

	"ringlab/engine/answer"
	"ringlab/engine/cluster"
	"ringlab/engine/storage"
	"ringlab/model/plan"
)

// CompareCells is cas of the classic model: writes are applied if the row has
// exactly the expected columns with their values, or none at all if nothing is
// expected. Otherwise the answer has what is there.
// Source: Cassandra 2.1 ThriftCASRequest.
func (c *Core) CompareCells(text string, read *plan.CellRead, expected []Cell, writes []*plan.Write) (a *answer.Answer, applied bool, current CellRow) {
	a, _ = c.finishStatement(func() *flight {
		f := c.classic(text)
		if f.ans.Error != nil {
			return f
		}
		t := read.Table.Stored()
		if err := c.serializable(f.client, t); err != nil {
			f.ans.Error = refusal(err)
			return f
		}
		f.table = t
		c.open(f, "cas", f.coord)
		now := c.Cluster.Seconds(f.coord)
		key := read.Keys[0]
		q := &storage.Query{Table: t, Key: string(key), Token: c.Cluster.Partitioner().Token(key), Slices: read.Slices, Now: now,
			GCBefore: now - int64(t.Options.GCGrace)}
		if len(expected) == 0 {
			q.PerPartition = 1
		}
		decide := func(found *storage.Found, timestamp int64) (*storage.Partition, error) {
			current = CellRow{Key: key}
			if found != nil {
				current.cells = takeApart(read, found.Partition, now)
			}
			if !sameCells(current.cells, expected) {
				return nil, nil
			}
			return c.casWrites(q, writes, timestamp, now)
		}
		f.finish = func(*answer.Answer) { applied = f.op.Applied }
		c.Cluster.CompareAndSet(f.op, &cluster.CAS{Query: q, Serial: f.client.Serial, Decide: decide})
		return f
	})
	return a, applied, current
}

// sameCells compares names and values; timestamps do not count.
func sameCells(have, want []Cell) bool {
	if len(have) != len(want) {
		return false
	}
	for i := range want {
		if !bytes.Equal(have[i].Name, want[i].Name) || !bytes.Equal(have[i].Value, want[i].Value) {
			return false
		}
	}
	return true
}

// casWrites is what the writes of a cas are, with the ballot's timestamp.
func (c *Core) casWrites(q *storage.Query, writes []*plan.Write, timestamp, now int64) (*storage.Partition, error) {
	parts := []*storage.Partition{{Key: q.Key, Token: q.Token, Del: storage.Live}}
	for _, w := range writes {
		own := *w
		own.Timestamp = nil
		out, err := c.lower.Lower(&own, nil, c.Cluster.Partitioner(), timestamp, now, nil)
		if err != nil {
			return nil, err
		}
		parts = append(parts, out...)
	}
	return storage.Merge(q.Table, parts, false), nil
}
