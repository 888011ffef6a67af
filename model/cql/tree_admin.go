package cql

// CreateFunction is CREATE FUNCTION.
// Source: Cassandra 5.0 Parser.g rule createFunctionStatement.
type CreateFunction struct {
	OrReplace    bool
	IfNotExists  bool
	Func         QualifiedName
	Args         []FunctionArg
	CalledOnNull bool // CALLED ON NULL INPUT, else RETURNS NULL ON NULL INPUT
	Returns      TypeExpr
	Language     Name // lower case
	Body         *Constant
	Pos          Pos
}

// FunctionArg is one name type of CREATE FUNCTION.
type FunctionArg struct {
	Name Name
	Type TypeExpr
}

// DropFunction is DROP FUNCTION f [(types)].
type DropFunction struct {
	IfExists bool
	Func     QualifiedName
	Types    []TypeExpr
	HasTypes bool // parentheses were written, possibly empty
	Pos      Pos
}

// CreateAggregate is CREATE AGGREGATE.
// Source: Cassandra 5.0 Parser.g rule createAggregateStatement.
type CreateAggregate struct {
	OrReplace   bool
	IfNotExists bool
	Func        QualifiedName
	Types       []TypeExpr
	StateFunc   Name
	StateType   TypeExpr
	FinalFunc   *Name
	InitCond    Term
	Pos         Pos
}

// DropAggregate is DROP AGGREGATE a [(types)].
type DropAggregate struct {
	IfExists bool
	Func     QualifiedName
	Types    []TypeExpr
	HasTypes bool // parentheses were written, possibly empty
	Pos      Pos
}

// DescribeKind is what a DESCRIBE asks for.
type DescribeKind uint8

const (
	DescribeGeneric    DescribeKind = iota // DESCRIBE [ks.]name: keyspace, table, view or index
	DescribeCluster                        // CLUSTER
	DescribeSchema                         // [FULL] SCHEMA
	DescribeKeyspaces                      // KEYSPACES
	DescribeKeyspace                       // [ONLY] KEYSPACE [ks]: Name.Name may be empty
	DescribeTables                         // TABLES
	DescribeTable                          // TABLE [ks.]t
	DescribeIndex                          // INDEX [ks.]i
	DescribeView                           // MATERIALIZED VIEW [ks.]v
	DescribeTypes                          // TYPES
	DescribeType                           // TYPE [ks.]t
	DescribeFunctions                      // FUNCTIONS
	DescribeFunction                       // FUNCTION [ks.]f
	DescribeAggregates                     // AGGREGATES
	DescribeAggregate                      // AGGREGATE [ks.]a
)

// Describe is the server's DESCRIBE. For DescribeKeyspace the name stands in
// Name.Name.
// Source: Cassandra 5.0 Parser.g rule describeStatement.
type Describe struct {
	Kind          DescribeKind
	Name          QualifiedName
	Full          bool // FULL SCHEMA
	Only          bool // ONLY KEYSPACE
	WithInternals bool
	Pos           Pos
}

// CreateTrigger is CREATE TRIGGER name ON table USING 'class'.
type CreateTrigger struct {
	IfNotExists bool
	Name        Name
	Table       QualifiedName
	Class       *Constant
	Pos         Pos
}

// DropTrigger is DROP TRIGGER name ON table.
type DropTrigger struct {
	IfExists bool
	Name     Name
	Table    QualifiedName
	Pos      Pos
}

func (*CreateFunction) stmt()  {}
func (*DropFunction) stmt()    {}
func (*CreateAggregate) stmt() {}
func (*DropAggregate) stmt()   {}
func (*Describe) stmt()        {}
func (*CreateTrigger) stmt()   {}
func (*DropTrigger) stmt()     {}

func (s *CreateFunction) Position() Pos  { return s.Pos }
func (s *DropFunction) Position() Pos    { return s.Pos }
func (s *CreateAggregate) Position() Pos { return s.Pos }
func (s *DropAggregate) Position() Pos   { return s.Pos }
func (s *Describe) Position() Pos        { return s.Pos }
func (s *CreateTrigger) Position() Pos   { return s.Pos }
func (s *DropTrigger) Position() Pos     { return s.Pos }
