// Package query makes the rows of an answer from the rows that were read: it
// filters, groups, limits and sorts them and evaluates selectors and functions.
// It knows nothing of clusters; a Runner works for one SELECT and one reader.
// Source: Cassandra 5.0 SelectStatement.process, ResultSetBuilder, RowFilter, DataLimits.
package query

import (
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Cell is one live cell. Those of a column of many cells have a Path: the
// timeuuid of a list, the element of a set, the key of a map, the 2-byte index
// of a field.
type Cell struct {
	Column    *schema.Column
	Value     []byte
	Timestamp int64 // µs
	TTL       int32 // seconds, 0 = does not expire
	Expiry    int64 // second of expiration, if TTL is set
	Path      []byte
}

// Row is one row as read, reconciled and without anything deleted. Cells are
// those of the static row and of the row itself, sorted by column ID and, within
// a column, by path. HasRow is false where a partition has only static cells.
// The Runner keeps the byte slices, not the Row.
type Row struct {
	Key        [][]byte // components of the partition key
	Clustering [][]byte // empty without a row
	HasRow     bool
	Cells      []Cell
}

// cells are those of one column.
func (r *Row) cells(c *schema.Column) []Cell {
	for i := range r.Cells {
		if r.Cells[i].Column == c {
			n := i + 1
			for n < len(r.Cells) && r.Cells[n].Column == c {
				n++
			}
			return r.Cells[i:n]
		}
	}
	return nil
}

// value is a column's value, nil for null.
func (r *Row) value(c *schema.Column) []byte {
	switch c.Kind {
	case schema.PartitionKey:
		return r.Key[c.Position]
	case schema.Clustering:
		if c.Position < len(r.Clustering) {
			return r.Clustering[c.Position]
		}
		return nil
	}
	if c.Type.IsMultiCell() {
		return assemble(c.Type, r.cells(c))
	}
	for i := range r.Cells {
		if r.Cells[i].Column == c {
			return r.Cells[i].Value
		}
	}
	return nil
}

// assemble joins the cells of a column of many cells; none is null.
// Source: Cassandra 5.0 CollectionType.serializeForNativeProtocol, UserType.serializeForNativeProtocol.
func assemble(t *types.Type, cells []Cell) []byte {
	if len(cells) == 0 {
		return nil
	}
	var parts [][]byte
	switch t.Kind {
	case types.KindList:
		for i := range cells {
			parts = append(parts, cells[i].Value)
		}
	case types.KindSet:
		for i := range cells {
			parts = append(parts, cells[i].Path)
		}
	case types.KindMap:
		for i := range cells {
			parts = append(parts, cells[i].Path, cells[i].Value)
		}
		return types.EncodeMap(parts)
	case types.KindUDT:
		parts = make([][]byte, len(t.Elems))
		for i := range cells {
			if f := fieldOf(cells[i].Path); f < len(parts) {
				parts[f] = cells[i].Value
			}
		}
		return types.EncodeTuple(parts)
	}
	return types.EncodeCollection(parts)
}

func fieldOf(path []byte) int { return int(path[0])<<8 | int(path[1]) }
