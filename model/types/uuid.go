package types

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// uuidEpoch is 1582-10-15 in milliseconds before 1970, where the time of version
// 1 UUIDs begins.
const uuidEpoch = -12219292800000

// formatUUID writes 8-4-4-4-12 lower case digits; b holds 16 bytes.
func formatUUID(b []byte) string { return uuid.UUID(b[:16]).String() }

// parseUUID reads exactly 8-4-4-4-12 hex digits.
func parseUUID(s string) ([]byte, bool) {
	if len(s) != 36 {
		return nil, false
	}
	u, err := uuid.Parse(s)
	if err != nil {
		return nil, false
	}
	return append([]byte(nil), u[:]...), true
}

// javaUUID reads five groups of hex digits, of each its last digits.
// Source: java.util.UUID.fromString.
func javaUUID(s string) ([]byte, bool) {
	groups := strings.Split(s, "-")
	if len(groups) != 5 || len(s) > 36 {
		return nil, false
	}
	out := make([]byte, 0, 16)
	for i, size := range []int{4, 2, 2, 2, 6} {
		n, err := strconv.ParseUint(groups[i], 16, 63)
		if err != nil {
			return nil, false
		}
		for at := size - 1; at >= 0; at-- {
			out = append(out, byte(n>>(8*at)))
		}
	}
	return out, true
}

// NewTimeUUID builds a version 1 UUID from 100 ns ticks since 1582-10-15 and the
// eight bytes of clock sequence and node, which are taken as they are.
func NewTimeUUID(ticks uint64, clockSeqAndNode uint64) []byte {
	b := make([]byte, 16)
	binary.BigEndian.PutUint32(b, uint32(ticks))
	binary.BigEndian.PutUint16(b[4:], uint16(ticks>>32))
	binary.BigEndian.PutUint16(b[6:], uint16(ticks>>48)&0x0fff|0x1000)
	binary.BigEndian.PutUint64(b[8:], clockSeqAndNode)
	return b
}

// TimeUUIDTicks is the time of a version 1 UUID in 100 ns ticks since 1582-10-15.
func TimeUUIDTicks(b []byte) uint64 {
	if len(b) < 16 {
		return 0
	}
	return uint64(binary.BigEndian.Uint32(b)) | uint64(binary.BigEndian.Uint16(b[4:]))<<32 |
		uint64(binary.BigEndian.Uint16(b[6:])&0x0fff)<<48
}

// TicksOfMillis turns milliseconds since 1970 into the ticks of a version 1 UUID.
func TicksOfMillis(ms int64) uint64 { return uint64(ms-uuidEpoch) * 10000 }

// MinTimeUUID is the smallest timeuuid of a millisecond, as min_timeuuid() gives it.
// Source: Cassandra 5.0 TimeUUID.minAtUnixMillis.
func MinTimeUUID(ms int64) []byte { return NewTimeUUID(TicksOfMillis(ms), 0x8080808080808080) }

// MaxTimeUUID is the largest timeuuid of a millisecond, as max_timeuuid() gives it.
// Source: Cassandra 5.0 TimeUUID.maxAtUnixMillis.
func MaxTimeUUID(ms int64) []byte {
	return NewTimeUUID(TicksOfMillis(ms+1)-1, 0x7f7f7f7f7f7f7f7f)
}

// UnixMillis is the time of a version 1 UUID in milliseconds since 1970.
func UnixMillis(b []byte) int64 { return int64(TimeUUIDTicks(b)/10000) + uuidEpoch }

// compareUUID orders by version, version 1 by time, then by unsigned bytes.
// Source: Cassandra 5.0 UUIDType.compareCustom.
func compareUUID(a, b []byte) int {
	if len(a) != 16 || len(b) != 16 {
		switch {
		case len(a) == 16:
			return 1
		case len(b) == 16:
			return -1
		}
		return 0
	}
	if c := cmp.Compare(int(a[6]>>4), int(b[6]>>4)); c != 0 {
		return c
	}
	if a[6]>>4 == 1 {
		if c := compareTicks(a, b); c != 0 {
			return c
		}
		return bytes.Compare(a[8:], b[8:])
	}
	return bytes.Compare(a, b)
}

// compareTimeUUID orders by time, then by the last eight bytes, each signed.
// Source: Cassandra 5.0 AbstractTimeUUIDType.compareCustom.
func compareTimeUUID(a, b []byte) int {
	if len(a) != 16 || len(b) != 16 {
		return cmp.Compare(len(a), len(b))
	}
	if c := compareTicks(a, b); c != 0 {
		return c
	}
	const flip = 0x8080808080808080
	return cmp.Compare(binary.BigEndian.Uint64(a[8:])^flip, binary.BigEndian.Uint64(b[8:])^flip)
}

func compareTicks(a, b []byte) int { return cmp.Compare(TimeUUIDTicks(a), TimeUUIDTicks(b)) }

// NameUUID is the UUID of version 3 that Java makes of a name's bytes, without a
// namespace. Source: java.util.UUID.nameUUIDFromBytes.
func NameUUID(name string) uuid.UUID {
	id := uuid.UUID(md5.Sum([]byte(name)))
	id[6], id[8] = id[6]&0x0f|0x30, id[8]&0x3f|0x80
	return id
}
