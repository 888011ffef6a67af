package ring

import "strings"

// Token is a position on the ring of one partitioner. It is comparable with == and
// ordered by (hi, lo, s), an order that every partitioner maps its own onto:
//
//	Murmur3Partitioner          hi = the signed token with its top bit flipped
//	RandomPartitioner           hi, lo = the token plus one, so that -1 is zero
//	ByteOrderedPartitioner      s = the key's bytes
//	OrderPreservingPartitioner  s = the string in UTF-16, big endian
//	SlideMD5                    hi, lo = the digest, unsigned
//
// The zero Token is the minimum of each of them. Tokens of different partitioners
// must not be mixed; nothing in a Token tells them apart.
type Token struct {
	hi, lo uint64
	s      string
}

// Compare returns -1, 0 or 1 as a stands before, at or after b.
func (a Token) Compare(b Token) int {
	switch {
	case a.hi != b.hi:
		return order(a.hi < b.hi)
	case a.lo != b.lo:
		return order(a.lo < b.lo)
	}
	return strings.Compare(a.s, b.s)
}

// Less reports whether a stands before b.
func (a Token) Less(b Token) bool {
	if a.hi != b.hi {
		return a.hi < b.hi
	}
	return a.lo < b.lo || a.lo == b.lo && a.s < b.s
}

func order(less bool) int {
	if less {
		return -1
	}
	return 1
}
