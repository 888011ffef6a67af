package bind

import (
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// View is a table as the classic side sees it: a column family, or a CQL table
// whose cells have composite names of clustering, column and element.
type View struct {
	Table         *schema.Table  // as CQL sees it
	Family        *schema.Family // nil for a table of CQL3
	CQL3          bool
	Super         bool
	Comparator    *types.Comparator
	Subcomparator *types.Comparator
	KeyClass      *types.Comparator
	ValueClass    *types.Comparator
}

// ViewOf is the classic side of a table.
func ViewOf(t *schema.Table) *View {
	if f := t.Family; f != nil {
		return &View{Table: t, Family: f, Super: f.Super, Comparator: f.Comparator, Subcomparator: f.Subcomparator, KeyClass: f.KeyClass,
			ValueClass: f.ValueClass}
	}
	v := &View{Table: t, CQL3: true, ValueClass: types.ClassOf(types.Blob)}
	if t.Counter {
		v.ValueClass = types.ClassOf(types.Counter)
	}
	v.KeyClass = composite(t.Key, false)
	parts := make([]*types.Comparator, 0, len(t.Clustering)+2)
	for _, c := range t.Clustering {
		parts = append(parts, ordered(c))
	}
	parts = append(parts, types.ClassOf(types.Text))
	for _, c := range append(append([]*schema.Column(nil), t.Regular...), t.Static...) {
		if c.Type.IsMultiCell() {
			parts = append(parts, types.ClassOf(types.Blob)) // ColumnToCollectionType: its elements are shown as bytes
			break
		}
	}
	v.Comparator = &types.Comparator{Class: "CompositeType", Parts: parts}
	return v
}

// composite is the class of the partition key's bytes.
func composite(columns []*schema.Column, always bool) *types.Comparator {
	if len(columns) == 1 && !always {
		return types.ClassOf(columns[0].Type)
	}
	c := &types.Comparator{Class: "CompositeType"}
	for _, col := range columns {
		c.Parts = append(c.Parts, types.ClassOf(col.Type))
	}
	return c
}

// ordered is the class of a clustering column with its order.
func ordered(c *schema.Column) *types.Comparator {
	class := types.ClassOf(c.Type)
	if c.Desc {
		return &types.Comparator{Class: "ReversedType", Parts: []*types.Comparator{class}}
	}
	return class
}

// Counter says whether the values are counters.
func (v *View) Counter() bool { return v.Table.Counter }

// ValueClassOf is what values under a name must be.
func (v *View) ValueClassOf(name []byte) *types.Comparator {
	if v.Family != nil {
		return v.Family.ClassOf(name)
	}
	if c, _ := v.columnOf(name); c != nil {
		switch {
		case !c.Type.IsMultiCell():
			return types.ClassOf(c.Type)
		case c.Type.Kind == types.KindSet:
			return types.ClassOf(types.Blob)
		}
		return types.ClassOf(c.Type.Elems[len(c.Type.Elems)-1])
	}
	return types.ClassOf(types.Blob)
}

// components are the values in a composite name, and the byte at its end.
func components(name []byte) (values [][]byte, end int8) {
	for len(name) >= 3 {
		n := int(name[0])<<8 | int(name[1])
		if len(name) < n+3 {
			break
		}
		values, end = append(values, name[2:2+n]), int8(name[2+n])
		if name = name[3+n:]; end != 0 {
			break
		}
	}
	return values, end
}

// static is what begins the name of a static column.
func static(name []byte) bool { return len(name) >= 2 && name[0] == 0xff && name[1] == 0xff }

// columnOf is the column of CQL that a cell of a CQL3 table belongs to, and the
// components of its name; nil for the marker of a row.
func (v *View) columnOf(name []byte) (*schema.Column, [][]byte) {
	if static(name) {
		name = name[2:]
	}
	parts, _ := components(name)
	at := len(v.Table.Clustering)
	if len(parts) <= at || len(parts[at]) == 0 {
		return nil, parts
	}
	return v.Table.Column(string(parts[at])), parts
}

// validateCell checks the name of a cell of a CQL3 table.
// Source: ThriftValidation.validateColumnNames.
func (v *View) validateCell(name []byte) error {
	c, parts := v.columnOf(name)
	at := len(v.Table.Clustering)
	switch {
	case len(parts) < at+1:
		return plan.Invalid("Not enough components (found %d but %d expected) for column name since %s is a CQL3 table", len(parts), at+1, v.Table.Name)
	case len(parts[at]) == 0:
		return nil
	case c == nil || c.Kind != schema.Regular && c.Kind != schema.Static:
		return plan.Invalid("Invalid cell for CQL3 table %s. The CQL3 column component (%s) does not correspond to a defined CQL3 column",
			v.Table.Name, string(parts[at]))
	case len(parts) > at+1 && !c.Type.IsMultiCell():
		return plan.Invalid("%s is not defined as a collection", types.Blob.Raw(parts[at]))
	}
	return nil
}
