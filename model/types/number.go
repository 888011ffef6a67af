package types

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/big"
)

// EncodeInt8 is the one byte of a tinyint.
func EncodeInt8(v int8) []byte { return []byte{byte(v)} }

// EncodeInt16 is the two bytes of a smallint.
func EncodeInt16(v int16) []byte { return binary.BigEndian.AppendUint16(nil, uint16(v)) }

// EncodeInt32 is the four bytes of an int.
func EncodeInt32(v int32) []byte { return binary.BigEndian.AppendUint32(nil, uint32(v)) }

// EncodeInt64 is the eight bytes of a bigint, counter, timestamp or time.
func EncodeInt64(v int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(v)) }

// EncodeFloat is the four bytes of a float.
func EncodeFloat(v float32) []byte { return EncodeInt32(int32(math.Float32bits(v))) }

// EncodeDouble is the eight bytes of a double.
func EncodeDouble(v float64) []byte { return EncodeInt64(int64(math.Float64bits(v))) }

// EncodeBool is the byte of a boolean: 1 or 0.
func EncodeBool(v bool) []byte {
	if v {
		return []byte{1}
	}
	return []byte{0}
}

// DecodeInt8 reads a tinyint; a value that is too short is 0.
func DecodeInt8(b []byte) int8 {
	if len(b) < 1 {
		return 0
	}
	return int8(b[0])
}

// DecodeInt16 reads a smallint; a value that is too short is 0.
func DecodeInt16(b []byte) int16 {
	if len(b) < 2 {
		return 0
	}
	return int16(binary.BigEndian.Uint16(b))
}

// DecodeInt32 reads an int; a value that is too short is 0.
func DecodeInt32(b []byte) int32 {
	if len(b) < 4 {
		return 0
	}
	return int32(binary.BigEndian.Uint32(b))
}

// DecodeInt64 reads eight bytes; a value that is too short is 0.
func DecodeInt64(b []byte) int64 {
	if len(b) < 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(b))
}

// DecodeFloat reads a float; a value that is too short is 0.
func DecodeFloat(b []byte) float32 { return math.Float32frombits(uint32(DecodeInt32(b))) }

// DecodeDouble reads a double; a value that is too short is 0.
func DecodeDouble(b []byte) float64 { return math.Float64frombits(uint64(DecodeInt64(b))) }

// DecodeBool reads a boolean: any byte but 0 is true; the empty value is false.
func DecodeBool(b []byte) bool { return len(b) > 0 && b[0] != 0 }

// EncodeVarint is the shortest two's complement of v, at least one byte.
func EncodeVarint(v *big.Int) []byte {
	if v.Sign() >= 0 {
		n := v.BitLen()/8 + 1
		return v.FillBytes(make([]byte, n))
	}
	not := new(big.Int).Not(v) // -v-1 has the inverted bits
	b := not.FillBytes(make([]byte, not.BitLen()/8+1))
	for i := range b {
		b[i] = ^b[i]
	}
	return b
}

// DecodeVarint reads two's complement of any length; no bytes are 0.
func DecodeVarint(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(len(b))*8))
	}
	return v
}

// compareVarint orders two's complement numerically without decoding; values
// that are not minimal are equal to their minimal form.
func compareVarint(a, b []byte) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(a), len(b))
	}
	na, nb := a[0]&0x80 != 0, b[0]&0x80 != 0
	if na != nb {
		if na {
			return -1
		}
		return 1
	}
	a, b = trimVarint(a), trimVarint(b)
	if len(a) != len(b) {
		if (len(a) < len(b)) != na {
			return -1
		}
		return 1
	}
	for i := range a {
		if a[i] != b[i] {
			return cmp.Compare(int(a[i]), int(b[i]))
		}
	}
	return 0
}

// trimVarint drops leading bytes that only repeat the sign.
func trimVarint(b []byte) []byte {
	for len(b) > 1 && (b[0] == 0 && b[1]&0x80 == 0 || b[0] == 0xff && b[1]&0x80 != 0) {
		b = b[1:]
	}
	return b
}
