package workspace

import "encoding/binary"

// fields takes a payload apart. After the first field that does not fit, bad is
// true and every further field is zero.
type fields struct {
	b   []byte
	bad bool
}

func (f *fields) uvarint() uint64 {
	v, n := binary.Uvarint(f.b)
	if n <= 0 {
		f.fail()
		return 0
	}
	f.b = f.b[n:]
	return v
}

func (f *fields) varint() int64 {
	v, n := binary.Varint(f.b)
	if n <= 0 {
		f.fail()
		return 0
	}
	f.b = f.b[n:]
	return v
}

func (f *fields) fixed64() uint64 {
	if len(f.b) < 8 {
		f.fail()
		return 0
	}
	v := binary.LittleEndian.Uint64(f.b)
	f.b = f.b[8:]
	return v
}

func (f *fields) byte() byte {
	if len(f.b) < 1 {
		f.fail()
		return 0
	}
	v := f.b[0]
	f.b = f.b[1:]
	return v
}

// bytes is a length and as many bytes, a part of the payload.
func (f *fields) bytes() []byte {
	n := f.uvarint()
	if n > uint64(len(f.b)) {
		f.fail()
		return nil
	}
	v := f.b[:n:n]
	f.b = f.b[n:]
	return v
}

func (f *fields) fail() { f.b, f.bad = nil, true }

// done reports whether every field fitted and nothing is left.
func (f *fields) done() bool { return !f.bad && len(f.b) == 0 }

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}
