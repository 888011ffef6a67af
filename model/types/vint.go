package types

import "math/bits"

// AppendUnsignedVInt appends v in 1 to 9 bytes: the number of leading one bits
// in the first byte is the number of bytes that follow.
// Source: Cassandra 5.0 VIntCoding.writeUnsignedVInt.
func AppendUnsignedVInt(b []byte, v uint64) []byte {
	n := (639 - bits.LeadingZeros64(v|1)*9) >> 6 // total bytes
	if n == 9 {
		b = append(b, 0xff)
		for i := 7; i >= 0; i-- {
			b = append(b, byte(v>>(8*i)))
		}
		return b
	}
	v |= uint64(^(0xff>>(n-1))&0xff) << (8 * (n - 1))
	for i := n - 1; i >= 0; i-- {
		b = append(b, byte(v>>(8*i)))
	}
	return b
}

// ReadUnsignedVInt reads one unsigned vint; n is its length, 0 when b is too short.
func ReadUnsignedVInt(b []byte) (v uint64, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	extra := bits.LeadingZeros8(^b[0])
	if len(b) < extra+1 {
		return 0, 0
	}
	if extra < 8 {
		v = uint64(b[0] & (0xff >> extra))
	}
	for i := 1; i <= extra; i++ {
		v = v<<8 | uint64(b[i])
	}
	return v, extra + 1
}

// AppendVInt appends a signed vint: zig-zag, then unsigned.
func AppendVInt(b []byte, v int64) []byte {
	return AppendUnsignedVInt(b, uint64(v<<1)^uint64(v>>63))
}

// ReadVInt reads one signed vint; n is its length, 0 when b is too short.
func ReadVInt(b []byte) (v int64, n int) {
	u, n := ReadUnsignedVInt(b)
	return int64(u>>1) ^ -int64(u&1), n
}
