package ring

import (
	"crypto/md5"
	"encoding/binary"
)

// CompositeKey gives the partition key bytes that a partitioner hashes. A single
// component is returned as it is, without a copy. Several are written as, for each,
// a big-endian 2-byte length, the bytes and 0x00. A component longer than 65535
// bytes has no such form: its length is cut to 16 bits, so the caller refuses a
// result longer than 65535 bytes, as Cassandra does.
// Source: Cassandra 5.0 CompositeType.build.
func CompositeKey(components [][]byte) []byte {
	if len(components) == 1 {
		return components[0]
	}
	size := 0
	for _, c := range components {
		size += 3 + len(c)
	}
	key := make([]byte, 0, size)
	for _, c := range components {
		key = binary.BigEndian.AppendUint16(key, uint16(len(c)))
		key = append(key, c...)
		key = append(key, 0)
	}
	return key
}

// MD5 is the digest that RandomPartitioner and SlideMD5 make their tokens of, for
// display beside them.
func MD5(key []byte) [16]byte { return md5.Sum(key) }
