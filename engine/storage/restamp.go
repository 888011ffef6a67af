package storage

import "ringlab/model/schema"

// Restamp is the partition as if all of it had been written at one timestamp,
// deletions a microsecond earlier, so that what is written beside them stays:
// the form in which Paxos proposes.
// Source: Cassandra 5.0 PartitionUpdate.Builder.updateAllTimestamp, Commit.newProposal.
func Restamp(t *schema.Table, p *Partition, timestamp int64) *Partition {
	out := *p
	deletion := func(d Deletion) Deletion {
		if d.IsLive() {
			return d
		}
		return Deletion{timestamp - 1, d.Local}
	}
	out.Del = deletion(p.Del)
	out.Ranges = nil
	for _, r := range p.Ranges {
		out.Ranges = append(out.Ranges, RangeTombstone{r.Slice, deletion(r.Del)})
	}
	var v View
	row := func(r Row) Row {
		if r.IsZero() {
			return r
		}
		r.Unpack(&v)
		if v.Liveness.Timestamp != NoTimestamp {
			v.Liveness.Timestamp = timestamp
		}
		v.Deletion = deletion(v.Deletion)
		for i := range v.Cells {
			c := &v.Cells[i]
			if c.Timestamp = timestamp; c.Complex {
				c.Timestamp--
			}
		}
		packed, _ := v.Pack(nil)
		return packed
	}
	out.Static = row(p.Static)
	out.Rows = make([]Row, len(p.Rows))
	for i, r := range p.Rows {
		out.Rows[i] = row(r)
	}
	// What the deletions of the partition cover is settled by the new timestamps.
	return Merge(t, []*Partition{&out, {Key: p.Key, Token: p.Token, Del: Live}}, false)
}
