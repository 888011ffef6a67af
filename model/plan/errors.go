// Package plan is the common ground of the query languages and the engine: what
// a statement means once names, types and restrictions are settled, without any
// knowledge of clusters or time. It also holds the typed refusals.
package plan

import "fmt"

// Code is an error code of the native protocol.
type Code uint16

// Codes of refusals that need no cluster. Source: Cassandra 5.0 ExceptionCode.
const (
	ServerError    Code = 0x0000
	ProtocolError  Code = 0x000A
	BadCredentials Code = 0x0100
	UnavailableErr Code = 0x1000
	Overloaded     Code = 0x1001
	TruncateError  Code = 0x1003
	WriteTimeout   Code = 0x1100
	ReadTimeout    Code = 0x1200
	ReadFailure    Code = 0x1300
	FunctionError  Code = 0x1400
	WriteFailure   Code = 0x1500
	CASUnknown     Code = 0x1700
	SyntaxErr      Code = 0x2000
	Unauthorized   Code = 0x2100
	InvalidRequest Code = 0x2200
	ConfigError    Code = 0x2300
	AlreadyExists  Code = 0x2400
	Unprepared     Code = 0x2500
)

var codeNames = map[Code]string{
	ServerError: "ServerError", ProtocolError: "ProtocolException", BadCredentials: "BadCredentials", UnavailableErr: "Unavailable", Overloaded: "Overloaded",
	TruncateError: "TruncateError", WriteTimeout: "WriteTimeout", ReadTimeout: "ReadTimeout", ReadFailure: "ReadFailure",
	FunctionError: "FunctionFailure", WriteFailure: "WriteFailure", CASUnknown: "CASWriteUnknown", SyntaxErr: "SyntaxException", Unauthorized: "Unauthorized",
	InvalidRequest: "InvalidRequest", ConfigError: "ConfigurationException", AlreadyExists: "AlreadyExists", Unprepared: "Unprepared",
}

var codeSummaries = map[Code]string{
	ServerError: "Server error", ProtocolError: "Protocol error", BadCredentials: "Bad credentials", UnavailableErr: "Unavailable exception",
	Overloaded: "Coordinator node overloaded", TruncateError: "Error during truncate",
	WriteTimeout: "Coordinator node timed out waiting for replica nodes' responses",
	ReadTimeout:  "Coordinator node timed out waiting for replica nodes' responses",
	ReadFailure:  "Replica(s) failed to execute read", FunctionError: "User Defined Function failure",
	WriteFailure: "Replica(s) failed to execute write", CASUnknown: "CAS write result is unknown", SyntaxErr: "Syntax error in CQL query", Unauthorized: "Unauthorized",
	InvalidRequest: "Invalid query", ConfigError: "Query invalid because of configuration issue", AlreadyExists: "Item already exists",
	Unprepared: "Unprepared",
}

// Name is the class of the error as golden recordings and JSON answers name it.
func (c Code) Name() string { return codeNames[c] }

// Summary is the driver's description, as cqlsh prints it in brackets.
func (c Code) Summary() string { return codeSummaries[c] }

// String is the code as 0x2200.
func (c Code) String() string { return fmt.Sprintf("0x%04x", uint16(c)) }

// Error is a refusal with Cassandra's text. It is final: nothing was sent.
type Error struct {
	Code     Code
	Message  string
	Keyspace string // AlreadyExists: what exists; FunctionError: that of the function
	Table    string
	Function string   // FunctionError: what failed
	Args     []string // FunctionError: its argument types
	Fix      []Fix    // legal alternatives; never part of the message
}

// Fix is a legal alternative to a refused statement, with its cost.
type Fix struct {
	Text string // a whole statement, or what stands for Part
	Why  string
	Part string // the part of the refused statement that Text replaces; "" when Text is whole; "$" appends it
}

func (e *Error) Error() string { return e.Message }

// Invalid is an InvalidRequest.
func Invalid(format string, args ...any) *Error {
	return &Error{Code: InvalidRequest, Message: fmt.Sprintf(format, args...)}
}

// Syntax is a SyntaxException raised after parsing.
func Syntax(format string, args ...any) *Error {
	return &Error{Code: SyntaxErr, Message: fmt.Sprintf(format, args...)}
}

// Config is a ConfigurationException.
func Config(format string, args ...any) *Error {
	return &Error{Code: ConfigError, Message: fmt.Sprintf(format, args...)}
}

// Exists is an AlreadyExists with the server's message; table may be "".
func Exists(keyspace, table, format string, args ...any) *Error {
	return &Error{Code: AlreadyExists, Message: fmt.Sprintf(format, args...), Keyspace: keyspace, Table: table}
}

// Fault is an error inside of Cassandra, named by a Java exception; see
// types.Fault and types.Type.JSONFault.
func Fault(exception string) *Error {
	return &Error{Code: ServerError, Message: exception}
}

// Unsupported refuses what Cassandra can do and ringlab cannot yet. It names the
// thing and the way around it.
func Unsupported(thing, instead string) *Error {
	return &Error{Code: InvalidRequest, Message: "ringlab does not support " + thing + "; " + instead}
}
