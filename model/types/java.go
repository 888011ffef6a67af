package types

import (
	"cmp"
	"slices"
	"unicode/utf16"
)

// BytesPlace is where a Java hash map of byte buffers puts a key, made for that many
// entries, a power of two. Source: Java HashMap, ByteBuffer.hashCode.
func BytesPlace(key string, capacity int) int {
	h := int32(1)
	for i := len(key) - 1; i >= 0; i-- {
		h = 31*h + int32(int8(key[i]))
	}
	return int((uint32(h) ^ uint32(h)>>16) & uint32(capacity-1))
}

// MapCapacity is the size of a Java hash map that is made for so many entries.
// Source: Guava Maps.capacity, Java HashMap.tableSizeFor.
func MapCapacity(entries int) int {
	want := entries + 1
	if entries >= 3 {
		want = (4*entries + 2) / 3
	}
	capacity := 1
	for capacity < want {
		capacity *= 2
	}
	return capacity
}

// SortAsJava puts keys into the order of a Java hash map of strings, made for
// that many entries, a power of two. Source: Java HashMap, String.hashCode.
func SortAsJava(keys []string, capacity int) {
	for 4*len(keys) > 3*capacity {
		capacity *= 2
	}
	place := func(key string) int {
		h := int32(0)
		for _, c := range utf16.Encode([]rune(key)) {
			h = 31*h + int32(c)
		}
		u := uint32(h)
		return int((u ^ u>>16) & uint32(capacity-1))
	}
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
}
