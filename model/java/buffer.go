package java

import (
	"encoding/binary"
	"math"
)

// buffer is a java.nio.ByteBuffer.
type buffer struct {
	b          []byte
	pos, limit int
}

func (b *buffer) String() string {
	return "java.nio.HeapByteBuffer[pos=" + decimalText(int64(b.pos)) + " lim=" + decimalText(int64(b.limit)) + " cap=" + decimalText(int64(len(b.b))) + "]"
}

// rest are the bytes from the position to the limit.
func (b *buffer) rest() []byte { return b.b[b.pos:b.limit] }

func (b *buffer) same(_ *machine, v any) bool {
	o, ok := v.(*buffer)
	return ok && string(b.rest()) == string(o.rest())
}

func (b *buffer) hash(*machine) int32 {
	h := int32(1)
	for i := b.limit - 1; i >= b.pos; i-- {
		h = 31*h + int32(int8(b.b[i]))
	}
	return h
}

// next takes n bytes at the position, or at an index.
func (b *buffer) next(m *machine, n int, a []any, under string) []byte {
	if len(a) > 0 {
		i := int(a[0].(int32))
		if i < 0 || i+n > b.limit {
			m.bare("IndexOutOfBoundsException")
		}
		return b.b[i : i+n]
	}
	if b.limit-b.pos < n {
		m.bare(under)
	}
	b.pos += n
	return b.b[b.pos-n : b.pos]
}

func bufferMembers() members {
	of := func(a []any) *buffer { return a[0].(*buffer) }
	copied := func(f func(b, c *buffer)) body {
		return func(m *machine, a []any) any {
			m.alloc(1)
			c := *of(a)
			f(of(a), &c)
			return &c
		}
	}
	self := func(f func(b *buffer)) body { return func(_ *machine, a []any) any { f(of(a)); return of(a) } }
	out := members{
		"static ByteBuffer allocate(int)": func(m *machine, a []any) any {
			n := int(a[0].(int32))
			if n < 0 {
				m.throw("IllegalArgumentException", "capacity < 0: ("+decimalText(int64(n))+" < 0)")
			}
			m.alloc(n / 8)
			return &buffer{b: make([]byte, n), limit: n}
		},
		"static ByteBuffer wrap(byte[])": func(m *machine, a []any) any {
			v := m.object(a[0]).(*array).v
			m.alloc(len(v) / 8)
			b := make([]byte, len(v))
			for i, x := range v {
				b[i] = byte(x.(int8))
			}
			return &buffer{b: b, limit: len(b)}
		},
		"int remaining()":        func(_ *machine, a []any) any { return int32(of(a).limit - of(a).pos) },
		"boolean hasRemaining()": func(_ *machine, a []any) any { return of(a).limit > of(a).pos },
		"int position()":         func(_ *machine, a []any) any { return int32(of(a).pos) },
		"int limit()":            func(_ *machine, a []any) any { return int32(of(a).limit) },
		"int capacity()":         func(_ *machine, a []any) any { return int32(len(of(a).b)) },
		"ByteBuffer flip()":      self(func(b *buffer) { b.pos, b.limit = 0, b.pos }),
		"ByteBuffer rewind()":    self(func(b *buffer) { b.pos = 0 }),
		"ByteBuffer clear()":     self(func(b *buffer) { b.pos, b.limit = 0, len(b.b) }),
		"ByteBuffer duplicate()": copied(func(_, _ *buffer) {}),
		"ByteBuffer slice()":     copied(func(b, c *buffer) { c.b = b.rest(); c.pos, c.limit = 0, len(c.b) }),
		"byte[] array()": func(m *machine, a []any) any {
			if len(of(a).b) != of(a).limit || of(a).pos != 0 {
				m.limit("the array under a part of a buffer")
			}
			return byteArray(m, of(a).b)
		},
		"ByteBuffer position(int)": func(m *machine, a []any) any {
			n := int(a[1].(int32))
			switch {
			case n < 0:
				m.throw("IllegalArgumentException", "newPosition < 0: ("+decimalText(int64(n))+" < 0)")
			case n > of(a).limit:
				m.throw("IllegalArgumentException", "newPosition > limit: ("+decimalText(int64(n))+" > "+decimalText(int64(of(a).limit))+")")
			}
			of(a).pos = n
			return of(a)
		},
		"ByteBuffer get(byte[])": func(m *machine, a []any) any {
			v := m.object(a[1]).(*array).v
			for i, c := range of(a).next(m, len(v), nil, "BufferUnderflowException") {
				v[i] = int8(c)
			}
			return of(a)
		},
		"ByteBuffer put(byte[])": func(m *machine, a []any) any {
			v := m.object(a[1]).(*array).v
			to := of(a).next(m, len(v), nil, "BufferOverflowException")
			for i, c := range v {
				to[i] = byte(c.(int8))
			}
			return of(a)
		},
	}
	big := binary.BigEndian
	for _, x := range []struct {
		name, java string
		n          int
		get        func(b []byte) any
		put        func(b []byte, v any)
	}{
		{"", "byte", 1, func(b []byte) any { return int8(b[0]) }, func(b []byte, v any) { b[0] = byte(v.(int8)) }},
		{"Short", "short", 2, func(b []byte) any { return int16(big.Uint16(b)) }, func(b []byte, v any) { big.PutUint16(b, uint16(v.(int16))) }},
		{"Char", "char", 2, func(b []byte) any { return big.Uint16(b) }, func(b []byte, v any) { big.PutUint16(b, v.(uint16)) }},
		{"Int", "int", 4, func(b []byte) any { return int32(big.Uint32(b)) }, func(b []byte, v any) { big.PutUint32(b, uint32(v.(int32))) }},
		{"Long", "long", 8, func(b []byte) any { return int64(big.Uint64(b)) }, func(b []byte, v any) { big.PutUint64(b, uint64(v.(int64))) }},
		{"Float", "float", 4, func(b []byte) any { return math.Float32frombits(big.Uint32(b)) }, func(b []byte, v any) { big.PutUint32(b, math.Float32bits(v.(float32))) }},
		{"Double", "double", 8, func(b []byte) any { return math.Float64frombits(big.Uint64(b)) }, func(b []byte, v any) { big.PutUint64(b, math.Float64bits(v.(float64))) }},
	} {
		get := func(m *machine, a []any) any { return x.get(of(a).next(m, x.n, a[1:], "BufferUnderflowException")) }
		out[x.java+" get"+x.name+"()"], out[x.java+" get"+x.name+"(int)"] = get, get
		out["ByteBuffer put"+x.name+"("+x.java+")"] = func(m *machine, a []any) any {
			x.put(of(a).next(m, x.n, nil, "BufferOverflowException"), a[1])
			return of(a)
		}
		out["ByteBuffer put"+x.name+"(int, "+x.java+")"] = func(m *machine, a []any) any {
			x.put(of(a).next(m, x.n, a[1:2], ""), a[2])
			return of(a)
		}
	}
	return out
}
