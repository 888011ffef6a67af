package cql

// Select is a SELECT statement. A nil Selectors list means *.
// Source: Cassandra 5.0 Parser.g rule selectStatement.
type Select struct {
	JSON, Distinct    bool
	Selectors         []Selector
	Table             QualifiedName
	Where             []Relation
	GroupBy           []Selectable
	OrderBy           []Ordering
	PerPartitionLimit Term // *Constant or *Marker, or nil
	Limit             Term
	AllowFiltering    bool
	Markers           []*Marker // all of the statement, by Index
	Pos               Pos
}

// Selector is one item of the SELECT clause with its alias, or nil.
type Selector struct {
	Expr  Selectable
	Alias *Name
}

// Ordering is one item of ORDER BY. ANN is the vector of ANN OF, or nil.
type Ordering struct {
	Column     Name
	ANN        Term
	Descending bool
}

// Selectable is an expression of the SELECT or GROUP BY clause. String is its
// text in CQL.
// Source: Cassandra 5.0 Selectable.Raw, Parser.g rule unaliasedSelector.
type Selectable interface {
	selectable()
	Position() Pos
	String() string
}

// SelColumn is a column.
type SelColumn struct{ Name Name }

// SelTerm is a *Constant, *Null or *Marker.
type SelTerm struct{ Term Term }

// SelCall is [ks.]f(args).
type SelCall struct {
	Func QualifiedName
	Args []Selectable
	Pos  Pos
}

// SelCountRows is count(*).
type SelCountRows struct{ Pos Pos }

// TimeKind tells writetime, maxwritetime and ttl apart.
type TimeKind uint8

const (
	WriteTime TimeKind = iota
	MaxWriteTime
	TTL
)

var timeKindNames = [...]string{"writetime", "maxwritetime", "ttl"}

// String is the function's name in lower case.
func (k TimeKind) String() string { return timeKindNames[k] }

// SelTime is writetime, maxwritetime or ttl of a column. Of is *SelColumn, or an
// *SelElement, *SelSlice or *SelField around one.
// Source: Cassandra 5.0 Selectable.WritetimeOrTTL.Raw.
type SelTime struct {
	Kind TimeKind
	Of   Selectable
	Pos  Pos
}

// SelCast is CAST(expr AS type) with a native type.
type SelCast struct {
	Expr Selectable
	Type TypeExpr
	Pos  Pos
}

// SelTypeHint is (type) expr.
type SelTypeHint struct {
	Type TypeExpr
	Expr Selectable
	Pos  Pos
}

// SelElement is of[Key].
type SelElement struct {
	Of  Selectable
	Key Term
	Pos Pos // of the bracket
}

// SelSlice is of[From..To]; one of the bounds may be nil.
type SelSlice struct {
	Of       Selectable
	From, To Term
	Pos      Pos // of the bracket
}

// SelField is of.Field.
type SelField struct {
	Of    Selectable
	Field Name
}

// SelList is [a, b, …].
type SelList struct {
	Elems []Selectable
	Pos   Pos
}

// SelSet is {a, b, …}, also the empty {}.
type SelSet struct {
	Elems []Selectable
	Pos   Pos
}

// SelMap is {k: v, …}: a map, or a user type when the keys are column names.
type SelMap struct {
	Entries []SelEntry
	Pos     Pos
}

// SelEntry is one k: v of a SelMap.
type SelEntry struct{ Key, Value Selectable }

// SelTuple is (a, b, …); with one element it is a pair of parentheses or a tuple.
// Source: Cassandra 5.0 Selectable.BetweenParenthesesOrWithTuple.
type SelTuple struct {
	Elems []Selectable
	Pos   Pos
}

// SelBinary is left op right with op one of + - * / %.
type SelBinary struct {
	Op          byte
	Left, Right Selectable
	Pos         Pos // of the operator
}

// SelMinus is - expr.
type SelMinus struct {
	Expr Selectable
	Pos  Pos
}

func (*SelColumn) selectable()    {}
func (*SelTerm) selectable()      {}
func (*SelCall) selectable()      {}
func (*SelCountRows) selectable() {}
func (*SelTime) selectable()      {}
func (*SelCast) selectable()      {}
func (*SelTypeHint) selectable()  {}
func (*SelElement) selectable()   {}
func (*SelSlice) selectable()     {}
func (*SelField) selectable()     {}
func (*SelList) selectable()      {}
func (*SelSet) selectable()       {}
func (*SelMap) selectable()       {}
func (*SelTuple) selectable()     {}
func (*SelBinary) selectable()    {}
func (*SelMinus) selectable()     {}

func (s *SelColumn) Position() Pos    { return s.Name.Pos }
func (s *SelTerm) Position() Pos      { return s.Term.Position() }
func (s *SelCall) Position() Pos      { return s.Pos }
func (s *SelCountRows) Position() Pos { return s.Pos }
func (s *SelTime) Position() Pos      { return s.Pos }
func (s *SelCast) Position() Pos      { return s.Pos }
func (s *SelTypeHint) Position() Pos  { return s.Pos }
func (s *SelElement) Position() Pos   { return s.Of.Position() }
func (s *SelSlice) Position() Pos     { return s.Of.Position() }
func (s *SelField) Position() Pos     { return s.Of.Position() }
func (s *SelList) Position() Pos      { return s.Pos }
func (s *SelSet) Position() Pos       { return s.Pos }
func (s *SelMap) Position() Pos       { return s.Pos }
func (s *SelTuple) Position() Pos     { return s.Pos }
func (s *SelBinary) Position() Pos    { return s.Pos }
func (s *SelMinus) Position() Pos     { return s.Pos }
