package workspace

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// The kinds of record. They are part of the file format.
const (
	kindHeader  = 'H'
	kindEntry   = 'E'
	kindBlob    = 'B'
	kindUI      = 'U'
	kindHistory = 'L'
	kindIntake  = 'I' // before a group that is not in the journal yet
)

// recordVersion is the version of the framing and of every payload. It is the
// last byte of the magic number.
const recordVersion = 1

// recordHead is the size of what stands before a payload: the magic number (4
// bytes), the kind, the payload's length (4 bytes, little-endian), a check of
// kind and length (1 byte) and the CRC-32C of kind, length and payload (4 bytes,
// little-endian).
const recordHead = 14

// maxPayload bounds one record's payload, 1 GiB and a little for its own fields.
const maxPayload = 1<<30 + 1<<16

var (
	magic      = [4]byte{0xf5, 'R', 'L', recordVersion}
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

var (
	errNoRecord = errors.New("no record begins here")
	errNewer    = errors.New("the record is of a newer format")
	errCut      = errors.New("the record is cut short")
	errChecksum = errors.New("the record's checksum does not match")
	errPayload  = errors.New("the record's fields do not fit its length")
)

// beginRecord makes room for a record's head; the payload is appended after it
// and sealRecord completes the head.
func beginRecord(dst []byte) []byte {
	return append(dst, make([]byte, recordHead)...)
}

// sealRecord fills the head of a record, which is all of rec, and returns its error when the payload is too long.
func sealRecord(rec []byte, kind byte) error {
	payload := rec[recordHead:]
	if len(payload) > maxPayload {
		return errors.New("larger than 1 GiB, which is more than a workspace stores in one piece")
	}
	copy(rec, magic[:])
	rec[4] = kind
	binary.LittleEndian.PutUint32(rec[5:], uint32(len(payload)))
	sum := crc32.Checksum(rec[4:9], castagnoli)
	rec[9] = byte(sum)
	binary.LittleEndian.PutUint32(rec[10:], crc32.Update(sum, castagnoli, payload))
	return nil
}

// makeRecord is a whole record around payload.
func makeRecord(kind byte, payload []byte) ([]byte, error) {
	rec := append(beginRecord(make([]byte, 0, recordHead+len(payload))), payload...)
	return rec, sealRecord(rec, kind)
}

// recordSize reads a record's head and returns the size of the whole record,
// which may reach beyond b. It needs recordHead bytes and allocates nothing.
func recordSize(b []byte) (int, error) {
	if len(b) < recordHead {
		return 0, errCut
	}
	if [3]byte(b) != [3]byte(magic[:]) {
		return 0, errNoRecord
	}
	if b[3] != recordVersion {
		if b[3] > recordVersion {
			return 0, errNewer
		}
		return 0, errNoRecord
	}
	n := binary.LittleEndian.Uint32(b[5:])
	if n > maxPayload || b[9] != byte(crc32.Checksum(b[4:9], castagnoli)) {
		return 0, errChecksum
	}
	return recordHead + int(n), nil
}

// readRecord reads the record at the start of b. The payload is a part of b;
// rest is what follows the record.
func readRecord(b []byte) (kind byte, payload, rest []byte, err error) {
	size, err := recordSize(b)
	if err != nil {
		return 0, nil, nil, err
	}
	if size > len(b) {
		return 0, nil, nil, errCut
	}
	payload = b[recordHead:size:size]
	sum := crc32.Checksum(b[4:9], castagnoli)
	if crc32.Update(sum, castagnoli, payload) != binary.LittleEndian.Uint32(b[10:]) {
		return 0, nil, nil, errChecksum
	}
	return b[4], payload, b[size:], nil
}

// readWhole reads a value that is one record of the given kind.
func readWhole(b []byte, kind byte) ([]byte, error) {
	k, payload, rest, err := readRecord(b)
	switch {
	case err != nil:
		return nil, err
	case k != kind || len(rest) > 0:
		return nil, errPayload
	}
	return payload, nil
}
