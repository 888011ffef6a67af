package bind

import (
	"ringlab/model/index"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// maxIndexed is how long a value may become a key of a hidden table.
// Source: Cassandra 5.0 CassandraIndex.validateIndexedValue, FBUtilities.MAX_UNSIGNED_SHORT.
const maxIndexed = 0xffff

// checkIndexed refuses values that an index of the table cannot hold.
// Source: Cassandra 5.0 SecondaryIndexManager.validate, CassandraIndex.validate.
func checkIndexed(w *plan.Write) error {
	for _, i := range index.InHashOrder(w.Table.Indexes) {
		c := w.Table.Column(i.Column)
		if i.IsSAI() && c.Type.Kind == types.KindVector {
			w.Unindexable = w.Unindexable || holdsUnindexable(w, i, c)
		}
		if i.Class != "" {
			continue
		}
		for _, n := range indexedSizes(w, i, c) {
			if n >= maxIndexed {
				return invalid("Cannot index value of size %d for index %s on %s(%s) (maximum allowed size=%d)", n, i.Name, w.Table, c.Name, maxIndexed)
			}
		}
	}
	return nil
}

// indexedSizes are the sizes of what a write adds to an index, in bytes.
func indexedSizes(w *plan.Write, i *schema.Index, c *schema.Column) []int {
	var out []int
	assigns := w.Cells
	switch c.Kind {
	case schema.PartitionKey:
		for _, k := range w.Keys {
			out = append(out, len(w.Table.SplitPartitionKey(k)[c.Position]))
		}
		return out
	case schema.Clustering:
		for _, r := range w.Rows {
			if values := schema.Components(r); c.Position < len(values) {
				out = append(out, len(values[c.Position]))
			}
		}
		return out
	case schema.Static:
		assigns = w.Static
	}
	for n := range assigns {
		if a := &assigns[n]; a.Column == c {
			out = elementSizes(out, a, i.Target)
		}
	}
	return out
}

// elementSizes adds those of one assignment.
func elementSizes(out []int, a *plan.Assign, target schema.Target) []int {
	t := a.Column.Type
	if !t.IsMultiCell() {
		return append(out, len(a.Value))
	}
	entry := func(key, value []byte) {
		switch target {
		case schema.TargetKeys:
			out = append(out, len(key))
		case schema.TargetEntries:
			out = append(out, len(key)+len(value)+6) // two components, each with its length and an end
		default:
			out = append(out, len(value))
		}
	}
	switch {
	case a.Kind == plan.SetElement && t.Kind == types.KindMap:
		entry(a.Key, a.Value)
	case a.Kind == plan.SetElement:
		out = append(out, len(a.Value))
	case a.Kind != plan.Set && a.Kind != plan.Append && a.Kind != plan.Prepend:
	case t.Kind == types.KindMap:
		for n := 0; n+1 < len(a.Elems); n += 2 {
			entry(a.Elems[n], a.Elems[n+1])
		}
	default:
		for _, e := range a.Elems {
			out = append(out, len(e))
		}
	}
	return out
}

// holdsUnindexable says whether a write gives a column a vector that its index
// cannot take.
func holdsUnindexable(w *plan.Write, i *schema.Index, c *schema.Column) bool {
	for _, assigns := range [][]plan.Assign{w.Cells, w.Static} {
		for n := range assigns {
			if a := &assigns[n]; a.Column == c && a.Value != nil && !index.Indexable(i, c.Type, a.Value) {
				return true
			}
		}
	}
	return false
}
