package types

import (
	"encoding/binary"
	"slices"
)

// EncodeCollection writes a list or set: int32 count, then length and bytes of
// each element; nil is a null element with length -1. For a map the elements are
// keys and values in turn: see EncodeMap.
func EncodeCollection(elems [][]byte) []byte { return encodeElements(len(elems), elems) }

// EncodeMap writes a map from keys and values in turn: the count is that of pairs.
func EncodeMap(keysAndValues [][]byte) []byte {
	return encodeElements(len(keysAndValues)/2, keysAndValues)
}

func encodeElements(count int, elems [][]byte) []byte {
	size := 4
	for _, e := range elems {
		size += 4 + len(e)
	}
	b := binary.BigEndian.AppendUint32(make([]byte, 0, size), uint32(count))
	return appendFields(b, elems)
}

func appendFields(b []byte, fields [][]byte) []byte {
	for _, f := range fields {
		if f == nil {
			b = append(b, 0xff, 0xff, 0xff, 0xff)
			continue
		}
		b = binary.BigEndian.AppendUint32(b, uint32(len(f)))
		b = append(b, f...)
	}
	return b
}

// DecodeCollection splits a list or set into its elements, which share the
// bytes of b; a null element is nil. ok is false when b is too short or too long.
func DecodeCollection(b []byte) (elems [][]byte, ok bool) { return decodeElements(b, 1) }

// DecodeMap splits a map into keys and values in turn.
func DecodeMap(b []byte) (keysAndValues [][]byte, ok bool) { return decodeElements(b, 2) }

func decodeElements(b []byte, per int) (elems [][]byte, ok bool) {
	if len(b) < 4 {
		return nil, false
	}
	n := int(int32(binary.BigEndian.Uint32(b)))
	b = b[4:]
	if n > len(b)/4 {
		return nil, false
	}
	for i := 0; i < n*per; i++ {
		var e []byte
		if e, b, ok = nextField(b); !ok {
			return nil, false
		}
		elems = append(elems, e)
	}
	return elems, len(b) == 0
}

// nextField cuts one length-prefixed value from the front; a negative length is nil.
func nextField(b []byte) (value, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n := int(int32(binary.BigEndian.Uint32(b)))
	b = b[4:]
	if n < 0 {
		return nil, b, true
	}
	if n > len(b) {
		return nil, nil, false
	}
	return b[:n:n], b[n:], true
}

// SortUnique sorts the elements of a set literal by t's order and drops equal
// ones; of equal elements the first is kept. t is the element type.
func (t *Type) SortUnique(elems [][]byte) [][]byte {
	sorted := slices.Clone(elems)
	slices.SortStableFunc(sorted, t.Compare)
	return slices.CompactFunc(sorted, func(a, b []byte) bool { return t.Compare(a, b) == 0 })
}

// SortMap sorts keys and values in turn by t's order of the keys. Of equal keys
// the last value wins and the first key is kept. t is the key type.
func (t *Type) SortMap(keysAndValues [][]byte) [][]byte {
	index := make([]int, len(keysAndValues)/2)
	for i := range index {
		index[i] = 2 * i
	}
	slices.SortStableFunc(index, func(i, j int) int { return t.Compare(keysAndValues[i], keysAndValues[j]) })
	out := make([][]byte, 0, len(keysAndValues))
	for _, i := range index {
		k, v := keysAndValues[i], keysAndValues[i+1]
		if n := len(out); n > 0 && t.Compare(out[n-2], k) == 0 {
			out[n-1] = v
			continue
		}
		out = append(out, k, v)
	}
	return out
}

// EncodeTuple writes a tuple or UDT: length and bytes of each field, nil with
// length -1. Fields left out at the end are absent.
func EncodeTuple(fields [][]byte) []byte { return appendFields([]byte{}, fields) }

// DecodeTuple splits a tuple or UDT into the fields that are present, at most as
// many as t has; a null field is nil. ok is false when b ends inside a field or
// goes on after the last.
func (t *Type) DecodeTuple(b []byte) (fields [][]byte, ok bool) {
	for range t.Elems {
		if len(b) == 0 {
			return fields, true
		}
		var f []byte
		if f, b, ok = nextField(b); !ok {
			return fields, false
		}
		fields = append(fields, f)
	}
	return fields, len(b) == 0
}

// EncodeVector writes a vector of type t: fixed-length elements one after the
// other, others each with an unsigned vint length.
func (t *Type) EncodeVector(elems [][]byte) []byte {
	b := []byte{}
	fixed := t.Elems[0].FixedLen() > 0
	for _, e := range elems {
		if !fixed {
			b = AppendUnsignedVInt(b, uint64(len(e)))
		}
		b = append(b, e...)
	}
	return b
}

// DecodeVector splits a vector of type t into its elements; ok is false when b
// is too short or too long.
func (t *Type) DecodeVector(b []byte) (elems [][]byte, ok bool) {
	for i := 0; i < t.Dim; i++ {
		var e []byte
		if e, b, ok = t.Elems[0].nextElement(b); !ok {
			return nil, false
		}
		elems = append(elems, e)
	}
	return elems, len(b) == 0
}

// nextElement cuts one vector element of type t from the front.
func (t *Type) nextElement(b []byte) (value, rest []byte, ok bool) {
	n := t.FixedLen()
	if n < 0 {
		size, length := ReadUnsignedVInt(b)
		if length == 0 || size > uint64(len(b)-length) {
			return nil, nil, false
		}
		n, b = int(size), b[length:]
	}
	if n > len(b) {
		return nil, nil, false
	}
	return b[:n:n], b[n:], true
}
