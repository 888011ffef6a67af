package thrift

// Statement is one statement of the language: one of the types below.
type Statement interface{ String() string }

// Term is a row key, a column name or a value as written: text, or a function
// with at most one argument.
type Term struct {
	Form     TermForm
	Text     string // of Quoted without quotes and escapes; of Call the function's name
	Argument *Term  // of Call; nil without one
}

// TermForm is how a term is written.
type TermForm uint8

// The forms of terms.
const (
	Word TermForm = iota
	Quoted
	Integer
	Call
)

// Name is the name of a keyspace, a column family or the like.
type Name struct {
	Text   string // without quotes
	Quoted bool
}

// Access is family[key], family[key][column] or family[key][super][column].
type Access struct {
	Family  Name
	Key     Term
	Columns []Term // at most two
}

// Get is get … [as type] [limit n].
type Get struct {
	Access
	As    *Name
	Limit string // digits, "" for none
}

// GetWhere is get family where name op value [and …] [limit n].
type GetWhere struct {
	Family     Name
	Conditions []Condition
	Limit      string
}

// Condition is one test of GetWhere.
type Condition struct {
	Column Term
	Op     string // = > < >= <=
	Value  Term
}

// Set is set … = value [with ttl = n].
type Set struct {
	Access
	Value Term
	TTL   string // digits, "" for none
}

// Count is count …
type Count struct{ Access }

// Del is del …
type Del struct{ Access }

// Incr is incr … [by n] and decr … [by n].
type Incr struct {
	Access
	Down bool
	By   string // a number, "" for none
}

// List is list family [[start:end]] [limit n] [columns n [reversed]].
type List struct {
	Family     Name
	Range      bool // brackets are written
	Start, End *Term
	Limit      string
	Columns    string
	Reversed   bool
}

// Truncate is truncate family.
type Truncate struct{ Family Name }

// Assume is assume family element as type.
type Assume struct {
	Family  Name
	Element string
	Type    Name
}

// ConsistencyLevel is consistencylevel as level.
type ConsistencyLevel struct{ Level string }

// Use is use keyspace [user] ['password'].
type Use struct {
	Keyspace       Name
	User, Password string
}

// Connect is connect host/port [user 'password'].
type Connect struct {
	Host, Port     string
	User, Password string
}

// Describe is describe [name]; Name is nil for the keyspace in use.
type Describe struct{ Name *Name }

// ShowSchema is show schema [keyspace].
type ShowSchema struct{ Keyspace *Name }

// Simple is a statement without parts: one of the constants.
type Simple string

// The statements without parts. Nothing is an empty one.
const (
	Nothing         Simple = ""
	Exit            Simple = "exit"
	DescribeCluster Simple = "describe cluster"
	ShowClusterName Simple = "show cluster name"
	ShowKeyspaces   Simple = "show keyspaces"
	ShowVersion     Simple = "show api version"
	TraceNext       Simple = "trace next query"
)

// Help is help [topic]; Topic is the statement's words in lower case, "" for
// the general page.
type Help struct{ Topic string }

// CreateKeyspace is create keyspace, or update keyspace with Update.
type CreateKeyspace struct {
	Update     bool
	Keyspace   Name
	Attributes []Attribute
}

// CreateFamily is create column family, or update column family with Update.
type CreateFamily struct {
	Update     bool
	Family     Name
	Attributes []Attribute
}

// Attribute is name = value.
type Attribute struct {
	Name  string
	Value AttributeValue
}

// AttributeValue is a value of an attribute: text, a map or a list of maps.
type AttributeValue struct {
	Raw  string // of text: as written, with its quotes and escapes
	Map  []Pair // in braces
	List [][]Pair
	Form AttributeForm
}

// AttributeForm is how the value of an attribute is written.
type AttributeForm uint8

// The forms of attributes.
const (
	Scalar AttributeForm = iota
	Map
	Maps
)

// Pair is key : value of a map.
type Pair struct {
	Key    Term
	Value  Term   // unless Nested
	Nested []Pair // a map in braces, nil for none
}

// DropKeyspace is drop keyspace.
type DropKeyspace struct{ Keyspace Name }

// DropFamily is drop column family.
type DropFamily struct{ Family Name }

// DropIndex is drop index on family.column.
type DropIndex struct{ Family, Column Name }

// Unknown is a statement that the grammar has and the client does not know.
type Unknown struct {
	Text string
	Type int // of the client's refusal
}
