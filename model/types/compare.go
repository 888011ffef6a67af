package types

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
)

// Compare orders two values as clustering columns, sets and maps of this type
// sort: -1, 0 or 1. It allocates nothing except for decimals of unequal scale.
// A value that no write could have stored is ordered in some way and never panics.
// Source: Cassandra 5.0 AbstractType.compare.
func (t *Type) Compare(a, b []byte) int {
	switch t.Kind {
	case KindAscii, KindText, KindBlob, KindInet, KindDate, KindTime, KindDuration:
		return bytes.Compare(a, b)
	case KindTinyInt, KindSmallInt, KindInt, KindBigInt, KindCounter:
		return compareSigned(a, b)
	case KindTimestamp:
		if t.Class != nil {
			return bytes.Compare(a, b)
		}
		return compareSigned(a, b)
	case KindUUID:
		return compareUUID(a, b)
	case KindTimeUUID:
		return compareTimeUUID(a, b)
	case KindBoolean:
		return compareBoolean(a, b)
	case KindVarint:
		return compareVarint(a, b)
	case KindDecimal:
		return compareDecimal(a, b)
	case KindFloat:
		if len(a) < 4 || len(b) < 4 {
			return cmp.Compare(len(a), len(b))
		}
		return compareFloats(float64(DecodeFloat(a)), float64(DecodeFloat(b)))
	case KindDouble:
		if len(a) < 8 || len(b) < 8 {
			return cmp.Compare(len(a), len(b))
		}
		return compareFloats(DecodeDouble(a), DecodeDouble(b))
	case KindList, KindSet:
		return compareElements(a, b, t.Elems[0], nil)
	case KindMap:
		return compareElements(a, b, t.Elems[0], t.Elems[1])
	case KindVector:
		return t.compareVector(a, b)
	case KindCustom:
		return t.Class.Compare(a, b)
	}
	return t.compareTuple(a, b)
}

// compareSigned orders big-endian two's complement of equal length; the empty
// value comes first.
func compareSigned(a, b []byte) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(a), len(b))
	}
	if len(a) == 4 && len(b) == 4 {
		return cmp.Compare(int(int32(binary.BigEndian.Uint32(a))), int(int32(binary.BigEndian.Uint32(b))))
	}
	if a[0] != b[0] {
		return cmp.Compare(int(int8(a[0])), int(int8(b[0])))
	}
	return bytes.Compare(a, b)
}

// compareBoolean puts the empty value before false and takes any other byte as true.
func compareBoolean(a, b []byte) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(a), len(b))
	}
	switch x, y := a[0] != 0, b[0] != 0; {
	case x == y:
		return 0
	case x:
		return 1
	}
	return -1
}

// compareFloats orders as Double.compare: -0.0 before 0.0, NaN last and equal to itself.
func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return cmp.Compare(floatRank(a), floatRank(b))
}

func floatRank(v float64) int {
	switch {
	case math.IsNaN(v):
		return 2
	case v == 0 && math.Signbit(v):
		return 0
	}
	return 1
}

// compareElements orders lists and sets, or maps when value is given: pair by
// pair, then the shorter first.
func compareElements(a, b []byte, elem, value *Type) int {
	if len(a) < 4 || len(b) < 4 {
		return cmp.Compare(len(a), len(b))
	}
	na, nb := DecodeInt32(a), DecodeInt32(b)
	a, b = a[4:], b[4:]
	for i := int32(0); i < min(na, nb); i++ {
		c, more := compareField(&a, &b, elem)
		if c == 0 && more && value != nil {
			c, more = compareField(&a, &b, value)
		}
		if c != 0 || !more {
			return c
		}
	}
	return cmp.Compare(int(na), int(nb))
}

// MeetsNull says whether comparing two lists comes to a null member, which no
// list has but one that a client bound.
func (t *Type) MeetsNull(a, b []byte) bool {
	x, _ := DecodeCollection(a)
	y, _ := DecodeCollection(b)
	for i := range min(len(x), len(y)) {
		if x[i] == nil || y[i] == nil {
			return true
		}
		if t.Elems[0].Compare(x[i], y[i]) != 0 {
			return false
		}
	}
	return false
}

// compareField cuts one value from each side and compares them, null first.
// more is false when a side has ended.
func compareField(a, b *[]byte, t *Type) (c int, more bool) {
	x, restA, okA := nextField(*a)
	y, restB, okB := nextField(*b)
	if !okA || !okB {
		return bytes.Compare(*a, *b), false
	}
	*a, *b = restA, restB
	switch {
	case x == nil && y == nil:
		return 0, true
	case x == nil:
		return -1, true
	case y == nil:
		return 1, true
	}
	return t.Compare(x, y), true
}

// compareTuple orders field by field; a missing field equals null, and so does,
// at the end of the longer value, an empty one.
// Source: Cassandra 5.0 TupleType.compareCustom.
func (t *Type) compareTuple(a, b []byte) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(min(len(a), 1), min(len(b), 1))
	}
	for i := 0; len(a) > 0 && len(b) > 0 && i < len(t.Elems); i++ {
		if c, more := compareField(&a, &b, t.Elems[i]); c != 0 || !more {
			return c
		}
	}
	if hasValue(a) {
		return 1
	}
	if hasValue(b) {
		return -1
	}
	return 0
}

// hasValue reports whether a non-empty field follows.
func hasValue(b []byte) bool {
	for len(b) > 0 {
		f, rest, ok := nextField(b)
		if !ok || len(f) > 0 {
			return true
		}
		b = rest
	}
	return false
}

func (t *Type) compareVector(a, b []byte) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(min(len(a), 1), min(len(b), 1))
	}
	for i := 0; i < t.Dim; i++ {
		x, restA, okA := t.Elems[0].nextElement(a)
		y, restB, okB := t.Elems[0].nextElement(b)
		if !okA || !okB {
			return bytes.Compare(a, b)
		}
		if c := t.Elems[0].Compare(x, y); c != 0 {
			return c
		}
		a, b = restA, restB
	}
	return 0
}
