package plan

import (
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Write is an INSERT, UPDATE or DELETE ready to run. All values are bound; the
// coordinator adds the timestamp where Timestamp is nil.
type Write struct {
	Table *schema.Table
	Kind  WriteKind

	Keys [][]byte // partition key bytes, in order
	// Targets: whole partitions, rows by full clustering, or slices.
	Partition bool           // DELETE of whole partitions
	Rows      [][]byte       // full clusterings; one empty one for a table without clustering columns
	Slices    []schema.Slice // range deletes
	Static    []Assign       // cells of the static row
	Cells     []Assign       // cells of each row of Rows
	Liveness  bool           // INSERT: the row exists for itself
	RowDelete bool           // DELETE of the rows in Rows

	Timestamp *int64 // µs, from USING TIMESTAMP
	TTL       *int32 // seconds, from USING TTL; nil = the table's default

	If      *Conditions // what must hold first; nil for most writes
	Refused error       // of a write that waits for conditions: why it fails once they hold

	Unindexable bool // a vector that no index takes: every replica fails
}

// WriteKind is the kind of a write statement.
type WriteKind uint8

// The kinds of writes.
const (
	Insert WriteKind = iota
	Update
	Delete
)

// Assign is what happens to one column of a row.
//
// In a column of one cell Set writes Value, nil being a tombstone. In a column
// of many cells Set deletes what is there, at one microsecond less than the
// write, and adds Elems; Append and Prepend add Elems. Elems are the elements of
// a list or set, keys and values of a map in turn, or 2-byte field indexes and
// values of a UDT in turn, in the order in which they are stored. Discard takes
// Elems from a list by value, from a set or map by key. SetElement and
// RemoveElement address Key: the 4-byte index in a list, the element of a set,
// the key of a map, the 2-byte index of a field; a nil Value removes. On lists
// Discard, SetElement and RemoveElement read before they write. Remove deletes
// the whole column. Add adds the 8 bytes of Value to a counter, Increase adds
// Value to the number or text that is there, if any.
type Assign struct {
	Column *schema.Column
	Kind   AssignKind
	Value  []byte
	Elems  [][]byte
	Key    []byte
}

// ReadsBefore says whether the assignment needs the row as it is.
// Source: Cassandra 5.0 Operation.requiresRead.
func (a *Assign) ReadsBefore() bool {
	switch a.Kind {
	case Discard, SetElement, RemoveElement:
		return a.Column.Type.Kind == types.KindList
	case Increase:
		return true
	}
	return false
}

// AssignKind is the form of an assignment.
type AssignKind uint8

// The forms of assignments. Those on elements are for non-frozen collections.
const (
	Set AssignKind = iota
	Remove
	Append
	Prepend
	Discard
	SetElement
	RemoveElement
	Add      // counter
	Increase // only in writes with conditions, which read the row
)

// Estimate is the number of bytes of values the write carries.
func (w *Write) Estimate() int {
	n := 0
	for _, k := range w.Keys {
		n += len(k)
	}
	for _, a := range w.Cells {
		n += len(a.Value) + 8
	}
	for _, a := range w.Static {
		n += len(a.Value) + 8
	}
	return n
}
