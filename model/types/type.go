package types

import (
	"math"
	"strings"
)

// Kind tells the families of types apart. Clustering order is no kind: it
// belongs to the schema.
type Kind uint8

// The kinds. Native types come first, in alphabetical order of their CQL names.
const (
	KindAscii Kind = iota
	KindBigInt
	KindBlob
	KindBoolean
	KindCounter
	KindDate
	KindDecimal
	KindDouble
	KindDuration
	KindFloat
	KindInet
	KindInt
	KindSmallInt
	KindText
	KindTime
	KindTimestamp
	KindTimeUUID
	KindTinyInt
	KindUUID
	KindVarint
	KindList
	KindSet
	KindMap
	KindTuple
	KindUDT
	KindVector
	KindCustom // a marshal class without a CQL name
)

// Type is one CQL type. Values are shared and never changed after construction.
type Type struct {
	Kind     Kind
	Frozen   bool        // list, set, map and UDT: one cell for the whole value
	Elems    []*Type     // element; key and value; fields
	Names    []string    // UDT: field names, parallel to Elems
	Keyspace string      // UDT
	Name     string      // UDT
	Dim      int         // vector: number of elements
	Class    *Comparator // custom; a timestamp with the order of DateType
}

// The native types.
var (
	Ascii     = &Type{Kind: KindAscii}
	BigInt    = &Type{Kind: KindBigInt}
	Blob      = &Type{Kind: KindBlob}
	Boolean   = &Type{Kind: KindBoolean}
	Counter   = &Type{Kind: KindCounter}
	Date      = &Type{Kind: KindDate}
	Decimal   = &Type{Kind: KindDecimal}
	Double    = &Type{Kind: KindDouble}
	Duration  = &Type{Kind: KindDuration}
	Float     = &Type{Kind: KindFloat}
	Inet      = &Type{Kind: KindInet}
	Int       = &Type{Kind: KindInt}
	SmallInt  = &Type{Kind: KindSmallInt}
	Text      = &Type{Kind: KindText}
	Time      = &Type{Kind: KindTime}
	Timestamp = &Type{Kind: KindTimestamp}
	TimeUUID  = &Type{Kind: KindTimeUUID}
	TinyInt   = &Type{Kind: KindTinyInt}
	UUID      = &Type{Kind: KindUUID}
	Varint    = &Type{Kind: KindVarint}
)

var natives = []*Type{Ascii, BigInt, Blob, Boolean, Counter, Date, Decimal, Double, Duration, Float,
	Inet, Int, SmallInt, Text, Time, Timestamp, TimeUUID, TinyInt, UUID, Varint}

var nativeNames = [...]string{"ascii", "bigint", "blob", "boolean", "counter", "date", "decimal", "double", "duration", "float",
	"inet", "int", "smallint", "text", "time", "timestamp", "timeuuid", "tinyint", "uuid", "varint"}

// Native finds a native type by its CQL name in any case; varchar is text.
func Native(name string) (*Type, bool) {
	if strings.EqualFold(name, "varchar") {
		return Text, true
	}
	for i, n := range nativeNames {
		if strings.EqualFold(name, n) {
			return natives[i], true
		}
	}
	return nil, false
}

// Natives returns the native types in alphabetical order of their names.
func Natives() []*Type { return append([]*Type(nil), natives...) }

// ListOf is a multi-cell list; freeze it for one cell.
func ListOf(elem *Type) *Type { return &Type{Kind: KindList, Elems: []*Type{elem}} }

// SetOf is a multi-cell set; freeze it for one cell.
func SetOf(elem *Type) *Type { return &Type{Kind: KindSet, Elems: []*Type{elem}} }

// MapOf is a multi-cell map; freeze it for one cell.
func MapOf(key, value *Type) *Type { return &Type{Kind: KindMap, Elems: []*Type{key, value}} }

// TupleOf is a tuple, always one cell. Its fields become frozen.
func TupleOf(fields ...*Type) *Type {
	t := &Type{Kind: KindTuple, Frozen: true, Elems: make([]*Type, len(fields))}
	for i, f := range fields {
		t.Elems[i] = f.Freeze()
	}
	return t
}

// UDTOf is a multi-cell user defined type; names and fields are parallel.
func UDTOf(keyspace, name string, names []string, fields []*Type) *Type {
	return &Type{Kind: KindUDT, Keyspace: keyspace, Name: name, Names: names, Elems: fields}
}

// VectorOf is a vector of dim elements, always one cell.
func VectorOf(elem *Type, dim int) *Type {
	return &Type{Kind: KindVector, Frozen: true, Elems: []*Type{elem}, Dim: dim}
}

// Freeze returns the one-cell form. Elements of collections become frozen too;
// the fields of a UDT stay as they were declared. Native types are unchanged.
func (t *Type) Freeze() *Type {
	if t.Frozen || t.Kind < KindList {
		return t
	}
	c := *t
	c.Frozen = true
	if t.Kind != KindUDT {
		c.Elems = make([]*Type, len(t.Elems))
		for i, e := range t.Elems {
			c.Elems[i] = e.Freeze()
		}
	}
	return &c
}

// Unfreeze returns the multi-cell form of a collection or UDT, else t itself.
func (t *Type) Unfreeze() *Type {
	if !t.Frozen || t.Kind < KindList || t.Kind == KindTuple || t.Kind >= KindVector {
		return t
	}
	c := *t
	c.Frozen = false
	return &c
}

// IsMultiCell reports whether a column of this type holds one cell per element.
func (t *Type) IsMultiCell() bool { return t.Kind >= KindList && !t.Frozen }

// IsCollection reports list, set and map.
func (t *Type) IsCollection() bool {
	return t.Kind == KindList || t.Kind == KindSet || t.Kind == KindMap
}

// IsNative reports the types without parameters.
func (t *Type) IsNative() bool { return t.Kind < KindList }

// IsCounter reports counter.
func (t *Type) IsCounter() bool { return t.Kind == KindCounter }

// IsNumeric reports the types with arithmetic: integers, counter, float, double, decimal.
func (t *Type) IsNumeric() bool {
	switch t.Kind {
	case KindTinyInt, KindSmallInt, KindInt, KindBigInt, KindCounter, KindVarint, KindFloat, KindDouble, KindDecimal:
		return true
	}
	return false
}

// References reports whether the type or any type inside it is of kind k.
func (t *Type) References(k Kind) bool {
	if t.Kind == k {
		return true
	}
	for _, e := range t.Elems {
		if e.References(k) {
			return true
		}
	}
	return false
}

// ReferencesUDT reports whether the named user type is t or occurs inside it.
// Vectors do not tell of their elements.
// Source: Cassandra 5.0 AbstractType.referencesUserType, which VectorType inherits.
func (t *Type) ReferencesUDT(keyspace, name string) bool {
	if t.Kind == KindUDT && t.Keyspace == keyspace && t.Name == name {
		return true
	}
	if t.Kind == KindVector {
		return false
	}
	for _, e := range t.Elems {
		if e.ReferencesUDT(keyspace, name) {
			return true
		}
	}
	return false
}

// ContainsDuration reports whether a duration occurs anywhere inside.
func (t *Type) ContainsDuration() bool { return t.References(KindDuration) }

// Field is the position of a UDT field, or -1.
func (t *Type) Field(name string) int {
	for i, n := range t.Names {
		if n == name {
			return i
		}
	}
	return -1
}

// Equal reports whether both are the same type, frozen state included.
func (t *Type) Equal(u *Type) bool {
	if t == u {
		return true
	}
	if t != nil && u != nil && (t.Class != nil || u.Class != nil) {
		return t.Class != nil && u.Class != nil && t.Class.MarshalName() == u.Class.MarshalName()
	}
	if t == nil || u == nil || t.Kind != u.Kind || t.Frozen != u.Frozen || t.Dim != u.Dim ||
		t.Keyspace != u.Keyspace || t.Name != u.Name || len(t.Elems) != len(u.Elems) || len(t.Names) != len(u.Names) {
		return false
	}
	for i := range t.Elems {
		if !t.Elems[i].Equal(u.Elems[i]) {
			return false
		}
	}
	for i := range t.Names {
		if t.Names[i] != u.Names[i] {
			return false
		}
	}
	return true
}

// FixedLen is the length of every value in storage, or -1. tinyint, smallint,
// date and time are not fixed, although their values all have one length.
// Source: Cassandra 5.0 AbstractType.valueLengthIfFixed.
func (t *Type) FixedLen() int {
	switch t.Kind {
	case KindBoolean:
		return 1
	case KindInt, KindFloat:
		return 4
	case KindBigInt, KindDouble, KindTimestamp:
		return 8
	case KindUUID, KindTimeUUID:
		return 16
	case KindVector:
		if n := t.Elems[0].FixedLen(); n > 0 && n <= math.MaxInt32/t.Dim {
			return n * t.Dim
		}
	}
	return -1
}

// EmptyAllowed reports whether an empty byte slice is accepted as a value.
// Source: Cassandra 5.0 AbstractType.allowsEmpty.
func (t *Type) EmptyAllowed() bool { return t.Validate(nil) == nil }

// EmptyMeaningless reports the types whose empty value is accepted but says
// nothing, such as the empty int. The empty text, blob and tuple are values.
// Source: Cassandra 5.0 AbstractType.isEmptyValueMeaningless.
func (t *Type) EmptyMeaningless() bool {
	switch t.Kind {
	case KindAscii, KindText, KindBlob, KindTuple, KindUDT:
		return false
	}
	return t.EmptyAllowed()
}
