// Package bind turns operations of the classic model into plans: it checks them
// against a schema as a node of Cassandra 2.1 does, with its texts, and lowers
// them to what the engine reads and writes.
package bind

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Bytes is a binary field of an operation, hex in JSON. nil is a field that is
// not set.
type Bytes []byte

// UnmarshalJSON reads hex digits.
func (b *Bytes) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	out, err := hex.DecodeString(text)
	if err != nil {
		return fmt.Errorf("hex: %w", err)
	}
	*b = out
	return nil
}

// MarshalJSON writes hex digits.
func (b Bytes) MarshalJSON() ([]byte, error) { return json.Marshal(hex.EncodeToString(b)) }

// The structs of the interface, with the names of its description.
// Source: Cassandra 2.1 interface/cassandra.thrift.
type (
	// Column is a name with its value; Timestamp in µs, TTL in seconds.
	Column struct {
		Name      Bytes  `json:"name"`
		Value     Bytes  `json:"value,omitempty"`
		Timestamp *int64 `json:"timestamp,omitempty"`
		TTL       *int32 `json:"ttl,omitempty"`
	}
	// CounterColumn is a name with what is added to it.
	CounterColumn struct {
		Name  Bytes `json:"name"`
		Value int64 `json:"value"`
	}
	// SuperColumn is a name with the columns under it.
	SuperColumn struct {
		Name    Bytes    `json:"name"`
		Columns []Column `json:"columns"`
	}
	// CounterSuperColumn is a name with the counters under it.
	CounterSuperColumn struct {
		Name    Bytes           `json:"name"`
		Columns []CounterColumn `json:"columns"`
	}
	// ColumnOrSuperColumn is exactly one of its fields.
	ColumnOrSuperColumn struct {
		Column       *Column             `json:"column,omitempty"`
		Super        *SuperColumn        `json:"super_column,omitempty"`
		Counter      *CounterColumn      `json:"counter_column,omitempty"`
		CounterSuper *CounterSuperColumn `json:"counter_super_column,omitempty"`
	}
	// ColumnParent names what holds columns.
	ColumnParent struct {
		Family string `json:"column_family"`
		Super  Bytes  `json:"super_column,omitempty"`
	}
	// ColumnPath names one column or one super column.
	ColumnPath struct {
		Family string `json:"column_family"`
		Super  Bytes  `json:"super_column,omitempty"`
		Column Bytes  `json:"column,omitempty"`
	}
	// SliceRange is a stretch of names, both ends included; an empty end is open.
	SliceRange struct {
		Start    Bytes `json:"start"`
		Finish   Bytes `json:"finish"`
		Reversed bool  `json:"reversed"`
		Count    int32 `json:"count"`
	}
	// SlicePredicate is a list of names or a range.
	SlicePredicate struct {
		Names []Bytes     `json:"column_names,omitempty"`
		Range *SliceRange `json:"slice_range,omitempty"`
	}
	// IndexExpression is one test of a row.
	IndexExpression struct {
		Column Bytes  `json:"column_name"`
		Op     string `json:"op"` // EQ GTE GT LTE LT
		Value  Bytes  `json:"value"`
	}
	// IndexClause is the tests that an index finds rows by.
	IndexClause struct {
		Expressions []IndexExpression `json:"expressions"`
		StartKey    Bytes             `json:"start_key"`
		Count       int32             `json:"count"`
	}
	// KeyRange is a stretch of row keys, by key or by token.
	KeyRange struct {
		StartKey   Bytes             `json:"start_key,omitempty"`
		EndKey     Bytes             `json:"end_key,omitempty"`
		StartToken *string           `json:"start_token,omitempty"`
		EndToken   *string           `json:"end_token,omitempty"`
		RowFilter  []IndexExpression `json:"row_filter,omitempty"`
		Count      int32             `json:"count"`
	}
	// Deletion removes columns, a super column or a row.
	Deletion struct {
		Timestamp *int64          `json:"timestamp,omitempty"`
		Super     Bytes           `json:"super_column,omitempty"`
		Predicate *SlicePredicate `json:"predicate,omitempty"`
	}
	// Mutation is exactly one of its fields.
	Mutation struct {
		Column   *ColumnOrSuperColumn `json:"column_or_supercolumn,omitempty"`
		Deletion *Deletion            `json:"deletion,omitempty"`
	}
)
