package schema

import "encoding/binary"

// A clustering is stored as its components in order, each with its length as an
// unsigned varint before it. A prefix simply has fewer components. The empty
// clustering is that of a table without clustering columns, or of a static row.

// AppendComponent adds one value to a clustering.
func AppendComponent(clustering, value []byte) []byte {
	clustering = binary.AppendUvarint(clustering, uint64(len(value)))
	return append(clustering, value...)
}

// PackClustering joins the values of a clustering or of a prefix of one.
func PackClustering(values [][]byte) []byte {
	n := 0
	for _, v := range values {
		n += len(v) + 1
		if len(v) >= 0x80 {
			n += 2
		}
	}
	out := make([]byte, 0, n)
	for _, v := range values {
		out = AppendComponent(out, v)
	}
	return out
}

// NextComponent splits off the first component; ok is false at the end.
func NextComponent(clustering []byte) (value, rest []byte, ok bool) {
	if len(clustering) == 0 {
		return nil, nil, false
	}
	if n := clustering[0]; n < 0x80 {
		return clustering[1 : 1+int(n)], clustering[1+int(n):], true
	}
	n, w := binary.Uvarint(clustering)
	return clustering[w : w+int(n)], clustering[w+int(n):], true
}

// Components are the values of a clustering.
func Components(clustering []byte) [][]byte {
	var out [][]byte
	for {
		v, rest, ok := NextComponent(clustering)
		if !ok {
			return out
		}
		out = append(out, v)
		clustering = rest
	}
}

// ValidClustering says whether bytes from outside are the clustering of a row: a
// valid value for each clustering column, but for the last ones of a table of the
// classic model, which may be missing.
func (t *Table) ValidClustering(b []byte) bool {
	for i, c := range t.Clustering {
		if i > 0 && len(b) == 0 && t.Family != nil {
			return true
		}
		n, w := binary.Uvarint(b)
		if w <= 0 || n > uint64(len(b)-w) || c.Type.Validate(b[w:w+int(n)]) != nil {
			return false
		}
		b = b[w+int(n):]
	}
	return len(b) == 0
}

// compareCommon compares the components that both have. left is what remains
// of the longer one: -1 if a ended first, 1 if b did, 0 if both.
func (t *Table) compareCommon(a, b []byte) (order, left int) {
	for i := 0; ; i++ {
		x, restA, okA := NextComponent(a)
		y, restB, okB := NextComponent(b)
		if !okA || !okB {
			switch {
			case okB:
				return 0, -1
			case okA:
				return 0, 1
			}
			return 0, 0
		}
		if i < len(t.Clustering) {
			col := t.Clustering[i]
			if c := col.compare(x, y); c != 0 {
				if col.Desc {
					return -c, 0
				}
				return c, 0
			}
		}
		a, b = restA, restB
	}
}

// CompareClustering orders two clusterings as the table stores them; a prefix
// stands before what it begins.
func (t *Table) CompareClustering(a, b []byte) int {
	if c, left := t.compareCommon(a, b); c != 0 {
		return c
	} else {
		return left
	}
}

// Cut is a place between rows: right before everything that begins with
// Prefix, or right after it. Ranges of rows are pairs of cuts, so that
// inclusive and exclusive bounds, prefixes and open ends are one thing:
// {nil, false} is the beginning of a partition and {nil, true} its end. Only
// column families have rows whose clustering begins that of other rows: Alone
// with After is the place right behind such a row and before those others.
// Source: Cassandra 5.0 ClusteringBound, 2.1 Composite.EOC.
type Cut struct {
	Prefix []byte
	After  bool
	Alone  bool
}

// Slice is the rows between two cuts, in the table's order.
type Slice struct{ From, To Cut }

// AllRows is the slice of a whole partition.
var AllRows = Slice{Cut{}, Cut{After: true}}

// CompareCuts orders two cuts.
func (t *Table) CompareCuts(a, b Cut) int {
	c, left := t.compareCommon(a.Prefix, b.Prefix)
	switch {
	case c != 0:
		return c
	case left < 0: // a's prefix ended first: a surrounds b
		return after(a.After && !a.Alone)
	case left > 0:
		return -after(b.After && !b.Alone)
	case a.After == b.After && a.Alone == b.Alone:
		return 0
	case a.After == b.After:
		return after(!a.Alone)
	}
	return after(a.After)
}

// CompareCutRow says where a cut stands: -1 before the row, 1 after it.
func (t *Table) CompareCutRow(cut Cut, clustering []byte) int {
	c, left := t.compareCommon(cut.Prefix, clustering)
	if c != 0 {
		return c
	}
	if left > 0 { // the row is a prefix of the cut: static rows are, and short names of column families
		return 1
	}
	return after(cut.After && (left == 0 || !cut.Alone))
}

func after(yes bool) int {
	if yes {
		return 1
	}
	return -1
}

// Contains says whether the row lies in the slice.
func (t *Table) Contains(s Slice, clustering []byte) bool {
	return t.CompareCutRow(s.From, clustering) < 0 && t.CompareCutRow(s.To, clustering) > 0
}

// Empty says whether no row can lie in the slice.
func (t *Table) Empty(s Slice) bool { return t.CompareCuts(s.From, s.To) >= 0 }
