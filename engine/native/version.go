package native

import (
	"fmt"

	"ringlab/model/plan"
)

// Version is a version of the protocol.
type Version uint8

// The versions that are served.
const (
	V3 Version = 3
	V4 Version = 4
	V5 Version = 5
	V6 Version = 6 // beta: refused without the flag UseBeta
)

// Newest is the version in whose envelopes unknown versions are refused.
const Newest = V5

// Versions are the supported ones as SUPPORTED lists them.
var Versions = []string{"3/v3", "4/v4", "5/v5", "6/v6-beta"}

// String is the version as error texts name it.
func (v Version) String() string {
	if v == V6 {
		return "6/v6-beta"
	}
	return fmt.Sprintf("%d/v%d", uint8(v), uint8(v))
}

// Segmented says whether envelopes travel in segments once the connection is set
// up.
func (v Version) Segmented() bool { return v >= V5 }

// Refusal is the answer to a request whose first byte names a version that is
// not served, nil for one that is: the header and body of an ERROR. Versions 1
// and 2 are told in their own, shorter header.
// Source: Cassandra 5.0 ProtocolVersion.decode, Envelope.Decoder.
func Refusal(version byte, flags Flags) []byte {
	v := Version(version &^ responseBit)
	switch {
	case v >= V3 && v <= V5, v == V6 && flags&UseBeta != 0:
		return nil
	case v == V6:
		e := &Error{Code: plan.ProtocolError, Message: "Beta version of the protocol used (6/v6-beta), but USE_BETA flag is unset"}
		return (&Frame{Version: V6, Response: true, Flags: UseBeta, Body: e}).Append(nil)
	}
	e := Unsupported(v)
	if v == 1 || v == 2 {
		body := e.appendBody(nil, V3)
		b := []byte{byte(v) | responseBit, 0, 0, byte(OpError)}
		return append(appendInt(b, len(body)), body...)
	}
	return (&Frame{Version: Newest, Response: true, Body: e}).Append(nil)
}

// Unsupported is the complaint about a version that is not served.
func Unsupported(v Version) *Error {
	return protocolError("Invalid or unsupported protocol version (%d); supported versions are (3/v3, 4/v4, 5/v5, 6/v6-beta)", uint8(v))
}
