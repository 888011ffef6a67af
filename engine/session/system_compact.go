package session

import (
	"fmt"

	"ringlab/model/schema"
	"ringlab/model/types"
)

// storedColumns are the columns of a table as system_schema.columns has them. A
// table WITH COMPACT STORAGE has more there than CQL shows, from which drivers
// see of what kind it is: without clustering columns its columns are static,
// beside the name and the value of a cell; with them but without a value it has
// one of type empty.
// Source: Cassandra 5.0 CreateTableStatement.Raw.apply (COMPACT STORAGE),
// CompactTables, TableMetadata.CompactTableMetadata.
func storedColumns(t *schema.Table) []*schema.Column {
	columns := t.Columns()
	switch {
	case !t.Compact || t.IsView() || t.Family != nil && t.Family.Super:
		return columns
	case len(t.Clustering) == 0:
		out := make([]*schema.Column, 0, len(columns)+2)
		for _, c := range columns {
			if c.Kind == schema.Regular {
				shown := *c
				shown.Kind = schema.Static
				c = &shown
			}
			out = append(out, c)
		}
		name, value := types.Text, types.Blob
		if t.Counter {
			value = types.Counter
		}
		if stored := t.Stored(); stored != t { // it was made as a column family, with classes of its own
			name, value = stored.Clustering[0].Type, stored.Regular[0].Type
		}
		return append(out,
			&schema.Column{Name: freeName(t, "column", 1), Type: name, Kind: schema.Clustering},
			&schema.Column{Name: freeName(t, "value", 0), Type: value, Kind: schema.Regular, Position: -1})
	case len(t.Regular) == 0:
		return append(columns, &schema.Column{Name: freeName(t, "value", 0), Type: emptyType, Kind: schema.Regular, Position: -1})
	}
	return columns
}

// emptyType is the type of a value that a dense table has not.
var emptyType = &types.Type{Kind: types.KindCustom, Class: &types.Comparator{Class: "EmptyType"}}

// freeName is the first of name1, name2 … that no column has, counted from a
// number; 0 is the name alone.
// Source: Cassandra 5.0 CompactTables.DefaultNames.
func freeName(t *schema.Table, name string, from int) string {
	for n := from; ; n++ {
		candidate := name
		if n > 0 {
			candidate = fmt.Sprintf("%s%d", name, n)
		}
		if t.Column(candidate) == nil {
			return candidate
		}
	}
}
