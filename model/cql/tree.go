// Package cql reads CQL text as Cassandra 5.0 does: a lexer with positions, a
// syntax tree, a recursive-descent parser, a printer and a statement splitter.
//
// The tree holds what was written, unresolved: no name is looked up and no type
// is checked. Refusals that Cassandra's own parser raises are *SyntaxError with
// Cassandra's wording; everything later belongs to the binder.
// Source: Cassandra 5.0 Parser.g, Lexer.g, ErrorCollector.
package cql

// Pos is a place in the source text. The zero Pos means "unknown".
type Pos struct {
	Line   int // from 1
	Col    int // from 0, in Java characters: a code point above U+FFFF counts twice
	Offset int // in bytes, from 0
}

// Statement is one parsed CQL statement, always a pointer to one of the structs
// of this package.
type Statement interface {
	stmt()
	// Position is the place of the first word of the statement.
	Position() Pos
}

// Name is an identifier. Text is folded to lower case unless it was quoted.
// Only a column reference may be empty (written "").
// Source: Cassandra 5.0 ColumnIdentifier, FieldIdentifier, Parser.g rule ident.
type Name struct {
	Text   string
	Quoted bool
	Pos    Pos
}

// String is the bare text, as Cassandra's messages show most names.
func (n Name) String() string { return n.Text }

// CQL is the text with double quotes where CQL needs them.
// Source: Cassandra 5.0 ColumnIdentifier.toCQLString, maybeQuote.
func (n Name) CQL() string { return QuoteName(n.Text) }

// QualifiedName is [keyspace.]name of a table, view, index, type, function or
// aggregate. Keyspace.Text is empty when no keyspace was written.
// Source: Cassandra 5.0 QualifiedName, UTName, FunctionName.
type QualifiedName struct {
	Keyspace Name
	Name     Name
}

// Pos is the place of the first part that was written.
func (q QualifiedName) Pos() Pos {
	if q.Keyspace.Text != "" {
		return q.Keyspace.Pos
	}
	return q.Name.Pos
}

// String is keyspace.name without quotes, or name alone.
func (q QualifiedName) String() string {
	if q.Keyspace.Text == "" {
		return q.Name.Text
	}
	return q.Keyspace.Text + "." + q.Name.Text
}

// TypeKind says what form a written type has.
type TypeKind uint8

const (
	NativeType TypeKind = iota // int, text …: Name is the keyword in lower case
	ListType                   // list<Args[0]>
	SetType                    // set<Args[0]>
	MapType                    // map<Args[0], Args[1]>
	TupleType                  // tuple<Args…>
	VectorType                 // vector<Args[0], Dim>
	UserType                   // [Keyspace.]Name
	CustomType                 // 'java.class.Name': Name.Text is the class
)

// TypeExpr is a type as written. Frozen is true for the operand of an explicit
// frozen<>, however deep; implicit freezing is the binder's.
// Source: Cassandra 5.0 Parser.g rule comparatorType, CQL3Type.Raw.
type TypeExpr struct {
	Kind     TypeKind
	Keyspace Name // user types only
	Name     Name
	Args     []TypeExpr
	Frozen   bool
	Dim      int // vectors only
	Pos      Pos
}

// Property is one option = value of a WITH clause. Duplicates stay, in order.
// Source: Cassandra 5.0 Parser.g rules property, propertyValue, fullMapLiteral.
type Property struct {
	Name  Name
	Value PropertyValue
}

// PropertyKind says what was written on the right of an option.
type PropertyKind uint8

const (
	ConstantProperty PropertyKind = iota // Constant is set
	KeywordProperty                      // an unreserved keyword: Text is set
	MapProperty                          // {k: v, …}: Map is set, possibly empty
)

// PropertyValue is the right side of an option. Text is the raw text of a
// constant (strings without quotes) or of a keyword in lower case.
type PropertyValue struct {
	Kind     PropertyKind
	Text     string
	Constant *Constant
	Map      []PropertyEntry // keys are unique: the parser refuses a second definition
	Pos      Pos
}

// PropertyEntry is one key: value of a property map, both constants.
type PropertyEntry struct {
	Key, Value *Constant
}
