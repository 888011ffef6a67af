package bind

import (
	"ringlab/model/plan"
	"ringlab/model/schema"
)

// clustering is where the cell of a column stands in storage. The name has been
// checked.
func (v *View) clustering(super, name []byte) ([]byte, error) {
	switch {
	case v.Super:
		return schema.PackClustering([][]byte{super, name}), nil
	case v.Comparator.Composite():
		parts, end := components(name)
		if end != 0 {
			return nil, plan.Unsupported("column names whose last component does not end with the byte 00", "a stored composite name ends with it; "+
				"other end bytes only bound a slice (a real node fails and closes the connection)")
		}
		return schema.PackClustering(parts), nil
	}
	return schema.PackClustering([][]byte{name}), nil
}

// CellName is the name of the cell that stands there, of a column family: of a
// super column family the outer and the inner name.
func (v *View) CellName(clustering []byte) (super, name []byte) {
	switch {
	case v.Super:
		super, rest, _ := schema.NextComponent(clustering)
		name, _, _ = schema.NextComponent(rest)
		return super, name
	case v.Comparator.Composite():
		return nil, schema.PartitionKeyComposite(schema.Components(clustering))
	}
	name, _, _ = schema.NextComponent(clustering)
	return nil, name
}

// lower is the place before everything that a range's smaller bound lets in.
func (v *View) lower(super, bound []byte) schema.Cut {
	prefix := v.under(super)
	if len(bound) == 0 {
		return schema.Cut{Prefix: prefix}
	}
	parts, end := v.bound(super, bound)
	return schema.Cut{Prefix: append(prefix, schema.PackClustering(parts)...), After: end > 0}
}

// upper is the place behind everything that a range's larger bound lets in.
func (v *View) upper(super, bound []byte) schema.Cut {
	prefix := v.under(super)
	if len(bound) == 0 {
		return schema.Cut{Prefix: prefix, After: true}
	}
	parts, end := v.bound(super, bound)
	alone := end == 0 && !v.Super && v.Comparator.Composite() && len(parts) < len(v.Comparator.Parts)
	return schema.Cut{Prefix: append(prefix, schema.PackClustering(parts)...), After: end >= 0, Alone: alone}
}

// under is the beginning of all names under a super column.
func (v *View) under(super []byte) []byte {
	if super != nil && v.Super {
		return schema.PackClustering([][]byte{super})
	}
	return nil
}

// bound is the components of a bound, and its end.
func (v *View) bound(super, bound []byte) ([][]byte, int8) {
	if !v.Super && v.Comparator.Composite() {
		return components(bound)
	}
	return [][]byte{bound}, 0
}

// slice is the stretch of storage that a range of names stands for.
func (v *View) slice(super []byte, r *SliceRange) schema.Slice {
	start, finish := r.Start, r.Finish
	if r.Reversed {
		start, finish = finish, start
	}
	return schema.Slice{From: v.lower(super, start), To: v.upper(super, finish)}
}

// exactly is the stretch of storage that holds one name alone, or all of a super
// column.
func (v *View) exactly(super, name []byte) (schema.Slice, error) {
	if v.Super && super == nil {
		prefix := schema.PackClustering([][]byte{name})
		return schema.Slice{From: schema.Cut{Prefix: prefix}, To: schema.Cut{Prefix: prefix, After: true}}, nil
	}
	at, err := v.clustering(super, name)
	return schema.Slice{From: schema.Cut{Prefix: at}, To: schema.Cut{Prefix: at, After: true, Alone: true}}, err
}
