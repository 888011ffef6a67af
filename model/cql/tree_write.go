package cql

// Insert is INSERT INTO table (columns) VALUES (values).
// Source: Cassandra 5.0 Parser.g rule normalInsertStatement.
type Insert struct {
	Table       QualifiedName
	Columns     []Name
	Values      []Term // may differ in number from Columns
	IfNotExists bool
	Using       Attributes
	Markers     []*Marker // of the statement by Index; nil inside a batch
	Pos         Pos
}

// InsertJSON is INSERT INTO table JSON value.
// Source: Cassandra 5.0 Parser.g rule jsonInsertStatement.
type InsertJSON struct {
	Table        QualifiedName
	Value        Term // *Constant (string) or *Marker
	DefaultNull  bool // DEFAULT NULL was written; it is also the meaning of no DEFAULT
	DefaultUnset bool
	IfNotExists  bool
	Using        Attributes
	Markers      []*Marker
	Pos          Pos
}

// Update is an UPDATE statement. The parser has refused incompatible settings of
// one column.
// Source: Cassandra 5.0 Parser.g rule updateStatement.
type Update struct {
	Table      QualifiedName
	Using      Attributes
	Set        []Assignment
	Where      []Relation
	IfExists   bool
	Conditions []Condition
	Markers    []*Marker
	Pos        Pos
}

// Delete is a DELETE statement; no Deletions means whole rows. Using.TTL is nil.
// Source: Cassandra 5.0 Parser.g rule deleteStatement.
type Delete struct {
	Deletions  []Deletion
	Table      QualifiedName
	Using      Attributes
	Where      []Relation
	IfExists   bool
	Conditions []Condition
	Markers    []*Marker
	Pos        Pos
}

// BatchKind is LOGGED (the default, without a keyword), UNLOGGED or COUNTER.
type BatchKind uint8

const (
	LoggedBatch BatchKind = iota
	UnloggedBatch
	CounterBatch
)

// Batch is BEGIN BATCH … APPLY BATCH of *Insert, *InsertJSON, *Update, *Delete.
// Source: Cassandra 5.0 Parser.g rule batchStatement.
type Batch struct {
	Kind       BatchKind
	Using      Attributes
	Statements []Statement
	Markers    []*Marker
	Pos        Pos
}

// Truncate is TRUNCATE [TABLE] table.
type Truncate struct {
	Table QualifiedName
	Pos   Pos
}

// Use is USE keyspace.
type Use struct {
	Keyspace Name
	Pos      Pos
}

func (*Select) stmt()     {}
func (*Insert) stmt()     {}
func (*InsertJSON) stmt() {}
func (*Update) stmt()     {}
func (*Delete) stmt()     {}
func (*Batch) stmt()      {}
func (*Truncate) stmt()   {}
func (*Use) stmt()        {}

func (s *Select) Position() Pos     { return s.Pos }
func (s *Insert) Position() Pos     { return s.Pos }
func (s *InsertJSON) Position() Pos { return s.Pos }
func (s *Update) Position() Pos     { return s.Pos }
func (s *Delete) Position() Pos     { return s.Pos }
func (s *Batch) Position() Pos      { return s.Pos }
func (s *Truncate) Position() Pos   { return s.Pos }
func (s *Use) Position() Pos        { return s.Pos }
