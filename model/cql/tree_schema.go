package cql

// CreateKeyspace is CREATE KEYSPACE … WITH properties.
type CreateKeyspace struct {
	Keyspace    Name
	IfNotExists bool
	Properties  []Property
	Pos         Pos
}

// AlterKeyspace is ALTER KEYSPACE … WITH properties.
type AlterKeyspace struct {
	Keyspace   Name
	IfExists   bool
	Properties []Property
	Pos        Pos
}

// CreateTable is CREATE TABLE. PrimaryKeys holds every declaration as written,
// in order, so that none or several can be refused later.
// Source: Cassandra 5.0 Parser.g rules createTableStatement, tableColumns.
type CreateTable struct {
	Table          QualifiedName
	IfNotExists    bool
	Columns        []ColumnDef
	PrimaryKeys    []PrimaryKey
	Clustering     []ClusteringOrder
	CompactStorage bool
	Properties     []Property
	Pos            Pos
}

// ColumnDef is name type [STATIC] [MASKED WITH …] [PRIMARY KEY].
type ColumnDef struct {
	Name   Name
	Type   TypeExpr
	Static bool
	Mask   *Mask
}

// Mask is MASKED WITH DEFAULT (Default true, Func empty) or WITH f(args).
type Mask struct {
	Default bool
	Func    QualifiedName
	Args    []Term
	Pos     Pos
}

// PrimaryKey is PRIMARY KEY (partition, clustering …). Inline marks the form
// behind a column, which has one partition column only. Grouped marks inner
// parentheses around the partition key.
type PrimaryKey struct {
	Partition  []Name
	Clustering []Name
	Grouped    bool
	Inline     bool
	Pos        Pos
}

// ClusteringOrder is one column of CLUSTERING ORDER BY.
type ClusteringOrder struct {
	Column     Name
	Descending bool
}

// AlterKind is the action of an ALTER TABLE or ALTER TYPE.
type AlterKind uint8

const (
	AlterAdd         AlterKind = iota // ADD: Columns
	AlterDrop                         // DROP: Dropped, Timestamp
	AlterRename                       // RENAME: Renames
	AlterWith                         // WITH: Properties
	AlterColumnType                   // ALTER c TYPE t: Columns[0] with Name and Type
	AlterMask                         // ALTER c MASKED WITH …: Columns[0] with Name and Mask
	AlterDropMask                     // ALTER c DROP MASKED: Columns[0] with Name
	AlterDropCompact                  // DROP COMPACT STORAGE
)

// AlterTable is ALTER TABLE. IfColumn is IF NOT EXISTS behind ADD and IF EXISTS
// behind DROP, RENAME and ALTER.
// Source: Cassandra 5.0 Parser.g rule alterTableStatement.
type AlterTable struct {
	Table      QualifiedName
	IfExists   bool
	Kind       AlterKind
	IfColumn   bool
	Columns    []ColumnDef
	Dropped    []Name
	Timestamp  *Constant // USING TIMESTAMP of DROP, or nil
	Renames    []Rename
	Properties []Property
	Pos        Pos
}

// Rename is from TO to.
type Rename struct{ From, To Name }

// CreateType is CREATE TYPE. Fields have a name and a type only.
type CreateType struct {
	Type        QualifiedName
	IfNotExists bool
	Fields      []ColumnDef
	Pos         Pos
}

// AlterType is ALTER TYPE with AlterAdd (Field), AlterRename (Renames) or
// AlterColumnType (Field). IfField is IF [NOT] EXISTS behind the action.
type AlterType struct {
	Type     QualifiedName
	IfExists bool
	Kind     AlterKind
	IfField  bool
	Field    ColumnDef
	Renames  []Rename
	Pos      Pos
}

// IndexTargetKind is the form of an index target.
type IndexTargetKind uint8

const (
	SimpleTarget IndexTargetKind = iota
	KeysTarget
	ValuesTarget
	EntriesTarget
	FullTarget
)

var indexTargetNames = [...]string{"", "keys", "values", "entries", "full"}

// String is the function's name in lower case, empty for a plain column.
func (k IndexTargetKind) String() string { return indexTargetNames[k] }

// IndexTarget is a column or keys(c), values(c), entries(c), full(c).
type IndexTarget struct {
	Kind   IndexTargetKind
	Column Name
	Pos    Pos
}

// CreateIndex is CREATE [CUSTOM] INDEX. Name.Text is empty when none was written.
// Source: Cassandra 5.0 Parser.g rule createIndexStatement.
type CreateIndex struct {
	Custom      bool
	IfNotExists bool
	Name        Name
	Table       QualifiedName
	Targets     []IndexTarget // may be empty
	Using       *Constant     // class, or nil
	Properties  []Property
	Pos         Pos
}

// CreateView is CREATE MATERIALIZED VIEW. A nil Selectors list means *.
// Source: Cassandra 5.0 Parser.g rule createMaterializedViewStatement.
type CreateView struct {
	View        QualifiedName
	IfNotExists bool
	Selectors   []Selector
	Base        QualifiedName
	Where       []Relation
	PrimaryKey  PrimaryKey
	Clustering  []ClusteringOrder
	Properties  []Property
	Pos         Pos
}

// AlterView is ALTER MATERIALIZED VIEW … WITH properties.
type AlterView struct {
	View       QualifiedName
	IfExists   bool
	Properties []Property
	Pos        Pos
}

// DropKeyspace is DROP KEYSPACE.
type DropKeyspace struct {
	Keyspace Name
	IfExists bool
	Pos      Pos
}

// DropTable is DROP TABLE.
type DropTable struct {
	Table    QualifiedName
	IfExists bool
	Pos      Pos
}

// DropType is DROP TYPE.
type DropType struct {
	Type     QualifiedName
	IfExists bool
	Pos      Pos
}

// DropIndex is DROP INDEX.
type DropIndex struct {
	Index    QualifiedName
	IfExists bool
	Pos      Pos
}

// DropView is DROP MATERIALIZED VIEW.
type DropView struct {
	View     QualifiedName
	IfExists bool
	Pos      Pos
}

func (*CreateKeyspace) stmt() {}
func (*AlterKeyspace) stmt()  {}
func (*DropKeyspace) stmt()   {}
func (*CreateTable) stmt()    {}
func (*AlterTable) stmt()     {}
func (*DropTable) stmt()      {}
func (*CreateType) stmt()     {}
func (*AlterType) stmt()      {}
func (*DropType) stmt()       {}
func (*CreateIndex) stmt()    {}
func (*DropIndex) stmt()      {}
func (*CreateView) stmt()     {}
func (*AlterView) stmt()      {}
func (*DropView) stmt()       {}

func (s *CreateKeyspace) Position() Pos { return s.Pos }
func (s *AlterKeyspace) Position() Pos  { return s.Pos }
func (s *DropKeyspace) Position() Pos   { return s.Pos }
func (s *CreateTable) Position() Pos    { return s.Pos }
func (s *AlterTable) Position() Pos     { return s.Pos }
func (s *DropTable) Position() Pos      { return s.Pos }
func (s *CreateType) Position() Pos     { return s.Pos }
func (s *AlterType) Position() Pos      { return s.Pos }
func (s *DropType) Position() Pos       { return s.Pos }
func (s *CreateIndex) Position() Pos    { return s.Pos }
func (s *DropIndex) Position() Pos      { return s.Pos }
func (s *CreateView) Position() Pos     { return s.Pos }
func (s *AlterView) Position() Pos      { return s.Pos }
func (s *DropView) Position() Pos       { return s.Pos }
