package schema

import (
	"cmp"
	"slices"
)

// byStorage orders column names as rows hold them: by their bytes, but a first
// byte of 0x80 and more comes before the others.
// Source: Cassandra 5.0 ColumnMetadata.comparisonOrder, whose prefix of the name
// has the top bit turned and is then read without a sign.
func byStorage(a, b string) int {
	if a == "" || b == "" {
		return cmp.Compare(a, b)
	}
	if c := cmp.Compare(a[0]^0x80, b[0]^0x80); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// signed compares names by their bytes as signed numbers.
// Source: Java ByteBuffer.compareTo.
func signed(a, b string) int {
	for i := 0; i < min(len(a), len(b)); i++ {
		if c := cmp.Compare(int8(a[i]), int8(b[i])); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// storageOrder is a copy of static or regular columns in the order of a row's
// cells: those of one cell, then those of many.
// Source: Cassandra 5.0 Columns.
func storageOrder(cs []*Column) []*Column {
	cs = slices.Clone(cs)
	slices.SortFunc(cs, func(a, b *Column) int {
		if a, b := a.Type.IsMultiCell(), b.Type.IsMultiCell(); a != b {
			if b {
				return -1
			}
			return 1
		}
		return byStorage(a.Name, b.Name)
	})
	return cs
}

// selectOrder is a copy of static or regular columns in the order in which
// SELECT * shows them: columns of one and of many cells merged by name. Where the
// latter begin is found with a column of no name, which comes behind those whose
// first byte is 0x80 or more: they count as columns of one cell.
// Source: Cassandra 5.0 Columns.selectOrderIterator, Columns.findFirstComplexIdx.
func selectOrder(cs []*Column) []*Column {
	cells := storageOrder(cs)
	n := 0
	for n < len(cells) && (!cells[n].Type.IsMultiCell() || cells[n].Name != "" && cells[n].Name[0] >= 0x80) {
		n++
	}
	out := make([]*Column, 0, len(cells))
	for simple, complex := cells[:n], cells[n:]; len(simple)+len(complex) > 0; {
		from := &simple
		if len(simple) == 0 || len(complex) > 0 && signed(complex[0].Name, simple[0].Name) < 0 {
			from = &complex
		}
		out = append(out, (*from)[0])
		*from = (*from)[1:]
	}
	return out
}
