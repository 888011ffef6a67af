package native

import "ringlab/model/types"

// Type is a type as metadata names it.
type Type struct {
	ID       uint16
	Class    string   // of a custom type: the marshal class
	Keyspace string   // of a user-defined type
	Name     string   // of a user-defined type
	Fields   []string // of a user-defined type, beside Elems
	Elems    []Type   // element; key and value; fields
}

// The ids of the types with parameters.
const (
	typeCustom = 0x00
	typeList   = 0x20
	typeMap    = 0x21
	typeSet    = 0x22
	typeUDT    = 0x30
	typeTuple  = 0x31
)

// typeIDs are the ids of the native types, by kind.
var typeIDs = [...]uint16{
	types.KindAscii: 0x01, types.KindBigInt: 0x02, types.KindBlob: 0x03, types.KindBoolean: 0x04, types.KindCounter: 0x05, types.KindDate: 0x11,
	types.KindDecimal: 0x06, types.KindDouble: 0x07, types.KindDuration: 0x15, types.KindFloat: 0x08, types.KindInet: 0x10, types.KindInt: 0x09,
	types.KindSmallInt: 0x13, types.KindText: 0x0D, types.KindTime: 0x12, types.KindTimestamp: 0x0B, types.KindTimeUUID: 0x0F,
	types.KindTinyInt: 0x14, types.KindUUID: 0x0C, types.KindVarint: 0x0E,
}

// TypeOf is a type as a version names it: types that are younger than the
// version, vectors and types that CQL has no name for, by their class.
// Source: Cassandra 5.0 DataType.fromType, toType.
func TypeOf(t *types.Type, v Version) Type {
	switch t.Kind {
	case types.KindDate, types.KindTime, types.KindSmallInt, types.KindTinyInt:
		if v < V4 {
			return Type{Class: t.MarshalName()}
		}
	case types.KindDuration:
		if v < V5 {
			return Type{Class: t.MarshalName()}
		}
	case types.KindVector, types.KindCustom:
		return Type{Class: t.MarshalName()}
	case types.KindTimeUUID:
		if t.Class != nil {
			return Type{Class: t.MarshalName()}
		}
	}
	if t.Kind < types.KindList {
		return Type{ID: typeIDs[t.Kind]}
	}
	out := Type{Elems: make([]Type, len(t.Elems))}
	for i, e := range t.Elems {
		out.Elems[i] = TypeOf(e, v)
	}
	switch t.Kind {
	case types.KindList:
		out.ID = typeList
	case types.KindSet:
		out.ID = typeSet
	case types.KindMap:
		out.ID = typeMap
	case types.KindTuple:
		out.ID = typeTuple
	case types.KindUDT:
		out.ID, out.Keyspace, out.Name, out.Fields = typeUDT, t.Keyspace, t.Name, t.Names
	}
	return out
}

func (t *Type) append(b []byte) []byte {
	b = appendShort(b, int(t.ID))
	switch t.ID {
	case typeCustom:
		return appendString(b, t.Class)
	case typeTuple:
		b = appendShort(b, len(t.Elems))
	case typeUDT:
		b = appendShort(appendString(appendString(b, t.Keyspace), t.Name), len(t.Elems))
	}
	for i := range t.Elems {
		if t.ID == typeUDT {
			b = appendString(b, t.Fields[i])
		}
		b = t.Elems[i].append(b)
	}
	return b
}

// mostNested bounds how deep types may stand in each other.
const mostNested = 32

func (r *reader) dataType(depth int) Type {
	t := Type{ID: uint16(r.short())}
	if depth > mostNested {
		r.fail("Types are nested more than %d deep", mostNested)
	}
	n := 0
	switch t.ID {
	case typeCustom:
		t.Class = r.string()
	case typeList, typeSet:
		n = 1
	case typeMap:
		n = 2
	case typeTuple:
		n = r.short()
	case typeUDT:
		t.Keyspace, t.Name, n = r.string(), r.string(), r.short()
	}
	for i := 0; i < n && r.err == nil; i++ {
		if t.ID == typeUDT {
			t.Fields = append(t.Fields, r.string())
		}
		t.Elems = append(t.Elems, r.dataType(depth+1))
	}
	return t
}
