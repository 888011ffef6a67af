package native

import (
	"hash/crc32"

	"ringlab/engine/lz4"
)

// MaxSegment is how many bytes of envelopes one segment holds at most.
const MaxSegment = 131071

// cutAt is where the envelopes of a server are cut. Source: what a node sends.
const cutAt = 131054

// Segmenter writes and reads the segments of one direction of a connection.
type Segmenter struct {
	LZ4 bool
	z   lz4.Block
	buf []byte
}

// Segment is the header of a segment.
type Segment struct {
	Size          int  // of the payload as sent, bytes
	Full          int  // of the payload when it is decompressed, 0 if it is not compressed
	SelfContained bool // it holds whole envelopes; else a part of one
}

// trailer is the length of the checksum behind the payload.
const trailer = 4

// HeaderSize is the length of a segment's header with its checksum.
func (s *Segmenter) HeaderSize() int {
	if s.LZ4 {
		return 8
	}
	return 6
}

// Trailer is the length of what stands behind a segment's payload.
func (s *Segmenter) Trailer() int { return trailer }

// Append writes envelopes: as one segment if they are short enough, else a
// single one in parts.
func (s *Segmenter) Append(dst, envelopes []byte) []byte {
	if len(envelopes) <= MaxSegment {
		return s.append(dst, envelopes, true)
	}
	for len(envelopes) > 0 {
		n := min(len(envelopes), cutAt)
		dst = s.append(dst, envelopes[:n], false)
		envelopes = envelopes[n:]
	}
	return dst
}

// Source: Cassandra 5.0 FrameEncoderCrc, FrameEncoderLZ4.
func (s *Segmenter) append(dst, payload []byte, self bool) []byte {
	size, full, lengths := len(payload), 0, 3
	if s.LZ4 {
		lengths = 5
		if s.buf = s.z.Append(s.buf[:0], payload); len(s.buf) < size {
			payload, full = s.buf, size
			size = len(payload)
		}
	}
	bits := uint64(size)
	switch {
	case s.LZ4:
		bits |= uint64(full) << 17
		if self {
			bits |= 1 << 34
		}
	case self:
		bits |= 1 << 17
	}
	dst = appendLittle(dst, bits, lengths)
	dst = appendLittle(dst, uint64(crc24(bits, lengths)), 3)
	dst = append(dst, payload...)
	return appendLittle(dst, uint64(crcOf(payload)), trailer)
}

// ParseHeader reads the HeaderSize bytes of a segment's header. channel names the
// connection in the error.
func (s *Segmenter) ParseHeader(b []byte, channel string) (Segment, *Error) {
	lengths := s.HeaderSize() - 3
	bits := little(b[:lengths])
	if read, computed := uint32(little(b[lengths:lengths+3])), crc24(bits, lengths); read != computed {
		return Segment{}, protocolError("%s invalid, unrecoverable CRC mismatch detected in frame header. Read %d, Computed %d", channel, read, computed)
	}
	const mask = 1<<17 - 1
	if s.LZ4 {
		return Segment{Size: int(bits & mask), Full: int(bits >> 17 & mask), SelfContained: bits>>34&1 != 0}, nil
	}
	return Segment{Size: int(bits & mask), SelfContained: bits>>17&1 != 0}, nil
}

// Payload checks the bytes behind a segment's header, Trailer included, and
// gives the envelopes, or the part of one, in them.
func (s *Segmenter) Payload(g Segment, b []byte, channel string) ([]byte, *Error) {
	payload := b[:g.Size]
	if read, computed := uint32(little(b[g.Size:g.Size+trailer])), crcOf(payload); read != computed {
		return nil, protocolError("%s invalid, unrecoverable CRC mismatch detected in frame body. Read %d, Computed %d", channel, int32(read), int32(computed))
	}
	if g.Full == 0 {
		return payload, nil
	}
	out, err := lz4.Decode(payload, g.Full)
	if err != nil {
		return nil, protocolError("%s: %s", channel, err)
	}
	return out, nil
}

// crc24 is the checksum of a header of n bytes.
// Source: Cassandra 5.0 net.Crc.crc24.
func crc24(bits uint64, n int) uint32 {
	crc := uint32(0x875060)
	for ; n > 0; n-- {
		crc ^= uint32(bits&0xff) << 16
		bits >>= 8
		for range 8 {
			if crc <<= 1; crc&0x1000000 != 0 {
				crc ^= 0x1974f0b
			}
		}
	}
	return crc
}

// crcSeed is the checksum of FA 2D 55 CA, with which every payload begins.
var crcSeed = crc32.ChecksumIEEE([]byte{0xfa, 0x2d, 0x55, 0xca})

func crcOf(payload []byte) uint32 { return crc32.Update(crcSeed, crc32.IEEETable, payload) }

func appendLittle(b []byte, v uint64, n int) []byte {
	for i := range n {
		b = append(b, byte(v>>(8*i)))
	}
	return b
}

func little(b []byte) (v uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	return v
}
