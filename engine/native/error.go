package native

import (
	"fmt"
	"net/netip"

	"ringlab/model/plan"
)

// Error is an ERROR: a code, a text, and the fields that the code has.
type Error struct {
	Code    plan.Code
	Message string

	Consistency plan.Consistency
	Required    int // replicas: Unavailable
	Alive       int
	Received    int // answers: timeouts and failures
	BlockFor    int
	WriteType   string
	DataPresent bool
	Contentions int      // of a conditional write that timed out, from version 5 on
	Failures    int      // failed replicas; from version 5 on Reasons
	Reasons     []Reason // from version 5 on

	Keyspace string // AlreadyExists, FunctionError
	Table    string // AlreadyExists, "" for a keyspace
	Function string
	Args     []string // argument types of the function
	ID       []byte   // Unprepared
}

// Reason is why a replica failed. Source: Cassandra 5.0 RequestFailureReason.
type Reason struct {
	Node netip.Addr
	Code int
}

// cdcWriteFailure is a code that nothing in a lab gives.
const cdcWriteFailure plan.Code = 0x1600

const writeTypeCAS = "CAS"

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// Opcode is that of an ERROR.
func (*Error) Opcode() Opcode { return OpError }

// For is the error as a version can say it.
// Source: Cassandra 5.0 ErrorMessage.getBackwardsCompatibleException.
func (e *Error) For(v Version) *Error {
	out := *e
	switch {
	case v < V4 && (e.Code == plan.ReadFailure || e.Code == plan.WriteFailure):
		out.Code, out.Message = plan.ReadTimeout, timedOut(e.Received)
		if e.Code == plan.WriteFailure {
			out.Code = plan.WriteTimeout
		}
	case v < V4 && e.Code == plan.FunctionError:
		out = Error{Code: plan.InvalidRequest, Message: "ERROR FUNCTION_FAILURE: " + e.Message}
	case v < V4 && e.Code == cdcWriteFailure:
		out = Error{Code: plan.InvalidRequest, Message: "ERROR CDC_WRITE_FAILURE: " + e.Message}
	case v < V5 && e.Code == plan.CASUnknown:
		out.Code, out.Message, out.WriteType = plan.WriteTimeout, timedOut(e.Received), writeTypeCAS
	case v < V5 && e.Code == plan.WriteTimeout && e.WriteType == writeTypeCAS:
		out.Message = timedOut(e.Received)
	default:
		return e
	}
	return &out
}

func timedOut(received int) string {
	return fmt.Sprintf("Operation timed out - received only %d responses.", received)
}

func (e *Error) appendBody(b []byte, v Version) []byte {
	b = appendString(appendInt(b, int(e.Code)), e.Message)
	switch e.Code {
	case plan.UnavailableErr:
		return appendInt(appendInt(appendShort(b, int(e.Consistency)), e.Required), e.Alive)
	case plan.WriteTimeout:
		b = appendString(e.appendCounts(b), e.WriteType)
		if v >= V5 && e.WriteType == writeTypeCAS {
			b = appendShort(b, e.Contentions)
		}
	case plan.CASUnknown:
		b = e.appendCounts(b)
	case plan.ReadTimeout:
		b = appendBool(e.appendCounts(b), e.DataPresent)
	case plan.ReadFailure:
		b = appendBool(e.appendFailures(e.appendCounts(b), v), e.DataPresent)
	case plan.WriteFailure:
		b = appendString(e.appendFailures(e.appendCounts(b), v), e.WriteType)
	case plan.FunctionError:
		b = appendStrings(appendString(appendString(b, e.Keyspace), e.Function), e.Args)
	case plan.AlreadyExists:
		b = appendString(appendString(b, e.Keyspace), e.Table)
	case plan.Unprepared:
		b = appendShortBytes(b, e.ID)
	}
	return b
}

func (e *Error) appendCounts(b []byte) []byte {
	return appendInt(appendInt(appendShort(b, int(e.Consistency)), e.Received), e.BlockFor)
}

func (e *Error) appendFailures(b []byte, v Version) []byte {
	if v < V5 {
		return appendInt(b, e.Failures)
	}
	b = appendInt(b, len(e.Reasons))
	for _, r := range e.Reasons {
		b = appendShort(appendAddr(b, r.Node), r.Code)
	}
	return b
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func readError(r *reader, v Version) Message {
	code := r.int()
	e := &Error{Code: plan.Code(code), Message: r.string()}
	counts := func() { e.Consistency, e.Received, e.BlockFor = r.consistency(), r.int(), r.int() }
	failures := func() {
		e.Failures = r.int()
		if v < V5 {
			return
		}
		for i := 0; i < e.Failures && r.err == nil; i++ {
			e.Reasons = append(e.Reasons, Reason{r.addr(), r.short()})
		}
	}
	switch e.Code {
	case plan.UnavailableErr:
		e.Consistency, e.Required, e.Alive = r.consistency(), r.int(), r.int()
	case plan.WriteTimeout:
		counts()
		if e.WriteType = r.string(); v >= V5 && e.WriteType == writeTypeCAS {
			e.Contentions = r.short()
		}
	case plan.CASUnknown:
		counts()
	case plan.ReadTimeout:
		counts()
		e.DataPresent = r.byte() != 0
	case plan.ReadFailure:
		counts()
		failures()
		e.DataPresent = r.byte() != 0
	case plan.WriteFailure:
		counts()
		failures()
		e.WriteType = r.string()
	case plan.FunctionError:
		e.Keyspace, e.Function, e.Args = r.string(), r.string(), r.strings()
	case plan.AlreadyExists:
		e.Keyspace, e.Table = r.string(), r.string()
	case plan.Unprepared:
		e.ID = r.shortBytes()
	}
	if code != int(e.Code) {
		r.fail("Unknown error code %d", code)
	}
	return e
}
