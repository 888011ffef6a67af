package native

import (
	"bytes"
	"encoding/binary"
	"testing"

	"ringlab/engine/lz4"
	"ringlab/model/plan"
	"ringlab/model/types"
)

// seeds are frames of every kind.
func seeds() [][]byte {
	frames := []*Frame{
		{Version: V4, Body: &Startup{Options: []Option{{"CQL_VERSION", "3.0.0"}}}},
		{Version: V5, Body: &Query{Text: "SELECT v FROM t WHERE k = ?", Parameters: Parameters{Flags: WithValues | WithNames | WithKeyspace | WithPageSize | WithSerial,
			Values: []Value{{Name: "k", Bytes: []byte{1}}, {Name: "x", Unset: true}}, PageSize: 5, Serial: plan.Serial, Keyspace: "ks"}}},
		{Version: V5, Body: &Prepare{Text: "SELECT 1", HasKeyspace: true, Keyspace: "ks"}},
		{Version: V5, Body: &Execute{ID: []byte{1}, ResultID: []byte{2}, Parameters: Parameters{Serial: plan.Serial}}},
		{Version: V3, Body: &Batch{Kind: 1, Statements: []BatchStatement{{Text: "x", Values: []Value{{}}}, {ID: []byte{3}}}}},
		{Version: V4, Response: true, TraceID: make([]byte, 16), Warnings: []string{"w"}, Payload: []Pair{{"a", nil}}, Body: &Rows{Metadata: Metadata{Flags: GlobalTable | HasMorePages,
			Count: 1, PagingState: []byte{1}, Keyspace: "k", Table: "t", Columns: []Column{{Name: "c", Type: TypeOf(types.MapOf(types.Int, types.TupleOf(types.Duration)), V4)}}}, Values: [][][]byte{{nil}}}},
		{Version: V5, Response: true, Body: &Error{Code: plan.ReadFailure, Message: "m", Failures: 0}},
		{Version: V3, Response: true, Stream: EventStream, Body: &Event{Type: SchemaEvent, Schema: SchemaChange{Change: "CREATED", Target: "TABLE", Keyspace: "k", Name: "t"}}},
	}
	var out [][]byte
	for _, f := range frames {
		out = append(out, f.Append(nil))
	}
	return out
}

// FuzzDecode checks that whatever is decoded is encoded to bytes that mean the
// same, and that whatever is not is a protocol error.
func FuzzDecode(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < HeaderSize {
			return
		}
		h := ParseHeader(b)
		if Refusal(b[0], h.Flags) != nil {
			return
		}
		frame, err := Decode(h, b[HeaderSize:])
		if err != nil {
			if err.Code != plan.ProtocolError {
				t.Fatalf("code %s: %s", err.Code, err.Message)
			}
			return
		}
		once := frame.Append(nil)
		again, err := Decode(ParseHeader(once), once[HeaderSize:])
		if err != nil {
			t.Fatalf("%x is encoded to %x, which is refused: %s", b, once, err.Message)
		}
		if twice := again.Append(nil); !bytes.Equal(once, twice) {
			t.Fatalf("%x, then %x", once, twice)
		}
	})
}

// FuzzSegments checks that envelopes come out of their segments as they went in,
// and that damage is noticed.
func FuzzSegments(f *testing.F) {
	f.Add([]byte("some envelopes"), true, uint16(3))
	f.Add(bytes.Repeat([]byte("ab"), 70000), false, uint16(70))
	f.Fuzz(func(t *testing.T, in []byte, compressed bool, damage uint16) {
		s := &Segmenter{LZ4: compressed}
		wire := s.Append(nil, in)
		if out, err := unpack(s, wire); err != nil || !bytes.Equal(out, in) {
			t.Fatalf("%v: %x, expected %x", err, out, in)
		}
		wire[int(damage)%len(wire)] ^= 1 << (damage >> 13)
		if _, err := unpack(s, wire); err == nil {
			t.Fatalf("the damage at %d is not noticed", int(damage)%len(wire))
		}
	})
}

func unpack(s *Segmenter, wire []byte) (out []byte, err *Error) {
	for len(wire) > 0 {
		g, err := s.ParseHeader(wire[:s.HeaderSize()], "test")
		if err != nil {
			return nil, err
		}
		wire = wire[s.HeaderSize():]
		if len(wire) < g.Size+s.Trailer() {
			return nil, protocolError("short")
		}
		part, err := s.Payload(g, wire[:g.Size+s.Trailer()], "test")
		if err != nil {
			return nil, err
		}
		out, wire = append(out, part...), wire[g.Size+s.Trailer():]
	}
	return out, nil
}

// FuzzCompression checks both algorithms of versions 3 and 4 in both directions.
func FuzzCompression(f *testing.F) {
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbb"))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, name := range CompressionNames {
			c, _ := FindCompressor(name, V4)
			if out, err := c.Decode(c.Append(nil, in), len(in)); err != nil || !bytes.Equal(out, in) {
				t.Fatalf("%s: %v: %x, expected %x", name, err, out, in)
			}
			c.Decode(in, 1<<20) // garbage is an error or some bytes
		}
		var z lz4.Block
		if n := z.Size(in); n != len(z.Append(nil, in)) {
			t.Fatalf("the size is told as %d", n)
		}
		if len(in) >= 2 {
			lz4.Decode(in[2:], int(binary.BigEndian.Uint16(in)))
		}
	})
}
