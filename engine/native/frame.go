package native

import "fmt"

// Message is the body of an envelope: one of the requests and responses below.
type Message interface {
	Opcode() Opcode
	appendBody(b []byte, v Version) []byte
}

// Pair is one entry of a custom payload; a nil value is null.
type Pair struct {
	Key   string
	Value []byte
}

// Frame is one envelope with its body.
type Frame struct {
	Version  Version
	Response bool
	Flags    Flags // those that nothing below says: UseBeta, and Tracing of a request
	Stream   int16
	TraceID  []byte   // of a traced response: 16 bytes
	Warnings []string // of a response from version 4 on
	Payload  []Pair   // custom payload, from version 4 on
	Body     Message
}

// EventStream is the stream of events, which answer nothing.
const EventStream = -1

// Append writes the frame without compression.
func (f *Frame) Append(dst []byte) []byte {
	h := Header{Version: f.Version, Response: f.Response, Flags: f.Flags, Stream: f.Stream, Opcode: f.Body.Opcode()}
	at := len(dst)
	dst = append(dst, make([]byte, HeaderSize)...)
	if f.TraceID != nil {
		h.Flags |= Tracing
		dst = append(dst, f.TraceID...)
	}
	if len(f.Warnings) > 0 && f.Version >= V4 {
		h.Flags |= Warning
		dst = appendStrings(dst, f.Warnings)
	}
	if f.Payload != nil && f.Version >= V4 {
		h.Flags |= CustomPayload
		dst = appendShort(dst, len(f.Payload))
		for _, p := range f.Payload {
			dst = appendBytes(appendString(dst, p.Key), p.Value)
		}
	}
	dst = f.Body.appendBody(dst, f.Version)
	h.Length = len(dst) - at - HeaderSize
	h.Append(dst[:at])
	return dst
}

// Decode reads the frame of a header and its body, uncompressed. It keeps parts
// of the body. The error is the answer to a request that makes no sense.
func Decode(h Header, body []byte) (*Frame, *Error) {
	f := &Frame{Version: h.Version, Response: h.Response, Flags: h.Flags &^ (Compressed | Warning | CustomPayload), Stream: h.Stream}
	switch {
	case opcodes[h.Opcode] == "":
		return nil, protocolError("Unknown opcode %d", uint8(h.Opcode))
	case h.Opcode == opCredentials:
		return nil, protocolError("Unsupported message")
	case h.Opcode.isResponse() != h.Response:
		expected, got := "RESPONSE", "REQUEST"
		if h.Response {
			expected, got = got, expected
		}
		return nil, protocolError("Wrong protocol direction (expected %s, got %s) for opcode %d (%s)", expected, got, uint8(h.Opcode), h.Opcode)
	}
	r := &reader{b: body}
	if h.Response {
		f.Flags &^= Tracing
		if h.Flags&Tracing != 0 {
			f.TraceID = r.take(16)
		}
		if h.Flags&Warning != 0 {
			f.Warnings = r.strings()
		}
	}
	if h.Flags&CustomPayload != 0 {
		if h.Version < V4 {
			return nil, protocolError("Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4")
		}
		n := r.short()
		f.Payload = []Pair{}
		for i := 0; i < n && r.err == nil; i++ {
			f.Payload = append(f.Payload, Pair{r.string(), r.bytes()})
		}
	}
	if f.Body = readBody(r, h); r.err != nil {
		return nil, r.err
	}
	if !h.Response { // a node does not look at what stands behind a request
		return f, nil
	}
	return f, r.done()
}

func readBody(r *reader, h Header) Message {
	switch h.Opcode {
	case OpStartup:
		return readStartup(r)
	case OpOptions:
		return &Options{}
	case OpQuery:
		return readQuery(r, h.Version)
	case OpPrepare:
		return readPrepare(r, h.Version)
	case OpExecute:
		return readExecute(r, h.Version)
	case OpBatch:
		return readBatch(r, h.Version)
	case OpRegister:
		return &Register{Events: r.strings()}
	case OpAuthResponse:
		return &AuthResponse{Token: r.bytes()}
	case OpError:
		return readError(r, h.Version)
	case OpReady:
		return &Ready{}
	case OpAuthenticate:
		return &Authenticate{Class: r.string()}
	case OpSupported:
		return readSupported(r)
	case OpResult:
		return readResult(r, h.Version)
	case OpEvent:
		return readEvent(r, h.Version)
	case OpAuthChallenge:
		return &AuthChallenge{Token: r.bytes()}
	case OpAuthSuccess:
		return &AuthSuccess{Token: r.bytes()}
	}
	panic(fmt.Sprintf("native: no body for %s", h.Opcode))
}
