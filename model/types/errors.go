package types

import (
	"errors"
	"fmt"
)

// MarshalError says that a text, constant or byte string is no value of a type.
// Msg is Cassandra's text; over the protocol it is an InvalidRequest (0x2200).
// Source: Cassandra 5.0 MarshalException, and InvalidRequestException in Duration.
type MarshalError struct {
	Msg     string
	Request bool // an InvalidRequestException, which JSON does not wrap
}

// Error is Cassandra's text.
func (e *MarshalError) Error() string { return e.Msg }

// Code is the protocol code: 0x2200, invalid request.
func (e *MarshalError) Code() int { return 0x2200 }

// Fault is what Cassandra fails with inside of itself where it is given a value of
// a class that it hardly knows. Msg is Cassandra's text, a Java exception; over the
// protocol it is a server error (0x0000).
type Fault struct{ Msg string }

// Error is Cassandra's text.
func (e *Fault) Error() string { return e.Msg }

// unsupportedOperation is how composites fail at JSON.
const unsupportedOperation = "java.lang.UnsupportedOperationException"

// ErrNow is returned for the timestamp string "now", which needs a clock: the
// caller encodes its own time instead.
var ErrNow = errors.New("the timestamp 'now' needs a clock")

func marshalError(format string, args ...any) error {
	return &MarshalError{Msg: fmt.Sprintf(format, args...)}
}
