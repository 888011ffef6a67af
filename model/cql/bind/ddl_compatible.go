package bind

import "ringlab/model/types"

// serializationCompatible says whether stored values of the previous type can be
// read as the new one.
// Source: Cassandra 5.0 AbstractType and CollectionType, isSerializationCompatibleWith.
func serializationCompatible(t, previous *types.Type) bool {
	if !valueCompatible(t, previous) {
		return false
	}
	switch t.Kind {
	case types.KindSet:
		return true
	case types.KindList, types.KindMap:
		last := len(t.Elems) - 1
		return serializationCompatible(t.Elems[last], previous.Elems[last])
	}
	return t.FixedLen() == previous.FixedLen() && t.IsMultiCell() == previous.IsMultiCell()
}

// valueCompatible says whether the bytes of one type are values of the other.
// Source: Cassandra 5.0 AbstractType.isValueCompatibleWith and its overrides.
func valueCompatible(t, previous *types.Type) bool {
	switch t.Kind {
	case types.KindBlob:
		return true
	case types.KindBigInt:
		return previous.Kind == types.KindBigInt || previous.Kind == types.KindTimestamp
	case types.KindTimestamp:
		return previous.Kind == types.KindTimestamp || previous.Kind == types.KindBigInt
	case types.KindVarint:
		return previous.Kind == types.KindVarint || previous.Kind == types.KindInt || previous.Kind == types.KindBigInt
	case types.KindUUID:
		return previous.Kind == types.KindUUID || previous.Kind == types.KindTimeUUID
	case types.KindDate:
		return previous.Kind == types.KindDate || previous.Kind == types.KindVarint
	case types.KindList, types.KindMap:
		if t.IsMultiCell() || previous.Kind != t.Kind || previous.IsMultiCell() {
			return keepsOrder(t, previous)
		}
		last := len(t.Elems) - 1
		return (last == 0 || keepsOrder(t.Elems[0], previous.Elems[0])) && valueCompatible(t.Elems[last], previous.Elems[last])
	case types.KindTuple:
		return isTupleClass(previous) && fieldsCompatible(t, previous, valueCompatible)
	case types.KindUDT:
		return previous.Kind == types.KindUDT && t.IsMultiCell() == previous.IsMultiCell() && t.Keyspace == previous.Keyspace &&
			fieldsCompatible(t, previous, keepsOrder)
	}
	return keepsOrder(t, previous)
}

// keepsOrder says whether values of the previous type are values of the new one
// and stand in the same order. The frozen types of dropped columns have tuples in
// the place of user types, which are no user types again.
// Source: Cassandra 5.0 AbstractType.isCompatibleWith and its overrides.
func keepsOrder(t, previous *types.Type) bool {
	switch t.Kind {
	case types.KindBlob:
		return previous.Kind == types.KindBlob || previous.Kind == types.KindAscii || previous.Kind == types.KindText
	case types.KindText:
		return previous.Kind == types.KindText || previous.Kind == types.KindAscii
	case types.KindTuple, types.KindUDT:
		return isTupleClass(previous) && fieldsCompatible(t, previous, keepsOrder)
	case types.KindList, types.KindSet, types.KindMap:
		if t.Kind != previous.Kind || t.IsMultiCell() != previous.IsMultiCell() {
			return false
		}
		last := len(t.Elems) - 1
		if !t.IsMultiCell() || t.Kind == types.KindSet {
			return keepsOrder(t.Elems[0], previous.Elems[0]) && keepsOrder(t.Elems[last], previous.Elems[last])
		}
		return (last == 0 || keepsOrder(t.Elems[0], previous.Elems[0])) && serializationCompatible(t.Elems[last], previous.Elems[last])
	}
	return t.Equal(previous)
}

func isTupleClass(t *types.Type) bool { return t.Kind == types.KindTuple || t.Kind == types.KindUDT }

// fieldsCompatible compares field by field; the new type may have more of them.
func fieldsCompatible(t, previous *types.Type, same func(t, previous *types.Type) bool) bool {
	if len(t.Elems) < len(previous.Elems) {
		return false
	}
	for i, p := range previous.Elems {
		if !same(t.Elems[i], p) {
			return false
		}
	}
	return true
}
