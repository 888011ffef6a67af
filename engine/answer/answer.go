// Package answer holds what one statement or lab command gave back, as text:
// the common ground of table output, JSON, the console and scenario checks.
package answer

import "ringlab/model/plan"

// Answer is the outcome of one statement or command. Exactly one of a result
// (Columns and Rows), a Message, an Error or nothing at all (a void result) is
// the main content; Warnings, Fix and Event may stand beside it.
type Answer struct {
	N         int    // counts from 1 within a run; 0 where nobody counts
	File      string // the script it came from, "" for typed input
	Line      int    // where the statement begins, from 1
	Statement string // as written, without the closing semicolon

	Columns  []Column   // nil where there are no columns
	Rows     [][]Cell   // nil where Columns is nil
	Values   [][][]byte // the bytes of Rows, where they are asked for; nil is null
	Bytes    bool       // for a driver: Values and Spec stand for Rows and Columns, which are nil
	Spec     *Spec      // where Bytes is set and there are columns
	Use      string     // the keyspace that USE has set
	More     bool       // another page follows
	State    []byte     // where it begins, for who asks for it
	LWT      bool       // a conditional update's result: cqlsh prints no row count for it
	Prose    bool       // the last column is text to be read, which a narrow screen wraps
	Describe bool       // rows of DESCRIBE, which cqlsh prints in its own forms
	Tool     bool       // the message is nodetool's: its tabs are meant
	Within   bool       // of a DESCRIBE: inside of one keyspace, whose name cqlsh leaves out

	Cli      *Transcript // of a statement of the classic language: what cassandra-cli prints
	Message  string      // "Consistency level set to QUORUM." and the like; may have several lines
	Warnings []string    // as the server sent them
	Error    *Error
	Fix      []Fix // legal alternatives after a refusal; never part of the message
	Event    *SchemaChange

	Op          int    // number of the operation in the lab, 0 for commands without one
	AtMicros    int64  // virtual start, µs since the lab's epoch
	Latency     int64  // virtual µs until the answer
	Coordinator string // node name, "" for lab commands
	Verdict     string // one line for people: rows, acks, latency, staleness
	Stale       bool   // the lab knows a newer acknowledged value than the one returned

	Trace   []TraceEvent
	Session string   // under which system_traces has the trace, "" without one
	Events  []string // "+<µs> <node> <line>"
	Exit    bool     // the front end should close
}

// Transcript is what a client of the classic language prints: Out where results
// go, Err where errors go although the statement succeeds. Its error stands in
// the answer.
type Transcript struct{ Out, Err string }

// Column is one column of a result: its name as Cassandra gives it, its CQL type
// text and, of a column of a table, what that is for: partition_key, clustering,
// static or regular.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Kind string `json:"-"`
}

// Spec describes Values for a driver: their table, and name and type of each
// column.
type Spec struct {
	Keyspace, Table string
	Columns         []plan.Selector
}

// Cell is one value as cqlsh prints it; Null says that there is none.
type Cell struct {
	Text string
	Null bool
}

// Fix is a legal alternative to a refused statement, with its cost.
type Fix struct {
	Text string `json:"text"` // what to run instead
	Why  string `json:"why"`  // what it costs or means
}

// SchemaChange is the event a schema statement causes, as the native protocol
// names it.
type SchemaChange struct {
	ChangeType string   `json:"change_type"`
	TargetType string   `json:"target_type"`
	Keyspace   string   `json:"keyspace"`
	Name       string   `json:"name"`
	Args       []string `json:"-"` // argument types of a function or aggregate
}

// TraceEvent is one row of system_traces.events.
type TraceEvent struct {
	Source   string // node name
	Activity string
	Thread   string
	Elapsed  int64 // µs since the operation reached that source
	At       int64 // virtual µs since the lab's epoch
}

// Error is a refusal or a failure. Name is the class golden/cql uses
// (SyntaxException, InvalidRequest, Unavailable, WriteTimeout …); the pointers
// are set only for the protocol fields that the error carries.
type Error struct {
	Code    string // "0x2200"; "" for lab commands' own errors
	Name    string
	Message string

	Consistency  string
	Required     *int
	Alive        *int
	Received     *int
	BlockFor     *int
	WriteType    string
	DataPresent  *bool
	Failures     *int
	ErrorCodeMap map[string]string // node -> reason code
	Contentions  *int
	Definite     *bool // false: the work may have happened

	Keyspace, Table string // AlreadyExists: what exists
	Function        string // FunctionFailure: what failed in Keyspace, with its argument types
	ArgTypes        []string
	Client          string // what cassandra-cli prints instead of Message; "" for the same
	Bare            bool   // cqlsh prints the message alone: DESCRIBE found nothing
}

func (e *Error) Error() string { return e.Message }

// Table is an answer of text columns. An empty cell stays empty.
func Table(columns []string, rows [][]string) *Answer {
	a := &Answer{Rows: [][]Cell{}}
	for _, c := range columns {
		a.Columns = append(a.Columns, Column{Name: c, Type: "text"})
	}
	for _, r := range rows {
		row := make([]Cell, len(r))
		for i, v := range r {
			row[i] = Cell{Text: v}
		}
		a.Rows = append(a.Rows, row)
	}
	return a
}
