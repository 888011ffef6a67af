package workspace

import "encoding/binary"

// Entry is one command of the journal.
type Entry struct {
	N      uint64 // place in the journal, from 1; Append gives it
	At     int64  // virtual time before the command ran, µs
	Client string // who gave it
	Branch string // the branch of the lab on which it ran
	Text   string // the command
	Hash   uint64 // 64-bit hash of its answer
	Kind   byte   // 0 is a text command; others are the caller's, such as a prepared statement
	Data   []byte // what a kind other than 0 needs beside its text
}

// appendEntry appends e as one record of generation gen.
func appendEntry(dst []byte, e *Entry, gen uint64) ([]byte, error) {
	start := len(dst)
	dst = beginRecord(dst)
	dst = binary.AppendUvarint(dst, e.N)
	dst = binary.AppendUvarint(dst, gen)
	dst = binary.AppendVarint(dst, e.At)
	dst = binary.LittleEndian.AppendUint64(dst, e.Hash)
	dst = append(dst, e.Kind)
	dst = appendString(dst, e.Client)
	dst = appendString(dst, e.Branch)
	dst = appendString(dst, e.Text)
	dst = appendBytes(dst, e.Data)
	return dst, sealRecord(dst[start:], kindEntry)
}

// entryReader decodes entries and shares the names of clients and branches
// between neighbours. The zero value is ready.
type entryReader struct{ client, branch string }

// decode reads the payload of an entry record. The entry keeps no part of it.
func (r *entryReader) decode(payload []byte) (e Entry, gen uint64, err error) {
	f := fields{b: payload}
	e.N, gen = f.uvarint(), f.uvarint()
	e.At = f.varint()
	e.Hash = f.fixed64()
	e.Kind = f.byte()
	client, branch, text, data := f.bytes(), f.bytes(), f.bytes(), f.bytes()
	if !f.done() || e.N == 0 {
		return Entry{}, 0, errPayload
	}
	if string(client) != r.client {
		r.client = string(client)
	}
	if string(branch) != r.branch {
		r.branch = string(branch)
	}
	e.Client, e.Branch, e.Text = r.client, r.branch, string(text)
	if len(data) > 0 {
		e.Data = append([]byte(nil), data...)
	}
	return e, gen, nil
}
