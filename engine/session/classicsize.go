package session

import (
	"ringlab/engine/cluster"
	"ringlab/engine/storage"
	"ringlab/model/schema"
)

// classicSize is what a partition takes in the layouts before 3.0: 15 bytes and
// name and value a column. A row of 1.0 also held a Bloom filter of its names and
// an index of its blocks, which are not counted.
// Source: Cassandra 1.0 ColumnFamilySerializer, 2.1 ColumnIndex.Builder.
func classicSize(t *schema.Table, p *storage.Partition) cluster.ClassicSize {
	list := atoms(t, p)
	row := int64(12 + 4)
	for i := range list {
		row += int64(list[i].Bytes)
	}
	return cluster.ClassicSize{Row: row, File: int64(2 + len(p.Key) + 12 + atomBytes(t, list) + 2)}
}
