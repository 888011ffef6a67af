package storage

import (
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"

	"ringlab/model/schema"
	"ringlab/model/types"
)

// TestMarks finds places in a long partition by its marks, and without them.
func TestMarks(t *testing.T) {
	table := &schema.Table{Clustering: []*schema.Column{{Name: "at", Type: types.Int}}}
	at := func(n int) []byte {
		return schema.PackClustering([][]byte{binary.BigEndian.AppendUint32(nil, uint32(n))})
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(markAbove, markAbove+3*markEvery).Draw(t, "rows")
		p := &Partition{Rows: make([]Row, n)}
		for i := range p.Rows {
			p.Rows[i], _ = (&View{Clustering: at(2 * i), Liveness: Liveness{Timestamp: 1}, Deletion: Live}).Pack(nil)
		}
		m := (&SSTable{}).marksOf(p)
		for range 20 {
			cut := schema.Cut{Prefix: at(rapid.IntRange(0, 2*n).Draw(t, "at")), After: rapid.Bool().Draw(t, "after")}
			c := cursor{table: table}
			if with, without := c.behind(cut, p.Rows, m), c.behind(cut, p.Rows, nil); with != without {
				t.Fatalf("%v stands before row %d, by the marks before %d", cut, without, with)
			}
		}
	})
}
