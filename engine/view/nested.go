package view

// Nested is a table as the classic model draws it: a map of row keys to sorted
// maps of columns.
type Nested struct {
	Order      string // what rows are ordered by: tokens or keys
	Comparator string // what columns are ordered by
	Rows       []NestedRow
	Top, Of    int // number of Rows[0], and of all rows
}

// NestedRow is one row: some of its columns, from From on.
type NestedRow struct {
	Key, Token string
	Node       int // whose copy it is
	Boxes      []NestedBox
	From, Of   int  // number of Boxes[0], and of all columns
	InHand     bool // the last read by key was of this row
	Read       int  // columns that it went over
	Returned   int  // columns that it gave
}

// NestedBox is one column.
type NestedBox struct {
	Super, Name, Value string // Super is the outer name, "" without one
	Dead               bool   // a tombstone
	Read, Returned     bool
}
