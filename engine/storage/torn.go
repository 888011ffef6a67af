package storage

import (
	"fmt"

	"ringlab/model/schema"
)

// Torn is a partition that a scrub of 5.0.5 gives up on, though nothing is wrong with
// it: its iterator over rows takes range tombstones for rows, and in format nb rows
// with a TTL for rows whose expiry has overflowed.
// Source: Cassandra 5.0 SortedTableScrubber.RowMergingSSTableIterator.
type Torn struct {
	Begun *Partition // what was written of it, and taken back
	Cause string     // the exception
}

// TornBy says what of a partition a scrub makes; nil for all of it. reinsert keeps rows
// with a TTL, as scrub does on request.
func (s *SSTable) TornBy(t *schema.Table, p *Partition, reinsert bool) *Torn {
	keeps := len(p.Rows) // rows in front of the first with a TTL
	if !reinsert && s.Format == NB {
		var v View
		for i, r := range p.Rows {
			if !r.IsPlain() && expires(r, &v) {
				keeps = i
				break
			}
		}
	}
	marked := len(p.Ranges) > 0
	before := keeps // rows in front of what it stumbles over
	if marked {
		for before = 0; before < keeps && t.CompareCutRow(p.Ranges[0].From, p.Rows[before].Clustering()) > 0; before++ {
		}
		marked = before < keeps || keeps == len(p.Rows) || t.CompareCutRow(p.Ranges[0].From, p.Rows[keeps].Clustering()) <= 0
	}
	out := &Torn{Begun: &Partition{Key: p.Key, Token: p.Token, Del: p.Del, Static: p.Static, Rows: p.Rows[:before]}}
	switch {
	case marked:
		const class = "org.apache.cassandra.db.rows.RangeTombstoneBoundMarker"
		out.Cause = fmt.Sprintf("java.lang.ClassCastException: class %s cannot be cast to class org.apache.cassandra.db.rows.Row "+
			"(%s and org.apache.cassandra.db.rows.Row are in unnamed module of loader 'app')", class, class)
	case keeps == len(p.Rows):
		return nil
	case before == 0:
		out.Cause = `java.lang.NullPointerException: Cannot invoke "org.apache.cassandra.db.rows.Unfiltered.isRow()" because "next" is null`
	default:
		out.Cause = `java.lang.NullPointerException: Cannot invoke "org.apache.cassandra.db.Clusterable.clustering()" because "c1" is null`
	}
	return out
}

// expires says whether a row, or a cell of it, has a TTL.
func expires(r Row, v *View) bool {
	r.Unpack(v)
	if v.Liveness.TTL > 0 {
		return true
	}
	for i := range v.Cells {
		if v.Cells[i].TTL > 0 {
			return true
		}
	}
	return false
}
