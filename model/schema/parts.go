package schema

import (
	"bytes"

	"ringlab/model/types"
)

// Part is a stretch of the elements of a non-frozen collection, by their keys: both
// bounds belong to it, nil is open.
type Part struct{ From, To []byte }

// Parts are the elements that a query asks for, by the ID of their column. A column
// that is not in it is asked for as a whole.
// Source: Cassandra 5.0 ColumnFilter.subSelections.
type Parts map[uint16][]Part

// Has says whether the element of a column under a key is asked for.
// Source: Cassandra 5.0 ColumnFilter.fetchedCellIsQueried.
func (p Parts) Has(c *Column, key []byte) bool {
	parts, some := p[c.ID]
	if !some {
		return true
	}
	compare := bytes.Compare
	if k := c.Type.Kind; k == types.KindSet || k == types.KindMap {
		compare = c.Type.Elems[0].Compare
	}
	for _, part := range parts {
		if (part.From == nil || compare(part.From, key) <= 0) && (part.To == nil || compare(key, part.To) <= 0) {
			return true
		}
	}
	return false
}
