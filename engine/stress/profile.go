package stress

import "fmt"

// Profile is a user profile of cassandra-stress.
// Source: Cassandra 5.0 StressYaml, StressProfile.
type Profile struct {
	Spec               string // specname, "" for none
	Keyspace           string
	KeyspaceDefinition string // CREATE KEYSPACE, "" if it is to exist
	Table              string
	TableDefinition    string   // CREATE TABLE, "" if it is to exist
	Extra              []string // statements to run behind these two
	Columns            []ColumnSpec
	Insert             Insert
	Queries            []Query
	TokenRangeQueries  []string // names; they are not supported

	at map[string]Position // of keyspace, table and the definitions
}

// ColumnSpec says how the values of a column come about; nil parts are
// cassandra-stress's defaults.
type ColumnSpec struct {
	Name       string
	Size       *Spec // bytes of text and blobs, elements of collections
	Population *Spec // what the values are drawn from
	Cluster    *Spec // values of a clustering column under one of those before it
	At         Position
	clusterAt  Position
}

// Insert is what the operation `insert` does.
type Insert struct {
	Partitions    Spec   // partitions of a batch
	Select        Ratio  // share of a partition's rows that is written
	RowPopulation Ratio  // share of a row's columns that gets a value
	Batch         string // LOGGED, UNLOGGED or COUNTER
	At            Position
}

// Query is an operation with a name.
type Query struct {
	Name    string // in lower case
	CQL     string
	SameRow bool // all values come from one row
	At      Position
}

// Position is a place in a profile's text; both count from 1.
type Position struct{ Line, Column int }

// ProfileError says what is wrong with a profile, and where.
type ProfileError struct {
	At  Position
	Msg string
}

func (e *ProfileError) Error() string {
	if e.At.Line == 0 {
		return e.Msg
	}
	return fmt.Sprintf("line %d, column %d: %s", e.At.Line, e.At.Column, e.Msg)
}

func (p Position) complain(format string, args ...any) error {
	return &ProfileError{p, fmt.Sprintf(format, args...)}
}

// Where is the place of a key of the profile, or its beginning.
func (p *Profile) Where(key string) Position { return p.at[key] }

// defaultInsert is what a profile without a section `insert` does.
func defaultInsert() Insert {
	one := Ratio{Spec{Min: 1, Max: 1}, 1}
	return Insert{Partitions: Spec{Min: 1, Max: 1}, Select: one, RowPopulation: one, Batch: "LOGGED"}
}

// query finds a query by name, -1 if there is none.
func (p *Profile) query(name string) int {
	for i := range p.Queries {
		if p.Queries[i].Name == name {
			return i
		}
	}
	return -1
}
