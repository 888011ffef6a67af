package plan

import (
	"ringlab/model/schema"
	"ringlab/model/types"
)

// Select is a SELECT ready to run: what to fetch and what to make of it. All
// values are bound.
type Select struct {
	Table *schema.Table

	// Which partitions: Keys (partition key bytes, in the order in which their
	// rows are answered, which is the order of the key's value), or, if Keys is
	// nil, the token range.
	Keys  [][]byte
	Apart bool // partitions are read one by one, as pages are made
	Empty bool // nothing can match: an empty IN, bounds that exclude each other
	Range TokenRange

	// Which rows of each partition, in table order and disjoint. nil is all rows.
	// Names are full clusterings asked for by = or IN; then Slices is nil.
	Slices   []schema.Slice
	Names    [][]byte
	ByRow    bool // a clustering column is restricted: partitions with only static data give no row
	Reversed bool // ORDER BY is the reverse of the table's order

	Filters        []Filter // what remains to be checked row by row
	AllowFiltering bool
	Index          *schema.Index // one of those that find the rows; nil if none does
	Seeks          []Seek        // all that could, in the order of the filters
	ANN            *ANN          // ORDER BY … ANN OF; nil for none

	Distinct     bool
	StaticOnly   bool             // only partition key and static columns are asked for
	Columns      []*schema.Column // queried columns, for read repair and size; nil is all
	Parts        schema.Parts     // of those that are queried in some elements only
	Limit        int              // 0 = none; counts rows, groups under GROUP BY
	PerPartition int              // 0 = none
	JSON         bool
	Selection    []Selector
	GroupBy      int    // number of leading primary key columns grouped by; 0 = none
	GroupExpr    Expr   // GROUP BY floor(c, d): stands for the last grouped column; nil = the column itself
	Aggregate    bool   // the selection has an aggregate
	SortBy       []Sort // rows of several partitions are sorted by these (IN with ORDER BY)
	Warnings     []string
}

// BySASI says whether a SASI index finds the rows: none other is taken then.
// Source: Cassandra 5.0 SASIIndex.getEstimatedResultRows.
func (s *Select) BySASI() bool {
	for i := range s.Seeks {
		if s.Seeks[i].Index.IsSASI() {
			return true
		}
	}
	return false
}

// TokenRange restricts the token of the partition key. Bounds are values of the
// token's own type (bigint for Murmur3, varint for Random, blob for
// ByteOrdered); nil is open.
type TokenRange struct {
	Start, End                   []byte
	StartInclusive, EndInclusive bool
}

// Filter is one test of a row, for ALLOW FILTERING or because an index finds the
// rows that pass it. Match, if set, tests a value, an element of a non-frozen
// collection or the value of an entry instead of the type's comparison.
type Filter struct {
	Column *schema.Column
	Op     Op
	Value  []byte
	Values [][]byte // for In
	Key    []byte   // for a map entry
	Match  func(value []byte) bool
}

// Seek is an index and the filter, by its place in Filters, that it finds rows by.
type Seek struct {
	Index  *schema.Index
	Filter int
}

// ANN ranks rows by a vector: the best score first, rows of one score in the
// order in which they were read. Rows without a vector are left out. Graph says
// that nothing but the graph of the vectors finds the rows.
type ANN struct {
	Column  *schema.Column
	Score   func(vector []byte) float32
	Graph   bool
	Invalid bool // the vector cannot be ranked by: every replica fails
}

// Op is an operator of a filter or condition.
type Op uint8

// The operators of filters.
const (
	EQ Op = iota
	NEQ
	LT
	LTE
	GT
	GTE
	In
	Contains
	ContainsKey
	Like // before its value is known: one of the four below
	LikePrefix
	LikeSuffix
	LikeContains
	LikeMatches
	NearestTo // ORDER BY … ANN OF
)

// Sort is one column of a sort after the read.
type Sort struct {
	Column *schema.Column
	Desc   bool
}

// Selector is one column of the result.
type Selector struct {
	Name string // as the server names it
	Type *types.Type
	Expr Expr
}

// Expr computes a value from a row. It is one of the types below.
type Expr interface{ expr() }

// ColumnExpr is a column's value.
type ColumnExpr struct{ Column *schema.Column }

// TimeExpr is writetime, maxwritetime or ttl of a column, of one of its elements
// or fields, or of a slice of it. All cells of a non-frozen collection or a slice
// of them give a list, except for the maximum.
type TimeExpr struct {
	Column   *schema.Column
	TTL      bool
	Max      bool
	Of       Expr   // the value that is asked for: *ColumnExpr, *ElementExpr, *SliceExpr or *FieldExpr; nil = the column
	Key      []byte // one element: a map key, a set element, or the 2-byte index of a field; nil = all
	From, To []byte // slice of a collection: inclusive bounds, nil is open
	Sliced   bool   // From and To apply
}

// ConstExpr is a bound value; nil is null.
type ConstExpr struct {
	Value []byte
	Unset bool // a marker that was left unset; Value is empty
}

// CallExpr is a scalar function over values.
type CallExpr struct {
	Name string // lower case; token, cast, + …
	Args []Expr
	Type *types.Type
	Arg  []*types.Type
	Eval func(args [][]byte) ([]byte, error) // the function over bound arguments; nil is null
}

// ElementExpr is collection[key] of a set or map; a missing key gives null.
type ElementExpr struct {
	Of  Expr
	In  *types.Type // of the collection
	Key []byte
}

// SliceExpr is collection[from..to] of a set or map, bounds inclusive, nil open.
type SliceExpr struct {
	Of       Expr
	In       *types.Type
	From, To []byte
}

// FieldExpr is one field of a UDT or tuple.
type FieldExpr struct {
	Of    Expr
	In    *types.Type
	Index int
}

// AggregateExpr folds the rows of a group: with a function of Cassandra, or, for a
// user-defined aggregate, with the Fold that New begins, which takes Args.
type AggregateExpr struct {
	Name string // count, min, max, sum, avg; count with Arg nil counts rows
	Arg  Expr
	In   *types.Type
	Out  *types.Type
	New  func() Fold
	Args []Expr
}

// Fold is a user-defined aggregate at work on one group.
type Fold interface {
	Add(args [][]byte) error
	Result() ([]byte, error)
}

func (*ColumnExpr) expr()    {}
func (*TimeExpr) expr()      {}
func (*ConstExpr) expr()     {}
func (*CallExpr) expr()      {}
func (*AggregateExpr) expr() {}
func (*ElementExpr) expr()   {}
func (*SliceExpr) expr()     {}
func (*FieldExpr) expr()     {}
