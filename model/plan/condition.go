package plan

import "ringlab/model/schema"

// Conditions is the IF clause of a write: one of Exists, NotExists and Tests.
// They are about the row that the statement writes; a statement that writes
// static columns alone and tests of static columns are about the static row.
// Source: Cassandra 5.0 cql3.conditions.Conditions.
type Conditions struct {
	Exists    bool
	NotExists bool
	Tests     []Condition // regular columns first, then static ones
	Row       []byte      // clustering of the row that they are about
	Static    bool        // they are about the static row
}

// Condition is one test of an IF clause. Values are bound; nil is null. They are
// compared when the row is known, and only then may turn out to be wrong.
// Source: Cassandra 5.0 cql3.conditions.ColumnCondition.Bound.
type Condition struct {
	Column *schema.Column
	Op     Op
	Part   ConditionPart
	Key    []byte // of an element, a 4-byte index in a list; nil is null
	Field  int    // of a field
	Value  []byte
	Values [][]byte // for In
	Unset  bool     // the value is an unset marker, which is refused when it is compared
}

// ConditionPart is what of a column a condition compares.
type ConditionPart uint8

// The parts: the whole value, column[Key], column.Field.
const (
	Whole ConditionPart = iota
	Element
	Field
)

// BatchKind is the kind of a batch.
type BatchKind uint8

// The kinds of batches.
const (
	LoggedBatch BatchKind = iota
	UnloggedBatch
	CounterBatch
)

// Batch is a BATCH ready to run. Statements without a timestamp of their own
// have the batch's, and else one that they all share. Conditional says that at
// least one has conditions; then all are about one partition of one table.
// Source: Cassandra 5.0 BatchStatement.
type Batch struct {
	Kind        BatchKind
	Writes      []*Write
	Conditional bool
	Classic     bool // of the classic model: it has no bound of size and warns of nothing
}
