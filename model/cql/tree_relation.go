package cql

// Op is a comparison of a WHERE relation or an IF condition.
// Source: Cassandra 5.0 Operator.
type Op uint8

const (
	EQ Op = iota
	NEQ
	LT
	LTE
	GT
	GTE
	IN
	CONTAINS
	CONTAINS_KEY
	LIKE
	IS_NOT // only IS NOT NULL
)

var opNames = [...]string{"=", "!=", "<", "<=", ">", ">=", "IN", "CONTAINS", "CONTAINS KEY", "LIKE", "IS NOT"}

// String is the operator as CQL writes it.
func (o Op) String() string { return opNames[o] }

// RelationKind is the form of a relation's left side.
type RelationKind uint8

const (
	ColumnRelation  RelationKind = iota // c op …
	ElementRelation                     // c[Key] op value; op is never IN, CONTAINS or LIKE
	MultiRelation                       // (c1, c2, …) op …
	TokenRelation                       // token(c1, …) op value
	CustomRelation                      // expr(Index, Value): an index expression
)

// Relation is one restriction of a WHERE clause. Value is set for every operator
// but IN; for IS_NOT it is *Null. For IN either InMarker is set or InValues holds
// the list, possibly empty: terms for one column; for several columns all
// *TupleLit or all *Marker. The Value of a MultiRelation is *TupleLit or *Marker.
// Source: Cassandra 5.0 Parser.g rule relation, Relation.toCQLString.
type Relation struct {
	Kind     RelationKind
	Columns  []Name
	Key      Term          // ElementRelation
	Index    QualifiedName // CustomRelation
	Op       Op
	Value    Term
	InValues []Term
	InMarker *Marker
	Pos      Pos
}

// Condition is one test of an IF clause: column op value, column[Element] op
// value or column.Field op value. IN is held as in Relation.
// Source: Cassandra 5.0 Parser.g rule columnCondition.
type Condition struct {
	Column   Name
	Element  Term  // column[element], or nil
	Field    *Name // column.field, or nil
	Op       Op    // never LIKE or IS_NOT
	Value    Term
	InValues []Term
	InMarker *Marker
	Pos      Pos
}

// UpdateKind is the form of an assignment.
type UpdateKind uint8

const (
	SetValue   UpdateKind = iota // c = Value
	Addition                     // c = c + Value, c += Value, c = c -3 (Value is the integer -3)
	Subtract                     // c = c - Value, c -= Value
	Prepend                      // c = Value + c
	SetElement                   // c[Element] = Value
	SetField                     // c.Field = Value
)

// Assignment is one operation of UPDATE … SET.
// Source: Cassandra 5.0 Parser.g rule columnOperation, Operation.RawUpdate.
type Assignment struct {
	Kind    UpdateKind
	Column  Name
	Element Term
	Field   Name
	Value   Term
}

// Deletion is one selection of DELETE: column, column[Element] or column.Field.
// Source: Cassandra 5.0 Parser.g rule deleteOp.
type Deletion struct {
	Column  Name
	Element Term  // or nil
	Field   *Name // or nil
}

// Attributes are USING TIMESTAMP and USING TTL: *Constant (integer) or *Marker,
// nil where absent. The last of several wins.
// Source: Cassandra 5.0 Attributes.Raw.
type Attributes struct {
	Timestamp Term
	TTL       Term
	Replaced  []ReplacedAttribute // markers that a later attribute of their kind has replaced
}

// ReplacedAttribute is a marker that counts and that nothing uses: the first one
// of USING TTL ? AND TTL ?.
type ReplacedAttribute struct {
	TTL    bool // of TTL, else of TIMESTAMP
	Marker *Marker
}
