package native

import (
	"encoding/binary"
	"fmt"
)

// Flags are those of an envelope.
type Flags uint8

// The flags of an envelope.
const (
	Compressed Flags = 1 << iota // of the body; versions 3 and 4
	Tracing
	CustomPayload // from version 4 on
	Warning       // from version 4 on, responses
	UseBeta
)

// Opcode says what an envelope holds.
type Opcode uint8

// The opcodes.
const (
	OpError         Opcode = 0x00
	OpStartup       Opcode = 0x01
	OpReady         Opcode = 0x02
	OpAuthenticate  Opcode = 0x03
	OpOptions       Opcode = 0x05
	OpSupported     Opcode = 0x06
	OpQuery         Opcode = 0x07
	OpResult        Opcode = 0x08
	OpPrepare       Opcode = 0x09
	OpExecute       Opcode = 0x0A
	OpRegister      Opcode = 0x0B
	OpEvent         Opcode = 0x0C
	OpBatch         Opcode = 0x0D
	OpAuthChallenge Opcode = 0x0E
	OpAuthResponse  Opcode = 0x0F
	OpAuthSuccess   Opcode = 0x10

	opCredentials Opcode = 0x04 // of version 1
)

var opcodes = map[Opcode]string{OpError: "ERROR", OpStartup: "STARTUP", OpReady: "READY", OpAuthenticate: "AUTHENTICATE", opCredentials: "CREDENTIALS",
	OpOptions: "OPTIONS", OpSupported: "SUPPORTED", OpQuery: "QUERY", OpResult: "RESULT", OpPrepare: "PREPARE", OpExecute: "EXECUTE",
	OpRegister: "REGISTER", OpEvent: "EVENT", OpBatch: "BATCH", OpAuthChallenge: "AUTH_CHALLENGE", OpAuthResponse: "AUTH_RESPONSE",
	OpAuthSuccess: "AUTH_SUCCESS"}

// String is the opcode's name.
func (o Opcode) String() string {
	if name := opcodes[o]; name != "" {
		return name
	}
	return fmt.Sprintf("opcode %d", uint8(o))
}

// isResponse says whether only servers send it.
func (o Opcode) isResponse() bool {
	switch o {
	case OpError, OpReady, OpAuthenticate, OpSupported, OpResult, OpEvent, OpAuthChallenge, OpAuthSuccess:
		return true
	}
	return false
}

const responseBit = 0x80

// HeaderSize is the length of a header in bytes.
const HeaderSize = 9

// Header stands in front of every body.
type Header struct {
	Version  Version
	Response bool
	Flags    Flags
	Stream   int16
	Opcode   Opcode
	Length   int // of the body, bytes
}

// ParseHeader reads the HeaderSize bytes of a header, whatever they say.
func ParseHeader(b []byte) Header {
	return Header{Version: Version(b[0] &^ responseBit), Response: b[0]&responseBit != 0, Flags: Flags(b[1]), Stream: int16(binary.BigEndian.Uint16(b[2:])),
		Opcode: Opcode(b[4]), Length: int(int32(binary.BigEndian.Uint32(b[5:])))}
}

// Append writes the header.
func (h Header) Append(b []byte) []byte {
	first := byte(h.Version)
	if h.Response {
		first |= responseBit
	}
	b = append(b, first, byte(h.Flags), byte(h.Stream>>8), byte(h.Stream), byte(h.Opcode))
	return appendInt(b, h.Length)
}
