package bind

import "ringlab/model/types"

// serializationCompatible says whether stored values of the previous type can be
// read as the new one.
// Source: Cassandra 5.0 AbstractType.isSerializationCompatibleWith.
func serializationCompatible(t, previous *types.Type) bool {
	return valueCompatible(t, previous) && t.FixedLen() == previous.FixedLen() && t.IsMultiCell() == previous.IsMultiCell()
}

// valueCompatible says whether the bytes of one type are values of the other.
// Source: Cassandra 5.0 AbstractType.isValueCompatibleWith and its overrides.
func valueCompatible(t, previous *types.Type) bool {
	if t.Kind == types.KindUDT && previous.Kind == types.KindTuple {
		// The types of dropped columns are kept with tuples for user types.
		return elementsCompatible(t, previous) && len(t.Elems) >= len(previous.Elems)
	}
	switch t.Kind {
	case types.KindBlob:
		return true
	case types.KindText:
		return previous.Kind == types.KindText || previous.Kind == types.KindAscii
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
	}
	if t.Kind != previous.Kind {
		return false
	}
	switch t.Kind {
	case types.KindVector:
		return t.Equal(previous)
	case types.KindTuple, types.KindUDT:
		return len(t.Elems) >= len(previous.Elems) && elementsCompatible(t, previous)
	}
	return elementsCompatible(t, previous)
}

func elementsCompatible(t, previous *types.Type) bool {
	for i := range min(len(t.Elems), len(previous.Elems)) {
		if !valueCompatible(t.Elems[i], previous.Elems[i]) {
			return false
		}
	}
	return true
}
