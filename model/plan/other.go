package plan

import "ringlab/model/schema"

// Plan is what one statement means. Exactly one of *Select, *Write, *Batch,
// *Use, *Truncate, *SchemaChange, *Describe.
type Plan interface{ plan() }

// Use sets the session's keyspace.
type Use struct{ Keyspace string }

// Truncate empties a table.
type Truncate struct{ Table *schema.Table }

// SchemaChange is a legal DDL statement applied to a schema. After is the same
// pointer as before if nothing changed (IF NOT EXISTS and the like).
type SchemaChange struct {
	After    *schema.Schema
	Event    *SchemaEvent // nil if nothing changed
	Warnings []string
}

// SchemaEvent is the native protocol's schema change event.
type SchemaEvent struct {
	Change   string // CREATED, UPDATED, DROPPED
	Target   string // KEYSPACE, TABLE, TYPE, FUNCTION, AGGREGATE
	Keyspace string
	Name     string   // of table, type, function or aggregate; "" for keyspaces
	Args     []string // argument types of a function or aggregate
}

// Describe is the result of a DESCRIBE: rows of keyspace_name, type, name and,
// with Create, create_statement. DESCRIBE CLUSTER has no rows here: its columns
// are cluster, partitioner and snitch, and range_ownership (a map of text to
// lists of text) if Keyspace is set; only the ring knows their values.
type Describe struct {
	Rows     [][4]string
	Create   bool
	Cluster  bool
	Keyspace string // with Cluster: whose ranges to show
}

// Columns are the names of the result's columns.
func (d *Describe) Columns() []string {
	switch {
	case d.Cluster && d.Keyspace != "":
		return []string{"cluster", "partitioner", "snitch", "range_ownership"}
	case d.Cluster:
		return []string{"cluster", "partitioner", "snitch"}
	case d.Create:
		return []string{"keyspace_name", "type", "name", "create_statement"}
	}
	return []string{"keyspace_name", "type", "name"}
}

func (*Select) plan()       {}
func (*Write) plan()        {}
func (*Batch) plan()        {}
func (*Use) plan()          {}
func (*Truncate) plan()     {}
func (*SchemaChange) plan() {}
func (*Describe) plan()     {}
