package native

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"unicode/utf8"
)

// The notations of the protocol, big-endian.

func appendShort(b []byte, n int) []byte { return append(b, byte(n>>8), byte(n)) }

func appendInt(b []byte, n int) []byte { return binary.BigEndian.AppendUint32(b, uint32(n)) }

func appendLong(b []byte, n int64) []byte { return binary.BigEndian.AppendUint64(b, uint64(n)) }

// appendString writes at most 65535 bytes.
func appendString(b []byte, s string) []byte {
	if len(s) > 0xffff {
		s = s[:0xffff]
	}
	return append(appendShort(b, len(s)), s...)
}

func appendLongString(b []byte, s string) []byte { return append(appendInt(b, len(s)), s...) }

func appendStrings(b []byte, list []string) []byte {
	b = appendShort(b, len(list))
	for _, s := range list {
		b = appendString(b, s)
	}
	return b
}

// appendBytes writes bytes with their length, -1 for nil.
func appendBytes(b, v []byte) []byte {
	if v == nil {
		return appendInt(b, -1)
	}
	return append(appendInt(b, len(v)), v...)
}

func appendShortBytes(b, v []byte) []byte { return append(appendShort(b, len(v)), v...) }

func appendAddr(b []byte, a netip.Addr) []byte {
	raw := a.AsSlice()
	return append(append(b, byte(len(raw))), raw...)
}

func appendInet(b []byte, a netip.AddrPort) []byte {
	return appendInt(appendAddr(b, a.Addr()), int(a.Port()))
}

// reader takes a body apart. The first thing that is wrong stays in err, and
// what is read after it is empty. What it gives is part of the body.
type reader struct {
	b   []byte
	err *Error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = protocolError(format, args...)
	}
	r.b = nil
}

// take is the next n bytes.
func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.fail("Not enough bytes to read: %d wanted, %d left", n, len(r.b))
		return nil
	}
	out := r.b[:n:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) byte() byte {
	if v := r.take(1); v != nil {
		return v[0]
	}
	return 0
}

func (r *reader) short() int {
	if v := r.take(2); v != nil {
		return int(binary.BigEndian.Uint16(v))
	}
	return 0
}

func (r *reader) int() int {
	if v := r.take(4); v != nil {
		return int(int32(binary.BigEndian.Uint32(v)))
	}
	return 0
}

func (r *reader) long() int64 {
	if v := r.take(8); v != nil {
		return int64(binary.BigEndian.Uint64(v))
	}
	return 0
}

func (r *reader) string() string { return r.text(r.short(), 2) }

func (r *reader) longString() string { return r.text(r.int(), 4) }

// text is n bytes of UTF-8 behind a length of that many bytes.
// Source: Cassandra 5.0 CBUtil.readString, readLongString, decodeString.
func (r *reader) text(n, length int) string {
	if r.err == nil && (n < 0 || n > len(r.b)) {
		r.fail("Not enough bytes to read an UTF8 serialized string preceded by its %d bytes length", length)
	}
	b := r.take(n)
	if !utf8.Valid(b) {
		for c, size := utf8.DecodeRune(b); c != utf8.RuneError || size > 1; c, size = utf8.DecodeRune(b) {
			b = b[size:]
		}
		r.fail("Cannot decode string as UTF8: '%x'; java.nio.charset.MalformedInputException: Input length = 1", b)
		return ""
	}
	return string(b)
}

func (r *reader) strings() []string {
	n := r.short()
	out := make([]string, 0, min(n, len(r.b)/2))
	for i := 0; i < n && r.err == nil; i++ {
		out = append(out, r.string())
	}
	return out
}

// bytes is nil for a negative length.
func (r *reader) bytes() []byte {
	n := r.int()
	if n < 0 || r.err != nil {
		return nil
	}
	return r.take(n)
}

// value is a bound value; unset is only known from version 4 on.
// Source: Cassandra 5.0 CBUtil.readBoundValue.
func (r *reader) value(v Version) (value []byte, unset bool) {
	n := r.int()
	switch {
	case r.err != nil:
		return nil, false
	case n >= 0:
		return r.take(n), false
	case v < V4 || n == -1:
		return nil, false
	case n == -2:
		return nil, true
	}
	r.fail("Invalid ByteBuf length %d", n)
	return nil, false
}

func (r *reader) shortBytes() []byte { return r.take(r.short()) }

func (r *reader) addr() netip.Addr {
	a, ok := netip.AddrFromSlice(r.take(int(r.byte())))
	if !ok {
		r.fail("Invalid address: neither 4 nor 16 bytes")
	}
	return a
}

func (r *reader) inet() netip.AddrPort {
	a, port := r.addr(), r.int()
	if port < 0 || port > 0xffff {
		r.fail("Invalid port %d", port)
	}
	return netip.AddrPortFrom(a, uint16(port))
}

// done fails if anything is left.
func (r *reader) done() *Error {
	if r.err == nil && len(r.b) > 0 {
		return protocolError("%d bytes are left behind the message", len(r.b))
	}
	return r.err
}

func protocolError(format string, args ...any) *Error {
	return &Error{Code: 0x000A, Message: fmt.Sprintf(format, args...)}
}
