package cql

// Term is a value expression outside the SELECT clause. String is Cassandra's
// own text of the term, as its messages show it: strings in single quotes
// without doubling, null as NULL, every marker as ?.
// Source: Cassandra 5.0 Term.Raw.getText, Parser.g rules term, value, simpleTerm.
type Term interface {
	term()
	Position() Pos
	String() string
}

// ConstantKind is the lexical kind of a constant.
// Source: Cassandra 5.0 Constants.Type.
type ConstantKind uint8

const (
	StringConstant ConstantKind = iota
	IntegerConstant
	FloatConstant // also NaN, Infinity and -Infinity, with exactly that Text
	BooleanConstant
	HexConstant
	UUIDConstant
	DurationConstant
)

var constantKindNames = [...]string{"STRING", "INTEGER", "FLOAT", "BOOLEAN", "HEX", "UUID", "DURATION"}

// String is the name in Cassandra's messages: STRING, INTEGER, FLOAT …
func (k ConstantKind) String() string { return constantKindNames[k] }

// Constant is a literal. Text is the raw text: a string's content without its
// quotes and with ” undone, everything else as written (0x… keeps its prefix).
type Constant struct {
	Kind ConstantKind
	Text string
	Pos  Pos
}

// Null is the literal null.
type Null struct{ Pos Pos }

// Marker is a bind marker ? (Name.Text empty) or :name. Index counts the markers
// of the whole statement from 0 in order of appearance.
type Marker struct {
	Name  Name
	Index int
	Pos   Pos
}

// ListLit is [a, b, …]: a list or a vector.
type ListLit struct {
	Elems []Term
	Pos   Pos
}

// SetLit is {a, b, …}. The empty {} is a SetLit too, also where a map is meant.
type SetLit struct {
	Elems []Term
	Pos   Pos
}

// MapLit is {k: v, …}, never empty.
type MapLit struct {
	Entries []MapEntry
	Pos     Pos
}

// MapEntry is one k: v.
type MapEntry struct{ Key, Value Term }

// UDTLit is {field: v, …}, never empty. A field written twice stays twice.
type UDTLit struct {
	Fields []FieldValue
	Pos    Pos
}

// FieldValue is one field: v.
type FieldValue struct {
	Field Name
	Value Term
}

// TupleLit is (a, b, …), also with a single element.
type TupleLit struct {
	Elems []Term
	Pos   Pos
}

// FunctionCall is [ks.]f(args). Name.Text of token and count are lower case.
type FunctionCall struct {
	Func QualifiedName
	Args []Term
	Pos  Pos
}

// TypeHint is (type) term.
// Source: Cassandra 5.0 TypeCast.
type TypeHint struct {
	Type TypeExpr
	Term Term
	Pos  Pos
}

// Cast is CAST(term AS type) with a native type.
type Cast struct {
	Term Term
	Type TypeExpr
	Pos  Pos
}

// BinaryOp is left op right with op one of + - * / %.
type BinaryOp struct {
	Op          byte
	Left, Right Term
	Pos         Pos // of the operator
}

// UnaryMinus is - term; -5 without a space is a constant instead.
type UnaryMinus struct {
	Term Term
	Pos  Pos
}

func (*Constant) term()     {}
func (*Null) term()         {}
func (*Marker) term()       {}
func (*ListLit) term()      {}
func (*SetLit) term()       {}
func (*MapLit) term()       {}
func (*UDTLit) term()       {}
func (*TupleLit) term()     {}
func (*FunctionCall) term() {}
func (*TypeHint) term()     {}
func (*Cast) term()         {}
func (*BinaryOp) term()     {}
func (*UnaryMinus) term()   {}

func (t *Constant) Position() Pos     { return t.Pos }
func (t *Null) Position() Pos         { return t.Pos }
func (t *Marker) Position() Pos       { return t.Pos }
func (t *ListLit) Position() Pos      { return t.Pos }
func (t *SetLit) Position() Pos       { return t.Pos }
func (t *MapLit) Position() Pos       { return t.Pos }
func (t *UDTLit) Position() Pos       { return t.Pos }
func (t *TupleLit) Position() Pos     { return t.Pos }
func (t *FunctionCall) Position() Pos { return t.Pos }
func (t *TypeHint) Position() Pos     { return t.Pos }
func (t *Cast) Position() Pos         { return t.Pos }
func (t *BinaryOp) Position() Pos     { return t.Pos }
func (t *UnaryMinus) Position() Pos   { return t.Pos }
