package types

import (
	"encoding/binary"
	"math"
	"strings"
)

// AppendOrdered appends bytes whose order, as unsigned bytes, is that of Compare
// among values that a write can store. Values that Compare takes for equal have
// the same bytes. A custom class is ordered as its bytes.
// Source: Cassandra 5.0 ByteComparable, AbstractType.asComparableBytes.
func (t *Type) AppendOrdered(out, v []byte) []byte {
	if len(v) == 0 {
		return out
	}
	switch t.Kind {
	case KindTinyInt, KindSmallInt, KindInt, KindBigInt, KindCounter:
		return appendSigned(out, v)
	case KindTimestamp:
		if t.Class == nil {
			return appendSigned(out, v)
		}
	case KindBoolean:
		if v[0] != 0 {
			return append(out, 1)
		}
		return append(out, 0)
	case KindFloat:
		if len(v) == 4 {
			return appendFloat(out, float64(DecodeFloat(v)))
		}
	case KindDouble:
		if len(v) == 8 {
			return appendFloat(out, DecodeDouble(v))
		}
	case KindUUID, KindTimeUUID:
		if len(v) == 16 {
			return appendUUID(out, v, t.Kind == KindTimeUUID)
		}
	case KindVarint:
		return appendVarint(out, v)
	case KindDecimal:
		if len(v) > 4 {
			return appendDecimal(out, v)
		}
	case KindList, KindSet, KindMap:
		if len(v) >= 4 {
			return t.appendElements(out, v[4:])
		}
	case KindTuple, KindUDT:
		return t.appendFields(out, v)
	case KindVector:
		for range t.Dim {
			e, rest, ok := t.Elems[0].nextElement(v)
			if !ok {
				break
			}
			out, v = appendPart(out, t.Elems[0], e), rest
		}
		return out
	}
	return append(out, v...)
}

// The bytes around the parts of a value: an end stands before everything, and a
// missing part before every value.
const (
	orderedEnd     = 0x01
	orderedMissing = 0x02
	orderedValue   = 0x03
)

// appendPart appends a part of a value so that what follows it never counts
// before it: zeros are marked and two of them end it.
func appendPart(out []byte, t *Type, v []byte) []byte {
	if v == nil {
		return append(out, orderedMissing)
	}
	out = append(out, orderedValue)
	for _, b := range t.AppendOrdered(nil, v) {
		if out = append(out, b); b == 0 {
			out = append(out, 0xff)
		}
	}
	return append(out, 0, 0)
}

func (t *Type) appendElements(out, v []byte) []byte {
	for i := 0; ; i++ {
		e, rest, ok := nextField(v)
		if !ok {
			return append(out, orderedEnd)
		}
		out, v = appendPart(out, t.Elems[i%len(t.Elems)], e), rest
	}
}

// appendFields leaves out the missing and empty fields at the end.
func (t *Type) appendFields(out, v []byte) []byte {
	for i := 0; hasValue(v) && i < len(t.Elems); i++ {
		f, rest, ok := nextField(v)
		if !ok {
			break
		}
		out, v = appendPart(out, t.Elems[i], f), rest
	}
	return append(out, orderedMissing)
}

func appendSigned(out, v []byte) []byte { return append(append(out, v[0]^0x80), v[1:]...) }

func appendFloat(out []byte, v float64) []byte {
	bits := math.Float64bits(v)
	switch {
	case math.IsNaN(v):
		bits = math.MaxUint64
	case bits>>63 == 1:
		bits = ^bits
	default:
		bits |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(out, bits)
}

func appendUUID(out, v []byte, timed bool) []byte {
	if !timed {
		out = append(out, v[6]>>4)
		if v[6]>>4 != 1 {
			return append(out, v...)
		}
	}
	out = binary.BigEndian.AppendUint64(out, TimeUUIDTicks(v))
	rest := binary.BigEndian.Uint64(v[8:])
	if timed {
		rest ^= 0x8080808080808080
	}
	return binary.BigEndian.AppendUint64(out, rest)
}

// appendVarint: sign and length decide before the digits do.
func appendVarint(out, v []byte) []byte {
	v = trimVarint(v)
	n := int64(len(v))
	if v[0]&0x80 != 0 {
		n = -n
	}
	return append(binary.BigEndian.AppendUint64(out, uint64(n)^(1<<63)), v...)
}

// appendDecimal: sign, then the place of the first digit, then the digits without
// zeros at the end. Those of a negative number count the other way round.
func appendDecimal(out, v []byte) []byte {
	unscaled, scale := DecodeDecimal(v)
	sign := unscaled.Sign()
	out = append(out, byte(sign+1))
	if sign == 0 {
		return out
	}
	digits := strings.TrimPrefix(unscaled.String(), "-")
	place := uint64(int64(len(digits))-int64(scale)) ^ (1 << 63)
	digits = strings.TrimRight(digits, "0")
	if sign > 0 {
		return append(binary.BigEndian.AppendUint64(out, place), digits...)
	}
	out = binary.BigEndian.AppendUint64(out, ^place)
	for _, d := range []byte(digits) {
		out = append(out, ^d)
	}
	return append(out, 0xff)
}
