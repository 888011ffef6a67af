package types

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// AppendComparable appends the bytes that a trie of an SSTable has for a value of
// a clustering column; ok is false for types whose bytes are not made here, and
// none says that an empty value has none at all. They stand in the order of
// values, and no value's bytes begin with another's.
// Source: Cassandra 5.0 ByteSource, AbstractType.asComparableBytes of version OSS50.
func (t *Type) AppendComparable(out, v []byte) (_ []byte, none, ok bool) {
	if t.Class != nil {
		return out, false, false
	}
	switch t.Kind {
	case KindText, KindAscii, KindBlob, KindInet:
		return appendEscaped(out, v), false, true
	}
	if len(v) == 0 {
		return out, true, t.IsFixed() || t.Kind == KindVarint
	}
	switch t.Kind {
	case KindTinyInt, KindSmallInt, KindInt, KindTimestamp:
		return appendSigned(out, v), false, true
	case KindDate, KindTime:
		return append(out, v...), false, true
	case KindBigInt:
		return appendVariable(out, int64(binary.BigEndian.Uint64(v))), false, true
	case KindBoolean:
		return append(out, min(v[0], 1)), false, true
	case KindFloat, KindDouble:
		if v[0]&0x80 == 0 {
			return append(append(out, v[0]|0x80), v[1:]...), false, true
		}
		for _, b := range v {
			out = append(out, ^b)
		}
		return out, false, true
	case KindTimeUUID:
		out = binary.BigEndian.AppendUint64(out, TimeUUIDTicks(v)|1<<60)
		return binary.BigEndian.AppendUint64(out, binary.BigEndian.Uint64(v[8:])^0x8080808080808080), false, true
	case KindUUID:
		high := binary.BigEndian.Uint64(v)
		if version := high >> 12 & 15; version == 1 {
			high = TimeUUIDTicks(v) | 1<<60
		} else {
			high = version<<60 | high>>4&0xffffffffffff000 | high&0xfff
		}
		return append(binary.BigEndian.AppendUint64(out, high), v[8:]...), false, true
	case KindVarint:
		if v = trimVarint(v); len(v) < 7 {
			n := int64(int8(v[0]))
			for _, b := range v[1:] {
				n = n<<8 | int64(b)
			}
			return appendVariable(out, n), false, true
		}
	}
	return out, false, false
}

// IsFixed says whether the type is a number, a time, a boolean or a UUID, whose
// empty value is none.
func (t *Type) IsFixed() bool {
	switch t.Kind {
	case KindTinyInt, KindSmallInt, KindInt, KindBigInt, KindTimestamp, KindDate, KindTime, KindBoolean, KindFloat, KindDouble, KindTimeUUID, KindUUID:
		return true
	}
	return false
}

// appendEscaped: a run of zeros is followed by a byte that says that it ends, and
// the end of the value is a zero.
// Source: ByteSource.AbstractEscaper.
func appendEscaped(out, v []byte) []byte {
	zeros := false
	for _, b := range v {
		switch {
		case zeros && b == 0:
			out = append(out, 0xfe)
			continue
		case zeros:
			out = append(out, 0xff)
		}
		zeros = b == 0
		out = append(out, b)
	}
	if zeros {
		return append(out, 0xfe)
	}
	return append(out, 0)
}

// appendVariable: the more bytes, the more ones are in front, or zeros for a
// negative number. Source: ByteSource.VariableLengthInteger.
func appendVariable(out []byte, n int64) []byte {
	negative := n >> 63
	value := uint64(n ^ negative)
	size := bits.Len64(value|1)/7 + 1
	if size >= 9 {
		value = (value | math.MaxInt64 + 1) ^ uint64(negative)
		out = append(out, byte(^negative))
		return binary.BigEndian.AppendUint64(out, value)
	}
	value |= uint64(0xff00>>size&0xff) << (8 * (size - 1))
	value ^= uint64(negative)
	for i := size - 1; i >= 0; i-- {
		out = append(out, byte(value>>(8*i)))
	}
	return out
}
