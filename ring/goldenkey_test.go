package ring_test

import (
	"encoding/binary"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// components are the serialised values that a recorded key is made of; nil for a
// kind whose key is raw bytes.
func components(kind, value string) [][]byte {
	types, values := []string{kind}, []string{value}
	if inner, ok := strings.CutPrefix(kind, "composite("); ok {
		types = strings.Split(strings.TrimSuffix(inner, ")"), ",")
		values = strings.Split(value, "|")
	}
	var out [][]byte
	for i, typ := range types {
		b, known := serialise(typ, values[i])
		if !known {
			return nil
		}
		out = append(out, b)
	}
	return out
}

// serialise writes a value in its CQL form; it panics on a value it cannot read.
func serialise(typ, value string) (b []byte, known bool) {
	switch typ {
	case "empty", "text":
		return []byte(value), true
	case "int":
		return binary.BigEndian.AppendUint32(nil, uint32(must(strconv.ParseInt(value, 10, 32)))), true
	case "bigint":
		return binary.BigEndian.AppendUint64(nil, uint64(must(strconv.ParseInt(value, 10, 64)))), true
	case "uuid", "timeuuid":
		return unhex(strings.ReplaceAll(value, "-", "")), true
	case "boolean":
		return map[string][]byte{"true": {1}, "false": {0}}[value], true
	case "double":
		return binary.BigEndian.AppendUint64(nil, math.Float64bits(must(strconv.ParseFloat(value, 64)))), true
	case "varint":
		v, ok := new(big.Int).SetString(value, 10)
		if !ok {
			panic(value)
		}
		return varint(v), true
	}
	return nil, false
}

// varint is the shortest two's complement form.
func varint(v *big.Int) []byte {
	size := v.BitLen()/8 + 1
	if v.Sign() < 0 {
		size = new(big.Int).Not(v).BitLen()/8 + 1
		v = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
	}
	return v.FillBytes(make([]byte, size))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
