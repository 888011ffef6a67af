package storage

import (
	"bytes"
	"encoding/binary"

	"ringlab/model/schema"
	"ringlab/model/types"
)

// Cell is one value of one column in one row, or its tombstone. Cells of a
// non-frozen collection have a Path; Complex marks the deletion of all cells of
// such a column up to Timestamp.
type Cell struct {
	Column    uint16
	Timestamp int64
	TTL       int32 // seconds, 0 = does not expire
	Local     int64 // NoDeletionTime; second of deletion for a tombstone, of expiry with a TTL
	Path      []byte
	Value     []byte
	HasPath   bool
	Complex   bool
}

// IsTombstone says whether the cell deletes.
func (c *Cell) IsTombstone() bool { return c.TTL == 0 && c.Local != NoDeletionTime }

// IsLive says whether the cell has a value at second now.
func (c *Cell) IsLive(now int64) bool {
	return !c.Complex && (c.Local == NoDeletionTime || c.TTL > 0 && now < c.Local)
}

// wins says whether a is the one to keep of two cells of the same column and
// path; equal cells keep the first. Source: Cassandra 5.0 Cells.resolveRegular.
func (c *Cell) wins(o *Cell) bool {
	if c.Timestamp != o.Timestamp {
		return c.Timestamp > o.Timestamp
	}
	cDies, oDies := c.Local != NoDeletionTime, o.Local != NoDeletionTime
	if cDies != oDies {
		return cDies
	}
	if cDies {
		if c.IsTombstone() != o.IsTombstone() {
			return c.IsTombstone()
		}
		if c.Local != o.Local {
			return c.Local > o.Local
		}
		if c.TTL != o.TTL {
			return c.TTL < o.TTL
		}
	}
	if flawTies {
		return bytes.Compare(c.Value, o.Value) <= 0
	}
	return bytes.Compare(c.Value, o.Value) >= 0
}

// beats is wins under the rule of the cells' table.
func beats(t *schema.Table, c, o *Cell) bool {
	if t.SignedTies && c.Timestamp == o.Timestamp {
		return c.beatsSigned(o)
	}
	return c.wins(o)
}

// beatsSigned is wins of two cells with one timestamp before 3.0: a value that
// expires is one like others.
// Source: Cassandra 2.1 AbstractCell.reconcile, BufferExpiringCell.reconcile.
func (c *Cell) beatsSigned(o *Cell) bool {
	if dead := c.IsTombstone(); dead || o.IsTombstone() {
		return dead && (!o.IsTombstone() || c.Local >= o.Local)
	}
	for i := range min(len(c.Value), len(o.Value)) {
		if x, y := int8(c.Value[i]), int8(o.Value[i]); x != y {
			return x > y
		}
	}
	if len(c.Value) != len(o.Value) {
		return len(c.Value) > len(o.Value)
	}
	if c.TTL > 0 && o.TTL > 0 {
		return c.Local >= o.Local
	}
	return c.TTL > 0 || o.TTL == 0 // which one a node had first decides before 3.0, here all replicas agree
}

const (
	cellTombstone = 1 << iota
	cellExpiring
	cellRowTime // timestamp is the liveness's
	cellPath
	cellComplex
	cellEmpty
)

// appendCell packs a cell; rowTime is the row's liveness timestamp.
func appendCell(b []byte, c *Cell, rowTime int64) []byte {
	var flags byte
	if c.IsTombstone() && !c.Complex {
		flags |= cellTombstone
	}
	if c.TTL > 0 {
		flags |= cellExpiring
	}
	if c.Timestamp == rowTime && rowTime != NoTimestamp {
		flags |= cellRowTime
	}
	if c.HasPath {
		flags |= cellPath
	}
	if c.Complex {
		flags |= cellComplex
	}
	if len(c.Value) == 0 {
		flags |= cellEmpty
	}
	b = binary.AppendUvarint(b, uint64(c.Column))
	b = append(b, flags)
	if flags&cellRowTime == 0 {
		b = binary.LittleEndian.AppendUint64(b, uint64(c.Timestamp))
	}
	if flags&cellExpiring != 0 {
		b = binary.AppendUvarint(b, uint64(c.TTL))
	}
	if flags&(cellExpiring|cellTombstone|cellComplex) != 0 {
		b = binary.AppendVarint(b, c.Local)
	}
	if c.HasPath {
		b = binary.AppendUvarint(b, uint64(len(c.Path)))
		b = append(b, c.Path...)
	}
	if flags&cellEmpty == 0 {
		b = binary.AppendUvarint(b, uint64(len(c.Value)))
		b = append(b, c.Value...)
	}
	return b
}

// readCell unpacks one cell and returns what follows it. The cell's slices
// point into b.
func readCell(b []byte, rowTime int64, c *Cell) []byte {
	id, n := uvarint(b)
	flags := b[n]
	b = b[n+1:]
	*c = Cell{Column: uint16(id), Timestamp: rowTime, Local: NoDeletionTime}
	if flags&cellRowTime == 0 {
		c.Timestamp = int64(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	if flags&cellExpiring != 0 {
		ttl, n := uvarint(b)
		c.TTL = int32(ttl)
		b = b[n:]
	}
	if flags&(cellExpiring|cellTombstone|cellComplex) != 0 {
		local, n := binary.Varint(b)
		c.Local = local
		b = b[n:]
	}
	c.Complex = flags&cellComplex != 0
	if flags&cellPath != 0 {
		c.HasPath = true
		size, n := uvarint(b)
		c.Path = b[n : n+int(size) : n+int(size)]
		b = b[n+int(size):]
	}
	if flags&cellEmpty == 0 {
		size, n := uvarint(b)
		c.Value = b[n : n+int(size) : n+int(size)]
		b = b[n+int(size):]
	}
	return b
}

// uvarint reads an unsigned varint; one byte is the common case.
func uvarint(b []byte) (uint64, int) {
	if b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return binary.Uvarint(b)
}

// CompareCells orders cells inside of a row: by column, the complex deletion
// first, then by path in the order of the collection.
func CompareCells(t *schema.Table, a, b *Cell) int {
	switch {
	case a.Column != b.Column:
		return int(a.Column) - int(b.Column)
	case a.Complex || b.Complex:
		if a.Complex && b.Complex {
			return 0
		}
		if a.Complex {
			return -1
		}
		return 1
	case !a.HasPath && !b.HasPath:
		return 0
	}
	if col := t.ColumnByID(a.Column); col != nil {
		return comparePaths(col.Type, a.Path, b.Path)
	}
	if d, ok := t.DroppedByID(a.Column); ok {
		return comparePaths(d.Column.Type, a.Path, b.Path)
	}
	return bytes.Compare(a.Path, b.Path)
}

// comparePaths orders the cells of a non-frozen collection.
func comparePaths(t *types.Type, a, b []byte) int {
	switch t.Kind {
	case types.KindList:
		return types.TimeUUID.Compare(a, b)
	case types.KindSet, types.KindMap:
		return t.Elems[0].Compare(a, b)
	}
	return bytes.Compare(a, b)
}
