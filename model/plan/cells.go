package plan

import (
	"ringlab/model/schema"
	"ringlab/ring"
)

// CellRead is a read of the classic model: cells of rows, by their names. The
// slices are those of the table that holds the cells.
type CellRead struct {
	Table *schema.Table // as CQL sees it; its Stored holds the cells

	Keys [][]byte  // rows, each once
	Scan *CellScan // rows in token order, if Keys is nil

	Slices   []schema.Slice // in table order; nil is all cells
	Reversed bool
	Limit    int  // cells of a row, -1 for all; with Grouped, outer names
	Grouped  bool // by the outer name of a super column family
	Inner    bool // one outer name is asked for: the answer has its inner names

	// Name is the name of the cell that stands at a clustering, nil for a table of
	// CQL3, whose rows are taken apart into cells.
	Name func(clustering []byte) (super, name []byte)
	// Pick chooses among the cells that were read, nil for all. super is the outer
	// name, nil without one.
	Pick func(super, name []byte) bool
	// Passes tests a whole row before cells are chosen; nil for none.
	Passes func(get func(name []byte) []byte) bool
	Seeks  []CellSeek // columns with an index whose value Passes asks for
	Sliced bool       // Passes tests the cells that were chosen instead
	Ahead  bool       // what passes comes in the order of names although it is reversed
}

// CellSeek is an index of a column family and the value that is sought in it.
type CellSeek struct {
	Index *schema.Index
	Value []byte
}

// CellScan is a stretch of the ring, both ends included unless told otherwise.
type CellScan struct {
	Start, End     ring.Token
	NoStart, NoEnd bool
	AfterStart     bool // the start itself is out
	Wraps          bool // from Start to the end of the ring and from its beginning to End
	Rows           int  // at most; rows without cells count
	Live           bool // rows without cells are left out

	Fails error // what a node that may answer says instead; nil for nothing
}

func (*CellRead) plan() {}
