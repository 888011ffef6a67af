package schema

import "ringlab/model/types"

// IsTable says whether the index is a hidden table of its own.
func (i *Index) IsTable() bool { return i.Class == "" && i.Column != "" }

// IndexTable is the hidden table of an index: a partition for each value, in it a
// row for each row that has it, under the key of its partition, then its
// clustering columns. A value of a list or map stands for several cells, told
// apart by cell_path. order is that of the base's partition keys in files.
// Source: Cassandra 5.0 CassandraIndex.indexCfsMetadata, TableMetadata.updateIndexTableMetadata.
func (t *Table) IndexTable(i *Index, order func(a, b []byte) int) *Table {
	of := t.Column(i.Column)
	out := &Table{ID: types.NameUUID(t.ID.String() + "." + i.Name), Keyspace: t.Keyspace, Name: t.Name + "." + i.Name, IndexOf: i, Options: t.Options}
	out.Options.GCGrace = 0
	out.Options.Caching = nil
	for _, o := range t.Options.Caching {
		if o.Key == "rows_per_partition" {
			o.Value = "NONE"
		}
		out.Options.Caching = append(out.Options.Caching, o)
	}
	add := func(to *[]*Column, kind Kind, c Column) {
		c.ID, c.Kind, c.Position = out.NextID, kind, len(*to)
		out.NextID++
		*to = append(*to, &c)
	}
	add(&out.Key, PartitionKey, Column{Name: of.Name, Type: of.Indexed(i.Target), Desc: of.Desc})
	add(&out.Clustering, Clustering, Column{Name: "partition_key", Type: types.Blob, Order: order})
	for _, c := range t.Clustering {
		if c != of {
			add(&out.Clustering, Clustering, *c)
		}
	}
	if path := of.IndexedPath(i.Target); path != nil {
		add(&out.Clustering, Clustering, Column{Name: "cell_path", Type: path})
	}
	return out.Finish()
}

// Indexed is the type of what an index holds of a column: of whole values or of
// elements. An entry of a map is a composite of key and value.
// Source: Cassandra 5.0 CassandraIndexFunctions.getIndexedValueType.
func (c *Column) Indexed(target Target) *types.Type {
	switch {
	case !c.IsSplit():
		return c.Type
	case c.Type.Kind == types.KindList:
		return c.Type.Elems[0]
	case c.Type.Kind == types.KindSet || target == TargetKeys:
		return c.Type.Elems[0]
	case target == TargetEntries:
		return types.TupleOf(c.Type.Elems...)
	}
	return c.Type.Elems[1]
}

// IndexedPath is the type of the paths of cells by which an index tells equal
// values apart, nil if it has none.
func (c *Column) IndexedPath(target Target) *types.Type {
	switch {
	case !c.IsSplit():
	case c.Type.Kind == types.KindList:
		return types.TimeUUID
	case c.Type.Kind == types.KindMap && target != TargetKeys && target != TargetEntries:
		return c.Type.Elems[0]
	}
	return nil
}

// IsSplit says whether the column is a collection with a cell for each element.
func (c *Column) IsSplit() bool { return c.Type.IsCollection() && c.Type.IsMultiCell() }
